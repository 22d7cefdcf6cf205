// What counts of the value of a constraint; twin of src/physics/element/violation.h.
#ifndef COMMON_PHYSICS_ELEMENT_VIOLATION_GLSL
#define COMMON_PHYSICS_ELEMENT_VIOLATION_GLSL

#include "abi/constraint.h"

/// A value as far as an equation or an inequality is violated.
real violation_of(real value)
{
    const int side = ENERGY_MODEL % FORMULA_SIDES;
    return side == FORMULA_AT_MOST    ? max(value, real(0.0))
           : side == FORMULA_AT_LEAST ? min(value, real(0.0))
                                      : value;
}

/// 1 where a violation has second derivatives, else 0.
real violation_counts(real violation)
{
    return ENERGY_MODEL % FORMULA_SIDES == FORMULA_BOTH || violation != real(0.0) ? real(1.0) : real(0.0);
}

#endif
