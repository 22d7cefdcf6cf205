#include "device/cpu/linear/coarse_space.h"

#include <string.h>

size_t coarse_space_memory(int32_t rows, int32_t parts, int32_t pieces)
{
    const size_t size = COARSE_MODES * (size_t)parts;
    return (3 * sizeof(float) + sizeof(uint8_t)) * (size_t)rows + sizeof(double) * size * size +
           sizeof(ClusterMotions) * ((size_t)rows / CLUSTER_NODES + (size_t)parts + (size_t)pieces) +
           sizeof(GroupMotions) * (size_t)parts +
           (sizeof(uint8_t) + sizeof(int32_t)) * (size_t)parts * (size_t)parts;
}

static RowGraph graph_of(const BlockMatrix *matrix)
{
    return (RowGraph){.row_count = matrix->row_count,
                      .coupled_count = matrix->coupled_count,
                      .starts = matrix->row_start,
                      .columns = matrix->columns,
                      .stack_of = matrix->stack_of,
                      .stack_moves = matrix->stack_moves};
}

static VelaResult set_motions(Arena *arena, CoarseSpace *space, const double *places)
{
    const BlockMatrix *matrix = space->matrix;
    const RowGraph graph = graph_of(matrix);
    Arena scratch = arena_make(arena->context);
    double *arms;
    TRY(ARENA_ARRAY(arena, space->motions, matrix->part_count));
    TRY(ARENA_ARRAY(&scratch, arms, 3 * (size_t)matrix->row_count));
    const VelaResult result = group_motions_find(arena->context, &graph, places, true, matrix->part_count,
                                                 matrix->part_start, arms, space->motions);
    for (size_t i = 0; i < 3 * (size_t)matrix->row_count; ++i)
        space->arms[i + 1] = (float)arms[i];
    arena_clear(&scratch);
    return result;
}

void coarse_space_turn(CoarseSpace *space, int32_t part, const double *positions, const int32_t *nodes)
{
    const BlockMatrix *matrix = space->matrix;
    const int32_t first = matrix->part_start[part];
    double sums[3][3] = {{0}};
    if (space->motions[part].kind == MOTIONS_AFFINE)
        return;
    for (int32_t row = first; row < matrix->part_start[part + 1]; ++row) {
        double place[3];
        subtract3(positions + 3 * (size_t)nodes[row], positions + 3 * (size_t)nodes[first], place);
        for (int k = 0; k < 3; ++k)
            add_scaled3(sums[k], space->arms[3 * (size_t)row + 1 + (size_t)k], place, sums[k]);
    }
    group_motions_turn((const double(*)[3])sums, &space->motions[part]);
}

static VelaResult set_clusters(Arena *arena, ClusterRule rule, CoarseSpace *space)
{
    const BlockMatrix *matrix = space->matrix;
    const RowGraph graph = graph_of(matrix);
    size_t count = 0;
    int32_t next = 0;
    for (int32_t part = 0; part < matrix->part_count; ++part)
        for (int32_t first = matrix->part_start[part]; first < matrix->part_start[part + 1]; ++count)
            first = node_cluster_end(&graph, rule, first, matrix->part_start[part + 1]);
    TRY(ARENA_ARRAY(arena, space->first_cluster, matrix->part_count + 1));
    TRY(ARENA_ARRAY(arena, space->clusters, count));
    for (int32_t part = 0; part < matrix->part_count; ++part) {
        const int32_t part_first = matrix->part_start[part], part_end = matrix->part_start[part + 1];
        for (int32_t first = part_first, end; first < part_end; first = end) {
            end = node_cluster_end(&graph, rule, first, part_end);
            space->clusters[next++] =
                (ClusterMotions){.first = first,
                                 .end = end,
                                 .is_solved = node_cluster_is_solved(&graph, first, part_end - part_first)};
        }
        space->first_cluster[part + 1] = next;
    }
    return VELA_OK;
}

ClusterRule coarse_space_clusters(const BlockMatrix *matrix)
{
    const int32_t rows = matrix->part_count > 0 ? matrix->row_count / matrix->part_count : 0;
    const int32_t nodes = rows < 8 * CLUSTER_NODES    ? CLUSTER_NODES
                          : rows < 20 * CLUSTER_NODES ? 2 * CLUSTER_NODES
                                                      : 4 * CLUSTER_NODES;
    return (ClusterRule){.nodes = nodes, .small_body = nodes > CLUSTER_ROWS_MOST ? nodes : CLUSTER_ROWS_MOST};
}

VelaResult coarse_space_create(Arena *arena, const BlockMatrix *matrix, const double *places,
                               ClusterRule rule, CoarseSpace *space)
{
    const int32_t size = COARSE_MODES * matrix->part_count;
    *space = (CoarseSpace){.matrix = matrix, .size = size};
    TRY(ARENA_ARRAY(arena, space->arms, 3 * (size_t)matrix->row_count + 1));
    TRY(ARENA_ARRAY(arena, space->values, (size_t)size * (size_t)size));
    TRY(ARENA_ARRAY(arena, space->part_of, matrix->row_count));
    for (int32_t part = 0; part < matrix->part_count; ++part)
        memset(space->part_of + matrix->part_start[part], part,
               (size_t)(matrix->part_start[part + 1] - matrix->part_start[part]));
    const size_t parts = (size_t)matrix->part_count;
    TRY(ARENA_ARRAY(arena, space->couples, parts * parts));
    TRY(ARENA_ARRAY(arena, space->later, parts * parts));
    TRY(ARENA_ARRAY(arena, space->later_count, parts));
    TRY(ARENA_ARRAY(arena, space->order.parts, parts));
    TRY(ARENA_ARRAY(arena, space->order.turns, parts));
    TRY(ARENA_ARRAY(arena, space->inverse_pivots, size));
    TRY(ARENA_ARRAY(arena, space->carry, size));
    TRY(ARENA_ARRAY(arena, space->right, size));
    TRY(set_clusters(arena, rule, space));
    return set_motions(arena, space, places);
}

void coarse_space_leave_out_clusters(CoarseSpace *space)
{
    for (int32_t part = 0; space->size > 0 && part < space->matrix->part_count; ++part)
        for (int32_t c = space->first_cluster[part]; c < space->first_cluster[part + 1]; ++c)
            space->clusters[c].is_solved = false;
}
