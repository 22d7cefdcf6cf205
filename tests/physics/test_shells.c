// Shells against closed forms: a clamped strip that bends, a stretched patch, a membrane under tension; momenta of a folded sheet in
// flight; Newton's method and ADMM on the same cloth; what is refused.
#include "physics_fixture.h"

#include "api/rims.h"
#include "api/shell_energy.h"
#include "random_matrix.h"

#define PI 3.14159265358979323846

static double height_of(Simulation *simulation, int32_t node)
{
    return slot_values(simulation, SLOT_POSITION)[3 * node + 1];
}

/// A sheet as an OBJ file whose cells are irregular: nodes moved by up to a share of a cell, along x but for the first two rows and the
/// last, along z within, and cells split either way by chance.
static void write_irregular_sheet(const char *path, const double size[2], const int cells[2], double moved)
{
    FILE *file = fopen(path, "w");
    RandomState random = {2718};
    ck_assert_ptr_nonnull(file);
    for (int k = 0; k <= cells[1]; ++k)
        for (int i = 0; i <= cells[0]; ++i) {
            const double dx = random_between(&random, -moved, moved),
                         dz = random_between(&random, -moved, moved);
            const bool free = i > 1 && i < cells[0], inside = free && k > 0 && k < cells[1];
            fprintf(file, "v %.17g 0 %.17g\n", size[0] * ((free ? i + dx : i) / cells[0] - 0.5),
                    size[1] * ((inside ? k + dz : k) / cells[1] - 0.5));
        }
    for (int k = 0; k < cells[1]; ++k)
        for (int i = 0; i < cells[0]; ++i) {
            const int at = 1 + i + (cells[0] + 1) * k, next = at + cells[0] + 1;
            if (random_between(&random, -1, 1) < 0)
                fprintf(file, "f %d %d %d\nf %d %d %d\n", at, next + 1, at + 1, at, next, next + 1);
            else
                fprintf(file, "f %d %d %d\nf %d %d %d\n", at, next, at + 1, at + 1, next, next + 1);
        }
    fclose(file);
}

/// "geometry" of a sheet: with cells as vela makes them, or irregular ones.
static const char *sheet_text(const double size[2], const int cells[2], bool irregular)
{
    static char text[160];
    if (irregular) {
        write_irregular_sheet(BINARY_DIR "/irregular_sheet.obj", size, cells, 0.3);
        return "{\"mesh\": \"irregular_sheet.obj\"}";
    }
    snprintf(text, sizeof text, "{\"sheet\": {\"size\": [%.17g, %.17g], \"cells\": [%d, %d]}}", size[0],
             size[1], cells[0], cells[1]);
    return text;
}

/// The mean sag of the free end of a strip of 1 m x 0.1 m, clamped by its first two rows of nodes, over that of Euler and Bernoulli's beam:
/// 12 rho g L^4/(8 E t^2). Two rows clamp midway between them.
static double relative_sag(const char *bending, int along, int across, bool irregular)
{
    const double sag = 0.01, thickness = 0.005, gravity = 0.0981, length = 1 - 0.5 / along;
    const double modulus = 1000 * gravity * 1.5 / (thickness * thickness * sag);
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.5, \"duration\": 100}, \"integrator\": {\"type\": "
        "\"implicit_euler\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-8}, \"gravity\": [0, %g, 0],"
        "\"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, \"youngs_modulus\": %.17g, "
        "\"poissons_ratio\": 0}}, \"bodies\": [{\"type\": \"shell\", \"thickness\": %g, \"bending\": \"%s\", "
        "\"material\": \"m\", \"geometry\": %s, \"pins\": "
        "[{\"select\": {\"box\": [[-1, -1, -1], [%.17g, 1, 1]]}}]}]}",
        -gravity, modulus, thickness, bending,
        sheet_text((const double[2]){1, 0.1}, (const int[2]){along, across}, irregular), -0.5 + 1.01 / along);
    for (int step = 0; step < 60; ++step)
        step_once(&simulation);
    double sum = 0;
    for (int32_t k = 0; k <= across; ++k)
        sum -= height_of(&simulation, along + (along + 1) * k);
    simulation_stop(&simulation);
    const double relative = sum / (across + 1) / (sag * pow(length, 4));
    printf("strip, %s, %d x %d%s cells: sinks by %.4f of a beam's sag\n", bending, along, across,
           irregular ? " irregular" : "", relative);
    return relative;
}

/// Cells four times as long as wide. Square ones fold along their diagonals at no cost (theory.md section 3), whatever their number.
START_TEST(a_clamped_strip_bends_like_a_beam)
{
    ck_assert_double_eq_tol(relative_sag("discrete_shells", 20, 8, false), 1, 0.03);
    ck_assert_double_eq_tol(relative_sag("quadratic", 20, 8, false), 1, 0.03);
    ck_assert_double_eq_tol(relative_sag("plate", 20, 8, false), 1, 0.03);
}
END_TEST

/// Whatever the triangulation, and the better the finer: twice as fine is four times as good.
START_TEST(a_plate_bends_on_any_mesh)
{
    for (int irregular = 0; irregular < 2; ++irregular) {
        const double coarse = fabs(relative_sag("plate", 20, 2, irregular) - 1),
                     fine = fabs(relative_sag("plate", 40, 4, irregular) - 1);
        ck_assert_double_lt(coarse, 0.01);
        ck_assert_double_lt(fine, 0.4 * coarse);
    }
}
END_TEST

/// A square plate held at three corners and pushed at the fourth is twisted evenly: w = F x z/(2 (1 - nu) D).
START_TEST(a_plate_twists)
{
    const double E = 1e6, nu = 0.3, thickness = 0.01, side = 0.5, force = 1e-4;
    const double D = E * pow(thickness, 3) / (12 * (1 - nu * nu)),
                 expected = force * side * side / (2 * (1 - nu) * D);
    for (int irregular = 0; irregular < 2; ++irregular) {
        enum { CELLS = 8 };
        Simulation simulation;
        simulation_make(
            threads_context(1), &simulation,
            "{\"version\": 1, \"time\": {\"step\": 10, \"duration\": 100}, \"gravity\": [0, 0, 0], \"integrator\": {\"type\": "
            "\"implicit_euler\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-11}, \"materials\": {\"m\": {\"model\": "
            "\"stvk\", \"density\": 1000, \"youngs_modulus\": %g, \"poissons_ratio\": %g}}, \"bodies\": [{\"type\": \"shell\", "
            "\"thickness\": %g, \"bending\": \"plate\", \"material\": \"m\", \"geometry\": %s, \"pins\": [{\"select\": "
            "{\"nodes\": [0, %d, %d]}}], \"loads\": [{\"select\": {\"nodes\": [%d]}, \"force\": [0, %g, 0]}]}]}",
            E, nu, thickness,
            sheet_text((const double[2]){side, side}, (const int[2]){CELLS, CELLS}, irregular), CELLS,
            CELLS * (CELLS + 1), (CELLS + 1) * (CELLS + 1) - 1, force);
        for (int step = 0; step < 8; ++step)
            step_once(&simulation);
        const double found = height_of(&simulation, (CELLS + 1) * (CELLS + 1) - 1);
        printf("twist%s: %.6g m, exact %.6g m\n", irregular ? ", irregular cells" : "", found, expected);
        ck_assert_double_eq_tol(found, expected, 2e-3 * expected);
        simulation_stop(&simulation);
    }
}
END_TEST

/// F is diag(1/a, 1/b) in every triangle: the energy is that of the closed form, and nodes within do not move.
START_TEST(a_stretched_patch_is_exact)
{
    static const char *const models[] = {"stvk", "neo_hookean"};
    for (int m = 0; m < 2; ++m) {
        const double E = 1e5, nu = 0.3, a = 1 / 1.2, b = 1 / 0.9, thickness = 0.01;
        Simulation simulation;
        simulation_make(
            threads_context(1), &simulation,
            "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 100}, \"gravity\": [0, 0, 0], "
            "\"solver\": {\"type\": \"newton\", \"tolerance\": 1e-9}, \"materials\": {\"m\": {\"model\": "
            "\"%s\", \"density\": 1000, \"youngs_modulus\": %g, \"poissons_ratio\": %g}}, \"bodies\": "
            "[{\"type\": \"shell\", \"thickness\": %g, \"material\": \"m\", \"rest_scale\": [%.17g, %.17g], "
            "\"rotate\": {\"axis\": [1, 2, 3], \"degrees\": 50}, \"geometry\": {\"sheet\": {\"size\": [1, 0.7], "
            "\"cells\": [5, 3]}}, \"pins\": [{\"select\": {\"nodes\": [0, 1, 2, 3, 4, 5, 6, 11, 12, 17, 18, 19, "
            "20, 21, 22, 23]}}]}]}",
            models[m], E, nu, thickness, a, b);
        const double *before = slot_values(&simulation, SLOT_POSITION);
        const double mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
        const double e = 0.5 * (1 / (a * a) - 1), f = 0.5 * (1 / (b * b) - 1),
                     volume = 0.7 * a * b * thickness;
        double density = mu * (e * e + f * f) + 0.5 * E * nu / (1 - nu * nu) * (e + f) * (e + f);
        if (m == 1) { // the third stretch by bisection
            double low = 0.1, high = 10;
            for (int i = 0; i < 200; ++i) {
                const double s = 0.5 * (low + high);
                *(mu * s * s + lambda * log(s / (a * b)) - mu < 0 ? &low : &high) = s;
            }
            const double J = low / (a * b);
            density = 0.5 * mu * (1 / (a * a) + 1 / (b * b) + low * low - 3) - mu * log(J) +
                      0.5 * lambda * log(J) * log(J);
        }
        ck_assert_double_eq_tol(simulation.diagnosis.elastic, volume * density, 1e-11 * volume * density);
        for (int step = 0; step < 5; ++step)
            step_once(&simulation);
        const double moved = largest_difference(slot_values(&simulation, SLOT_POSITION), before,
                                                3 * (size_t)simulation.model.node_count);
        printf("patch, %s: %.6g J, nodes moved by %.1e m\n", models[m], simulation.diagnosis.elastic, moved);
        ck_assert_double_lt(moved, 1e-12);
        simulation_stop(&simulation);
    }
}
END_TEST

/// f_mn = c sqrt(m^2 + n^2)/(2 L), c^2 = N/(rho t), N = psi_i t s the tension per length, s the rest scale.
START_TEST(a_membrane_under_tension_has_its_frequencies)
{
    enum { CELLS = 20 };
    static const int modes[2][2] = {{1, 1}, {2, 1}};
    const double E = 1e6, nu = 0.3, scale = 0.95, density = 1000, e = 0.5 * (1 / (scale * scale) - 1);
    const double stress = (E / (1 + nu) * e + 2 * E * nu / (1 - nu * nu) * e) / scale;
    const double speed = sqrt(stress * scale / density), length = 0.5;
    for (int mode = 0; mode < 2; ++mode) {
        const int p = modes[mode][0], q = modes[mode][1];
        const double frequency = speed * sqrt(p * p + q * q) / (2 * length),
                     step_length = 1 / (60 * frequency);
        Simulation simulation;
        simulation_make(
            threads_context(1), &simulation,
            "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 100}, \"gravity\": [0, 0, 0], \"integrator\": "
            "{\"type\": \"variational\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-7}, \"materials\": {\"m\": "
            "{\"model\": \"stvk\", \"density\": %g, \"youngs_modulus\": %g, \"poissons_ratio\": %g}}, \"bodies\": "
            "[{\"type\": \"shell\", \"thickness\": 0.001, \"bending\": \"none\", \"material\": \"m\", \"rest_scale\": %g, "
            "\"geometry\": {\"sheet\": {\"size\": [%g, %g], \"cells\": [%d, %d]}}, \"pins\": [{\"select\": {\"box\": [[-1, "
            "-1, -1], [-0.2499, 1, 1]]}}, {\"select\": {\"box\": [[0.2499, -1, -1], [1, 1, 1]]}}, {\"select\": {\"box\": "
            "[[-1, -1, -1], [1, 1, -0.2499]]}}, {\"select\": {\"box\": [[-1, -1, 0.2499], [1, 1, 1]]}}]}]}",
            step_length, density, E, nu, scale, length, length, CELLS, CELLS);
        double *v = slot_values(&simulation, SLOT_VELOCITY);
        for (int k = 1; k < CELLS; ++k)
            for (int i = 1; i < CELLS; ++i)
                v[3 * (i + (CELLS + 1) * k) + 1] = 1e-3 * sin(p * PI * i / CELLS) * sin(q * PI * k / CELLS);
        ASSERT_OK(simulation.context, device_state_write(simulation.device, SLOT_VELOCITY, v));
        const int watched = CELLS / (2 * p) + (CELLS + 1) * (CELLS / (2 * q));
        double before = 0, first = 0;
        int crossings = 0;
        for (int step = 1; crossings < 7; ++step) {
            step_once(&simulation);
            const double y = height_of(&simulation, watched);
            if (step > 1 && (before > 0) != (y > 0)) {
                const double time = (step - 1 + before / (before - y)) * step_length;
                first = crossings++ == 0 ? time : first;
                if (crossings == 7) {
                    const double found = 3 / (time - first);
                    printf("membrane, mode %d %d: %.4f Hz, exact %.4f Hz\n", p, q, found, frequency);
                    ck_assert_double_eq_tol(found, frequency, 0.02 * frequency);
                }
            }
            before = y;
            ck_assert_int_lt(step, 1000);
        }
        simulation_stop(&simulation);
    }
}
END_TEST

/// Volume within the triangles, by the divergence theorem about the origin.
static double enclosed(const Model *model, const double *x)
{
    double volume = 0;
    for (int32_t t = 0; t < model->triangle_count; ++t) {
        const int32_t *corners = model->triangles + 3 * (size_t)t;
        double across[3];
        cross3(x + 3 * (size_t)corners[0], x + 3 * (size_t)corners[1], across);
        volume += dot3(across, x + 3 * (size_t)corners[2]) / 6;
    }
    return volume;
}

/// A thin sphere under pressure is stretched by p R (1 - nu)/(2 E t) in all directions; its corners lie on the sphere, which takes
/// some of it. Nothing moves it, and the loads have p times the growth of its volume.
START_TEST(a_sphere_under_pressure)
{
    const double E = 1e6, nu = 0.3, thickness = 0.002, radius = 0.1, pressure = 100;
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 10, \"duration\": 100}, \"gravity\": [0, 0, 0], \"integrator\": {\"type\": "
        "\"implicit_euler\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-9}, \"materials\": {\"m\": {\"model\": "
        "\"stvk\", \"density\": 1000, \"youngs_modulus\": %g, \"poissons_ratio\": %g}}, \"bodies\": [{\"type\": \"shell\", "
        "\"thickness\": %g, \"material\": \"m\", \"geometry\": {\"mesh\": \"" SOURCE_DIR
        "/scenes/shells/ball.obj\"}, \"scale\": %g, \"loads\": [{\"pressure\": %g}]}]}",
        E, nu, thickness, radius, pressure);
    const Model *model = &simulation.model;
    double before = 0, after = 0, center[3] = {0};
    const double *x = slot_values(&simulation, SLOT_POSITION);
    const double volume = enclosed(model, x);
    for (int32_t i = 0; i < model->node_count; ++i)
        before += norm3(x + 3 * (size_t)i) / model->node_count;
    for (int step = 0; step < 6; ++step)
        step_once(&simulation);
    x = slot_values(&simulation, SLOT_POSITION);
    for (int32_t i = 0; i < model->node_count; ++i) {
        after += norm3(x + 3 * (size_t)i) / model->node_count;
        add_scaled3(center, 1.0 / model->node_count, x + 3 * (size_t)i, center);
    }
    const double strain = pressure * radius * (1 - nu) / (2 * E * thickness), found = after / before - 1;
    printf("sphere under pressure: strain %.5g, thin sphere %.5g; centre moved by %.1e m; %.6g J of loads\n",
           found, strain, norm3(center), simulation.diagnosis.loads);
    ck_assert_double_eq_tol(found, strain, 0.02 * strain);
    ck_assert_double_lt(norm3(center), 1e-7);
    const double work = pressure * (enclosed(model, x) - volume);
    ck_assert_double_eq_tol(simulation.diagnosis.loads, -work, 1e-9 * work);
    simulation_stop(&simulation);
}
END_TEST

/// A bent sheet that is let go and spins: momenta are those of the start.
START_TEST(momenta_of_a_folded_sheet)
{
    static const char *const bendings[] = {"discrete_shells", "quadratic", "plate", "none"};
    for (int b = 0; b < 4; ++b) {
        Simulation simulation;
        simulation_make(
            threads_context(1), &simulation,
            "{\"version\": 1, \"time\": {\"step\": 0.005, \"duration\": 100}, \"gravity\": [0, 0, 0], \"integrator\": "
            "{\"type\": \"variational\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 1e-11}, \"materials\": {\"m\": "
            "{\"model\": \"neo_hookean\", \"density\": 300, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"bodies\": "
            "[{\"type\": \"shell\", \"thickness\": 0.01, \"bending\": \"%s\", \"material\": \"m\", \"velocity\": [1, 2, 3], "
            "\"angular_velocity\": [3, 1, 5], \"velocity_gradient\": [[0, 3, 0], [-2, 0, 4], [0, 0, 1]], \"geometry\": "
            "{\"sheet\": {\"size\": [0.4, 0.3], \"cells\": [6, 5]}}}]}",
            bendings[b]);
        double *v = slot_values(&simulation, SLOT_VELOCITY), *x = slot_values(&simulation, SLOT_POSITION);
        for (int32_t i = 0; i < simulation.model.node_count; ++i)
            v[3 * i + 1] += 20 * x[3 * i] * x[3 * i]; // bends it
        ASSERT_OK(simulation.context, device_state_write(simulation.device, SLOT_VELOCITY, v));
        step_once(&simulation);
        const Diagnosis start = simulation.diagnosis;
        for (int step = 0; step < 40; ++step)
            step_once(&simulation);
        const double linear =
                         largest_difference(simulation.diagnosis.linear_momentum, start.linear_momentum, 3),
                     angular =
                         largest_difference(simulation.diagnosis.angular_momentum, start.angular_momentum, 3);
        printf("%s: momenta off by %.1e of %.3g kg m/s, %.1e of %.3g kg m^2/s; elastic %.3g J\n", bendings[b],
               linear, norm3(start.linear_momentum), angular, norm3(start.angular_momentum),
               simulation.diagnosis.elastic);
        ck_assert_double_lt(linear, 1e-10 * norm3(start.linear_momentum));
        ck_assert_double_lt(angular, 1e-8 * norm3(start.angular_momentum));
        ck_assert_double_gt(simulation.diagnosis.elastic, 1e-4);
        simulation_stop(&simulation);
    }
}
END_TEST

/// Of a sheet rolled over its pinned side: triangles with their own energy and their hinges' halves have all there is.
START_TEST(frames_show_all_of_the_energy)
{
    static const char *const bendings[] = {"discrete_shells", "quadratic", "plate"};
    for (int b = 0; b < 3; ++b) {
        Simulation simulation;
        simulation_make(
            threads_context(1), &simulation,
            "{\"version\": 1, \"time\": {\"step\": 0.02, \"duration\": 100}, \"materials\": {\"m\": {\"model\": "
            "\"stvk\", \"density\": 300, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"solver\": {\"type\": "
            "\"newton\"}, \"bodies\": [{\"type\": \"shell\", \"thickness\": 0.01, \"bending\": \"%s\", \"material\": "
            "\"m\", \"geometry\": {\"sheet\": {\"size\": [0.4, 0.3], \"cells\": [6, 5]}}, \"array\": {\"count\": [1, 2, "
            "1], \"spacing\": [0, 1, 0]}, \"pins\": [{\"select\": {\"nodes\": [0, 1, 7, 8, 14, 15, 21, 22, 28, 29, 35, "
            "36]}}]}]}",
            bendings[b]);
        for (int step = 0; step < 10; ++step)
            step_once(&simulation);
        const Model *model = &simulation.model;
        const ElementGroup *membranes = &model->groups[ELEMENT_MEMBRANE];
        const int32_t(*sides)[2];
        float *stretch, *densities;
        double sums[2] = {0};
        ASSERT_OK(simulation.context, ARENA_ARRAY(&simulation.arena, stretch, model->element_count));
        ASSERT_OK(simulation.context, ARENA_ARRAY(&simulation.arena, densities, model->element_count));
        ASSERT_OK(simulation.context,
                  shell_energy_create(simulation.context, model, &simulation.arena, &sides));
        ASSERT_OK(simulation.context, device_fields(simulation.device, SLOT_POSITION, stretch, densities));
        for (int pass = 0; pass < 2; ++pass) {
            for (int32_t t = 0; t < membranes->count; ++t)
                sums[pass] += membranes->volumes[t] * (double)densities[membranes->first_element + t];
            if (pass == 0)
                shell_energy_add(model, sides, densities);
        }
        const double elastic = simulation.diagnosis.elastic;
        printf("%s: membranes have %.3g J, with their hinges %.6g of %.6g J\n", bendings[b], sums[0], sums[1],
               elastic);
        ck_assert_double_lt(sums[0], 0.9 * elastic);
        ck_assert_double_eq_tol(sums[1], elastic, 1e-6 * elastic);
        simulation_stop(&simulation);
    }
}
END_TEST

/// Of a sheet without a triangle in its middle: a loop around it and one around the hole, as thick as the sheet.
START_TEST(rims_along_borders)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.02, \"duration\": 1}, \"materials\": {\"m\": {\"model\": \"stvk\", "
        "\"density\": 300, \"kappa\": 1e5}}, \"solver\": {\"type\": \"newton\"}, \"bodies\": [{\"type\": \"shell\", "
        "\"thickness\": 0.01, \"material\": \"m\", \"geometry\": {\"sheet\": {\"size\": [0.4, 0.3], \"cells\": [4, "
        "4]}}}]}");
    const Model *model = &simulation.model;
    int32_t triangles[3 * 32], count = 0;
    bool hole = false;
    for (int32_t t = 0; t < model->triangle_count; ++t) {
        const int32_t *corners = model->triangles + 3 * (size_t)t;
        bool border = false;
        for (int k = 0; k < 3; ++k)
            border |= corners[k] % 5 == 0 || corners[k] % 5 == 4 || corners[k] < 5 || corners[k] >= 20;
        if (border || hole)
            memcpy(triangles + 3 * (size_t)count++, corners, 3 * sizeof *corners);
        hole |= !border;
    }
    const FrameBody body = {.first_triangle = 0, .triangle_count = count};
    const FrameTopology topology = {.vertex_count = model->vertex_count,
                                    .triangle_count = count,
                                    .body_count = 1,
                                    .triangles = triangles,
                                    .triangle_elements = model->triangle_elements,
                                    .bodies = &body},
                        *with;
    ASSERT_OK(simulation.context, rims_add(&simulation.arena, &simulation.scene, &topology, &with));
    printf("rims: %d loops of %d edges\n", with->cable_count, with->segment_count);
    ck_assert_int_eq(with->cable_count, 2);
    ck_assert_int_eq(with->cables[0].segment_count, 16);
    ck_assert_int_eq(with->cables[1].segment_count, 3);
    for (int32_t c = 0; c < with->cable_count; ++c) {
        const FrameCable *cable = &with->cables[c];
        const int32_t *segments = with->segments + 2 * (size_t)cable->first_segment;
        ck_assert_double_eq(cable->radius, 0.005);
        for (int32_t k = 0; k < cable->segment_count; ++k) // closed
            ck_assert_int_eq(segments[2 * k + 1], segments[2 * ((k + 1) % cable->segment_count)]);
    }
    simulation_stop(&simulation);
}
END_TEST

static void run_cloth(const char *solver, const char *bending, double *positions)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 100}, \"integrator\": {\"type\": \"implicit_euler\"}, "
        "\"solver\": %s, \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 500, \"youngs_modulus\": 2e4, "
        "\"poissons_ratio\": 0.3}}, \"bodies\": [{\"type\": \"shell\", \"thickness\": 0.01, \"bending\": \"%s\", "
        "\"material\": \"m\", \"geometry\": {\"disk\": {\"radius\": 0.3, \"resolution\": 6}}, \"pins\": [{\"select\": "
        "{\"nodes\": [0, 6]}}]}], \"obstacles\": [{\"plane\": {\"point\": [0, -0.05, 0], \"normal\": [0, 1, 0]}}], "
        "\"contact\": {\"model\": \"penalty\", \"stiffness\": 200}}",
        solver, bending);
    for (int step = 0; step < 15; ++step)
        step_once(&simulation);
    ck_assert_int_eq(simulation.model.node_count, 49);
    memcpy(positions, slot_values(&simulation, SLOT_POSITION), 3 * 49 * sizeof *positions);
    simulation_stop(&simulation);
}

START_TEST(both_solvers_agree)
{
    static const char *const bendings[] = {"quadratic", "plate", "none"};
    for (int b = 0; b < 3; ++b) {
        double newton[3 * 49], admm[3 * 49];
        run_cloth("{\"type\": \"newton\", \"tolerance\": 1e-9}", bendings[b], newton);
        run_cloth("{\"type\": \"admm\", \"tolerance\": 1e-10, \"max_iterations\": 5000}", bendings[b], admm);
        const double difference = largest_difference(newton, admm, 3 * 49);
        printf("cloth, %s: the solvers differ by %.1e m\n", bendings[b], difference);
        ck_assert_double_lt(difference, 1e-6);
        ck_assert_double_lt(newton[3 * 24 + 1], -0.03); // it has fallen onto the plane
    }
}
END_TEST

/// Bodies that are refused, and what the message names.
START_TEST(refusals)
{
#define SHELL(more)                                                                                          \
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"materials\": {\"m\": {\"model\": "      \
    "\"stvk\", \"density\": 1, \"kappa\": 1}, \"a\": {\"model\": \"arap\", \"density\": 1, \"kappa\": 1}}, " \
    "\"bodies\": [{\"type\": \"shell\", " more "}]"
#define DISK "\"geometry\": {\"disk\": {\"radius\": 1, \"resolution\": 2}}"
    static const char *const refused[][2] = {
        {SHELL(DISK ", \"material\": \"m\"") "}", "thickness"},
        {SHELL(DISK ", \"material\": \"a\", \"thickness\": 0.1") "}", "expected stvk or neo_hookean"},
        {SHELL(DISK ", \"material\": \"m\", \"thickness\": 0.1") ", \"solver\": {\"type\": \"admm\"}}",
         "discrete_shells"},
        {SHELL("\"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [1, 1, 1]}}, \"material\": \"m\", "
               "\"thickness\": 0.1") "}",
         "expected \"sheet\", \"disk\" or \"mesh\""},
        {SHELL(DISK ", \"material\": \"m\", \"thickness\": 0.1, \"rest_scale\": [1]") "}", "rest_scale"},
        {SHELL(
             DISK
             ", \"material\": \"m\", \"thickness\": 0.1, \"twist\": {\"axis\": [1, 0, 0], \"degrees\": 3}") "}",
         "twist"},
    };
    VelaContext *context = threads_context(1);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        Arena arena = arena_make(context);
        SceneDef scene;
        ck_assert_int_eq(
            scene_parse(context, "s.json", refused[i][0], strlen(refused[i][0]), 0, NULL, &arena, &scene),
            VELA_ERROR_INVALID_INPUT);
        ck_assert_msg(strstr(vela_context_message(context), refused[i][1]) != NULL, "case %zu: %s", i,
                      vela_context_message(context));
        arena_clear(&arena);
    }
    vela_context_destroy(context);
}
END_TEST

/// What only the mesh shows.
START_TEST(pressure_wants_a_closed_surface)
{
    VelaContext *context = threads_context(1);
    Arena arena = arena_make(context);
    SceneDef scene;
    Model model;
    const char *text =
        SHELL(DISK ", \"material\": \"m\", \"thickness\": 0.1, \"loads\": [{\"pressure\": 1}]") "}";
    ASSERT_OK(context, scene_parse(context, "s.json", text, strlen(text), 0, NULL, &arena, &scene));
    ck_assert_int_eq(model_build(context, &scene, &arena, &model), VELA_ERROR_INVALID_INPUT);
    ck_assert_msg(strstr(vela_context_message(context), "expected two at every edge: a closed surface") !=
                      NULL,
                  "%s", vela_context_message(context));
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shells");
    TCase *cases = tcase_create("shells");
    tcase_add_test(cases, a_clamped_strip_bends_like_a_beam);
    tcase_add_test(cases, a_plate_bends_on_any_mesh);
    tcase_add_test(cases, a_plate_twists);
    tcase_add_test(cases, a_stretched_patch_is_exact);
    tcase_add_test(cases, a_membrane_under_tension_has_its_frequencies);
    tcase_add_test(cases, a_sphere_under_pressure);
    tcase_add_test(cases, momenta_of_a_folded_sheet);
    tcase_add_test(cases, frames_show_all_of_the_energy);
    tcase_add_test(cases, rims_along_borders);
    tcase_add_test(cases, both_solvers_agree);
    tcase_add_test(cases, refusals);
    tcase_add_test(cases, pressure_wants_a_closed_surface);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
