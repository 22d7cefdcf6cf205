// What images show of obstacles: which surfaces, where they are at a time, and what the camera frames of them.
#include "api/drawn_obstacles.h"
#include "render_fixture.h"
#include "scene_fixture.h"

#define NO_CONTACT(obstacles) "\"obstacles\": [" obstacles "]"
#define SPHERE(x, radius) "{\"sphere\": {\"center\": [" x ", 0, 0], \"radius\": " radius "}}"

static Reading reading;
static DrawnObstacles drawn;

static void start(void)
{
    reading_start(&reading);
}

static void stop(void)
{
    reading_end(&reading);
}

static void make(const char *obstacles)
{
    reading_settings(&reading, obstacles);
    ASSERT_OK(reading.context,
              drawn_obstacles_make(reading.context, &reading.scene, NULL, &reading.arena, &drawn));
}

static void ck_bounds(const double min[3], const double max[3], double low, double high)
{
    ck_assert_double_eq_tol(min[0], low, 1e-9);
    ck_assert_double_eq_tol(max[0], high, 1e-9);
}

START_TEST(planes_and_surfaces_are_told_apart)
{
    make(NO_CONTACT(
        SPHERE("3", "0.5") ", {\"plane\": {\"point\": [0, -1, 0], \"normal\": [0, 1, 0]}, \"look\": "
                           "{\"color\": [0.1, 0.2, 0.3]}}, {\"name\": \"steps\", \"mesh\": \"" SOURCE_DIR
                           "/tests/scenes/steps.obj\", \"look\": {\"roughness\": 0.25}, "
                           "\"motion\": [{\"time\": 0, \"translate\": [0, 7, 0]}]}"));
    ck_assert_int_eq(drawn.plane_count, 1);
    ck_assert_int_eq(drawn.plane_sources[0], 1);
    ck_assert_double_eq(drawn.planes[0].point[1], -1);
    ck_assert_double_eq(drawn.planes[0].color[2], 0.3);
    ck_assert_int_eq(drawn.surfaces.body_count, 2);
    ck_assert_int_eq(drawn.surfaces.triangle_count, OBSTACLE_SPHERE_TRIANGLES + 6);
    const FrameBody *steps = &drawn.surfaces.bodies[1];
    ck_assert_str_eq(steps->name, "steps");
    ck_assert_double_eq(steps->roughness, 0.25);
    ck_assert_int_eq(steps->triangle_count, 6);
    ck_assert_int_eq(drawn.surfaces.triangles[3 * OBSTACLE_SPHERE_TRIANGLES], steps->first_vertex);
    // Where it is at time 0, which is not where it is before any motion.
    ck_assert_double_eq(drawn.surfaces.rest_positions[3 * (size_t)steps->first_vertex + 1], 0);
    ck_assert_double_eq(drawn.positions[3 * (size_t)steps->first_vertex + 1], 7);
    RenderDef def = render_default_def();
    drawn_obstacles_show(&drawn, &def);
    ck_assert_int_eq(def.plane_count, 1);
    ck_assert_ptr_eq(def.obstacles, &drawn.surfaces);
}
END_TEST

START_TEST(obstacles_move)
{
    make(NO_CONTACT(SPHERE(
        "3", "0.5") ", {\"sphere\": {\"center\": [0, 1, 0], \"radius\": 2}, \"motion\": [{\"time\": 0}, "
                    "{\"time\": 2, \"translate\": [0, 6, 0]}]}"));
    GpuInstance *instance;
    const GpuInstanceDef instance_def = gpu_default_instance_def();
    if (gpu_instance_create(reading.context, &instance_def, &instance) != VELA_OK)
        return; // no Vulkan
    static RenderFixture fixture;
    fixture_box(&fixture, (double[3]){0, 0, 0}, 1, 1);
    RenderDef def = render_default_def();
    def.width = def.height = 16;
    drawn_obstacles_show(&drawn, &def);
    Renderer *renderer;
    ASSERT_OK(reading.context,
              renderer_create(reading.context, instance, &fixture.topology, &def, &renderer));
    ASSERT_OK(reading.context, drawn_obstacles_move(&drawn, 1, renderer));
    ck_assert_double_eq(drawn.positions[1], 0.5); // the first one's pole
    const size_t pole = 3 * (size_t)drawn.surfaces.bodies[1].first_vertex;
    ck_assert_double_eq_tol(drawn.positions[pole + 1], 1 + 2 + 3, 1e-14);
    renderer_destroy(renderer);
    gpu_instance_destroy(instance);
}
END_TEST

START_TEST(a_mesh_that_has_gone_is_left_out)
{
    make(NO_CONTACT(SPHERE("3", "0.5")));
    reading.scene.obstacles[0].kind = OBSTACLE_MESH;
    reading.scene.obstacles[0].mesh = SOURCE_DIR "/tests/scenes/gone.obj";
    ASSERT_OK(reading.context,
              drawn_obstacles_make(reading.context, &reading.scene, NULL, &reading.arena, &drawn));
    ck_assert_int_eq(drawn.surfaces.body_count, 0);
    ck_assert_ptr_nonnull(strstr(reading.warnings, "obstacle \"obstacle0\" is not drawn: "));
    ck_assert_ptr_nonnull(strstr(reading.warnings, "gone.obj"));
    // One that the model has loaded is taken from there.
    const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const int32_t triangle[3] = {0, 1, 2};
    const ObstacleSurface loaded = {3, (double *)corners, 1, (int32_t *)triangle};
    ASSERT_OK(reading.context,
              drawn_obstacles_make(reading.context, &reading.scene, &loaded, &reading.arena, &drawn));
    ck_assert_int_eq(drawn.surfaces.triangle_count, 1);
}
END_TEST

// Bodies between -1 and 1: a diagonal of 2 sqrt(3).
START_TEST(the_camera_frames_what_is_near)
{
    static const struct {
        const char *obstacles;
        double low, high;
    } rows[] = {
        {"\"obstacles\": []", -1, 1},
        {NO_CONTACT(SPHERE("2", "0.5")), -1, 2.5},                      // beside: whole
        {NO_CONTACT(SPHERE("0", "0.5")), -1, 1},                        // inside
        {NO_CONTACT(SPHERE("100", "0.5")), -1, 1},                      // far: not at all
        {NO_CONTACT(SPHERE("4.2", "0.5")), -1, 1},                      // not near enough
        {NO_CONTACT(SPHERE("0", "500")), -1 - 0.4 * 1.7320508075688772, // huge: a part
         1 + 0.4 * 1.7320508075688772},
        {NO_CONTACT(SPHERE("2", "0.5") ", " SPHERE("-3", "0.5")), -3.5, 2.5}, // each by itself
        {NO_CONTACT("{\"sphere\": {\"center\": [0, 0, 0], \"radius\": 0.5}, \"motion\": "
                    "[{\"time\": 0}, {\"time\": 1, \"translate\": [2, 0, 0]}]}"),
         -1, 2.5}, // where it will be
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        double min[3] = {-1, -1, -1}, max[3] = {1, 1, 1};
        make(rows[i].obstacles);
        drawn_obstacles_widen(&drawn, min, max);
        ck_bounds(min, max, rows[i].low, rows[i].high);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("drawn obstacles");
    TCase *tests = tcase_create("obstacles");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_test(tests, planes_and_surfaces_are_told_apart);
    tcase_add_test(tests, obstacles_move);
    tcase_add_test(tests, a_mesh_that_has_gone_is_left_out);
    tcase_add_test(tests, the_camera_frames_what_is_near);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
