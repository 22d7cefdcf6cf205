#include "model/lists.h"

#include <stdlib.h>

static VelaResult build_incidence(Arena *arena, Model *model)
{
    const int32_t n = model->node_count;
    TRY(ARENA_ARRAY(arena, model->incidence_start, n + 1));
    TRY(ARENA_ARRAY(arena, model->incidence, 4 * (size_t)model->tet_count));
    int32_t *start = model->incidence_start;
    for (size_t i = 0; i < 4 * (size_t)model->tet_count; ++i)
        ++start[model->tets[i] + 1];
    for (int32_t i = 0; i < n; ++i)
        start[i + 1] += start[i];
    const ArenaMark mark = arena_mark(arena);
    int32_t *next;
    TRY(ARENA_ARRAY(arena, next, n));
    for (int32_t i = 0; i < 4 * model->tet_count; ++i) {
        const int32_t node = model->tets[i];
        model->incidence[start[node] + next[node]++] = i;
    }
    arena_release(arena, mark);
    return VELA_OK;
}

static int compare_indices(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

// Neighbours of a node with itself, ascending and each once; returns their number.
static int32_t collect_neighbours(const Model *model, int32_t node, int32_t *found)
{
    int32_t count = 0;
    found[count++] = node;
    for (int32_t i = model->incidence_start[node]; i < model->incidence_start[node + 1]; ++i)
        for (int c = 0; c < 4; ++c)
            found[count++] = model->tets[4 * (model->incidence[i] / 4) + c];
    qsort(found, (size_t)count, sizeof *found, compare_indices);
    int32_t unique = 1;
    for (int32_t i = 1; i < count; ++i)
        if (found[i] != found[i - 1])
            found[unique++] = found[i];
    return unique;
}

static VelaResult build_graph(Arena *arena, Model *model)
{
    const int32_t n = model->node_count;
    TRY(ARENA_ARRAY(arena, model->row_start, n + 1));
    int32_t most = 0;
    for (int32_t i = 0; i < n; ++i) {
        const int32_t incident = model->incidence_start[i + 1] - model->incidence_start[i];
        most = incident > most ? incident : most;
    }
    // A node of k tets has fewer than 3 k + 1 neighbours, so the columns fit into this.
    size_t capacity = 0;
    for (int32_t i = 0; i < n; ++i)
        capacity += 1 + 3 * (size_t)(model->incidence_start[i + 1] - model->incidence_start[i]);
    int32_t *found;
    TRY(ARENA_ARRAY(arena, model->columns, capacity));
    TRY(ARENA_ARRAY(arena, found, 4 * (size_t)most + 1));
    for (int32_t i = 0; i < n; ++i) {
        const int32_t count = collect_neighbours(model, i, found);
        for (int32_t k = 0; k < count; ++k)
            model->columns[model->row_start[i] + k] = found[k];
        model->row_start[i + 1] = model->row_start[i] + count;
    }
    return VELA_OK;
}

VelaResult model_build_lists(VelaContext *context, Arena *arena, Model *model)
{
    FAIL_IF(context, model->tet_count > INT32_MAX / 16, VELA_ERROR_INVALID_INPUT,
            "%d tetrahedra: more than the %d that fit", model->tet_count, INT32_MAX / 16);
    TRY(build_incidence(arena, model));
    return build_graph(arena, model);
}

VelaResult model_build_surface_nodes(VelaContext *context, Arena *arena, Model *model)
{
    (void)context;
    uint8_t *on_surface;
    TRY(ARENA_ARRAY(arena, on_surface, model->node_count));
    for (size_t i = 0; i < 3 * (size_t)model->triangle_count; ++i)
        on_surface[model->triangles[i]] = 1;
    for (int32_t i = 0; i < model->node_count; ++i)
        model->surface_node_count += on_surface[i];
    TRY(ARENA_ARRAY(arena, model->surface_nodes, model->surface_node_count));
    int32_t next = 0;
    for (int32_t i = 0; i < model->node_count; ++i)
        if (on_surface[i])
            model->surface_nodes[next++] = i;
    return VELA_OK;
}
