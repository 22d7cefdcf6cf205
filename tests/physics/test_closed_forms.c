// Motions that are known exactly: free fall, one free node on a spring (recurrences of the midpoint rule and of the
// explicit end), a floor, a homogeneous deformation, pins.
#include "physics_fixture.h"

/// One tetrahedron: three corners in the plane y = 0, held, and one above them at the height 0.1 m.
static const char tetrahedron[] =
    "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n0 0 1 0\n1 0 0 0\n"
    "0.3 0.1 0.3 0\nTetrahedra 1\n1 2 3 4 0\nEnd\n";
static const double HEIGHT = 0.1, AREA = 0.5, DENSITY = 1200;

/// The free corner moves along y only: F = diag(1, y/H, 1), and arap's force is exactly -(w k/H^2) (y - H).
static void make_tetrahedron(Simulation *simulation, const char *integrator, double kappa, double speed,
                             const char *gravity, const char *rest)
{
    const char *const path = BINARY_DIR "/one_tetrahedron.mesh";
    FILE *file = fopen(path, "w");
    ck_assert(file != NULL && fputs(tetrahedron, file) >= 0 && fclose(file) == 0);
    simulation_make(
        threads_context(1), simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 10}, \"gravity\": %s, \"integrator\": "
        "{%s},"
        " \"solver\": {\"type\": \"admm\", \"tolerance\": 1e-13, \"max_iterations\": 2000, \"strict\": true},"
        " \"materials\": {\"m\": {\"model\": \"arap\", \"density\": %.17g, \"kappa\": %.17g}},"
        " \"bodies\": [{\"name\": \"b\", \"type\": \"solid\", \"geometry\": {\"mesh\": \"%s\"}, "
        "\"material\": \"m\", \"velocity\": [0, %.17g, 0], \"pins\": [{\"select\": {\"nodes\": [0, 1, "
        "2]}}]}]%s}",
        gravity, integrator, DENSITY, kappa, path, speed, rest);
    ck_assert_int_eq(simulation->model.node_count, 4);
}

static double corner_height(Simulation *simulation, Slot slot)
{
    const double *values = slot_values(simulation, slot);
    ck_assert_double_le(fabs(values[9] - (slot == SLOT_POSITION ? 0.3 : 0)), 1e-11);
    return values[10];
}

/// q'' = -omega^2 (q - H). Midpoint: (q, p) turn by the Cayley transform; explicit: v -= h omega^2 q, q += h v.
START_TEST(oscillator)
{
    const bool explicit_end = _i == 1;
    const double kappa = 3000, speed = 0.3;
    Simulation simulation;
    make_tetrahedron(&simulation,
                     explicit_end ? "\"type\": \"variational\", \"alpha\": 0" : "\"type\": \"variational\"",
                     kappa, speed, "[0, 0, 0]", "");
    const double h = simulation.scene.step, volume = AREA * HEIGHT / 3;
    const double omega_sq = kappa * volume / (HEIGHT * HEIGHT) / (DENSITY * volume / 4), e = omega_sq * h * h;
    double q = 0, v = speed, worst = 0, largest = 0;
    for (int step = 0; step < 300; ++step) {
        step_once(&simulation);
        if (explicit_end) {
            v -= h * omega_sq * q;
            q += h * v;
        } else {
            const double next = ((1 - 0.25 * e) * q + h * v) / (1 + 0.25 * e);
            v = ((1 - 0.25 * e) * v - h * omega_sq * q) / (1 + 0.25 * e);
            q = next;
        }
        worst = fmax(worst, fabs(corner_height(&simulation, SLOT_POSITION) - HEIGHT - q));
        worst = fmax(worst, h * fabs(corner_height(&simulation, SLOT_VELOCITY) - v));
        largest = fmax(largest, fabs(q));
    }
    printf("oscillator %s, h omega = %.2f: %.2g m from the recurrence after 300 steps, amplitude %.3f m\n",
           explicit_end ? "explicit" : "midpoint", sqrt(e), worst, largest);
    ck_assert_double_le(worst, 1e-10);
    ck_assert_double_ge(largest, 0.005);
    simulation_stop(&simulation);
}
END_TEST

/// A corner without stiffness worth speaking of on a floor: it rests at m g/k below it, and swings about that.
START_TEST(rest_depth)
{
    const double stiffness = 500, mass = DENSITY * AREA * HEIGHT / 12, depth = mass * 9.81 / stiffness;
    Simulation simulation;
    make_tetrahedron(
        &simulation, "\"type\": \"variational\"", 1e-9, 0, "[0, -9.81, 0]",
        ", \"contact\": {\"model\": \"penalty\", \"stiffness\": 500}, \"obstacles\": [{\"name\": "
        "\"floor\", \"plane\": {\"point\": [0, 0.15, 0], \"normal\": [0, 1, 0]}}]");
    double *x = slot_values(&simulation, SLOT_POSITION);
    x[10] = 0.15 - depth;
    ASSERT_OK(simulation.context, device_state_write(simulation.device, SLOT_POSITION, x));
    double worst = 0;
    for (int step = 0; step < 100; ++step) {
        step_once(&simulation);
        worst = fmax(worst, fabs(corner_height(&simulation, SLOT_POSITION) - (0.15 - depth)));
    }
    printf("rest depth m g/k = %.4f m: kept within %.2g m\n", depth, worst);
    ck_assert_double_le(worst, 1e-10);
    // Half as deep it swings, always in contact, about the same depth.
    const double h = simulation.scene.step, e = stiffness / mass * h * h;
    x[10] = 0.15 - 0.5 * depth;
    ASSERT_OK(simulation.context, device_state_write(simulation.device, SLOT_POSITION, x));
    memset(x, 0, 12 * sizeof *x);
    ASSERT_OK(simulation.context, device_state_write(simulation.device, SLOT_VELOCITY, x));
    double q = 0.5 * depth, v = 0;
    for (int step = 0; step < 100; ++step) {
        step_once(&simulation);
        const double next = ((1 - 0.25 * e) * q + h * v) / (1 + 0.25 * e);
        v = ((1 - 0.25 * e) * v - e / h * q) / (1 + 0.25 * e);
        q = next;
        worst = fmax(worst, fabs(corner_height(&simulation, SLOT_POSITION) - (0.15 - depth + q)));
    }
    ck_assert_double_le(worst, 1e-9);
    simulation_stop(&simulation);
}
END_TEST

/// The midpoint rule is exact for a constant force.
START_TEST(free_fall)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.02, \"duration\": 2}, \"gravity\": [1, -9.81, 0.5],"
        " \"solver\": {\"type\": \"admm\", \"tolerance\": 1e-12, \"strict\": true},"
        " \"materials\": {\"m\": {\"model\": \"symmetric_dirichlet\", \"density\": 700, \"kappa\": 5e4}},"
        " \"bodies\": [{\"name\": \"b\", \"type\": \"solid\", \"geometry\": {\"ball\": {\"radius\": 0.1, "
        "\"resolution\": 2}}, \"material\": \"m\", \"velocity\": [1, 2, -3]}]}");
    const size_t count = 3 * (size_t)simulation.model.node_count;
    static const double gravity[3] = {1, -9.81, 0.5}, velocity[3] = {1, 2, -3};
    double worst = 0;
    for (int step = 1; step <= 50; ++step) {
        step_once(&simulation);
        const double *x = slot_values(&simulation, SLOT_POSITION),
                     *v = slot_values(&simulation, SLOT_VELOCITY);
        const double t = step * simulation.scene.step;
        for (size_t i = 0; i < count; ++i) {
            const double fallen = t * velocity[i % 3] + 0.5 * t * t * gravity[i % 3];
            worst = fmax(worst, fabs(x[i] - simulation.model.initial_positions[i] - fallen));
            worst = fmax(worst, fabs(v[i] - velocity[i % 3] - t * gravity[i % 3]));
        }
    }
    printf("free fall: %.2g m or m/s from the parabola after 50 steps\n", worst);
    ck_assert_double_le(worst, 1e-10);
    simulation_stop(&simulation);
}
END_TEST

/// Boundary nodes held at A X: with the inner ones there too, nothing moves, for any energy and mesh.
START_TEST(patch_test)
{
    static const double A[9] = {1.3, 0.2, -0.1, 0.05, 0.8, 0.15, -0.2, 0.1, 1.1};
    char pins[1 << 14];
    int length = 0;
    const int cells = 3, layer = cells + 1;
    for (int i = 0; i < layer * layer * layer; ++i) {
        const int place[3] = {i % layer, i / layer % layer, i / (layer * layer)};
        const double X[3] = {0.2 * place[0] / cells - 0.1, 0.2 * place[1] / cells - 0.1,
                             0.2 * place[2] / cells - 0.1};
        double moved[3];
        matrix3_apply(A, X, moved);
        subtract3(moved, X, moved);
        bool inner = true;
        for (int k = 0; k < 3; ++k)
            inner = inner && place[k] > 0 && place[k] < cells;
        if (!inner)
            length += snprintf(
                pins + length, sizeof pins - (size_t)length,
                "%s{\"select\": {\"nodes\": [%d]}, \"motion\": [{\"time\": 0, \"translate\": [%.17g, "
                "%.17g, %.17g]}]}",
                length > 0 ? ", " : "", i, moved[0], moved[1], moved[2]);
    }
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"gravity\": [0, 0, 0],"
        " \"solver\": {\"type\": \"admm\", \"tolerance\": 1e-12, \"strict\": true},"
        " \"materials\": {\"m\": {\"model\": \"%s\", \"density\": 1000, %s}},"
        " \"bodies\": [{\"name\": \"b\", \"type\": \"solid\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, "
        "0.2], \"cells\": [3, 3, 3]}}, \"material\": \"m\", \"pins\": [%s]}]}",
        model_name(_i), stiffness_text(_i, 5e4, energy_is_barrier(_i) ? 0 : 1e5), pins);
    const Model *model = &simulation.model;
    const size_t count = 3 * (size_t)model->node_count;
    double *expected = slot_values(&simulation, SLOT_POSITION);
    for (size_t i = 0; i < count; i += 3)
        matrix3_apply(A, model->initial_positions + i, expected + i);
    ASSERT_OK(simulation.context, device_state_write(simulation.device, SLOT_POSITION, expected));
    double worst = 0;
    for (int step = 0; step < 20; ++step) {
        step_once(&simulation);
        worst = fmax(worst, largest_difference(slot_values(&simulation, SLOT_POSITION), expected, count));
    }
    printf("patch test, %s: inner nodes stay within %.2g m\n", model_name(_i), worst);
    ck_assert_int_eq(model->pin_count, 64 - 8);
    ck_assert_double_le(worst, 1e-11);
    simulation_stop(&simulation);
}
END_TEST

START_TEST(pins_follow_their_motion)
{
    Simulation simulation;
    simulation_make(threads_context(1), &simulation,
                    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1},"
                    " \"materials\": {\"m\": {\"model\": \"arap\", \"density\": 1000, \"kappa\": 5e4}},"
                    " \"bodies\": [{\"name\": \"b\", \"type\": \"solid\", \"geometry\": {\"box\": {\"size\": "
                    "[0.4, 0.1, 0.1], \"cells\": [4, 1, 1]}}, \"material\": \"m\", \"pins\": ["
                    "{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}, \"motion\": {\"spin\": "
                    "{\"axis\": [1, 0, 0], \"about\": [0, 0, 0], \"speed\": 3}}}, {\"select\": {\"box\": "
                    "[[0.19, -1, -1], [1, 1, 1]]}, \"motion\": [{\"time\": 0.05},"
                    " {\"time\": 0.2, \"translate\": [0.1, 0.05, 0], \"rotate\": {\"axis\": [0, 1, 0], "
                    "\"degrees\": 30, \"about\": [0.2, 0, 0]}}]}]}]}");
    const Model *model = &simulation.model;
    ck_assert_int_eq(model->pin_count, 8);
    double moved = 0;
    for (int step = 1; step <= 40; ++step) {
        step_once(&simulation);
        const double *x = slot_values(&simulation, SLOT_POSITION), time = simulation_time(&simulation);
        for (int32_t p = 0; p < model->pin_count; ++p) {
            double place[3];
            const double *rest = model->initial_positions + 3 * model->pin_nodes[p];
            motion_apply(model->pin_motions[p], time, rest, place);
            ck_assert_double_le(largest_difference(place, x + 3 * model->pin_nodes[p], 3), 1e-15);
            moved = fmax(moved, largest_difference(place, rest, 3));
        }
    }
    ck_assert_double_ge(moved, 0.1);
    simulation_stop(&simulation);
}
END_TEST

START_TEST(copies_move_alike)
{
    Simulation simulation;
    simulation_make(threads_context(1), &simulation,
                    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1},"
                    " \"solver\": {\"type\": \"admm\", \"tolerance\": 1e-11, \"strict\": true},"
                    " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"kappa\": 2e4, "
                    "\"lambda\": 3e4}},"
                    " \"bodies\": [{\"name\": \"b\", \"type\": \"solid\", \"geometry\": {\"ball\": "
                    "{\"radius\": 0.1, \"resolution\": 2}}, \"material\": \"m\", \"translate\": [0, 0.12, "
                    "0], \"velocity\": [0.1, -1, 0], \"angular_velocity\": [3, 5, 1], \"array\": {\"count\": "
                    "[2, 1, 2], \"spacing\": [0.5, 1, 0.75]}}],"
                    " \"contact\": {\"model\": \"penalty\", \"stiffness\": 200}, \"obstacles\": [{\"name\": "
                    "\"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}]}");
    const int32_t nodes = simulation.model.node_count / 4;
    double worst = 0;
    for (int step = 0; step < 40; ++step) {
        step_once(&simulation);
        const double *x = slot_values(&simulation, SLOT_POSITION);
        for (int32_t i = 0; i < 4 * nodes; ++i)
            for (int k = 0; k < 3; ++k) {
                const double offset = k == 0 ? 0.5 * (i / nodes % 2) : k == 2 ? 0.75 * (i / nodes / 2) : 0;
                worst = fmax(worst, fabs(x[3 * i + k] - x[3 * (i % nodes) + k] - offset));
            }
    }
    printf("array: copies stay within %.2g m of each other\n", worst);
    ck_assert_double_le(worst, 1e-9);
    simulation_stop(&simulation);
}
END_TEST

/// A free bar that starts twisted: the ends are turned by half the angle each, the rest shape is straight, the energy is
/// that of torsion, G J angle^2/(2 l), and releasing it moves neither the centre nor any momentum.
START_TEST(twisted_bar_is_released)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.002, \"duration\": 1}, \"gravity\": [0, 0, 0],"
        " \"solver\": {\"type\": \"admm\", \"tolerance\": 1e-11, \"max_iterations\": 3000},"
        " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"kappa\": 5e4, "
        "\"lambda\": 1e5}}, \"bodies\": [{\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": "
        "[24, 6, 6]}}, \"material\": \"m\", \"translate\": [1, 2, 3], \"twist\": {\"axis\": [1, 0, 0], "
        "\"degrees\": 40}}]}");
    const Model *model = &simulation.model;
    const double radians = 40 * 3.14159265358979323846 / 180;
    for (int32_t i = 0; i < model->node_count; ++i) {
        const double *rest = model->rest_positions + 3 * (size_t)i,
                     *x = model->initial_positions + 3 * (size_t)i;
        const double angle = radians * (rest[0] - 1) / 0.4, y = rest[1] - 2, z = rest[2] - 3;
        ck_assert_double_eq_tol(x[0], rest[0], 1e-12);
        ck_assert_double_eq_tol(x[1] - 2, cos(angle) * y - sin(angle) * z, 1e-9);
        ck_assert_double_eq_tol(x[2] - 3, sin(angle) * y + cos(angle) * z, 1e-9);
    }
    // Saint-Venant torsion without warping: the polar moment a^4/6 of the square; the initial state does not warp.
    const double torsion = 5e4 * pow(0.1, 4) / 6 * radians * radians / (2 * 0.4);
    // Linear tetrahedra are too stiff here by about (cell/width)^2 and more, never too soft.
    ck_assert_double_ge(simulation.diagnosis.elastic, torsion);
    ck_assert_double_le(simulation.diagnosis.elastic, 1.15 * torsion);
    const double energy = diagnosis_total(&simulation.diagnosis);
    for (int step = 0; step < 20; ++step)
        step_once(&simulation);
    const Diagnosis *end = &simulation.diagnosis;
    ck_assert_double_gt(end->kinetic, 0.02 * energy);
    ck_assert_double_eq_tol(diagnosis_total(end), energy, 0.01 * energy);
    ck_assert_double_le(norm3(end->linear_momentum), 1e-10);
    ck_assert_double_le(norm3(end->angular_momentum), 1e-9);
    simulation_stop(&simulation);
}
END_TEST

/// v + omega x (x - c) + L (x - c), with c the centre of each of two copies of a cube. Neither omega nor L adds to the
/// linear momentum.
START_TEST(initial_velocities)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": \"bdf2\"},"
        " \"materials\": {\"m\": {\"model\": \"arap\", \"density\": 1000, \"kappa\": 1e4}},"
        " \"bodies\": [{\"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [4, 4, 4]}},"
        " \"material\": \"m\", \"translate\": [1, 2, 3], \"array\": {\"count\": [2, 1, 1], \"spacing\": [5, 0, 0]},"
        " \"velocity\": [0.1, 0.2, 0.3], \"angular_velocity\": [0, 0, 2],"
        " \"velocity_gradient\": [[1, 2, 3], [2, 5, 6], [3, 6, 9]]}]}");
    const Model *model = &simulation.model;
    const double *v = slot_values(&simulation, SLOT_VELOCITY);
    for (int32_t i = 0; i < model->node_count; ++i) {
        const double *rest = model->rest_positions + 3 * (size_t)i;
        const double x = rest[0] - (i < model->node_count / 2 ? 1 : 6), y = rest[1] - 2, z = rest[2] - 3;
        ck_assert_double_eq_tol(v[3 * i], 0.1 + x + (2 - 2) * y + 3 * z, 1e-12);
        ck_assert_double_eq_tol(v[3 * i + 1], 0.2 + (2 + 2) * x + 5 * y + 6 * z, 1e-12);
        ck_assert_double_eq_tol(v[3 * i + 2], 0.3 + 3 * x + 6 * y + 9 * z, 1e-12);
    }
    const Diagnosis *start = &simulation.diagnosis;
    const double mass = 16;
    for (int k = 0; k < 3; ++k)
        ck_assert_double_eq_tol(start->linear_momentum[k], mass * 0.1 * (k + 1), 1e-12);
    simulation_stop(&simulation);
}
END_TEST

/// Two copies of a bar whose right half is four times as stiff and three times as heavy, pulled by 0.2 m: in series, without
/// lateral contraction, the soft half takes four fifths.
START_TEST(regions_are_of_another_material)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.1, \"duration\": 10}, \"gravity\": [0, 0, 0],"
        " \"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-12},"
        " \"materials\": {\"soft\": {\"model\": \"corotated\", \"density\": 1000, \"kappa\": 1e5},"
        " \"stiff\": {\"model\": \"corotated\", \"density\": 3000, \"kappa\": 4e5}},"
        " \"bodies\": [{\"geometry\": {\"box\": {\"size\": [1, 0.1, 0.1], \"cells\": [4, 1, 1]}},"
        " \"material\": \"soft\", \"array\": {\"count\": [1, 2, 1], \"spacing\": [0, 1, 0]},"
        " \"regions\": [{\"select\": {\"box\": [[-1e-6, -1, -1], [1, 1, 1]]}, \"material\": \"stiff\"}],"
        " \"pins\": [{\"select\": {\"box\": [[-0.6, -1, -1], [-0.4, 1, 1]]}},"
        " {\"select\": {\"box\": [[0.4, -1, -1], [0.6, 1, 1]]}, \"motion\": [{\"time\": 0}, {\"time\": 1, "
        "\"translate\": [0.2, 0, 0]}]}]}]}");
    const Model *model = &simulation.model;
    double mass = 0;
    for (int32_t i = 0; i < model->node_count; ++i)
        mass += model->masses[i];
    ck_assert_double_eq_tol(mass, 2 * (0.005 * 1000 + 0.005 * 3000), 1e-12);
    for (int step = 0; step < 100; ++step)
        step_once(&simulation);
    const double *x = slot_values(&simulation, SLOT_POSITION);
    for (int32_t i = 0; i < model->node_count; ++i) {
        const double *rest = model->rest_positions + 3 * (size_t)i;
        const double moved = rest[0] < 0 ? 0.32 * (rest[0] + 0.5) : 0.16 + 0.08 * rest[0];
        ck_assert_double_eq_tol(x[3 * i], rest[0] + moved, 1e-9);
        ck_assert_double_eq_tol(x[3 * i + 1], rest[1], 1e-9);
    }
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("closed forms");
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, oscillator, 0, 2);
    tcase_add_test(cases, rest_depth);
    tcase_add_test(cases, free_fall);
    tcase_add_loop_test(cases, patch_test, 0, ENERGY_MODEL_COUNT);
    tcase_add_test(cases, pins_follow_their_motion);
    tcase_add_test(cases, copies_move_alike);
    tcase_add_test(cases, twisted_bar_is_released);
    tcase_add_test(cases, initial_velocities);
    tcase_add_test(cases, regions_are_of_another_material);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
