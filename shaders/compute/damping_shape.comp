// variant: f64
// variant: kinds
// Elements of one energy model whose damping has a form that is not lagged: corner forces t dR/dx of the stage's motion, less those of the
// velocities where the step began if the form says so, added to those that are there. R of a motion in the time t is that of the way over
// t^2. Matrices are made where Newton's data are, once for every shape that is tried.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

/// 1/t and t, at eight bytes.
#define PUSH_OWN                                                                                                       \
    uint padding;                                                                                                      \
    Exact inverse, duration;

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 1) readonly buffer ElementNodes { uint element_nodes[]; };
layout(scalar, set = 0, binding = 2) readonly buffer CornerPlaces { uint corner_places[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Shapes { real shapes[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Parameters { real parameters[]; };
layout(scalar, set = 0, binding = 5) readonly buffer DampingLists { uint damping_lists[]; };
layout(scalar, set = 0, binding = 6) readonly buffer DampingNumbers { real damping_numbers[]; };
layout(scalar, set = 0, binding = 7) buffer ElementData { real data[]; };
layout(scalar, set = 0, binding = 8) buffer CornerForces { real3 corner_forces[]; };

#include "common/elements/damping.glsl"
#include "common/elements/damping_entry.glsl"
#include "common/elements/gather.glsl"
#include "common/elements/material.glsl"
#include "common/elements/shape_change.glsl"
#include "common/invocation.glsl"

real element_data(uint at)
{
    return data[at];
}

void element_data_set(uint at, real value)
{
    data[at] = value;
}

#if ELEMENT_IS_DAMPED

real3 way[ELEMENT_CORNERS - 1], earlier[ELEMENT_CORNERS - 1];

/// t R of the motion, less that of the earlier velocities times `before`, with the matrix of the data.
real potential(uint at, real before)
{
    const real now = exact_value(inverse), then = before * exact_value(duration);
    real sum = real(0.0);
    for (uint a = 1u; a < ELEMENT_CORNERS; ++a)
        for (uint b = a; b < ELEMENT_CORNERS; ++b) {
            real block[9];
            real3 turned, turned_earlier;
            damping_block(at, a, b, block);
            for (int i = 0; i < 3; ++i) {
                const real3 row = real3(block[3 * i], block[3 * i + 1], block[3 * i + 2]);
                turned[i] = dot(row, way[b - 1u]);
                turned_earlier[i] = dot(row, earlier[b - 1u]);
            }
            sum += (a == b ? real(0.5) : real(1.0)) *
                   (now * dot(way[a - 1u], turned) - then * dot(earlier[a - 1u], turned_earlier));
        }
    return sum;
}

/// The same of an entry at a shape; the axes are there.
real potential_at(uint at, ElementMaterial material, ElementLocal local, Damping entry, real before)
{
    real numbers[DAMPING_SIZE];
    damping_numbers_of(material, local, entry, numbers);
    for (uint k = 0u; k < DAMPING_SIZE; ++k)
        data[at + k] = numbers[k];
    return potential(at, before);
}

/// What knows principal stretches alone changes with these; its axes stand still.
void add_by_stretches(uint at, ElementMaterial material, ElementLocal local, Damping entry, real before, real step,
                      inout real t[ELEMENT_SIZE])
{
#if (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0
    for (int k = 0; k < ELEMENT_COLUMNS; ++k) {
        real change = real(0.0), dyad[ELEMENT_SIZE];
        for (int end = -1; end <= 1; end += 2) {
            ElementLocal moved = local;
            element_stretch_move(moved, k, real(end) * step);
            change += real(end) * potential_at(at, material, moved, entry, before);
        }
        element_dyad(local, k, dyad);
        for (int i = 0; i < ELEMENT_SIZE; ++i)
            t[i] += change / (real(2.0) * step) * dyad[i];
    }
#endif
}

void add_by_numbers(uint at, ElementMaterial material, ElementReal f[ELEMENT_SIZE], real g[ELEMENT_SHAPES], Damping entry,
                    real before, real step, inout real t[ELEMENT_SIZE])
{
    for (int number = 0; number < ELEMENT_SIZE; ++number) {
        real change = real(0.0);
        for (int end = -1; end <= 1; end += 2) {
            ElementReal moved[ELEMENT_SIZE];
            ElementLocal local;
            shape_moved(f, number, real(end) * step, moved);
            element_decompose(moved, local);
            damping_axes(at + DAMPING_SIZE, local, g);
            change += real(end) * potential_at(at, material, local, entry, before);
        }
        t[number] += change / (real(2.0) * step);
    }
}

void add_element(uint e, uint list)
{
    const uint at = data_place(e), entries = damping_lists[list], side = argument >> DAMPING_SIDE_SHIFT;
    const ElementMaterial material = element_material(e);
    real g[ELEMENT_SHAPES], t[ELEMENT_SIZE];
    ElementReal f[ELEMENT_SIZE];
    ElementLocal local;
    gather_shape(e, g);
    gather_gradient(e, ABI_SLOT_STAGE, g, f);
    element_decompose(f, local);
    corner_ways(e, way, earlier);
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        t[k] = real(0.0);
    const real size = shape_size(f);
    for (uint i = 0u; i < entries; ++i) {
        const uint entry_at = list + 1u + DAMPING_WORDS * i, form = damping_lists[entry_at + DAMPING_FORM];
        const Damping entry = damping_at(entry_at, damping_numbers[first_element + e]);
        if (form == ABI_FORM_LAGGED || damping_side(entry) != side || !damping_is_linear(entry))
            continue;
        const real step = size * (entry.type == ABI_DAMPING_RAYLEIGH ? real(SHAPE_STEP_WITH_KINKS) : real(SHAPE_STEP));
        const real before = form == ABI_FORM_SECOND_ORDER ? real(1.0) : real(0.0);
        damping_axes(at + DAMPING_SIZE, local, g);
        if (entry.type == ABI_DAMPING_PRINCIPAL_STRAIN || entry.type == ABI_DAMPING_SPLINE)
            add_by_stretches(at, material, local, entry, before, step, t);
        else
            add_by_numbers(at, material, f, g, entry, before, step, t);
    }
    add_forces(e, t, g);
}

#endif

void main()
{
#if ELEMENT_IS_DAMPED
    if (invocation_number() >= count)
        return;
    const uint e = first + invocation_number(), list = damping_lists[first_element + e];
    if (list != DAMPING_NONE)
        add_element(e, list);
#endif
}
