// Damping of an element: numbers and axes, in the place of Newton's data, that blocks of its matrix C are made of. Kinds that have all of it
// leave a form in their principal axes (principal_form.glsl), the others what their own Hessian leaves, times a time. Declare the buffers
// `damping_lists` and `damping_numbers` where the numbers are made.
#ifndef COMMON_ELEMENTS_DAMPING_GLSL
#define COMMON_ELEMENTS_DAMPING_GLSL

#include "abi/damping.h"
#include "common/elements/kind.glsl"

/// One of the buffer's numbers: only damping_elements has it.
real damping_number(uint at);

#include "common/physics/dissipation/damping.glsl"

#if (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0

#include "common/physics/dissipation/strain_rate.glsl"
#if ELEMENT_COLUMNS == 3
#include "common/physics/dissipation/velocity_gradient.glsl"
#endif

#define ELEMENT_IS_DAMPED 1
#define DAMPING_SIZE FORM_SIZE
#define damping_axes element_form_axes
#define damping_block element_form_block
#if FORM_SIZE + FORM_AXES > ELEMENT_DATA
#error "the kind's form has no room in the place of Newton's data"
#endif

/// The numbers of one entry of the list.
void damping_numbers_of(ElementMaterial material, ElementLocal local, Damping damping, out real form[DAMPING_SIZE])
{
    real s[ELEMENT_COLUMNS], hessian[ELEMENT_HESSIAN];
    element_stretches(local, s);
    if (damping.type == ABI_DAMPING_STRAIN_RATE) {
        strain_rate_form(s, damping.shear, damping.bulk, form);
    } else {
        element_hessian(material, local, true, hessian);
        for (int k = 0; k < ELEMENT_HESSIAN; ++k)
            hessian[k] *= damping.time;
        element_form(hessian, form);
        if (damping.type != ABI_DAMPING_RAYLEIGH) {
            real root[ELEMENT_COLUMNS];
            for (int k = 0; k < ELEMENT_COLUMNS; ++k)
                root[k] = damping.type == ABI_DAMPING_SPLINE
                              ? sqrt(spline_value(damping.first_point, damping.point_count, s[k]))
                              : real(1.0);
            form_keep_stretches(root, form);
        }
    }
#if ELEMENT_COLUMNS == 3
    if (damping.correction == ABI_CORRECTION_VELOCITY_GRADIENT)
        velocity_gradient_correct(s, form);
#endif
}

#elif (DAMPED_BY_HESSIAN_KINDS >> ELEMENT_KIND & 1) != 0

#define ELEMENT_IS_DAMPED 1
#define DAMPING_SIZE ELEMENT_HESSIAN
#define damping_axes element_axes
#define damping_block element_block

/// The same of kinds whose Hessian is a multiple of kappa.
void damping_numbers_of(ElementMaterial material, ElementLocal local, Damping damping, out real hessian[DAMPING_SIZE])
{
    material.kappa *= damping.type == ABI_DAMPING_RAYLEIGH ? damping.time : real(0.0);
    element_hessian(material, local, true, hessian);
}

#else
#define ELEMENT_IS_DAMPED 0
#endif

#endif
