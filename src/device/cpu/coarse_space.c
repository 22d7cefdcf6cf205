#include "device/cpu/coarse_space.h"

#include "base/matrix3.h"

size_t coarse_space_memory(int32_t rows)
{
    const size_t size = COARSE_MODES * (size_t)block_matrix_parts(rows);
    return sizeof(Quad) * (size_t)rows + sizeof(double) * size * size;
}

static void set_arms(CoarseSpace *space, const double *places, int32_t part)
{
    const int32_t first = space->matrix->part_start[part], end = space->matrix->part_start[part + 1];
    double center[3] = {0}, radius = 0;
    for (int32_t i = first; i < end; ++i)
        add_scaled3(center, 1.0 / (end - first), places + 3 * (size_t)i, center);
    for (int32_t i = first; i < end; ++i)
        for (int k = 0; k < 3; ++k)
            radius = fmax(radius, fabs(places[3 * (size_t)i + (size_t)k] - center[k]));
    for (int32_t i = first; i < end; ++i) {
        space->arms[i] = (Quad){1};
        for (int k = 0; k < 3 && radius > 0; ++k)
            space->arms[i][k + 1] = (places[3 * (size_t)i + (size_t)k] - center[k]) / radius;
    }
}

VelaResult coarse_space_create(Arena *arena, const BlockMatrix *matrix, const double *places,
                               CoarseSpace *space)
{
    const int32_t size = COARSE_MODES * matrix->part_count;
    *space = (CoarseSpace){.matrix = matrix, .size = size};
    space->stride = (size + LANE_COUNT - 1) / LANE_COUNT * LANE_COUNT;
    TRY(ARENA_ARRAY(arena, space->arms, matrix->row_count));
    TRY(ARENA_ARRAY(arena, space->values, (size_t)size * (size_t)space->stride));
    TRY(ARENA_ARRAY(arena, space->inverse_pivots, space->stride));
    TRY(ARENA_ARRAY(arena, space->right, space->stride));
    for (int32_t part = 0; part < matrix->part_count; ++part)
        set_arms(space, places, part);
    return VELA_OK;
}
