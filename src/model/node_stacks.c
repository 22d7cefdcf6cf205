#include "model/node_stacks.h"

#include <math.h>

/// An edge that is at most so long beside the mean of those of the tetrahedra around its nodes is one of a stack.
static const double SHORT_EDGE = 0.4;

/// How many lengths are told apart: the shortest edges are looked at first, of those as long in the order of the tetrahedra.
enum { LENGTH_STEPS = 64 };

enum { TET_EDGES = 6 };
static const int edge_corners[TET_EDGES][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/// The edges of a model's tetrahedra, TET_EDGES of each.
typedef struct Edges {
    const Model *model;
    const ElementGroup *tets;
    double *means; ///< of every node, m
} Edges;

static int32_t edge_count(const Edges *edges)
{
    return TET_EDGES * edges->tets->count;
}

static void edge_nodes(const Edges *edges, int32_t edge, int32_t nodes[2])
{
    for (int k = 0; k < 2; ++k)
        nodes[k] = edges->tets->nodes[4 * (edge / TET_EDGES) + edge_corners[edge % TET_EDGES][k]];
}

static double edge_length(const Edges *edges, const int32_t nodes[2])
{
    const double *places = edges->model->rest_positions;
    double edge[3];
    subtract3(places + 3 * (size_t)nodes[1], places + 3 * (size_t)nodes[0], edge);
    return sqrt(dot3(edge, edge));
}

static VelaResult find_means(Arena *scratch, Edges *edges)
{
    int32_t *counts, nodes[2];
    TRY(ARENA_ARRAY(scratch, edges->means, edges->model->node_count));
    TRY(ARENA_ARRAY(scratch, counts, edges->model->node_count));
    for (int32_t e = 0; e < edge_count(edges); ++e) {
        edge_nodes(edges, e, nodes);
        for (int k = 0; k < 2; ++k) {
            edges->means[nodes[k]] += edge_length(edges, nodes);
            ++counts[nodes[k]];
        }
    }
    for (int32_t i = 0; i < edges->model->node_count; ++i)
        edges->means[i] /= counts[i] > 0 ? counts[i] : 1;
    return VELA_OK;
}

// How long it is beside those around it; LENGTH_STEPS: too long for a stack.
static int length_step(const Edges *edges, int32_t edge)
{
    int32_t nodes[2];
    edge_nodes(edges, edge, nodes);
    const double longest = SHORT_EDGE * fmin(edges->means[nodes[0]], edges->means[nodes[1]]),
                 length = edge_length(edges, nodes);
    return length < longest ? (int)(LENGTH_STEPS * (length / longest)) : LENGTH_STEPS;
}

// Those of stacks, the shortest first. Returns their number.
static VelaResult sort_edges(const Edges *edges, Arena *scratch, int32_t **sorted, int32_t *count)
{
    int32_t next[LENGTH_STEPS + 2] = {0};
    for (int32_t e = 0; e < edge_count(edges); ++e)
        ++next[length_step(edges, e) + 1];
    for (int step = 0; step < LENGTH_STEPS; ++step)
        next[step + 1] += next[step];
    *count = next[LENGTH_STEPS];
    TRY(ARENA_ARRAY(scratch, *sorted, *count));
    for (int32_t e = 0; e < edge_count(edges) && *count > 0; ++e) {
        const int step = length_step(edges, e);
        if (step < LENGTH_STEPS)
            (*sorted)[next[step]++] = e;
    }
    return VELA_OK;
}

static int32_t find_root(int32_t *stack_of, int32_t node)
{
    while (stack_of[node] != node)
        node = stack_of[node] = stack_of[stack_of[node]];
    return node;
}

VelaResult node_stacks_find(const Model *model, Arena *scratch, int32_t *stack_of)
{
    Edges edges = {.model = model, .tets = &model->groups[ELEMENT_TET]};
    int32_t *sorted, *sizes, count, nodes[2];
    TRY(ARENA_ARRAY(scratch, sizes, model->node_count));
    TRY(find_means(scratch, &edges));
    TRY(sort_edges(&edges, scratch, &sorted, &count));
    for (int32_t i = 0; i < model->node_count; ++i) {
        stack_of[i] = i;
        sizes[i] = 1;
    }
    for (int32_t k = 0; k < count; ++k) {
        edge_nodes(&edges, sorted[k], nodes);
        const int32_t a = find_root(stack_of, nodes[0]), b = find_root(stack_of, nodes[1]),
                      low = a < b ? a : b;
        if (a == b || sizes[a] + sizes[b] > STACK_NODES_MOST)
            continue;
        sizes[low] = sizes[a] + sizes[b];
        stack_of[a] = stack_of[b] = low;
    }
    for (int32_t i = 0; i < model->node_count; ++i)
        stack_of[i] = find_root(stack_of, i);
    return VELA_OK;
}
