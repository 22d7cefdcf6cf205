#include "device/cpu/constraints/saddle_factor.h"

#include "device/cpu/constraints/front.h"
#include "device/cpu/linear/dissection.h"
#include "model/constraints.h"

#include <math.h>
#include <stdlib.h>

/// One dense front: the unknowns of a set, then those above it that its elimination touches.
typedef struct Front {
    int32_t first, own; ///< its unknowns: first to first + own
    int32_t nodes;      ///< of these: free nodes' (3 each), then constraints' rows
    int64_t border_start;
    int32_t border; ///< unknowns of ancestors, ascending
    int64_t values; ///< where its columns of L begin: own columns of own + border numbers
} Front;

struct SaddleFactor {
    const BlockMatrix *matrix;
    const ConstraintRows *rows;
    Arena arena;
    Dissection sets;
    int32_t unknowns;
    int32_t *node_first; ///< first unknown of every free node
    int32_t *row_first;  ///< first unknown of every constraint, -1 where all its nodes are fixed
    int32_t *set_of_node, *set_of_constraint;
    int32_t *set_constraints, *set_constraint_start; ///< constraints of every set
    Front *fronts;
    int32_t *first_child, *next_sibling; ///< of every set, last one first; -1: none
    int32_t *borders;
    double *values, *pivots; ///< L; 1/D, 0 where a row is left out
    double *work;            ///< the front under way
    double *stack;           ///< what finished fronts leave to their parents
    int32_t *local;          ///< of every unknown: its place in the front under way
    double *solution;        ///< unknowns
    double *most;            ///< largest size of every diagonal entry so far
    double *sizes;           ///< the same, of the front under way
};

void saddle_factor_destroy(SaddleFactor *factor)
{
    if (!factor)
        return;
    Arena arena = factor->arena;
    arena_clear(&arena);
}

// ---------------------------------------------------------------- structure

// A constraint belongs to the set that comes last of those of its nodes: all of them are on one way to the root, so it is the one nearest
// to it.
static VelaResult place_constraints(SaddleFactor *factor)
{
    const ConstraintRows *rows = factor->rows;
    const int32_t nodes = factor->matrix->row_count, sets = factor->sets.count;
    Arena *arena = &factor->arena;
    TRY(ARENA_ARRAY(arena, factor->set_of_node, nodes));
    TRY(ARENA_ARRAY(arena, factor->set_of_constraint, rows->count));
    TRY(ARENA_ARRAY(arena, factor->set_constraint_start, sets + 1));
    TRY(ARENA_ARRAY(arena, factor->set_constraints, rows->count));
    for (int32_t s = 0; s < sets; ++s)
        for (int32_t k = factor->sets.start[s]; k < factor->sets.start[s + 1]; ++k)
            factor->set_of_node[factor->sets.nodes[k]] = s;
    for (int32_t c = 0; c < rows->count; ++c) {
        factor->set_of_constraint[c] = -1;
        for (int32_t e = rows->start[c]; e < rows->start[c + 1]; ++e) {
            const int32_t node = rows->places[e];
            if (node < nodes && factor->set_of_node[node] > factor->set_of_constraint[c])
                factor->set_of_constraint[c] = factor->set_of_node[node];
        }
        if (factor->set_of_constraint[c] >= 0)
            ++factor->set_constraint_start[factor->set_of_constraint[c] + 1];
    }
    for (int32_t s = 0; s < sets; ++s)
        factor->set_constraint_start[s + 1] += factor->set_constraint_start[s];
    int32_t *next;
    TRY(ARENA_ARRAY(arena, next, sets));
    for (int32_t c = 0; c < rows->count; ++c) {
        const int32_t s = factor->set_of_constraint[c];
        if (s >= 0)
            factor->set_constraints[factor->set_constraint_start[s] + next[s]++] = c;
    }
    return VELA_OK;
}

static int32_t constraint_rows_of(const SaddleFactor *factor, int32_t constraint)
{
    return constraint_kinds[factor->rows->model->constraints[constraint].kind].rows;
}

static VelaResult number_unknowns(SaddleFactor *factor)
{
    Arena *arena = &factor->arena;
    TRY(ARENA_ARRAY(arena, factor->node_first, factor->matrix->row_count));
    TRY(ARENA_ARRAY(arena, factor->row_first, factor->rows->count));
    TRY(ARENA_ARRAY(arena, factor->fronts, factor->sets.count));
    for (int32_t c = 0; c < factor->rows->count; ++c)
        factor->row_first[c] = -1;
    for (int32_t s = 0; s < factor->sets.count; ++s) {
        Front *front = &factor->fronts[s];
        front->first = factor->unknowns;
        for (int32_t k = factor->sets.start[s]; k < factor->sets.start[s + 1]; ++k) {
            factor->node_first[factor->sets.nodes[k]] = factor->unknowns;
            factor->unknowns += 3;
        }
        front->nodes = factor->unknowns - front->first;
        for (int32_t k = factor->set_constraint_start[s]; k < factor->set_constraint_start[s + 1]; ++k) {
            factor->row_first[factor->set_constraints[k]] = factor->unknowns;
            factor->unknowns += constraint_rows_of(factor, factor->set_constraints[k]);
        }
        front->own = factor->unknowns - front->first;
    }
    return VELA_OK;
}

static int compare_unknowns(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/// A list of unknowns, each once.
typedef struct UnknownList {
    Arena *arena;
    int32_t *unknowns;
    size_t capacity;
    int64_t count;
    int32_t *seen; ///< of every unknown: the last set that had it
} UnknownList;

static VelaResult list_add(UnknownList *list, int32_t set, int32_t first, int32_t size)
{
    TRY(ARENA_GROW(list->arena, list->unknowns, &list->capacity, (size_t)(list->count + size)));
    for (int32_t k = first; k < first + size; ++k) {
        if (list->seen[k] != set)
            list->unknowns[list->count++] = k;
        list->seen[k] = set;
    }
    return VELA_OK;
}

// Unknowns of ancestors that a set's own are adjacent to.
static VelaResult add_adjacent(SaddleFactor *factor, int32_t set, UnknownList *list)
{
    const BlockMatrix *matrix = factor->matrix;
    for (int32_t k = factor->sets.start[set]; k < factor->sets.start[set + 1]; ++k) {
        const int32_t node = factor->sets.nodes[k];
        for (int32_t p = matrix->row_start[node]; p < matrix->row_start[node + 1]; ++p) {
            const int32_t other = matrix->columns[p];
            if (other < matrix->row_count && factor->set_of_node[other] > set)
                TRY(list_add(list, set, factor->node_first[other], 3));
        }
        for (int32_t p = factor->rows->node_start[node]; p < factor->rows->node_start[node + 1]; ++p) {
            const int32_t c = factor->rows->node_constraints[p];
            if (factor->set_of_constraint[c] > set)
                TRY(list_add(list, set, factor->row_first[c], constraint_rows_of(factor, c)));
        }
    }
    return VELA_OK;
}

static VelaResult find_borders(SaddleFactor *factor)
{
    UnknownList list = {.arena = &factor->arena};
    const int32_t sets = factor->sets.count;
    int32_t *first_child, *next_sibling; // last one first, as they lie on the stack
    int64_t values = 0, stack = 0, highest = 0, largest_size = 0;
    TRY(ARENA_ARRAY(&factor->arena, list.seen, factor->unknowns));
    TRY(ARENA_ARRAY(&factor->arena, factor->first_child, sets));
    TRY(ARENA_ARRAY(&factor->arena, factor->next_sibling, sets));
    first_child = factor->first_child;
    next_sibling = factor->next_sibling;
    for (int32_t i = 0; i < factor->unknowns; ++i)
        list.seen[i] = -1;
    for (int32_t s = 0; s < sets; ++s)
        first_child[s] = next_sibling[s] = -1;
    for (int32_t s = 0; s < sets; ++s) {
        Front *front = &factor->fronts[s];
        front->border_start = list.count;
        TRY(add_adjacent(factor, s, &list));
        for (int32_t child = first_child[s]; child >= 0; child = next_sibling[child]) {
            const Front *below = &factor->fronts[child];
            for (int64_t k = 0; k < below->border; ++k) {
                const int32_t unknown = list.unknowns[below->border_start + k];
                if (unknown >= front->first + front->own)
                    TRY(list_add(&list, s, unknown, 1));
            }
            stack -= (int64_t)below->border * below->border;
        }
        front->border = (int32_t)(list.count - front->border_start);
        if (front->border > 0) // a graph of one set has no list
            qsort(list.unknowns + front->border_start, (size_t)front->border, sizeof *list.unknowns,
                  compare_unknowns);
        const int64_t size = front->own + front->border;
        front->values = values;
        values += size * front->own;
        largest_size = size > largest_size ? size : largest_size;
        stack += (int64_t)front->border * front->border;
        highest = stack > highest ? stack : highest;
        if (factor->sets.parent[s] >= 0) {
            next_sibling[s] = first_child[factor->sets.parent[s]];
            first_child[factor->sets.parent[s]] = s;
        }
    }
    factor->borders = list.unknowns;
    TRY(ARENA_ARRAY(&factor->arena, factor->values, values));
    TRY(ARENA_ARRAY(&factor->arena, factor->work, largest_size * largest_size));
    TRY(ARENA_ARRAY(&factor->arena, factor->sizes, largest_size));
    return ARENA_ARRAY(&factor->arena, factor->stack, highest);
}

VelaResult saddle_factor_create(VelaContext *context, const BlockMatrix *matrix, const ConstraintRows *rows,
                                SaddleFactor **out)
{
    Arena arena = arena_make(context);
    SaddleFactor *factor;
    TRY(ARENA_ARRAY(&arena, factor, 1));
    *factor = (SaddleFactor){.matrix = matrix, .rows = rows, .arena = arena};
    VelaResult result;
    TRY_GOTO(result,
             dissection_create(context, matrix->row_count, matrix->row_start, matrix->columns, &factor->arena,
                               &factor->sets),
             fail);
    TRY_GOTO(result, place_constraints(factor), fail);
    TRY_GOTO(result, number_unknowns(factor), fail);
    TRY_GOTO(result, find_borders(factor), fail);
    TRY_GOTO(result, ARENA_ARRAY(&factor->arena, factor->pivots, factor->unknowns), fail);
    TRY_GOTO(result, ARENA_ARRAY(&factor->arena, factor->local, factor->unknowns), fail);
    TRY_GOTO(result, ARENA_ARRAY(&factor->arena, factor->solution, factor->unknowns), fail);
    TRY_GOTO(result, ARENA_ARRAY(&factor->arena, factor->most, factor->unknowns), fail);
    *out = factor;
    return VELA_OK;
fail:
    saddle_factor_destroy(factor);
    return result;
}

// ---------------------------------------------------------------- numbers

// Place of an unknown in the front of a set; those of the border are looked up.
static int32_t place_in(const SaddleFactor *factor, const Front *front, int32_t unknown)
{
    return unknown < front->first + front->own ? unknown - front->first : factor->local[unknown];
}

static void add_entry(const SaddleFactor *factor, int32_t size, int32_t a, int32_t b, double value)
{
    const int32_t row = a > b ? a : b, column = a > b ? b : a;
    factor->work[(int64_t)column * size + row] += value;
}

// The set's own rows of A, and of J below them; those towards sets before it are there already.
static void assemble_nodes(const SaddleFactor *factor, int32_t set, int32_t size)
{
    const Front *front = &factor->fronts[set];
    const BlockMatrix *matrix = factor->matrix;
    for (int32_t k = factor->sets.start[set]; k < factor->sets.start[set + 1]; ++k) {
        const int32_t node = factor->sets.nodes[k], at = factor->node_first[node] - front->first;
        for (int32_t p = matrix->row_start[node]; p < matrix->row_start[node + 1]; ++p) {
            const int32_t other = matrix->columns[p];
            if (other >= matrix->row_count || factor->node_first[other] < factor->node_first[node])
                continue;
            const int32_t column = place_in(factor, front, factor->node_first[other]);
            const double *values = matrix->values + 9 * (size_t)p;
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    if (other != node || j >= i)
                        add_entry(factor, size, at + i, column + j, values[3 * j + i]);
        }
        for (int32_t p = factor->rows->node_start[node]; p < factor->rows->node_start[node + 1]; ++p) {
            const int32_t c = factor->rows->node_constraints[p];
            if (!factor->rows->active[c])
                continue;
            const int32_t row = place_in(factor, front, factor->row_first[c]);
            const double *slopes = factor->rows->slopes[factor->rows->node_entries[p]];
            for (int r = 0; r < constraint_rows_of(factor, c); ++r)
                for (int i = 0; i < 3; ++i)
                    add_entry(factor, size, at + i, row + r, -slopes[3 * r + i]);
        }
    }
}

// -C on the diagonal of the set's constraints; -1 in rows that are not active, which have nothing else.
static void assemble_constraints(const SaddleFactor *factor, int32_t set, int32_t size)
{
    const Front *front = &factor->fronts[set];
    for (int32_t k = factor->set_constraint_start[set]; k < factor->set_constraint_start[set + 1]; ++k) {
        const int32_t c = factor->set_constraints[k], at = factor->row_first[c] - front->first;
        const ModelConstraint *constraint = &factor->rows->model->constraints[c];
        const int32_t rows = constraint_rows_of(factor, c);
        for (int r = 0; r < rows; ++r) {
            double unit[CONSTRAINT_ROWS_MOST] = {0}, column[CONSTRAINT_ROWS_MOST];
            unit[r] = 1;
            model_constraint_compliance(constraint, unit, column);
            for (int q = r; q < rows; ++q)
                add_entry(factor, size, at + q, at + r,
                          factor->rows->active[c] ? -column[q] : -(double)(q == r));
        }
    }
}

// What a child has left goes where its border is; returns the stack without it.
static double *assemble_child(SaddleFactor *factor, const Front *front, int32_t size, int32_t child,
                              double *stack)
{
    const Front *below = &factor->fronts[child];
    const int32_t *border = factor->borders + below->border_start;
    const double *left = stack - (int64_t)below->border * below->border;
    for (int32_t j = 0; j < below->border; ++j) {
        const int32_t column = place_in(factor, front, border[j]);
        for (int32_t i = j; i < below->border; ++i)
            factor->work[(int64_t)column * size + place_in(factor, front, border[i])] +=
                left[(int64_t)j * below->border + i];
    }
    return stack - (int64_t)below->border * below->border;
}

// A row of a constraint depends on others where what its nodes have given its diagonal is gone, to rounding.
static const double DEPENDENT = 1e-11;

// Returns false where a node has no pivot.
static bool eliminate(SaddleFactor *factor, const Front *front, int32_t size, int32_t *left_out)
{
    const int32_t *border = factor->borders + front->border_start;
    double *pivots = factor->pivots + front->first;
    bool good = true;
    memcpy(factor->sizes, factor->most + front->first, (size_t)front->own * sizeof *factor->sizes);
    for (int32_t k = 0; k < front->border; ++k)
        factor->sizes[front->own + k] = factor->most[border[k]];
    front_eliminate(size, front->own, front->nodes, DEPENDENT, factor->work, factor->sizes, pivots);
    for (int32_t k = 0; k < front->border; ++k)
        factor->most[border[k]] = factor->sizes[front->own + k];
    for (int32_t k = 0; k < front->own; ++k) {
        if (k < front->nodes)
            good = good && pivots[k] != 0 && isfinite(pivots[k]);
        else
            *left_out += pivots[k] == 0;
    }
    return good;
}

int32_t saddle_factor_compute(SaddleFactor *factor)
{
    int32_t left_out = 0;
    double *stack = factor->stack;
    memset(factor->most, 0, (size_t)factor->unknowns * sizeof *factor->most);
    for (int32_t s = 0; s < factor->sets.count; ++s) {
        const Front *front = &factor->fronts[s];
        const int32_t size = front->own + front->border;
        const int32_t *border = factor->borders + front->border_start;
        for (int32_t k = 0; k < front->border; ++k)
            factor->local[border[k]] = front->own + k;
        memset(factor->work, 0, (size_t)size * (size_t)size * sizeof *factor->work);
        for (int32_t child = factor->first_child[s]; child >= 0; child = factor->next_sibling[child])
            stack = assemble_child(factor, front, size, child, stack);
        assemble_nodes(factor, s, size);
        assemble_constraints(factor, s, size);
        if (!eliminate(factor, front, size, &left_out))
            return -1;
        memcpy(factor->values + front->values, factor->work,
               (size_t)size * (size_t)front->own * sizeof *factor->work);
        for (int32_t j = 0; j < front->border; ++j)
            memcpy(stack + (int64_t)j * front->border + j,
                   factor->work + (int64_t)(front->own + j) * size + front->own + j,
                   (size_t)(front->border - j) * sizeof *stack);
        stack += (int64_t)front->border * front->border;
    }
    return left_out;
}

bool saddle_factor_left_out(const SaddleFactor *factor, int32_t constraint, int32_t row)
{
    const int32_t first = factor->row_first[constraint];
    return first < 0 || factor->pivots[first + row] == 0;
}

int64_t saddle_factor_entries(const SaddleFactor *factor)
{
    const Front *last = &factor->fronts[factor->sets.count - 1];
    return factor->sets.count > 0 ? last->values + (int64_t)last->own * (last->own + last->border) : 0;
}

// ---------------------------------------------------------------- solving

static void gather(SaddleFactor *factor, const double *d, const double *lambda)
{
    for (int32_t i = 0; i < factor->matrix->row_count; ++i)
        memcpy(factor->solution + factor->node_first[i], d + 3 * (size_t)i, 3 * sizeof *d);
    for (int32_t c = 0; c < factor->rows->count; ++c)
        if (factor->row_first[c] >= 0)
            for (int r = 0; r < constraint_rows_of(factor, c); ++r)
                factor->solution[factor->row_first[c] + r] =
                    factor->rows->active[c] ? lambda[factor->rows->model->constraints[c].first_row + r] : 0;
}

static void scatter(const SaddleFactor *factor, double *d, double *lambda)
{
    for (int32_t i = 0; i < factor->matrix->row_count; ++i)
        memcpy(d + 3 * (size_t)i, factor->solution + factor->node_first[i], 3 * sizeof *d);
    for (int32_t c = 0; c < factor->rows->count; ++c)
        for (int r = 0; r < constraint_rows_of(factor, c); ++r)
            lambda[factor->rows->model->constraints[c].first_row + r] =
                factor->row_first[c] >= 0 && factor->rows->active[c]
                    ? factor->solution[factor->row_first[c] + r]
                    : 0;
}

void saddle_factor_solve(SaddleFactor *factor, double *d, double *lambda)
{
    double *x = factor->solution;
    gather(factor, d, lambda);
    for (int32_t s = 0; s < factor->sets.count; ++s) {
        const Front *front = &factor->fronts[s];
        const int32_t size = front->own + front->border;
        const int32_t *border = factor->borders + front->border_start;
        for (int32_t k = 0; k < front->own; ++k) {
            const double *column = factor->values + front->values + (int64_t)k * size,
                         value = x[front->first + k];
            for (int32_t i = k + 1; i < front->own; ++i)
                x[front->first + i] -= column[i] * value;
            for (int32_t i = 0; i < front->border; ++i)
                x[border[i]] -= column[front->own + i] * value;
        }
    }
    for (int32_t i = 0; i < factor->unknowns; ++i)
        x[i] *= factor->pivots[i];
    for (int32_t s = factor->sets.count - 1; s >= 0; --s) {
        const Front *front = &factor->fronts[s];
        const int32_t size = front->own + front->border;
        const int32_t *border = factor->borders + front->border_start;
        for (int32_t k = front->own - 1; k >= 0; --k) {
            const double *column = factor->values + front->values + (int64_t)k * size;
            double sum = x[front->first + k];
            for (int32_t i = k + 1; i < front->own; ++i)
                sum -= column[i] * x[front->first + i];
            for (int32_t i = 0; i < front->border; ++i)
                sum -= column[front->own + i] * x[border[i]];
            x[front->first + k] = factor->pivots[front->first + k] == 0 ? 0 : sum;
        }
    }
    scatter(factor, d, lambda);
}
