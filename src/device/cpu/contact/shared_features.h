/// Pairs of primitives of which the same two features are closest. Around a vertex that comes near another, or near an edge, every triangle and edge
/// at either has a pair with its like on the other side, and all of these depend on the same two or three vertices: in a crowd of boxes
/// five of six. What is a sum over pairs in which each counts by a factor is the same with one of them that has all their factors.
#ifndef DEVICE_CPU_CONTACT_SHARED_FEATURES_H
#define DEVICE_CPU_CONTACT_SHARED_FEATURES_H

#include "base/arena.h"

#include <stdbool.h>
#include <string.h>

/// The closest features of a pair, and what else it depends on but its factor.
typedef struct Feature {
    int32_t vertices
        [3]; ///< of two vertices the higher one first, then -1; of a vertex and an edge the vertex first. All -1: not to be shared
    double range, separation;
} Feature;

/// The vertices of a feature, of the pair's vertices that take part: a bit each, of the first primitive and of the second. All -1 where these
/// are not a vertex and a vertex, or a vertex and an edge.
static inline void feature_vertices(const int32_t vertices[4], int first, int second, int32_t found[3])
{
    const bool second_is_lone = (first & (first - 1)) != 0;
    const unsigned lone_side = (unsigned)(second_is_lone ? second : first),
                   edge_side = (unsigned)(second_is_lone ? first : second);
    found[0] = found[1] = found[2] = -1;
    if (lone_side == 0 || (lone_side & (lone_side - 1)) != 0 || edge_side == 0)
        return;
    const int end0 = __builtin_ctz(edge_side), end1 = 31 - __builtin_clz(edge_side);
    if (edge_side != (1U << end0 | 1U << end1))
        return;
    const int32_t lone = vertices[__builtin_ctz(lone_side)], a = vertices[end0], b = vertices[end1];
    const bool is_edge = end0 != end1;
    found[0] = is_edge || lone > a ? lone : a;
    found[1] = !is_edge ? (lone > a ? a : lone) : a > b ? a : b;
    found[2] = !is_edge ? -1 : a > b ? b : a;
}

static inline bool feature_is_same(const Feature *a, const Feature *b)
{
    return memcmp(a->vertices, b->vertices, sizeof a->vertices) == 0 && a->range == b->range &&
           a->separation == b->separation;
}

/// So many features have room in a table.
enum { FEATURES_AT_ONCE = 4096 };

/// Where features that are next to each other were met first, by their vertices.
typedef struct FeatureTable {
    uint32_t places;                      ///< in use, a power of two
    uint16_t taken[2 * FEATURES_AT_ONCE]; ///< 1 + number of a feature; 0: none
} FeatureTable;

/// Empties it for at most so many features, no more than FEATURES_AT_ONCE.
void feature_table_clear(FeatureTable *table, int32_t most);
/// The number of the feature in the table that is the same, of `features`. If none is, it is there as `number` from now on, which is returned.
int32_t feature_table_find(FeatureTable *table, const Feature *features, const Feature *feature,
                           int32_t number);

typedef struct SharedFeatures {
    int threads;
    int32_t vertex_count;
    Feature *features; ///< room for those of every pair
    int32_t *first;    ///< of every pair: the first one with the same feature
    int32_t *start;    ///< vertex_count + 1: pairs by the first vertex of their feature
    int32_t *sorted;
    size_t feature_capacity, first_capacity, sorted_capacity;
} SharedFeatures;

VelaResult shared_features_create(Arena *arena, int32_t vertex_count, int threads, SharedFeatures *shared);
/// Makes room in `growing` for `count` pairs.
VelaResult shared_features_reserve(Arena *growing, SharedFeatures *shared, int32_t count);
/// The feature that the weights of the closest points say (geometry/closest_points.h).
Feature shared_feature(const int32_t vertices[4], const double weights[4], double range, double separation);
/// Finds `first` of the first `count` pairs, whose features are there. The sums of their factors go to the first of each, in the order of the
/// pairs: factors[stride * k] is that of pair k.
void shared_features_find(SharedFeatures *shared, int32_t count, double *factors, size_t stride);

#endif
