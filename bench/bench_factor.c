// What a sparse factor of Newton's matrix takes beside conjugate gradients on the CPU path, over shapes from slender to compact, as CSV:
// ordering and analysis, factor and solution, and what prepares the conjugate gradients and an iteration of them, ms.
// usage: bench_factor [THREADS] > factor.csv
#define _POSIX_C_SOURCE 200809L
#include "held_box.h"
#include "stepping.h"

#include "device/cpu/cpu_device.h"
#include "device/cpu/linear/sparse_factor.h"
#include "device/cpu/newton/newton.h"

enum { REPEATS = 5, ITERATIONS = 40 };

static const HeldBox shapes[] = {
    {"bar 1:60", {0.5, 0.008, 0.008}, {24, 1, 1}},
    {"bar 1:200", {1, 0.005, 0.005}, {200, 1, 1}},
    {"bar 1:20", {0.5, 0.025, 0.025}, {80, 4, 4}},
    {"bar 1:4", {0.4, 0.1, 0.1}, {24, 6, 6}},
    {"sheet 40 x 20", {0.4, 0.01, 0.2}, {40, 1, 20}},
    {"sheet 40 x 40", {1, 0.01, 1}, {40, 1, 40}},
    {"sheet 60 x 60", {1, 0.01, 1}, {60, 1, 60}},
    {"sheet 120 x 120", {1, 0.01, 1}, {120, 1, 120}},
    {"sheet 200 x 200", {1, 0.005, 1}, {200, 1, 200}},
    {"sheet 30 x 30 x 2", {0.5, 0.005, 0.5}, {30, 2, 30}},
    {"sheet 24 x 24 x 4", {0.4, 0.02, 0.4}, {24, 4, 24}},
    {"cube 8", {0.2, 0.2, 0.2}, {8, 8, 8}},
    {"cube 14", {0.2, 0.2, 0.2}, {14, 14, 14}},
};

typedef struct Costs {
    double order, eliminate, solve, prepare, iteration; ///< ms
} Costs;

// Others' work does not count where one thread does all.
static double now(int threads)
{
    return threads == 1 ? processor_ms() : wall_ms();
}

// The graph of the fixed pattern, fixed nodes' columns left out by the dissection.
static VelaResult measure(Simulation *simulation, int threads, Elimination *elimination, Costs *costs)
{
    CpuDevice *device = (CpuDevice *)simulation->device;
    NewtonData *newton = &device->newton;
    const BlockMatrix *matrix = &newton->matrix;
    Arena *arena = &simulation->arena;
    *costs = (Costs){1e9, 1e9, 1e9, 1e9, 1e9};
    NewtonDirection direction = {0};
    TRY(cpu_newton_assemble(device, true));
    cpu_newton_right(device, &direction);
    Graph graph = {.count = matrix->row_count};
    TRY(ARENA_ARRAY(arena, graph.row_start, matrix->row_count + 1));
    TRY(ARENA_ARRAY(arena, graph.columns, matrix->row_start[matrix->row_count]));
    int32_t next = 0;
    for (int32_t row = 0; row < matrix->row_count; ++row) {
        for (int32_t p = matrix->row_start[row]; p < matrix->row_start[row + 1]; ++p)
            if (matrix->columns[p] < matrix->row_count)
                graph.columns[next++] = matrix->columns[p];
        graph.row_start[row + 1] = next;
    }
    double *solution;
    TRY(ARENA_ARRAY(arena, solution, 3 * matrix->column_count + 1));
    SparseFactor factor = sparse_factor_make(simulation->context, device->kernels->fronts, threads);
    Arena scratch = arena_make(simulation->context);
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        Dissection sets;
        double start = now(threads);
        TRY(dissection_create(simulation->context, graph.count, graph.row_start, graph.columns, arena,
                              &sets));
        costs->order = fmin(costs->order, now(threads) - start);
        start = now(threads);
        TRY(elimination_create(&graph, &sets, INFINITY, &scratch, arena, elimination));
        costs->eliminate = fmin(costs->eliminate, now(threads) - start);
        TRY(sparse_factor_set(&factor, elimination));
        start = now(threads);
        cpu_newton_right(device, &direction);
        if (!sparse_factor_solve(&factor, matrix, newton->linear.residual, solution))
            fprintf(stderr, "not positive definite\n");
        costs->solve = fmin(costs->solve, now(threads) - start);
        start = now(threads);
        TRY(preconditioner_update(newton->linear.preconditioner, device->slots[SLOT_STAGE], true));
        costs->prepare = fmin(costs->prepare, now(threads) - start);
        const NewtonSettings settings = {.linear_tolerance = 1e-30, .linear_max_iterations = ITERATIONS};
        LinearReport report;
        cpu_newton_right(device, &direction);
        start = now(threads);
        TRY(conjugate_gradients(&newton->linear, &settings, solution, &report));
        costs->iteration = fmin(costs->iteration, (now(threads) - start) / (report.iterations + 1));
    }
    sparse_factor_clear(&factor);
    arena_clear(&scratch);
    return VELA_OK;
}

static void write_row(const HeldBox *shape, int threads)
{
    char text[HELD_BOX_TEXT];
    held_box_scene(shape, 1e6, 0.4, text);
    Simulation simulation;
    Stepping found;
    Costs costs;
    Elimination elimination;
    stepping_start(threads, "bench.json", text, 0, NULL, &simulation);
    stepping_steps(&simulation, 1, &found);
    stepping_check(simulation.context, measure(&simulation, threads, &elimination, &costs));
    const BlockMatrix *matrix = &((CpuDevice *)simulation.device)->newton.matrix;
    const DirectSolver *direct = ((CpuDevice *)simulation.device)->newton.direct;
    printf("\"%s\",%d,%d,%.3g,%.3g,%d,%.3f,%.3f,%.3f,%.3f,%.4f,%.1f,%.1f,%.1f,%.1f\n", shape->name,
           matrix->row_count, matrix->row_start[matrix->row_count], elimination.operations,
           (double)elimination.panels, elimination.front_count, costs.order, costs.eliminate, costs.solve,
           costs.prepare, costs.iteration, 2e-6 * elimination.operations / costs.solve,
           costs.solve / costs.iteration, costs.prepare / costs.iteration,
           direct ? direct_solver_worth(direct) : -1);
    fflush(stdout);
    stepping_end(&simulation);
}

int main(int argc, char **argv)
{
    const int threads = argc > 1 ? atoi(argv[1]) : 1;
    printf(
        "shape,rows,blocks,operations,numbers,fronts,order_ms,eliminate_ms,solve_ms,prepare_ms,iteration_ms,"
        "gflops,iterations,iterations_to_prepare,iterations_by_rule\n");
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
        write_row(&shapes[s], threads);
    return 0;
}
