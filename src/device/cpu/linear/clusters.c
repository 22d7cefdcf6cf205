#include "device/cpu/linear/clusters.h"

// Rows of the cluster that begins at `row` of a part that ends at `end`.
static int32_t rows_at(const Clusters *clusters, int32_t row, int32_t end)
{
    const int32_t rows = row < clusters->matrix->coupled_count ? CLUSTER_ROWS : clusters->most;
    return row + rows < end ? rows : end - row;
}

// Sets the clusters' rows where there is room for them; returns how many there are.
static int32_t cut(Clusters *clusters)
{
    const BlockMatrix *matrix = clusters->matrix;
    int32_t count = 0;
    for (int32_t part = 0; part < matrix->part_count; ++part) {
        const int32_t end = matrix->part_start[part + 1];
        clusters->first[part] = count;
        for (int32_t row = matrix->part_start[part]; row < end; row += rows_at(clusters, row, end)) {
            if (clusters->start)
                clusters->start[count] = row;
            ++count;
        }
    }
    clusters->first[matrix->part_count] = count;
    if (clusters->start)
        clusters->start[count] = matrix->row_count;
    return count;
}

VelaResult clusters_create(Arena *arena, const BlockMatrix *matrix, int32_t most, Clusters *clusters)
{
    *clusters = (Clusters){.matrix = matrix, .most = most};
    TRY(ARENA_ARRAY(arena, clusters->first, matrix->part_count + 1));
    const int32_t count = cut(clusters);
    TRY(ARENA_ARRAY(arena, clusters->start, count + 1));
    TRY(ARENA_ARRAY(arena, clusters->items, count));
    cut(clusters);
    return VELA_OK;
}

size_t clusters_memory(int32_t rows, int32_t parts, int32_t most)
{
    // A part's last cluster may be smaller.
    const size_t count = (size_t)(rows / most) + (size_t)parts;
    return count * (sizeof(Cluster) + sizeof(int32_t)) + ((size_t)parts + 2) * sizeof(int32_t);
}
