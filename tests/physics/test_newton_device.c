// The device's part of Newton's method, operation by operation, against dense algebra and differences.
#include "newton_bodies.h"
#include "without_factor.h"

#include "device/cpu/cpu.h"
#include "device/cpu/cpu_device.h"

enum { CASES = ENERGY_MODEL_COUNT * SITUATION_COUNT };

static const double STEP = 0.01, TIME = 0.02;

static double random_between(uint64_t *state, double low, double high)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(*state >> 11) * 0x1p-53;
}

/// A body whose nodes stand up to `amplitude` (m) off their places in SLOT_STAGE, with a target as far away.
typedef struct Bent {
    Simulation simulation;
    int size; ///< 3 node_count
    double x[REFERENCE_UNKNOWNS], target[REFERENCE_UNKNOWNS];
} Bent;

static void make_bent(Bent *bent, int number, double amplitude)
{
    make_body(&bent->simulation, number % ENERGY_MODEL_COUNT, number / ENERGY_MODEL_COUNT,
              "\"type\": \"newton\", \"tolerance\": 1e-9, \"strict\": true");
    const Model *model = &bent->simulation.model;
    Device *device = bent->simulation.device;
    uint64_t state = (uint64_t)number + 1;
    double pins[REFERENCE_UNKNOWNS];
    bent->size = 3 * model->node_count;
    ck_assert_int_le(bent->size, REFERENCE_UNKNOWNS);
    for (int i = 0; i < bent->size; ++i) {
        bent->x[i] = model->initial_positions[i] + random_between(&state, -amplitude, amplitude);
        bent->target[i] = bent->x[i] + random_between(&state, -amplitude, amplitude);
    }
    model_pin_positions(model, TIME, pins);
    for (int32_t p = 0; p < model->pin_count; ++p)
        memcpy(bent->target + 3 * model->pin_nodes[p], pins + 3 * p, 3 * sizeof *pins);
    ASSERT_OK(device->context, device_state_write(device, SLOT_STAGE, bent->x));
    ASSERT_OK(device->context, device_state_write(device, SLOT_TARGET, bent->target));
    ASSERT_OK(device->context, device_stage_set(device, &(Stage){.a = STEP, .time = TIME}));
}

static NewtonDirection find_direction(Bent *bent, bool project, double d[REFERENCE_UNKNOWNS])
{
    const NewtonSettings settings = {
        .linear_tolerance = 1e-13, .linear_max_iterations = 10000, .project = project};
    NewtonDirection direction;
    Device *device = bent->simulation.device;
    ASSERT_OK(device->context, device_newton_direction(device, &settings, &direction));
    memcpy(d, ((CpuDevice *)device)->newton.direction, (size_t)bent->size * sizeof *d);
    return direction;
}

static double energy_at(const Bent *bent, const double *x, double *gradient)
{
    return objective(&bent->simulation.model, TIME, STEP, bent->target, x, gradient);
}

/// Second derivatives of the objective, over all nodes: the elements' Hessians of the product, or differences of the
/// gradient, which know nothing of them.
static void dense_hessian(const Bent *bent, bool project, double *A)
{
    const Model *model = &bent->simulation.model;
    const int size = bent->size;
    memset(A, 0, sizeof *A * (size_t)size * (size_t)size);
    if (project) {
        for (int i = 0; i < size; ++i)
            A[(size + 1) * i] = model->masses[i / 3] / (STEP * STEP);
        reference_add_hessian(model, TIME, bent->x, true, A);
        return;
    }
    const double shift = 1e-7;
    for (int j = 0; j < size; ++j) {
        double x[REFERENCE_UNKNOWNS], plus[REFERENCE_UNKNOWNS], minus[REFERENCE_UNKNOWNS];
        memcpy(x, bent->x, (size_t)size * sizeof *x);
        x[j] = bent->x[j] + shift;
        energy_at(bent, x, plus);
        x[j] = bent->x[j] - shift;
        energy_at(bent, x, minus);
        for (int i = 0; i < size; ++i)
            A[size * i + j] = (plus[i] - minus[i]) / (2 * shift);
    }
}

/// The dense Newton direction; false if the matrix of the free nodes is not positive definite.
static bool dense_direction(const Bent *bent, bool project, double *d)
{
    static double A[REFERENCE_UNKNOWNS * REFERENCE_UNKNOWNS];
    const Model *model = &bent->simulation.model;
    const int size = bent->size;
    double gradient[REFERENCE_UNKNOWNS];
    dense_hessian(bent, project, A);
    energy_at(bent, bent->x, gradient);
    for (int i = 0; i < size; ++i) {
        d[i] = model->node_is_free[i / 3] ? -gradient[i] : bent->target[i] - bent->x[i];
        for (int j = 0; j < size; ++j)
            if (model->node_is_free[i / 3] && !model->node_is_free[j / 3])
                d[i] -= A[size * i + j] * (bent->target[j] - bent->x[j]);
    }
    reference_fix(model, A);
    if (!dense_factor(A, size))
        return false;
    dense_solve(A, size, d);
    return true;
}

static double largest_of(const double *values, int count)
{
    double largest = 0;
    for (int i = 0; i < count; ++i)
        largest = fmax(largest, fabs(values[i]));
    return largest;
}

START_TEST(direction_equals_dense)
{
    const bool project = _i < CASES;
    Bent bent;
    double found[REFERENCE_UNKNOWNS], expected[REFERENCE_UNKNOWNS], gradient[REFERENCE_UNKNOWNS];
    make_bent(&bent, _i % CASES, project ? 0.03 : 0.003);
    const NewtonDirection direction = find_direction(&bent, project, found);
    ck_assert(dense_direction(&bent, project, expected));
    const double scale = largest_of(expected, bent.size);
    const double error = largest_difference(found, expected, (size_t)bent.size) / scale;
    printf("%s, %s, %s Hessian: direction off by %.2g after %d iterations\n",
           model_name(_i % ENERGY_MODEL_COUNT), situations[_i % CASES / ENERGY_MODEL_COUNT][0],
           project ? "projected" : "true", error, direction.linear_iterations);
    ck_assert_double_le(error, project ? 1e-10 : 1e-6);
    ck_assert(!direction.indefinite);
    ck_assert_int_eq(direction.bad_node, -1);
    ck_assert_double_le(direction.linear_residual, 1e-13);
    ck_assert_double_gt(direction.gradient, 0);
    ck_assert_double_eq_tol(direction.largest, scale, 1e-6 * scale);
    // The slope: over all nodes, the fixed ones through the elements alone.
    const Model *model = &bent.simulation.model;
    double slope = 0, pin_gap = 0, size = 0;
    reference_potential(model, TIME, bent.x, gradient);
    for (int i = 0; i < bent.size; ++i) {
        const double mass = model->masses[i / 3];
        const double inertia = mass / (STEP * STEP) * (bent.x[i] - bent.target[i]);
        const bool is_free = model->node_is_free[i / 3];
        const double part =
            (gradient[i] + (is_free ? inertia : mass * model->scene->gravity[i % 3])) * found[i];
        slope += part;
        size += fabs(part);
        pin_gap = is_free ? pin_gap : fmax(pin_gap, fabs(bent.target[i] - bent.x[i]));
    }
    ck_assert_double_eq_tol(direction.slope, slope, 1e-12 * size);
    ck_assert_double_eq_tol(direction.pin_gap, pin_gap, 1e-16);
    ck_assert((pin_gap > 0) == (model->pin_count > 0));
    simulation_stop(&bent.simulation);
}
END_TEST

START_TEST(matrix_is_the_sum_of_elements)
{
    static double A[REFERENCE_UNKNOWNS * REFERENCE_UNKNOWNS];
    Bent bent;
    double d[REFERENCE_UNKNOWNS];
    make_bent(&bent, _i, 0.03);
    find_direction(&bent, true, d);
    dense_hessian(&bent, true, A);
    const CpuDevice *device = (const CpuDevice *)bent.simulation.device;
    const BlockMatrix *matrix = &device->newton.matrix;
    const double scale = largest_of(A, bent.size * bent.size);
    double kept = 0, all = 0;
    for (int32_t i = 0; i < matrix->row_count; ++i)
        for (int32_t p = matrix->row_start[i]; p < matrix->row_start[i + 1]; ++p)
            for (int k = 0; k < 9; ++k) {
                const int32_t row = device->base.model->order.nodes[i],
                              column = device->base.model->order.nodes[matrix->columns[p]];
                const double expected = A[bent.size * (3 * row + k % 3) + 3 * column + k / 3];
                ck_assert_double_eq_tol(matrix->values[9 * p + k], expected, 1e-13 * scale);
                kept += fabs(expected);
            }
    for (int i = 0; i < bent.size * bent.size; ++i)
        all += bent.simulation.model.node_is_free[i / bent.size / 3] ? fabs(A[i]) : 0;
    ck_assert_double_eq_tol(kept, all, 1e-12 * all); // nothing is outside the pattern
    // Symmetric to the last bit.
    for (int32_t p = 0; p < matrix->row_start[matrix->row_count]; ++p)
        for (int k = 0; k < 9 && matrix->mirror[p] >= 0; ++k)
            ck_assert(matrix->values[9 * p + k] ==
                      matrix->values[9 * matrix->mirror[p] + 3 * (k % 3) + k / 3]);
    simulation_stop(&bent.simulation);
}
END_TEST

/// Squeezed to a third along x, where every energy's true Hessian has negative eigenvalues in the lateral directions.
START_TEST(indefinite_matrices_are_told)
{
    Bent bent;
    double d[REFERENCE_UNKNOWNS];
    make_bent(&bent, _i, 0);
    for (int i = 0; i < bent.size; i += 3)
        bent.x[i] *= 0.3;
    Device *device = bent.simulation.device;
    ASSERT_OK(device->context, device_state_write(device, SLOT_STAGE, bent.x));
    // So long a step that masses do not hide it.
    ASSERT_OK(device->context, device_stage_set(device, &(Stage){.a = 10, .time = TIME}));
    ck_assert(find_direction(&bent, false, d).indefinite);
    const NewtonDirection projected = find_direction(&bent, true, d);
    ck_assert(!projected.indefinite);
    ck_assert_double_lt(projected.slope, 0);
    simulation_stop(&bent.simulation);
}
END_TEST

static NewtonTrials try_steps(Bent *bent, int32_t halvings)
{
    NewtonTrials trials;
    Device *device = bent->simulation.device;
    ASSERT_OK(device->context, device_newton_trials(device, halvings, &trials));
    return trials;
}

START_TEST(trials_equal_differences)
{
    Bent bent;
    double d[REFERENCE_UNKNOWNS], x[REFERENCE_UNKNOWNS], gradient[REFERENCE_UNKNOWNS];
    make_bent(&bent, _i, 0.02);
    const Model *model = &bent.simulation.model;
    find_direction(&bent, true, d);
    for (int i = 0; i < bent.size; ++i)
        d[i] = model->node_is_free[i / 3] ? d[i] : 0; // the reference counts fixed nodes' weight
    memcpy(((CpuDevice *)bent.simulation.device)->newton.direction, d, (size_t)bent.size * sizeof *d);
    const double start = energy_at(&bent, bent.x, gradient);
    double longest = 0;
    for (int32_t halvings = 0; halvings <= 8;) {
        const NewtonTrials trials = try_steps(&bent, halvings);
        ck_assert(halvings == 0 || trials.longest == longest);
        longest = trials.longest;
        for (int t = 0; t < trials.count; ++t, ++halvings) {
            const double step = ldexp(longest, -halvings);
            double slope = 0, size = 0;
            for (int i = 0; i < bent.size; ++i)
                x[i] = bent.x[i] + step * d[i];
            const double energy = energy_at(&bent, x, gradient);
            for (int i = 0; i < bent.size; ++i) {
                slope += gradient[i] * d[i];
                size += fabs(gradient[i] * d[i]);
            }
            ck_assert_double_eq_tol(trials.difference[t], energy - start,
                                    1e-13 * (fabs(energy) + fabs(start)));
            ck_assert_double_eq_tol(trials.slope[t], slope, 1e-11 * size);
        }
    }
    ck_assert_double_gt(longest, 0);
    ck_assert_double_le(longest, 1);
    simulation_stop(&bent.simulation);
}
END_TEST

/// Tiny steps, where the exact difference is the slope at their middle (the next trial's) to far more digits than
/// energies have: the noise must cover what differences are off by, and not by much more.
START_TEST(noise_bounds_rounding)
{
    Bent bent;
    double d[REFERENCE_UNKNOWNS], worst = 0;
    make_bent(&bent, _i, 0.02);
    const NewtonDirection direction = find_direction(&bent, true, d);
    uint64_t state = (uint64_t)_i;
    double *own = ((CpuDevice *)bent.simulation.device)->newton.direction;
    for (int repeat = 0; repeat < 50; ++repeat) {
        const double amplitude = pow(10, random_between(&state, -14, -9));
        for (int i = 0; i < bent.size; ++i)
            own[i] = amplitude * random_between(&state, -1, 1);
        const NewtonTrials trials = try_steps(&bent, 0), shorter = try_steps(&bent, 1);
        const double error = fabs(trials.difference[0] - trials.longest * shorter.slope[0]);
        worst = fmax(worst, error / trials.noise[0]);
        ck_assert_double_lt(trials.noise[0], 1e-10 * fabs(direction.slope));
    }
    printf("%s, %s: rounding of differences at most %.2g of the bound\n", model_name(_i % ENERGY_MODEL_COUNT),
           situations[_i / ENERGY_MODEL_COUNT][0], worst);
    ck_assert_double_le(worst, 1);
    ck_assert_double_ge(worst, 1e-4);
    simulation_stop(&bent.simulation);
}
END_TEST

START_TEST(steps_end_before_elements_invert)
{
    Bent bent;
    uint64_t state = 7;
    make_bent(&bent, ENERGY_NEO_HOOKEAN, 0.01);
    const Model *model = &bent.simulation.model;
    double *d = ((CpuDevice *)bent.simulation.device)->newton.direction;
    int cut = 0;
    for (int repeat = 0; repeat < 100; ++repeat) {
        const double amplitude = pow(10, random_between(&state, -2, 1));
        for (int i = 0; i < bent.size; ++i)
            d[i] = amplitude * random_between(&state, -1, 1);
        const double longest = try_steps(&bent, 0).longest;
        double first = 1; // where det F falls below a tenth, by small steps
        for (int32_t t = 0; t < model->groups[ELEMENT_TET].count; ++t) {
            double G[4][3], F[9], D[9], at[9];
            reference_shape(model, t, G);
            reference_gradient(model, t, G, bent.x, F);
            reference_gradient(model, t, G, d, D);
            for (double s = 0; s < first; s += 1e-4) {
                for (int k = 0; k < 9; ++k)
                    at[k] = F[k] + s * D[k];
                if (matrix3_determinant(at) < 0.1 * matrix3_determinant(F))
                    first = s;
            }
        }
        ck_assert_double_le(longest, first);
        ck_assert_double_ge(longest, fmin(1, 0.998 * (first - 1e-4)));
        cut += longest < 1;
    }
    printf("steps cut before inversion: %d of 100\n", cut);
    ck_assert_int_gt(cut, 30);
    ck_assert_int_lt(cut, 100);
    simulation_stop(&bent.simulation);
    // arap does not mind.
    make_bent(&bent, ENERGY_ARAP, 0);
    d = ((CpuDevice *)bent.simulation.device)->newton.direction;
    for (int i = 0; i < bent.size; ++i)
        d[i] = -2 * bent.x[i];
    ck_assert(try_steps(&bent, 0).longest == 1);
    simulation_stop(&bent.simulation);
}
END_TEST

START_TEST(full_steps_put_pins_in_place)
{
    Bent bent;
    double d[REFERENCE_UNKNOWNS];
    make_bent(&bent, ENERGY_MODEL_COUNT * SITUATION_PINNED, 0.02);
    Device *device = bent.simulation.device;
    find_direction(&bent, true, d);
    ASSERT_OK(device->context, device_newton_accept(device, 0.25));
    const double *x = slot_values(&bent.simulation, SLOT_STAGE);
    for (int i = 0; i < bent.size; ++i)
        ck_assert_double_eq_tol(x[i], bent.x[i] + 0.25 * d[i], 1e-16);
    const NewtonDirection rest = find_direction(&bent, true, d);
    ck_assert_double_gt(rest.pin_gap, 0);
    ASSERT_OK(device->context, device_newton_accept(device, 1));
    x = slot_values(&bent.simulation, SLOT_STAGE);
    for (int32_t p = 0; p < device->model->pin_count; ++p)
        for (int k = 0; k < 3; ++k)
            ck_assert(x[3 * device->model->pin_nodes[p] + k] ==
                      bent.target[3 * device->model->pin_nodes[p] + k]);
    ck_assert(find_direction(&bent, true, d).pin_gap == 0);
    simulation_stop(&bent.simulation);
}
END_TEST

START_TEST(true_hessians_converge_quadratically)
{
    Bent bent;
    double d[REFERENCE_UNKNOWNS], sizes[30];
    int steps = 0;
    make_bent(&bent, _i, 0.003);
    Device *device = bent.simulation.device;
    for (; steps < 30 && (steps == 0 || sizes[steps - 1] > 1e-11); ++steps) {
        const NewtonDirection direction = find_direction(&bent, steps < 2, d);
        ck_assert(!direction.indefinite);
        sizes[steps] = direction.largest;
        ASSERT_OK(device->context, device_newton_accept(device, 1));
    }
    printf("%s:", model_name(_i));
    for (int i = 0; i < steps; ++i)
        printf(" %.2g", sizes[i]);
    printf(" m\n");
    // Two steps on: the size of the body, 0.49 m, is the scale of the constant.
    for (int i = 2; i + 1 < steps; ++i)
        ck_assert_double_le(sizes[i + 1], 100 * sizes[i] * sizes[i] + 1e-13);
    ck_assert_int_le(steps, 8);
    simulation_stop(&bent.simulation);
}
END_TEST

/// What the solver asked of the device, and got.
static struct {
    const DeviceOperations *device;
    double last; ///< gradient of the direction before
    int solves;  ///< of this stage
    int rough_seconds, directions;
} seen;

static VelaResult look_at_direction(Device *device, const NewtonSettings *settings,
                                    NewtonDirection *direction)
{
    const LinearForcing *forcing = &settings->forcing;
    TRY(seen.device->newton_direction(device, settings, direction));
    seen.solves = forcing->last == 0 ? 1 : seen.solves + 1;
    if (seen.solves > 1)
        ck_assert_double_eq(forcing->last, seen.last);
    const double tolerance = newton_linear_tolerance(settings, direction->gradient);
    const bool reached = direction->linear_residual <= settings->linear_tolerance,
               is_short = direction->largest < settings->short_direction,
               settled = newton_is_settled(settings, direction->linear_residual, direction->largest);
    ck_assert(direction->linear_residual <= tolerance || settled);
    ck_assert_int_eq(direction->is_exact, reached || (is_short && settled));
    if (is_short)
        ck_assert(direction->is_exact);
    seen.rough_seconds += seen.solves == 2 && !direction->is_exact;
    seen.last = direction->gradient;
    ++seen.directions;
    return VELA_OK;
}

static double find_error(Bent *bent, const NewtonSettings *settings, const double *solution,
                         NewtonDirection *direction)
{
    Device *device = bent->simulation.device;
    double largest = 0;
    ASSERT_OK(device->context, device_newton_direction(device, settings, direction));
    for (int i = 0; i < bent->size; ++i)
        largest = fmax(largest, fabs(((CpuDevice *)device)->newton.direction[i] - solution[i]));
    return largest;
}

/// Where a solve ends because its direction is short, that lacks no more than one as long as short ones may be that is solved to the tolerance;
/// where it ends because another has to follow, less than short ones may be long.
START_TEST(settled_directions_lack_little)
{
    static Bent bent;
    make_bent(&bent, _i + ENERGY_MODEL_COUNT * SITUATION_TILTED_PLANE, 0.002);
    static double solution[REFERENCE_UNKNOWNS];
    const double size = find_direction(&bent, true, solution).largest;
    leave_out_factor(bent.simulation.device);
    NewtonSettings settings = {.linear_tolerance = 1e-4, .linear_max_iterations = 2000, .project = true};
    NewtonDirection direction;
    const double part = find_error(&bent, &settings, solution, &direction) / size;
    ck_assert(part > 0 && part < 1e-2);
    const int exact = direction.linear_iterations;
    settings.forcing = (LinearForcing){
        .loosest = 1e-2, .factor = 0.9, .last = 1e4 * direction.gradient, .nearly = 10, .settled = 1e-2};
    for (settings.short_direction = 1.1 * size; settings.short_direction < 200 * size;
         settings.short_direction *= 3) {
        const double error = find_error(&bent, &settings, solution, &direction);
        ck_assert(direction.is_exact);
        ck_assert_double_le(error, 4 * part * settings.short_direction);
    }
    ck_assert_int_le(direction.linear_iterations, exact);
    for (settings.short_direction = 0.9 * size; settings.short_direction > 1e-3 * size;
         settings.short_direction /= 3) {
        const double error = find_error(&bent, &settings, solution, &direction);
        ck_assert_double_lt(error, 0.5 * settings.short_direction);
    }
    ck_assert_int_eq(direction.linear_iterations, exact);
    simulation_stop(&bent.simulation);
}
END_TEST

/// Every solve but a stage's first is as exact as the gradient it starts from asks for. The second is no exception.
START_TEST(forcing_knows_its_gradient)
{
    Simulation simulation;
    make_body(&simulation, ENERGY_NEO_HOOKEAN, SITUATION_TILTED_PLANE,
              "\"type\": \"newton\", \"tolerance\": 1e-7, \"linear\": {\"tolerance\": 1e-8}");
    leave_out_factor(simulation.device);
    DeviceOperations operations = *simulation.device->operations;
    seen.device = simulation.device->operations;
    operations.newton_direction = look_at_direction;
    simulation.device->operations = &operations;
    for (int step = 0; step < 5; ++step) {
        seen.last = 0;
        StepReport report;
        ASSERT_OK(simulation.context, simulation_step(&simulation, &report));
    }
    printf("%d of %d solves were rough seconds\n", seen.rough_seconds, seen.directions);
    ck_assert_int_ge(seen.rough_seconds, 3);
    simulation_stop(&simulation);
}
END_TEST

/// As if a contact stood in the way of everything longer than a quarter of a direction.
static VelaResult refuse_long_steps(Device *device, int32_t halvings, NewtonTrials *trials)
{
    TRY(seen.device->newton_trials(device, halvings, trials));
    for (int i = 0; i < trials->count; ++i)
        if (ldexp(trials->longest, -(halvings + i)) > 0.25)
            trials->difference[i] = INFINITY;
    return VELA_OK;
}

// Each step leaves the pinned nodes three quarters of their way: they are in place when no one could tell, and from then on the
// objective counts.
START_TEST(pins_arrive_by_parts_of_their_way)
{
    static const char bar[] =
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": \"implicit_euler\"},"
        "\"solver\": {\"type\": \"newton\", \"tolerance\": 1e-6}, \"materials\": {\"m\": {\"model\": \"neo_hookean\", "
        "\"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"bodies\": [{\"material\": \"m\", "
        "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, 1, 1]}}, \"pins\": [{\"select\": "
        "{\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}, \"motion\": {\"spin\": {\"axis\": [1, 0, 0], \"speed\": 20}}}]}]}";
    Simulation simulation, free;
    simulation_make(threads_context(1), &simulation, bar);
    simulation_make(threads_context(1), &free, bar);
    DeviceOperations operations = *simulation.device->operations;
    seen.device = simulation.device->operations;
    operations.newton_trials = refuse_long_steps;
    simulation.device->operations = &operations;
    const StepReport report = step_once(&simulation), whole = step_once(&free);
    const double *x = slot_values(&simulation, SLOT_POSITION), *y = slot_values(&free, SLOT_POSITION);
    const double off = largest_difference(x, y, 3 * (size_t)simulation.model.node_count);
    printf("%d iterations instead of %d, places off by %.1e m\n", report.solver.iterations,
           whole.solver.iterations, off);
    ck_assert_int_eq(report.solver.stop, STOP_CONVERGED);
    ck_assert_double_le(off, 1e-6 * 0.01);
    for (int32_t p = 0; p < simulation.model.pin_count; ++p) {
        const size_t at = 3 * (size_t)simulation.model.pin_nodes[p];
        ck_assert_double_le(fabs(x[at] - y[at]), 1e-6 * 0.01);
    }
    simulation_stop(&free);
    simulation_stop(&simulation);
}
END_TEST

START_TEST(mass_dots_skip_fixed_nodes)
{
    Bent bent;
    make_bent(&bent, ENERGY_MODEL_COUNT * SITUATION_PINNED, 0.02);
    const Model *model = &bent.simulation.model;
    Device *device = bent.simulation.device;
    const Slot pairs[2][2] = {{SLOT_STAGE, SLOT_TARGET}, {SLOT_TARGET, SLOT_TARGET}};
    double values[2], expected[2] = {0, 0};
    ASSERT_OK(device->context, device_mass_dot(device, 2, pairs, values));
    for (int i = 0; i < bent.size; ++i)
        if (model->node_is_free[i / 3]) {
            expected[0] += model->masses[i / 3] * bent.x[i] * bent.target[i];
            expected[1] += model->masses[i / 3] * bent.target[i] * bent.target[i];
        }
    for (int k = 0; k < 2; ++k)
        ck_assert_double_eq_tol(values[k], expected[k], 1e-14 * expected[1]);
    ck_assert_uint_eq(device_solver_state_size(device), 0);
    simulation_stop(&bent.simulation);
}
END_TEST

/// What is planned against what is allocated, for both solvers.
START_TEST(planned_memory_is_what_is_used)
{
    static const char *const solvers[] = {"\"type\": \"newton\"", "\"type\": \"admm\""};
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"solver\": {%s}, \"materials\": "
        "{\"m\": {\"model\": \"arap\", \"density\": 1000, \"kappa\": 8e3}}, \"bodies\": [{\"type\": "
        "\"solid\", \"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [20, 21, 22]}}, "
        "\"material\": \"m\"}], \"contact\": {\"model\": \"penalty\", \"stiffness\": 3000}, "
        "\"obstacles\": [{\"plane\": {\"point\": [0, -2, 0], \"normal\": [0, 1, 0]}}]}",
        solvers[_i]);
    device_destroy(simulation.device);
    const size_t before = simulation.context->memory_used, planned = cpu_device_memory(&simulation.model);
    ASSERT_OK(simulation.context,
              cpu_device_create(simulation.context, &simulation.model, &simulation.device));
    const double used = (double)(simulation.context->memory_used - before);
    printf("%s: %.2f MB planned, %.2f MB used\n", solvers[_i], 1e-6 * (double)planned, 1e-6 * used);
    ck_assert_double_le(fabs((double)planned / used - 1), 0.05);
    simulation_stop(&simulation);
}
END_TEST

/// Rows lie one body behind the other, and a part of the matrix begins with the second one.
START_TEST(parts_begin_with_bodies)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"solver\": {\"type\": \"newton\"},"
        "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, "
        "\"poissons_ratio\": 0.3}},"
        "\"bodies\": [{\"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [5, 5, 5]}}, \"material\": \"m\"},"
        "{\"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [6, 6, 6]}}, \"material\": \"m\", "
        "\"translate\": [0, 1.01, 0]}]}");
    const int32_t first_nodes = 6 * 6 * 6;
    const NodeOrder *order = &simulation.model.order;
    const BlockMatrix *matrix = &((const CpuDevice *)simulation.device)->newton.matrix;
    int changes = 0, begins = 0;
    for (int32_t i = 1; i < matrix->row_count; ++i) {
        if ((order->nodes[i] < first_nodes) == (order->nodes[i - 1] < first_nodes))
            continue;
        ++changes;
        for (int32_t part = 1; part < matrix->part_count; ++part)
            begins += matrix->part_start[part] == i;
    }
    ck_assert_int_eq(changes, 1);
    ck_assert_int_eq(begins, 1);
    for (int32_t part = 0; part < matrix->part_count; ++part)
        ck_assert_int_lt(matrix->part_start[part], matrix->part_start[part + 1]);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("newton_device");
    TCase *operations = tcase_create("operations");
    tcase_add_loop_test(operations, direction_equals_dense, 0, 2 * CASES);
    tcase_add_loop_test(operations, matrix_is_the_sum_of_elements, 0, CASES);
    tcase_add_loop_test(operations, indefinite_matrices_are_told, 0, ENERGY_MODEL_COUNT);
    tcase_add_loop_test(operations, trials_equal_differences, 0, CASES);
    tcase_add_loop_test(operations, noise_bounds_rounding, 0, CASES);
    tcase_add_test(operations, steps_end_before_elements_invert);
    tcase_add_test(operations, full_steps_put_pins_in_place);
    tcase_add_loop_test(operations, true_hessians_converge_quadratically, 0, ENERGY_MODEL_COUNT);
    tcase_add_test(operations, forcing_knows_its_gradient);
    tcase_add_loop_test(operations, settled_directions_lack_little, 0, ENERGY_MODEL_COUNT);
    tcase_add_test(operations, pins_arrive_by_parts_of_their_way);
    tcase_add_test(operations, mass_dots_skip_fixed_nodes);
    tcase_add_test(operations, parts_begin_with_bodies);
    tcase_add_loop_test(operations, planned_memory_is_what_is_used, 0, 2);
    suite_add_tcase(suite, operations);
    return test_run(suite);
}
