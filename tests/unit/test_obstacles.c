// Surfaces of obstacles: read, placed, and the one drawn for a sphere.
#include "scene_fixture.h"

#include "base/file.h"
#include "base/matrix3.h"
#include "model/obstacles.h"

#include <stdlib.h>

static Reading reading;
static ObstacleSurface surface;

static void start(void)
{
    reading_start(&reading);
}

static void stop(void)
{
    reading_end(&reading);
}

static void load(const ObstacleDef *obstacle)
{
    ASSERT_OK(reading.context, obstacle_surface_load(reading.context, obstacle, &reading.arena, &surface));
}

static const double *corner(int32_t triangle, int k)
{
    return surface.vertices + 3 * (size_t)surface.triangles[3 * triangle + k];
}

START_TEST(a_plane_has_no_surface)
{
    load(&(ObstacleDef){.kind = OBSTACLE_PLANE, .normal = {0, 1, 0}});
    ck_assert_int_eq(surface.vertex_count, 0);
    ck_assert_int_eq(surface.triangle_count, 0);
}
END_TEST

START_TEST(a_mesh_is_placed_as_a_body)
{
    // Scaled by 2, turned by 90 degrees about y (x to -z), moved by (1, 2, 3).
    load(&(ObstacleDef){.kind = OBSTACLE_MESH,
                        .mesh = SOURCE_DIR "/tests/scenes/steps.obj",
                        .scale = 2,
                        .rotate_axis = {0, 1, 0},
                        .rotate_degrees = 90,
                        .translate = {1, 2, 3}});
    ck_assert_int_eq(surface.vertex_count, 8);
    ck_assert_int_eq(surface.triangle_count, 6);
    const double *last = surface.vertices + 21; // 2 0.5 2
    ck_assert_double_eq_tol(last[0], 1 + 4, 1e-14);
    ck_assert_double_eq_tol(last[1], 2 + 1, 1e-14);
    ck_assert_double_eq_tol(last[2], 3 - 4, 1e-14);
}
END_TEST

START_TEST(unused_vertices_are_left_out)
{
    static const char text[] = "v 9 9 9\nv 0 0 0\nv 8 8 8\nv 1 0 0\nv 0 1 0\nv 7 7 7\nf 2 4 5\n";
    ASSERT_OK(reading.context, file_write(reading.context, BINARY_DIR "/loose.obj", text, strlen(text)));
    load(&(ObstacleDef){.kind = OBSTACLE_MESH, .mesh = BINARY_DIR "/loose.obj", .scale = 1});
    ck_assert_int_eq(surface.vertex_count, 3);
    ck_assert_double_eq(corner(0, 0)[0] + corner(0, 0)[1], 0);
    ck_assert_double_eq(corner(0, 1)[0], 1);
    ck_assert_double_eq(corner(0, 2)[1], 1);
}
END_TEST

START_TEST(wrong_meshes_are_refused)
{
    static const struct {
        ObstacleDef obstacle;
        const char *message;
    } rows[] = {
        {{.kind = OBSTACLE_MESH, .mesh = SOURCE_DIR "/tests/scenes/two_tets.mesh", .scale = 1},
         "found a tetrahedral mesh, expected a surface (.obj, .ply, .stl, .off)"},
        {{.kind = OBSTACLE_MESH, .mesh = SOURCE_DIR "/tests/scenes/missing.obj", .scale = 1}, "missing.obj"},
        {{.kind = OBSTACLE_MESH,
          .mesh = SOURCE_DIR "/tests/scenes/steps.obj",
          .scale = 1e30,
          .translate = {1e30, 0, 0}},
         "steps.obj: a vertex is placed at (1e+30, 0, 2e+30), expected coordinates of magnitude at most 1e30"},
    };
    for (int i = 0; i < 3; ++i) {
        ck_assert_int_ne(obstacle_surface_load(reading.context, &rows[i].obstacle, &reading.arena, &surface),
                         VELA_OK);
        ck_assert_msg(strstr(vela_context_message(reading.context), rows[i].message) != NULL, "%s",
                      vela_context_message(reading.context));
    }
}
END_TEST

static int compare_sides(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(int32_t));
}

// Every directed side occurs once, and so does its reverse: a closed surface, all triangles turned the same way.
static void check_closed(void)
{
    const size_t count = 3 * (size_t)surface.triangle_count;
    int32_t(*sides)[2] = malloc(count * sizeof *sides);
    ck_assert_ptr_nonnull(sides);
    for (size_t i = 0; i < count; ++i) {
        sides[i][0] = surface.triangles[i];
        sides[i][1] = surface.triangles[i / 3 * 3 + (i + 1) % 3];
    }
    qsort(sides, count, sizeof *sides, compare_sides);
    for (size_t i = 0; i < count; ++i) {
        const int32_t back[2] = {sides[i][1], sides[i][0]};
        ck_assert(i == 0 || compare_sides(sides[i - 1], sides[i]) != 0);
        ck_assert_ptr_nonnull(bsearch(back, sides, count, sizeof *sides, compare_sides));
    }
    free(sides);
}

START_TEST(a_sphere_is_round)
{
    const ObstacleDef sphere = {.kind = OBSTACLE_SPHERE, .center = {1, -2, 3}, .radius = 0.5};
    load(&sphere);
    ck_assert_int_eq(surface.triangle_count, OBSTACLE_SPHERE_TRIANGLES);
    ck_assert_int_eq(surface.vertex_count, surface.triangle_count / 2 + 2); // Euler
    check_closed();
    for (int32_t v = 0; v < surface.vertex_count; ++v) {
        double arm[3];
        subtract3(surface.vertices + 3 * (size_t)v, sphere.center, arm);
        ck_assert_double_eq_tol(norm3(arm), sphere.radius, 1e-14);
    }
    double volume = 0;
    for (int32_t t = 0; t < surface.triangle_count; ++t) {
        double a[3], u[3], v[3], normal[3];
        subtract3(corner(t, 0), sphere.center, a);
        subtract3(corner(t, 1), corner(t, 0), u);
        subtract3(corner(t, 2), corner(t, 0), v);
        cross3(u, v, normal);
        volume += dot3(a, normal) / 6;
        ck_assert_double_gt(dot3(a, normal) / norm3(normal), (1 - 4.3e-4) * sphere.radius);
    }
    const double exact = 4 * 3.14159265358979323846 / 3 * 0.125;
    ck_assert_double_lt(volume, exact);
    ck_assert_double_gt(volume, (1 - 1e-3) * exact);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("obstacles");
    TCase *tests = tcase_create("surfaces");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_test(tests, a_plane_has_no_surface);
    tcase_add_test(tests, a_mesh_is_placed_as_a_body);
    tcase_add_test(tests, unused_vertices_are_left_out);
    tcase_add_test(tests, wrong_meshes_are_refused);
    tcase_add_test(tests, a_sphere_is_round);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
