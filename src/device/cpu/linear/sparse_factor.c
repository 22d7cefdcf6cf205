#include "device/cpu/linear/sparse_factor.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/// A front of fewer multiplications is not worth the threads' meetings.
static const double SHARED_LEAST = 1e6;

SparseFactor sparse_factor_make(VelaContext *context, const FrontKernels *kernels, int threads)
{
    return (SparseFactor){.kernels = kernels, .threads = threads, .arena = arena_make(context)};
}

void sparse_factor_clear(SparseFactor *factor)
{
    arena_clear(&factor->arena);
}

// The thread that has assembled most of a subtree's rows: shares of rows ascend.
static int home_of(const Elimination *elimination, const EliminationSubtree *subtree, int threads)
{
    const int32_t first = elimination->fronts[subtree->first].first,
                  end = elimination->fronts[subtree->end - 1].end;
    int64_t sum = 0;
    for (int32_t place = first; place < end; ++place)
        sum += elimination->nodes[place];
    return (int)(sum * threads / ((int64_t)(end - first) * elimination->node_count));
}

VelaResult sparse_factor_set(SparseFactor *factor, Elimination *elimination)
{
    Arena *arena = &factor->arena;
    size_t *room = factor->room;
    const size_t threads = (size_t)factor->threads, fronts = (size_t)elimination->front_count,
                 places = (size_t)elimination->node_count, dense = FRONT_BLOCK * (size_t)elimination->largest;
    factor->elimination = elimination;
    // A front without a border leaves nothing, but has a place.
    TRY(ARENA_GROW_FILLED(arena, factor->panels, &room[FACTOR_PANELS], (size_t)elimination->panels));
    TRY(ARENA_GROW_FILLED(arena, factor->rests, &room[FACTOR_RESTS], (size_t)elimination->rests + 1));
    TRY(ARENA_GROW_FILLED(arena, factor->carries, &room[FACTOR_CARRIES], (size_t)elimination->carries + 1));
    TRY(ARENA_GROW_FILLED(arena, factor->rows, &room[FACTOR_ROWS], threads * places));
    TRY(ARENA_GROW_FILLED(arena, factor->top, &room[FACTOR_TOP], fronts));
    TRY(ARENA_GROW_FILLED(arena, factor->values, &room[FACTOR_VALUES], 3 * places));
    TRY(ARENA_GROW_FILLED(arena, factor->dense, &room[FACTOR_DENSE], threads * dense));
    TRY(ARENA_GROW_FILLED(arena, factor->runners, &room[FACTOR_RUNNERS], fronts));
    for (int32_t k = 0; k < elimination->subtree_count; ++k)
        factor->runners[k].home = home_of(elimination, &elimination->subtrees[k], factor->threads);
    return VELA_OK;
}

static DenseFront dense_front(const SparseFactor *factor, const EliminationFront *front)
{
    return (DenseFront){.own = front->own,
                        .border = front->border,
                        .panel = factor->panels + front->panel,
                        .pivots = factor->panels + front->pivots,
                        .rest = factor->rests + front->room};
}

// What a thread works with.
static int32_t *rows_of_thread(const SparseFactor *factor)
{
    return factor->rows + (size_t)omp_get_thread_num() * (size_t)factor->elimination->node_count;
}

static double *dense_of_thread(const SparseFactor *factor)
{
    return factor->dense + FRONT_BLOCK * (size_t)factor->elimination->largest * (size_t)omp_get_thread_num();
}

// ---------------------------------------------------------------- factor

// Where a front's places have their dense rows.
static void set_rows(const Elimination *elimination, const EliminationFront *front, int32_t *rows)
{
    const int32_t *border = elimination->borders + front->border_start;
    for (int32_t place = front->first; place < front->end; ++place)
        rows[place] = 3 * (place - front->first);
    for (int32_t k = 0; k < front->border_count; ++k)
        rows[border[k]] = FRONT_BLOCK * front->own + 3 * k;
}

// Adds the blocks (node, column) of later columns to the panel, transposed.
static void add_blocks(const Elimination *elimination, const DenseFront *dense, const int32_t *rows,
                       int32_t place, int32_t nodes, const int32_t *columns, const double *values,
                       int32_t count)
{
    const int32_t own = rows[place];
    for (int32_t p = 0; p < count; ++p, values += 9) {
        if (columns[p] >= nodes || elimination->places[columns[p]] < place)
            continue;
        const int32_t row = rows[elimination->places[columns[p]]];
        for (int k = 0; k < 3; ++k) {
            double *to = dense->panel + FRONT_TILE * (int64_t)((row + k) / FRONT_BLOCK) * dense->own +
                         FRONT_BLOCK * own + (row + k) % FRONT_BLOCK;
            for (int l = 0; l < 3; ++l)
                to[FRONT_BLOCK * l] += values[3 * k + l];
        }
    }
}

// The matrix's part of a front; unknowns that fill up its last block are apart from all others.
static void begin_front(const SparseFactor *factor, const EliminationFront *front, const DenseFront *dense,
                        const BlockMatrix *matrix, int32_t *rows)
{
    const Elimination *elimination = factor->elimination;
    const ChangingBlocks *changing = &matrix->changing;
    const int64_t stride = FRONT_TILE * (int64_t)front->own;
    memset(dense->panel, 0, (size_t)(stride * (front->own + front->border)) * sizeof *dense->panel);
    for (int32_t k = 3 * (front->end - front->first); k < FRONT_BLOCK * front->own; ++k)
        dense->panel[stride * (k / FRONT_BLOCK) + FRONT_BLOCK * k + k % FRONT_BLOCK] = 1;
    set_rows(elimination, front, rows);
    for (int32_t place = front->first; place < front->end; ++place) {
        const int32_t node = elimination->nodes[place], start = matrix->row_start[node];
        add_blocks(elimination, dense, rows, place, matrix->row_count, matrix->columns + start,
                   matrix->values + 9 * (size_t)start, matrix->row_start[node + 1] - start);
        if (changing->row_start)
            add_blocks(elimination, dense, rows, place, matrix->row_count,
                       changing->columns + changing->row_start[node],
                       changing->values[changing->row_start[node]],
                       changing->row_end[node] - changing->row_start[node]);
    }
}

// Adds a row block of what a child has left: its columns that the front eliminates, or the others. Its border is in the same order as here.
static void add_child_rows(const SparseFactor *factor, const EliminationFront *front, const DenseFront *dense,
                           const EliminationFront *child, int32_t block, bool eliminated, const int32_t *rows)
{
    const int32_t *border = factor->elimination->borders + child->border_start;
    const int32_t own = FRONT_BLOCK * front->own, first = FRONT_BLOCK * block,
                  left = 3 * child->border_count - first, count = left < FRONT_BLOCK ? left : FRONT_BLOCK;
    const double *from = factor->rests + child->rest + FRONT_TILE * ((int64_t)block * (block + 1) / 2);
    double *to[FRONT_BLOCK]; // the front's row, from column 0 on
    int32_t start = 0;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t row = rows[border[(first + i) / 3]] + (first + i) % 3;
        if (eliminated)
            to[i] = dense->panel + FRONT_TILE * (int64_t)(row / FRONT_BLOCK) * front->own + row % FRONT_BLOCK;
        else if (row < own)
            start = i + 1;
        else
            to[i] =
                front_rest(dense, (row - own) / FRONT_BLOCK) + row % FRONT_BLOCK - FRONT_BLOCK * (int64_t)own;
    }
    for (int32_t c = 0; c < first + count && start < count; ++c, from += FRONT_BLOCK) {
        const int32_t column = rows[border[c / 3]] + c % 3;
        if ((column < own) != eliminated) {
            if (eliminated)
                break;
            continue;
        }
        for (int32_t i = c - first > start ? c - first : start; i < count; ++i)
            to[i][FRONT_BLOCK * (int64_t)column] += from[i];
    }
}

static void add_children(const SparseFactor *factor, const EliminationFront *front, const DenseFront *dense,
                         bool eliminated, const int32_t *rows)
{
    const EliminationFront *fronts = factor->elimination->fronts;
    for (int32_t c = front->first_child; c >= 0; c = fronts[c].next_sibling)
        for (int32_t block = 0; block < fronts[c].border; ++block)
            add_child_rows(factor, front, dense, &fronts[c], block, eliminated, rows);
}

// L^-1 of the right-hand side, for one front; what its border takes from it goes to the parent.
static void solve_forward(const SparseFactor *factor, const EliminationFront *front, const DenseFront *dense,
                          const int32_t *rows, const double *right)
{
    const Elimination *elimination = factor->elimination;
    double *x = dense_of_thread(factor), *carry = factor->carries + front->carry;
    const int32_t own = FRONT_BLOCK * front->own;
    memset(x, 0, (size_t)own * sizeof *x);
    memset(carry, 0, FRONT_BLOCK * (size_t)front->border * sizeof *carry);
    for (int32_t place = front->first; place < front->end; ++place)
        memcpy(x + 3 * (place - front->first), right + 3 * (size_t)elimination->nodes[place], 3 * sizeof *x);
    for (int32_t c = front->first_child; c >= 0; c = elimination->fronts[c].next_sibling) {
        const EliminationFront *child = &elimination->fronts[c];
        const int32_t *border = elimination->borders + child->border_start;
        const double *left = factor->carries + child->carry;
        for (int32_t k = 0; k < child->border_count; ++k) {
            const int32_t row = rows[border[k]];
            for (int l = 0; l < 3; ++l)
                *(row < own ? x + row + l : carry + row - own + l) += left[3 * k + l];
        }
    }
    factor->kernels->forward(dense, x, carry);
    memcpy(factor->values + 3 * (size_t)front->first, x, 3 * (size_t)(front->end - front->first) * sizeof *x);
}

// By one thread.
static bool factor_front(const SparseFactor *factor, const EliminationFront *front, const BlockMatrix *matrix,
                         const double *right)
{
    const DenseFront dense = dense_front(factor, front);
    int32_t *rows = rows_of_thread(factor);
    bool good = true;
    begin_front(factor, front, &dense, matrix, rows);
    add_children(factor, front, &dense, true, rows);
    for (int32_t column = 0; column < front->own; ++column)
        good &= factor->kernels->factor(&dense, column, column, front->own + front->border);
    solve_forward(factor, front, &dense, rows, right); // while the front is in the cache
    factor->kernels->update(&dense, 0, front->border);
    add_children(factor, front, &dense, false, rows);
    memmove(factor->rests + front->rest, dense.rest,
            sizeof(double) * FRONT_TILE * (size_t)front->border * (size_t)(front->border + 1) / 2);
    return good;
}

// add_children by all threads of the region: rows of one child go to different rows.
static void share_children(SparseFactor *factor, const EliminationFront *front, const DenseFront *dense,
                           bool eliminated, const int32_t *rows)
{
    const EliminationFront *fronts = factor->elimination->fronts;
    for (int32_t c = front->first_child; c >= 0; c = fronts[c].next_sibling) {
#pragma omp for schedule(dynamic) nowait
        for (int32_t block = 0; block < fronts[c].border; ++block)
            add_child_rows(factor, front, dense, &fronts[c], block, eliminated, rows);
        team_wait(&factor->team);
    }
}

// By all threads of the region.
static bool share_front(SparseFactor *factor, const EliminationFront *front, const BlockMatrix *matrix,
                        const double *right)
{
    const DenseFront dense = dense_front(factor, front);
    const int32_t blocks = front->own + front->border;
    int32_t *rows = rows_of_thread(factor);
    bool good = true;
#pragma omp master
    begin_front(factor, front, &dense, matrix, rows);
    team_wait(&factor->team);
    set_rows(factor->elimination, front, rows);
    share_children(factor, front, &dense, true, rows);
    for (int32_t column = 0; column < front->own; ++column) {
#pragma omp for schedule(static, 1) nowait
        for (int share = 0; share < factor->threads; ++share) {
            const int32_t count = blocks - column;
            good &= factor->kernels->factor(&dense, column, column + count * share / factor->threads,
                                            column + count * (share + 1) / factor->threads);
        }
        team_wait(&factor->team);
    }
#pragma omp single nowait
    solve_forward(factor, front, &dense, rows, right);
#pragma omp for schedule(dynamic) nowait
    for (int32_t block = 0; block < front->border; ++block)
        factor->kernels->update(&dense, block, block + 1);
    team_wait(&factor->team);
    share_children(factor, front, &dense, false, rows);
    return good;
}

// L^-T of what a front has, and the solution of its nodes in the matrix's order.
static void solve_backward(SparseFactor *factor, const EliminationFront *front, double *solution)
{
    const Elimination *elimination = factor->elimination;
    const int32_t *border = elimination->borders + front->border_start;
    const DenseFront dense = dense_front(factor, front);
    double *x = dense_of_thread(factor), *values = factor->values;
    memset(x, 0, FRONT_BLOCK * (size_t)(front->own + front->border) * sizeof *x);
    memcpy(x, values + 3 * (size_t)front->first, 3 * (size_t)(front->end - front->first) * sizeof *x);
    for (int32_t k = 0; k < front->border_count; ++k)
        memcpy(x + FRONT_BLOCK * front->own + 3 * k, values + 3 * (size_t)border[k], 3 * sizeof *x);
    factor->kernels->backward(&dense, x);
    for (int32_t place = front->first; place < front->end; ++place, x += 3) {
        memcpy(values + 3 * (size_t)place, x, 3 * sizeof *x);
        memcpy(solution + 3 * (size_t)elimination->nodes[place], x, 3 * sizeof *x);
    }
}

// A front that is not positive definite is counted.
static void count_bad(SparseFactor *factor, bool good)
{
    if (!good)
        atomic_fetch_add_explicit(&factor->bad, 1, memory_order_relaxed);
}

// A subtree, and what above it waits for nothing else.
static void factor_subtree(SparseFactor *factor, const EliminationSubtree *subtree, const BlockMatrix *matrix,
                           const double *right)
{
    const EliminationFront *fronts = factor->elimination->fronts;
    for (int32_t f = subtree->first; f < subtree->end; ++f) {
        count_bad(factor, factor_front(factor, &fronts[f], matrix, right));
        for (int32_t above = fronts[f].parent;
             above >= subtree->end &&
             atomic_fetch_sub_explicit(&factor->top[above].missing, 1, memory_order_acq_rel) == 1;
             above = fronts[above].parent) {
            atomic_store_explicit(&factor->top[above].thread, omp_get_thread_num(), memory_order_relaxed);
            count_bad(factor, factor_front(factor, &fronts[above], matrix, right));
        }
    }
}

// What each front of the top waits for: its children, or, where all threads take part in it, the end of all subtrees.
static void begin_top(SparseFactor *factor)
{
    const Elimination *elimination = factor->elimination;
    for (int32_t t = 0; t < elimination->top_count; ++t) {
        TopFront *top = &factor->top[elimination->top[t]];
        const EliminationFront *front = &elimination->fronts[elimination->top[t]];
        int missing = elimination_operations(front) > SHARED_LEAST ? INT32_MAX : 0;
        for (int32_t c = front->first_child; c >= 0 && missing < INT32_MAX;
             c = elimination->fronts[c].next_sibling)
            ++missing;
        atomic_store_explicit(&top->missing, missing, memory_order_relaxed);
        atomic_store_explicit(&top->thread, 0, memory_order_relaxed);
        atomic_store_explicit(&top->is_solved, false, memory_order_relaxed);
    }
}

// The subtree that a thread takes next; -1: none is left. Those whose rows are in its caches, of the longest path first, but others as soon as their paths
// are longer than all that nobody has begun.
static int32_t next_subtree(const SparseFactor *factor, int thread)
{
    const Elimination *elimination = factor->elimination;
    const EliminationSubtree *subtrees = elimination->subtrees;
    int32_t own = -1, other = -1;
    double left = 0;
    for (int32_t k = elimination->subtree_count; k-- > 0;) {
        const SubtreeRunner *runner = &factor->runners[k];
        if (atomic_load_explicit(&runner->is_taken, memory_order_relaxed))
            continue;
        left += subtrees[k].cost;
        *(runner->home == thread ? &own : &other) = k;
    }
    if (own < 0 || other < 0)
        return own < 0 ? other : own;
    return subtrees[other].path > fmax(subtrees[own].path, left / (factor->threads - 1)) ? other : own;
}

// Takes subtrees until there is none left.
static void factor_subtrees(SparseFactor *factor, const BlockMatrix *matrix, const double *right)
{
    const int thread = omp_get_thread_num();
    for (int32_t k; (k = next_subtree(factor, thread)) >= 0;)
        if (!atomic_exchange_explicit(&factor->runners[k].is_taken, true, memory_order_relaxed)) {
            atomic_store_explicit(&factor->runners[k].thread, thread, memory_order_relaxed);
            factor_subtree(factor, &factor->elimination->subtrees[k], matrix, right);
        }
}

// What is above the subtrees and has waited for all of them.
static void factor_top(SparseFactor *factor, const BlockMatrix *matrix, const double *right)
{
    const Elimination *elimination = factor->elimination;
    for (int32_t t = 0; t < elimination->top_count; ++t) {
        const EliminationFront *front = &elimination->fronts[elimination->top[t]];
        if (atomic_load_explicit(&factor->top[elimination->top[t]].missing, memory_order_relaxed) == 0)
            continue;
        if (elimination_operations(front) > SHARED_LEAST)
            count_bad(factor, share_front(factor, front, matrix, right));
        else {
#pragma omp master
            count_bad(factor, factor_front(factor, front, matrix, right));
        }
        team_wait(&factor->team);
    }
}

// Whether the solution above fronts of this parent is known.
static bool is_solved(const SparseFactor *factor, int32_t parent)
{
    return parent < 0 || atomic_load_explicit(&factor->top[parent].is_solved, memory_order_acquire);
}

// All fronts, from the roots on. Threads have what they factored: what of the top waits for nothing any more, otherwise the subtrees, those of the
// shortest paths first.
static void solve_all_backward(SparseFactor *factor, double *solution)
{
    const Elimination *elimination = factor->elimination;
    const EliminationFront *fronts = elimination->fronts;
    const int thread = omp_get_thread_num();
    int32_t t = elimination->top_count - 1, k = elimination->subtree_count - 1;
    for (int spins = 0;;) {
        while (t >= 0 &&
               atomic_load_explicit(&factor->top[elimination->top[t]].thread, memory_order_relaxed) != thread)
            --t;
        while (k >= 0 && atomic_load_explicit(&factor->runners[k].thread, memory_order_relaxed) != thread)
            --k;
        if (t < 0 && k < 0)
            return;
        if (t >= 0 && is_solved(factor, fronts[elimination->top[t]].parent)) {
            const int32_t f = elimination->top[t--];
            solve_backward(factor, &fronts[f], solution);
            atomic_store_explicit(&factor->top[f].is_solved, true, memory_order_release);
        } else if (k >= 0 && is_solved(factor, fronts[elimination->subtrees[k].end - 1].parent)) {
            for (int32_t f = elimination->subtrees[k].end; f-- > elimination->subtrees[k].first;)
                solve_backward(factor, &fronts[f], solution);
            --k;
        } else {
            team_pause(spins++);
            continue;
        }
        spins = 0;
    }
}

bool sparse_factor_solve(SparseFactor *factor, const BlockMatrix *matrix, const double *right,
                         double *solution)
{
    begin_top(factor);
    for (int32_t k = 0; k < factor->elimination->subtree_count; ++k)
        atomic_store_explicit(&factor->runners[k].is_taken, false, memory_order_relaxed);
    atomic_store_explicit(&factor->bad, 0, memory_order_relaxed);
#pragma omp parallel num_threads(factor->threads)
    {
        factor_subtrees(factor, matrix, right);
        team_wait(&factor->team);
        factor_top(factor, matrix, right);
        if (atomic_load_explicit(&factor->bad, memory_order_relaxed) == 0)
            solve_all_backward(factor, solution);
    }
    return atomic_load_explicit(&factor->bad, memory_order_relaxed) == 0;
}
