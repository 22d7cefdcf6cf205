// The linear systems of constraints on the CPU path, as CSV.
//
// conditioning: a straight chain, the same one bent, and a cantilever, all without strain, over their modulus, as constraints with compliance and as forces: condition numbers of
// both matrices, scaled by their preconditioners (the blocks of nodes, and of constraints), iterations of MINRES and of conjugate
// gradients until the residual is 1e-8 in the norm of the preconditioner, 2000 at most, and how far each is from the factor's solution.
// time: processor time a step, numbers of the factor and iterations a step, of chains and cloths in constraint form.
//
// usage: bench_constraints conditioning > constraints_conditioning.csv
//        bench_constraints time direct|minres chain|cloth SIZE... > constraints.csv     (links, nodes along a side)
#define _POSIX_C_SOURCE 200809L
#include "stepping.h"

#include "device/cpu/constraints/compliant.h"
#include "model/constraints.h"

#include <math.h>

enum { STEPS = 3, MOST_ITERATIONS = 2000, SWEEPS_MOST = 30, DENSE_MOST = 400 };

// ---------------------------------------------------------------- dense matrices

// A symmetric system by rows, and the blocks on the diagonal of what it is scaled by.
typedef struct Dense {
    int n;
    double *matrix, *scale;
    int block_count;
    int *block_start;
} Dense;

static void *take(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (!memory)
        exit(1);
    return memory;
}

static Dense dense_create(int n)
{
    const size_t squared = (size_t)n * (size_t)n;
    return (Dense){.n = n,
                   .matrix = take(squared, sizeof(double)),
                   .scale = take(squared, sizeof(double)),
                   .block_start = take((size_t)n + 1, sizeof(int))};
}

static void dense_destroy(Dense *dense)
{
    free(dense->matrix);
    free(dense->scale);
    free(dense->block_start);
}

static void add_block(Dense *dense, int size)
{
    dense->block_start[dense->block_count + 1] = dense->block_start[dense->block_count] + size;
    ++dense->block_count;
}

// L of L L^T in place of a block of the scale.
static void factor_scale(Dense *dense, int first, int end)
{
    const int n = dense->n;
    for (int j = first; j < end; ++j)
        for (int i = j; i < end; ++i) {
            double sum = dense->scale[n * i + j];
            for (int k = first; k < j; ++k)
                sum -= dense->scale[n * i + k] * dense->scale[n * j + k];
            dense->scale[n * i + j] = i == j ? sqrt(sum) : sum / dense->scale[n * j + j];
        }
}

// L^-1 K L^-T in place.
static void apply_scale(Dense *dense)
{
    const int n = dense->n;
    double *m = dense->matrix;
    for (int b = 0; b < dense->block_count; ++b)
        factor_scale(dense, dense->block_start[b], dense->block_start[b + 1]);
    for (int turn = 0; turn < 2; ++turn) {
        for (int b = 0; b < dense->block_count; ++b)
            for (int i = dense->block_start[b]; i < dense->block_start[b + 1]; ++i) {
                for (int k = dense->block_start[b]; k < i; ++k)
                    for (int j = 0; j < n; ++j)
                        m[n * i + j] -= dense->scale[n * i + k] * m[n * k + j];
                for (int j = 0; j < n; ++j)
                    m[n * i + j] /= dense->scale[n * i + i];
            }
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < i; ++j) {
                const double value = m[n * i + j];
                m[n * i + j] = m[n * j + i];
                m[n * j + i] = value;
            }
    }
}

// A rotation of rows and columns p and q that makes the entry between them 0. Returns its size before.
static double rotate(int n, double *m, int p, int q)
{
    const double entry = m[n * p + q];
    if (fabs(entry) < 1e-300)
        return 0;
    const double ratio = (m[n * q + q] - m[n * p + p]) / (2 * entry);
    const double tangent = copysign(1, ratio) / (fabs(ratio) + hypot(1, ratio));
    const double cosine = 1 / hypot(1, tangent), sine = cosine * tangent;
    for (int i = 0; i < n; ++i) {
        const double a = m[n * p + i], b = m[n * q + i];
        m[n * p + i] = cosine * a - sine * b;
        m[n * q + i] = sine * a + cosine * b;
    }
    for (int i = 0; i < n; ++i) {
        const double a = m[n * i + p], b = m[n * i + q];
        m[n * i + p] = cosine * a - sine * b;
        m[n * i + q] = sine * a + cosine * b;
    }
    return fabs(entry);
}

// Of the scaled matrix, by Jacobi's rotations.
static double condition_number(Dense *dense)
{
    const int n = dense->n;
    apply_scale(dense);
    double largest = 0, least = INFINITY;
    for (int sweep = 0; sweep < SWEEPS_MOST; ++sweep) {
        double off = 0;
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q)
                off = fmax(off, rotate(n, dense->matrix, p, q));
        if (off < 1e-15)
            break;
    }
    for (int i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(dense->matrix[n * i + i]));
        least = fmin(least, fabs(dense->matrix[n * i + i]));
    }
    return largest / least;
}

static void take_nodes(const BlockMatrix *blocks, Dense *dense)
{
    const int n = dense->n;
    for (int32_t i = 0; i < blocks->row_count; ++i) {
        add_block(dense, 3);
        for (int32_t p = blocks->row_start[i]; p < blocks->row_start[i + 1]; ++p)
            for (int k = 0; k < 9 && blocks->columns[p] < blocks->row_count; ++k) {
                const int at = n * (3 * i + k % 3) + 3 * blocks->columns[p] + k / 3;
                dense->matrix[at] = blocks->values[9 * (size_t)p + (size_t)k];
                if (blocks->columns[p] == i)
                    dense->scale[at] = dense->matrix[at];
            }
    }
}

// J D^-1 J^T of a constraint's rows onto its block of the scale.
static void scale_constraint(const ConstraintRows *rows, int32_t c, int at, int count, int free_count,
                             Dense *dense)
{
    const int n = dense->n;
    for (int32_t e = rows->start[c]; e < rows->start[c + 1]; ++e) {
        double block[9], inverse[9], solved[3];
        const int node = rows->places[e];
        for (int k = 0; k < 9 && node < free_count; ++k)
            block[k] = dense->scale[n * (3 * node + k % 3) + 3 * node + k / 3];
        if (node >= free_count)
            continue;
        matrix3_inverse(block, inverse);
        for (int r = 0; r < count; ++r) {
            matrix3_apply(inverse, rows->slopes[e] + 3 * r, solved);
            for (int q = 0; q < count; ++q)
                dense->scale[n * (at + q) + at + r] += dot3(rows->slopes[e] + 3 * q, solved);
        }
    }
}

// [A J^T; J -C].
static void take_constraints(const ConstraintRows *rows, int free_count, Dense *dense)
{
    const int n = dense->n;
    for (int32_t c = 0; c < rows->count; ++c) {
        const ModelConstraint *constraint = &rows->model->constraints[c];
        const int count = constraint_kinds[constraint->kind].rows,
                  at = 3 * free_count + constraint->first_row;
        add_block(dense, count);
        for (int r = 0; r < count; ++r) {
            double unit[CONSTRAINT_ROWS_MOST] = {0}, column[CONSTRAINT_ROWS_MOST];
            unit[r] = 1;
            model_constraint_compliance(constraint, unit, column);
            for (int q = 0; q < count; ++q) {
                dense->matrix[n * (at + r) + at + q] = -column[q];
                dense->scale[n * (at + r) + at + q] = column[q];
            }
            for (int32_t e = rows->start[c]; e < rows->start[c + 1]; ++e)
                for (int k = 0; k < 3 && rows->places[e] < free_count; ++k) {
                    const int node = 3 * rows->places[e] + k;
                    dense->matrix[n * (at + r) + node] = dense->matrix[n * node + at + r] =
                        rows->slopes[e][3 * r + k];
                }
        }
        scale_constraint(rows, c, at, count, free_count, dense);
    }
}

// NAN of a matrix too large for it.
static double condition_of(const CpuDevice *device)
{
    const BlockMatrix *blocks = &device->newton.matrix;
    const CpuConstraints *constraints = device->constraints;
    const int n = 3 * blocks->row_count + (constraints ? constraints->rows.row_count : 0);
    if (n > DENSE_MOST)
        return NAN;
    Dense dense = dense_create(n);
    take_nodes(blocks, &dense);
    if (constraints)
        take_constraints(&constraints->rows, blocks->row_count, &dense);
    const double found = condition_number(&dense);
    dense_destroy(&dense);
    return found;
}

// ---------------------------------------------------------------- conditioning

enum { CHAIN, BENT_CHAIN, LONG_CHAIN, CANTILEVER, BODY_COUNT };

#define CABLE(segments)                                                                                      \
    "\"type\": \"cable\", \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": [2, 0.5, 0.3], "           \
    "\"segments\": " segments "}}, \"radius\": 0.01, \"pins\": [{\"select\": {\"nodes\": [0]}}]"

static const struct {
    const char *name, *body;
} bodies[BODY_COUNT] = {
    [CHAIN] = {"chain of 24", CABLE("24")},
    [BENT_CHAIN] = {"bent chain of 24", CABLE("24")},
    [LONG_CHAIN] = {"bent chain of 2000", CABLE("2000")},
    [CANTILEVER] = {"cantilever of 4 cells",
                    "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, 1, 1]}}, \"pins\": "
                    "[{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}}]"},
};

// Every link in a direction of its own, as long as before.
static void bend(const Model *model, double *x)
{
    double link[3];
    subtract3(x + 3, x, link);
    const double length = norm3(link);
    for (int32_t i = 1; i < model->node_count; ++i) {
        double way[3] = {1, 2 * sin(1.3 * i), 2 * cos(2.1 * i)};
        normalize3(way);
        add_scaled3(x + 3 * (size_t)(i - 1), length, way, x + 3 * (size_t)i);
    }
}

static void start(Simulation *simulation, int body, double modulus, const char *solver)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": "
        "\"implicit_euler\"}, \"solver\": {%s}, \"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, "
        "\"youngs_modulus\": %.17g, \"poissons_ratio\": 0.3}}, \"bodies\": [{%s, \"material\": \"m\", "
        "\"formulation\": \"%s\"}]}",
        solver, modulus, bodies[body].body, strstr(solver, "newton") ? "force" : "constraint");
    stepping_start(1, "bench.json", text, 0, NULL, simulation);
    Device *device = simulation->device;
    double *x = simulation->model.initial_positions;
    if (body == BENT_CHAIN || body == LONG_CHAIN)
        bend(&simulation->model, x);
    static const Slot slots[] = {SLOT_STAGE, SLOT_TARGET, SLOT_BASE_POSITION};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; ++i)
        stepping_check(simulation->context, device_state_write(device, slots[i], x));
    stepping_check(simulation->context, device_stage_set(device, &(Stage){.a = simulation->scene.step}));
}

static CompliantReport solve_constraints(Simulation *simulation)
{
    const CompliantSettings settings = {
        .stiffness = GEOMETRIC_STIFFNESS_CLAMPED, .tolerance = 1e-8, .max_iterations = MOST_ITERATIONS};
    CompliantReport report;
    stepping_check(simulation->context, device_compliant_direction(simulation->device, &settings, &report));
    return report;
}

static double off_by(const Simulation *simulation, const Simulation *reference)
{
    const double *d = ((const CpuDevice *)simulation->device)->newton.direction,
                 *right = ((const CpuDevice *)reference->device)->newton.direction;
    double off = 0, size = 0;
    for (int32_t i = 0; i < 3 * reference->model.node_count; ++i) {
        off = fmax(off, fabs(d[i] - right[i]));
        size = fmax(size, fabs(right[i]));
    }
    return off / size;
}

static void condition(int body, double modulus)
{
    Simulation direct, minres, newton;
    start(&direct, body, modulus, "\"type\": \"compliant\"");
    start(&minres, body, modulus, "\"type\": \"compliant\", \"linear\": {\"type\": \"minres\"}");
    start(&newton, body, modulus, "\"type\": \"newton\", \"linear\": {\"preconditioner\": \"block_jacobi\"}");
    solve_constraints(&direct);
    const CompliantReport by_minres = solve_constraints(&minres);
    const NewtonSettings settings = {
        .linear_tolerance = 1e-8, .linear_max_iterations = MOST_ITERATIONS, .project = true};
    NewtonDirection by_gradients;
    stepping_check(newton.context, device_newton_direction(newton.device, &settings, &by_gradients));
    printf("%s,%.0e,%.3g,%.3g,%d,%.1e,%.1e,%d,%.1e,%.1e\n", bodies[body].name, modulus,
           condition_of((const CpuDevice *)minres.device), condition_of((const CpuDevice *)newton.device),
           by_minres.linear_iterations, by_minres.linear_residual, off_by(&minres, &direct),
           by_gradients.linear_iterations, by_gradients.linear_residual, off_by(&newton, &direct));
    fflush(stdout);
    stepping_end(&newton);
    stepping_end(&minres);
    stepping_end(&direct);
}

// ---------------------------------------------------------------- times

static void measure(const char *linear, const char *body, int size)
{
    char text[1024], geometry[256];
    const bool is_chain = strcmp(body, "chain") == 0;
    if (is_chain)
        snprintf(
            geometry, sizeof geometry,
            "\"type\": \"cable\", \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": [%.17g, 0, 0], "
            "\"segments\": %d}}, \"radius\": 0.005, \"pins\": [{\"select\": {\"nodes\": [0]}}]",
            0.1 * size, size);
    else
        snprintf(
            geometry, sizeof geometry,
            "\"type\": \"shell\", \"geometry\": {\"sheet\": {\"size\": [1, 1], \"cells\": [%d, %d]}}, "
            "\"thickness\": 0.0005, \"bending\": \"none\", \"pins\": [{\"select\": {\"nodes\": [0, %d]}}]",
            size - 1, size - 1, size - 1);
    snprintf(
        text, sizeof text,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"solver\": {\"type\": \"compliant\", "
        "\"linear\": {\"type\": \"%s\"}}, \"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, "
        "\"youngs_modulus\": 1e7, \"poissons_ratio\": 0.3}}, \"bodies\": [{%s, \"material\": \"m\", "
        "\"formulation\": \"constraint\"}]}",
        linear, geometry);
    Simulation simulation;
    const double before = processor_ms();
    stepping_start(1, "bench.json", text, 0, NULL, &simulation);
    const double started = processor_ms() - before, begin = processor_ms();
    int iterations = 0, met = 0;
    for (int step = 0; step < STEPS; ++step) {
        StepReport report;
        stepping_check(simulation.context, simulation_step(&simulation, &report));
        iterations += report.solver.linear_iterations;
        met += report.solver.stop == STOP_CONVERGED;
    }
    const double processor = (processor_ms() - begin) / STEPS;
    const CpuConstraints *constraints = ((const CpuDevice *)simulation.device)->constraints;
    printf("%s,%s,%d,%d,%.0f,%.2f,%.2f,%lld,%.1f,%d\n", body, linear, simulation.model.node_count,
           constraints->rows.row_count, started, processor, 1e3 * processor / simulation.model.node_count,
           constraints->factor ? (long long)saddle_factor_entries(constraints->factor) : 0,
           (double)iterations / STEPS, met);
    fflush(stdout);
    stepping_end(&simulation);
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "conditioning") == 0) {
        printf("body,modulus_Pa,condition_constraints,condition_stiffness,minres_iterations,minres_residual,"
               "minres_off,cg_iterations,cg_residual,cg_off\n");
        for (int body = 0; body < BODY_COUNT; ++body)
            for (int power = 3; power <= 12; ++power)
                condition(body, pow(10, power));
        return 0;
    }
    if (count < 5 || strcmp(arguments[1], "time") != 0) {
        fprintf(stderr, "usage: bench_constraints conditioning | time direct|minres chain|cloth SIZE...\n");
        return 2;
    }
    printf(
        "body,linear,nodes,rows,start_ms,processor_ms_per_step,us_per_node,entries,linear_iterations_per_step,"
        "steps_met_of_%d\n",
        STEPS);
    for (int i = 4; i < count; ++i)
        measure(arguments[2], arguments[3], atoi(arguments[i]));
    return 0;
}
