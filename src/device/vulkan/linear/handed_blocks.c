#include "device/vulkan/linear/handed_blocks.h"

#include "abi/coarse.h"
#include "abi/linear.h"

/// A stripe's rows: places from `first` to before `end`. Counts are of the row at each place of the model's order.
typedef struct Stripe {
    const Model *model;
    int32_t first, end;
    int32_t count;                ///< of blocks that are handed on so far
    int32_t *read;                ///< entries
    uint8_t *hands_on, *is_given; ///< entries
} Stripe;

static int32_t find_entry(const Model *model, int32_t row, int32_t column)
{
    int32_t p = model->row_start[row];
    while (model->columns[p] != column)
        ++p;
    return p;
}

static bool may_hand_on(const Stripe *stripe, int32_t from, int32_t to)
{
    const Model *model = stripe->model;
    const int32_t row = model->order.nodes[to];
    return stripe->count < HANDED_MOST && stripe->hands_on[from] < HANDED_OF_ROW_MOST &&
           stripe->is_given[to] < HANDED_TO_ROW_MOST &&
           model->row_start[row + 1] - model->row_start[row] <= HANDED_READ_MOST;
}

/// Has the block of two rows read by the one that has fewer to read so far, if there is room.
static void share_block(Stripe *stripe, int32_t place, int32_t entry, int32_t other, HandedBlocks *handed)
{
    const Model *model = stripe->model;
    const bool is_longer = stripe->read[place] > stripe->read[other];
    int32_t from = is_longer ? other : place, to = is_longer ? place : other;
    if (!may_hand_on(stripe, from, to)) {
        const int32_t turned = from;
        from = to;
        to = turned;
    }
    ++stripe->read[from];
    if (!may_hand_on(stripe, from, to)) {
        ++stripe->read[to];
        return;
    }
    const int32_t turned = find_entry(model, model->order.nodes[other], model->order.nodes[place]);
    handed->readers[from == place ? entry : turned] = READ_FOR_BOTH;
    handed->readers[from == place ? turned : entry] = READ_BY_COLUMN;
    ++stripe->hands_on[from];
    ++stripe->is_given[to];
    ++stripe->count;
}

/// Whether an entry of the row at `place` is one of two that a stripe's rows share, the first one in its order.
static bool is_shared(const Stripe *stripe, int32_t place, int32_t entry)
{
    const int32_t other = stripe->model->order.places[stripe->model->columns[entry]];
    return other > place && other < stripe->end;
}

static void share_blocks(Stripe *stripe, HandedBlocks *handed)
{
    const Model *model = stripe->model;
    // What rows do not share they read in any case.
    for (int32_t place = stripe->first; place < stripe->end; ++place) {
        const int32_t row = model->order.nodes[place];
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p)
            if (is_shared(stripe, place, p)) {
                --stripe->read[place];
                --stripe->read[model->order.places[model->columns[p]]];
            }
    }
    for (int32_t place = stripe->first; place < stripe->end; ++place) {
        const int32_t row = model->order.nodes[place];
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p)
            if (is_shared(stripe, place, p))
                share_block(stripe, place, p, model->order.places[model->columns[p]], handed);
    }
}

static uint32_t read_word(int32_t read)
{
    return (uint32_t)(read < HANDED_READ_MOST ? read : HANDED_READ_MOST);
}

/// Places in shared memory, row by row of those that get something.
static void place_blocks(const Stripe *stripe, HandedBlocks *handed)
{
    const Model *model = stripe->model;
    uint32_t next = 0;
    for (int32_t place = stripe->first; place < stripe->end; ++place) {
        const int32_t row = model->order.nodes[place];
        const uint32_t first = next;
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p)
            if (handed->readers[p] == READ_BY_COLUMN)
                handed->places[find_entry(model, model->columns[p], row)] = (uint16_t)next++;
        handed->words[place] = read_word(stripe->read[place]) |
                               (uint32_t)stripe->hands_on[place] << HANDED_READ_BITS |
                               (next - first) << (HANDED_READ_BITS + HANDED_ON_BITS) |
                               first << (HANDED_READ_BITS + HANDED_ON_BITS + HANDED_COUNT_BITS);
    }
}

VelaResult handed_blocks_find(const Model *model, const uint32_t *stripes, uint32_t stripe_count,
                              Arena *arena, HandedBlocks *handed)
{
    const int32_t entries = model->row_start[model->node_count];
    Stripe stripe = {.model = model};
    TRY(ARENA_ARRAY(arena, handed->readers, entries));
    TRY(ARENA_ARRAY(arena, handed->places, entries));
    TRY(ARENA_ARRAY(arena, handed->words, model->node_count));
    TRY(ARENA_ARRAY(arena, stripe.read, model->node_count));
    TRY(ARENA_ARRAY(arena, stripe.hands_on, model->node_count));
    TRY(ARENA_ARRAY(arena, stripe.is_given, model->node_count));
    for (int32_t place = 0; place < model->node_count; ++place) {
        const int32_t row = model->order.nodes[place];
        stripe.read[place] = model->row_start[row + 1] - model->row_start[row];
        handed->words[place] = read_word(stripe.read[place]);
    }
    for (uint32_t s = 0; s < stripe_count; ++s) {
        stripe.first = (int32_t)stripes[STRIPE_WORDS * s + STRIPE_FIRST];
        stripe.end = (int32_t)stripes[STRIPE_WORDS * s + STRIPE_END];
        stripe.count = 0;
        share_blocks(&stripe, handed);
        place_blocks(&stripe, handed);
    }
    return VELA_OK;
}
