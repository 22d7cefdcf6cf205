#include "device/cpu/linear/coarse_space.h"

size_t coarse_space_memory(int32_t rows, int32_t parts)
{
    const size_t size = COARSE_MODES * (size_t)parts;
    return sizeof(Quad) * (size_t)rows + sizeof(double) * size * size +
           (sizeof(uint8_t) + sizeof(int32_t)) * (size_t)parts * (size_t)parts;
}

static VelaResult set_arms(VelaContext *context, CoarseSpace *space, const double *places)
{
    const BlockMatrix *matrix = space->matrix;
    Arena scratch = arena_make(context);
    double *arms;
    TRY(ARENA_ARRAY(&scratch, arms, 3 * (size_t)matrix->row_count));
    for (int32_t part = 0; part < matrix->part_count; ++part) {
        const size_t first = (size_t)matrix->part_start[part];
        node_groups_arms(places + 3 * first, matrix->part_start[part + 1] - (int32_t)first, arms + 3 * first);
    }
    for (size_t i = 0; i < (size_t)matrix->row_count; ++i)
        space->arms[i] = (Quad){1, arms[3 * i], arms[3 * i + 1], arms[3 * i + 2]};
    arena_clear(&scratch);
    return VELA_OK;
}

VelaResult coarse_space_create(Arena *arena, const BlockMatrix *matrix, const double *places,
                               CoarseSpace *space)
{
    const int32_t size = COARSE_MODES * matrix->part_count;
    *space = (CoarseSpace){.matrix = matrix, .size = size};
    space->stride = (size + LANE_COUNT - 1) / LANE_COUNT * LANE_COUNT;
    TRY(ARENA_ARRAY(arena, space->arms, matrix->row_count));
    TRY(ARENA_ARRAY(arena, space->values, (size_t)size * (size_t)space->stride));
    const size_t parts = (size_t)matrix->part_count;
    TRY(ARENA_ARRAY(arena, space->couples, parts * parts));
    TRY(ARENA_ARRAY(arena, space->later, parts * parts));
    TRY(ARENA_ARRAY(arena, space->later_count, parts));
    TRY(ARENA_ARRAY(arena, space->inverse_pivots, space->stride));
    TRY(ARENA_ARRAY(arena, space->right, space->stride));
    return set_arms(arena->context, space, places);
}
