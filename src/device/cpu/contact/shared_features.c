#include "device/cpu/contact/shared_features.h"

enum { VERTICES_PER_TASK = 256 };

VelaResult shared_features_create(Arena *arena, int32_t vertex_count, int threads, SharedFeatures *shared)
{
    *shared = (SharedFeatures){.threads = threads, .vertex_count = vertex_count};
    return ARENA_ARRAY(arena, shared->start, (size_t)vertex_count + 1);
}

VelaResult shared_features_reserve(Arena *growing, SharedFeatures *shared, int32_t count)
{
    TRY(ARENA_GROW(growing, shared->features, &shared->feature_capacity, (size_t)count));
    TRY(ARENA_GROW(growing, shared->first, &shared->first_capacity, (size_t)count));
    return ARENA_GROW(growing, shared->sorted, &shared->sorted_capacity, (size_t)count);
}

Feature shared_feature(const int32_t vertices[4], const double weights[4], double range, double separation)
{
    Feature feature = {.range = range, .separation = separation};
    int sides[2] = {0, 0};
    for (int c = 0; c < 4; ++c)
        if (weights[c] != 0)
            sides[weights[c] < 0] |= 1 << c;
    feature_vertices(vertices, sides[0], sides[1], feature.vertices);
    return feature;
}

void feature_table_clear(FeatureTable *table, int32_t most)
{
    table->places = 16;
    while (table->places < 2 * (uint32_t)most)
        table->places *= 2;
    memset(table->taken, 0, table->places * sizeof *table->taken);
}

static uint32_t mixed_vertices(const int32_t vertices[3])
{
    const uint32_t mixed = (uint32_t)vertices[0] * 0x9E3779B1U ^ (uint32_t)vertices[1] * 0x85EBCA77U ^
                           (uint32_t)vertices[2] * 0xC2B2AE3DU;
    return (mixed ^ mixed >> 15) * 0x2C1B3C6DU >> 16;
}

int32_t feature_table_find(FeatureTable *table, const Feature *features, const Feature *feature,
                           int32_t number)
{
    uint32_t place = mixed_vertices(feature->vertices) & (table->places - 1);
    for (int32_t taken; (taken = table->taken[place]) > 0; place = (place + 1) & (table->places - 1))
        if (feature_is_same(&features[taken - 1], feature))
            return taken - 1;
    table->taken[place] = (uint16_t)(number + 1);
    return number;
}

// Pairs by the first vertex of their feature, in their order; those that have none to share are left out.
static void sort_pairs(SharedFeatures *shared, int32_t count)
{
    int32_t *start = shared->start;
    memset(start, 0, ((size_t)shared->vertex_count + 1) * sizeof *start);
    for (int32_t k = 0; k < count; ++k)
        if (shared->features[k].vertices[0] >= 0)
            ++start[shared->features[k].vertices[0]];
    int32_t sum = 0;
    for (int32_t v = 0; v <= shared->vertex_count; ++v) {
        const int32_t own = start[v];
        start[v] = sum;
        sum += own;
    }
    for (int32_t k = 0; k < count; ++k)
        if (shared->features[k].vertices[0] >= 0)
            shared->sorted[start[shared->features[k].vertices[0]]++] = k;
    memmove(start + 1, start, (size_t)shared->vertex_count * sizeof *start); // each had become the next one's
    start[0] = 0;
}

// Of one vertex: few features, and as many pairs as primitives meet there.
static void find_at(SharedFeatures *shared, int32_t vertex, double *factors, size_t stride)
{
    const int32_t begin = shared->start[vertex], end = shared->start[vertex + 1];
    int32_t found = begin; // the first pair of every feature is put before it
    for (int32_t i = begin; i < end; ++i) {
        const int32_t k = shared->sorted[i];
        int32_t j = begin;
        while (j < found && !feature_is_same(&shared->features[shared->sorted[j]], &shared->features[k]))
            ++j;
        if (j == found)
            shared->sorted[found++] = k;
        else
            factors[stride * (size_t)shared->sorted[j]] += factors[stride * (size_t)k];
        shared->first[k] = shared->sorted[j];
    }
}

void shared_features_find(SharedFeatures *shared, int32_t count, double *factors, size_t stride)
{
    sort_pairs(shared, count);
    for (int32_t k = 0; k < count; ++k)
        shared->first[k] = k;
    if (count <= VERTICES_PER_TASK) {
        for (int32_t v = 0; v < shared->vertex_count; ++v)
            find_at(shared, v, factors, stride);
        return;
    }
#pragma omp parallel for schedule(dynamic, VERTICES_PER_TASK) num_threads(shared->threads)
    for (int32_t v = 0; v < shared->vertex_count; ++v)
        find_at(shared, v, factors, stride);
}
