#include "device/vulkan/linear/coarse_stripes.h"

/// Goes over the clusters of groups, stripe by stripe.
typedef struct Cursor {
    RowGraph graph;
    int32_t group_first, group_end;
    int32_t place;    ///< the next one
    uint32_t cluster; ///< the next one, of all groups
    uint32_t *words;  ///< of every cluster; NULL: none are written
    uint32_t *turns;  ///< likewise, of their groups
    uint32_t turn;    ///< of the group that was begun
    uint32_t stack;   ///< the next one, of all groups
    uint32_t *stacks; ///< words of every place; NULL: none are written
} Cursor;

ClusterRule coarse_stripes_rule(void)
{
    return (ClusterRule){.nodes = CLUSTER_NODES, .small_body = CLUSTER_ROWS_MOST};
}

static void begin_group(Cursor *cursor, const NodeOrder *order, uint32_t group)
{
    cursor->group_first = order->group_starts[group];
    cursor->group_end = order->group_starts[group + 1];
    cursor->turn = (uint32_t)order->group_turns[group];
}

/// Stacks that move by themselves among the rows of a cluster, from the cursor's place to `end`.
static void pass_stacks(Cursor *cursor, int32_t end)
{
    for (int32_t first = cursor->place, next; first < end; first = next) {
        for (next = first + 1; next < end && row_graph_is_stacked(&cursor->graph, next); ++next)
            ;
        const uint32_t count = (uint32_t)(next - first);
        if (count == 1 || !cursor->graph.stack_moves[row_graph_node(&cursor->graph, first)])
            continue;
        for (uint32_t row = 0; row < count && cursor->stacks; ++row)
            cursor->stacks[(uint32_t)first + row] =
                (cursor->stack << STACK_ROW_BITS | row) << STACK_ROW_BITS | (count - 1);
        ++cursor->stack;
    }
}

static void pass_stripe(Cursor *cursor)
{
    const int32_t begin = cursor->place, size = cursor->group_end - cursor->group_first;
    for (int k = 0; k < STRIPE_CLUSTERS_MOST && cursor->place < cursor->group_end; ++k) {
        const int32_t end =
            node_cluster_end(&cursor->graph, coarse_stripes_rule(), cursor->place, cursor->group_end);
        if (end - begin > GROUP_COARSE)
            break;
        if (cursor->words) {
            cursor->words[cursor->cluster] =
                (uint32_t)cursor->place |
                (node_cluster_is_solved(&cursor->graph, cursor->place, size) ? CLUSTER_IS_SOLVED : 0);
            cursor->turns[cursor->cluster] = cursor->turn;
        }
        pass_stacks(cursor, end);
        ++cursor->cluster;
        cursor->place = end;
    }
}

/// Stripes of the group that was begun, behind which the cursor is then.
static uint32_t pass_group(Cursor *cursor)
{
    uint32_t count = 0;
    for (; cursor->place < cursor->group_end; ++count)
        pass_stripe(cursor);
    return count;
}

void coarse_stripes_count(const Model *model, uint32_t chunks_most, CoarseCounts *counts)
{
    Cursor cursor = {.graph = node_groups_graph(model, &model->order)};
    uint32_t most = 0;
    for (uint32_t group = 0; group < counts->group_count; ++group) {
        begin_group(&cursor, &model->order, group);
        const uint32_t stripes = pass_group(&cursor);
        most = stripes > most ? stripes : most;
    }
    counts->cluster_count = cursor.cluster;
    counts->stack_count = counts->has_stacks ? cursor.stack : 0;
    counts->chunks_per_group = most < chunks_most ? most : chunks_most;
    counts->stripes_per_chunk =
        most > 0 ? (most + counts->chunks_per_group - 1) / counts->chunks_per_group : 0;
}

uint32_t coarse_stripe_count(const CoarseCounts *counts)
{
    return counts->group_count * counts->chunks_per_group * counts->stripes_per_chunk;
}

static uint64_t stripe_words(const CoarseCounts *counts)
{
    return STRIPE_WORDS * (uint64_t)coarse_stripe_count(counts);
}

/// Words before those of stacks.
static uint64_t cluster_words_end(const CoarseCounts *counts)
{
    return stripe_words(counts) + 2 * (uint64_t)counts->cluster_count + 1;
}

uint64_t coarse_stacks_word(const CoarseCounts *counts)
{
    return counts->stack_count > 0 ? cluster_words_end(counts) : 0;
}

uint64_t coarse_stripes_words(const Model *model, const CoarseCounts *counts)
{
    return counts->group_count > 0
               ? cluster_words_end(counts) + (counts->stack_count > 0 ? (uint64_t)model->order.free_count : 0)
               : 0;
}

/// The stripes of the group that was begun, chunk by chunk: a chunk may have fewer than others, then its last ones are empty.
static void fill_group(Cursor *cursor, const CoarseCounts *counts, uint32_t *stripe)
{
    Cursor ahead = *cursor;
    ahead.words = ahead.stacks = NULL;
    const uint32_t stripes = pass_group(&ahead), chunks = counts->chunks_per_group;
    for (uint32_t chunk = 0; chunk < chunks; ++chunk)
        for (uint32_t k = 0; k < counts->stripes_per_chunk; ++k, stripe += STRIPE_WORDS) {
            stripe[STRIPE_FIRST] = (uint32_t)cursor->place;
            stripe[STRIPE_FIRST_CLUSTER] = cursor->cluster;
            if (chunk * stripes / chunks + k < (chunk + 1) * stripes / chunks)
                pass_stripe(cursor);
            stripe[STRIPE_END] = (uint32_t)cursor->place;
            stripe[STRIPE_END_CLUSTER] = cursor->cluster;
        }
}

void coarse_stripes_fill(const Model *model, const CoarseCounts *counts, uint32_t *table,
                         uint32_t *cluster_of)
{
    uint32_t *words = table + stripe_words(counts);
    const size_t size = STRIPE_WORDS * (size_t)counts->chunks_per_group * counts->stripes_per_chunk;
    Cursor cursor = {.graph = node_groups_graph(model, &model->order),
                     .words = words,
                     .turns = words + counts->cluster_count + 1,
                     .stacks = counts->stack_count > 0 ? table + coarse_stacks_word(counts) : NULL};
    for (uint32_t group = 0; group < counts->group_count; ++group) {
        begin_group(&cursor, &model->order, group);
        fill_group(&cursor, counts, table + size * (size_t)model->order.group_turns[group]);
    }
    words[cursor.cluster] = (uint32_t)cursor.place;
    for (uint32_t c = 0; c < counts->cluster_count; ++c)
        for (uint32_t place = words[c] & ~CLUSTER_IS_SOLVED; place < (words[c + 1] & ~CLUSTER_IS_SOLVED);
             ++place)
            cluster_of[model->order.nodes[place]] = c;
}
