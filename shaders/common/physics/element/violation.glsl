// What counts of the value of a constraint; twin of link_violation in src/physics/element/link.h.
#ifndef COMMON_PHYSICS_ELEMENT_VIOLATION_GLSL
#define COMMON_PHYSICS_ELEMENT_VIOLATION_GLSL

#include "abi/constraint.h"

/// A value as far as an equation or an inequality is violated.
real link_violation(real value)
{
    const int side = ENERGY_MODEL % FORMULA_SIDES;
    return side == FORMULA_AT_MOST    ? max(value, real(0.0))
           : side == FORMULA_AT_LEAST ? min(value, real(0.0))
                                      : value;
}

/// Whether it has second derivatives.
bool link_counts(real violation)
{
    return ENERGY_MODEL % FORMULA_SIDES == FORMULA_BOTH || violation != real(0.0);
}

#endif
