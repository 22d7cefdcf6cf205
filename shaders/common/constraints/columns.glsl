// A constraint's columns at the positions of a slot. Declare the buffers `numbers` and `slots` and node_count and what
// common/constraints/lists.glsl asks for before.
#ifndef COMMON_CONSTRAINTS_COLUMNS_GLSL
#define COMMON_CONSTRAINTS_COLUMNS_GLSL

#include "common/constraints/lists.glsl"
#include "common/physics/constraint/constraint.glsl"

Exact constraint_number(uint c, uint which)
{
    return numbers[CONSTRAINT_NUMBERS * c + which];
}

/// Of entry e, counted through all constraints.
Exact entry_weight(uint e, uint column)
{
    return numbers[CONSTRAINT_NUMBERS * constraint_count + CONSTRAINT_COLUMNS_MOST * e + column];
}

void constraint_columns(uint c, uint at, out Exact3 y[CONSTRAINT_COLUMNS_MOST])
{
    const uint kind = constraint_word(c, CONSTRAINT_KIND), first = constraint_word(c, CONSTRAINT_FIRST_ENTRY);
    for (int k = 0; k < CONSTRAINT_COLUMNS_MOST; ++k)
        y[k] = exact3(real3(0.0));
    for (uint e = first; e < first + constraint_word(c, CONSTRAINT_ENTRY_COUNT); ++e) {
        const Exact3 x = slots[at * node_count + entry_word(e, ENTRY_NODE)];
        for (uint k = 0u; k < CONSTRAINT_COLUMNS[kind]; ++k)
            y[k] = exact3_add(y[k], exact3_scale(entry_weight(e, k), x));
    }
}

/// The slopes of a row by an entry's node.
real3 entry_slope(ConstraintLocal local, uint kind, uint e, uint row)
{
    real3 slope = real3(0.0);
    for (uint k = 0u; k < CONSTRAINT_COLUMNS[kind]; ++k)
        slope += exact_value(entry_weight(e, k)) * local.slope[row][k];
    return slope;
}

#endif
