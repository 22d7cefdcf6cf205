// The run folder: what may be replaced, what is removed and what is not, and run.json there and back.
#define _DEFAULT_SOURCE
#include "output_fixture.h"

#include "base/file.h"

static void folder_of(const char *name, char *folder)
{
    char command[RUN_PATH_CAPACITY + 16];
    snprintf(folder, RUN_PATH_CAPACITY, "%s/test_output/%s", BINARY_DIR, name);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(replaces_only_runs)
{
    VelaContext *context = test_context();
    char folder[RUN_PATH_CAPACITY], inner[2 * RUN_PATH_CAPACITY];
    const RunRecord record = fixture_record();
    // A new folder, with parents that are missing; an empty one; a run; each is fine.
    folder_of("replace", folder);
    snprintf(inner, sizeof inner, "%s/a/b", folder);
    ASSERT_OK(context, run_folder_create(context, inner, &record));
    ck_assert(file_exists(inner, "run.json") && file_exists(inner, "states") && file_exists(inner, "images"));
    ASSERT_OK(context, run_folder_create(context, inner, &record));
    snprintf(inner, sizeof inner, "%s/empty/", folder);
    ASSERT_OK(context, file_make_folder(context, inner));
    ASSERT_OK(context, run_folder_create(context, inner, &record));
    // A stranger's folder and a file are not.
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "it holds '",
                 run_folder_create(context, folder, &record));
    ck_assert(!file_exists(folder, "run.json") && !file_exists(folder, "states"));
    touch(folder, "file", "text");
    snprintf(inner, sizeof inner, "%s/file", folder);
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "found a file",
                 run_folder_create(context, inner, &record));
    snprintf(inner, sizeof inner, "%s/file/below", folder);
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "Not a directory",
                 run_folder_create(context, inner, &record));
    // A folder named run.json does not make a run.
    snprintf(inner, sizeof inner, "%s/odd/run.json", folder);
    ASSERT_OK(context, file_make_folder(context, inner));
    snprintf(inner, sizeof inner, "%s/odd", folder);
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "no run.json",
                 run_folder_create(context, inner, &record));
    // A run that was killed while it wrote its first file left nothing of worth.
    snprintf(inner, sizeof inner, "%s/killed", folder);
    ASSERT_OK(context, file_make_folder(context, inner));
    touch(inner, "run.json.part", "{");
    ASSERT_OK(context, run_folder_create(context, inner, &record));
    vela_context_destroy(context);
}
END_TEST

START_TEST(removes_only_its_own)
{
    VelaContext *context = test_context();
    char folder[RUN_PATH_CAPACITY];
    folder_of("own", folder);
    fixture_run(context, "own", 3, folder);
    static const char *const own[] = {"scene.json",         "diagnostics.csv",       "checkpoint.vck",
                                      "energy.png",         "momentum.png",          "images/000000.png",
                                      "images/1000000.png", "images/000007.png.part"};
    static const char *const strange[] = {"notes.txt",         "images/photo.png",  "images/00001.png",
                                          "states/000001.bak", "images/000001.jpg", "images/000001.png.old"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i)
        touch(folder, own[i], "own");
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; ++i)
        touch(folder, strange[i], "strange");
    const RunRecord record = fixture_record();
    ASSERT_OK(context, run_folder_create(context, folder, &record));
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i)
        ck_assert_msg(!file_exists(folder, own[i]), "%s stayed", own[i]);
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; ++i)
        ck_assert_msg(file_exists(folder, strange[i]), "%s was removed", strange[i]);
    int64_t count;
    ASSERT_OK(context, frame_count(context, folder, &count));
    ck_assert_int_eq(count, 0);
    vela_context_destroy(context);
}
END_TEST

START_TEST(truncates_frames)
{
    VelaContext *context = test_context();
    char folder[RUN_PATH_CAPACITY];
    folder_of("truncate", folder);
    fixture_run(context, "truncate", 5, folder);
    touch(folder, "images/000002.png", "image");
    touch(folder, "images/000003.png", "image");
    ASSERT_OK(context, run_folder_truncate_frames(context, folder, 3));
    int64_t count;
    ASSERT_OK(context, frame_count(context, folder, &count));
    ck_assert_int_eq(count, 3);
    ck_assert(file_exists(folder, "images/000002.png") && !file_exists(folder, "images/000003.png"));
    vela_context_destroy(context);
}
END_TEST

START_TEST(unwritable_is_an_error)
{
    VelaContext *context = test_context();
    const RunRecord record = fixture_record();
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "/proc/vela",
                 run_folder_create(context, "/proc/vela/run", &record));
    char *longer = malloc(5000);
    memset(longer, 'x', 4999);
    longer[4999] = 0;
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "characters",
                 run_folder_create(context, longer, &record));
    free(longer);
    vela_context_destroy(context);
}
END_TEST

START_TEST(record_round_trip)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY];
    folder_of("record", folder);
    const RunPhase phases[] = {{"prepare", 0.125}, {"simulate", 1.0 / 3}};
    const RunKernel kernels[] = {{"admm_local", 12345678901, 2.5}};
    const RunRecord record = {
        .scene_name = "quoted \"name\"\n\\ with µ and a broken \xff byte",
        .scene_path = "scenes/a.json",
        .started = "2024-02-29T12:34:56Z",
        .scene_hash = 0xfedcba9876543210u,
        .device_kind = "vulkan",
        .device = "GPU",
        .driver = "driver 1.2",
        .precision = "f32",
        .threads = 2,
        .nodes = 100,
        .tets = 200,
        .triangles = 300,
        .bodies = 4,
        .time_step = 1.0 / 120,
        .frame_every = 4,
        .steps_planned = 240,
        .steps_done = 17,
        .frames_planned = 61,
        .frames_done = 5,
        .resumed_from_step = -1,
        .iterations = 1700,
        .unconverged_steps = 3,
        .host_waits = 99,
        .wall_seconds = NAN,
        .phase_count = 2,
        .phases = phases,
        .kernel_count = 1,
        .kernels = kernels,
        .state = RUN_INTERRUPTED,
        .message = "Ctrl-C",
    };
    ASSERT_OK(context, run_folder_create(context, folder, &record));
    RunRecord found;
    ASSERT_OK(context, run_record_read(context, folder, &arena, &found));
    ck_assert_str_eq(found.scene_name, "quoted \"name\"\n\\ with µ and a broken \xef\xbf\xbd byte");
    ck_assert_str_eq(found.scene_path, record.scene_path);
    ck_assert_uint_eq(found.scene_hash, record.scene_hash);
    ck_assert_str_eq(found.version, vela_version());
    ck_assert_str_eq(found.revision, vela_revision());
    ck_assert_str_eq(found.device_kind, "vulkan");
    ck_assert_str_eq(found.driver, "driver 1.2");
    ck_assert_ptr_null(found.render_device);
    ck_assert_int_eq(found.threads, 2);
    ck_assert_int_eq(found.triangles, 300);
    ck_assert_double_eq(found.time_step, 1.0 / 120);
    ck_assert_int_eq(found.frame_every, 4);
    ck_assert_int_eq(found.steps_done, 17);
    ck_assert_int_eq(found.resumed_from_step, -1);
    ck_assert_int_eq(found.host_waits, 99);
    ck_assert_double_eq(found.wall_seconds, 0);
    ck_assert_str_eq(found.started, record.started);
    ck_assert_int_eq(found.state, RUN_INTERRUPTED);
    ck_assert_str_eq(found.message, "Ctrl-C");
    ck_assert_int_eq(found.phase_count, 2);
    ck_assert_str_eq(found.phases[1].name, "simulate");
    ck_assert_double_eq(found.phases[1].seconds, 1.0 / 3);
    ck_assert_int_eq(found.kernel_count, 1);
    ck_assert_int_eq(found.kernels[0].dispatches, 12345678901);
    ck_assert_double_eq(found.kernels[0].milliseconds, 2.5);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(refuses_foreign_records)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY], nowhere[2 * RUN_PATH_CAPACITY];
    folder_of("foreign", folder);
    ASSERT_OK(context, file_make_folder(context, folder));
    const VelaResult invalid = VELA_ERROR_INVALID_INPUT;
    RunRecord record;
    snprintf(nowhere, sizeof nowhere, "%s/nowhere", folder);
    ASSERT_FAILS(context, invalid, "No such file", run_record_read(context, nowhere, &arena, &record));
    ASSERT_FAILS(context, invalid, "not a run folder", run_record_read(context, folder, &arena, &record));
    static const char *const cases[][2] = {
        {"{\"program\": ", "not valid JSON"},
        {"{} trailing", "not valid JSON"},
        {"[]", "expected a JSON object"},
        {"{\"program\": \"other\"}", "found 'other', expected 'vela'"},
        {"{\"program\": \"vela\", \"state\": \"odd\"}", "state: found 'odd'"},
        {"{\"program\": \"vela\", \"state\": \"failed\", \"scene_hash\": \"xyz\"}", "scene_hash"},
        {"{\"program\": \"vela\", \"state\": \"failed\", \"scene_hash\": \"0123456789abcdef\", \"nodes\": "
         "-7}",
         "nodes"},
        {"{\"program\": \"vela\", \"state\": \"failed\", \"scene_hash\": \"0123456789abcdef\", \"nodes\": "
         "\"7\"}",
         "nodes"},
        {"{\"program\": \"vela\", \"state\": \"failed\", \"scene_hash\": \"0123456789abcdef\", \"phases\": "
         "3}",
         "phases"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        touch(folder, "run.json", cases[i][0]);
        ASSERT_FAILS(context, invalid, cases[i][1], run_record_read(context, folder, &arena, &record));
        ck_assert_ptr_nonnull(strstr(vela_context_message(context), "run.json"));
    }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("output run folder");
    TCase *tests = tcase_create("run folder");
    tcase_add_test(tests, replaces_only_runs);
    tcase_add_test(tests, removes_only_its_own);
    tcase_add_test(tests, truncates_frames);
    tcase_add_test(tests, unwritable_is_an_error);
    tcase_add_test(tests, record_round_trip);
    tcase_add_test(tests, refuses_foreign_records);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
