#include "device/cpu/coarse_space.h"

#include <math.h>

/// Larger groups leave more to the diagonal blocks; more of them cost more to factor (a bar of 5,000 nodes, residual
/// 1e-2: 13 iterations with groups of 64, 17 with 128, 19 with 256, 136 without).
enum { NODES_PER_GROUP = 64, GROUPS_MOST = 32 };

static int32_t count_groups(int32_t rows)
{
    const int32_t wanted = (rows + NODES_PER_GROUP - 1) / NODES_PER_GROUP;
    return wanted < GROUPS_MOST ? wanted : GROUPS_MOST;
}

size_t coarse_space_memory(int32_t rows)
{
    const size_t size = COARSE_MODES * (size_t)count_groups(rows);
    return (sizeof(Quad) + sizeof(int32_t)) * (size_t)rows + sizeof(double) * size * size;
}

static void set_arms(CoarseSpace *space, const double *places, int32_t group)
{
    const int32_t first = space->group_start[group], end = space->group_start[group + 1];
    double center[3] = {0}, radius = 0;
    for (int32_t i = first; i < end; ++i)
        for (int k = 0; k < 3; ++k)
            center[k] += places[3 * (size_t)i + (size_t)k] / (end - first);
    for (int32_t i = first; i < end; ++i)
        for (int k = 0; k < 3; ++k)
            radius = fmax(radius, fabs(places[3 * (size_t)i + (size_t)k] - center[k]));
    for (int32_t i = first; i < end; ++i) {
        space->group_of[i] = group;
        space->arms[i] = (Quad){1};
        for (int k = 0; k < 3 && radius > 0; ++k)
            space->arms[i][k + 1] = (places[3 * (size_t)i + (size_t)k] - center[k]) / radius;
    }
}

VelaResult coarse_space_create(Arena *arena, const BlockMatrix *matrix, const double *places,
                               CoarseSpace *space)
{
    const int32_t rows = matrix->row_count;
    *space = (CoarseSpace){.matrix = matrix, .group_count = count_groups(rows)};
    space->size = COARSE_MODES * space->group_count;
    space->stride = (space->size + LANE_COUNT - 1) / LANE_COUNT * LANE_COUNT;
    TRY(ARENA_ARRAY(arena, space->group_start, space->group_count + 1));
    TRY(ARENA_ARRAY(arena, space->group_of, rows));
    TRY(ARENA_ARRAY(arena, space->arms, rows));
    TRY(ARENA_ARRAY(arena, space->values, (size_t)space->size * (size_t)space->stride));
    TRY(ARENA_ARRAY(arena, space->inverse_pivots, space->stride));
    TRY(ARENA_ARRAY(arena, space->right, space->stride));
    for (int32_t g = 0; g <= space->group_count; ++g)
        space->group_start[g] =
            (int32_t)((int64_t)rows * g / (space->group_count > 0 ? space->group_count : 1));
    for (int32_t g = 0; g < space->group_count; ++g)
        set_arms(space, places, g);
    return VELA_OK;
}
