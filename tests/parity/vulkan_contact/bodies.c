// Cables and affine bodies on the Vulkan device against the CPU path, alone, together and beside a solid, without contact: every
// step starts from the CPU's state. Bounds are those of solids (test_vulkan_lockstep.c).
#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"

#include "device/cpu/newton/turn.h"

static VelaContext *context;

#define SCENE(step, integrator, bodies)                                                                       \
    "{\"version\": 1, \"time\": {\"step\": " step                                                             \
    ", \"duration\": 1}, \"integrator\": {\"type\": \"" integrator "\"}, \"materials\": {"                    \
    "\"rubber\": {\"model\": \"arap\", \"density\": 1100, \"youngs_modulus\": 2e6, \"poissons_ratio\": 0.4}," \
    "\"soft\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5,"                      \
    "\"poissons_ratio\": 0.3}}, \"bodies\": [" bodies "]}"

/// Springs alone, under tension between its ends.
#define STRING                                                                                               \
    "{\"name\": \"string\", \"type\": \"cable\", \"material\": \"rubber\", \"radius\": 0.004,"               \
    "\"rest_scale\": 0.95, \"velocity_gradient\": [[0, 0, 0], [0, 0, 1], [0, -1, 0]],"                       \
    "\"geometry\": {\"cable\": {\"from\": [-0.5, 0.1, 0.2], \"to\": [0.5, 0.1, 0.2], \"segments\": 24}},"    \
    "\"pins\": [{\"select\": {\"nodes\": [0, 24]}}]}"
/// With bending, round a corner, one end led, a weight on the other.
#define ROD                                                                                                  \
    "{\"name\": \"rod\", \"type\": \"cable\", \"material\": \"rubber\", \"radius\": 0.01,"                   \
    "\"bending_modulus\": 2e6, \"geometry\": {\"cable\": {\"points\": [[0, 0, 0], [0.05, 0, 0],"             \
    "[0.1, 0, 0.01], [0.15, 0.01, 0.02], [0.2, 0.03, 0.02], [0.23, 0.07, 0.02], [0.24, 0.12, 0.02],"         \
    "[0.24, 0.17, 0.02]]}}, \"point_masses\": [{\"select\": {\"nodes\": [6, 7]}, \"mass\": 0.2}],"           \
    "\"pins\": [{\"select\": {\"nodes\": [0, 1]}, \"motion\": [{\"time\": 0}, {\"time\": 1,"                 \
    "\"translate\": [0.5, 0.2, 0], \"rotate\": {\"axis\": [0, 1, 0], \"degrees\": 90}}]}]}"
#define BOX(name, stiffness, more)                                                                           \
    "{\"name\": \"" name "\", \"type\": \"affine\", \"material\": \"soft\", \"stiffness\": " stiffness ","   \
    "\"geometry\": {\"box\": {\"size\": [0.3, 0.2, 0.1], \"cells\": [1, 1, 1]}}, " more "}"
/// Led on its way, turning; copies.
#define LED                                                                                                  \
    "{\"name\": \"led\", \"type\": \"affine\", \"material\": \"soft\", \"translate\": [0, 0.5, 0],"          \
    "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}},"                            \
    "\"array\": {\"count\": [2, 1, 1], \"spacing\": [0.3, 0, 0]}, \"pins\": [{\"select\": \"all\","          \
    "\"motion\": [{\"time\": 0}, {\"time\": 1, \"translate\": [0, 1, 0], \"rotate\":"                        \
    "{\"axis\": [1, 2, 0], \"degrees\": 180, \"about\": [0, 0.5, 0]}}]}]}"
#define SOLID                                                                                                      \
    "{\"name\": \"solid\", \"type\": \"solid\", \"material\": \"soft\", \"translate\": [0, -0.5, 0],"              \
    "\"angular_velocity\": [2, 0, 5], \"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [4, 2, 2]}}," \
    "\"point_masses\": [{\"select\": {\"nodes\": [0, 5]}, \"mass\": 0.1}]}"

#define SPIN "\"angular_velocity\": [1, 0.2, 12]"
#define NEWTON                                                                                               \
    {                                                                                                        \
        "{\"type\": \"newton\", \"tolerance\": 1e-5, \"linear\": {\"tolerance\": 1e-6}}",                    \
            "{\"type\": \"newton\", \"tolerance\": 1e-9, \"linear\": {\"tolerance\": 1e-11}}"                \
    }
#define ADMM                                                                                                 \
    {                                                                                                        \
        "{\"type\": \"admm\", \"tolerance\": 1e-7}", "{\"type\": \"admm\", \"tolerance\": 1e-12}"            \
    }

static const struct {
    LockstepCase example;
    const char *solvers[2]; ///< single, double precision
} cases[] = {
    {{"a string", SCENE("0.01", "implicit_euler", STRING), 3}, NEWTON},
    {{"a rod", SCENE("0.01", "tr_bdf2", ROD), 3}, NEWTON},
    {{"a string and a rod by ADMM", SCENE("0.005", "variational", STRING "," ROD), 2}, ADMM},
    {{"a spinning box", SCENE("0.005", "variational", BOX("box", "1e8", SPIN)), 3}, NEWTON},
    {{"boxes, one of them led", SCENE("0.01", "bdf2", BOX("box", "1e8", SPIN) "," LED), 3}, NEWTON},
    {{"a box and a string", SCENE("0.01", "a_search", BOX("box", "1e6", SPIN) "," STRING), 3}, NEWTON},
    {{"all of them beside a solid",
      SCENE("0.01", "bdf2", SOLID "," STRING "," BOX("box", "1e8", SPIN) "," ROD "," LED), 3},
     NEWTON},
    {{"the same, explicit",
      SCENE("0.0001", "rk4", SOLID "," STRING "," BOX("box", "1e6", SPIN) "," ROD "," LED), 4},
     NEWTON},
};
enum { CASES = sizeof cases / sizeof *cases };

START_TEST(same_steps)
{
    const bool f64 = _i >= CASES;
    const int c = _i % CASES;
    lockstep(context, &cases[c].example, cases[c].solvers[f64], f64 ? "f64" : "f32", f64 ? 1e-9 : 1e-5);
}
END_TEST

static double largest_difference(const double *a, const double *b, size_t count)
{
    double most = 0;
    for (size_t i = 0; i < count; ++i)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

// What the stage, the initial positions, moves by along the way that is asked for; after the same direction each time.
static void move_along(Simulation *gpu, double part, bool turned, double *x, double *moved, double *turn)
{
    const Stage stage = {.a = 0.01, .time = 0.005};
    const NewtonSettings settings = {
        .linear_tolerance = 1e-6, .linear_max_iterations = 1000, .project = true};
    const size_t size = 3 * (size_t)gpu->model.node_count;
    NewtonDirection direction;
    for (size_t i = 0; i < size; ++i)
        moved[i] = gpu->model.initial_positions[i] + 0.01 * gpu->model.initial_velocities[i];
    ASSERT_OK(context, device_state_write(gpu->device, SLOT_STAGE, gpu->model.initial_positions));
    ASSERT_OK(context, device_state_write(gpu->device, SLOT_TARGET, moved));
    ASSERT_OK(context, device_stage_set(gpu->device, &stage));
    ASSERT_OK(context, device_state_read(gpu->device, SLOT_STAGE, x));
    ASSERT_OK(context, device_newton_direction(gpu->device, &settings, &direction));
    ASSERT_OK(context, device_newton_way(gpu->device, part, turned));
    // Not the whole step, after which pinned nodes are in their places.
    ASSERT_OK(context, device_newton_accept(gpu->device, 0.5));
    ASSERT_OK(context, device_state_read(gpu->device, SLOT_STAGE, moved));
    for (size_t i = 0; i < size; ++i)
        moved[i] = 2 * (moved[i] - x[i]);
    *turn = direction.turn;
}

START_TEST(same_way_where_bodies_turn)
{
    const bool f64 = _i == 1;
    const LockstepCase *example = &cases[6].example;
    Simulation gpu;
    double turn, *vectors[4];
    lockstep_start(context, example, cases[6].solvers[f64], &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"},
                   &gpu);
    const size_t size = 3 * (size_t)gpu.model.node_count;
    for (int k = 0; k < 4; ++k)
        ASSERT_OK(context, ARENA_ARRAY(&gpu.arena, vectors[k], size));
    double *x = vectors[0], *way = vectors[1], *straight = vectors[2], *turned = vectors[3];
    move_along(&gpu, 0.6, true, x, turned, &turn);
    move_along(&gpu, 0.6, false, x, straight, &turn);
    move_along(&gpu, 1, false, x, way, &turn);
    const double allowed = f64 ? 1e-14 : 1e-6, angle = affine_turn_angle(&gpu.model, x, way);
    double far = 0;
    for (size_t i = 0; i < size; ++i) {
        far = fmax(far, fabs(way[i]));
        way[i] *= 0.6;
    }
    const double bent = largest_difference(straight, turned, size);
    double off[2] = {largest_difference(way, straight, size)};
    affine_turn(&gpu.model, x, way, 1);
    off[1] = largest_difference(way, turned, size);
    printf("turns by %.3f rad, off by %.1e; ways of %.2e m, bent by %.1e, off by %.1e and %.1e\n", angle,
           fabs(angle - turn) / angle, far, bent, off[0], off[1]);
    ck_assert_double_gt(angle, 0.05);
    ck_assert_double_le(fabs(angle - turn), (f64 ? 1e-12 : 1e-5) * angle);
    ck_assert_double_gt(bent, 1e3 * allowed * far);
    ck_assert_double_le(off[0], allowed * far);
    ck_assert_double_le(off[1], allowed * far);
    simulation_destroy(&gpu);
}
END_TEST

Suite *bodies_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("cables and affine bodies on Vulkan, step by step");
    TCase *tests = tcase_create("lockstep");
    for (int i = 0; i < (vulkan->float64 ? 2 : 1) * CASES; ++i)
        if (vulkan_test_repeats(vulkan, i))
            tcase_add_loop_test(tests, same_steps, i, i + 1);
    tcase_add_loop_test(tests, same_way_where_bodies_turn, 0, vulkan->float64 ? 2 : 1);
    suite_add_tcase(suite, tests);
    return suite;
}
