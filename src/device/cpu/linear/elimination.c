#include "device/cpu/linear/elimination.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A subtree has at most this share of all operations, if that is worth a thread's while.
static const double SUBTREE_SHARE = 1.0 / 24, SUBTREE_LEAST = 2e5;

/// Multiplications that take as long as reading and writing a number of the factor (bench/bench_factor).
static const double NUMBER_COST = 50;

/// What is under way: the fronts in the dissection's order, then in the final one.
typedef struct Analysis {
    const Graph *graph;
    const Dissection *sets;
    Elimination *out;
    Arena *scratch;
    int32_t *set_of_node;
    int32_t *borders;      ///< nodes
    int64_t *border_start; ///< sets + 1
    size_t border_capacity;
    int32_t *parent, *first_child, *next_sibling; ///< of sets
    int32_t *seen;                                ///< of nodes: the last set that has met it
} Analysis;

static int32_t blocks_of(int32_t nodes)
{
    return (3 * nodes + FRONT_BLOCK - 1) / FRONT_BLOCK;
}

static void meet(Analysis *analysis, int32_t set, int32_t node, int64_t *next)
{
    if (analysis->set_of_node[node] <= set || analysis->seen[node] == set)
        return;
    analysis->seen[node] = set;
    analysis->borders[(*next)++] = node;
}

static double operations_of(int32_t own_blocks, int32_t border_blocks)
{
    const double own = FRONT_BLOCK * (double)own_blocks, border = FRONT_BLOCK * (double)border_blocks;
    return own * own * own / 6 + own * own * border / 2 + own * border * border / 2;
}

double elimination_operations(const EliminationFront *front)
{
    return operations_of(front->own, front->border);
}

// The borders: later nodes that a set's own are coupled to, by the graph or by the elimination of its children. A set's parent has the first
// of them. Ends where there are too many operations.
static VelaResult find_borders(Analysis *analysis, double operations_most)
{
    double operations = 0;
    const Graph *graph = analysis->graph;
    const Dissection *sets = analysis->sets;
    int64_t next = 0;
    for (int32_t s = 0; s < sets->count; ++s) {
        size_t most = 0;
        for (int32_t k = sets->start[s]; k < sets->start[s + 1]; ++k)
            most += (size_t)(graph->row_start[sets->nodes[k] + 1] - graph->row_start[sets->nodes[k]]);
        for (int32_t child = analysis->first_child[s]; child >= 0; child = analysis->next_sibling[child])
            most += (size_t)(analysis->border_start[child + 1] - analysis->border_start[child]);
        TRY(ARENA_GROW(analysis->scratch, analysis->borders, &analysis->border_capacity,
                       (size_t)next + most));
        for (int32_t k = sets->start[s]; k < sets->start[s + 1]; ++k) {
            const int32_t node = sets->nodes[k];
            for (int32_t p = graph->row_start[node]; p < graph->row_start[node + 1]; ++p)
                meet(analysis, s, graph->columns[p], &next);
        }
        for (int32_t child = analysis->first_child[s]; child >= 0; child = analysis->next_sibling[child])
            for (int64_t p = analysis->border_start[child]; p < analysis->border_start[child + 1]; ++p)
                meet(analysis, s, analysis->borders[p], &next);
        analysis->border_start[s + 1] = next;
        operations += operations_of(blocks_of(sets->start[s + 1] - sets->start[s]),
                                    blocks_of((int32_t)(next - analysis->border_start[s])));
        if (operations > operations_most) {
            analysis->out->operations = INFINITY;
            return VELA_OK;
        }
        int32_t parent = -1;
        for (int64_t p = analysis->border_start[s]; p < next; ++p) {
            const int32_t set = analysis->set_of_node[analysis->borders[p]];
            parent = parent < 0 || set < parent ? set : parent;
        }
        analysis->parent[s] = parent;
        if (parent >= 0) {
            analysis->next_sibling[s] = analysis->first_child[parent];
            analysis->first_child[parent] = s;
        }
    }
    return VELA_OK;
}

// Gives fronts their places in a walk over the tree, children first.
static void number_fronts(Analysis *analysis, int32_t *front_of_set, int32_t *stack)
{
    const Dissection *sets = analysis->sets;
    Elimination *out = analysis->out;
    int32_t place = 0;
    for (int32_t root = 0; root < sets->count; ++root) {
        if (analysis->parent[root] >= 0)
            continue;
        int32_t depth = 0;
        stack[depth++] = root;
        while (depth > 0) {
            const int32_t s = stack[depth - 1];
            if (analysis->first_child[s] >= 0) { // taken off its list, and brought back on the way up
                stack[depth++] = analysis->first_child[s];
                analysis->first_child[s] = analysis->next_sibling[analysis->first_child[s]];
                continue;
            }
            --depth;
            front_of_set[s] = out->front_count;
            EliminationFront *front = &out->fronts[out->front_count++];
            front->first = place;
            for (int32_t k = sets->start[s]; k < sets->start[s + 1]; ++k) {
                out->places[sets->nodes[k]] = place;
                out->nodes[place++] = sets->nodes[k];
            }
            front->end = place;
            front->first_child = front->next_sibling = -1;
            front->border_start = analysis->border_start[s];
            front->border_count = (int32_t)(analysis->border_start[s + 1] - analysis->border_start[s]);
            front->own = blocks_of(front->end - front->first);
            front->border = blocks_of(front->border_count);
        }
    }
    for (int32_t s = 0; s < sets->count; ++s)
        out->fronts[front_of_set[s]].parent =
            analysis->parent[s] < 0 ? -1 : front_of_set[analysis->parent[s]];
    for (int32_t f = out->front_count; f-- > 0;) { // children ascend
        const int32_t parent = out->fronts[f].parent;
        if (parent < 0)
            continue;
        out->fronts[f].next_sibling = out->fronts[parent].first_child;
        out->fronts[parent].first_child = f;
    }
}

static int compare_places(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int64_t rest_size(const EliminationFront *front)
{
    return FRONT_TILE * ((int64_t)front->border * (front->border + 1) / 2);
}

// In multiplications, what is read and written for them included.
static double cost_of(const EliminationFront *front)
{
    return elimination_operations(front) +
           NUMBER_COST * FRONT_TILE * (double)front->own * (front->own + front->border);
}

static int compare_paths(const void *a, const void *b)
{
    const EliminationSubtree *x = a, *y = b;
    return (x->path < y->path) - (x->path > y->path);
}

// The longest paths begin first: threads that have come to an end of them have shorter ones left to fill their time with.
static VelaResult order_subtrees(Elimination *out, Arena *scratch)
{
    double *path; // of the top's fronts
    TRY(ARENA_ARRAY(scratch, path, out->front_count));
    for (int32_t t = out->top_count; t-- > 0;) {
        const EliminationFront *front = &out->fronts[out->top[t]];
        path[out->top[t]] = cost_of(front) + (front->parent >= 0 ? path[front->parent] : 0);
    }
    for (int32_t k = 0; k < out->subtree_count; ++k) {
        EliminationSubtree *subtree = &out->subtrees[k];
        const int32_t parent = out->fronts[subtree->end - 1].parent;
        for (int32_t f = subtree->first; f < subtree->end; ++f)
            subtree->cost += cost_of(&out->fronts[f]);
        subtree->path = subtree->cost + (parent >= 0 ? path[parent] : 0);
    }
    qsort(out->subtrees, (size_t)out->subtree_count, sizeof *out->subtrees, compare_paths);
    return VELA_OK;
}

// Cuts the tree into what is large, the top, and subtrees below it; small neighbours go together.
static VelaResult cut_subtrees(Analysis *analysis, Arena *arena)
{
    Elimination *out = analysis->out;
    double *operations, share = 0;
    TRY(ARENA_ARRAY(analysis->scratch, operations, out->front_count));
    TRY(ARENA_ARRAY(arena, out->top, out->front_count));
    TRY(ARENA_ARRAY(arena, out->subtrees, out->front_count));
    for (int32_t f = 0; f < out->front_count; ++f) {
        const EliminationFront *front = &out->fronts[f];
        operations[f] += elimination_operations(front);
        if (front->parent >= 0)
            operations[front->parent] += operations[f];
        out->operations += elimination_operations(front);
    }
    const double most = fmax(SUBTREE_SHARE * out->operations, SUBTREE_LEAST);
    int32_t start = 0;
    for (int32_t f = 0; f < out->front_count; ++f) {
        const EliminationFront *front = &out->fronts[f];
        if (operations[f] > most && front->first_child >= 0) {
            out->top[out->top_count++] = f;
            start = f + 1;
            continue;
        }
        if (front->parent >= 0 && operations[front->parent] <= most)
            continue;
        share += operations[f];
        const bool meets_top =
            f + 1 == out->front_count || (operations[f + 1] > most && out->fronts[f + 1].first_child >= 0);
        if (share > most / 2 || meets_top) {
            out->subtrees[out->subtree_count++] = (EliminationSubtree){.first = start, .end = f + 1};
            start = f + 1;
            share = 0;
        }
    }
    return order_subtrees(out, analysis->scratch);
}

// Room for what fronts leave their parents: those of a subtree lie on a stack, on which the children of a front are the last ones.
static void place_rests(Elimination *out)
{
    for (int32_t k = 0; k < out->subtree_count; ++k) {
        int64_t top = out->rests;
        for (int32_t f = out->subtrees[k].first; f < out->subtrees[k].end; ++f) {
            EliminationFront *front = &out->fronts[f];
            front->room = top;
            front->rest = front->first_child >= 0 ? out->fronts[front->first_child].rest : top;
            top = front->rest + rest_size(front);
            if (front->room + rest_size(front) > out->rests)
                out->rests = front->room + rest_size(front);
        }
    }
    for (int32_t t = 0; t < out->top_count; ++t) {
        EliminationFront *front = &out->fronts[out->top[t]];
        front->rest = front->room = out->rests;
        out->rests += rest_size(front);
    }
    for (int32_t f = 0; f < out->front_count; ++f) {
        EliminationFront *front = &out->fronts[f];
        const int32_t blocks = front->own + front->border;
        front->panel = out->panels;
        out->panels += FRONT_TILE * (int64_t)blocks * front->own;
        front->pivots = out->panels;
        out->panels += FRONT_TILE * (int64_t)front->own;
        front->carry = out->carries;
        out->carries += FRONT_BLOCK * (int64_t)front->border;
        out->largest = blocks > out->largest ? blocks : out->largest;
    }
}

static VelaResult analyse(Analysis *analysis, double operations_most, Arena *arena)
{
    const Dissection *sets = analysis->sets;
    Elimination *out = analysis->out;
    Arena *scratch = analysis->scratch;
    int32_t *front_of_set, *stack;
    TRY(ARENA_ARRAY(scratch, analysis->set_of_node, out->node_count));
    TRY(ARENA_ARRAY(scratch, analysis->seen, out->node_count));
    TRY(ARENA_ARRAY(scratch, analysis->border_start, sets->count + 1));
    TRY(ARENA_ARRAY(scratch, analysis->parent, sets->count));
    TRY(ARENA_ARRAY(scratch, analysis->first_child, sets->count));
    TRY(ARENA_ARRAY(scratch, analysis->next_sibling, sets->count));
    TRY(ARENA_ARRAY(scratch, front_of_set, sets->count));
    TRY(ARENA_ARRAY(scratch, stack, sets->count));
    TRY(ARENA_ARRAY(arena, out->nodes, out->node_count));
    TRY(ARENA_ARRAY(arena, out->places, out->node_count));
    TRY(ARENA_ARRAY(arena, out->fronts, sets->count));
    for (int32_t s = 0; s < sets->count; ++s) {
        analysis->first_child[s] = analysis->next_sibling[s] = -1;
        for (int32_t k = sets->start[s]; k < sets->start[s + 1]; ++k)
            analysis->set_of_node[sets->nodes[k]] = s;
    }
    for (int32_t i = 0; i < out->node_count; ++i)
        analysis->seen[i] = -1;
    TRY(find_borders(analysis, operations_most));
    if (out->operations == INFINITY)
        return VELA_OK;
    number_fronts(analysis, front_of_set, stack);
    TRY(ARENA_ARRAY(arena, out->borders, analysis->border_start[sets->count]));
    for (int64_t p = 0; p < analysis->border_start[sets->count]; ++p)
        out->borders[p] = out->places[analysis->borders[p]];
    for (int32_t f = 0; f < out->front_count; ++f)
        qsort(out->borders + out->fronts[f].border_start, (size_t)out->fronts[f].border_count,
              sizeof *out->borders, compare_places);
    TRY(cut_subtrees(analysis, arena));
    place_rests(out);
    return VELA_OK;
}

VelaResult elimination_create(const Graph *graph, const Dissection *sets, double operations_most,
                              Arena *scratch, Arena *arena, Elimination *elimination)
{
    *elimination = (Elimination){.node_count = graph->count};
    Analysis analysis = {.graph = graph, .sets = sets, .out = elimination, .scratch = scratch};
    const VelaResult result = analyse(&analysis, operations_most, arena);
    arena_rewind(scratch);
    return result;
}
