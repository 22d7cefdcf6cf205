// Tubes of cables: closed, of the cable's radius, round where it ends or kinks, without twist, whatever the polyline.
#include "base/matrix3.h"
#include "check_main.h"
#include "render/render.h"
#include "render/tube.h"
#include "render_fixture.h"

enum { MOST_VERTICES = 1 << 16, MOST_POINTS = 64, MANY_SEGMENTS = 20000 };

static const double ORIGIN[3] = {0, 0, 0}, RADIUS = 0.25;
static VelaContext *context;
static Arena arena;
static RenderFixture fixture;
static RenderTubes tubes;
static SurfaceVertex vertices[MOST_VERTICES];

static void sweep(const double *points, int32_t point_count, double radius)
{
    memset(&fixture, 0, sizeof fixture);
    fixture_add_cable(&fixture, points, point_count, radius);
    ASSERT_OK(context, tubes_create(&arena, &fixture.topology, &tubes));
    ck_assert_int_le(tubes.vertex_count, MOST_VERTICES);
    ASSERT_OK(context, tubes_fill(context, &tubes, &fixture.topology, &fixture.frame, ORIGIN, COLOR_BY_BODY,
                                  vertices));
}

static void vertex_get(int32_t v, double position[3], double normal[3])
{
    for (int i = 0; i < 3; ++i) {
        position[i] = (double)vertices[v].position[i];
        normal[i] = (double)vertices[v].normal[i];
    }
}

// Twice the area of a triangle along its vertices' normals.
static double triangle_outward(int32_t t)
{
    const uint32_t *corners = tubes.indices + 3 * (size_t)t;
    double p[3][3], n[3][3], sum[3] = {0}, e1[3], e2[3], cross[3];
    for (int k = 0; k < 3; ++k) {
        vertex_get((int32_t)corners[k], p[k], n[k]);
        add_scaled3(sum, 1.0 / 3, n[k], sum);
    }
    subtract3(p[1], p[0], e1);
    subtract3(p[2], p[0], e2);
    cross3(e1, e2, cross);
    return dot3(cross, sum);
}

static double distance_to_segment(const double p[3], const double a[3], const double b[3])
{
    double ab[3], ap[3], rest[3];
    subtract3(b, a, ab);
    subtract3(p, a, ap);
    const double length_sq = dot3(ab, ab);
    const double t = length_sq > 0 ? fmin(fmax(dot3(ap, ab) / length_sq, 0), 1) : 0;
    add_scaled3(ap, -t, ab, rest);
    return norm3(rest);
}

static double distance_to_axis(const double p[3])
{
    double least = 1e300;
    for (int32_t s = 0; s < fixture.topology.segment_count; ++s)
        least = fmin(least, distance_to_segment(p, fixture.positions + 3 * s, fixture.positions + 3 * s + 3));
    return least;
}

static int edge_compare(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(uint32_t));
}

// Every edge is there once in each direction, so the surface is closed and its triangles agree on their sides.
static void assert_closed(void)
{
    static uint32_t edges[6 * MOST_VERTICES][2], reversed[6 * MOST_VERTICES][2];
    const int32_t count = 3 * tubes.triangle_count;
    ck_assert_int_le(count, 6 * MOST_VERTICES);
    for (int32_t c = 0; c < count; ++c) {
        edges[c][0] = reversed[c][1] = tubes.indices[c];
        edges[c][1] = reversed[c][0] = tubes.indices[c % 3 == 2 ? c - 2 : c + 1];
        ck_assert_uint_lt(edges[c][0], (uint32_t)tubes.vertex_count);
        ck_assert_uint_ne(edges[c][0], edges[c][1]);
    }
    qsort(edges, (size_t)count, sizeof *edges, edge_compare);
    qsort(reversed, (size_t)count, sizeof *reversed, edge_compare);
    ck_assert_mem_eq(edges, reversed, (size_t)count * sizeof *edges);
    for (int32_t c = 1; c < count; ++c)
        ck_assert_int_ne(edge_compare(edges[c - 1], edges[c]), 0);
    // Of a sphere's kind: V - E + F = 2.
    ck_assert_int_eq(tubes.vertex_count - count / 2 + tubes.triangle_count, 2);
}

// Unit normals, and each vertex that far along its own from a point of the polyline. Any NaN fails.
static void assert_on_spheres(double radius)
{
    for (int32_t v = 0; v < tubes.vertex_count; ++v) {
        double position[3], normal[3], axis[3], least = 1e300;
        vertex_get(v, position, normal);
        ck_assert_double_le(fabs(norm3(normal) - 1), 1e-6);
        add_scaled3(position, -radius, normal, axis);
        for (int32_t i = 0; i < fixture.topology.vertex_count; ++i) {
            double difference[3];
            subtract3(axis, fixture.positions + 3 * i, difference);
            least = fmin(least, norm3(difference));
        }
        ck_assert_msg(least < 1e-5 * radius, "vertex %d: %g from a sphere about a point of the cable", v,
                      least);
        ck_assert_double_le(distance_to_axis(position), radius * (1 + 1e-5));
    }
}

START_TEST(straight_tube_is_a_capsule)
{
    // Obliquely, so that nothing is along an axis; uneven segments.
    const double direction[3] = {2 / 7.0, 3 / 7.0, 6 / 7.0}, places[5] = {0, 0.1, 1, 1.5, 4};
    double points[5][3];
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 3; ++k)
            points[i][k] = 1 - k + places[i] * direction[k];
    sweep(points[0], 5, RADIUS);
    assert_closed();
    assert_on_spheres(RADIUS);
    double lowest = 1e300, highest = -1e300;
    for (int32_t v = 0; v < tubes.vertex_count; ++v) {
        double position[3], normal[3], offset[3], outward[3];
        vertex_get(v, position, normal);
        ck_assert_double_eq_tol(distance_to_axis(position), RADIUS, 1e-6);
        subtract3(position, points[0], offset);
        const double along = dot3(offset, direction);
        lowest = fmin(lowest, along);
        highest = fmax(highest, along);
        // Away from the nearest point of the axis.
        add_scaled3(offset, -fmin(fmax(along, 0), 4), direction, outward);
        ck_assert_double_ge(dot3(outward, normal), RADIUS * (1 - 1e-5));
    }
    ck_assert_double_eq_tol(lowest, -RADIUS, 1e-6);
    ck_assert_double_eq_tol(highest, 4 + RADIUS, 1e-6);
    double volume = 0;
    for (int32_t t = 0; t < tubes.triangle_count; ++t) {
        ck_assert_double_ge(triangle_outward(t), 0);
        double p[3][3], n[3], cross[3];
        for (int k = 0; k < 3; ++k)
            vertex_get((int32_t)tubes.indices[3 * t + k], p[k], n);
        cross3(p[1], p[2], cross);
        volume += dot3(p[0], cross) / 6;
    }
    // Of the cylinder and two half spheres: polygons of so many sides lose so much.
    const double pi = acos(-1.0), whole = pi * RADIUS * RADIUS * (4 + 4 * RADIUS / 3);
    ck_assert_double_lt(volume, whole);
    ck_assert_double_gt(volume, 0.975 * whole);
}
END_TEST

// Polylines that have gone wrong, or nearly: nothing may break, and no part may be thinner or thicker than the cable.
START_TEST(any_polyline_is_closed)
{
    static const double cases[][6][3] = {
        {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}},            // corners
        {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {2, 0, 0}},          // folded flat
        {{0, 0, 0}, {1, 0, 0}, {0, 1e-10, 0}, {1, 0, 1e-12}, {0, 0, 0}, {1, 1e-8, 0}}, // nearly flat
        {{0, 0, 0}, {0, 0, 0}, {0, 2, 0}, {0, 2, 0}, {1, 2, 0}, {1, 2, 0}}, // without length here and there
        {{3, 2, 1}, {3, 2, 1}, {3, 2, 1}, {3, 2, 1}, {3, 2, 1}, {3, 2, 1}}, // a point
        {{0, 0, 0},
         {1e-300, 0, 0},
         {0, 1e-300, 0},
         {0, 0, 1e-160},
         {1e-40, 0, 0},
         {0, 1, 0}}, // next to nothing
        {{0, 0, 0},
         {0.01, 0, 0},
         {0.01, 0.01, 0},
         {0, 0.01, 0},
         {0, 0, 0.01},
         {0.01, 0, 0}},                                                        // within its own radius
        {{0, 0, 0}, {0, -1, 0}, {0, -2, 0}, {0, -1, 0}, {0, 0, 0}, {0, 1, 0}}, // along the axis of the start
    };
    sweep(cases[_i][0], 6, RADIUS);
    assert_closed();
    assert_on_spheres(RADIUS);
}
END_TEST

static void circle_points(double points[MOST_POINTS][3], int32_t count, double turn)
{
    // The arc of a circle of radius 2 in a plane across (0.6, 0, 0.8), there and back like an S.
    const double e1[3] = {0.8, 0, -0.6}, e2[3] = {0, 1, 0};
    double at[3] = {0, 0, 0}, angle = 0.3;
    for (int32_t i = 0; i < count; ++i) {
        memcpy(points[i], at, sizeof at);
        add_scaled3(at, cos(angle), e1, at);
        add_scaled3(at, sin(angle), e2, at);
        angle += 2 * i < count ? turn : -turn;
    }
}

START_TEST(plane_curve_does_not_twist)
{
    // A vertex of a ring keeps its angle to the plane all along the cable.
    double points[MOST_POINTS][3];
    const double plane[3] = {0.6, 0, 0.8};
    circle_points(points, MOST_POINTS, _i == 0 ? 0.1 : 0.9);
    sweep(points[0], MOST_POINTS, RADIUS);
    assert_closed();
    assert_on_spheres(RADIUS);
    const int32_t sides = tubes.sides, first_ring = 1 + sides * (sides / 4 - 1),
                  rings = (tubes.vertex_count - 2) / sides - 2 * (sides / 4 - 1);
    ck_assert_int_gt(rings, 2 + MOST_POINTS);
    for (int32_t j = 0; j < sides; ++j) {
        double position[3], start[3], normal[3];
        vertex_get(first_ring + j, position, start);
        for (int32_t ring = 1; ring < rings; ++ring) {
            vertex_get(first_ring + ring * sides + j, position, normal);
            ck_assert_double_eq_tol(dot3(normal, plane), dot3(start, plane), 1e-5);
        }
    }
}
END_TEST

START_TEST(gentle_bend_is_smooth)
{
    // All rings of a joint stand halfway between its two directions, so that light runs on along the cable.
    double points[MOST_POINTS][3];
    circle_points(points, MOST_POINTS, 0.2);
    sweep(points[0], MOST_POINTS, RADIUS);
    const int32_t sides = tubes.sides, at_joint = sides / 4, first_joint = 1 + sides * at_joint;
    for (int32_t joint = 0; joint + 2 < MOST_POINTS; ++joint) {
        double tangent[3], previous[3], position[3], normal[3];
        subtract3(points[joint + 1], points[joint], previous);
        subtract3(points[joint + 2], points[joint + 1], tangent);
        for (int k = 0; k < 3; ++k)
            tangent[k] += previous[k];
        normalize3(tangent);
        for (int32_t v = 0; v < at_joint * sides; ++v) {
            vertex_get(first_joint + joint * at_joint * sides + v, position, normal);
            ck_assert_double_eq_tol(dot3(normal, tangent), 0, 1e-5);
        }
    }
}
END_TEST

START_TEST(kink_is_round_outside)
{
    // A right angle in the plane z = 0: seen along z its outline is an arc about the corner.
    const double points[3][3] = {{-2, 0, 0}, {0, 0, 0}, {0, 2, 0}};
    sweep(points[0], 3, RADIUS);
    for (int i = 0; i <= 18; ++i) {
        const double angle = acos(-1.0) * (-0.5 + 0.5 * i / 18), towards[2] = {cos(angle), sin(angle)};
        double farthest = -1e300;
        for (int32_t v = 0; v < tubes.vertex_count; ++v)
            if (fabs(distance_to_segment((double[3]){(double)vertices[v].position[0],
                                                     (double)vertices[v].position[1],
                                                     (double)vertices[v].position[2]},
                                         points[1], points[1]) -
                     RADIUS) < 1e-6)
                farthest = fmax(farthest, towards[0] * (double)vertices[v].position[0] +
                                              towards[1] * (double)vertices[v].position[1]);
        ck_assert_double_ge(farthest, 0.96 * RADIUS);
        ck_assert_double_le(farthest, RADIUS * (1 + 1e-5));
    }
}
END_TEST

START_TEST(values_reach_the_vertices)
{
    const double points[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    sweep(points[0], 3, RADIUS);
    for (int s = 0; s < 2; ++s) {
        fixture.stretch[1 + s] = 1.5f + (float)s;
        fixture.energy_density[1 + s] = 100 + 300 * (float)s;
    }
    for (int i = 0; i < 3; ++i) {
        fixture.velocities[3 * i] = 3 * i;
        fixture.velocities[3 * i + 2] = 4 * i;
    }
    const ColorBy kinds[3] = {COLOR_BY_STRETCH, COLOR_BY_ENERGY, COLOR_BY_SPEED};
    const double expected[3][3] = {{1.5, 2, 2.5}, {100, 250, 400}, {0, 5, 10}};
    for (int k = 0; k < 3; ++k) {
        ASSERT_OK(context,
                  tubes_fill(context, &tubes, &fixture.topology, &fixture.frame, ORIGIN, kinds[k], vertices));
        int seen[3] = {0};
        for (int32_t v = 0; v < tubes.vertex_count; ++v) {
            const int at = (int)lrint(fmin(fmax((double)vertices[v].position[0], 0), 2));
            ck_assert_double_eq_tol((double)vertices[v].value, expected[k][at], 1e-4);
            ck_assert_uint_eq(vertices[v].body, 0);
            ++seen[at];
        }
        ck_assert(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
        // The range of the motion has what is drawn in it.
        double low = 1e300, high = -1e300;
        render_value_range(&fixture.topology, &fixture.frame, kinds[k], &low, &high);
        ck_assert_double_eq_tol(low, expected[k][0], 1e-6);
        ck_assert_double_eq_tol(high, expected[k][2], 1e-6);
    }
}
END_TEST

START_TEST(bounds_have_the_radius)
{
    const double points[3][3] = {{0, 1, 0}, {1, 1, 0}, {2, 3, -4}};
    sweep(points[0], 3, RADIUS);
    double min[3] = {1e300, 1e300, 1e300}, max[3] = {-1e300, -1e300, -1e300};
    render_bounds(&fixture.topology, &fixture.frame, min, max);
    const double low[3] = {0, 1, -4}, high[3] = {2, 3, 0};
    for (int k = 0; k < 3; ++k) {
        ck_assert_double_eq(min[k], low[k] - RADIUS);
        ck_assert_double_eq(max[k], high[k] + RADIUS);
    }
}
END_TEST

START_TEST(many_segments_have_fewer_sides)
{
    static int32_t segments[2 * MANY_SEGMENTS], elements[MANY_SEGMENTS];
    for (int32_t s = 0; s < MANY_SEGMENTS; ++s) {
        segments[2 * s] = s;
        segments[2 * s + 1] = s + 1;
    }
    FrameBody body = {.name = "cables"};
    FrameCable cables[2] = {{0, 0, 10, RADIUS}, {0, 10, MANY_SEGMENTS - 10, RADIUS}};
    FrameTopology topology = {.vertex_count = MANY_SEGMENTS + 1,
                              .element_count = 1,
                              .body_count = 1,
                              .segment_count = MANY_SEGMENTS,
                              .cable_count = 1,
                              .segments = segments,
                              .segment_elements = elements,
                              .bodies = &body,
                              .cables = cables};
    ASSERT_OK(context, tubes_create(&arena, &topology, &tubes));
    ck_assert_int_eq(tubes.sides, TUBE_SIDES_MOST);
    topology.cable_count = 2;
    ASSERT_OK(context, tubes_create(&arena, &topology, &tubes));
    ck_assert_int_eq(tubes.sides, TUBE_SIDES_LEAST);
    ck_assert_int_lt(tubes.vertex_count, 40 * MANY_SEGMENTS);
    // Two tubes share no vertex, and together they use all.
    int32_t first_of_second = tubes.vertex_count, last_of_first = 0;
    const int32_t rings = 3 * 11, split = 3 * 2 * 12 * rings;
    for (int32_t c = 0; c < 3 * tubes.triangle_count; ++c)
        if (c < split)
            last_of_first =
                (int32_t)tubes.indices[c] > last_of_first ? (int32_t)tubes.indices[c] : last_of_first;
        else
            first_of_second =
                (int32_t)tubes.indices[c] < first_of_second ? (int32_t)tubes.indices[c] : first_of_second;
    ck_assert_int_eq(last_of_first, 2 + 12 * rings - 1);
    ck_assert_int_eq(first_of_second, 2 + 12 * rings);
}
END_TEST

START_TEST(bad_cables_are_refused)
{
    const double points[3][3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    static const struct {
        FrameCable cable;
        int32_t last_vertex, last_element;
        const char *expected;
    } cases[] = {
        {{0, 0, 2, 0.1}, 3, 2, "segment 1 names vertex 3"},
        {{0, 0, 2, 0.1}, -1, 2, "segment 1 names vertex -1"},
        {{0, 0, 2, 0.1}, 2, 3, "segment 1 names element 3"},
        {{1, 0, 2, 0.1}, 2, 2, "cable 0 is of body 1"},
        {{0, 1, 2, 0.1}, 2, 2, "cable 0 has 2 segments from 1 on"},
        {{0, 0, 0, 0.1}, 2, 2, "cable 0 has 0 segments"},
        {{0, 0, 2, 0}, 2, 2, "radius 0"},
        {{0, 0, 2, NAN}, 2, 2, "radius"},
        {{0, 0, 2, 1e300}, 2, 2, "radius 1e+300"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        sweep(points[0], 3, RADIUS);
        fixture.cables[0] = cases[i].cable;
        fixture.segments[3] = cases[i].last_vertex;
        fixture.segment_elements[1] = cases[i].last_element;
        ck_assert_int_eq(tubes_create(&arena, &fixture.topology, &tubes), VELA_ERROR_INVALID_INPUT);
        ck_assert_msg(strstr(vela_context_message(context), cases[i].expected), "%s",
                      vela_context_message(context));
    }
    sweep(points[0], 3, RADIUS);
    fixture.positions[4] = NAN;
    ck_assert_int_eq(
        tubes_fill(context, &tubes, &fixture.topology, &fixture.frame, ORIGIN, COLOR_BY_BODY, vertices),
        VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "vertex 1"));
}
END_TEST

static void setup(void)
{
    context = test_context();
    arena = arena_make(context);
}

static void teardown(void)
{
    arena_clear(&arena);
    vela_context_destroy(context);
}

int main(void)
{
    Suite *suite = suite_create("render tube");
    TCase *tests = tcase_create("tube");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, straight_tube_is_a_capsule);
    tcase_add_loop_test(tests, any_polyline_is_closed, 0, 8);
    tcase_add_loop_test(tests, plane_curve_does_not_twist, 0, 2);
    tcase_add_test(tests, gentle_bend_is_smooth);
    tcase_add_test(tests, kink_is_round_outside);
    tcase_add_test(tests, values_reach_the_vertices);
    tcase_add_test(tests, bounds_have_the_radius);
    tcase_add_test(tests, many_segments_have_fewer_sides);
    tcase_add_test(tests, bad_cables_are_refused);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
