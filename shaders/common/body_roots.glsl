// The first level of the preconditioner for bodies whose masses are coupled: K of compute/newton_bodies, P^-1 = K^T K. Declare the
// buffer `body_roots` and coupled_count before.
#ifndef COMMON_BODY_ROOTS_GLSL
#define COMMON_BODY_ROOTS_GLSL

#include "abi/kernel.h"
#include "common/real.glsl"

/// Whether there are such bodies at all: without them a kernel takes a third of the registers.
layout(constant_id = SPEC_FIRST_OWN + 1) const bool HAS_BODIES = false;

bool is_of_body(uint place)
{
    return HAS_BODIES && place < coupled_count;
}

/// Block (a, b) of a body's root K, b <= a.
real3x3 body_root(uint body, uint a, uint b)
{
    const uint bodies = coupled_count / 4u, first = 9u * (a * (a + 1u) / 2u + b) * bodies + body;
    real3x3 root;
    for (uint i = 0u; i < 3u; ++i)
        for (uint j = 0u; j < 3u; ++j)
            root[j][i] = body_roots[first + (3u * i + j) * bodies];
    return root;
}

/// K^T K r
void solve_body(uint body, real3 r[4], out real3 z[4])
{
    for (uint a = 0u; a < 4u; ++a)
        z[a] = real3(0.0);
    for (uint a = 0u; a < 4u; ++a) {
        real3x3 root[4];
        real3 sum = real3(0.0);
        for (uint b = 0u; b < 4u; ++b)
            if (b <= a) {
                root[b] = body_root(body, a, b);
                sum += root[b] * r[b];
            }
        for (uint b = 0u; b < 4u; ++b)
            if (b <= a)
                z[b] += sum * root[b];
    }
}

/// r.K^T K r
real body_image(uint body, real3 r[4])
{
    real image = real(0.0);
    for (uint a = 0u; a < 4u; ++a) {
        real3 sum = real3(0.0);
        for (uint b = 0u; b < 4u; ++b)
            if (b <= a)
                sum += body_root(body, a, b) * r[b];
        image += dot(sum, sum);
    }
    return image;
}

#endif
