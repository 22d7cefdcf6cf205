// The public functions when something is wrong: every kind of failure ends in its result and a message, frees everything,
// and leaves the context usable. Memory limits from nothing to enough make one allocation after the other fail.
#define _DEFAULT_SOURCE
#include "check_main.h"

#include "base/context.h"
#include "base/file.h"
#include "vela/vela.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define FOLDER BINARY_DIR "/api_failures"
#define SCENE FOLDER "/scene.json"
#define RUN FOLDER "/run"

static const char scene_text[] =
    "{\"version\": 1, \"name\": \"small\", \"time\": {\"step\": 0.01, \"duration\": 0.03},\n"
    " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"kappa\": 1e4, \"lambda\": "
    "1e4}},\n"
    " \"bodies\": [{\"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [3, 2, 2]}}, \"material\": "
    "\"m\",\n"
    "             \"pins\": [{\"select\": {\"nearest\": [0, 0, 0]}}]},\n"
    "            {\"geometry\": {\"mesh\": \"tet.mesh\"}, \"material\": \"m\", \"translate\": [3, 0, 0]}],\n"
    " \"obstacles\": [{\"plane\": {\"point\": [0, -1, 0], \"normal\": [0, 1, 0]}},\n"
    "               {\"plane\": {\"point\": [-2, 0, 0], \"normal\": [1, 0.5, 0]}}],\n"
    " \"contact\": {\"model\": \"penalty\", \"stiffness\": 100}, \"render\": {\"size\": [32, 32]}}\n";
static const char mesh_text[] =
    "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n"
    "0 0 1 0\nTetrahedra\n1\n1 2 3 4 0\nEnd\n";

static VelaContext *limited_context(size_t memory_limit)
{
    VelaContextDef def = vela_default_context_def();
    def.memory_limit = memory_limit;
    def.threads = 1;
    VelaContext *context;
    ck_assert_int_eq(vela_context_create(&def, &context), VELA_OK);
    return context;
}

static void write_text(const char *path, const char *text)
{
    VelaContext *context = test_context();
    ASSERT_OK(context, file_write(context, path, text, strlen(text)));
    vela_context_destroy(context);
}

static VelaRunDef small_run(void)
{
    VelaRunDef def = vela_default_run_def();
    def.scene = SCENE;
    def.output = RUN;
    def.device = "cpu";
    def.render = false;
    return def;
}

/// What every test starts from: a scene with its mesh, and a run of it.
static void make_run(void)
{
    VelaContext *context = test_context();
    ASSERT_OK(context, file_make_folder(context, FOLDER));
    write_text(SCENE, scene_text);
    write_text(FOLDER "/tet.mesh", mesh_text);
    write_text(FOLDER "/file", "not a folder\n");
    const VelaRunDef def = small_run();
    ASSERT_OK(context, vela_run(context, &def, NULL));
    vela_context_destroy(context);
}

/// The call has failed as expected, freed everything, and left a message that holds `part`; the context goes on.
static void assert_failed(VelaContext *context, VelaResult result, VelaResult expected, const char *part)
{
    const char *message = vela_context_message(context);
    ck_assert_msg(result == expected, "result %d, expected %d with '%s': %s", result, expected, part,
                  message);
    ck_assert_msg(*message && strstr(message, part), "'%s' lacks '%s'", message, part);
    ck_assert_msg(context->memory_used == 0, "%zu bytes are not freed after: %s",
                  (size_t)context->memory_used, message);
    VelaSceneReport report;
    ASSERT_OK(context, vela_check(context, SCENE, 0, NULL, &report));
    ck_assert_int_eq(report.bodies, 2);
}

// ---------------------------------------------------------------- wrong arguments, missing and broken files

START_TEST(scenes_that_cannot_be_read)
{
    make_run();
    write_text(FOLDER "/broken.json", "{\"version\": 1,\n \"time\" {}}\n");
    write_text(FOLDER "/empty.json", "");
    write_text(FOLDER "/binary.json", "\x7f\x45LF\x01\x02");
    static const char *const paths[][2] = {
        {FOLDER "/missing.json", "missing.json"},
        {FOLDER, FOLDER},
        {FOLDER "/file/scene.json", "file/"},
        {FOLDER "/broken.json", "broken.json:2"},
        {FOLDER "/empty.json", "empty.json"},
        {FOLDER "/binary.json", "binary.json:1"},
        {"", "scene"},
    };
    VelaContext *context = limited_context(0);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
        VelaSceneReport report;
        assert_failed(context, vela_check(context, paths[i][0], 0, NULL, &report), VELA_ERROR_INVALID_INPUT,
                      *paths[i][0] ? paths[i][1] : "");
        VelaRunDef run = small_run();
        run.scene = paths[i][0];
        VelaRunSummary summary;
        assert_failed(context, vela_run(context, &run, &summary), VELA_ERROR_INVALID_INPUT, "");
        ck_assert_int_eq(summary.checkpoint_step, -1);
        VelaCompareDef compare = vela_default_compare_def();
        compare.scene = paths[i][0];
        compare.b = "cpu";
        compare.output = FOLDER "/compared";
        assert_failed(context, vela_compare(context, &compare, NULL), VELA_ERROR_INVALID_INPUT, "");
    }
    vela_context_destroy(context);
}
END_TEST

typedef struct WrongRun {
    const char *output, *device, *precision, *override;
    int64_t steps;
    bool resume;
    VelaResult result;
    const char *part;
} WrongRun;

START_TEST(runs_that_cannot_start)
{
    make_run();
    static const WrongRun wrong[] = {
        {RUN, "gpu", NULL, NULL, -1, false, VELA_ERROR_INVALID_INPUT, "gpu"},
        {RUN, "cpu", "f32", NULL, -1, false, VELA_ERROR_INVALID_INPUT, "f32"},
        {RUN, "cpu", "f16", NULL, -1, false, VELA_ERROR_INVALID_INPUT, "f16"},
        {RUN, "cpu", NULL, NULL, -2, false, VELA_ERROR_INVALID_INPUT, "steps"},
        {"", "cpu", NULL, NULL, -1, false, VELA_ERROR_INVALID_INPUT, "-o"},
        {RUN, "cpu", NULL, "gravitty=1", -1, false, VELA_ERROR_INVALID_INPUT, "gravity"},
        {RUN, "cpu", NULL, "", -1, false, VELA_ERROR_INVALID_INPUT, "--set"},
        {RUN, "cpu", NULL, "bodies.1.geometry.mesh=gone.mesh", -1, false, VELA_ERROR_INVALID_INPUT,
         "gone.mesh"},
        {RUN, "cpu", NULL, "solver.type=lemke", -1, false, VELA_ERROR_INVALID_INPUT,
         "expected one of: newton, admm, compliant"},
        {FOLDER, "cpu", NULL, NULL, -1, false, VELA_ERROR_INVALID_INPUT, "no run folder"},
        {FOLDER "/file", "cpu", NULL, NULL, -1, false, VELA_ERROR_INVALID_INPUT, "found a file"},
        {FOLDER "/file/run", "cpu", NULL, NULL, -1, false, VELA_ERROR_INVALID_INPUT, "file/run"},
        {"/proc/none/run", "cpu", NULL, NULL, -1, false, VELA_ERROR_INVALID_INPUT, "/proc/none"},
        {FOLDER, "cpu", NULL, NULL, -1, true, VELA_ERROR_INVALID_INPUT, "nothing to resume"},
        {RUN, "cpu", NULL, NULL, 1, true, VELA_ERROR_INVALID_INPUT, "step 3"},
        {RUN, "cpu", NULL, "gravity=[0,0,0]", -1, true, VELA_ERROR_INVALID_INPUT, "checkpoint.vck"},
    };
    VelaContext *context = limited_context(0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        VelaRunDef def = small_run();
        def.output = wrong[i].output;
        def.device = wrong[i].device;
        def.precision = wrong[i].precision;
        def.steps = wrong[i].steps;
        def.resume = wrong[i].resume;
        def.override_count = wrong[i].override != NULL;
        def.overrides = &wrong[i].override;
        assert_failed(context, vela_run(context, &def, NULL), wrong[i].result, wrong[i].part);
    }
    VelaRunDef def = small_run();
    def.cookie = 0;
    assert_failed(context, vela_run(context, &def, NULL), VELA_ERROR_INVALID_INPUT, "vela_default_run_def");
    char longest[3000];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    def = small_run();
    def.output = longest;
    assert_failed(context, vela_run(context, &def, NULL), VELA_ERROR_INVALID_INPUT, "-o");
    // None of this has touched the run that was there.
    def = small_run();
    def.resume = true;
    def.steps = 4;
    ASSERT_OK(context, vela_run(context, &def, NULL));
    vela_context_destroy(context);
}
END_TEST

START_TEST(interrupted_runs_go_on)
{
    make_run();
    VelaContext *context = limited_context(0);
    const VelaRunDef def = small_run();
    vela_context_interrupt(context);
    assert_failed(context, vela_run(context, &def, NULL), VELA_ERROR_INTERRUPTED, "after step 0");
    VelaRunDef resumed = def;
    resumed.resume = true;
    VelaRunSummary summary;
    ASSERT_OK(context, vela_run(context, &resumed, &summary));
    ck_assert_int_eq(summary.step, 3);
    ck_assert_msg(summary.energy_drift != 0, "the drift is told without a progress function as well");
    vela_context_destroy(context);
}
END_TEST

START_TEST(comparisons_that_fail)
{
    make_run();
    VelaContext *context = limited_context(0);
    VelaCompareDef def = vela_default_compare_def();
    def.scene = SCENE;
    def.b = "cpu";
    def.output = FOLDER "/compared";
    ASSERT_OK(context, vela_compare(context, &def, NULL));
    def.b = NULL;
    assert_failed(context, vela_compare(context, &def, NULL), VELA_ERROR_INVALID_INPUT, "no device");
    def.b = "abacus";
    assert_failed(context, vela_compare(context, &def, NULL), VELA_ERROR_INVALID_INPUT, "abacus");
    def.b = "cpu";
    def.output = FOLDER "/file";
    assert_failed(context, vela_compare(context, &def, NULL), VELA_ERROR_INVALID_INPUT, "file");
    def.output = "";
    assert_failed(context, vela_compare(context, &def, NULL), VELA_ERROR_INVALID_INPUT, "-o");
    def.output = FOLDER "/compared";
    def.tolerance = NAN;
    assert_failed(context, vela_compare(context, &def, NULL), VELA_ERROR_INVALID_INPUT, "tolerance");
    vela_context_destroy(context);
}
END_TEST

START_TEST(folders_that_cannot_be_read)
{
    make_run();
    VelaContext *context = limited_context(0);
    static const char *const wrong[] = {FOLDER "/nothing", FOLDER, FOLDER "/file", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        assert_failed(context, vela_export(context, wrong[i], "obj", FOLDER "/exported"),
                      VELA_ERROR_INVALID_INPUT, wrong[i]);
        assert_failed(context, vela_plot(context, 1, &wrong[i], FOLDER "/plotted"), VELA_ERROR_INVALID_INPUT,
                      wrong[i]);
        VelaRenderDef def = vela_default_render_def();
        def.folder = wrong[i];
        assert_failed(context, vela_render(context, &def, NULL), VELA_ERROR_INVALID_INPUT, wrong[i]);
    }
    const char *run = RUN, *runs[13];
    for (int i = 0; i < 13; ++i)
        runs[i] = RUN;
    assert_failed(context, vela_export(context, run, "docx", NULL), VELA_ERROR_INVALID_INPUT, "docx");
    assert_failed(context, vela_export(context, run, "vtu", NULL), VELA_ERROR_UNSUPPORTED,
                  "not in this version");
    assert_failed(context, vela_export(context, run, "npy", FOLDER "/file"), VELA_ERROR_INVALID_INPUT,
                  "file");
    assert_failed(context, vela_plot(context, 0, NULL, NULL), VELA_ERROR_INVALID_INPUT, "folder");
    assert_failed(context, vela_plot(context, 13, runs, NULL), VELA_ERROR_INVALID_INPUT, "1 to 12");
    assert_failed(context, vela_plot_ledger(context, 13, runs, NULL), VELA_ERROR_INVALID_INPUT,
                  "found 13 run folders, expected 1 to 12");
    char picture[1024];
    assert_failed(context, vela_plot_spline(context, "no_such_scene.json", 0, NULL, NULL, picture),
                  VELA_ERROR_INVALID_INPUT, "no_such_scene.json");
    assert_failed(context, vela_plot_columns(context, 1, &run, NULL, NULL), VELA_ERROR_INVALID_INPUT,
                  "no columns");
    assert_failed(context, vela_plot_columns(context, 13, runs, "total", NULL), VELA_ERROR_INVALID_INPUT,
                  "1 to 12");
    assert_failed(context, vela_plot(context, 1, &run, FOLDER "/file"), VELA_ERROR_INVALID_INPUT, "file");
    write_text(RUN "/diagnostics.csv", "step,time\n0,zero\n");
    assert_failed(context, vela_plot(context, 1, &run, NULL), VELA_ERROR_INVALID_INPUT, "diagnostics.csv");
    write_text(RUN "/states/000001.vst", "broken");
    assert_failed(context, vela_export(context, run, "ply", NULL), VELA_ERROR_INVALID_INPUT, "000001.vst");
    write_text(RUN "/run.json", "{\"format\": 99}");
    assert_failed(context, vela_export(context, run, "npy", NULL), VELA_ERROR_INVALID_INPUT, "run.json");
    vela_context_destroy(context);
}
END_TEST

START_TEST(images_that_cannot_be_drawn)
{
    make_run();
    VelaContext *context = limited_context(0);
    VelaRenderDef def = vela_default_render_def();
    def.folder = RUN;
    def.width = 4;
    assert_failed(context, vela_render(context, &def, NULL), VELA_ERROR_INVALID_INPUT, "size");
    def.width = 0;
    def.has_camera = true;
    assert_failed(context, vela_render(context, &def, NULL), VELA_ERROR_INVALID_INPUT, "camera");
    def.has_camera = false;
    def.first_frame = 9;
    assert_failed(context, vela_render(context, &def, NULL), VELA_ERROR_INVALID_INPUT, "frames");
    def.first_frame = 0;
    def.output = FOLDER "/file";
    assert_failed(context, vela_render(context, &def, NULL), VELA_ERROR_INVALID_INPUT, "file");
    // The mesh is no longer there: images need only what the run has left.
    def.output = FOLDER "/drawn";
    ck_assert_int_eq(unlink(FOLDER "/tet.mesh"), 0);
    const VelaResult result = vela_render(context, &def, NULL);
    ck_assert_msg(result == VELA_OK || result == VELA_ERROR_NO_DEVICE, "%s", vela_context_message(context));
    write_text(FOLDER "/tet.mesh", mesh_text);
    write_text(RUN "/scene.json", "{}");
    assert_failed(context, vela_render(context, &def, NULL), VELA_ERROR_INVALID_INPUT, "scene.json");
    vela_context_destroy(context);
}
END_TEST

// ---------------------------------------------------------------- memory that runs out

typedef VelaResult (*Call)(VelaContext *context);

static VelaResult call_check(VelaContext *context)
{
    VelaSceneReport report;
    return vela_check(context, SCENE, 0, NULL, &report);
}

static VelaResult call_run(VelaContext *context)
{
    const VelaRunDef def = small_run();
    return vela_run(context, &def, NULL);
}

static VelaResult call_resume(VelaContext *context)
{
    VelaRunDef def = small_run();
    def.resume = true;
    def.steps = 4;
    return vela_run(context, &def, NULL);
}

static VelaResult call_compare(VelaContext *context)
{
    VelaCompareDef def = vela_default_compare_def();
    def.scene = SCENE;
    def.b = "cpu";
    def.steps = 1;
    def.output = FOLDER "/compared";
    return vela_compare(context, &def, NULL);
}

static VelaResult call_export(VelaContext *context)
{
    static const char *const formats[] = {"obj", "ply", "npy"}, *const folders[] = {FOLDER "/obj",
                                                                                    FOLDER "/ply",
                                                                                    FOLDER "/npy"};
    for (int f = 0; f < 3; ++f)
        TRY(vela_export(context, RUN, formats[f], folders[f]));
    return VELA_OK;
}

static VelaResult call_plot(VelaContext *context)
{
    const char *folders[] = {RUN, RUN};
    return vela_plot(context, 2, folders, FOLDER "/plotted");
}

static VelaResult call_render(VelaContext *context)
{
    VelaRenderDef def = vela_default_render_def();
    def.folder = RUN;
    def.output = FOLDER "/drawn";
    return vela_render(context, &def, NULL);
}

/// `first`: bytes of the smallest limit; each next one is larger by `factor` and `more`.
typedef struct Sweep {
    const char *name;
    Call call;
    double factor;
    size_t more;
} Sweep;

static const Sweep sweeps[] = {
    {"vela_check", call_check, 1.005, 2000},   {"vela_run", call_run, 1.005, 4000},
    {"vela_resume", call_resume, 1.005, 4000}, {"vela_compare", call_compare, 1.005, 6000},
    {"vela_export", call_export, 1.005, 2000}, {"vela_plot", call_plot, 1.1, 30000},
    {"vela_render", call_render, 1.5, 60000},
};

START_TEST(memory_runs_out)
{
    const Sweep *sweep = &sweeps[_i];
    make_run();
    int failures = 0;
    for (double limit = 1000;; limit = limit * sweep->factor + (double)sweep->more) {
        VelaContext *context = limited_context((size_t)limit);
        const VelaResult result = sweep->call(context);
        const char *message = vela_context_message(context);
        if (result == VELA_ERROR_NO_DEVICE) {
            vela_context_destroy(context);
            break;
        }
        ck_assert_msg(result == VELA_OK || result == VELA_ERROR_OUT_OF_MEMORY,
                      "%s within %.0f bytes: result %d: %s", sweep->name, limit, result, message);
        ck_assert_msg(result == VELA_OK || *message, "%s within %.0f bytes: no message", sweep->name, limit);
        ck_assert_msg(context->memory_used == 0, "%s within %.0f bytes: %zu bytes are not freed after: %s",
                      sweep->name, limit, (size_t)context->memory_used, message);
        vela_context_destroy(context);
        ++failures;
        if (result == VELA_OK)
            break;
        ck_assert_msg(limit < 1e9, "%s never has enough memory", sweep->name);
    }
    printf("%s: %d limits until there was enough\n", sweep->name, failures);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("failures of the public functions");
    TCase *tests = tcase_create("failures");
    tcase_add_test(tests, scenes_that_cannot_be_read);
    tcase_add_test(tests, runs_that_cannot_start);
    tcase_add_test(tests, interrupted_runs_go_on);
    tcase_add_test(tests, comparisons_that_fail);
    tcase_add_test(tests, folders_that_cannot_be_read);
    tcase_add_test(tests, images_that_cannot_be_drawn);
    tcase_add_loop_test(tests, memory_runs_out, 0, sizeof sweeps / sizeof *sweeps);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
