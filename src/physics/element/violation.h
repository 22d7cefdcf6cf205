/// What counts of the value of a constraint that is a force. Twin: shaders/common/physics/element/violation.glsl.
#ifndef PHYSICS_ELEMENT_VIOLATION_H
#define PHYSICS_ELEMENT_VIOLATION_H

#include "abi/constraint.h"
#include "base/lanes.h"

/// A value as far as the equation or inequality of `formula`, modulo FORMULA_SIDES, is violated.
LANES_INLINE Lanes violation_of(int32_t formula, Lanes value)
{
    const Lanes zero = lanes_set(0);
    return formula % FORMULA_SIDES == FORMULA_AT_MOST    ? lanes_max(value, zero)
           : formula % FORMULA_SIDES == FORMULA_AT_LEAST ? lanes_min(value, zero)
                                                         : value;
}

/// 1 where a violation has second derivatives, else 0.
LANES_INLINE Pack violation_counts(int32_t formula, Pack violation)
{
    const Pack zero = pack_set(0.0), one = pack_set(1.0);
    return formula % FORMULA_SIDES == FORMULA_BOTH
               ? one
               : pack_select(pack_less(zero, pack_abs(violation)), one, zero);
}

#endif
