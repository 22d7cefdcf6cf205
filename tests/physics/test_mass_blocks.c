// Masses that couple nodes: one tetrahedron with the mass matrix of its volume, rho V/20 (1 + delta_ab), instead of lumped
// masses (theory.md section 9). Then its inertia is that of the body, not of four points.
#include "newton_bodies.h"
#include "sim/start.h"

enum { NODES = 4, SIZE = 3 * NODES };

#define DENSITY 800.0
static const double corners[SIZE] = {0, 0, 0, 0.3, 0.02, 0.01, 0.05, 0.2, -0.02, 0.04, 0.03, 0.25};

static double volume(void)
{
    double a[3], b[3], c[3], n[3];
    subtract3(corners + 3, corners, a);
    subtract3(corners + 6, corners, b);
    subtract3(corners + 9, corners, c);
    cross3(a, b, n);
    return dot3(n, c) / 6;
}

static double mass(int a, int b)
{
    return DENSITY * volume() / 20 * (a == b ? 2 : 1);
}

/// The tetrahedron as a simulation, its device made anew with coupled masses. The inverse of m (1 + delta_ab) is
/// (delta_ab - 1/5)/m.
static void make_tet(Simulation *simulation, const char *integrator, const char *body, double gravity)
{
    FILE *file = fopen(BINARY_DIR "/one_tet.mesh", "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n");
    for (int i = 0; i < NODES; ++i)
        fprintf(file, "%.17g %.17g %.17g 0\n", corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]);
    fprintf(file, "Tetrahedra\n1\n1 2 3 4 0\nEnd\n");
    fclose(file);
    simulation_make(
        threads_context(1), simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.002, \"duration\": 1}, \"gravity\": [0, %g, 0],"
        " \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-12, \"linear\": {\"tolerance\": 1e-13}},"
        " \"integrator\": {\"type\": \"%s\"},"
        " \"materials\": {\"m\": {\"model\": \"stvk\", \"density\": %g, \"kappa\": 1e5, \"lambda\": 5e4}},"
        " \"bodies\": [{\"geometry\": {\"mesh\": \"one_tet.mesh\"}, \"material\": \"m\"%s}]}",
        gravity, integrator, DENSITY, body);
    static MassBlock block;
    Model *model = &simulation->model;
    for (int a = 0; a < NODES; ++a) {
        block.nodes[a] = a;
        model->masses[a] = mass(a, a);
        for (int b = 0; b < NODES; ++b) {
            block.masses[NODES * a + b] = mass(a, b);
            block.inverses[NODES * a + b] = ((a == b) - 0.2) / mass(0, 1);
        }
    }
    model->mass_blocks = &block;
    model->mass_block_count = 1;
    device_destroy(simulation->device);
    ASSERT_OK(simulation->context, simulation_start(simulation, &(DeviceChoice){"cpu", NULL}));
}

/// sum_ab M_ab u_a.v_b
static double product(const double *u, const double *v)
{
    double sum = 0;
    for (int a = 0; a < NODES; ++a)
        for (int b = 0; b < NODES; ++b)
            sum += mass(a, b) * dot3(u + 3 * a, v + 3 * b);
    return sum;
}

START_TEST(spins_with_the_inertia_of_the_volume)
{
    Simulation simulation;
    make_tet(&simulation, "variational", ", \"velocity\": [0.3, -0.2, 0.5], \"angular_velocity\": [3, 5, -4]",
             0);
    const double omega[3] = {3, 5, -4}, velocity[3] = {0.3, -0.2, 0.5}, m = DENSITY * volume();
    // The inertia about the centre: tr(S) - S with S = int rho r r^T = m/20 (sum r_a r_a^T) over the corners' arms.
    double center[3] = {0}, S[9] = {0}, expected[3], arm[3], orbital[3], spin[3];
    for (int a = 0; a < NODES; ++a)
        add_scaled3(center, 0.25, corners + 3 * a, center);
    for (int a = 0; a < NODES; ++a) {
        subtract3(corners + 3 * a, center, arm);
        for (int k = 0; k < 9; ++k)
            S[k] += m / 20 * arm[k / 3] * arm[k % 3];
    }
    const double trace = S[0] + S[4] + S[8];
    matrix3_apply(S, omega, expected);
    for (int k = 0; k < 3; ++k)
        spin[k] = trace * omega[k] - expected[k];
    cross3(center, velocity, orbital);
    const Diagnosis *found = &simulation.diagnosis;
    const double kinetic = 0.5 * m * dot3(velocity, velocity) + 0.5 * dot3(omega, spin);
    ck_assert_double_eq_tol(found->kinetic, kinetic, 1e-13 * kinetic);
    for (int k = 0; k < 3; ++k) {
        ck_assert_double_eq_tol(found->linear_momentum[k], m * velocity[k], 1e-13 * m);
        ck_assert_double_eq_tol(found->angular_momentum[k], m * orbital[k] + spin[k], 1e-13 * m);
        ck_assert_double_eq_tol(found->center[k], center[k], 1e-14);
    }
    // Both momenta stay while it tumbles and rings.
    const Diagnosis start = simulation.diagnosis;
    for (int i = 0; i < 150; ++i)
        step_once(&simulation);
    for (int k = 0; k < 3; ++k) {
        ck_assert_double_eq_tol(found->linear_momentum[k], start.linear_momentum[k], 1e-11 * m);
        ck_assert_double_eq_tol(found->angular_momentum[k], start.angular_momentum[k], 1e-11 * m);
    }
    simulation_stop(&simulation);
}
END_TEST

START_TEST(falls_freely)
{
    Simulation simulation;
    make_tet(&simulation, "bdf2", "", -9.5);
    ASSERT_OK(simulation.context,
              device_acceleration(simulation.device, SLOT_NEXT_VELOCITY, SLOT_POSITION, 0));
    const double *a = slot_values(&simulation, SLOT_NEXT_VELOCITY);
    for (int i = 0; i < SIZE; ++i)
        ck_assert_double_eq_tol(a[i], i % 3 == 1 ? -9.5 : 0, 1e-10);
    for (int i = 0; i < 50; ++i)
        step_once(&simulation);
    ck_assert_double_eq_tol(simulation.diagnosis.elastic, 0, 1e-12);
    ck_assert_double_eq_tol(simulation.diagnosis.linear_momentum[1], -9.5 * 0.1 * DENSITY * volume(), 1e-10);
    simulation_stop(&simulation);
}
END_TEST

/// A stretched state: M a = -grad Phi, products over the whole matrix, directions and trials of the stage objective.
START_TEST(operations_see_the_whole_matrix)
{
    Simulation simulation;
    make_tet(&simulation, "implicit_euler", "", 0);
    const Model *model = &simulation.model;
    Device *device = simulation.device;
    const double a = 0.002;
    double x[SIZE], target[SIZE], gradient[SIZE], offset[SIZE], values[1];
    for (int i = 0; i < SIZE; ++i) {
        x[i] = corners[i] + 0.02 * sin(17 * i + 1);
        target[i] = x[i] + 0.02 * sin(29 * i + 2);
        offset[i] = x[i] - target[i];
    }
    ASSERT_OK(device->context, device_state_write(device, SLOT_STAGE, x));
    ASSERT_OK(device->context, device_state_write(device, SLOT_TARGET, target));
    ASSERT_OK(device->context, device_acceleration(device, SLOT_NEXT_VELOCITY, SLOT_STAGE, 0));
    const double *acceleration = slot_values(&simulation, SLOT_NEXT_VELOCITY);
    reference_potential(model, 0, x, gradient);
    for (int i = 0; i < SIZE; ++i) {
        double force = 0;
        for (int b = 0; b < NODES; ++b)
            force += mass(i / 3, b) * acceleration[3 * b + i % 3];
        ck_assert_double_eq_tol(force, -gradient[i], 1e-9);
    }
    ASSERT_OK(device->context,
              device_mass_dot(device, 1, (const Slot[][2]){{SLOT_STAGE, SLOT_TARGET}}, values));
    ck_assert_double_eq_tol(values[0], product(x, target), 1e-13);

    ASSERT_OK(device->context, device_stage_set(device, &(Stage){.a = a}));
    NewtonDirection direction;
    const NewtonSettings settings = {
        .linear_tolerance = 1e-14, .linear_max_iterations = 1000, .project = false};
    ASSERT_OK(device->context, device_newton_direction(device, &settings, &direction));
    NewtonTrials trials;
    ASSERT_OK(device->context, device_newton_trials(device, 0, &trials));
    ASSERT_OK(device->context, device_newton_accept(device, trials.longest));
    const double *there = slot_values(&simulation, SLOT_STAGE);
    double d[SIZE], end[SIZE], slope = 0, start = reference_potential(model, 0, x, gradient);
    for (int i = 0; i < SIZE; ++i) {
        d[i] = (there[i] - x[i]) / trials.longest;
        end[i] = there[i] - target[i];
    }
    for (int i = 0; i < SIZE; ++i)
        slope += gradient[i] * d[i];
    slope += product(offset, d) / (a * a);
    ck_assert_double_eq_tol(direction.slope, slope, 1e-11 * fabs(slope));
    const double difference = reference_potential(model, 0, there, gradient) - start +
                              (product(end, end) - product(offset, offset)) / (2 * a * a);
    ck_assert_double_eq_tol(trials.difference[0], difference, 1e-11 * fabs(difference));
    // The Hessian: (M/a^2 + d2Phi/dx2) d = -gradient, d2Phi/dx2 d by central differences.
    double ahead[SIZE], back[SIZE], g_ahead[SIZE], g_back[SIZE];
    for (int i = 0; i < SIZE; ++i) {
        ahead[i] = x[i] + 1e-4 * d[i];
        back[i] = x[i] - 1e-4 * d[i];
    }
    reference_potential(model, 0, x, gradient);
    reference_potential(model, 0, ahead, g_ahead);
    reference_potential(model, 0, back, g_back);
    for (int i = 0; i < SIZE; ++i) {
        double left = (g_ahead[i] - g_back[i]) / 2e-4, right = -gradient[i];
        for (int b = 0; b < NODES; ++b) {
            left += mass(i / 3, b) / (a * a) * d[3 * b + i % 3];
            right -= mass(i / 3, b) / (a * a) * offset[3 * b + i % 3];
        }
        ck_assert_double_eq_tol(left, right, 1e-7 * fabs(slope) / 0.02);
    }
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mass_blocks");
    TCase *blocks = tcase_create("blocks");
    tcase_add_test(blocks, spins_with_the_inertia_of_the_volume);
    tcase_add_test(blocks, falls_freely);
    tcase_add_test(blocks, operations_see_the_whole_matrix);
    suite_add_tcase(suite, blocks);
    return test_run(suite);
}
