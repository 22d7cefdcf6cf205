// What an element is made of. Declare the buffer `parameters` before.
#ifndef COMMON_ELEMENTS_MATERIAL_GLSL
#define COMMON_ELEMENTS_MATERIAL_GLSL

#include "common/elements/push.glsl"

ElementMaterial element_material(uint e)
{
    return ElementMaterial(parameters[parameter_place(e, PARAMETER_KAPPA)],
                           parameters[parameter_place(e, PARAMETER_LAMBDA)]);
}

/// Whether it has an energy at all: what variational damping leaves out has none, whatever its shape.
bool element_is_there(ElementMaterial material)
{
    return material.kappa != real(0.0) || material.lambda != real(0.0);
}

#endif
