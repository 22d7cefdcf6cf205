// variant: f64
// Gradient and Hessian of friction, behind the pairs of the barrier or of penalty contact; of forces that ADMM has found the gradient.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/barrier.h"
#include "abi/kernel.h"
#include "abi/nodes.h"
#include "common/real.glsl"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Control { uint control[]; };
layout(scalar, set = 0, binding = 1) readonly buffer FrictionVertices { uint friction_vertices[]; };
layout(scalar, set = 0, binding = 2) buffer Friction { real friction[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Starts { uint starts[]; };
layout(scalar, set = 0, binding = 4) readonly buffer Nodes { uint nodes[]; };
layout(scalar, set = 0, binding = 5) readonly buffer Weights { Exact weights[]; };
layout(scalar, set = 0, binding = 6) readonly buffer Slots { Exact3 slots[]; };
layout(scalar, set = 0, binding = 7) writeonly buffer Corners { uint corners[]; };
layout(scalar, set = 0, binding = 8) writeonly buffer Pairs { real3 pairs[]; };
layout(scalar, push_constant) uniform Push { Exact time, speed; uint node_count, base, law; };

#include "common/contact/friction_contacts.glsl"
#include "common/contact/pair_store.glsl"
#include "common/contact/surface_nodes.glsl"
#include "common/invocation.glsl"

void main()
{
    const uint k = invocation_number();
    if (k >= control[PAIR_RUBBING] || control[PAIR_COUNT] == 0u)
        return;
    FrictionContact contact = friction_load(k);
    uint of[4];
    real3 motion[4], gradient[4], factors[12];
    for (uint i = 0u; i < 4u; ++i) {
        of[i] = friction_vertex(k, i);
        motion[i] = vertex_difference(of[i], ABI_SLOT_STAGE, base);
    }
    for (int i = 0; i < 12; ++i)
        factors[i] = real3(0.0);
    if (law == FRICTION_LAW_SOLVED) {
        const real3 pull = friction_contact_pull(contact, law, exact_value(speed), exact_value(time), motion);
        for (int i = 0; i < 4; ++i)
            gradient[i] = contact.weights[i] * pull;
    } else {
        const FrictionLaw potential =
            friction_law(law == FRICTION_LAW_SEMI_IMPLICIT, exact_value(speed), exact_value(time));
        friction_follow(contact, potential, motion);
        for (uint i = 0u; i < 2u; ++i) {
            friction[FRICTION_DATA * k + FRICTION_DUAL + i] = contact.dual[i];
            friction[FRICTION_DATA * k + FRICTION_SLIP + i] = contact.slip[i];
        }
        friction[FRICTION_DATA * k + FRICTION_TRUST] = contact.trust;
        const FrictionHessian hessian = friction_hessian(contact, potential, motion, gradient);
        for (int i = 0; i < 4; ++i) {
            factors[i] = hessian.weights[i] * hessian.along;
            factors[4 + i] = hessian.weights[i] * hessian.across;
        }
    }
    pair_store(control[PAIR_ACTIVE] + k, of, gradient, factors);
}
