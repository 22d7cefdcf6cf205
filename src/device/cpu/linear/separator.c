#include "device/cpu/linear/separator.h"

#include <string.h>

/// Graphs of so many nodes are parted without a coarser one, from so many places.
enum { GRAPH_SMALL = 100, STARTS = 2 };
/// Graphs of so many are made coarser in several ways, of which the best is taken.
enum { GRAPH_TRIED = 400, WAYS = 3 };
/// Neighbours are joined in the order that steps of such a share of the nodes lead through them.
static const double STEPS[WAYS] = {0.618, 0.414, 0.732};
/// Passes of moves, and moves in a row that may fail to make the separator smaller.
enum { PASSES_MOST = 8, MOVES_IN_VAIN = 80 };
/// No side gets more than this share of all weight.
#define LARGEST_SIDE 0.6
/// A coarser graph that keeps more than this share of the nodes is not worth making.
#define LEAST_COARSENING 0.9

// ---------------------------------------------------------------- moves of the separator's nodes

/// The separator's nodes, by what a move to one side gains, the most first.
typedef struct MoveHeap {
    int32_t count;
    int32_t *nodes, *places; ///< places of all nodes, -1: not in
    int32_t *gains;          ///< of all nodes
} MoveHeap;

/// A node that has changed its part.
typedef struct Change {
    int32_t node;
    uint8_t before;
} Change;

typedef struct Refinement {
    const WeightedGraph *graph;
    uint8_t *parts, *moved;
    int64_t weights[PART_COUNT];
    MoveHeap heaps[2]; ///< of moves to each side
    Change *changes;
    int32_t change_count;
} Refinement;

static bool goes_before(const MoveHeap *heap, int32_t a, int32_t b)
{
    return heap->gains[a] > heap->gains[b] || (heap->gains[a] == heap->gains[b] && a < b);
}

static void heap_put(MoveHeap *heap, int32_t place, int32_t node)
{
    heap->nodes[place] = node;
    heap->places[node] = place;
}

// Moves what is at a place up or down to where it belongs.
static void heap_settle(MoveHeap *heap, int32_t place)
{
    const int32_t node = heap->nodes[place];
    for (; place > 0 && goes_before(heap, node, heap->nodes[(place - 1) / 2]); place = (place - 1) / 2)
        heap_put(heap, place, heap->nodes[(place - 1) / 2]);
    for (int32_t child; (child = 2 * place + 1) < heap->count; place = child) {
        if (child + 1 < heap->count && goes_before(heap, heap->nodes[child + 1], heap->nodes[child]))
            ++child;
        if (!goes_before(heap, heap->nodes[child], node))
            break;
        heap_put(heap, place, heap->nodes[child]);
    }
    heap_put(heap, place, node);
}

static void heap_set(MoveHeap *heap, int32_t node, int32_t gain)
{
    heap->gains[node] = gain;
    if (heap->places[node] < 0)
        heap_put(heap, heap->count++, node);
    heap_settle(heap, heap->places[node]);
}

static void heap_remove(MoveHeap *heap, int32_t node)
{
    const int32_t place = heap->places[node];
    if (place < 0)
        return;
    heap->places[node] = -1;
    if (place == --heap->count)
        return;
    heap_put(heap, place, heap->nodes[heap->count]);
    heap_settle(heap, place);
}

static void change_part(Refinement *refinement, int32_t node, uint8_t part)
{
    const int32_t weight = refinement->graph->node_weights[node];
    refinement->weights[refinement->parts[node]] -= weight;
    refinement->weights[part] += weight;
    refinement->parts[node] = part;
}

// A node of the separator that goes to a side takes its neighbours on the other one into the separator.
static void offer_moves(Refinement *refinement, int32_t node)
{
    const WeightedGraph *graph = refinement->graph;
    int32_t beside[PART_COUNT] = {0};
    for (int32_t p = graph->row_start[node]; p < graph->row_start[node + 1]; ++p)
        beside[refinement->parts[graph->columns[p]]] += graph->node_weights[graph->columns[p]];
    for (int side = 0; side < 2; ++side)
        heap_set(&refinement->heaps[side], node, graph->node_weights[node] - beside[1 - side]);
}

// What neighbours in the separator gain changes where `node` leaves (share < 0) or enters a side.
static void tell_neighbours(Refinement *refinement, int32_t node, int side, int32_t share)
{
    const WeightedGraph *graph = refinement->graph;
    MoveHeap *heap = &refinement->heaps[1 - side];
    for (int32_t p = graph->row_start[node]; p < graph->row_start[node + 1]; ++p) {
        const int32_t other = graph->columns[p];
        if (refinement->parts[other] == SEPARATOR && !refinement->moved[other])
            heap_set(heap, other, heap->gains[other] - share);
    }
}

static void move(Refinement *refinement, int32_t node, int side)
{
    const WeightedGraph *graph = refinement->graph;
    for (int k = 0; k < 2; ++k)
        heap_remove(&refinement->heaps[k], node);
    refinement->moved[node] = 1;
    refinement->changes[refinement->change_count++] = (Change){node, SEPARATOR};
    change_part(refinement, node, (uint8_t)side);
    tell_neighbours(refinement, node, side, graph->node_weights[node]);
    for (int32_t p = graph->row_start[node]; p < graph->row_start[node + 1]; ++p) {
        const int32_t other = graph->columns[p];
        if (refinement->parts[other] != 1 - side)
            continue;
        refinement->changes[refinement->change_count++] = (Change){other, (uint8_t)(1 - side)};
        change_part(refinement, other, SEPARATOR);
        tell_neighbours(refinement, other, 1 - side, -graph->node_weights[other]);
        if (!refinement->moved[other])
            offer_moves(refinement, other);
    }
}

// The side whose best move gains most, the lighter one if both do; -1: there is none. What would be too much for a side is dropped.
static int choose_side(Refinement *refinement, int64_t most)
{
    MoveHeap *heaps = refinement->heaps;
    for (int side = 0; side < 2; ++side)
        while (heaps[side].count > 0 &&
               refinement->weights[side] + refinement->graph->node_weights[heaps[side].nodes[0]] > most)
            heap_remove(&heaps[side], heaps[side].nodes[0]);
    const int lighter = refinement->weights[1] < refinement->weights[0];
    if (heaps[lighter].count == 0)
        return heaps[1 - lighter].count > 0 ? 1 - lighter : -1;
    if (heaps[1 - lighter].count == 0)
        return lighter;
    return heaps[1 - lighter].gains[heaps[1 - lighter].nodes[0]] >
                   heaps[lighter].gains[heaps[lighter].nodes[0]]
               ? 1 - lighter
               : lighter;
}

static int64_t imbalance(const Refinement *refinement)
{
    const int64_t difference = refinement->weights[0] - refinement->weights[1];
    return difference < 0 ? -difference : difference;
}

// One pass: every node leaves the separator once at most, gain or no gain, and what came after the best is taken back. Whether it is better.
static bool pass(Refinement *refinement)
{
    const WeightedGraph *graph = refinement->graph;
    const int64_t *weights = refinement->weights;
    const int64_t total = weights[0] + weights[1] + weights[SEPARATOR];
    int64_t best = weights[SEPARATOR], best_imbalance = imbalance(refinement);
    int32_t kept = 0, in_vain = 0;
    bool better = false;
    refinement->change_count = 0;
    memset(refinement->moved, 0, (size_t)graph->count);
    for (int side = 0; side < 2; ++side) {
        refinement->heaps[side].count = 0;
        memset(refinement->heaps[side].places, -1, (size_t)graph->count * sizeof(int32_t));
    }
    for (int32_t i = 0; i < graph->count; ++i)
        if (refinement->parts[i] == SEPARATOR)
            offer_moves(refinement, i);
    while (in_vain < MOVES_IN_VAIN) {
        const int side = choose_side(refinement, (int64_t)(LARGEST_SIDE * (double)total));
        if (side < 0)
            break;
        move(refinement, refinement->heaps[side].nodes[0], side);
        ++in_vain;
        if (weights[0] > 0 && weights[1] > 0 &&
            (weights[SEPARATOR] < best ||
             (weights[SEPARATOR] == best && imbalance(refinement) < best_imbalance))) {
            best = weights[SEPARATOR];
            best_imbalance = imbalance(refinement);
            kept = refinement->change_count;
            in_vain = 0;
            better = true;
        }
    }
    while (refinement->change_count > kept) {
        const Change *change = &refinement->changes[--refinement->change_count];
        change_part(refinement, change->node, change->before);
    }
    return better;
}

static VelaResult refinement_create(const WeightedGraph *graph, Arena *scratch, Refinement *refinement)
{
    *refinement = (Refinement){.graph = graph};
    TRY(ARENA_ARRAY(scratch, refinement->moved, graph->count));
    // A node leaves the separator once, and enters it once before and once after that.
    TRY(ARENA_ARRAY(scratch, refinement->changes, 3 * (size_t)graph->count));
    for (int side = 0; side < 2; ++side) {
        TRY(ARENA_ARRAY(scratch, refinement->heaps[side].nodes, graph->count));
        TRY(ARENA_ARRAY(scratch, refinement->heaps[side].places, graph->count));
        TRY(ARENA_ARRAY(scratch, refinement->heaps[side].gains, graph->count));
    }
    return VELA_OK;
}

static void refine(Refinement *refinement, uint8_t *parts)
{
    const WeightedGraph *graph = refinement->graph;
    refinement->parts = parts;
    memset(refinement->weights, 0, sizeof refinement->weights);
    for (int32_t i = 0; i < graph->count; ++i)
        refinement->weights[parts[i]] += graph->node_weights[i];
    for (int k = 0; k < PASSES_MOST && pass(refinement); ++k)
        continue;
}

// ---------------------------------------------------------------- the coarsest graph

// Nodes in the order of their distance from `first`; returns a last one.
static int32_t sweep(const WeightedGraph *graph, int32_t first, int32_t *order, uint8_t *seen)
{
    int32_t reached = 1;
    for (int32_t i = 0; i < graph->count; ++i)
        seen[i] = 0;
    order[0] = first;
    seen[first] = 1;
    for (int32_t done = 0; done < reached; ++done)
        for (int32_t p = graph->row_start[order[done]]; p < graph->row_start[order[done] + 1]; ++p)
            if (!seen[graph->columns[p]]) {
                seen[graph->columns[p]] = 1;
                order[reached++] = graph->columns[p];
            }
    return order[reached - 1];
}

// The first half of an order below, what it touches of the other half as separator.
static void halve(const WeightedGraph *graph, const int32_t *order, uint8_t *parts)
{
    int64_t total = 0, below = 0;
    for (int32_t i = 0; i < graph->count; ++i) {
        total += graph->node_weights[i];
        parts[i] = SIDE_ABOVE;
    }
    for (int32_t k = 0; k < graph->count && 2 * below < total; ++k) {
        parts[order[k]] = SIDE_BELOW;
        below += graph->node_weights[order[k]];
    }
    for (int32_t i = 0; i < graph->count; ++i)
        for (int32_t p = graph->row_start[i]; p < graph->row_start[i + 1] && parts[i] == SIDE_ABOVE; ++p)
            if (parts[graph->columns[p]] == SIDE_BELOW)
                parts[i] = SEPARATOR;
}

// Takes an attempt as the parts if its separator is smaller than the best so far; one with an empty side is worse than any with two.
static void keep_better(const WeightedGraph *graph, const int64_t weights[PART_COUNT], const uint8_t *attempt,
                        int64_t *best, uint8_t *parts)
{
    const bool parted = weights[SIDE_BELOW] > 0 && weights[SIDE_ABOVE] > 0;
    const int64_t value = weights[SEPARATOR] + (parted ? 0 : INT32_MAX);
    if (value >= *best)
        return;
    *best = value;
    memcpy(parts, attempt, (size_t)graph->count);
}

// From ends that are far from nodes spread over the graph; the smallest separator stays.
static VelaResult part_small(const WeightedGraph *graph, Arena *scratch, uint8_t *parts)
{
    Refinement refinement;
    int32_t *order;
    uint8_t *seen, *attempt;
    int64_t best = INT64_MAX;
    TRY(refinement_create(graph, scratch, &refinement));
    TRY(ARENA_ARRAY(scratch, order, graph->count));
    TRY(ARENA_ARRAY(scratch, seen, graph->count));
    TRY(ARENA_ARRAY(scratch, attempt, graph->count));
    for (int k = 0; k < STARTS; ++k) {
        const int32_t middle = (int32_t)((int64_t)graph->count * k / STARTS);
        sweep(graph, sweep(graph, middle, order, seen), order, seen);
        halve(graph, order, attempt);
        refine(&refinement, attempt);
        keep_better(graph, refinement.weights, attempt, &best, parts);
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- coarser graphs

// A step near a share of `count` > 1 that leads through all nodes.
static int32_t choose_step(int32_t count, double share)
{
    for (int32_t step = (int32_t)(share * count);; ++step) {
        int32_t common = step, other = count;
        while (other > 0) {
            const int32_t rest = common % other;
            common = other;
            other = rest;
        }
        if (common == 1)
            return step;
    }
}

// Joins every node with the free neighbour that most edges lead to; the coarse node of each. Returns how many there are.
static int32_t join_neighbours(const WeightedGraph *graph, int way, int32_t *coarse)
{
    const int32_t step = choose_step(graph->count, STEPS[way]);
    int64_t total = 0;
    for (int32_t i = 0; i < graph->count; ++i) {
        coarse[i] = -1;
        total += graph->node_weights[i];
    }
    int32_t count = 0;
    for (int32_t k = 0; k < graph->count; ++k) {
        const int32_t i = (int32_t)((int64_t)k * step % graph->count);
        if (coarse[i] >= 0)
            continue;
        int32_t best = -1, best_edges = 0;
        for (int32_t p = graph->row_start[i]; p < graph->row_start[i + 1]; ++p) {
            const int32_t other = graph->columns[p];
            if (coarse[other] < 0 && graph->edge_weights[p] > best_edges &&
                GRAPH_SMALL * (int64_t)(graph->node_weights[i] + graph->node_weights[other]) <= 4 * total) {
                best = other;
                best_edges = graph->edge_weights[p];
            }
        }
        coarse[i] = count;
        if (best >= 0)
            coarse[best] = count;
        ++count;
    }
    return count;
}

static VelaResult make_coarser(const WeightedGraph *graph, const int32_t *coarse, int32_t count,
                               Arena *scratch, WeightedGraph *out)
{
    int32_t *place, *members;
    *out = (WeightedGraph){.count = count};
    TRY(ARENA_ARRAY(scratch, out->row_start, count + 1));
    TRY(ARENA_ARRAY(scratch, out->node_weights, count));
    TRY(ARENA_ARRAY(scratch, out->columns, graph->row_start[graph->count]));
    TRY(ARENA_ARRAY(scratch, out->edge_weights, graph->row_start[graph->count]));
    TRY(ARENA_ARRAY(scratch, place, count)); // of an edge to each coarse node, if behind the row's start
    TRY(ARENA_ARRAY(scratch, members, 2 * (size_t)count));
    memset(members, -1, 2 * (size_t)count * sizeof *members);
    memset(place, -1, (size_t)count * sizeof *place);
    for (int32_t i = 0; i < graph->count; ++i)
        members[2 * coarse[i] + (members[2 * coarse[i]] >= 0)] = i;
    int32_t next = 0;
    for (int32_t c = 0; c < count; ++c) {
        for (int k = 0; k < 2 && members[2 * c + k] >= 0; ++k) {
            const int32_t i = members[2 * c + k];
            out->node_weights[c] += graph->node_weights[i];
            for (int32_t p = graph->row_start[i]; p < graph->row_start[i + 1]; ++p) {
                const int32_t other = coarse[graph->columns[p]];
                if (other == c)
                    continue;
                if (place[other] < out->row_start[c]) {
                    place[other] = next;
                    out->columns[next++] = other;
                }
                out->edge_weights[place[other]] += graph->edge_weights[p];
            }
        }
        out->row_start[c + 1] = next;
    }
    return VELA_OK;
}

static VelaResult find_in_way(const WeightedGraph *graph, int way, Arena *scratch, uint8_t *parts);

// The best of all ways.
static VelaResult find_best(const WeightedGraph *graph, Arena *scratch, uint8_t *parts)
{
    uint8_t *attempt;
    int64_t best = INT64_MAX;
    TRY(ARENA_ARRAY(scratch, attempt, graph->count));
    for (int way = 0; way < WAYS; ++way) {
        const ArenaMark mark = arena_mark(scratch);
        TRY(find_in_way(graph, way, scratch, attempt));
        arena_release(scratch, mark);
        int64_t weights[PART_COUNT] = {0};
        for (int32_t i = 0; i < graph->count; ++i)
            weights[attempt[i]] += graph->node_weights[i];
        keep_better(graph, weights, attempt, &best, parts);
    }
    return VELA_OK;
}

static VelaResult find_in_way(const WeightedGraph *graph, int way, Arena *scratch, uint8_t *parts)
{
    if (graph->count <= GRAPH_SMALL)
        return part_small(graph, scratch, parts);
    int32_t *coarse;
    TRY(ARENA_ARRAY(scratch, coarse, graph->count));
    const int32_t count = join_neighbours(graph, way, coarse);
    if (count > LEAST_COARSENING * graph->count)
        return part_small(graph, scratch, parts);
    WeightedGraph coarser;
    uint8_t *coarse_parts;
    Refinement refinement;
    TRY(make_coarser(graph, coarse, count, scratch, &coarser));
    TRY(ARENA_ARRAY(scratch, coarse_parts, count));
    const bool all_ways = graph->count > GRAPH_TRIED && count <= GRAPH_TRIED;
    TRY(all_ways ? find_best(&coarser, scratch, coarse_parts)
                 : find_in_way(&coarser, way, scratch, coarse_parts));
    for (int32_t i = 0; i < graph->count; ++i)
        parts[i] = coarse_parts[coarse[i]];
    TRY(refinement_create(graph, scratch, &refinement));
    refine(&refinement, parts);
    return VELA_OK;
}

VelaResult separator_find(const WeightedGraph *graph, Arena *scratch, uint8_t *parts)
{
    return graph->count > GRAPH_SMALL && graph->count <= GRAPH_TRIED ? find_best(graph, scratch, parts)
                                                                     : find_in_way(graph, 0, scratch, parts);
}
