#include "model/lists.h"

#include "model/constraints.h"

#include <stdlib.h>

// Numbers of elements and corners through all groups.
static void number_elements(Model *model)
{
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        ElementGroup *group = &model->groups[kind];
        group->first_element = model->element_count;
        group->first_corner = model->corner_count;
        model->element_count += group->count;
        model->corner_count += group->count * group->kind->corners;
        model->local_count += group->count * element_size(group->kind);
    }
}

static VelaResult build_incidence(Arena *arena, Model *model)
{
    const int32_t n = model->node_count;
    TRY(ARENA_ARRAY(arena, model->incidence_start, n + 1));
    TRY(ARENA_ARRAY(arena, model->incidence, model->corner_count));
    int32_t *start = model->incidence_start;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        for (int32_t i = 0; i < group->count * group->kind->corners; ++i)
            ++start[group->nodes[i] + 1];
    }
    for (int32_t i = 0; i < n; ++i)
        start[i + 1] += start[i];
    const ArenaMark mark = arena_mark(arena);
    int32_t *next;
    TRY(ARENA_ARRAY(arena, next, n));
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        for (int32_t i = 0; i < group->count * group->kind->corners; ++i) {
            const int32_t node = group->nodes[i];
            model->incidence[start[node] + next[node]++] = group->first_corner + i;
        }
    }
    arena_release(arena, mark);
    return VELA_OK;
}

static int compare_indices(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/// Which constraints each node is in; empty unless the solver takes them as such.
typedef struct ConstraintsOfNodes {
    int32_t *start; ///< node_count + 1
    int32_t *constraints;
} ConstraintsOfNodes;

static VelaResult list_constraints(Arena *arena, const Model *model, ConstraintsOfNodes *lists)
{
    const int32_t count = model_has_constraint_solver(model->scene) ? model->constraint_count : 0;
    int32_t *next;
    TRY(ARENA_ARRAY(arena, lists->start, model->node_count + 1));
    TRY(ARENA_ARRAY(arena, next, model->node_count));
    for (int32_t c = 0; c < count; ++c)
        for (int32_t a = 0; a < model->constraints[c].node_count; ++a)
            ++lists->start[model->constraints[c].nodes[a] + 1];
    for (int32_t i = 0; i < model->node_count; ++i)
        lists->start[i + 1] += lists->start[i];
    TRY(ARENA_ARRAY(arena, lists->constraints, lists->start[model->node_count]));
    for (int32_t c = 0; c < count; ++c)
        for (int32_t a = 0; a < model->constraints[c].node_count; ++a) {
            const int32_t node = model->constraints[c].nodes[a];
            lists->constraints[lists->start[node] + next[node]++] = c;
        }
    return VELA_OK;
}

// Neighbours of a node with itself, ascending and each once; returns their number.
static int32_t collect_neighbours(const Model *model, const ConstraintsOfNodes *lists, int32_t node,
                                  int32_t *found)
{
    int32_t count = 0;
    for (int32_t i = lists->start[node]; i < lists->start[node + 1]; ++i) {
        const ModelConstraint *constraint = &model->constraints[lists->constraints[i]];
        for (int32_t a = 0; a < constraint->node_count; ++a)
            found[count++] = constraint->nodes[a];
    }
    found[count++] = node;
    for (int32_t i = model->incidence_start[node]; i < model->incidence_start[node + 1]; ++i) {
        const ElementCorner at = element_corner(model->groups, model->incidence[i]);
        const int32_t corners = element_kinds[at.kind].corners;
        for (int32_t c = 0; c < corners; ++c)
            found[count++] = model->groups[at.kind].nodes[corners * at.element + c];
    }
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
    ConstraintsOfNodes lists;
    TRY(ARENA_ARRAY(arena, model->row_start, n + 1));
    TRY(list_constraints(arena, model, &lists));
    int32_t most = 0;
    for (int32_t i = 0; i < n; ++i) {
        const int32_t incident =
            model->incidence_start[i + 1] - model->incidence_start[i] + lists.start[i + 1] - lists.start[i];
        most = incident > most ? incident : most;
    }
    // A corner brings as many neighbours as its element has other corners, so the columns fit into this.
    size_t capacity = (size_t)n;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        capacity += (size_t)model->groups[kind].count *
                    (size_t)(element_kinds[kind].corners * (element_kinds[kind].corners - 1));
    for (int32_t c = 0; lists.start[n] > 0 && c < model->constraint_count; ++c)
        capacity += (size_t)(model->constraints[c].node_count * (model->constraints[c].node_count - 1));
    int32_t *found;
    TRY(ARENA_ARRAY(arena, model->columns, capacity));
    TRY(ARENA_ARRAY(arena, found, ELEMENT_CORNERS_MOST * (size_t)most + 1));
    for (int32_t i = 0; i < n; ++i) {
        const int32_t count = collect_neighbours(model, &lists, i, found);
        for (int32_t k = 0; k < count; ++k)
            model->columns[model->row_start[i] + k] = found[k];
        model->row_start[i + 1] = model->row_start[i] + count;
    }
    return VELA_OK;
}

VelaResult model_build_lists(VelaContext *context, Arena *arena, Model *model)
{
    int64_t elements = 0;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        elements += model->groups[kind].count;
    FAIL_IF(context, elements > INT32_MAX / 16, VELA_ERROR_INVALID_INPUT,
            "%lld elements: more than the %d that fit", (long long)elements, INT32_MAX / 16);
    number_elements(model);
    TRY(build_incidence(arena, model));
    return build_graph(arena, model);
}
