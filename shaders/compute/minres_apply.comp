// variant: f64
// MINRES, first half of an iteration: the last iteration's step is taken, then K v of the next direction v, less what the one before has of it, for
// K = [A J^T; J -C] of -lambda. Ends the method where the residual is small enough, or out of reach.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/control.h"
#include "abi/kernel.h"
#include "abi/saddle.h"
#include "abi/scalars.h"
#include "abi/sums.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) buffer Scalars { real scalars[]; };
layout(scalar, set = 0, binding = 2) buffer Partials { real partials[]; };
layout(scalar, set = 0, binding = 3) readonly buffer MatrixRows { uint matrix_rows[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Columns { uint columns[]; };
layout(scalar, set = 0, binding = 5) readonly buffer FirstRows { real first_rows[]; };
layout(scalar, set = 0, binding = 6) readonly buffer SecondRows { real second_rows[]; };
layout(scalar, set = 0, binding = 7) readonly buffer ThirdRows { real third_rows[]; };
layout(scalar, set = 0, binding = 8) readonly buffer ChangingRows { uvec2 changing_rows[]; };
layout(scalar, set = 0, binding = 9) readonly buffer ChangingColumns { uvec2 changing_columns[]; };
layout(scalar, set = 0, binding = 10) readonly buffer ChangingBlocks { real3x3 changing_blocks[]; };
layout(scalar, set = 0, binding = 11) readonly buffer Lists { uint lists[]; };
layout(scalar, set = 0, binding = 12) readonly buffer Numbers { Exact numbers[]; };
layout(scalar, set = 0, binding = 13) readonly buffer Slopes { real3 slopes[]; };
layout(scalar, set = 0, binding = 14) readonly buffer Holds { uint holds[]; };
layout(scalar, set = 0, binding = 15) buffer Vectors { real vectors[]; };

#include "common/constraints/push.glsl"

#include "common/block_rows.glsl"
#include "common/cg.glsl"
#include "common/constraints/compliance.glsl"
#include "common/constraints/ending.glsl"
#include "common/constraints/recurrence.glsl"
#include "common/constraints/vectors.glsl"
#include "common/invocation.glsl"
#include "common/matrix_columns.glsl"
#include "common/matrix_rows.glsl"

real row_number(uint row)
{
    return vectors[row_place(SADDLE_PRECONDITIONED, row)];
}

real3 node_number(uint node)
{
    return node_vector(SADDLE_PRECONDITIONED, node);
}

#include "common/constraints/pull.glsl"
#include "common/constraints/ways.glsl"

void move_number(uint at, Move move)
{
    const uint size = 3u * node_count + row_count, last = at + size * (SADDLE_STEPS + parity),
               before = at + size * (SADDLE_STEPS + 1u - parity);
    const real step = (vectors[at + size * SADDLE_DIRECTION] - move.before * vectors[before] - move.last * vectors[last]) /
                      move.size;
    vectors[before] = step;
    vectors[at] += move.way * step;
}

real3 node_product(uint place, uint node, real3 own)
{
    const uvec2 entries = row_entries(place);
    const RowColumns own_columns = row_columns(place, entries.x);
    real3 sum = block_apply(entries.x, own);
    for (uint e = entries.x + SLICE_ROWS; e < entries.y; e += SLICE_ROWS) {
        const uint column = column_of(own_columns, e);
        if (column == node) // from here on there is only padding
            break;
        sum += block_apply(e, node_number(column));
    }
    const uvec2 range = changes != 0u ? changing_rows[node] : uvec2(0u);
    for (uint b = range.x; b < range.y; ++b)
        sum += changing_blocks[b] * node_number(changing_columns[b].x);
    return sum + pull_of_rows(node);
}

/// Returns v.K v of a node.
real apply_node(uint place, Recurrence next)
{
    const uint node = row_node(place), product = SADDLE_RESIDUALS + 1u - parity;
    if (next.moves)
        for (uint k = 0u; k < 3u; ++k)
            move_number(node_place(SADDLE_SOLUTION, node) + k, next.move);
    if (!next.goes_on)
        return real(0.0);
    const real inverse = real(1.0) / next.values[MINRES_NORM];
    const real3 own = node_number(node), v = inverse * own;
    set_node_vector(SADDLE_DIRECTION, node, v);
    const real3 sum =
        inverse * node_product(place, node, own) - next.values[MINRES_FACTOR] * node_vector(product, node);
    set_node_vector(product, node, sum);
    return dot(v, sum);
}

real apply_constraint(uint c, Recurrence next)
{
    const uint kind = constraint_word(c, CONSTRAINT_KIND), rows = CONSTRAINT_ROWS[kind],
               row = constraint_word(c, CONSTRAINT_FIRST_ROW), product = SADDLE_RESIDUALS + 1u - parity;
    for (uint r = 0u; next.moves && r < rows; ++r)
        move_number(row_place(SADDLE_SOLUTION, row + r), next.move);
    if (!next.goes_on)
        return real(0.0);
    real own[CONSTRAINT_ROWS_MOST], held[CONSTRAINT_ROWS_MOST], way[CONSTRAINT_ROWS_MOST], curvature = real(0.0);
    const real inverse = real(1.0) / next.values[MINRES_NORM];
    for (uint r = 0u; r < rows; ++r)
        own[r] = row_number(row + r);
    apply_compliance(c, kind, rows, own, held);
    way_of_nodes(c, rows, way);
    for (uint r = 0u; r < rows; ++r) {
        const uint at = row_place(product, row + r);
        const real sum = inverse * (way[r] - held[r]) - next.values[MINRES_FACTOR] * vectors[at];
        vectors[row_place(SADDLE_DIRECTION, row + r)] = inverse * own[r];
        vectors[at] = holds[c] != 0u ? sum : real(0.0);
        curvature += holds[c] != 0u ? inverse * own[r] * sum : real(0.0);
    }
    return curvature;
}

/// One invocation: what the next dispatches do.
void keep(Recurrence next, bool begins)
{
    for (uint k = 0u; k < MINRES_STATE; ++k)
        scalars[SCALAR_MINRES + MINRES_STATE * parity + k] = next.values[k];
    if (begins) {
        const real norm = next.values[MINRES_NORM],
                   whole = control[CONTROL_SADDLE_FRESH] != 0u ? norm : scalars[SCALAR_CG_FIRST];
        scalars[SCALAR_CG_FIRST] = whole;
        scalars[SCALAR_CG_LAST] = norm;
        scalars[SCALAR_CG_TARGET] = max(scalars[SCALAR_CG_REDUCTION] * whole, real(FOLLOWED) * norm);
    }
    if (next.goes_on)
        return;
    control[ARGUMENTS_SADDLE] = 0u;
    if (next.bad)
        control[CONTROL_SADDLE_BAD] = 1u;
    if (next.bad || (begins && side_count == 0u))
        end_system();
    else if (begins)
        control[ARGUMENTS_SADDLE_SIDES] = 1u;
    else
        control[ARGUMENTS_SADDLE_START] = control[CONTROL_GROUPS_SADDLE];
}

void main()
{
    const uint groups = saddle_groups();
    if (group_number() >= groups)
        return;
    const real square = partials_sum(SUM_RZ, groups), norm = sqrt(square < real(0.0) ? real(0.0) : square);
    const bool begins = control[CONTROL_SADDLE_STEP] == 0u;
    Recurrence next;
    if (begins)
        next = recurrence_begin(norm);
    else
        next = recurrence_advance(norm);
    real curvature = real(0.0);
    for (uint i = invocation_number(); i < saddle_count(); i += groups * gl_WorkGroupSize.x)
        curvature += i < free_count ? apply_node(i, next) : apply_constraint(i - free_count, next);
    const real total = workgroup_sum(curvature);
    if (gl_LocalInvocationIndex == 0u)
        partials[SUM_CURVATURE * SUM_GROUPS_MOST + group_number()] = total;
    if (invocation_number() == 0u)
        keep(next, begins);
}
