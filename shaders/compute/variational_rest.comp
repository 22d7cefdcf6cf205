// variant: f64
// variant: kinds
// Rest shapes of variational damping: every element's is what it has at the places of a slot; elements that have none of it, or are flat
// there, get no energy. Shapes are times `shape_scale`, energies times the material's time and `energy_scale`. Kinds that ask for exact D x
// get shapes of two numbers in single precision: a rest shape that is made anew in every step must not be off by its rounding.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/damping.h"
#include "abi/kernel.h"
#include "common/real.glsl"

/// At eight bytes.
#define PUSH_OWN                                                                                                       \
    uint padding;                                                                                                      \
    Exact shape_scale, energy_scale;

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 3) readonly buffer DampingLists { uint damping_lists[]; };
layout(scalar, set = 0, binding = 4) readonly buffer DampingNumbers { real damping_numbers[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer RestShapes { real rest_shapes[]; };
layout(scalar, set = 0, binding = 6) writeonly buffer RestParameters { real rest_parameters[]; };

#include "common/elements/material.glsl"
#include "common/exact_math.glsl"
#include "common/invocation.glsl"

/// An element that is flatter than this, beside the product of its edges' lengths, damps nothing: its shape has no digits.
#ifdef VELA_F64
#define FLAT 1e-9lf
#else
#define FLAT 1e-6
#endif

real time_of(uint list)
{
    real time = real(0.0);
    for (uint i = 0u; list != DAMPING_NONE && i < damping_lists[list]; ++i) {
        const uint at = list + 1u + DAMPING_WORDS * i;
        if (damping_lists[at + DAMPING_TYPE] == ABI_DAMPING_VARIATIONAL)
            time += damping_numbers[damping_lists[at + DAMPING_NUMBERS] + DAMPING_TIME];
    }
    return time;
}

#if (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0

Exact3 edge_of(uint e, uint corner)
{
    const uint base = argument * node_count;
    return exact3_subtract(slots[base + element_nodes[corner_place(e, corner)]],
                           slots[base + element_nodes[corner_place(e, 0u)]]);
}

/// G with D x the identity there, in axes of the element itself where it has fewer dimensions than space; false where it is flat.
bool rest_shape(uint e, out Exact g[ELEMENT_SHAPES])
{
#if ELEMENT_COLUMNS == 1
    const Exact3 edge = edge_of(e, 1u);
    const Exact square = exact_dot(edge, edge);
    if (!(exact_value(square) > real(0.0)))
        return false;
    g[0] = exact_inverse_root(square);
#elif ELEMENT_COLUMNS == 2
    // Of edges a and b: 1/|a|, -a.b/(|a| n), 0, |a|/n with n = |a x b|.
    const Exact3 a = edge_of(e, 1u), b = edge_of(e, 2u);
    const Exact aa = exact_dot(a, a), ab = exact_dot(a, b), sizes = exact_multiply(aa, exact_dot(b, b)),
                area = exact_add(sizes, exact_negative(exact_multiply(ab, ab)));
    if (!(exact_value(area) > real(FLAT) * real(FLAT) * exact_value(sizes)))
        return false;
    const Exact inverse = exact_inverse_root(aa), wide = exact_inverse_root(area);
    g[0] = inverse;
    g[1] = exact_negative(exact_multiply(exact_multiply(ab, inverse), wide));
    g[2] = exact(real(0.0));
    g[3] = exact_multiply(exact_multiply(aa, inverse), wide);
#else
    real3 edges[3];
    for (uint c = 0u; c < 3u; ++c)
        edges[c] = exact3_value(edge_of(e, c + 1u));
    const real determinant = dot(edges[0], cross(edges[1], edges[2]));
    if (!(abs(determinant) > real(FLAT) * length(edges[0]) * length(edges[1]) * length(edges[2])))
        return false;
    for (int c = 0; c < 3; ++c) {
        const real3 row = cross(edges[(c + 1) % 3], edges[(c + 2) % 3]) / determinant;
        for (int k = 0; k < 3; ++k)
            g[3 * c + k] = exact(row[k]);
    }
#endif
    return true;
}

#endif

void main()
{
#if (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0
    if (invocation_number() >= count)
        return;
    const uint e = invocation_number();
    Exact g[ELEMENT_SHAPES];
    const ElementMaterial material = element_material(e);
    const real time = time_of(damping_lists[first_element + e]);
    const bool is_there = time > real(0.0) && rest_shape(e, g);
    const real weight = is_there ? time * exact_value(energy_scale) : real(0.0);
    for (uint k = 0u; k < ELEMENT_SHAPES; ++k) {
        const Exact number = is_there ? exact_multiply(shape_scale, g[k]) : exact(real(0.0));
        rest_shapes[shape_place(e, k)] = exact_value(number);
#ifdef ELEMENT_FLOAT_FLOAT
        rest_shapes[shape_place(e, ELEMENT_SHAPES + k)] = exact_rest(number);
#endif
    }
    rest_parameters[parameter_place(e, PARAMETER_KAPPA)] = weight * material.kappa;
    rest_parameters[parameter_place(e, PARAMETER_LAMBDA)] = weight * material.lambda;
#endif
}
