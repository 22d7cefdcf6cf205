// Gradient and Hessian of contact and friction, from the vertices of pairs to the nodes that these follow from: with x_v = sum
// of w_va y_a, a node's gradient is the sum of w_va g_v and the block of two nodes the sum of w_va w_ub H_vu, over the pairs in
// their order and within a pair over its vertices in theirs.
#include "device/cpu/contact/barrier_matrix.h"

#include <omp.h>
#include <string.h>

// ---------------------------------------------------------------- pairs

// Derivatives of a contact that rubs, at the vertex positions x; `from`: what friction measures from.
static void compute_friction(const BarrierContact *contact, FrictionContact *friction, const double *x,
                             const double *from, PairStiffness *own)
{
    double at[12], base[12];
    gather_vertices(friction->vertices, x, at);
    gather_vertices(friction->vertices, from, base);
    friction_follow(friction, &contact->law, at, base);
    memcpy(own->shared.weights, friction->weights, sizeof friction->weights);
    friction_hessian(friction, &contact->law, at, base, own->pull, own->shared.block);
}

// Those of active candidate number k, which is none of nearly parallel edges.
static PairForm compute_candidate(BarrierContact *contact, int32_t k, const double *x, bool project)
{
    const Candidate candidate = barrier_active(contact, k);
    const ActiveCandidate *active = &contact->active[k];
    PairStiffness *own = &contact->stiffnesses[active->number];
    PairBarrierState state;
    double at[12];
    gather_vertices(candidate.vertices, x, at);
    return candidate_hessian(&candidate, at, &contact->closest[active->place], project, own->pull,
                             &own->shared, &contact->turnings[active->number], &state);
}

// Makes nearly parallel edges number w the ones of a lane, and sets their gradient.
static void set_parallel(BarrierContact *contact, int32_t w, const double *x, int lane, ParallelPairs *pairs)
{
    double *gradient = contact->whole[w].gradient, at[12];
    PairBarrierState state;
    memset(gradient, 0, sizeof contact->whole[w].gradient);
    parallel_pairs_clear(lane, pairs);
    if (w >= contact->whole_count)
        return;
    const int32_t k = contact->whole_active[w];
    const Candidate candidate = barrier_active(contact, k);
    gather_vertices(candidate.vertices, x, at);
    if (!pair_barrier_state_of(&candidate.barrier, at, &contact->closest[contact->active[k].place], &state))
        return;
    pair_barrier_state_gradient(&candidate.barrier, at, &state, gradient);
    parallel_pairs_set(&candidate.barrier, at, &state, lane, pairs);
}

// Of nearly parallel edges number LANE_COUNT b and those behind it.
static void compute_parallel(BarrierContact *contact, int32_t b, const double *x, bool project)
{
    double(*hessians[LANE_COUNT])[PARALLEL_BLOCKS][9];
    ParallelPairs pairs;
    for (int lane = 0; lane < LANE_COUNT; ++lane) {
        hessians[lane] = &contact->whole[LANE_COUNT * b + lane].hessian;
        set_parallel(contact, LANE_COUNT * b + lane, x, lane, &pairs);
    }
    contact->kernels->parallel_hessians(&pairs, project, hessians);
}

// Where a pair's nodes, and what is said of them, are.
static PairNode *nodes_of(const BarrierContact *contact, int32_t k)
{
    return contact->pair_nodes + (size_t)contact->most_nodes * (size_t)k;
}

static NodeWeights *weights_of(const BarrierContact *contact, int32_t k)
{
    return contact->node_weights + (size_t)contact->most_nodes * (size_t)k;
}

// NULL: nearly parallel edges.
static const PairStiffness *stiffness_of(const BarrierContact *contact, const ActivePair *pair)
{
    return pair->form == PAIR_WHOLE ? NULL : &contact->stiffnesses[pair->number];
}

// NULL: nothing turns.
static const TurningStiffness *turning_of(const BarrierContact *contact, const ActivePair *pair)
{
    return pair->form == PAIR_TURNING ? &contact->turnings[pair->number] : NULL;
}

// Adds how a vertex follows from a node, by `weight`.
static void add_weight(const PairStiffness *own, const TurningStiffness *turning, int corner, double weight,
                       NodeWeights *node)
{
    node->weights[corner] += weight;
    if (own)
        node->weight += weight * own->shared.weights[corner];
    if (turning)
        add_scaled3(node->side, weight, turning->sides[corner], node->side);
}

// The nodes of the vertices that take part, in the order in which vertices name them. Most are a vertex, and nothing more need be said of
// them: a pair is read by every row that it adds to. `own` NULL: nearly parallel edges; `turning` NULL: nothing turns. Returns their number.
static uint8_t find_pair_nodes(const SurfaceMap *map, const int32_t *places, const int32_t vertices[4],
                               const PairStiffness *own, const TurningStiffness *turning, PairNode *nodes,
                               NodeWeights *weights)
{
    int count = 0;
    for (int c = 0; c < 4; ++c) {
        const int32_t first = map->starts[vertices[c]], end = map->starts[vertices[c] + 1];
        const bool takes_part = !own || own->shared.weights[c] != 0,
                   is_node = end == first + 1 && map->weights[first] == 1;
        for (int32_t i = first; i < end && takes_part; ++i) {
            const int32_t place = places[map->nodes[i]];
            int n = 0;
            while (n < count && nodes[n].place != place)
                ++n;
            if (n == count) {
                nodes[count++] = (PairNode){.place = place, .corner = is_node ? c : -1};
                if (is_node)
                    continue;
                weights[n] = (NodeWeights){0};
            } else if (nodes[n].corner >= 0) { // one vertex more that follows from this node
                weights[n] = (NodeWeights){0};
                add_weight(own, turning, nodes[n].corner, 1, &weights[n]);
                nodes[n].corner = -1;
            }
            add_weight(own, turning, c, map->weights[i], &weights[n]);
        }
    }
    return (uint8_t)count;
}

/// What compute_pair needs beside the pair's number.
typedef struct PairsAt {
    const double *x, *from; ///< vertices, and what friction measures from
    const int32_t *places;  ///< of nodes
    bool project;
} PairsAt;

static void compute_pair(BarrierContact *contact, const PairsAt *at, int32_t k)
{
    ActivePair *pair = &contact->pairs[k];
    const int32_t *vertices;
    if (k < contact->active_count) {
        const ActiveCandidate *active = &contact->active[k];
        vertices = active->candidate->vertices;
        *pair = (ActivePair){PAIR_WHOLE, active->number};
        if (active->is_parallel) // computed with others
            contact->whole_active[active->number] = k;
        else
            pair->form = compute_candidate(contact, k, at->x, at->project);
    } else {
        FrictionContact *friction = &contact->friction[contact->rubbing[k - contact->active_count]];
        vertices = friction->vertices;
        *pair = (ActivePair){PAIR_SHARED, k - contact->whole_count};
        compute_friction(contact, friction, at->x, at->from, &contact->stiffnesses[pair->number]);
    }
    contact->node_counts[k] =
        find_pair_nodes(&contact->model->surface.map, at->places, vertices, stiffness_of(contact, pair),
                        turning_of(contact, pair), nodes_of(contact, k), weights_of(contact, k));
}

static VelaResult compute_pairs(BarrierContact *contact, const double *x, const int32_t *places, bool project)
{
    VelaContext *context = contact->arena.context;
    PairsAt at = {.x = x, .from = contact->from, .places = places, .project = project};
    TRY(ARENA_GROW(&contact->growing, contact->rubbing, &contact->rubbing_capacity,
                   (size_t)contact->friction_count));
    contact->pair_count = contact->active_count;
    for (int32_t k = 0; k < contact->friction_count; ++k)
        if (any_moves(contact->moving, contact->friction[k].vertices))
            contact->rubbing[contact->pair_count++ - contact->active_count] = k;
    const size_t pairs = (size_t)contact->pair_count;
    TRY(ARENA_GROW_FILLED(&contact->growing, contact->pairs, &contact->pair_capacity, pairs));
    TRY(ARENA_GROW_FILLED(&contact->growing, contact->pair_nodes, &contact->pair_node_capacity,
                          pairs * (size_t)contact->most_nodes));
    TRY(ARENA_GROW_FILLED(&contact->growing, contact->node_counts, &contact->node_count_capacity, pairs));
    TRY(ARENA_GROW(&contact->growing, contact->node_weights, &contact->node_weight_capacity,
                   pairs * (size_t)contact->most_nodes));
    TRY(ARENA_GROW_FILLED(&contact->growing, contact->stiffnesses, &contact->stiffness_capacity,
                          (size_t)(contact->pair_count - contact->whole_count)));
    TRY(ARENA_GROW_FILLED(&contact->growing, contact->turnings, &contact->turning_capacity,
                          (size_t)(contact->active_count - contact->whole_count)));
    TRY(ARENA_GROW_FILLED(&contact->growing, contact->whole_active, &contact->whole_active_capacity,
                          (size_t)contact->whole_count));
    const int32_t bundles = (contact->whole_count + LANE_COUNT - 1) / LANE_COUNT;
    TRY(ARENA_GROW_FILLED(&contact->growing, contact->whole, &contact->whole_capacity,
                          (size_t)bundles * LANE_COUNT));
    TeamLoop loop, of_parallel;
    team_loop_set(&loop, contact->pair_count, BARRIER_BUNDLE, contact->threads);
    team_loop_set(&of_parallel, bundles, 1, contact->threads);
    Team team = {0};
#pragma omp parallel num_threads(contact->threads) if (contact->pair_count > BARRIER_BUNDLE)
    {
        for (TeamWalk walk = {0}; team_loop_next(&loop, &walk);) {
            const bool goes_on = context_goes_on(context);
            for (int32_t k = walk.first; goes_on && k < walk.end; ++k)
                compute_pair(contact, &at, k);
        }
        team_wait(&team);
        for (TeamWalk walk = {0}; team_loop_next(&of_parallel, &walk);)
            if (context_goes_on(context))
                compute_parallel(contact, walk.first, x, project);
    }
    return context_breathe(context);
}

// How vertex `corner` of a pair follows from its node number n.
static double corner_weight(const PairNode *nodes, const NodeWeights *weights, int n, int corner)
{
    return nodes[n].corner >= 0 ? nodes[n].corner == corner : weights[n].weights[corner];
}

// Adds the gradient at node number n of pair k.
static void add_gradient(const BarrierContact *contact, int32_t k, int n, double gradient[3])
{
    const ActivePair *pair = &contact->pairs[k];
    const PairNode *nodes = nodes_of(contact, k);
    const NodeWeights *weights = weights_of(contact, k);
    const PairStiffness *stiffness = stiffness_of(contact, pair);
    if (stiffness) {
        add_scaled3(gradient,
                    nodes[n].corner >= 0 ? stiffness->shared.weights[nodes[n].corner] : weights[n].weight,
                    stiffness->pull, gradient);
        return;
    }
    for (int c = 0; c < 4; ++c)
        add_scaled3(gradient, corner_weight(nodes, weights, n, c),
                    contact->whole[pair->number].gradient + 3 * c, gradient);
}

// A of the terms that turn, of two nodes.
static double sum_along(const TurningStiffness *turning, const PairNode *nodes, const NodeWeights *weights,
                        int row, int column)
{
    if (nodes[row].corner >= 0 && nodes[column].corner >= 0)
        return turning->along[4 * nodes[row].corner + nodes[column].corner];
    double sum = 0;
    for (int c = 0; c < 4; ++c)
        for (int other = 0; other < 4; ++other)
            sum += corner_weight(nodes, weights, row, c) * corner_weight(nodes, weights, column, other) *
                   turning->along[4 * c + other];
    return sum;
}

// Where a row's blocks with other columns are: the room of a thread says which of `values` a place has.
typedef struct Row {
    int32_t place;
    double *diagonal;
    double (*values)[9];
    const int32_t *slots;
} Row;

// Where the row's block with a node goes. NULL: it is the transpose of one in another row.
static double *block_of(const Row *row, const PairNode *node)
{
    return node->place == row->place  ? row->diagonal
           : node->place > row->place ? row->values[row->slots[node->place]]
                                      : NULL;
}

// Those of nearly parallel edges.
static void add_whole_row(const BarrierContact *contact, int32_t k, int own, const Row *row)
{
    const WholePair *whole = &contact->whole[contact->pairs[k].number];
    const PairNode *nodes = nodes_of(contact, k);
    const NodeWeights *weights = weights_of(contact, k);
    double of_own[3][9] = {{0}};
    for (int c = 0; c < 4; ++c) {
        const double weight = corner_weight(nodes, weights, own, c);
        if (weight != 0)
            parallel_row_add(whole->hessian, c, weight, of_own);
    }
    for (int n = 0; n < contact->node_counts[k]; ++n) {
        double *block = block_of(row, &nodes[n]);
        for (int c = 0; c < 4 && block; ++c) {
            const double weight = corner_weight(nodes, weights, n, c);
            if (weight != 0)
                parallel_block_add((const double(*)[9])of_own, c, weight, block);
        }
    }
}

// Node number n of a pair.
static PairEnd end_of(const PairStiffness *stiffness, const TurningStiffness *turning, const PairNode *nodes,
                      const NodeWeights *weights, int n)
{
    const int corner = nodes[n].corner;
    return corner >= 0 ? (PairEnd){stiffness->shared.weights[corner], turning ? turning->sides[corner] : NULL}
                       : (PairEnd){weights[n].weight, weights[n].side};
}

// Adds the blocks of node number `own` of pair k with those of its nodes that are not before it.
static void add_row(const BarrierContact *contact, int32_t k, int own, const Row *row)
{
    const ActivePair *pair = &contact->pairs[k];
    const PairStiffness *stiffness = stiffness_of(contact, pair);
    if (!stiffness) {
        add_whole_row(contact, k, own, row);
        return;
    }
    const PairNode *nodes = nodes_of(contact, k);
    const NodeWeights *weights = weights_of(contact, k);
    const TurningStiffness *turning = turning_of(contact, pair);
    const double *normal = turning ? turning->normal : NULL;
    const PairEnd end = end_of(stiffness, turning, nodes, weights, own);
    double common[9];
    pair_row_common(&stiffness->shared, normal, end, common);
    for (int n = 0; n < contact->node_counts[k]; ++n) {
        double *block = block_of(row, &nodes[n]);
        if (block)
            pair_row_add(common, normal, turning ? sum_along(turning, nodes, weights, own, n) : 0, end.weight,
                         end_of(stiffness, turning, nodes, weights, n), block);
    }
}

// ---------------------------------------------------------------- rows

// The room of a thread: a number for every place, which is -1 but where somebody works with it.
static int32_t *room_of(const BarrierContact *contact, int thread)
{
    return contact->slots + (size_t)thread * (size_t)contact->model->node_count;
}

/// So few pairs are sorted by one thread.
enum { PAIRS_SORTED_ALONE = 1000 };

static int sorter_count(const BarrierContact *contact)
{
    return contact->pair_count > PAIRS_SORTED_ALONE ? contact->threads : 1;
}

// The first pair that a sorter sorts.
static int32_t sorted_from(const BarrierContact *contact, int32_t sorter)
{
    return (int32_t)((int64_t)contact->pair_count * sorter / sorter_count(contact));
}

// How many nodes the sorters' pairs have at each place, each to its room.
static void count_nodes(void *data, int32_t first, int32_t end)
{
    const BarrierContact *contact = data;
    for (int32_t sorter = first; sorter < end; ++sorter) {
        int32_t *counts = room_of(contact, sorter);
        memset(counts, 0, (size_t)contact->model->node_count * sizeof *counts);
        for (int32_t k = sorted_from(contact, sorter); k < sorted_from(contact, sorter + 1); ++k)
            for (int n = 0; n < contact->node_counts[k]; ++n)
                ++counts[nodes_of(contact, k)[n].place];
    }
}

// Puts the nodes of the sorters' pairs to where their rooms say.
static void put_nodes(void *data, int32_t first, int32_t end)
{
    BarrierContact *contact = data;
    for (int32_t sorter = first; sorter < end; ++sorter) {
        int32_t *next = room_of(contact, sorter);
        for (int32_t k = sorted_from(contact, sorter); k < sorted_from(contact, sorter + 1); ++k)
            for (int n = 0; n < contact->node_counts[k]; ++n)
                contact->nodes[next[nodes_of(contact, k)[n].place]++] = contact->most_nodes * k + n;
    }
}

// The sorters' rooms are as everybody finds them.
static void clear_rooms(void *data, int32_t first, int32_t end)
{
    BarrierContact *contact = data;
    for (int32_t sorter = first; sorter < end; ++sorter)
        memset(room_of(contact, sorter), -1, (size_t)contact->model->node_count * sizeof *contact->slots);
}

// Sorts the nodes of the pairs by place, those of one place in the order of the pairs: every sorter takes pairs that follow one another, and
// puts theirs behind those of the sorters before it.
static VelaResult sort_nodes(BarrierContact *contact)
{
    const int32_t places = contact->model->node_count, sorters = sorter_count(contact);
    int32_t sum = 0;
    team_ranges(sorters, sorters, 1, count_nodes, contact);
    for (int32_t place = 0; place < places; ++place) {
        contact->node_start[place] = sum;
        for (int sorter = 0; sorter < sorters; ++sorter) {
            int32_t *next = &room_of(contact, sorter)[place];
            const int32_t count = *next;
            *next = sum;
            sum += count;
        }
    }
    contact->node_start[places] = sum;
    const VelaResult result =
        ARENA_GROW_FILLED(&contact->growing, contact->nodes, &contact->node_capacity, (size_t)sum);
    if (result == VELA_OK)
        team_ranges(sorters, sorters, 1, put_nodes, contact);
    team_ranges(sorters, sorters, 1, clear_rooms, contact);
    return result;
}

// For each place how many entries its row may have.
static void count_entries(void *data, int32_t first, int32_t end)
{
    BarrierContact *contact = data;
    for (int32_t place = first; place < end; ++place) {
        int32_t *count = &contact->entry_start[place + 1];
        *count = 0;
        for (int32_t p = contact->node_start[place]; p < contact->node_start[place + 1]; ++p)
            *count += contact->node_counts[contact->nodes[p] / contact->most_nodes] - 1;
    }
}

// Makes room for the rows: a node has an entry, a column, for every other node of its pair.
static void place_entries(BarrierContact *contact)
{
    const int32_t places = contact->model->node_count;
    int32_t *start = contact->entry_start;
    start[0] = 0;
    team_ranges(contact->threads, places, TEAM_LIGHT_LEAST, count_entries, contact);
    for (int32_t place = 0; place < places; ++place)
        start[place + 1] += start[place];
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

// The columns of a row, each once and ascending, to where its entries have room; returns their number. Most are named by many pairs.
static int32_t find_columns(const BarrierContact *contact, int32_t row)
{
    int32_t *entries = contact->entries + contact->entry_start[row],
            *slots = room_of(contact, omp_get_thread_num()), count = 0;
    for (int32_t p = contact->node_start[row]; p < contact->node_start[row + 1]; ++p) {
        const int32_t k = contact->nodes[p] / contact->most_nodes,
                      own = contact->nodes[p] % contact->most_nodes;
        const PairNode *nodes = nodes_of(contact, k);
        for (int n = 0; n < contact->node_counts[k]; ++n)
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

// Sums the gradient at a place.
static void sum_gradient(const BarrierContact *contact, int32_t place, double gradient[3])
{
    for (int32_t p = contact->node_start[place]; p < contact->node_start[place + 1]; ++p)
        add_gradient(contact, contact->nodes[p] / contact->most_nodes,
                     contact->nodes[p] % contact->most_nodes, gradient);
}

// Sums a row's gradient and blocks, those on the diagonal to `diagonal`, pair after pair: so each pair is read once a row. Blocks with places before
// the row's are left at 0.
static void sum_row(const BarrierContact *contact, int32_t row, double gradient[3], double *diagonal)
{
    const int32_t first = contact->row_start[row], count = contact->row_end[row] - first;
    int32_t *columns = contact->columns + first, *slots = room_of(contact, omp_get_thread_num());
    const Row sums = {row, diagonal, contact->values + first, slots};
    memcpy(columns, contact->entries + contact->entry_start[row], (size_t)count * sizeof *columns);
    memset(sums.values, 0, (size_t)count * sizeof *sums.values);
    for (int32_t e = 0; e < count; ++e)
        slots[columns[e]] = e;
    for (int32_t p = contact->node_start[row]; p < contact->node_start[row + 1]; ++p) {
        const int32_t k = contact->nodes[p] / contact->most_nodes,
                      own = contact->nodes[p] % contact->most_nodes;
        add_gradient(contact, k, own, gradient);
        add_row(contact, k, own, &sums);
    }
    for (int32_t e = 0; e < count; ++e)
        slots[columns[e]] = -1;
    for (int a = 0; a < 3; ++a) // as all of the matrix; sums are so but for rounding
        for (int b = 0; b < a; ++b)
            diagonal[3 * b + a] = diagonal[3 * a + b] = 0.5 * (diagonal[3 * a + b] + diagonal[3 * b + a]);
}

// Sets a row's blocks with places before its own: the transposes of theirs with it.
static void mirror_row(const BarrierContact *contact, int32_t row)
{
    const int32_t *columns = contact->columns;
    for (int32_t e = contact->row_start[row]; e < contact->row_end[row] && columns[e] < row; ++e) {
        int32_t low = contact->row_start[columns[e]], high = contact->row_end[columns[e]];
        while (high - low > 1) {
            const int32_t middle = low + (high - low) / 2;
            if (columns[middle] <= row)
                low = middle;
            else
                high = middle;
        }
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                contact->values[e][3 * b + a] = contact->values[low][3 * a + b];
    }
}

static VelaResult build_rows(BarrierContact *contact, BlockMatrix *matrix, double *gradient)
{
    const size_t most = (size_t)contact->entry_start[contact->model->node_count];
    TRY(ARENA_GROW(&contact->growing, contact->entries, &contact->entry_capacity, most));
    TRY(ARENA_GROW(&contact->growing, contact->spare_entries, &contact->spare_capacity, most));
    TeamLoop of_columns, of_sums;
    team_loop_set(&of_columns, matrix->row_count, BARRIER_BUNDLE, contact->threads);
    team_loop_set(&of_sums, matrix->row_count, BARRIER_BUNDLE, contact->threads);
#pragma omp parallel num_threads(contact->threads)
    for (TeamWalk walk = {0}; team_loop_next(&of_columns, &walk);)
        for (int32_t row = walk.first; row < walk.end; ++row)
            contact->row_end[row] = find_columns(contact, row);
    int32_t blocks = 0;
    for (int32_t row = 0; row < matrix->row_count; ++row) {
        contact->row_start[row] = blocks;
        blocks = contact->row_end[row] += blocks;
    }
    TRY(ARENA_GROW_FILLED(&contact->growing, contact->columns, &contact->column_capacity, (size_t)blocks));
    TRY(ARENA_GROW_FILLED(&contact->growing, contact->values, &contact->value_capacity, (size_t)blocks + 1));
    Team team = {0};
#pragma omp parallel num_threads(contact->threads)
    {
#pragma omp for schedule(static) nowait
        for (int32_t place = matrix->row_count; place < contact->model->node_count; ++place) // held: no rows
            sum_gradient(contact, place, gradient + 3 * (size_t)place);
        for (TeamWalk walk = {0}; team_loop_next(&of_sums, &walk);) {
            const bool goes_on = context_goes_on(contact->arena.context);
            for (int32_t row = walk.first; goes_on && row < walk.end; ++row)
                sum_row(contact, row, gradient + 3 * (size_t)row,
                        matrix->values + 9 * (size_t)matrix->diagonal[row]);
        }
        team_wait(&team);
        const bool stops = contact->arena.context->stops; // then there may be rows without columns
#pragma omp for schedule(static) nowait
        for (int32_t row = 0; row < matrix->row_count; ++row)
            if (!stops)
                mirror_row(contact, row);
    }
    TRY(context_breathe(contact->arena.context));
    matrix->changing =
        (ChangingBlocks){contact->row_start, contact->row_end, contact->columns, contact->values};
    return VELA_OK;
}

VelaResult barrier_linearize(BarrierContact *contact, const double *x, const int32_t *places, bool project,
                             BlockMatrix *matrix, double *gradient)
{
    x = barrier_vertices(contact, x, contact->x);
    TRY(barrier_fit_list(contact));
    TRY(barrier_find_active(contact, x));
    matrix->changing = (ChangingBlocks){0};
    TRY(compute_pairs(contact, x, places, project));
    if (contact->pair_count == 0)
        return VELA_OK;
    TRY(sort_nodes(contact));
    place_entries(contact);
    return build_rows(contact, matrix, gradient);
}
