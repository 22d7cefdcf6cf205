// Penalty contact with planes and spheres, and its friction (theory.md sections 5, 7 and 8): formulas by differences, blocks that slide,
// stick and are dragged along, ADMM against Newton's method, a leaning block, a ball that spins, and what is carried from step to step.
#include "physics_fixture.h"

#include "physics/contact/penalty_shape.h"
#include "physics/contact/plane_penalty.h"
#include "sim/reactions.h"

#define PI 3.14159265358979323846

static const double GRAVITY = 9.81;

static const char newton[] = "{\"type\": \"newton\", \"tolerance\": 1e-8}";

// ---------------------------------------------------------------- formulas

static double between(uint64_t *state, double low, double high)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*state >> 11) * 0x1p-53;
}

static PenaltyShape random_shape(uint64_t *state, bool sphere)
{
    PenaltyShape shape = {.radius = sphere ? between(state, 0.1, 2) : 0};
    for (int k = 0; k < 3; ++k) {
        shape.point[k] = between(state, -1, 1);
        shape.normal[k] = between(state, -1, 1);
    }
    normalize3(shape.normal);
    shape.offset = dot3(shape.normal, shape.point);
    return shape;
}

// A point that has sunk in by 1 to 30 % of the radius, or some centimetres.
static void random_place(uint64_t *state, const PenaltyShape *shape, double x[3])
{
    double direction[3] = {between(state, -1, 1), between(state, -1, 1), between(state, -1, 1)};
    normalize3(direction);
    const double from = shape->radius > 0 ? shape->radius * between(state, 0.7, 0.99) : 0;
    add_scaled3(shape->point, from, direction, x);
    if (from == 0)
        add_scaled3(x, between(state, -0.05, -0.01) - dot3(shape->normal, x) + shape->offset, shape->normal,
                    x);
}

// dE/dx at x, N.
static void find_gradient(const PenaltyShape *shape, double stiffness, const double x[3], double gradient[3])
{
    double normal[3];
    const double slope = plane_penalty_slope(stiffness, penalty_gap(shape, x, normal));
    for (int k = 0; k < 3; ++k)
        gradient[k] = slope * normal[k];
}

START_TEST(gradients_and_hessians)
{
    enum { CASES = 2000 };
    const double stiffness = 300, step = 1e-6;
    uint64_t state = 7;
    double worst[2] = {0};
    for (int i = 0; i < CASES; ++i) {
        const PenaltyShape shape = random_shape(&state, i % 2);
        double x[3], gradient[3], normal[3];
        random_place(&state, &shape, x);
        const double gap = penalty_gap(&shape, x, normal), slope = plane_penalty_slope(stiffness, gap);
        ck_assert_double_lt(gap, 0);
        find_gradient(&shape, stiffness, x, gradient);
        for (int k = 0; k < 3; ++k) {
            double ends[2][3], energies[2], gradients[2][3], other[3];
            for (int side = 0; side < 2; ++side) {
                memcpy(ends[side], x, sizeof x);
                ends[side][k] += side ? step : -step;
                energies[side] = plane_penalty_energy(stiffness, penalty_gap(&shape, ends[side], other));
                find_gradient(&shape, stiffness, ends[side], gradients[side]);
            }
            worst[0] = fmax(worst[0], fabs((energies[1] - energies[0]) / (2 * step) - gradient[k]));
            const double bend = penalty_bend(&shape, x, slope, false);
            for (int j = 0; j < 3; ++j) {
                const double hessian =
                    stiffness * normal[j] * normal[k] + bend * ((j == k) - normal[j] * normal[k]);
                worst[1] = fmax(worst[1], fabs((gradients[1][j] - gradients[0][j]) / (2 * step) - hessian));
            }
        }
        // Projected, the part with negative eigenvalues is left out.
        ck_assert_double_eq(penalty_bend(&shape, x, slope, true), 0);
        ck_assert_double_le(penalty_bend(&shape, x, slope, false), 0);
    }
    printf("gradients to %.1e N, Hessians to %.1e N/m\n", worst[0], worst[1]);
    ck_assert_double_le(worst[0], 1e-7);
    ck_assert_double_le(worst[1], 1e-6);
}
END_TEST

// Steps of a millionth of a millionth change the gap by what they are, to rounding.
START_TEST(changes_without_cancellation)
{
    uint64_t state = 11;
    for (int i = 0; i < 2000; ++i) {
        const PenaltyShape shape = random_shape(&state, i % 2);
        const double size = pow(10, between(&state, -14, -1));
        double x[3], d[3], normal[3];
        long double r[3], next[3], dots[2] = {0, 0};
        random_place(&state, &shape, x);
        for (int k = 0; k < 3; ++k) {
            d[k] = size * between(&state, -1, 1);
            r[k] = (long double)x[k] - shape.point[k];
            next[k] = r[k] + d[k];
            dots[0] += shape.radius > 0 ? r[k] * r[k] : (long double)shape.normal[k] * d[k];
            dots[1] += next[k] * next[k];
        }
        long double exact = dots[0];
        if (shape.radius > 0) // |r + d| - |r| in long double loses digits too: as a quotient
            exact = (2 * (r[0] * d[0] + r[1] * d[1] + r[2] * d[2]) + (long double)d[0] * d[0] +
                     (long double)d[1] * d[1] + (long double)d[2] * d[2]) /
                    (sqrtl(dots[0]) + sqrtl(dots[1]));
        const double found = penalty_gap_rise(&shape, x, d);
        ck_assert_double_le(fabs(found - (double)exact), 1e-14 * norm3(d));
        double there[3];
        add_scaled3(x, 1, d, there);
        const double before = penalty_gap(&shape, x, normal), after = penalty_gap(&shape, there, normal);
        ck_assert_double_le(fabs(found - (after - before)), 1e-14);
    }
}
END_TEST

// k min(y, 0) + weight (y - s) = 0; the weight is no more than either stiffness.
START_TEST(the_split_is_optimal)
{
    uint64_t state = 13;
    for (int i = 0; i < 2000; ++i) {
        const double k = pow(10, between(&state, -2, 8)), inertia = k * pow(10, between(&state, -6, 3)),
                     s = between(&state, -1, 1), weight = plane_penalty_weight(k, inertia),
                     y = plane_penalty_prox(k, weight, s);
        ck_assert_double_le(fabs(plane_penalty_slope(k, y) + weight * (y - s)), 1e-15 * k);
        ck_assert_double_le(fabs(weight / fmin(k, sqrt(k * inertia)) - 1), 1e-15);
    }
}
END_TEST

// ---------------------------------------------------------------- a block on a floor

static const char floor_at_0[] =
    "{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}";

enum { BLOCK_CELLS = 3 };
// Low, so that friction hardly tilts it.
static const double SIDE = 0.2, HEIGHT = 0.04, DENSITY = 1000, STIFFNESS = 1000;

static double block_mass(void)
{
    return DENSITY * SIDE * SIDE * HEIGHT;
}

typedef struct BlockCase {
    const char *integrator, *solver;
    double step;        ///< s
    double down, along; ///< gravity against the floor and along x, m/s^2
    double speed;       ///< at the start, along x, m/s
    double friction;
    const char *obstacle;
    const char *contact; ///< further keys, with a comma before them
} BlockCase;

// With the vertices of its lower side as deep as carries its weight.
static void start_block(Simulation *simulation, const BlockCase *block)
{
    const int carriers = (BLOCK_CELLS + 1) * (BLOCK_CELLS + 1);
    simulation_make(
        threads_context(1), simulation,
        "{\"version\": 1, \"time\": {\"step\": %.17g, \"duration\": 100}, \"gravity\": [%.17g, %.17g, 0],"
        " \"integrator\": {\"type\": \"%s\"}, \"solver\": %s,"
        " \"materials\": {\"m\": {\"model\": \"arap\", \"density\": %g, \"youngs_modulus\": 1e6, \"poissons_ratio\": 0.3}},"
        " \"bodies\": [{\"geometry\": {\"box\": {\"size\": [%g, %g, %g], \"cells\": [%d, 1, %d]}}, \"material\": \"m\","
        " \"translate\": [0, %.17g, 0], \"velocity\": [%.17g, 0, 0]}], \"obstacles\": [%s],"
        " \"contact\": {\"model\": \"penalty\", \"stiffness\": %g, \"friction\": %g%s}}",
        block->step, block->along, -block->down, block->integrator, block->solver, DENSITY, SIDE, HEIGHT,
        SIDE, BLOCK_CELLS, BLOCK_CELLS, HEIGHT / 2 - block_mass() * block->down / (carriers * STIFFNESS),
        block->speed, block->obstacle ? block->obstacle : floor_at_0, STIFFNESS, block->friction,
        block->contact ? block->contact : "");
}

static double speed_of(const Simulation *simulation)
{
    return simulation->diagnosis.linear_momentum[0] / block_mass();
}

static void steps_until(Simulation *simulation, double time)
{
    while (simulation_time(simulation) < time - 0.5 * simulation->scene.step)
        step_once(simulation);
}

static const char *admm(double tolerance, int iterations)
{
    static char text[100];
    snprintf(text, sizeof text, "{\"type\": \"admm\", \"tolerance\": %g, \"max_iterations\": %d}", tolerance,
             iterations);
    return text;
}

// Its mean deceleration between 0.1 s and 0.5 s, of mu g.
static double deceleration(const char *integrator, const char *solver)
{
    Simulation simulation;
    start_block(&simulation, &(BlockCase){integrator, solver, 0.01, GRAVITY, 0, 3, 0.3, NULL, NULL});
    steps_until(&simulation, 0.1);
    const double before = speed_of(&simulation), dissipated = simulation.integrator.state.dissipated;
    steps_until(&simulation, 0.5);
    const double part = (before - speed_of(&simulation)) / (0.4 * 0.3 * GRAVITY);
    ck_assert_double_gt(simulation.integrator.state.dissipated, dissipated);
    simulation_stop(&simulation);
    return part;
}

START_TEST(a_sliding_block)
{
    static const char *const integrators[] = {"implicit_euler", "tr_bdf2", "implicit_midpoint", "variational",
                                              "bdf2",           "sdirk2",  "trapezoidal",       "a1",
                                              "a_search",       "blending"};
    static const int limits[] = {5, 20, 50, 200};
    for (int i = 0; i < 10; ++i)
        for (int l = 0; l < (i < 4 ? 5 : 2); ++l) {
            const double part = deceleration(integrators[i], l == 0 ? newton : admm(1e-5, limits[4 - l]));
            printf("%s, %s %d: decelerates by %.5f mu g\n", integrators[i], l == 0 ? "newton" : "admm",
                   l == 0 ? 0 : limits[4 - l], part);
            ck_assert_double_le(fabs(part - 1), 0.01);
        }
}
END_TEST

// Over four decades of the contact's stiffness a step takes about as many iterations: a block lands and slides.
START_TEST(stiff_contact_takes_no_longer)
{
    int32_t counts[5] = {0};
    for (int i = 0; i < 5; ++i) {
        Simulation simulation;
        simulation_make(
            threads_context(1), &simulation,
            "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 100}, \"integrator\": {\"type\": \"implicit_euler\"}, "
            "\"solver\": %s, \"materials\": {\"m\": {\"model\": \"arap\", \"density\": 1000, \"youngs_modulus\": 1e6, "
            "\"poissons_ratio\": 0.3}},"
            " \"bodies\": [{\"geometry\": {\"box\": {\"size\": [0.2, 0.08, 0.2], \"cells\": [3, 2, 3]}}, "
            "\"material\": \"m\", \"translate\": [0, 0.045, 0], \"velocity\": [2, 0, 0]}],"
            " \"obstacles\": [%s], \"contact\": {\"model\": \"penalty\", \"stiffness\": %g, \"friction\": 0.3}}",
            admm(1e-5, 1000), floor_at_0, pow(10, 3 + i));
        for (int step = 0; step < 20; ++step)
            counts[i] += step_once(&simulation).solver.iterations;
        printf("stiffness 1e%d: %.1f iterations a step\n", 3 + i, counts[i] / 20.0);
        ck_assert_int_le(counts[i], 2 * counts[0]);
        simulation_stop(&simulation);
    }
}
END_TEST

// What no rho brings to its end, here a tolerance beyond rounding, leaves rho as it was.
START_TEST(a_rescue_in_vain_is_taken_back)
{
    Simulation simulation;
    double *carried;
    start_block(&simulation,
                &(BlockCase){"implicit_euler", admm(1e-18, 300), 0.01, GRAVITY, 0, 1, 0.3, NULL, NULL});
    ASSERT_OK(simulation.context,
              ARENA_ARRAY(&simulation.arena, carried, device_solver_state_size(simulation.device)));
    for (int step = 0; step < 3; ++step) {
        ck_assert_int_eq(step_once(&simulation).solver.iterations, 300);
        ASSERT_OK(simulation.context, device_solver_state_read(simulation.device, carried));
        ck_assert_double_eq(carried[1], 1); // the factor on rho
    }
    simulation_stop(&simulation);
}
END_TEST

// tan(theta) = 0.5
static const double DOWN = 2 * 4.3871653716526, ALONG = 4.3871653716526;

// The block at rest, held by friction: what swings on the penalty's springs would take long to end without implicit Euler.
static void start_at_rest(Simulation *simulation, const BlockCase *block)
{
    BlockCase held = *block;
    Simulation before;
    double *carried;
    held.integrator = "implicit_euler";
    start_block(&before, &held);
    steps_until(&before, 4);
    start_block(simulation, block);
    static const Slot slots[] = {SLOT_POSITION, SLOT_VELOCITY};
    for (int i = 0; i < 2; ++i)
        ASSERT_OK(simulation->context,
                  device_state_write(simulation->device, slots[i], slot_values(&before, slots[i])));
    ASSERT_OK(before.context,
              ARENA_ARRAY(&before.arena, carried, device_solver_state_size(before.device) + 1));
    ASSERT_OK(before.context, device_solver_state_read(before.device, carried));
    ASSERT_OK(simulation->context, device_solver_state_write(simulation->device, carried));
    simulation->diagnosis = before.diagnosis;
    simulation_stop(&before);
}

START_TEST(a_block_on_a_slope_stays)
{
    static const char *const integrators[] = {"implicit_euler", "tr_bdf2",           "bdf2",
                                              "sdirk2",         "implicit_midpoint", "variational"};
    for (int i = 0; i < 6; ++i)
        for (int is_newton = 0; is_newton < 2; ++is_newton) {
            // The first four damp swings on the penalty's springs (100/s) if the step is large.
            const bool damps = i < 4;
            Simulation simulation;
            start_at_rest(&simulation, &(BlockCase){integrators[i], is_newton ? newton : admm(1e-8, 500),
                                                    damps ? 0.04 : 0.01, DOWN, ALONG, 0, 0.6, NULL, NULL});
            steps_until(&simulation, damps ? 16 : 0);
            const double *start = slot_values(&simulation, SLOT_POSITION);
            steps_until(&simulation, damps ? 17 : 1);
            const double moved = largest_difference(start, slot_values(&simulation, SLOT_POSITION),
                                                    3 * (size_t)simulation.model.node_count);
            printf("%s, %s: moves %.2e m within a second\n", integrators[i], is_newton ? "newton" : "admm",
                   moved);
            ck_assert_double_le(moved, is_newton ? 1e-3 : 1e-9);
            // The floor carries it, along the slope too.
            Reactions reactions;
            ASSERT_OK(simulation.context, reactions_create(&simulation.model, &simulation.arena, &reactions));
            ASSERT_OK(simulation.context, reactions_find(&simulation, true, &reactions));
            const double *force = reactions.values[0].force, weight = block_mass() * GRAVITY;
            ck_assert_double_le(fabs(force[0] + block_mass() * ALONG), 1e-4 * weight);
            ck_assert_double_le(fabs(force[1] - block_mass() * DOWN), 1e-4 * weight);
            simulation_stop(&simulation);
        }
}
END_TEST

START_TEST(a_block_on_a_slope_slides)
{
    static const char *const integrators[] = {"implicit_euler", "tr_bdf2", "implicit_midpoint",
                                              "variational"};
    for (int i = 0; i < 4; ++i)
        for (int is_newton = 0; is_newton < 2; ++is_newton) {
            Simulation simulation;
            start_block(&simulation, &(BlockCase){integrators[i], is_newton ? newton : admm(1e-6, 500), 0.01,
                                                  DOWN, ALONG, 0, 0.3, NULL, NULL});
            steps_until(&simulation, 0.1);
            const double before = speed_of(&simulation), exact = ALONG - 0.3 * DOWN;
            steps_until(&simulation, 0.5);
            const double found = (speed_of(&simulation) - before) / 0.4;
            printf("%s, %s: accelerates by %.5f m/s^2, exact %.5f\n", integrators[i],
                   is_newton ? "newton" : "admm", found, exact);
            ck_assert_double_le(fabs(found - exact), 0.01 * exact);
            simulation_stop(&simulation);
        }
}
END_TEST

// ---------------------------------------------------------------- what moves drags along

static const char *const moving[] = {
    // a floor that is drawn away, one that turns about the z axis far below, and a sphere as large that turns
    "{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}, \"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [2, 0, 0]}]}",
    "{\"sphere\": {\"center\": [0, -100, 0], \"radius\": 100}, \"motion\": {\"spin\": {\"axis\": [0, 0, 1], \"about\": [0, "
    "-100, 0], \"speed\": -0.02}}}"};

// The floor runs along at 2 m/s: the block gains mu g a second, the floor is held back by as much, and friction takes the product of
// force and relative speed.
START_TEST(moving_obstacles_drag)
{
    static const char *const integrators[] = {"implicit_euler", "implicit_midpoint", "tr_bdf2"};
    for (int o = 0; o < 2; ++o)
        for (int i = 0; i < 3; ++i)
            for (int is_newton = 0; is_newton < 2; ++is_newton) {
                Simulation simulation;
                Reactions reactions;
                start_block(&simulation, &(BlockCase){integrators[i], is_newton ? newton : admm(1e-7, 500),
                                                      0.005, GRAVITY, 0, 0, 0.2, moving[o], NULL});
                ASSERT_OK(simulation.context,
                          reactions_create(&simulation.model, &simulation.arena, &reactions));
                double impulse = 0, work = 0;
                while (simulation_time(&simulation) < 0.4975) {
                    const double dissipated = simulation.integrator.state.dissipated;
                    step_once(&simulation);
                    ck_assert_double_ge(simulation.integrator.state.dissipated, dissipated);
                    ASSERT_OK(simulation.context, reactions_find(&simulation, true, &reactions));
                    impulse += 0.005 * reactions.values[0].force[0];
                    work += 0.005 * reactions.power;
                }
                const double gained = speed_of(&simulation), exact = 0.2 * GRAVITY * 0.5,
                             taken = block_mass() * (2 * exact - 0.5 * exact * exact);
                printf(
                    "obstacle %d, %s, %s: %.5f m/s gained, exact %.5f; dissipated %.5f J, exact %.5f; work "
                    "%.5f J\n",
                    o, integrators[i], is_newton ? "newton" : "admm", gained, exact,
                    simulation.integrator.state.dissipated, taken, work);
                ck_assert_double_le(fabs(gained - exact), 0.01 * exact);
                ck_assert_double_le(fabs(simulation.integrator.state.dissipated - taken), 0.02 * taken);
                ck_assert_double_le(fabs(impulse - block_mass() * gained), 0.02 * block_mass() * exact);
                ck_assert_double_le(fabs(work - 2 * block_mass() * exact), 0.02 * 2 * block_mass() * exact);
                simulation_stop(&simulation);
            }
}
END_TEST

// Until it goes along; then nothing rubs any more.
START_TEST(what_is_dragged_goes_along)
{
    for (int is_newton = 0; is_newton < 2; ++is_newton) {
        Simulation simulation;
        start_block(&simulation, &(BlockCase){"implicit_euler", is_newton ? newton : admm(1e-7, 500), 0.005,
                                              GRAVITY, 0, 0, 1, moving[0], NULL});
        steps_until(&simulation, 0.6);
        const double dissipated = simulation.integrator.state.dissipated;
        ck_assert_double_le(fabs(speed_of(&simulation) - 2), is_newton ? 2e-3 : 1e-6);
        steps_until(&simulation, 0.9);
        printf("%s: %.9f m/s, %.2e J more\n", is_newton ? "newton" : "admm", speed_of(&simulation),
               simulation.integrator.state.dissipated - dissipated);
        ck_assert_double_ge(simulation.integrator.state.dissipated, dissipated);
        ck_assert_double_le(simulation.integrator.state.dissipated - dissipated, is_newton ? 1e-5 : 1e-7);
        simulation_stop(&simulation);
    }
}
END_TEST

// A plane that turns about its normal through a point 0.3 m away takes the block round: once it goes along it is as fast as the plane there,
// and turns as fast.
START_TEST(a_turntable)
{
    for (int is_newton = 0; is_newton < 2; ++is_newton) {
        Simulation simulation;
        start_block(
            &simulation,
            &(BlockCase){"implicit_euler", is_newton ? newton : admm(1e-7, 500), 0.005, GRAVITY, 0, 0, 0.8,
                         "{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}, \"motion\": {\"spin\": "
                         "{\"axis\": [0, 1, 0], \"about\": [0, 0, 0.3], \"speed\": 1.5}}}",
                         NULL});
        steps_until(&simulation, 1.5);
        const double *x = slot_values(&simulation, SLOT_POSITION),
                     *v = slot_values(&simulation, SLOT_VELOCITY);
        double worst = 0;
        for (int32_t i = 0; i < simulation.model.node_count; ++i) {
            // v = w x r half a step before: implicit Euler's speed is a chord's.
            const double r[3] = {x[3 * i] - 0.0025 * v[3 * i], 0, x[3 * i + 2] - 0.3 - 0.0025 * v[3 * i + 2]};
            worst = fmax(worst, fmax(fabs(v[3 * i] - 1.5 * r[2]), fabs(v[3 * i + 2] + 1.5 * r[0])));
        }
        printf("%s: on a turntable, %.2e m/s beside it, %.3f m from where it was\n",
               is_newton ? "newton" : "admm", worst, simulation.diagnosis.center[0]);
        ck_assert_double_le(worst, is_newton ? 1e-3 : 1e-5);
        ck_assert_double_gt(fabs(simulation.diagnosis.center[0]), 0.15);
        simulation_stop(&simulation);
    }
}
END_TEST

// A floor that carries a block up at 1 m/s: the force that is lagged is that at rest relative to the floor, not deeper by a step's way.
START_TEST(a_lift)
{
    Simulation simulation;
    start_block(&simulation,
                &(BlockCase){
                    "implicit_euler", newton, 0.01, GRAVITY, 0, 0, 0.3,
                    "{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}, \"motion\": [{\"time\": -10, "
                    "\"translate\": [0, -10, 0]}, {\"time\": 10, \"translate\": [0, 10, 0]}]}",
                    NULL});
    const size_t n = 3 * (size_t)simulation.model.node_count;
    double *v = slot_values(&simulation, SLOT_VELOCITY);
    for (size_t k = 0; k < n; ++k)
        v[k] = k % 3 == 0 ? 3 : k % 3 == 1;
    ASSERT_OK(simulation.context, device_state_write(simulation.device, SLOT_VELOCITY, v));
    steps_until(&simulation, 0.1);
    const double before = speed_of(&simulation);
    steps_until(&simulation, 0.5);
    const double part = (before - speed_of(&simulation)) / (0.4 * 0.3 * GRAVITY);
    printf("on a lift: decelerates by %.5f mu g\n", part);
    ck_assert_double_le(fabs(part - 1), 0.01);
    simulation_stop(&simulation);
}
END_TEST

// ---------------------------------------------------------------- spheres

static void start_on_sphere(Simulation *simulation, const char *integrator, const char *solver,
                            double friction)
{
    simulation_make(
        threads_context(1), simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 100}, \"integrator\": {\"type\": \"%s\"}, \"solver\": %s,"
        " \"materials\": {\"m\": {\"model\": \"arap\", \"density\": 1000, \"youngs_modulus\": 2e5, \"poissons_ratio\": 0.3}},"
        " \"bodies\": [{\"geometry\": {\"box\": {\"size\": [0.2, 0.05, 0.2], \"cells\": [5, 1, 5]}}, \"material\": \"m\", "
        "\"translate\": [0.02, 0.03, 0.005]}],"
        " \"obstacles\": [{\"sphere\": {\"center\": [0, -0.3, 0], \"radius\": 0.3}}],"
        " \"contact\": {\"model\": \"penalty\", \"stiffness\": 1000, \"friction\": %g}}",
        integrator, solver, friction);
}

START_TEST(both_solvers_agree_on_a_sphere)
{
    static const char *const integrators[] = {"implicit_euler", "tr_bdf2", "implicit_midpoint",
                                              "variational"};
    for (int i = 0; i < 4; ++i) {
        Simulation simulations[2];
        double deepest = 0;
        for (int s = 0; s < 2; ++s) {
            start_on_sphere(&simulations[s], integrators[i],
                            s == 0 ? "{\"type\": \"newton\", \"tolerance\": 1e-10}" : admm(1e-12, 2000), 0);
            while (simulations[s].step < 30) {
                step_once(&simulations[s]);
                deepest = fmin(deepest, simulations[s].diagnosis.min_distance);
            }
        }
        ck_assert_double_lt(deepest, -1e-3);
        const double difference = largest_difference(slot_values(&simulations[0], SLOT_POSITION),
                                                     slot_values(&simulations[1], SLOT_POSITION),
                                                     3 * (size_t)simulations[0].model.node_count);
        printf("%s: %.1e m apart after 30 steps\n", integrators[i], difference);
        ck_assert_double_le(difference, 1e-7);
        for (int s = 0; s < 2; ++s)
            simulation_stop(&simulations[s]);
    }
}
END_TEST

// Without friction it slides off the top within half a second; friction keeps it there, and at rest.
START_TEST(friction_on_a_sphere)
{
    for (int is_newton = 0; is_newton < 2; ++is_newton)
        for (int rubs = 0; rubs < 2; ++rubs) {
            Simulation simulation;
            start_on_sphere(&simulation, "implicit_euler", is_newton ? newton : admm(1e-6, 500),
                            rubs ? 0.5 : 0);
            steps_until(&simulation, 2);
            const double there = simulation.diagnosis.center[0];
            ck_assert(rubs ? fabs(there) < 0.04 : fabs(there) > 0.2);
            steps_until(&simulation, 3);
            const double moved = simulation.diagnosis.center[0] - there;
            printf("%s, friction %g: at %.4f m, %.2e m within a second\n", is_newton ? "newton" : "admm",
                   rubs ? 0.5 : 0, there, moved);
            ck_assert(!rubs || fabs(moved) < (is_newton ? 1e-3 : 1e-6));
            simulation_stop(&simulation);
        }
}
END_TEST

// ---------------------------------------------------------------- a block that leans on a wall

// Its underside's ends on the floor y = 0 and the wall x = 0, at `degrees` from the floor.
static void start_leaning(Simulation *simulation, double degrees, double friction, const char *solver)
{
    const double length = 1, thick = 0.05, angle = degrees * (PI / 180);
    const double x = -0.5 * length * cos(angle) - 0.5 * thick * sin(angle),
                 y = 0.5 * length * sin(angle) + 0.5 * thick * cos(angle);
    simulation_make(
        threads_context(1), simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 100}, \"integrator\": {\"type\": \"implicit_euler\"}, "
        "\"solver\": %s,"
        " \"materials\": {\"m\": {\"model\": \"arap\", \"density\": 500, \"youngs_modulus\": 1e7, \"poissons_ratio\": 0.3}},"
        " \"bodies\": [{\"geometry\": {\"box\": {\"size\": [%g, %g, 0.2], \"cells\": [20, 1, 1]}}, \"material\": \"m\", "
        "\"rotate\": {\"axis\": [0, 0, 1], \"degrees\": %g}, \"translate\": [%.17g, %.17g, 0]}],"
        " \"obstacles\": [{\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}, {\"plane\": {\"point\": [0, 0, 0], "
        "\"normal\": [-1, 0, 0]}}],"
        " \"contact\": {\"model\": \"penalty\", \"stiffness\": 2e4, \"friction\": %g}}",
        solver, length, thick, degrees, x, y, friction);
}

// A thin one slips where tan(angle) < (1 - mu^2)/(2 mu).
START_TEST(a_leaning_block)
{
    static const double angles[] = {70, 50, 30}, frictions[] = {0.2, 0.4, 0.6};
    for (int a = 0; a < 3; ++a)
        for (int f = 0; f < 3; ++f) {
            const double mu = frictions[f];
            const bool stays = tan(angles[a] * (PI / 180)) > (1 - mu * mu) / (2 * mu);
            Simulation simulation;
            start_leaning(&simulation, angles[a], mu, admm(1e-5, 1000));
            const double height = simulation.diagnosis.center[1];
            steps_until(&simulation, stays ? 12 : 1.5);
            const double *start = slot_values(&simulation, SLOT_POSITION);
            const double sunk = height - simulation.diagnosis.center[1];
            if (stays)
                steps_until(&simulation, 13);
            const double moved = largest_difference(start, slot_values(&simulation, SLOT_POSITION),
                                                    3 * (size_t)simulation.model.node_count);
            printf("%g degrees, friction %g: sinks by %.4f m, then %.2e m within a second\n", angles[a], mu,
                   sunk, moved);
            ck_assert(stays == (a == 0 || f == 2 || (a == 1 && f == 1)));
            ck_assert(stays ? sunk < 0.06 && moved < 1e-9 : sunk > 0.15);
            simulation_stop(&simulation);
        }
}
END_TEST

// ---------------------------------------------------------------- a ball that spins

// It slips all the time: along the floor it gains mu times what the floor has pushed up, and loses spin by that times the height of its centre above its contact.
START_TEST(a_spinning_ball)
{
    const double friction = 0.05, radius = 0.1, spin = 30;
    for (int is_newton = 0; is_newton < 2; ++is_newton) {
        Simulation simulation;
        simulation_make(
            threads_context(1), &simulation,
            "{\"version\": 1, \"time\": {\"step\": 0.0005, \"duration\": 100}, \"integrator\": {\"type\": "
            "\"implicit_midpoint\"}, \"solver\": %s,"
            " \"materials\": {\"m\": {\"model\": \"arap\", \"density\": 500, \"youngs_modulus\": 1e6, \"poissons_ratio\": 0.3}},"
            " \"bodies\": [{\"geometry\": {\"ball\": {\"radius\": %g, \"resolution\": 5}}, \"material\": \"m\", "
            "\"translate\": [0, 0.12, 0], \"velocity\": [0, -0.5, 0], \"angular_velocity\": [0, 0, -%g]}],"
            " \"obstacles\": [%s], \"contact\": {\"model\": \"penalty\", \"stiffness\": 4000, \"friction\": %g}}",
            is_newton ? newton : admm(1e-6, 500), radius, spin, floor_at_0, friction);
        const Model *model = &simulation.model;
        double mass = 0, about = 0; // kg, kg m^2 about the axis
        for (int32_t i = 0; i < model->node_count; ++i) {
            const double *x = model->initial_positions + 3 * (size_t)i;
            mass += model->masses[i];
            about += model->masses[i] * (x[0] * x[0] + (x[1] - 0.12) * (x[1] - 0.12));
        }
        double impulse = 0,
               moment = 0; // of the floor's push, N s; times the height of the centre above it, N m s
        while (simulation.diagnosis.linear_momentum[1] <= 0 || simulation.diagnosis.contact > 0) {
            const double before = simulation.diagnosis.linear_momentum[1];
            step_once(&simulation);
            const double part =
                simulation.diagnosis.linear_momentum[1] - before + mass * GRAVITY * simulation.scene.step;
            impulse += part;
            // sum k d^2 / sum k d is how deep the floor's push is at work, d the depths.
            moment += part * simulation.diagnosis.center[1] +
                      2 * simulation.diagnosis.contact * simulation.scene.step;
        }
        const Diagnosis *end = &simulation.diagnosis;
        const double push = end->linear_momentum[1] + mass * (0.5 + GRAVITY * simulation_time(&simulation)),
                     gained = end->linear_momentum[0], arm = moment / impulse;
        const double own = end->angular_momentum[2] - (end->center[0] * end->linear_momentum[1] -
                                                       end->center[1] * end->linear_momentum[0]) /
                                                          1,
                     lost = own + about * spin;
        printf(
            "%s: %.5f kg m/s up, %.5f along: %.4f of mu times that; spin lost %.6f of %.6f kg m^2/s, %.3f of "
            "height times that; dissipated %.5f J\n",
            is_newton ? "newton" : "admm", push, gained, gained / (friction * push), lost, about * spin,
            lost / (arm * gained), simulation.integrator.state.dissipated);
        ck_assert_double_le(fabs(gained - friction * push), 0.03 * friction * push);
        ck_assert_double_le(fabs(lost - arm * gained), 0.02 * arm * gained);
        ck_assert(arm > 0.9 * radius && arm < radius); // the ball is flattened
        ck_assert_double_gt(simulation.integrator.state.dissipated, 0);
        simulation_stop(&simulation);
    }
}
END_TEST

// ---------------------------------------------------------------- what is carried

// Positions, velocities and multipliers are all that steps hand on.
START_TEST(a_state_goes_on_elsewhere)
{
    static const char *const integrators[] = {"implicit_euler", "tr_bdf2", "variational"};
    for (int i = 0; i < 3; ++i)
        for (int o = 0; o < 2; ++o) {
            Simulation simulations[2];
            double *values;
            for (int s = 0; s < 2; ++s)
                start_block(&simulations[s], &(BlockCase){integrators[i], admm(1e-5, 50), 0.01, GRAVITY, 1, 1,
                                                          0.3, o == 0 ? floor_at_0 : moving[1], NULL});
            steps_until(&simulations[0], 0.2);
            ASSERT_OK(simulations[0].context,
                      ARENA_ARRAY(&simulations[0].arena, values, simulation_state_size(&simulations[0])));
            ASSERT_OK(simulations[0].context, simulation_state_read(&simulations[0], values));
            ASSERT_OK(simulations[1].context,
                      simulation_state_write(&simulations[1], values, simulations[0].step));
            for (int s = 0; s < 2; ++s)
                steps_until(&simulations[s], 0.4);
            ck_assert_mem_eq(slot_values(&simulations[0], SLOT_POSITION),
                             slot_values(&simulations[1], SLOT_POSITION),
                             3 * (size_t)simulations[0].model.node_count * sizeof(double));
            ck_assert_double_eq(simulations[0].integrator.state.dissipated,
                                simulations[1].integrator.state.dissipated);
            for (int s = 0; s < 2; ++s)
                simulation_stop(&simulations[s]);
        }
}
END_TEST

// Bodies of their own friction, and of none, on one floor: what a pair has holds.
START_TEST(friction_of_pairs)
{
    for (int is_newton = 0; is_newton < 2; ++is_newton) {
        Simulation simulation;
        simulation_make(
            threads_context(1), &simulation,
            "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 100}, \"integrator\": {\"type\": \"implicit_euler\"}, "
            "\"solver\": %s, \"materials\": {\"m\": {\"model\": \"arap\", \"density\": 1000, \"youngs_modulus\": 1e6, "
            "\"poissons_ratio\": 0.3}},"
            " \"bodies\": [{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.2, 0.04, 0.2], \"cells\": [3, 1, 3]}}, "
            "\"material\": \"m\", \"translate\": [0, 0.019, 0], \"velocity\": [2, 0, 0]},"
            " {\"name\": \"b\", \"geometry\": {\"box\": {\"size\": [0.2, 0.04, 0.2], \"cells\": [3, 1, 3]}}, "
            "\"material\": \"m\", \"translate\": [0, 0.019, 1], \"velocity\": [2, 0, 0]}],"
            " \"obstacles\": [%s], \"contact\": {\"model\": \"penalty\", \"stiffness\": 1000, \"friction\": 0.3, "
            "\"pairs\": [{\"between\": [\"a\", \"floor\"], \"friction\": 0}]}}",
            is_newton ? newton : admm(1e-7, 200), floor_at_0);
        steps_until(&simulation, 0.3);
        const double *v = slot_values(&simulation, SLOT_VELOCITY);
        double mean[2] = {0};
        const int32_t half = simulation.model.node_count / 2;
        for (int32_t i = 0; i < 2 * half; ++i)
            mean[i / half] += v[3 * i] / half;
        printf("%s: %.6f and %.6f m/s\n", is_newton ? "newton" : "admm", mean[0], mean[1]);
        ck_assert_double_le(fabs(mean[0] - 2), 1e-5);
        ck_assert_double_le(fabs(mean[1] - 2 + 0.3 * GRAVITY * 0.3), 0.02 * 0.3 * GRAVITY * 0.3);
        simulation_stop(&simulation);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("penalty friction");
    const struct {
        const char *name;
        const TTest *test;
    } cases[] = {{"formulas", gradients_and_hessians},
                 {"changes", changes_without_cancellation},
                 {"split", the_split_is_optimal},
                 {"stiff contact", stiff_contact_takes_no_longer},
                 {"rescue", a_rescue_in_vain_is_taken_back},
                 {"sliding", a_sliding_block},
                 {"staying", a_block_on_a_slope_stays},
                 {"slope", a_block_on_a_slope_slides},
                 {"dragging", moving_obstacles_drag},
                 {"dragged", what_is_dragged_goes_along},
                 {"turntable", a_turntable},
                 {"lift", a_lift},
                 {"sphere", both_solvers_agree_on_a_sphere},
                 {"sphere with friction", friction_on_a_sphere},
                 {"leaning", a_leaning_block},
                 {"spinning", a_spinning_ball},
                 {"state", a_state_goes_on_elsewhere},
                 {"pairs", friction_of_pairs}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        TCase *tests = tcase_create(cases[i].name);
        tcase_add_test(tests, cases[i].test);
        suite_add_tcase(suite, tests);
    }
    return test_run(suite);
}
