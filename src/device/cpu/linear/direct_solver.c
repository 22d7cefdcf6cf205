#include "device/cpu/linear/direct_solver.h"

#include "device/cpu/linear/sparse_factor.h"

#include <math.h>
#include <string.h>

/// Beyond so many iterations' worth a factor is not tried: hardly any solve takes more.
enum { DIRECT_WORTH_MOST = 1000 };

/// What a factor and its solution take beside a product of the matrix with a vector, in nanoseconds, as measured on rods, sheets and cubes
/// (bench/bench_factor): for a multiplication, for a number of the factor, and for a front; for a row of contact's pattern in the
/// fixed order, and in one of its own; and for a block of the matrix in an iteration of the conjugate gradients with all that belongs to it, as long as so many blocks stay
/// in the caches, and beyond.
static const double PER_OPERATION = 0.045, PER_NUMBER = 2, PER_FRONT = 2000, PER_ROW = 1000,
                    PER_ORDERED_ROW = 8000, PER_NEAR_BLOCK = 3.5, PER_FAR_BLOCK = 6;
enum { NEAR_BLOCKS = 200000 };

/// Contact's blocks may make so many times as many operations in the order that the fixed pattern has; beyond, they are ordered with it.
static const double ORDER_KEPT = 1.5;
/// An order of its own makes that up to five times less work, as measured on crowds: where this many times less would not do, none is looked
/// for.
static const double ORDER_GAIN_MOST = 10;

/// A graph and how it is eliminated.
typedef struct OrderedPattern {
    Graph graph;
    Dissection sets;
    Elimination elimination;
    Arena arena;
} OrderedPattern;

struct DirectSolver {
    VelaContext *context;
    const BlockMatrix *matrix;
    OrderedPattern fixed, contact; ///< without and with the changing blocks
    SparseFactor factor;
    Arena arena;
};

// The blocks between free nodes, fixed and changing ones; columns ascend in both, some are in both.
static VelaResult read_graph(const BlockMatrix *matrix, bool changes, Arena *arena, Graph *graph)
{
    const ChangingBlocks *changing = &matrix->changing;
    size_t most = (size_t)matrix->row_start[matrix->row_count];
    for (int32_t row = 0; changes && row < matrix->row_count; ++row)
        most += (size_t)(changing->row_end[row] - changing->row_start[row]);
    graph->count = matrix->row_count;
    TRY(ARENA_ARRAY(arena, graph->row_start, matrix->row_count + 1));
    TRY(ARENA_ARRAY(arena, graph->columns, most));
    int32_t next = 0;
    for (int32_t row = 0; row < matrix->row_count; ++row) {
        int32_t p = matrix->row_start[row], q = changes ? changing->row_start[row] : 0;
        const int32_t p_end = matrix->row_start[row + 1], q_end = changes ? changing->row_end[row] : 0;
        while (p < p_end || q < q_end) {
            const int32_t a = p < p_end ? matrix->columns[p] : INT32_MAX,
                          b = q < q_end ? changing->columns[q] : INT32_MAX;
            p += a <= b;
            q += b <= a;
            if ((a < b ? a : b) < matrix->row_count)
                graph->columns[next++] = a < b ? a : b;
        }
        graph->row_start[row + 1] = next;
    }
    return VELA_OK;
}

// Iterations that take as long as so many nanoseconds.
static double in_iterations(const Graph *graph, double time)
{
    const int32_t blocks = graph->row_start[graph->count];
    return time / (blocks * (blocks <= NEAR_BLOCKS ? PER_NEAR_BLOCK : PER_FAR_BLOCK));
}

// Iterations that a factor is worth.
static double worth(const OrderedPattern *pattern)
{
    const Elimination *elimination = &pattern->elimination;
    return in_iterations(&pattern->graph, PER_OPERATION * elimination->operations +
                                              PER_NUMBER * (double)elimination->panels +
                                              PER_FRONT * elimination->front_count);
}

// Multiplications that take as long as so many iterations.
static double operations_worth(const Graph *graph, double iterations)
{
    return iterations / in_iterations(graph, PER_OPERATION);
}

static VelaResult order(VelaContext *context, OrderedPattern *pattern)
{
    const Graph *graph = &pattern->graph;
    TRY(dissection_create(context, graph->count, graph->row_start, graph->columns, &pattern->arena,
                          &pattern->sets));
    return elimination_create(context, graph, &pattern->sets, operations_worth(graph, DIRECT_WORTH_MOST),
                              &pattern->arena, &pattern->elimination);
}

VelaResult direct_solver_create(VelaContext *context, const Kernels *kernels, const BlockMatrix *matrix,
                                int threads, DirectSolver **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    DirectSolver *solver;
    TRY(ARENA_ARRAY(&arena, solver, 1));
    *solver = (DirectSolver){.context = context,
                             .matrix = matrix,
                             .fixed.arena = arena_make(context),
                             .contact.arena = arena_make(context),
                             .factor = sparse_factor_make(context, kernels->fronts, threads),
                             .arena = arena};
    VelaResult result = read_graph(matrix, false, &solver->fixed.arena, &solver->fixed.graph);
    if (result == VELA_OK)
        result = order(context, &solver->fixed);
    const double iterations = result == VELA_OK && matrix->row_count > 0 ? worth(&solver->fixed) : INFINITY;
    if (!(iterations <= DIRECT_WORTH_MOST)) {
        direct_solver_destroy(solver);
        return result;
    }
    *out = solver;
    return VELA_OK;
}

size_t direct_solver_memory(int32_t rows, size_t blocks)
{
    // Start, set, place and front of a row.
    return sizeof(int32_t) * (blocks + 6 * (size_t)rows) + sizeof(EliminationFront) * (size_t)rows / 8;
}

// Of a pattern as it is, contact's ordered once more; at least 1.
static int32_t worth_with_order(const DirectSolver *solver, const OrderedPattern *pattern, double per_row)
{
    const double order = solver->matrix->changing.row_start
                             ? in_iterations(&pattern->graph, per_row * pattern->graph.count)
                             : 0;
    return (int32_t)fmin(fmax(worth(pattern) + order, 1), INT32_MAX);
}

int32_t direct_solver_worth(const DirectSolver *solver)
{
    return worth_with_order(solver, &solver->fixed, PER_ROW);
}

static bool same_graph(const Graph *a, const Graph *b)
{
    return a->row_start && b->row_start &&
           memcmp(a->row_start, b->row_start, (size_t)(a->count + 1) * sizeof *a->row_start) == 0 &&
           memcmp(a->columns, b->columns, (size_t)a->row_start[a->count] * sizeof *a->columns) == 0;
}

// Contact's pattern as it is, in the fixed pattern's order, or else in one of its own.
static VelaResult order_contact(DirectSolver *solver)
{
    OrderedPattern *contact = &solver->contact, next = {.arena = arena_make(solver->context)};
    VelaResult result = read_graph(solver->matrix, true, &next.arena, &next.graph);
    if (result == VELA_OK && same_graph(&next.graph, &contact->graph)) {
        arena_clear(&next.arena);
        return VELA_OK;
    }
    arena_clear(&contact->arena);
    *contact = next;
    if (result == VELA_OK)
        result = elimination_create(solver->context, &contact->graph, &solver->fixed.sets,
                                    operations_worth(&contact->graph, ORDER_GAIN_MOST * DIRECT_WORTH_MOST),
                                    &contact->arena, &contact->elimination);
    if (result == VELA_OK &&
        contact->elimination.operations > ORDER_KEPT * solver->fixed.elimination.operations &&
        worth(contact) <= ORDER_GAIN_MOST * DIRECT_WORTH_MOST)
        result = order(solver->context, contact);
    if (result != VELA_OK)
        contact->graph = (Graph){0};
    return result;
}

int32_t direct_solver_analyse(DirectSolver *solver)
{
    const bool changes = solver->matrix->changing.row_start;
    OrderedPattern *pattern = changes ? &solver->contact : &solver->fixed;
    if ((changes && order_contact(solver) != VELA_OK) || worth(pattern) > DIRECT_WORTH_MOST ||
        sparse_factor_set(&solver->factor, &pattern->elimination) != VELA_OK)
        return INT32_MAX;
    return worth_with_order(solver, pattern, pattern->sets.count > 0 ? PER_ORDERED_ROW : PER_ROW);
}

bool direct_solver_solve(DirectSolver *solver, const double *right, double *solution)
{
    return sparse_factor_solve(&solver->factor, solver->matrix, right, solution);
}

void direct_solver_destroy(DirectSolver *solver)
{
    if (!solver)
        return;
    sparse_factor_clear(&solver->factor);
    arena_clear(&solver->fixed.arena);
    arena_clear(&solver->contact.arena);
    Arena arena = solver->arena;
    arena_clear(&arena);
}
