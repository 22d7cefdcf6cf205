// C v of a constraint, as model_constraint_compliance of src/model/constraints.c has it. Declare the buffer `numbers` before.
#ifndef COMMON_CONSTRAINTS_COMPLIANCE_GLSL
#define COMMON_CONSTRAINTS_COMPLIANCE_GLSL

#include "abi/saddle.h"
#include "common/real.glsl"

/// How many of a kind's rows are coupled by a compliance of their own: normal strains, all rows of others.
uint normal_rows(uint kind, uint rows)
{
    return kind == CONSTRAINT_KIND_SOLID ? 3u : kind == CONSTRAINT_KIND_MEMBRANE ? 2u : rows;
}

void apply_compliance(uint c, uint kind, uint rows, real v[CONSTRAINT_ROWS_MOST], out real held[CONSTRAINT_ROWS_MOST])
{
    const uint at = CONSTRAINT_NUMBERS * c, normal = normal_rows(kind, rows);
    const real coupled = exact_value(numbers[at + CONSTRAINT_COUPLED]),
               own = exact_difference(numbers[at + CONSTRAINT_COMPLIANCE], numbers[at + CONSTRAINT_COUPLED]),
               sheared = exact_value(numbers[at + CONSTRAINT_SHEARED]);
    real sum = real(0.0);
    for (uint r = 0u; r < normal; ++r)
        sum += v[r];
    for (uint r = 0u; r < rows; ++r)
        held[r] = r < normal ? own * v[r] + coupled * sum : sheared * v[r];
}

#endif
