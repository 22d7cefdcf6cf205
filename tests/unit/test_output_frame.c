// States: what is written is read back bit for bit, damaged files are refused, and the documented reader
// reads them.
#define _DEFAULT_SOURCE
#include "output_fixture.h"

#include "base/chunks.h"
#include "base/file.h"

#include <signal.h>
#include <sys/resource.h>

START_TEST(crc_known_values)
{
    // The check value of CRC-32, in one piece and in two, and across the eight-byte stride.
    ck_assert_uint_eq(crc32_of(0, "123456789", 9), 0xcbf43926u);
    ck_assert_uint_eq(crc32_of(crc32_of(0, "123", 3), "456789", 6), 0xcbf43926u);
    ck_assert_uint_eq(crc32_of(0, "The quick brown fox jumps over the lazy dog", 43), 0x414fa339u);
    ck_assert_uint_eq(crc32_of(0, "", 0), 0);
}
END_TEST

START_TEST(round_trip)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY];
    fixture_run(context, "round_trip", 3, folder);
    int64_t count;
    ASSERT_OK(context, frame_count(context, folder, &count));
    ck_assert_int_eq(count, 3);
    FrameTopology topology;
    ASSERT_OK(context, frame_read_topology(context, folder, &arena, &topology));
    ck_assert_int_eq(topology.vertex_count, FIXTURE_NODES);
    ck_assert_int_eq(topology.element_count, FIXTURE_TETS);
    ck_assert_int_eq(topology.triangle_count, FIXTURE_TRIANGLES);
    ck_assert_int_eq(topology.body_count, 2);
    ck_assert_mem_eq(topology.rest_positions, fixture_rest, sizeof fixture_rest);
    ck_assert_mem_eq(topology.tets, fixture_tets, sizeof fixture_tets);
    ck_assert_mem_eq(topology.triangles, fixture_triangles, sizeof fixture_triangles);
    ck_assert_mem_eq(topology.triangle_elements, fixture_triangle_tets, sizeof fixture_triangle_tets);
    for (int i = 0; i < 2; ++i) {
        ck_assert_str_eq(topology.bodies[i].name, fixture_bodies[i].name);
        ck_assert_int_eq(topology.bodies[i].first_vertex, fixture_bodies[i].first_vertex);
        ck_assert_int_eq(topology.bodies[i].triangle_count, fixture_bodies[i].triangle_count);
        ck_assert_mem_eq(topology.bodies[i].color, fixture_bodies[i].color, sizeof fixture_bodies[i].color);
        ck_assert_double_eq(topology.bodies[i].roughness, fixture_bodies[i].roughness);
    }
    for (int64_t i = 0; i < 3; ++i) {
        FixtureState state;
        const Frame written = fixture_frame(i, &state);
        Frame frame;
        ASSERT_OK(context, frame_read(context, folder, i, &topology, &arena, &frame));
        ck_assert_int_eq(frame.index, i);
        ck_assert_int_eq(frame.step, written.step);
        ck_assert_double_eq(frame.time, written.time);
        ck_assert_mem_eq(frame.positions, state.positions, sizeof state.positions);
        ck_assert_mem_eq(frame.velocities, state.velocities, sizeof state.velocities);
        ck_assert_mem_eq(frame.stretch, state.stretch, FIXTURE_TETS * sizeof(float));
        ck_assert_mem_eq(frame.energy_density, state.energy_density, FIXTURE_TETS * sizeof(float));
        ck_assert_mem_eq(frame.stress, state.stress, STRESS_COMPONENTS * FIXTURE_TETS * sizeof(float));
        ck_assert_mem_eq(frame.strain, state.strain, PRINCIPAL_STRAINS * FIXTURE_TETS * sizeof(float));
    }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(cables_round_trip)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY];
    FrameTopology topology;
    fixture_run(context, "no_cables", 1, folder);
    ASSERT_OK(context, frame_read_topology(context, folder, &arena, &topology));
    ck_assert(topology.segment_count == 0 && topology.cable_count == 0);
    fixture_run_of(context, &fixture_cable_topology, "cables", 1, folder);
    ASSERT_OK(context, frame_read_topology(context, folder, &arena, &topology));
    ck_assert_int_eq(topology.segment_count, FIXTURE_SEGMENTS);
    ck_assert_int_eq(topology.cable_count, 2);
    ck_assert_mem_eq(topology.segments, fixture_segments, sizeof fixture_segments);
    ck_assert_mem_eq(topology.segment_elements, fixture_segment_elements, sizeof fixture_segment_elements);
    for (int i = 0; i < 2; ++i) {
        ck_assert_int_eq(topology.cables[i].body, fixture_cables[i].body);
        ck_assert_int_eq(topology.cables[i].first_segment, fixture_cables[i].first_segment);
        ck_assert_int_eq(topology.cables[i].segment_count, fixture_cables[i].segment_count);
        ck_assert_double_eq(topology.cables[i].radius, fixture_cables[i].radius);
    }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

// What constraints leave, and the tension of cables; what is there in frame 0 must be in every frame.
START_TEST(constraints_round_trip)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY];
    double multipliers[3] = {1.5, -2, 1e300}, joints[6] = {0, 1, 2, 3, 4, 5},
           rods[ROD_VALUES] = {0, 0, 0, 1, 2, 3, -40};
    float tension[FIXTURE_ELEMENTS] = {NAN, 10, -20, 30};
    FrameTopology topology = fixture_cable_topology, read;
    FixtureState state;
    Frame frame;
    fixture_run_of(context, &fixture_cable_topology, "constraints", 1, folder);
    ASSERT_OK(context, frame_read_topology(context, folder, &arena, &read));
    ck_assert(read.multiplier_count == 0 && read.joint_count == 0 && read.rod_count == 0);
    ASSERT_OK(context, frame_read(context, folder, 0, &read, &arena, &frame));
    ck_assert(!frame.tension && !frame.multipliers && !frame.joints && !frame.rods);
    topology.multiplier_count = 3, topology.joint_count = 2, topology.rod_count = 1;
    for (int64_t i = 0; i < 2; ++i) {
        frame = fixture_frame(i, &state);
        frame.tension = tension, frame.multipliers = multipliers, frame.joints = joints, frame.rods = rods;
        ASSERT_OK(context, frame_write(context, folder, &topology, &frame));
    }
    ASSERT_OK(context, frame_read_topology(context, folder, &arena, &read));
    ck_assert(read.multiplier_count == 3 && read.joint_count == 2 && read.rod_count == 1);
    ASSERT_OK(context, frame_read(context, folder, 1, &read, &arena, &frame));
    ck_assert_mem_eq(frame.multipliers, multipliers, sizeof multipliers);
    ck_assert_mem_eq(frame.joints, joints, sizeof joints);
    ck_assert_mem_eq(frame.rods, rods, sizeof rods);
    ck_assert(isnan(frame.tension[0]));
    ck_assert_mem_eq(frame.tension + 1, tension + 1, 3 * sizeof *tension);
    rods[6] = INFINITY;
    for (int bad = 0; bad < 2; ++bad) {
        topology.joint_count -= bad;
        frame = fixture_frame(1, &state);
        frame.multipliers = multipliers, frame.joints = joints, frame.rods = rods;
        ASSERT_OK(context, frame_write(context, folder, &topology, &frame));
        ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT,
                     bad == 0 ? "chunk 'RODS': number 6 is not finite" : "'JNTS'",
                     frame_read(context, folder, 1, &read, &arena, &frame));
    }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

// One thing wrong in each: a range, an index, an order, a radius.
// The last three vertices of the second body are its skin's; a run without has no chunk, and counts that do not fit are refused.
START_TEST(skins_round_trip)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY];
    FrameBody bodies[2] = {fixture_bodies[0], fixture_bodies[1]};
    FrameTopology topology = fixture_topology, read;
    topology.bodies = bodies;
    for (int count = 0; count <= 6; count += 3) {
        bodies[1].skin_vertex_count = count; // of 5 vertices
        fixture_run_of(context, &topology, "skins", 1, folder);
        if (count == 6) {
            ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "the skin of body 1 has 6 vertices",
                         frame_read_topology(context, folder, &arena, &read));
            continue;
        }
        ASSERT_OK(context, frame_read_topology(context, folder, &arena, &read));
        ck_assert_int_eq(read.bodies[0].skin_vertex_count, 0);
        ck_assert_int_eq(read.bodies[1].skin_vertex_count, count);
    }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(refuses_cables_that_do_not_fit)
{
    static const struct {
        FrameCable cables[2];
        int32_t segments[2 * FIXTURE_SEGMENTS], elements[FIXTURE_SEGMENTS];
        const char *expected;
    } cases[] = {
        {{{2, 0, 2, 0.05}, {2, 2, 1, 0.02}}, {4, 8, 8, 5, 6, 7}, {1, 2, 3}, "is of body 2, expected 0 to 1"},
        {{{1, 0, 2, 0.05}, {0, 2, 1, 0.02}},
         {4, 8, 8, 5, 6, 7},
         {1, 2, 3},
         "cable 1 is of body 0, expected 1 to 1"},
        {{{1, 0, 2, 0.05}, {1, 1, 2, 0.02}},
         {4, 8, 8, 5, 6, 7},
         {1, 2, 3},
         "cable 1 has 2 segments from 1 on"},
        {{{1, 0, 2, 0.05}, {1, 1, 1, 0.02}},
         {4, 8, 8, 5, 6, 7},
         {1, 2, 3},
         "cable 1 has 1 segments from 1 on"},
        {{{1, 0, 2, 0.05}, {1, 2, 2, 0.02}},
         {4, 8, 8, 5, 6, 7},
         {1, 2, 3},
         "cable 1 has 2 segments from 2 on"},
        {{{1, 0, 3, 0.05}, {1, 3, 0, 0.02}}, {4, 8, 8, 5, 5, 7}, {1, 2, 3}, "cable 1 has 0 segments"},
        {{{1, 0, 1, 0.05}, {1, 1, 1, 0.02}},
         {4, 8, 8, 5, 6, 7},
         {1, 2, 3},
         "cables have 2 segments, expected the 3"},
        {{{1, 0, 2, 0.05}, {1, 2, 1, 0}}, {4, 8, 8, 5, 6, 7}, {1, 2, 3}, "cable 1 has the radius 0"},
        {{{1, 0, 2, INFINITY}, {1, 2, 1, 0.02}}, {4, 8, 8, 5, 6, 7}, {1, 2, 3}, "cable 0 has the radius inf"},
        {{{1, 0, 2, NAN}, {1, 2, 1, 0.02}}, {4, 8, 8, 5, 6, 7}, {1, 2, 3}, "cable 0 has the radius"},
        {{{1, 0, 2, 0.05}, {1, 2, 1, 0.02}},
         {4, 8, 5, 8, 6, 7},
         {1, 2, 3},
         "segment 1 of cable 0 begins at vertex 5, expected 8"},
        {{{1, 0, 2, 0.05}, {1, 2, 1, 0.02}}, {4, 8, 8, 5, 6, 9}, {1, 2, 3}, "chunk 'SEGS': index 9 at 5"},
        {{{1, 0, 2, 0.05}, {1, 2, 1, 0.02}}, {4, 8, 8, 5, 6, 7}, {1, 4, 3}, "chunk 'SEGE': index 4 at 1"},
    };
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        FrameTopology broken = fixture_cable_topology, topology;
        broken.cables = cases[i].cables;
        broken.segments = cases[i].segments;
        broken.segment_elements = cases[i].elements;
        fixture_run_of(context, &broken, "broken_cables", 1, folder);
        ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, cases[i].expected,
                     frame_read_topology(context, folder, &arena, &topology));
    }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(refuses_what_does_not_fit)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY], path[RUN_PATH_CAPACITY];
    fixture_run(context, "refuses", 2, folder);
    FrameTopology topology;
    Frame frame;
    ASSERT_OK(context, frame_read_topology(context, folder, &arena, &topology));
    const VelaResult invalid = VELA_ERROR_INVALID_INPUT;
    ASSERT_FAILS(context, invalid, "000002.vst", frame_read(context, folder, 2, &topology, &arena, &frame));
    FrameTopology other = topology;
    other.vertex_count = 8;
    ASSERT_FAILS(context, invalid, "9 vertices and 3 elements, expected 8",
                 frame_read(context, folder, 1, &other, &arena, &frame));
    // A state that is not a number is kept from readers, with its node.
    FixtureState state;
    Frame broken = fixture_frame(1, &state);
    state.positions[7] = NAN;
    ASSERT_OK(context, frame_write(context, folder, &fixture_topology, &broken));
    ASSERT_FAILS(context, invalid, "vertex 2 is not finite",
                 frame_read(context, folder, 1, &topology, &arena, &frame));
    // Foreign, short, and empty files.
    ASSERT_OK(context, run_state_path(context, folder, 1, path));
    ASSERT_OK(context, file_write(context, path, "\x89PNG\r\n\x1a\n....", 12));
    ASSERT_FAILS(context, invalid, "starts with '.PNG....' (12 bytes in all), expected 'vela.vst'",
                 frame_read(context, folder, 1, &topology, &arena, &frame));
    ASSERT_OK(context, file_write(context, path, "vela.vst\1", 9));
    ASSERT_FAILS(context, invalid, "truncated: found 9 bytes",
                 frame_read(context, folder, 1, &topology, &arena, &frame));
    ASSERT_OK(context, file_write(context, path, "", 0));
    ASSERT_FAILS(context, invalid, "starts with ''",
                 frame_read(context, folder, 1, &topology, &arena, &frame));
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

// What a full disk does to a write, without a disk to fill: a limit on the size of files.
START_TEST(full_disk_is_an_error)
{
    VelaContext *context = test_context();
    char folder[RUN_PATH_CAPACITY];
    fixture_run(context, "full", 1, folder);
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    const struct rlimit small = {.rlim_cur = 256, .rlim_max = before.rlim_max};
    FixtureState state;
    const Frame frame = fixture_frame(1, &state);
    // No assertion in between: Check keeps its own records in a file.
    const int limited = setrlimit(RLIMIT_FSIZE, &small);
    const VelaResult result = frame_write(context, folder, &fixture_topology, &frame);
    setrlimit(RLIMIT_FSIZE, &before);
    ck_assert_int_eq(limited, 0);
    ck_assert_int_eq(result, VELA_ERROR_IO);
    ck_assert_ptr_nonnull(
        strstr(vela_context_message(context), "states/000001.vst: cannot be written: File too large"));
    ck_assert(!file_exists(folder, "states/000001.vst"));
    ck_assert(!file_exists(folder, "states/000001.vst.part"));
    vela_context_destroy(context);
}
END_TEST

// Cuts the reader out of docs/state-format.md and lets it read what was written.
START_TEST(documented_reader)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY], script[RUN_PATH_CAPACITY], command[4 * RUN_PATH_CAPACITY],
        ropes[RUN_PATH_CAPACITY];
    fixture_run_of(context, &fixture_cable_topology, "documented_cables", 1, folder);
    ASSERT_OK(context, run_state_path(context, folder, 0, ropes));
    fixture_run(context, "documented", 2, folder);
    char *text;
    size_t size;
    ASSERT_OK(context, file_read(context, SOURCE_DIR "/docs/state-format.md", &arena, &text, &size));
    char *start = strstr(text, "```python\n"), *end = start ? strstr(start, "\n```\n") : NULL;
    ck_assert_ptr_nonnull(end);
    start += strlen("```python\n");
    *end = 0;
    ASSERT_OK(context, run_path(context, folder, "reader.py", script));
    FILE *file = fopen(script, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file, "%s\n\n", start);
    FixtureState state;
    const Frame frame = fixture_frame(1, &state);
    fprintf(
        file,
        "import sys\n"
        "first, second = read_state(sys.argv[1] + '/000000.vst'), read_state(sys.argv[1] + '/000001.vst')\n"
        "assert (second['index'], second['step'], second['time']) == (%lld, %lld, %.17g)\n"
        "assert (second['vertices'], second['elements']) == (9, 3)\n"
        "assert second['POSI'][7] == %.17g and second['VELO'][26] == %.17g and len(second['POSI']) == 27\n"
        "assert second['STRE'][2] == 1.5 and second['ENER'][1] == 21.0\n"
        "assert list(first['TETS'])[:4] == [0, 1, 2, 3] and first['TRIT'][9] == 2 and first['TRIS'][29] == "
        "8\n"
        "assert first['NAME'].split(b'\\0')[1] == b'right, the larger' and len(first['BODY']) == 112\n"
        "assert 'TETS' not in second and 'SEGS' not in first\n"
        "ropes = read_state(sys.argv[2])\n"
        "assert list(ropes['SEGS']) == [4, 8, 8, 5, 6, 7] and list(ropes['SEGE']) == [1, 2, 3]\n"
        "assert list(struct.iter_unpack('<iiiid', ropes['CABL'])) == [(1, 0, 2, 0, 0.05), (1, 2, 1, 0, 0.02)]\n",
        (long long)frame.index, (long long)frame.step, frame.time, state.positions[7], state.velocities[26]);
    fclose(file);
    snprintf(command, sizeof command, "/usr/bin/python3 '%s' '%s/states' '%s'", script, folder, ropes);
    if (access("/usr/bin/python3", X_OK) != 0)
        printf("documented_reader: no /usr/bin/python3, the documented reader was not run\n");
    else
        ck_assert_int_eq(system(command), 0);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("output frame");
    TCase *tests = tcase_create("frame");
    tcase_add_test(tests, crc_known_values);
    tcase_add_test(tests, round_trip);
    tcase_add_test(tests, cables_round_trip);
    tcase_add_test(tests, constraints_round_trip);
    tcase_add_test(tests, skins_round_trip);
    tcase_add_test(tests, refuses_cables_that_do_not_fit);
    tcase_add_test(tests, refuses_what_does_not_fit);
    tcase_add_test(tests, full_disk_is_an_error);
    tcase_add_test(tests, documented_reader);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
