// What is added to frames to draw constraints: pins and rods as cables, with values where the scene colours by tension.
#include "api/drawn_constraints.h"
#include "check_main.h"
#include "output_fixture.h"
#include "render/render.h"
#include "render/tube.h"

static double joints[6] = {0, 1, 2, 3, 4, 5}, rods[ROD_VALUES] = {-1, 0, 0, 1, 2, 3, -40};
static float tension[FIXTURE_ELEMENTS] = {NAN, 10, -20, 30};

typedef struct Case {
    ColorBy color_by;
    bool draw_joints;
    int32_t joints, rods; ///< that are to be drawn
    double low, high;     ///< of the values
} Case;

static const Case cases[] = {
    {COLOR_BY_BODY, false, 0, 0, INFINITY, -INFINITY}, {COLOR_BY_STRETCH, false, 0, 0, 1, 1.75},
    {COLOR_BY_BODY, true, 2, 1, INFINITY, -INFINITY},  {COLOR_BY_STRETCH, true, 2, 1, 1, 1.75},
    {COLOR_BY_TENSION, false, 0, 1, -40, 30},          {COLOR_BY_TENSION, true, 2, 1, -40, 30},
};

static void check_added(const DrawnConstraints *drawn, const Frame *frame, const Case *expected)
{
    const FrameTopology *topology = drawn->topology, *recorded = &fixture_cable_topology;
    const int32_t more = expected->joints + expected->rods;
    ck_assert_int_eq(topology->cable_count, recorded->cable_count + more);
    ck_assert_int_eq(topology->segment_count, recorded->segment_count + more);
    ck_assert_int_eq(topology->vertex_count, recorded->vertex_count + expected->joints + 2 * expected->rods);
    for (int32_t c = recorded->cable_count; c < topology->cable_count; ++c) {
        const int32_t *ends = topology->segments + 2 * (size_t)topology->cables[c].first_segment;
        const bool is_rod = c < recorded->cable_count + expected->rods;
        const double *place = is_rod ? rods : joints + 3 * (c - recorded->cable_count - expected->rods);
        ck_assert(is_rod == (ends[0] != ends[1]));
        ck_assert_mem_eq(frame->positions + 3 * (size_t)ends[0], place, 3 * sizeof *place);
        if (is_rod)
            ck_assert_mem_eq(frame->positions + 3 * (size_t)ends[1], place + 3, 3 * sizeof *place);
    }
}

START_TEST(pins_and_rods)
{
    const Case *expected = &cases[_i];
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    const SceneDef scene = {.color_by = expected->color_by, .draw_joints = expected->draw_joints};
    FrameTopology recorded = fixture_cable_topology;
    FixtureState state;
    DrawnConstraints drawn;
    RenderTubes tubes;
    recorded.joint_count = 2, recorded.rod_count = 1;
    ASSERT_OK(context, drawn_constraints_make(&scene, &recorded, &arena, &drawn));
    for (int64_t i = 0; i < 2; ++i) { // the second one finds the room of the first
        Frame frame = fixture_frame(i, &state);
        frame.tension = tension, frame.joints = joints, frame.rods = rods;
        const Frame *all = drawn_constraints_frame(&drawn, &frame);
        ck_assert_mem_eq(all->positions, state.positions, sizeof state.positions);
        check_added(&drawn, all, expected);
        double low = INFINITY, high = -INFINITY;
        const double center[3] = {0};
        render_value_range(drawn.topology, all, scene.color_by, &low, &high);
        ck_assert(low == expected->low && high == expected->high);
        ASSERT_OK(context, tubes_create(&arena, drawn.topology, &tubes));
        SurfaceVertex *vertices = malloc((size_t)tubes.vertex_count * sizeof *vertices);
        ASSERT_OK(context,
                  tubes_fill(context, &tubes, drawn.topology, all, center, scene.color_by, vertices));
        for (int32_t v = 0; v < tubes.vertex_count; ++v) {
            const int body = (int)vertices[v].body - recorded.body_count; // 0 rods, 1 pins
            const bool has_none = body == 1 || (body == 0 && scene.color_by != COLOR_BY_TENSION);
            if (scene.color_by == COLOR_BY_BODY)
                ck_assert(vertices[v].value == 0);
            else
                ck_assert(has_none == (vertices[v].value < -1e29f));
            if (body == 0 && !has_none && scene.color_by != COLOR_BY_BODY)
                ck_assert(vertices[v].value == -40);
        }
        free(vertices);
    }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("drawn constraints");
    TCase *tests = tcase_create("drawn constraints");
    tcase_add_loop_test(tests, pins_and_rods, 0, sizeof cases / sizeof *cases);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
