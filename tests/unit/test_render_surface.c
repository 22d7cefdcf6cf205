// The drawn surface: split along creases of the rest shape, smooth elsewhere, normals of the deformed shape.
#include "base/matrix3.h"
#include "check_main.h"
#include "render/surface.h"
#include "render_fixture.h"

static RenderFixture fixture;
static SurfaceVertex vertices[3 * FIXTURE_TRIANGLES];
static const double ORIGIN[3] = {0, 0, 0};

// An octahedron, its triangles cut in four `levels` times, on the unit sphere.
static void fixture_ball(int levels)
{
    memset(&fixture, 0, sizeof fixture);
    static const int32_t START[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                        {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    int32_t nodes = 6, triangles = 8;
    for (int i = 0; i < 6; ++i)
        fixture.positions[3 * i + i / 2] = i % 2 == 0 ? 1 : -1;
    memcpy(fixture.triangles, START, sizeof START);
    for (int level = 0; level < levels; ++level) {
        const int32_t old_triangles = triangles;
        for (int32_t t = 0; t < old_triangles; ++t) {
            int32_t corner[3], middle[3];
            memcpy(corner, fixture.triangles + 3 * t, sizeof corner);
            for (int k = 0; k < 3; ++k) {
                double p[3];
                for (int c = 0; c < 3; ++c)
                    p[c] =
                        fixture.positions[3 * corner[k] + c] + fixture.positions[3 * corner[(k + 1) % 3] + c];
                normalize3(p);
                int32_t found = 0;
                for (; found < nodes; ++found) {
                    double difference[3];
                    subtract3(p, fixture.positions + 3 * found, difference);
                    if (norm3(difference) < 1e-9)
                        break;
                }
                if (found == nodes)
                    memcpy(fixture.positions + 3 * nodes++, p, sizeof p);
                middle[k] = found;
            }
            const int32_t cut[4][3] = {{corner[0], middle[0], middle[2]},
                                       {corner[1], middle[1], middle[0]},
                                       {corner[2], middle[2], middle[1]},
                                       {middle[0], middle[1], middle[2]}};
            memcpy(fixture.triangles + 3 * t, cut[0], sizeof cut[0]);
            memcpy(fixture.triangles + 3 * triangles, cut[1], 3 * sizeof cut[0]);
            triangles += 3;
        }
    }
    fixture_finish(&fixture, nodes, triangles);
}

static void fill(VelaContext *context, RenderSurface *surface, ColorBy color_by)
{
    double min[3], max[3];
    ASSERT_OK(context, surface_fill(context, surface, &fixture.topology, &fixture.frame, ORIGIN, color_by,
                                    vertices, min, max));
}

START_TEST(box_has_flat_faces)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    RenderSurface surface;
    fixture_box(&fixture, ORIGIN, 2, 4);
    ASSERT_OK(context, surface_create(&arena, &fixture.topology, 40, &surface));
    ck_assert_int_eq(surface.vertex_count, 6 * 5 * 5);
    fill(context, &surface, COLOR_BY_BODY);
    for (int32_t v = 0; v < surface.vertex_count; ++v) {
        // Every normal is an axis, and the vertex lies on the face it points out of.
        double largest = 0, at = 0;
        for (int c = 0; c < 3; ++c)
            if (fabs((double)vertices[v].normal[c]) > largest) {
                largest = fabs((double)vertices[v].normal[c]);
                at = (double)(vertices[v].normal[c] * vertices[v].position[c]);
            }
        ck_assert_double_gt(largest, 1 - 1e-6);
        ck_assert_double_gt(at, 1 - 1e-6);
    }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(ball_stays_smooth)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    RenderSurface surface;
    fixture_ball(3);
    ASSERT_OK(context, surface_create(&arena, &fixture.topology, 40, &surface));
    ck_assert_int_eq(surface.vertex_count, fixture.topology.vertex_count);
    fill(context, &surface, COLOR_BY_BODY);
    for (int32_t v = 0; v < surface.vertex_count; ++v)
        for (int c = 0; c < 3; ++c)
            ck_assert_double_le(fabs((double)(vertices[v].normal[c] - vertices[v].position[c])), 0.02);
    // So does a coarse one, whose edges turn by more than the limit here and there; an octahedron has creases.
    fixture_ball(1);
    ASSERT_OK(context, surface_create(&arena, &fixture.topology, 30, &surface));
    ck_assert_int_eq(surface.vertex_count, fixture.topology.vertex_count);
    fixture_ball(0);
    ASSERT_OK(context, surface_create(&arena, &fixture.topology, 40, &surface));
    ck_assert_int_eq(surface.vertex_count, 3 * 8);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(normals_follow_the_motion)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    RenderSurface surface;
    fixture_box(&fixture, ORIGIN, 2, 3);
    ASSERT_OK(context, surface_create(&arena, &fixture.topology, 40, &surface));
    // Sheared, so that normals change otherwise than positions: x += y, the normal of the face x = 1 is (1, -1, 0).
    for (int32_t i = 0; i < fixture.topology.vertex_count; ++i)
        fixture.positions[3 * i] += fixture.positions[3 * i + 1];
    fill(context, &surface, COLOR_BY_BODY);
    int found = 0;
    for (int32_t v = 0; v < surface.vertex_count; ++v) {
        const double x = (double)(vertices[v].position[0] - vertices[v].position[1]);
        if (x > 1 - 1e-6 && vertices[v].normal[0] > 0.1f) {
            ck_assert_double_le(fabs((double)vertices[v].normal[0] - sqrt(0.5)), 1e-6);
            ck_assert_double_le(fabs((double)vertices[v].normal[1] + sqrt(0.5)), 1e-6);
            ++found;
        }
    }
    ck_assert_int_eq(found, 16);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(values_reach_the_vertices)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    RenderSurface surface;
    fixture_box(&fixture, ORIGIN, 2, 2);
    ASSERT_OK(context, surface_create(&arena, &fixture.topology, 40, &surface));
    fixture.stretch[0] = 1.25f;
    fixture.energy_density[0] = 500;
    for (int32_t i = 0; i < fixture.topology.vertex_count; ++i) {
        fixture.velocities[3 * i] = 3;
        fixture.velocities[3 * i + 2] = 4;
    }
    const ColorBy kinds[3] = {COLOR_BY_STRETCH, COLOR_BY_ENERGY, COLOR_BY_SPEED};
    const double expected[3] = {1.25, 500, 5};
    for (int k = 0; k < 3; ++k) {
        fill(context, &surface, kinds[k]);
        for (int32_t v = 0; v < surface.vertex_count; ++v)
            ck_assert_double_le(fabs((double)vertices[v].value - expected[k]), 1e-5 * expected[k]);
    }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(bad_topology_is_refused)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    RenderSurface surface;
    double min[3], max[3];
    fixture_box(&fixture, ORIGIN, 2, 2);
    fixture.triangles[7] = fixture.topology.vertex_count;
    ck_assert_int_eq(surface_create(&arena, &fixture.topology, 40, &surface), VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "triangle 2"));
    fixture_box(&fixture, ORIGIN, 2, 2);
    fixture.triangle_elements[3] = 1;
    ck_assert_int_eq(surface_create(&arena, &fixture.topology, 40, &surface), VELA_ERROR_INVALID_INPUT);
    fixture_box(&fixture, ORIGIN, 2, 2);
    ASSERT_OK(context, surface_create(&arena, &fixture.topology, 40, &surface));
    fixture.positions[4] = NAN;
    ck_assert_int_eq(surface_fill(context, &surface, &fixture.topology, &fixture.frame, ORIGIN, COLOR_BY_BODY,
                                  vertices, min, max),
                     VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "vertex 1"));
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("render surface");
    TCase *tests = tcase_create("surface");
    tcase_add_test(tests, box_has_flat_faces);
    tcase_add_test(tests, ball_stays_smooth);
    tcase_add_test(tests, normals_follow_the_motion);
    tcase_add_test(tests, values_reach_the_vertices);
    tcase_add_test(tests, bad_topology_is_refused);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
