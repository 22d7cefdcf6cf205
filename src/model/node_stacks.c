#include "model/node_stacks.h"

#include "base/matrix3.h"
#include "model/principal_axes.h"

#include <math.h>
#include <string.h>

/// Which edges make stacks, in the order in which a component tries them: the first that has some serves.
typedef enum StackRule {
    SHORT_EDGES,    ///< far shorter than others there: of cells that are flat or long
    ACROSS_A_PLATE, ///< along the direction in which a component is thinnest
    ACROSS_A_ROD,   ///< across that in which it is longest
    STACK_RULES
} StackRule;

/// An edge is short if it is at most so long beside the longest near each of its nodes: of cells about 1.6 times as wide, or twice as long.
static const double SHORT_EDGE = 0.42;
/// The root of a principal moment over the next larger one's, below which a component is a plate or a rod.
static const double THIN_COMPONENT = 0.2;
/// An edge is across a plate if that much of it is along its normal, and across a rod if no more than the second number is along it.
static const double NORMAL_PART = 0.9, AXIAL_PART = 0.3;

/// How many lengths are told apart: the shortest edges are looked at first, of those as long in the order of the tetrahedra.
enum { LENGTH_STEPS = 64 };

enum { TET_EDGES = 6 };
static const int edge_corners[TET_EDGES][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

/// How a component lies.
typedef struct Shape {
    double axes[2][3]; ///< of ACROSS_A_PLATE its normal, of ACROSS_A_ROD its length
    bool fits[STACK_RULES];
    bool has_stacks;
    StackRule rule; ///< by which it has them
} Shape;

/// The edges of a model's tetrahedra, TET_EDGES of each.
typedef struct Edges {
    const Model *model;
    const ElementGroup *tets;
    Shape *shapes;         ///< of every component
    int32_t *component_of; ///< of every node
    double *
        longest; ///< of those at every node and at its neighbours: not at every node has a cell its longest, m
} Edges;

/// What becomes of the nodes.
typedef struct Stacks {
    int32_t *stack_of; ///< NodeStacks'
    int32_t *sizes;    ///< of every lowest node
    uint8_t *is_cut;   ///< of every node: whether its stack should have been larger
} Stacks;

// ---------------------------------------------------------------- edges

static int32_t edge_count(const Edges *edges)
{
    return TET_EDGES * edges->tets->count;
}

// Its vector, m.
static void edge_at(const Edges *edges, int32_t edge, int32_t nodes[2], double vector[3])
{
    const double *places = edges->model->rest_positions;
    for (int k = 0; k < 2; ++k)
        nodes[k] = edges->tets->nodes[4 * (edge / TET_EDGES) + edge_corners[edge % TET_EDGES][k]];
    subtract3(places + 3 * (size_t)nodes[1], places + 3 * (size_t)nodes[0], vector);
}

static VelaResult find_longest(Arena *scratch, Edges *edges)
{
    double *own, vector[3];
    int32_t nodes[2];
    TRY(ARENA_ARRAY(scratch, own, edges->model->node_count));
    TRY(ARENA_ARRAY(scratch, edges->longest, edges->model->node_count));
    for (int32_t e = 0; e < edge_count(edges); ++e) {
        edge_at(edges, e, nodes, vector);
        const double length = sqrt(dot3(vector, vector));
        for (int k = 0; k < 2; ++k)
            own[nodes[k]] = fmax(own[nodes[k]], length);
    }
    for (int32_t e = 0; e < edge_count(edges); ++e) {
        edge_at(edges, e, nodes, vector);
        for (int k = 0; k < 2; ++k)
            edges->longest[nodes[k]] = fmax(edges->longest[nodes[k]], fmax(own[nodes[0]], own[nodes[1]]));
    }
    return VELA_OK;
}

// How soon an edge is looked at; LENGTH_STEPS: it is of no stack.
static int edge_step(const Edges *edges, StackRule rule, int32_t edge)
{
    int32_t nodes[2];
    double vector[3];
    edge_at(edges, edge, nodes, vector);
    const Shape *shape = &edges->shapes[edges->component_of[nodes[0]]];
    const double length = sqrt(dot3(vector, vector));
    if (shape->has_stacks || !shape->fits[rule])
        return LENGTH_STEPS;
    if (rule != SHORT_EDGES) {
        const double along = fabs(dot3(shape->axes[rule - ACROSS_A_PLATE], vector));
        return (rule == ACROSS_A_PLATE ? along >= NORMAL_PART * length : along <= AXIAL_PART * length)
                   ? 0
                   : LENGTH_STEPS;
    }
    const double limit = SHORT_EDGE * fmin(edges->longest[nodes[0]], edges->longest[nodes[1]]);
    return length < limit ? (int)(LENGTH_STEPS * (length / limit)) : LENGTH_STEPS;
}

// Those of stacks as they are looked at, and their number.
static VelaResult sort_edges(const Edges *edges, StackRule rule, Arena *scratch, int32_t **sorted,
                             int32_t *count)
{
    int32_t next[LENGTH_STEPS + 2] = {0};
    for (int32_t e = 0; e < edge_count(edges); ++e)
        ++next[edge_step(edges, rule, e) + 1];
    for (int step = 0; step < LENGTH_STEPS; ++step)
        next[step + 1] += next[step];
    *count = next[LENGTH_STEPS];
    TRY(ARENA_ARRAY(scratch, *sorted, *count));
    for (int32_t e = 0; e < edge_count(edges) && *count > 0; ++e) {
        const int step = edge_step(edges, rule, e);
        if (step < LENGTH_STEPS)
            (*sorted)[next[step]++] = e;
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- components

static void find_shape(const Model *model, int32_t count, const int32_t *nodes, Shape *shape)
{
    const double thin_sq = THIN_COMPONENT * THIN_COMPONENT;
    PrincipalAxes axes;
    principal_axes(model->rest_positions, count, nodes, &axes);
    shape->fits[SHORT_EDGES] = true;
    shape->fits[ACROSS_A_PLATE] = axes.extents[2] < thin_sq * axes.extents[1];
    shape->fits[ACROSS_A_ROD] = axes.extents[1] < thin_sq * axes.extents[0];
    memcpy(shape->axes[0], axes.axes[2], sizeof axes.axes[2]);
    memcpy(shape->axes[1], axes.axes[0], sizeof axes.axes[0]);
}

static VelaResult find_shapes(const NodeComponents *components, Arena *scratch, Edges *edges)
{
    TRY(ARENA_ARRAY(scratch, edges->shapes, components->count));
    TRY(ARENA_ARRAY(scratch, edges->component_of, edges->model->node_count));
    for (int32_t c = 0; c < components->count; ++c) {
        const int32_t first = components->starts[c], end = components->starts[c + 1];
        find_shape(edges->model, end - first, components->nodes + first, &edges->shapes[c]);
        for (int32_t i = first; i < end; ++i)
            edges->component_of[components->nodes[i]] = c;
    }
    return VELA_OK;
}

// Whether the stacks of a component go through all of it; else it has none.
static bool keep_stacks(int32_t count, const int32_t *nodes, Stacks *stacks)
{
    int32_t others = 0, cut = 0;
    for (int32_t i = 0; i < count; ++i) {
        others += stacks->stack_of[nodes[i]] != nodes[i];
        cut += stacks->is_cut[nodes[i]];
    }
    if (others > count / 3 && cut < count / 8)
        return true;
    for (int32_t i = 0; i < count; ++i) {
        stacks->stack_of[nodes[i]] = nodes[i];
        stacks->sizes[nodes[i]] = 1;
        stacks->is_cut[nodes[i]] = 0;
    }
    return false;
}

// ---------------------------------------------------------------- stacks

static int32_t find_root(int32_t *stack_of, int32_t node)
{
    while (stack_of[node] != node)
        node = stack_of[node] = stack_of[stack_of[node]];
    return node;
}

static void join_nodes(const int32_t nodes[2], Stacks *stacks)
{
    int32_t *sizes = stacks->sizes;
    const int32_t a = find_root(stacks->stack_of, nodes[0]), b = find_root(stacks->stack_of, nodes[1]),
                  low = a < b ? a : b;
    if (a == b)
        return;
    if (sizes[a] + sizes[b] > STACK_NODES_MOST) {
        stacks->is_cut[nodes[0]] = stacks->is_cut[nodes[1]] = 1;
        return;
    }
    sizes[low] = sizes[a] + sizes[b];
    stacks->stack_of[a] = stacks->stack_of[b] = low;
}

// By one rule, of the components that have none so far.
static VelaResult find_stacks(const NodeComponents *components, StackRule rule, Edges *edges, Arena *scratch,
                              Stacks *stacks)
{
    int32_t *sorted, count, nodes[2];
    double vector[3];
    TRY(sort_edges(edges, rule, scratch, &sorted, &count));
    for (int32_t k = 0; k < count; ++k) {
        edge_at(edges, sorted[k], nodes, vector);
        join_nodes(nodes, stacks);
    }
    for (int32_t i = 0; i < edges->model->node_count; ++i)
        stacks->stack_of[i] = find_root(stacks->stack_of, i);
    for (int32_t c = 0; c < components->count; ++c) {
        const int32_t first = components->starts[c];
        Shape *shape = &edges->shapes[c];
        if (!shape->has_stacks &&
            keep_stacks(components->starts[c + 1] - first, components->nodes + first, stacks)) {
            shape->has_stacks = true;
            shape->rule = rule;
        }
    }
    return VELA_OK;
}

VelaResult node_stacks_find(const Model *model, const NodeComponents *components, Arena *arena,
                            Arena *scratch, NodeStacks *found)
{
    Edges edges = {.model = model, .tets = &model->groups[ELEMENT_TET]};
    Stacks stacks = {0};
    *found = (NodeStacks){0};
    TRY(ARENA_ARRAY(arena, found->stack_of, model->node_count));
    TRY(ARENA_ARRAY(arena, found->stack_moves, model->node_count));
    TRY(ARENA_ARRAY(scratch, stacks.sizes, model->node_count));
    TRY(ARENA_ARRAY(scratch, stacks.is_cut, model->node_count));
    stacks.stack_of = found->stack_of;
    for (int32_t i = 0; i < model->node_count; ++i) {
        stacks.stack_of[i] = i;
        stacks.sizes[i] = 1;
    }
    if (model->scene->solver.type != SOLVER_NEWTON)
        return VELA_OK;
    TRY(find_shapes(components, scratch, &edges));
    TRY(find_longest(scratch, &edges));
    for (StackRule rule = 0; rule < STACK_RULES; ++rule) {
        bool is_tried = false;
        for (int32_t c = 0; c < components->count; ++c)
            is_tried |= edges.shapes[c].fits[rule] && !edges.shapes[c].has_stacks;
        if (is_tried)
            TRY(find_stacks(components, rule, &edges, scratch, &stacks));
    }
    for (int32_t c = 0; c < components->count; ++c) {
        const Shape *shape = &edges.shapes[c];
        found->any |= shape->has_stacks;
        for (int32_t i = components->starts[c]; i < components->starts[c + 1]; ++i)
            found->stack_moves[components->nodes[i]] = shape->has_stacks && shape->rule != ACROSS_A_PLATE;
    }
    return VELA_OK;
}
