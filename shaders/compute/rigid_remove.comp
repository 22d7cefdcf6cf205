// variant: f64
// Takes from values at nodes what they have of the rigid motion that the sums of rigid_sums make: ways go to a slot, those along the
// direction to a buffer, forces (less forces that go with the masses) to the gradient. A chunk a workgroup; each adds up its part's
// sums once more, in order, which is less than another dispatch.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/damping.h"
#include "abi/kernel.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Masses { Exact masses[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Increment { real3 increment[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Forces { real3 forces[]; };
layout(scalar, set = 0, binding = 4) readonly buffer IncidenceStart { uint incidence_start[]; };
layout(scalar, set = 0, binding = 5) readonly buffer CornerForces { real3 corner_forces[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Chunks { uint chunks[]; };
layout(scalar, set = 0, binding = 7) readonly buffer Sums { Exact sums[]; };
layout(scalar, set = 0, binding = 8) writeonly buffer RigidIncrement { real3 rigid_increment[]; };
layout(scalar, set = 0, binding = 9) buffer Gradient { real3 gradient[]; };

#include "common/exact_solve.glsl"
#include "common/invocation.glsl"
#include "common/rigid_motion.glsl"

/// Axes that the inertia about is less than this part of the largest one have no motion about them: all of the part lies on them. As on
/// the CPU; sums of exact numbers tell it apart.
#define NO_INERTIA 1e-12

shared Exact totals[RIGID_SUMS];
shared real3 motion_mean, motion_turn, motion_center;

void add_up(uint first_chunk, uint count)
{
    for (uint v = gl_LocalInvocationIndex; v < RIGID_SUMS; v += gl_WorkGroupSize.x) {
        Exact sum = exact(real(0.0));
        for (uint c = first_chunk; c < first_chunk + count; ++c)
            sum = exact_add(sum, sums[RIGID_SUMS * c + v]);
        totals[v] = sum;
    }
}

/// a b less, with a minus, from an exact number.
Exact less_product(Exact from_number, Exact a, Exact b)
{
    return exact_add(from_number, exact_negative(exact_multiply(a, b)));
}

/// Mean, turn and centre from the sums, which are about the part's first node.
void find_motion()
{
    Exact center[3], second[6];
    for (int k = 0; k < 3; ++k)
        center[k] = exact_divide(totals[RIGID_FIRST_MOMENT + k], totals[RIGID_MASS]);
    for (int k = 0; k < 6; ++k) {
        const int i = k < 3 ? k : k == 5 ? 1 : 0, j = k < 3 ? k : k == 3 ? 1 : 2;
        second[k] = less_product(totals[RIGID_SECOND_MOMENT + k], center[i], totals[RIGID_FIRST_MOMENT + j]);
    }
    const Exact trace = exact_add(second[0], exact_add(second[1], second[2]));
    for (int i = 0; i < 3; ++i) {
        const int p = (i + 1) % 3, q = (i + 2) % 3;
        solve_matrix[4 * i] = exact_add(trace, exact_negative(second[i]));
        solve_matrix[3 * p + q] = solve_matrix[3 * q + p] = exact_negative(second[p + q + 2]); // 12, 20, 01
        solve_right[i] = less_product(less_product(totals[RIGID_VALUE_MOMENT + i], center[p], totals[RIGID_VALUE + q]),
                                      exact_negative(center[q]), totals[RIGID_VALUE + p]);
    }
    solve_semidefinite(real(NO_INERTIA));
    for (int k = 0; k < 3; ++k) {
        motion_center[k] = exact_value(center[k]);
        motion_mean[k] = exact_value(exact_divide(totals[RIGID_VALUE + k], totals[RIGID_MASS]));
        motion_turn[k] = exact_value(solve_right[k]);
    }
}

void put(uint i, real3 value)
{
    if (values == RIGID_OF_FORCES)
        gradient[i] = adds != 0u ? gradient[i] + value : value;
    else if (values == RIGID_OF_INCREMENT)
        rigid_increment[i] = value;
    else
        slots[destination * node_count + i] = exact3(value);
}

/// Nodes of nothing that moves as a rigid body.
void keep(uint i)
{
    if (values == RIGID_OF_WAYS)
        slots[destination * node_count + i] = way_of(i);
    else
        put(i, values == RIGID_OF_FORCES ? force_of(i) : increment[i]);
}

void main()
{
    const uint chunk = group_number();
    if (chunk >= chunk_count)
        return;
    const uint begin = chunk_word(chunk, RIGID_FIRST_NODE), end = begin + chunk_word(chunk, RIGID_NODE_COUNT),
               first_chunk = chunk_word(chunk, RIGID_FIRST_CHUNK), count = chunk_word(chunk, RIGID_CHUNK_COUNT),
               first = chunk_word(first_chunk, RIGID_FIRST_NODE);
    if (count == 0u) {
        for (uint i = begin + gl_LocalInvocationIndex; i < end; i += gl_WorkGroupSize.x)
            keep(i);
        return;
    }
    add_up(first_chunk, count);
    barrier();
    if (gl_LocalInvocationIndex == 0u)
        find_motion();
    barrier();
    for (uint i = begin + gl_LocalInvocationIndex; i < end; i += gl_WorkGroupSize.x) {
        const real3 rigid = motion_mean + cross(motion_turn, arm_of(i, first) - motion_center);
        put(i, value_of(i, first) - (values == RIGID_OF_FORCES ? exact_value(masses[i]) : real(1.0)) * rigid);
    }
}
