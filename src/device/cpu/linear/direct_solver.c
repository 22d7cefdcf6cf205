#include "device/cpu/linear/direct_solver.h"

#include "device/cpu/linear/sparse_factor.h"

#include <math.h>
#include <string.h>

/// Beyond so many iterations' worth a factor is not tried: hardly any solve takes more.
enum { DIRECT_WORTH_MOST = 1000 };

/// What a factor and its solution take beside conjugate gradients, in nanoseconds, as measured on rods, sheets and cubes (bench/bench_factor):
/// for a multiplication, and for a number of the factor; for a row of a pattern that is ordered anew; for an iteration with all that belongs
/// to it, and a block of the matrix in one, as long as so many blocks stay in the caches, and beyond; for a block, to prepare iterations.
static const double PER_OPERATION = 0.032, PER_NUMBER = 1.7, PER_ORDERED_ROW = 8000, PER_ITERATION = 4800,
                    PER_NEAR_BLOCK = 2.6, PER_FAR_BLOCK = 4.2, PER_PREPARED_BLOCK = 20;
enum { NEAR_BLOCKS = 200000 };

/// Hardly any solve by conjugate gradients takes fewer iterations; of long bodies, whose slow motions are found last, not fewer than this.
static const double ITERATIONS_LEAST = 8, ITERATIONS_LEAST_OF_LONG = 16;

/// A graph and how it is eliminated.
typedef struct OrderedPattern {
    Graph graph;
    size_t row_capacity, column_capacity;
    Dissection sets;
    Elimination elimination;
    Arena arena; ///< of sets and elimination
} OrderedPattern;

struct DirectSolver {
    VelaContext *context;
    const BlockMatrix *matrix;
    OrderedPattern fixed, contact; ///< without and with the changing blocks
    OrderedPattern next;           ///< a graph that is being read, and nothing else
    bool knows_contact;            ///< how it is eliminated
    double looked_most;            ///< otherwise, iterations that this was found to be worth more than
    SparseFactor factor;
    Arena growing, scratch; ///< of the graphs; what an elimination is found with
    Arena arena;
};

// The blocks between free nodes, fixed and changing ones; columns ascend in both, some are in both.
static VelaResult read_graph(const BlockMatrix *matrix, bool changes, Arena *growing, OrderedPattern *pattern)
{
    const ChangingBlocks *changing = &matrix->changing;
    Graph *graph = &pattern->graph;
    size_t most = (size_t)matrix->row_start[matrix->row_count];
    for (int32_t row = 0; changes && row < matrix->row_count; ++row)
        most += (size_t)(changing->row_end[row] - changing->row_start[row]);
    graph->count = matrix->row_count;
    TRY(ARENA_GROW(growing, graph->row_start, &pattern->row_capacity, (size_t)matrix->row_count + 1));
    TRY(ARENA_GROW_FILLED(growing, graph->columns, &pattern->column_capacity, most));
    int32_t next = 0;
    graph->row_start[0] = 0;
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

// Nanoseconds of an iteration of the conjugate gradients.
static double iteration_time(const Graph *graph)
{
    const int32_t blocks = graph->row_start[graph->count];
    return PER_ITERATION + blocks * (blocks <= NEAR_BLOCKS ? PER_NEAR_BLOCK : PER_FAR_BLOCK);
}

// Of a factor and its solution, as it is ordered.
static double factor_time(const Elimination *elimination)
{
    return PER_OPERATION * elimination->operations + PER_NUMBER * (double)elimination->panels;
}

static double order_time(const Graph *graph)
{
    return PER_ORDERED_ROW * graph->count;
}

// Eliminates a pattern in the order of `sets`, if that is worth at most so many iterations.
static VelaResult eliminate(DirectSolver *solver, OrderedPattern *pattern, const Dissection *sets,
                            double most)
{
    return elimination_create(&pattern->graph, sets, most * iteration_time(&pattern->graph) / PER_OPERATION,
                              &solver->scratch, &pattern->arena, &pattern->elimination);
}

static VelaResult order(DirectSolver *solver, OrderedPattern *pattern)
{
    const Graph *graph = &pattern->graph;
    TRY(dissection_create(solver->context, graph->count, graph->row_start, graph->columns, &pattern->arena,
                          &pattern->sets));
    return eliminate(solver, pattern, &pattern->sets, DIRECT_WORTH_MOST);
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
                             .growing = arena_make(context),
                             .scratch = arena_make(context),
                             .factor = sparse_factor_make(context, kernels->fronts, threads),
                             .arena = arena};
    VelaResult result = read_graph(matrix, false, &solver->growing, &solver->fixed);
    if (result == VELA_OK)
        result = order(solver, &solver->fixed);
    if (result != VELA_OK || matrix->row_count == 0 || !(direct_solver_worth(solver) <= DIRECT_WORTH_MOST)) {
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

double direct_solver_worth(const DirectSolver *solver)
{
    return factor_time(&solver->fixed.elimination) / iteration_time(&solver->fixed.graph);
}

double direct_solver_preparation(const DirectSolver *solver)
{
    const Graph *graph = &solver->fixed.graph;
    return PER_PREPARED_BLOCK * graph->row_start[graph->count] / iteration_time(graph);
}

// Only long bodies fall apart at fronts of so few nodes: those of a sheet's largest, squared, are more than it has.
static bool is_long(const Elimination *elimination)
{
    const double nodes = (double)FRONT_BLOCK * elimination->largest / 3;
    return nodes * nodes <= elimination->node_count;
}

double direct_solver_least(const DirectSolver *solver)
{
    return (is_long(&solver->fixed.elimination) ? ITERATIONS_LEAST_OF_LONG : ITERATIONS_LEAST) +
           direct_solver_preparation(solver);
}

static bool same_graph(const Graph *a, const Graph *b)
{
    return a->count == b->count && a->row_start && b->row_start &&
           memcmp(a->row_start, b->row_start, (size_t)(a->count + 1) * sizeof *a->row_start) == 0 &&
           memcmp(a->columns, b->columns, (size_t)a->row_start[a->count] * sizeof *a->columns) == 0;
}

static VelaResult read_contact(DirectSolver *solver)
{
    OrderedPattern *contact = &solver->contact, *next = &solver->next, read;
    TRY(read_graph(solver->matrix, true, &solver->growing, next));
    if (same_graph(&next->graph, &contact->graph))
        return VELA_OK;
    read = *next;
    next->graph = contact->graph; // its room
    next->row_capacity = contact->row_capacity;
    next->column_capacity = contact->column_capacity;
    arena_rewind(&contact->arena);
    read.arena = contact->arena;
    *contact = read;
    solver->knows_contact = false;
    solver->looked_most = 0;
    return VELA_OK;
}

// Contact's pattern in the fixed pattern's order, or in one of its own where the order takes less time than it saves of the factor's; if one
// of them is worth at most so many iterations. What is known of the pattern already changes nothing.
static VelaResult order_contact(DirectSolver *solver, double most)
{
    TRY(read_contact(solver));
    OrderedPattern *contact = &solver->contact;
    if (solver->knows_contact || most <= solver->looked_most)
        return VELA_OK;
    const double time = most * iteration_time(&contact->graph),
                 ordered = factor_time(&solver->fixed.elimination) + order_time(&contact->graph);
    solver->looked_most = most;
    TRY(eliminate(solver, contact, &solver->fixed.sets, most));
    const double kept = factor_time(&contact->elimination);
    if (kept > ordered && ordered <= time)
        TRY(order(solver, contact));
    solver->knows_contact = kept <= time || contact->sets.count > 0;
    return VELA_OK;
}

// Nanoseconds of a known pattern; at least what its own order was expected to take when it was made.
static double contact_time(const DirectSolver *solver)
{
    const OrderedPattern *contact = &solver->contact;
    if (contact->sets.count == 0)
        return factor_time(&contact->elimination);
    return order_time(&contact->graph) +
           fmax(factor_time(&contact->elimination), factor_time(&solver->fixed.elimination));
}

double direct_solver_analyse(DirectSolver *solver, double most)
{
    const bool changes = solver->matrix->changing.row_start;
    OrderedPattern *pattern = changes ? &solver->contact : &solver->fixed;
    most = fmin(most, DIRECT_WORTH_MOST);
    if (changes && order_contact(solver, most) != VELA_OK) {
        solver->contact.graph.count = 0; // is read anew
        return INFINITY;
    }
    if (changes && !solver->knows_contact)
        return INFINITY;
    const double time = changes ? contact_time(solver) : factor_time(&pattern->elimination),
                 iterations = time / iteration_time(&pattern->graph);
    return iterations <= most && sparse_factor_set(&solver->factor, &pattern->elimination) == VELA_OK
               ? iterations
               : INFINITY;
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
    arena_clear(&solver->growing);
    arena_clear(&solver->scratch);
    Arena arena = solver->arena;
    arena_clear(&arena);
}
