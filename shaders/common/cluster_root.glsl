// The root of the inverse of a cluster's matrix, as common/block_root.glsl makes those of larger workgroups: a team of CLUSTER_TEAM
// invocations has the rows of a cluster's 12x12 block, and what began as the identity beside it. Declare the buffer `cluster_roots` before.
#ifndef COMMON_CLUSTER_ROOT_GLSL
#define COMMON_CLUSTER_ROOT_GLSL

#include "common/coarse.glsl"
#include "common/coarse_inverse.glsl"
#include "common/real.glsl"

// By turns, so that a step is one barrier. Behind a row its pivot's inverse.
const uint PIVOT_STRIDE = COARSE_MODES + 1u;
shared real pivot_rows[2u * gl_WorkGroupSize.x / CLUSTER_TEAM * PIVOT_STRIDE];

uint pivot_place(uint k)
{
    return (k % 2u * (gl_WorkGroupSize.x / CLUSTER_TEAM) + gl_LocalInvocationIndex / CLUSTER_TEAM) * PIVOT_STRIDE;
}

/// Keeps the root of cluster number `cluster`, of which the invocation has row `motion` of the matrix, if there are as many; `bends`: of a plate or a rod. In uniform
/// control flow.
void cluster_root_keep(uint cluster, uint motion, bool is_there, bool bends, real row[COARSE_MODES])
{
    real before = real(0.0), inverse = real(0.0);
    for (uint k = 0u; k < COARSE_MODES; ++k)
        before = k == motion ? row[k] : before;
    for (uint k = 0u; k < COARSE_MODES; ++k) {
        const uint pivot = pivot_place(k);
        if (motion == k) {
            for (uint c = 0u; c < COARSE_MODES; ++c)
                pivot_rows[pivot + c] = row[c];
            inverse = cluster_pivot_inverse(bends, row[k], before);
            pivot_rows[pivot + COARSE_MODES] = inverse;
        }
        barrier();
        if (motion > k && motion < COARSE_MODES) {
            const real factor = pivot_rows[pivot + COARSE_MODES] * pivot_rows[pivot + motion];
            for (uint c = 0u; c < COARSE_MODES; ++c)
                row[c] = c == k ? -factor : row[c] - factor * pivot_rows[pivot + c];
        }
    }
    if (motion >= COARSE_MODES || !is_there)
        return;
    const real scale = sqrt(inverse);
    for (uint c = 0u; c < COARSE_MODES; ++c)
        if (c <= motion)
            cluster_roots[cluster_root_place(cluster, motion, c)] = scale * (c == motion ? real(1.0) : row[c]);
}

#endif
