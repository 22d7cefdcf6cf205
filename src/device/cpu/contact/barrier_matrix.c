// Gradient and Hessian of contact and friction, from the vertices of pairs to the nodes that these follow from: with x_v = sum
// of w_va y_a, a node's gradient is the sum of w_va g_v and the block of two nodes the sum of w_va w_ub H_vu, over the pairs in
// their order and within a pair over its vertices in theirs.
#include "device/cpu/contact/barrier_matrix.h"

#include <omp.h>
#include <string.h>

// ---------------------------------------------------------------- pairs

// Derivatives of a contact that rubs, at the vertex positions x; `from`: what friction measures from.
static void compute_friction(const BarrierContact *contact, FrictionContact *friction, const double *x,
                             const double *from, ActivePair *pair)
{
    double at[12], base[12];
    gather_vertices(friction->vertices, x, at);
    gather_vertices(friction->vertices, from, base);
    friction_follow(friction, &contact->law, at, base);
    pair->form = PAIR_SHARED;
    memcpy(pair->shared.weights, friction->weights, sizeof friction->weights);
    friction_hessian(friction, &contact->law, at, base, pair->pull, pair->shared.block);
}

// Those of an active candidate. Whole Hessians are taken one after the other, by whichever thread comes first.
static void compute_candidate(const BarrierContact *contact, const Candidate *candidate, const double *x,
                              bool project, int32_t *whole_count, ActivePair *pair, TurningStiffness *turning)
{
    double at[12];
    gather_vertices(candidate->vertices, x, at);
    pair->form = candidate_hessian(candidate, at, project, pair->pull, &pair->shared, turning);
    if (pair->form != PAIR_WHOLE)
        return;
#pragma omp atomic capture
    pair->whole = (*whole_count)++;
    WholePair *whole = &contact->whole[pair->whole];
    candidate_whole_hessian(candidate, at, project, whole->gradient, whole->hessian);
}

// The nodes of the vertices that take part, in the order in which vertices name them.
static void find_pair_nodes(const SurfaceMap *map, const int32_t *places, const int32_t vertices[4],
                            const TurningStiffness *turning, ActivePair *pair, PairNode *nodes)
{
    const double *own = pair->shared.weights;
    pair->node_count = 0;
    for (int c = 0; c < 4; ++c) {
        const int32_t first = map->starts[vertices[c]], end = map->starts[vertices[c] + 1];
        for (int32_t i = first; i < end && (pair->form == PAIR_WHOLE || own[c] != 0); ++i) {
            const int32_t place = places[map->nodes[i]];
            int n = 0;
            while (n < pair->node_count && nodes[n].place != place)
                ++n;
            if (n < pair->node_count) // one vertex more that follows from this node
                nodes[n].corner = -1;
            else
                nodes[pair->node_count++] = (PairNode){.place = place, .corner = end == first + 1 ? c : -1};
            nodes[n].weights[c] = map->weights[i];
            nodes[n].weight += pair->form == PAIR_WHOLE ? 0 : map->weights[i] * own[c];
            if (pair->form == PAIR_TURNING)
                add_scaled3(nodes[n].side, map->weights[i], turning->sides[c], nodes[n].side);
        }
    }
}

static VelaResult compute_pairs(BarrierContact *contact, const double *x, const int32_t *places, bool project)
{
    VelaContext *context = contact->arena.context;
    const double *from = NULL;
    if (contact->friction_count > 0)
        from = barrier_vertices(contact, contact->base, contact->from);
    contact->pair_count = contact->active_count + contact->friction_count;
    const size_t pairs = (size_t)contact->pair_count;
    TRY(ARENA_GROW(&contact->growing, contact->pairs, &contact->pair_capacity, pairs));
    TRY(ARENA_GROW(&contact->growing, contact->pair_nodes, &contact->pair_node_capacity,
                   pairs * (size_t)contact->most_nodes));
    TRY(ARENA_GROW(&contact->growing, contact->turnings, &contact->turning_capacity,
                   (size_t)contact->active_count));
    TRY(ARENA_GROW(&contact->growing, contact->whole, &contact->whole_capacity,
                   (size_t)contact->whole_count));
    int32_t count, whole_count = 0;
    const Candidate *items = candidate_list_items(contact->list, &count);
#pragma omp parallel for schedule(dynamic, 16) num_threads(contact->threads)
    for (int32_t k = 0; k < contact->pair_count; ++k) {
        if (!context_goes_on(context))
            continue;
        ActivePair *pair = &contact->pairs[k];
        TurningStiffness *turning = NULL;
        const int32_t *vertices;
        if (k < contact->active_count) {
            const Candidate *candidate = &items[contact->active[k]];
            turning = &contact->turnings[k];
            vertices = candidate->vertices;
            compute_candidate(contact, candidate, x, project, &whole_count, pair, turning);
        } else {
            FrictionContact *friction = &contact->friction[k - contact->active_count];
            vertices = friction->vertices;
            compute_friction(contact, friction, x, from, pair);
        }
        find_pair_nodes(&contact->model->surface.map, places, vertices, turning, pair,
                        contact->pair_nodes + (size_t)contact->most_nodes * (size_t)k);
    }
    return context_breathe(context);
}

// Adds the gradient at a node of a pair.
static void add_gradient(const BarrierContact *contact, const ActivePair *pair, const PairNode *node,
                         double gradient[3])
{
    if (pair->form != PAIR_WHOLE) {
        add_scaled3(gradient, node->weight, pair->pull, gradient);
        return;
    }
    for (int c = 0; c < 4; ++c)
        add_scaled3(gradient, node->weights[c], contact->whole[pair->whole].gradient + 3 * c, gradient);
}

// A of the terms that turn, of two nodes.
static double sum_along(const TurningStiffness *turning, const PairNode *row, const PairNode *column)
{
    if (row->corner >= 0 && column->corner >= 0)
        return turning->along[4 * row->corner + column->corner];
    double sum = 0;
    for (int c = 0; c < 4; ++c)
        for (int other = 0; other < 4; ++other)
            sum += row->weights[c] * column->weights[other] * turning->along[4 * c + other];
    return sum;
}

static void add_whole_block(const double hessian[144], const PairNode *row, const PairNode *column,
                            double block[9])
{
    for (int c = 0; c < 4; ++c)
        for (int other = 0; other < 4; ++other) {
            const double weight = row->weights[c] * column->weights[other];
            const double *corner = hessian + 36 * c + 3 * other;
            for (int i = 0; i < 9 && weight != 0; ++i)
                block[i] += weight * corner[12 * (i % 3) + i / 3];
        }
}

// Adds the block of two nodes of pair k, column by column.
static void add_block(const BarrierContact *contact, int32_t k, const PairNode *row, const PairNode *column,
                      double block[9])
{
    const ActivePair *pair = &contact->pairs[k];
    if (pair->form == PAIR_WHOLE) {
        add_whole_block(contact->whole[pair->whole].hessian, row, column, block);
        return;
    }
    shared_stiffness_add(&pair->shared, row->weight * column->weight, block);
    if (pair->form == PAIR_TURNING) {
        const TurningStiffness *turning = &contact->turnings[k];
        turning_stiffness_add(turning->normal, sum_along(turning, row, column),
                              (PairEnd){row->weight, row->side}, (PairEnd){column->weight, column->side},
                              block);
    }
}

// ---------------------------------------------------------------- rows

// Sorts the nodes of the pairs by place, those of one place in the order of the pairs, and makes room for their rows: a node has
// an entry, a column, for every other node of its pair.
static VelaResult sort_nodes(BarrierContact *contact)
{
    int32_t *start = contact->node_start, *entries = contact->entry_start, *next = contact->row_end;
    const int32_t places = contact->model->node_count;
    memset(start, 0, ((size_t)places + 1) * sizeof *start);
    memset(entries, 0, ((size_t)places + 1) * sizeof *entries);
    for (int32_t k = 0; k < contact->pair_count; ++k)
        for (int n = 0; n < contact->pairs[k].node_count; ++n) {
            const int32_t place = contact->pair_nodes[contact->most_nodes * k + n].place;
            ++start[place + 1];
            entries[place + 1] += contact->pairs[k].node_count - 1;
        }
    for (int32_t i = 0; i < places; ++i) {
        start[i + 1] += start[i];
        entries[i + 1] += entries[i];
    }
    TRY(ARENA_GROW(&contact->growing, contact->nodes, &contact->node_capacity, (size_t)start[places]));
    memcpy(next, start, (size_t)places * sizeof *next);
    for (int32_t k = 0; k < contact->pair_count; ++k)
        for (int n = 0; n < contact->pairs[k].node_count; ++n) {
            const int32_t node = contact->most_nodes * k + n;
            contact->nodes[next[contact->pair_nodes[node].place]++] = node;
        }
    return VELA_OK;
}

// Sorts columns in linear time, by a byte after the other from the lowest on; short lists by insertion. Returns where the result
// is: in `columns` or in `spare`. A coarse body under a fine surface has thousands of entries in a row.
static const int32_t *sort_columns(int32_t *columns, int32_t *spare, int32_t count, int32_t end)
{
    if (count <= 48) {
        for (int32_t i = 1; i < count; ++i) {
            const int32_t column = columns[i];
            int32_t at = i;
            for (; at > 0 && columns[at - 1] > column; --at)
                columns[at] = columns[at - 1];
            columns[at] = column;
        }
        return columns;
    }
    for (int shift = 0; shift < 32 && end >> shift > 0; shift += 8) {
        int32_t next[257] = {0};
        for (int32_t i = 0; i < count; ++i)
            ++next[(columns[i] >> shift & 255) + 1];
        for (int byte = 0; byte < 256; ++byte)
            next[byte + 1] += next[byte];
        for (int32_t i = 0; i < count; ++i)
            spare[next[columns[i] >> shift & 255]++] = columns[i];
        int32_t *sorted = spare;
        spare = columns;
        columns = sorted;
    }
    return columns;
}

// The room of this thread for where a column of a row is among those that were named; -1: it was not yet.
static int32_t *column_slots(const BarrierContact *contact)
{
    return contact->slots + (size_t)omp_get_thread_num() * (size_t)contact->model->node_count;
}

// The columns of a row, each once and ascending, to where its entries have room; returns their number. Most are named by many pairs.
static int32_t find_columns(const BarrierContact *contact, int32_t row)
{
    int32_t *entries = contact->entries + contact->entry_start[row], *slots = column_slots(contact),
            count = 0;
    for (int32_t p = contact->node_start[row]; p < contact->node_start[row + 1]; ++p) {
        const int32_t k = contact->nodes[p] / contact->most_nodes,
                      own = contact->nodes[p] % contact->most_nodes;
        const PairNode *nodes = contact->pair_nodes + (size_t)contact->most_nodes * (size_t)k;
        for (int n = 0; n < contact->pairs[k].node_count; ++n)
            if (n != own && slots[nodes[n].place] < 0) {
                slots[nodes[n].place] = count;
                entries[count++] = nodes[n].place;
            }
    }
    for (int32_t e = 0; e < count; ++e)
        slots[entries[e]] = -1;
    const int32_t *sorted = sort_columns(entries, contact->spare_entries + contact->entry_start[row], count,
                                         contact->model->node_count);
    if (sorted != entries)
        memcpy(entries, sorted, (size_t)count * sizeof *entries);
    return count;
}

// Sums a row's blocks, those on the diagonal to `diagonal`, pair after pair: so each pair is read once a row.
static void sum_row(const BarrierContact *contact, int32_t row, double *diagonal)
{
    const int32_t first = contact->row_start[row], count = contact->row_end[row] - first;
    int32_t *columns = contact->columns + first, *slots = column_slots(contact);
    double(*values)[9] = contact->values + first;
    memcpy(columns, contact->entries + contact->entry_start[row], (size_t)count * sizeof *columns);
    memset(values, 0, (size_t)count * sizeof *values);
    for (int32_t e = 0; e < count; ++e)
        slots[columns[e]] = e;
    for (int32_t p = contact->node_start[row]; p < contact->node_start[row + 1]; ++p) {
        const int32_t k = contact->nodes[p] / contact->most_nodes,
                      own = contact->nodes[p] % contact->most_nodes;
        const PairNode *nodes = contact->pair_nodes + (size_t)contact->most_nodes * (size_t)k;
        for (int n = 0; n < contact->pairs[k].node_count; ++n)
            add_block(contact, k, &nodes[own], &nodes[n],
                      n == own ? diagonal : values[slots[nodes[n].place]]);
    }
    for (int32_t e = 0; e < count; ++e)
        slots[columns[e]] = -1;
}

static VelaResult build_blocks(BarrierContact *contact, BlockMatrix *matrix)
{
    const size_t most = (size_t)contact->entry_start[contact->model->node_count];
    TRY(ARENA_GROW(&contact->growing, contact->entries, &contact->entry_capacity, most));
    TRY(ARENA_GROW(&contact->growing, contact->spare_entries, &contact->spare_capacity, most));
#pragma omp parallel for schedule(dynamic, 16) num_threads(contact->threads)
    for (int32_t row = 0; row < matrix->row_count; ++row)
        contact->row_end[row] = find_columns(contact, row);
    int32_t blocks = 0;
    for (int32_t row = 0; row < matrix->row_count; ++row) {
        contact->row_start[row] = blocks;
        blocks = contact->row_end[row] += blocks;
    }
    TRY(ARENA_GROW(&contact->growing, contact->columns, &contact->column_capacity, (size_t)blocks));
    TRY(ARENA_GROW(&contact->growing, contact->values, &contact->value_capacity, (size_t)blocks + 1));
#pragma omp parallel for schedule(dynamic, 16) num_threads(contact->threads)
    for (int32_t row = 0; row < matrix->row_count; ++row)
        if (context_goes_on(contact->arena.context))
            sum_row(contact, row, matrix->values + 9 * (size_t)matrix->diagonal[row]);
    TRY(context_breathe(contact->arena.context));
    matrix->changing =
        (ChangingBlocks){contact->row_start, contact->row_end, contact->columns, contact->values};
    return VELA_OK;
}

VelaResult barrier_linearize(BarrierContact *contact, const double *x, const int32_t *places, bool project,
                             BlockMatrix *matrix, double *gradient)
{
    x = barrier_vertices(contact, x, contact->x);
    TRY(barrier_find_active(contact, x));
    matrix->changing = (ChangingBlocks){0};
    TRY(compute_pairs(contact, x, places, project));
    if (contact->pair_count == 0)
        return VELA_OK;
    TRY(sort_nodes(contact));
#pragma omp parallel for schedule(static) num_threads(contact->threads)
    for (int32_t place = 0; place < contact->model->node_count; ++place)
        for (int32_t p = contact->node_start[place]; p < contact->node_start[place + 1]; ++p) {
            const int32_t node = contact->nodes[p];
            add_gradient(contact, &contact->pairs[node / contact->most_nodes], &contact->pair_nodes[node],
                         gradient + 3 * (size_t)place);
        }
    return build_blocks(contact, matrix);
}
