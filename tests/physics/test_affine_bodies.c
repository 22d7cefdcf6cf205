// Affine bodies against rigid ones: mass and inertia of the shape, free fall, the flip of a box about its middle axis, contact.
#include "physics_fixture.h"

#include "device/cpu/newton/turn.h"
#include "mesh/moments.h"

static const double box[3] = {0.1, 0.2, 0.3}, density = 900;

static void make_box(Simulation *simulation, const char *integrator, double step, const char *gravity,
                     const char *motion)
{
    simulation_make(
        threads_context(1), simulation,
        "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 100}, \"gravity\": %s, "
        "\"integrator\": {\"type\": \"%s\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-9, "
        "\"linear\": {\"tolerance\": 1e-10}}, \"materials\": {\"m\": {\"model\": \"arap\", "
        "\"density\": %g, \"youngs_modulus\": 1, \"poissons_ratio\": 0}}, \"bodies\": [{\"type\": "
        "\"affine\", \"geometry\": {\"box\": {\"size\": [%g, %g, %g], \"cells\": [2, 1, 3]}}, "
        "\"material\": \"m\", \"translate\": [0.4, -0.2, 0.7]%s}]}",
        step, gravity, integrator, density, box[0], box[1], box[2], motion);
}

static double mass(void)
{
    return density * box[0] * box[1] * box[2];
}

static double moment(int axis)
{
    const double a = box[(axis + 1) % 3], b = box[(axis + 2) % 3];
    return mass() / 12 * (a * a + b * b);
}

START_TEST(a_spinning_body_has_its_energy_and_momentum)
{
    for (int axis = 0; axis < 3; ++axis) {
        const double speed = 7;
        double spin[3] = {0};
        char motion[160];
        spin[axis] = speed;
        snprintf(motion, sizeof motion, ", \"angular_velocity\": [%g, %g, %g]", spin[0], spin[1], spin[2]);
        Simulation simulation;
        make_box(&simulation, "bdf2", 0.01, "[0, 0, 0]", motion);
        const Diagnosis *state = &simulation.diagnosis;
        const double energy = 0.5 * moment(axis) * speed * speed;
        ck_assert_double_eq_tol(state->kinetic, energy, 1e-9 * energy);
        for (int k = 0; k < 3; ++k) {
            ck_assert_double_eq_tol(state->angular_momentum[k], k == axis ? moment(axis) * speed : 0,
                                    1e-9 * moment(axis) * speed);
            ck_assert_double_eq_tol(state->linear_momentum[k], 0, 1e-12);
        }
        ck_assert_double_eq_tol(state->center[0], 0.4, 1e-12);
        ck_assert_double_eq_tol(state->center[1], -0.2, 1e-12);
        ck_assert_double_eq_tol(state->elastic, 0, 1e-9);
        simulation_stop(&simulation);
    }
}
END_TEST

START_TEST(free_fall_is_exact)
{
    Simulation simulation;
    make_box(&simulation, "variational", 0.01, "[0.5, -9.81, 0]", ", \"velocity\": [1, 2, -3]");
    // The shape's stiffness, 1e8 Pa, costs the linear solver nothing: it knows the body's block of the matrix.
    for (int step = 0; step < 50; ++step) {
        const StepReport report = step_once(&simulation);
        ck_assert_int_le(report.solver.linear_iterations, 2 * report.solver.iterations);
    }
    const double t = 0.5, *c = simulation.diagnosis.center;
    ck_assert_double_eq_tol(c[0], 0.4 + t + 0.25 * t * t, 1e-9);
    ck_assert_double_eq_tol(c[1], -0.2 + 2 * t - 0.5 * 9.81 * t * t, 1e-9);
    ck_assert_double_eq_tol(c[2], 0.7 - 3 * t, 1e-9);
    ck_assert_double_le(simulation.diagnosis.elastic, 1e-9);
    simulation_stop(&simulation);
}
END_TEST

static double move_size(const double *d, const double *other)
{
    double most = 0;
    for (int i = 0; i < 12; ++i)
        most = fmax(most, fabs(d[i] - other[i]));
    return most;
}

/// A motion of the box's nodes: its centre moves, the rest follows dA A^-1.
static void move_by(const double *x, const double motion[9], double part, double d[12])
{
    for (int a = 0; a < 4; ++a) {
        double arm[3], moved[3];
        subtract3(x + 3 * a, x, arm);
        matrix3_apply(motion, arm, moved);
        for (int k = 0; k < 3; ++k)
            d[3 * a + k] = part * (0.1 * (k + 1) + moved[k]);
    }
}

START_TEST(a_turned_direction_keeps_the_shape_and_starts_as_the_direction_does)
{
    Simulation simulation;
    make_box(&simulation, "bdf2", 0.01, "[0, 0, 0]", "");
    const Model *model = &simulation.model;
    const double *x = model->initial_positions;
    const double skew[9] = {0, -0.6, 0.3, 0.6, 0, -0.9, -0.3, 0.9, 0}, angle = sqrt(0.36 + 0.09 + 0.81);
    double d[12], linear[12];
    move_by(x, skew, 1, d);
    ck_assert_double_eq_tol(affine_turn_angle(model, x, d), angle, 1e-12);
    affine_turn(model, x, d, 1);
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < a; ++b) {
            double before[3], after[3];
            for (int k = 0; k < 3; ++k) {
                before[k] = x[3 * a + k] - x[3 * b + k];
                after[k] = before[k] + d[3 * a + k] - d[3 * b + k];
            }
            ck_assert_double_eq_tol(norm3(after), norm3(before), 1e-14);
        }
    for (int k = 0; k < 3; ++k)
        ck_assert_double_eq(d[k], 0.1 * (k + 1));
    // The arm along the axis of the turn stays, one across it turns by the angle of Cayley's rotation.
    const double axis[3] = {0.9 / angle, 0.3 / angle, 0.6 / angle};
    for (int a = 1; a < 4; ++a) {
        double arm[3], now[3], turned[9], expected[3];
        subtract3(x + 3 * a, x, arm);
        matrix3_rotation(axis, 2 * atan(angle / 2), turned);
        matrix3_apply(turned, arm, expected);
        for (int k = 0; k < 3; ++k)
            now[k] = arm[k] + d[3 * a + k] - d[k];
        for (int k = 0; k < 3; ++k)
            ck_assert_double_eq_tol(now[k], expected[k], 1e-14);
    }
    // Any motion, stretch too: at a tenth of the part the way differs a hundred times less.
    const double any[9] = {0.2, -0.6, 0.5, 0.4, -0.3, -0.7, -0.1, 0.8, 0.1};
    double differs[2];
    for (int i = 0; i < 2; ++i) {
        const double part = i == 0 ? 0.01 : 0.001;
        move_by(x, any, part, d);
        memcpy(linear, d, sizeof d);
        affine_turn(model, x, d, 1);
        differs[i] = move_size(d, linear);
    }
    ck_assert_double_eq_tol(differs[0] / differs[1], 100, 2);
    simulation_stop(&simulation);
}
END_TEST

/// Without turned directions the shape's stiffness, 1e8 Pa, is met at every step: 8 iterations and more.
START_TEST(a_spinning_body_takes_few_iterations)
{
    Simulation simulation;
    make_box(&simulation, "bdf2", 0.005, "[0, 0, 0]", ", \"angular_velocity\": [3, 20, 1]");
    int32_t most = 0;
    for (int step = 0; step < 100; ++step) {
        const StepReport report = step_once(&simulation);
        ck_assert_int_eq(report.solver.stop <= STOP_ROUNDING, 1);
        most = report.solver.iterations > most ? report.solver.iterations : most;
    }
    printf("a spinning body: %d Newton iterations a step at most\n", most);
    ck_assert_int_le(most, 6);
    simulation_stop(&simulation);
}
END_TEST

// Euler's equations, by RK4: the time at which the spin about y changes its sign.
static double flip_time(double x, double y, double z)
{
    const double step = 1e-5;
    double w[3] = {x, y, z}, time = 0;
    while (w[1] > 0) {
        double k[4][3], at[3] = {w[0], w[1], w[2]};
        for (int s = 0; s < 4; ++s) {
            for (int i = 0; i < 3; ++i) {
                const int a = (i + 1) % 3, b = (i + 2) % 3;
                k[s][i] = (moment(a) - moment(b)) / moment(i) * at[a] * at[b];
            }
            for (int i = 0; i < 3; ++i)
                at[i] = w[i] + (s < 2 ? 0.5 : 1) * step * k[s][i];
        }
        for (int i = 0; i < 3; ++i)
            w[i] += step / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
        time += step;
        ck_assert_double_lt(time, 10);
    }
    return time;
}

/// The axis of middle inertia is along y: the end of its principal axis against the angular momentum.
static double along_momentum(Simulation *simulation)
{
    const double *x = slot_values(simulation, SLOT_POSITION), *rest = simulation->model.rest_positions;
    for (int a = 1; a < 4; ++a) {
        double axis[3], now[3];
        subtract3(rest + 3 * a, rest, axis);
        if (fabs(axis[1]) < 0.5 * norm3(axis))
            continue;
        subtract3(x + 3 * a, x, now);
        return copysign(1, axis[1]) * dot3(now, simulation->diagnosis.angular_momentum);
    }
    ck_abort_msg("no principal axis along y");
    return 0;
}

START_TEST(a_box_flips_about_its_middle_axis)
{
    const double spin[3] = {0.1, 10, 0.05}, step = 1e-3;
    Simulation simulation;
    make_box(&simulation, "variational", step, "[0, 0, 0]",
             ", \"angular_velocity\": [0.1, 10, 0.05], \"velocity\": [0.3, -0.1, 0.2]");
    const Diagnosis start = simulation.diagnosis;
    const double expected = flip_time(spin[0], spin[1], spin[2]);
    double found = 0, before = along_momentum(&simulation), linear = 0, angular = 0;
    for (int n = 1; n <= 2 * expected / step; ++n) {
        double drift[3];
        step_once(&simulation);
        subtract3(simulation.diagnosis.linear_momentum, start.linear_momentum, drift);
        linear = fmax(linear, norm3(drift) / norm3(start.linear_momentum));
        subtract3(simulation.diagnosis.angular_momentum, start.angular_momentum, drift);
        angular = fmax(angular, norm3(drift) / norm3(start.angular_momentum));
        const double now = along_momentum(&simulation);
        if (found == 0 && before > 0 && now <= 0)
            found = step * (n - 1 + before / (before - now));
        before = now;
    }
    printf("middle axis: flips after %.4f s, Euler's equations %.4f s; momenta drift %.2g and %.2g\n", found,
           expected, linear, angular);
    ck_assert_double_eq_tol(found, expected, 0.05 * expected);
    ck_assert_double_le(linear, 1e-9);
    ck_assert_double_le(angular, 1e-6);
    simulation_stop(&simulation);
}
END_TEST

static const double tetrahedron[12] = {0.1, 0.2, 0.3, 1.1, 0.25, 0.2, 0.3, 1.4, 0.1, 0.2, 0.3, 0.9};
static int32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};

/// The moments of tetrahedra and of their surface are the same, and those of a box are known.
START_TEST(moments_are_exact)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    TetMesh mesh;
    SolidMoments inside, surface;
    ASSERT_OK(context, mesh_make_box(context, box, (const int32_t[]){3, 2, 2}, &arena, &mesh));
    for (int32_t i = 0; i < mesh.node_count; ++i) // far away, where digits would cancel
        mesh.nodes[3 * i] += 1000;
    TriangleMesh skin = {.node_count = mesh.node_count, .nodes = mesh.nodes};
    ASSERT_OK(context, mesh_surface(context, &mesh, &arena, &skin.triangle_count, &skin.triangles));
    mesh_moments_of_tets(&mesh, &inside);
    ASSERT_OK(context, mesh_moments_of_surface(context, &skin, &surface));
    const double volume = box[0] * box[1] * box[2];
    const SolidMoments *found[2] = {&inside, &surface};
    for (int f = 0; f < 2; ++f) {
        ck_assert_double_eq_tol(found[f]->volume, volume, 1e-12 * volume);
        ck_assert_double_eq_tol(found[f]->center[0], 1000, 1e-12 * 1000);
        for (int k = 0; k < 9; ++k) {
            const double expected = k % 4 ? 0 : volume * box[k / 4] * box[k / 4] / 12;
            // The nodes' places are rounded to 1e-13 m there, a part in 1e12 of the box.
            ck_assert_double_eq_tol(found[f]->second[k], expected, 4e-12 * volume * 0.01);
        }
    }
    // theory.md section 9 for one tetrahedron, about the origin and then about the centre.
    const double *x = tetrahedron;
    const TriangleMesh one = {4, (double *)tetrahedron, 4, faces};
    ASSERT_OK(context, mesh_moments_of_surface(context, &one, &surface));
    double sum[3] = {0};
    for (int a = 0; a < 4; ++a)
        add_scaled3(sum, 1, x + 3 * a, sum);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            double second = sum[i] * sum[k];
            for (int a = 0; a < 4; ++a)
                second += x[3 * a + i] * x[3 * a + k];
            second = surface.volume * (second / 20 - sum[i] * sum[k] / 16);
            ck_assert_double_eq_tol(surface.second[3 * i + k], second, 1e-12 * surface.volume);
        }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(surfaces_that_enclose_nothing_are_refused)
{
    VelaContext *context = test_context();
    SolidMoments moments;
    TriangleMesh mesh = {4, (double *)tetrahedron, 3, faces};
    ck_assert_int_eq(mesh_moments_of_surface(context, &mesh, &moments), VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "open"));
    int32_t turned[12];
    for (int i = 0; i < 12; ++i)
        turned[i] = faces[i / 3 * 3 + 2 - i % 3];
    mesh.triangle_count = 4, mesh.triangles = turned;
    ck_assert_int_eq(mesh_moments_of_surface(context, &mesh, &moments), VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "inside out"));
    for (int i = 0; i < 3; ++i)
        turned[i] = faces[i];
    ck_assert_int_eq(mesh_moments_of_surface(context, &mesh, &moments), VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "turns over"));
    vela_context_destroy(context);
}
END_TEST

/// Under barrier contact: from 1 m/s on a floor it slows down by mu g.
START_TEST(a_body_slides_with_friction)
{
    const double friction = 0.3, step = 0.005;
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": %g, \"duration\": 10}, \"materials\": {\"m\": {\"model\": "
        "\"arap\", \"density\": 1000, \"youngs_modulus\": 1e6, \"poissons_ratio\": 0, \"friction\": %g}}, "
        "\"bodies\": [{\"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [0.2, 0.05, 0.2], \"cells\": [1, "
        "1, 1]}}, \"material\": \"m\", \"translate\": [0, 0.02599, 0], \"velocity\": [1, 0, 0]}], \"obstacles\": "
        "[{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}], \"contact\": {\"model\": \"barrier\", "
        "\"distance\": 1e-3, \"stiffness\": 1e3}}",
        step, friction);
    ck_assert_int_eq(simulation.scene.integrator, INTEGRATOR_BDF2);
    ck_assert_int_eq(simulation.scene.solver.type, SOLVER_NEWTON);
    double momentum[2] = {0};
    for (int n = 1; n <= 50; ++n) {
        step_once(&simulation);
        if (n == 10 || n == 50)
            momentum[n / 50] = simulation.diagnosis.linear_momentum[0];
    }
    const double total = 0.2 * 0.2 * 0.05 * 1000, slowing = (momentum[0] - momentum[1]) / (total * 40 * step);
    printf("sliding affine box: slows down by %.5f m/s^2, mu g is %.5f\n", slowing, friction * 9.81);
    ck_assert_double_eq_tol(slowing, friction * 9.81, 0.01 * friction * 9.81);
    simulation_stop(&simulation);
}
END_TEST

/// A pin moves the whole body; one that selects a part of it is refused.
START_TEST(a_pin_holds_the_whole_body)
{
    Simulation simulation;
    make_box(
        &simulation, "bdf2", 0.01, "[0, -9.81, 0]",
        ", \"pins\": [{\"select\": \"all\", \"motion\": {\"spin\": {\"axis\": [0, 1, 0], \"about\": [0.4, 0, 0.7], "
        "\"speed\": 2}}}]");
    for (int step = 0; step < 20; ++step)
        step_once(&simulation);
    ck_assert_double_eq_tol(simulation.diagnosis.center[1], -0.2, 1e-12);
    ck_assert_double_le(simulation.diagnosis.elastic, 1e-9);
    ck_assert_double_eq_tol(simulation.diagnosis.angular_momentum[1], moment(1) * 2, 1e-3 * moment(1));
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("affine bodies");
    TCase *affine = tcase_create("affine bodies");
    tcase_add_test(affine, a_spinning_body_has_its_energy_and_momentum);
    tcase_add_test(affine, free_fall_is_exact);
    tcase_add_test(affine, a_turned_direction_keeps_the_shape_and_starts_as_the_direction_does);
    tcase_add_test(affine, a_spinning_body_takes_few_iterations);
    tcase_add_test(affine, a_box_flips_about_its_middle_axis);
    tcase_add_test(affine, moments_are_exact);
    tcase_add_test(affine, surfaces_that_enclose_nothing_are_refused);
    tcase_add_test(affine, a_body_slides_with_friction);
    tcase_add_test(affine, a_pin_holds_the_whole_body);
    suite_add_tcase(suite, affine);
    return test_run(suite);
}
