// The linear systems of constraints: both solvers give the same motion, the factor what a dense one gives, whatever the constraints ask for.
#include "physics_fixture.h"

#include "device/cpu/constraints/compliant.h"
#include "device/cpu/linear/dissection.h"
#include "model/constraints.h"

#include <math.h>
#include <stdlib.h>

/// Links of the chain.
enum { LINKS = 12 };

enum { DIRECT, MINRES, SHORT_MINRES, SOLVE_COUNT };

static const char *const solves[SOLVE_COUNT] = {
    [DIRECT] = "\"strict\": true, \"linear\": {\"type\": \"direct\"}",
    [MINRES] =
        "\"strict\": true, \"linear\": {\"type\": \"minres\", \"tolerance\": 1e-11, \"max_iterations\": 4000}",
    [SHORT_MINRES] = "\"linear\": {\"type\": \"minres\", \"max_iterations\": 60}",
};

/// A scene's bodies and constraints, those between the nodes of the chain before others.
typedef struct Case {
    const char *name, *bodies;
    bool linked;
    const char *constraints, *solver;
} Case;

// A slack cable along x.
#define CHAIN(pins)                                                                                          \
    "{\"name\": \"line\", \"type\": \"cable\", \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": "     \
    "[1.2, 0, 0], \"segments\": 12}}, \"material\": \"slack\", \"radius\": 0.01" pins "}"
#define HELD ", \"pins\": [{\"select\": {\"nodes\": [0]}}]"
#define BETWEEN(first, second)                                                                               \
    "\"between\": [{\"body\": \"line\", \"node\": " first "}, {\"body\": \"line\", \"node\": " second "}]"
#define NET(cells)                                                                                           \
    "{\"name\": \"net\", \"type\": \"shell\", \"geometry\": {\"sheet\": {\"size\": [1, 1], \"cells\": "      \
    "[" cells                                                                                                \
    "]}}, \"material\": \"firm\", \"thickness\": 0.001, \"formulation\": \"constraint\", \"pins\": "         \
    "[{\"select\": {\"nodes\": [0, 6]}}]}"
#define LINK(name, x)                                                                                        \
    "{\"name\": \"" name "\", \"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [1, 0.2, 0.1], "      \
    "\"cells\": [1, 1, 1]}}, \"material\": \"firm\", \"translate\": [" x ", 0, 0]}"

enum { PULLED, CLOTH, SOLID, ARTICULATED, INEQUALITIES, DOUBLED, PINNED, UNCLAMPED, CASE_COUNT };

static const Case cases[CASE_COUNT] = {
    [PULLED] =
        {"chain pulled by a point", CHAIN(""), true,
         "{\"type\": \"attach\", \"between\": [{\"body\": \"line\", \"node\": 0}, {\"point\": [0, 0, 0], "
         "\"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0, 2, 1]}]}]}",
         ""},
    [CLOTH] = {"net in constraint form", NET("6, 6"), false, "", ""},
    [SOLID] =
        {"solid in constraint form",
         "{\"name\": \"bar\", \"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, 1, 1]}}, "
         "\"material\": \"firm\", \"formulation\": \"constraint\", \"pins\": [{\"select\": {\"box\": [[-1, "
         "-1, -1], [-0.19, 1, 1]]}, \"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0, 1, 0]}]}]}",
         false, "", ""},
    [ARTICULATED] =
        {"links with a ball and hinges", LINK("a", "0.5") "," LINK("b", "1.5") "," LINK("c", "2.5"), false,
         "{\"type\": \"ball\", \"between\": [\"a\", \"world\"], \"at\": [0, 0, 0]},"
         "{\"type\": \"hinge\", \"between\": [\"a\", \"b\"], \"at\": [1, 0, 0], \"axis\": [0, 1, 2]},"
         "{\"type\": \"hinge\", \"between\": [\"b\", \"c\"], \"at\": [2, 0, 0], \"axis\": [0, 0, 1], "
         "\"limits_degrees\": [-0.5, 3]}",
         ""},
    [INEQUALITIES] =
        {"inequalities", CHAIN(HELD), true,
         "{\"type\": \"distance\", \"side\": \"at_most\", \"length\": 1.206, \"between\": [{\"body\": "
         "\"line\", \"node\": 12}, {\"point\": [0, 0.1, 0]}]}, {\"type\": \"distance\", \"side\": "
         "\"at_least\", \"length\": 0.28, \"between\": [{\"body\": \"line\", \"node\": 6}, {\"point\": "
         "[0.6, -0.3, 0]}]}",
         ""},
    [DOUBLED] = {"doubled constraint", CHAIN(HELD), true, "{\"type\": \"distance\", " BETWEEN("4", "5") "}",
                 ""},
    [PINNED] =
        {"partial and moving pins",
         CHAIN(", \"pins\": [{\"select\": {\"nodes\": [0]}, \"motion\": [{\"time\": 0}, {\"time\": 1, "
               "\"translate\": [0, 3, 1]}]}, {\"select\": {\"nodes\": [12]}, \"axes\": \"z\", \"frame\": "
               "{\"axis\": [0, 1, 1], \"degrees\": 30}}]"),
         true, "", ""},
    [UNCLAMPED] = {"stiffness unclamped", CHAIN(HELD), true, "", ", \"geometric_stiffness\": \"exact\""},
};

static void make(Simulation *simulation, int threads, int solve, const Case *one)
{
    char links[4096] = "";
    size_t length = 0;
    for (int i = 0; i < LINKS && one->linked; ++i)
        length += (size_t)snprintf(links + length, sizeof links - length,
                                   "%s{\"type\": \"distance\", " BETWEEN("%d", "%d") "}", i > 0 ? ", " : "",
                                   i, i + 1);
    simulation_make(
        threads_context(threads), simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"gravity\": [0.5, -9.81, 1],"
        " \"solver\": {\"type\": \"compliant\", %s%s},"
        " \"materials\": {"
        "\"slack\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1, "
        "\"poissons_ratio\": 0.3},"
        "\"firm\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": 1e7, "
        "\"poissons_ratio\": 0.3}},"
        " \"bodies\": [%s], \"constraints\": [%s%s%s]}",
        solves[solve], one->solver, one->bodies, links, length > 0 && *one->constraints ? ", " : "",
        one->constraints);
}

static CpuDevice *device_of(const Simulation *simulation)
{
    return (CpuDevice *)simulation->device;
}

/// Both solvers, side by side for ten steps. MINRES ends at a residual of 1e-11; condition numbers of 1e4 leave 1e-7 of a step's way.
START_TEST(same_motion)
{
    Simulation both[2];
    int iterations = 0;
    for (int k = 0; k < 2; ++k)
        make(&both[k], 1, k, &cases[_i]);
    ck_assert_ptr_null(device_of(&both[DIRECT])->constraints->minres);
    ck_assert_ptr_null(device_of(&both[MINRES])->constraints->factor);
    for (int step = 0; step < 10; ++step)
        for (int k = 0; k < 2; ++k) {
            const StepReport report = step_once(&both[k]);
            iterations += k == MINRES ? report.solver.linear_iterations : 0;
        }
    const size_t n = 3 * (size_t)both[0].model.node_count;
    const double *x[2] = {slot_values(&both[0], SLOT_POSITION), slot_values(&both[1], SLOT_POSITION)};
    const double off = largest_difference(x[0], x[1], n),
                 way = largest_difference(x[0], both[0].model.initial_positions, n);
    printf("%s: %.1e m apart after %.2g m, %d iterations a step, constraints off by %.1e m\n", cases[_i].name,
           off, way, iterations / 10, both[0].diagnosis.constraint_error);
    ck_assert_double_ge(way, 0.01);
    ck_assert_double_le(off, 1e-9 * way);
    ck_assert_double_eq_tol(both[0].diagnosis.constraint_error, both[1].diagnosis.constraint_error, 1e-9);
    for (int k = 0; k < 2; ++k)
        simulation_stop(&both[k]);
}
END_TEST

// ---------------------------------------------------------------- a dense system

// Solves in place by elimination with pivots; n x n by rows.
static void solve_dense(int n, double *matrix, double *right)
{
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(matrix[n * i + k]) > fabs(matrix[n * best + k]))
                best = i;
        for (int j = 0; j < n; ++j) {
            const double value = matrix[n * k + j];
            matrix[n * k + j] = matrix[n * best + j];
            matrix[n * best + j] = value;
        }
        const double value = right[k];
        right[k] = right[best];
        right[best] = value;
        ck_assert_double_ne(matrix[n * k + k], 0);
        for (int i = k + 1; i < n; ++i) {
            const double factor = matrix[n * i + k] / matrix[n * k + k];
            for (int j = k; j < n && factor != 0; ++j)
                matrix[n * i + j] -= factor * matrix[n * k + j];
            right[i] -= factor * right[k];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j)
            right[i] -= matrix[n * i + j] * right[j];
        right[i] /= matrix[n * i + i];
    }
}

// [A J^T; J -C], of -lambda, and its right-hand side; 1 on the diagonal of what does not hold. Freed by the caller.
static int make_dense(const CpuDevice *device, double **matrix, double **right)
{
    const ConstraintRows *rows = &device->constraints->rows;
    const BlockMatrix *blocks = &device->newton.matrix;
    const int nodes = 3 * blocks->row_count, n = nodes + rows->row_count;
    *matrix = calloc((size_t)(n * n), sizeof **matrix);
    *right = calloc((size_t)n, sizeof **right);
    ck_assert(*matrix && *right);
    memcpy(*right, device->constraints->right, (size_t)nodes * sizeof **right);
    for (int32_t i = 0; i < blocks->row_count; ++i)
        for (int32_t p = blocks->row_start[i]; p < blocks->row_start[i + 1]; ++p)
            for (int k = 0; k < 9 && blocks->columns[p] < blocks->row_count; ++k)
                (*matrix)[n * (3 * i + k % 3) + 3 * blocks->columns[p] + k / 3] =
                    blocks->values[9 * (size_t)p + (size_t)k];
    for (int32_t c = 0; c < rows->count; ++c) {
        const ModelConstraint *constraint = &rows->model->constraints[c];
        const int count = constraint_kinds[constraint->kind].rows;
        for (int r = 0; r < count; ++r) {
            const int at = nodes + constraint->first_row + r;
            double unit[CONSTRAINT_ROWS_MOST] = {0}, column[CONSTRAINT_ROWS_MOST] = {0};
            unit[r] = 1;
            if (rows->active[c])
                model_constraint_compliance(constraint, unit, column);
            else
                column[r] = 1;
            for (int q = 0; q < count; ++q)
                (*matrix)[n * at + nodes + constraint->first_row + q] = -column[q];
            (*right)[at] = rows->active[c] ? -rows->right[constraint->first_row + r] : 0;
            for (int32_t e = rows->start[c]; e < rows->start[c + 1] && rows->active[c]; ++e)
                for (int k = 0; k < 3 && rows->places[e] < blocks->row_count; ++k)
                    (*matrix)[n * at + 3 * rows->places[e] + k] =
                        (*matrix)[n * (3 * rows->places[e] + k) + at] = rows->slopes[e][3 * r + k];
        }
    }
    return n;
}

static void solve_once(Simulation *simulation, double tolerance, int max_iterations, CompliantReport *report)
{
    const CompliantSettings settings = {.stiffness = simulation->scene.solver.geometric_stiffness,
                                        .tolerance = tolerance,
                                        .max_iterations = max_iterations};
    ASSERT_OK(simulation->context, device_compliant_direction(simulation->device, &settings, report));
}

static double largest(const double *values, size_t count)
{
    double found = 0;
    for (size_t i = 0; i < count; ++i)
        found = fmax(found, fabs(values[i]));
    return found;
}

/// The factor, and MINRES, give what a dense solution gives: one more system after the third step. Affine bodies have all but met it, so
/// that d is what large forces leave: there it is measured by a way of a millimetre.
START_TEST(dense_solution)
{
    const int solve = _i % 2, which = (const int[]){CLOTH, ARTICULATED, INEQUALITIES, PINNED}[_i / 2];
    Simulation simulation;
    CompliantReport report;
    double *matrix, *right;
    make(&simulation, 1, solve, &cases[which]);
    for (int step = 0; step < 3; ++step)
        step_once(&simulation);
    solve_once(&simulation, 1e-13, 4000, &report);
    const CpuDevice *device = device_of(&simulation);
    const int n = make_dense(device, &matrix, &right), nodes = 3 * device->newton.matrix.row_count;
    solve_dense(n, matrix, right);
    for (int i = nodes; i < n; ++i)
        right[i] = -right[i];
    const double *d = device->constraints->d, *lambda = device->constraints->lambda;
    const size_t rows = (size_t)(n - nodes);
    const double off[2] = {largest_difference(right, d, (size_t)nodes) /
                               fmax(largest(right, (size_t)nodes), 1e-3),
                           largest_difference(right + nodes, lambda, rows) / largest(right + nodes, rows)};
    printf("%s, %d unknowns, %s: d off by %.1e, lambda by %.1e\n", cases[which].name, n,
           solve == DIRECT ? "direct" : "minres", off[0], off[1]);
    ck_assert_double_le(off[0], solve == DIRECT ? 1e-11 : 1e-9);
    ck_assert_double_le(off[1], solve == DIRECT ? 1e-11 : 1e-9);
    free(matrix);
    free(right);
    simulation_stop(&simulation);
}
END_TEST

// ---------------------------------------------------------------- what cannot be had, and what is there twice

/// The two multipliers of a constraint that is there twice: MINRES shares the force, the factor leaves one row out.
START_TEST(doubled_constraints_share)
{
    Simulation both[2];
    double pull[2];
    for (int k = 0; k < 2; ++k) {
        CompliantReport report;
        make(&both[k], 1, k, &cases[DOUBLED]);
        step_once(&both[k]);
        solve_once(&both[k], 1e-11, 4000, &report);
        const double *lambda = device_of(&both[k])->constraints->lambda;
        pull[k] = lambda[4] + lambda[LINKS];
        ck_assert_int_eq(report.dependent, k == DIRECT);
        if (k == MINRES)
            ck_assert_double_eq_tol(lambda[4], lambda[LINKS], 1e-9 * fabs(pull[k]));
        else
            ck_assert(lambda[4] == 0 || lambda[LINKS] == 0);
    }
    ck_assert_double_eq_tol(pull[0], pull[1], 1e-8 * fabs(pull[0]));
    for (int k = 0; k < 2; ++k)
        simulation_stop(&both[k]);
}
END_TEST

/// Two hard constraints that contradict each other: MINRES ends by itself, at the least residual, with finite multipliers.
START_TEST(conflict_ends)
{
    const Case conflict = {.bodies = CHAIN(HELD),
                           .linked = true,
                           .constraints = "{\"type\": \"distance\", \"length\": 0.12, " BETWEEN("4", "5") "}",
                           .solver = ""};
    Simulation simulation;
    CompliantReport report;
    make(&simulation, 1, SHORT_MINRES, &conflict);
    ASSERT_OK(simulation.context,
              device_state_write(simulation.device, SLOT_TARGET, simulation.model.initial_positions));
    ASSERT_OK(simulation.context,
              device_state_write(simulation.device, SLOT_BASE_POSITION, simulation.model.initial_positions));
    ASSERT_OK(simulation.context, device_stage_set(simulation.device, &(Stage){.a = 0.01}));
    solve_once(&simulation, 1e-11, 100000, &report);
    printf("conflict: %d iterations to a residual of %.3g\n", report.linear_iterations,
           report.linear_residual);
    ck_assert_int_lt(report.linear_iterations, 2000);
    ck_assert_double_ge(report.linear_residual, 0.01);
    ck_assert_double_le(report.largest, 0.1);
    ck_assert_int_lt(report.bad_node, 0);
    // Each of the two gives way by half of what they differ by.
    const CpuDevice *device = device_of(&simulation);
    double stretch;
    constraint_rows_multiply(&device->constraints->rows, 4, 5, device->constraints->d,
                             device->constraints->rest_lambda);
    stretch = device->constraints->rest_lambda[4];
    ck_assert_double_eq_tol(stretch, 0.01, 1e-6);
    simulation_stop(&simulation);
}
END_TEST

START_TEST(strict_runs_say_where_it_stopped)
{
    Simulation simulation;
    StepReport report;
    Case hard = cases[CLOTH];
    hard.solver = ", \"strict\": true";
    make(&simulation, 1, SHORT_MINRES, &hard);
    const VelaResult result = simulation_step(&simulation, &report);
    ck_assert_int_eq(result, VELA_ERROR_NOT_CONVERGED);
    ck_assert_ptr_nonnull(
        strstr(vela_context_message(simulation.context), "MINRES stopped after 60 iterations"));
    simulation_stop(&simulation);
}
END_TEST

/// Same bytes for any number of threads: 2401 nodes, where all loops are shared.
START_TEST(threads_change_nothing)
{
    Case large = cases[CLOTH];
    Simulation simulations[3];
    const double *x[3];
    large.bodies = NET("48, 48");
    for (int k = 0; k < 3; ++k) {
        make(&simulations[k], k + 1, SHORT_MINRES, &large);
        ck_assert_int_eq(device_of(&simulations[k])->node_threads, k + 1);
        step_once(&simulations[k]);
        step_once(&simulations[k]);
        x[k] = slot_values(&simulations[k], SLOT_POSITION);
    }
    for (int k = 1; k < 3; ++k)
        ck_assert_mem_eq(x[0], x[k], 3 * sizeof(double) * (size_t)simulations[0].model.node_count);
    for (int k = 0; k < 3; ++k)
        simulation_stop(&simulations[k]);
}
END_TEST

// ---------------------------------------------------------------- the dissection

enum { GRID, RANDOM, STAR, APART, GRAPH_COUNT, GRAPH_SIDE = 24, GRAPH_NODES = GRAPH_SIDE * GRAPH_SIDE };

static bool is_edge(int graph, int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    switch (graph) {
    case GRID:
        return abs(a / GRAPH_SIDE - b / GRAPH_SIDE) <= 1 && abs(a % GRAPH_SIDE - b % GRAPH_SIDE) <= 1;
    case RANDOM:
        return (low * 7919 + high * 104729) % 211 == 0;
    case STAR:
        return low == 0;
    default: // rings of seven, and nodes with no neighbour
        return low / 8 == high / 8 && low % 8 < 7 && high % 8 < 7 && (high - low == 1 || high - low == 6);
    }
}

/// Every node is in one set, sets come before their parents, and neighbours are in one set or in sets of which one is above the other.
START_TEST(sets_touch_only_those_above_and_below)
{
    VelaContext *context = threads_context(1);
    Arena arena = arena_make(context);
    static int32_t row_start[GRAPH_NODES + 1], columns[GRAPH_NODES * GRAPH_NODES];
    int32_t set_of[GRAPH_NODES];
    Dissection sets;
    for (int i = 0; i < GRAPH_NODES; ++i) {
        row_start[i + 1] = row_start[i];
        for (int j = 0; j < GRAPH_NODES; ++j)
            if (i == j || is_edge(_i, i, j))
                columns[row_start[i + 1]++] = j;
    }
    ASSERT_OK(context, dissection_create(context, GRAPH_NODES, row_start, columns, &arena, &sets));
    for (int i = 0; i < GRAPH_NODES; ++i)
        set_of[i] = -1;
    ck_assert_int_eq(sets.start[0], 0);
    ck_assert_int_eq(sets.start[sets.count], GRAPH_NODES);
    int32_t largest_set = 0;
    for (int32_t s = 0; s < sets.count; ++s) {
        ck_assert(sets.parent[s] == -1 || (sets.parent[s] > s && sets.parent[s] < sets.count));
        const int32_t size = sets.start[s + 1] - sets.start[s];
        ck_assert_int_gt(size, 0);
        largest_set = size > largest_set ? size : largest_set;
        for (int32_t k = sets.start[s]; k < sets.start[s + 1]; ++k) {
            ck_assert_int_eq(set_of[sets.nodes[k]], -1);
            set_of[sets.nodes[k]] = s;
        }
    }
    for (int i = 0; i < GRAPH_NODES; ++i)
        for (int32_t p = row_start[i]; p < row_start[i + 1]; ++p) {
            int32_t low = set_of[i] < set_of[columns[p]] ? set_of[i] : set_of[columns[p]];
            const int32_t high = set_of[i] + set_of[columns[p]] - low;
            while (low >= 0 && low < high)
                low = sets.parent[low];
            ck_assert_int_eq(low, high);
        }
    if (_i == GRID) // separators are lines of the grid or little more
        ck_assert_int_le(largest_set, 2 * GRAPH_SIDE);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("constraint solvers");
    TCase *tests = tcase_create("constraints");
    tcase_add_loop_test(tests, same_motion, 0, CASE_COUNT);
    tcase_add_loop_test(tests, dense_solution, 0, 8);
    tcase_add_test(tests, doubled_constraints_share);
    tcase_add_test(tests, conflict_ends);
    tcase_add_test(tests, strict_runs_say_where_it_stopped);
    tcase_add_test(tests, threads_change_nothing);
    tcase_add_loop_test(tests, sets_touch_only_those_above_and_below, 0, GRAPH_COUNT);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
