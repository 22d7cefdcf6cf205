#include "device/cpu/linear/ordering.h"

#include "device/cpu/linear/dissection.h"

#include <string.h>

/// Subtrees of at most so many nodes are ordered by minimum degree.
enum { SUBTREE_SMALL = 100 };

typedef struct Ordering {
    int32_t count;
    const int32_t *row_start, *columns;
    int32_t *place; ///< of every node among a subtree's and those beside it, -1: neither
    Arena scratch;
} Ordering;

// The nodes of a subtree and, behind them, the later ones that touch it. Returns how many there are.
static int32_t gather(Ordering *ordering, const int32_t *nodes, int32_t count, int32_t *gathered)
{
    int32_t next = count;
    for (int32_t k = 0; k < count; ++k) {
        gathered[k] = nodes[k];
        ordering->place[nodes[k]] = k;
    }
    for (int32_t k = 0; k < count; ++k)
        for (int32_t p = ordering->row_start[nodes[k]]; p < ordering->row_start[nodes[k] + 1]; ++p) {
            const int32_t other = ordering->columns[p];
            if (other < ordering->count && ordering->place[other] < 0) {
                ordering->place[other] = next;
                gathered[next++] = other;
            }
        }
    return next;
}

static int32_t count_bits(const uint64_t *bits, int32_t words)
{
    int32_t sum = 0;
    for (int32_t w = 0; w < words; ++w)
        sum += __builtin_popcountll(bits[w]);
    return sum;
}

// Eliminates on a graph of bits, `words` words a node: of all that are left the one with the fewest neighbours, which become neighbours of
// one another.
static void eliminate(uint64_t *bits, int32_t words, int32_t count, int32_t *degrees, const int32_t *gathered,
                      int32_t *nodes)
{
    for (int32_t k = 0; k < count; ++k)
        degrees[k] = count_bits(bits + (size_t)words * (size_t)k, words);
    for (int32_t step = 0; step < count; ++step) {
        int32_t best = -1;
        for (int32_t k = 0; k < count; ++k)
            if (degrees[k] >= 0 && (best < 0 || degrees[k] < degrees[best]))
                best = k;
        const uint64_t *front = bits + (size_t)words * (size_t)best;
        nodes[step] = gathered[best];
        degrees[best] = -1;
        for (int32_t k = 0; k < count; ++k) {
            if (!(front[k / 64] >> (k % 64) & 1) || degrees[k] < 0)
                continue;
            uint64_t *own = bits + (size_t)words * (size_t)k;
            for (int32_t w = 0; w < words; ++w)
                own[w] |= front[w];
            own[k / 64] &= ~((uint64_t)1 << (k % 64));
            own[best / 64] &= ~((uint64_t)1 << (best % 64));
            degrees[k] = count_bits(own, words);
        }
    }
}

static VelaResult order_subtree(Ordering *ordering, int32_t *nodes, int32_t count)
{
    Arena *scratch = &ordering->scratch;
    size_t most = (size_t)count;
    for (int32_t k = 0; k < count; ++k)
        most += (size_t)(ordering->row_start[nodes[k] + 1] - ordering->row_start[nodes[k]]);
    int32_t *gathered, *degrees;
    uint64_t *bits;
    TRY(ARENA_ARRAY(scratch, gathered, most));
    TRY(ARENA_ARRAY(scratch, degrees, count));
    const int32_t all = gather(ordering, nodes, count, gathered), words = (all + 63) / 64;
    TRY(ARENA_ARRAY(scratch, bits, (size_t)words * (size_t)count));
    for (int32_t k = 0; k < count; ++k)
        for (int32_t p = ordering->row_start[nodes[k]]; p < ordering->row_start[nodes[k] + 1]; ++p) {
            const int32_t other = ordering->columns[p];
            if (other >= ordering->count || other == nodes[k])
                continue;
            const int32_t place = ordering->place[other];
            bits[(size_t)words * (size_t)k + (size_t)(place / 64)] |= (uint64_t)1 << (place % 64);
        }
    for (int32_t k = 0; k < all; ++k)
        ordering->place[gathered[k]] = -1;
    eliminate(bits, words, count, degrees, gathered, nodes);
    return VELA_OK;
}

// The sets of a subtree, and so its nodes, follow one another.
static VelaResult order_subtrees(Ordering *ordering, const Dissection *sets, int32_t *order)
{
    int32_t *first; // node of the subtree below every set
    TRY(ARENA_ARRAY(&ordering->scratch, first, sets->count));
    memcpy(first, sets->start, (size_t)sets->count * sizeof *first);
    for (int32_t s = 0; s < sets->count; ++s)
        if (sets->parent[s] >= 0 && first[s] < first[sets->parent[s]])
            first[sets->parent[s]] = first[s];
    for (int32_t s = 0; s < sets->count; ++s) {
        const int32_t parent = sets->parent[s];
        if (sets->start[s + 1] - first[s] > SUBTREE_SMALL ||
            (parent >= 0 && sets->start[parent + 1] - first[parent] <= SUBTREE_SMALL))
            continue;
        const ArenaMark mark = arena_mark(&ordering->scratch);
        TRY(order_subtree(ordering, order + first[s], sets->start[s + 1] - first[s]));
        arena_release(&ordering->scratch, mark);
    }
    return VELA_OK;
}

VelaResult ordering_find(VelaContext *context, int32_t count, const int32_t *row_start,
                         const int32_t *columns, int32_t *order)
{
    Ordering ordering = {
        .count = count, .row_start = row_start, .columns = columns, .scratch = arena_make(context)};
    Dissection sets;
    VelaResult result;
    TRY_GOTO(result, ARENA_ARRAY(&ordering.scratch, ordering.place, count), done);
    TRY_GOTO(result, dissection_create(context, count, row_start, columns, &ordering.scratch, &sets), done);
    memcpy(order, sets.nodes, (size_t)count * sizeof *order);
    for (int32_t i = 0; i < count; ++i)
        ordering.place[i] = -1;
    TRY_GOTO(result, order_subtrees(&ordering, &sets, order), done);
done:
    arena_clear(&ordering.scratch);
    return result;
}
