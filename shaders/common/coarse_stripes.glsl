// Which rows a workgroup has: the table of stripes and clusters (abi/coarse.h). Declare the buffer `matrix_rows` and the words of
// common/linear_push.glsl before.
#ifndef COMMON_COARSE_STRIPES_GLSL
#define COMMON_COARSE_STRIPES_GLSL

#include "abi/coarse.h"
#include "common/matrix_rows.glsl"

/// From the first to before the second.
struct Stripe {
    uvec2 places, clusters;
};

/// Word i of the table.
uint stripe_word(uint i)
{
    return matrix_rows[matrix_row_words() + COARSE_TREE_WORDS + i];
}

/// Stripe number `number` of all chunks.
Stripe coarse_stripe(uint number)
{
    const uint at = STRIPE_WORDS * number;
    return Stripe(uvec2(stripe_word(at + STRIPE_FIRST), stripe_word(at + STRIPE_END)),
                  uvec2(stripe_word(at + STRIPE_FIRST_CLUSTER), stripe_word(at + STRIPE_END_CLUSTER)));
}

/// Places of chunk number `chunk`: from the first to before the second.
uvec2 coarse_chunk(uint chunk)
{
    const uint at = STRIPE_WORDS * chunk * stripes_per_chunk;
    return uvec2(stripe_word(at + STRIPE_FIRST), stripe_word(at + STRIPE_WORDS * (stripes_per_chunk - 1u) + STRIPE_END));
}

/// Word i of those of clusters.
uint clusters_word(uint i)
{
    return stripe_word(STRIPE_WORDS * group_count * chunks_per_group * stripes_per_chunk + i);
}

/// The first place of a cluster, with CLUSTER_IS_SOLVED; or where the last one ends.
uint cluster_word(uint cluster)
{
    return clusters_word(cluster);
}

/// The turn of a cluster's group; cluster_count is not 0.
uint cluster_group(uint cluster)
{
    return clusters_word(cluster_count + 1u + cluster);
}

#endif
