// Plots: axes and labels for odd ranges, and pictures of invented runs, looked at for the colours that must be in them.
// The pictures stay below test_output/ in the build folder, to be looked at by people.
#define _DEFAULT_SOURCE
#include "output_fixture.h"

#include "base/file.h"
#include "output/chart.h"
#include "output/diagnostics.h"
#include "output/plot.h"
#include "output/plot_parts.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>

// ------------------------------------------------------------------------------------------------ axes

static void assert_labels(double low, double high, int most, const char *first, const char *last,
                          int exponent)
{
    const Axis axis = chart_axis(low, high, most, false);
    char text[64];
    chart_tick_label(&axis, 0, text);
    ck_assert_str_eq(text, first);
    chart_tick_label(&axis, axis.count - 1, text);
    ck_assert_str_eq(text, last);
    ck_assert_int_eq(axis.exponent, exponent);
    ck_assert_int_le(axis.count, most + 1);
}

START_TEST(axis_labels)
{
    assert_labels(0, 2, 5, "0.0", "2.0", 0);
    assert_labels(0, 7, 10, "0", "7", 0);
    assert_labels(-35, 12, 6,
                  "\xe2\x88\x92"
                  "30",
                  "10", 0);
    assert_labels(0, 3e-7, 4, "0", "300", -9);
    assert_labels(0, 4.2e9, 5, "0", "4", 9);
    // A small change of a large number is shown as what it is.
    const Axis axis = chart_axis(1234.5, 1234.5 + 1e-6, 6, true);
    ck_assert_double_eq_tol(axis.offset, 1234.5, 1e-5);
    ck_assert_int_eq(axis.exponent, -9);
    ck_assert_int_ge(axis.count, 3);
}
END_TEST

START_TEST(axis_of_odd_data)
{
    const double cases[][2] = {
        {1, -1},          {0, 0},         {5, 5},         {-1e300, 1e300},     {-1e308, 1e308},
        {1e-320, 1e-319}, {1e-30, 2e-30}, {1, 1 + 1e-15}, {-1e17, -1e17 + 16}, {0, 1e-300}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        for (int most = 2; most < 12; ++most) {
            const Axis axis = chart_axis(cases[i][0], cases[i][1], most, true);
            ck_assert(isfinite(axis.low) && isfinite(axis.high) && axis.low < axis.high && axis.step > 0);
            ck_assert_msg(axis.count >= 1 && axis.count <= most + 1, "case %zu: %d ticks of %d", i,
                          axis.count, most);
            char text[64];
            for (int k = 0; k < axis.count; ++k)
                chart_tick_label(&axis, k, text);
        }
    }
}
END_TEST

// ------------------------------------------------------------------------------------------------ pictures

typedef void (*RowFunction)(DiagnosticsRow *row);

static void make_run(VelaContext *context, const char *name, int64_t steps, double step, RowFunction fill,
                     char *folder)
{
    fixture_run(context, name, 0, folder);
    RunRecord record = fixture_record();
    record.scene_name = name;
    record.device_kind = "cpu";
    record.precision = "f64";
    record.nodes = 12345;
    record.tets = 54321;
    record.time_step = step;
    record.state = RUN_FINISHED;
    ASSERT_OK(context, run_record_write(context, folder, &record));
    StepTable writer;
    ASSERT_OK(context, diagnostics_open(&writer, context, folder, false));
    for (int64_t i = 0; i <= steps; ++i) {
        DiagnosticsRow row = diagnostics_empty_row(i, (double)i * step);
        fill(&row);
        ASSERT_OK(context, diagnostics_write(&writer, &row));
    }
    step_table_close(&writer);
}

static void bouncing(DiagnosticsRow *row)
{
    const double t = row->time, phase = fmod(t + 0.45, 0.9) / 0.9 - 0.5;
    row->gravitational = 9.81 * (1 - 4 * phase * phase);
    row->contact = 6 * exp(-900 * (0.5 - fabs(phase)) * (0.5 - fabs(phase)));
    row->elastic =
        1.2 * exp(-300 * (0.5 - fabs(phase)) * (0.5 - fabs(phase))) + 0.2 * (1 + sin(40 * t)) * (t > 0.4);
    row->total = 9.81 + 0.002 * sin(13 * t) * (t > 0);
    row->kinetic = row->total - row->gravitational - row->contact - row->elastic;
    row->constraint = 0;
    row->target = 9.81;
    row->dissipated = 0;
    for (int k = 0; k < 3; ++k) {
        row->linear_momentum[k] = k == 1 ? -4 * phase : 1e-16 * sin(50 * t + k);
        row->angular_momentum[k] = (k - 1) * (0.5 + 0.1 * sin(t + k));
    }
}

static void damped(DiagnosticsRow *row)
{
    bouncing(row);
    row->kinetic *= exp(-0.5 * row->time);
    row->total = row->kinetic + row->gravitational + row->contact + row->elastic;
    row->dissipated = 9.81 - row->total;
    row->target = NAN;
}

static void constant(DiagnosticsRow *row)
{
    row->kinetic = 3;
    row->elastic = 0;
    row->total = 3;
    row->linear_momentum[0] = row->linear_momentum[1] = row->linear_momentum[2] = 0;
    row->angular_momentum[0] = 1e-14;
    row->angular_momentum[1] = row->angular_momentum[2] = 0;
}

static void exploding(DiagnosticsRow *row)
{
    const double size = pow(10, (double)row->step * 6);
    row->kinetic = row->step % 7 == 5 ? NAN : size;
    row->elastic = row->step > 20 ? INFINITY : size / 2;
    row->total = row->kinetic + row->elastic;
    row->gravitational = -size / 5;
    for (int k = 0; k < 3; ++k)
        row->linear_momentum[k] = row->angular_momentum[k] = k * size;
}

static void precise(DiagnosticsRow *row)
{
    row->kinetic = 123456.789 + 1e-5 * sin(3 * row->time);
    row->total = row->kinetic;
    row->target = 123456.789;
    for (int k = 0; k < 3; ++k) {
        row->linear_momentum[k] = 1e-17 * sin(row->time * (1 + k) * 7);
        row->angular_momentum[k] = -5000.25 + 1e-9 * cos(row->time * (1 + k));
    }
}

static void nothing(DiagnosticsRow *row)
{
    (void)row;
}

static void noisy(DiagnosticsRow *row)
{
    const uint32_t bits = (uint32_t)row->step * 2654435761u;
    row->kinetic = (double)(bits >> 8) / (1 << 24);
    row->elastic = 2 + sin(0.001 * row->time) + 0.2 * (double)(bits & 255) / 255;
    row->total = row->kinetic + row->elastic;
    row->linear_momentum[0] = row->kinetic;
    row->angular_momentum[2] = row->elastic;
}

// Three bytes a pixel; to be freed with stbi_image_free.
static unsigned char *load_picture(VelaContext *context, const char *folder, const char *name)
{
    Arena arena = arena_make(context);
    char path[RUN_PATH_CAPACITY], *data;
    size_t size;
    ASSERT_OK(context, run_path(context, folder, name, path));
    ASSERT_OK(context, file_read(context, path, &arena, &data, &size));
    int width, height, channels;
    unsigned char *pixels =
        stbi_load_from_memory((unsigned char *)data, (int)size, &width, &height, &channels, 0);
    ck_assert_ptr_nonnull(pixels);
    ck_assert_int_eq(width, CHART_WIDTH);
    ck_assert_int_eq(height, CHART_HEIGHT);
    ck_assert_int_eq(channels, 3);
    arena_clear(&arena);
    return pixels;
}

// Number of pixels of a colour, give or take what PNG does not change.
static int count_pixels(VelaContext *context, const char *folder, const char *name, int red, int green,
                        int blue)
{
    unsigned char *pixels = load_picture(context, folder, name);
    int count = 0;
    for (int i = 0; i < CHART_WIDTH * CHART_HEIGHT; ++i)
        count += pixels[3 * i] == red && pixels[3 * i + 1] == green && pixels[3 * i + 2] == blue;
    stbi_image_free(pixels);
    return count;
}

START_TEST(one_run)
{
    static const struct {
        const char *name;
        int64_t steps;
        double step;
        RowFunction fill;
        bool kinetic; ///< its colour must be in energy.png
    } cases[] = {
        {"bouncing", 600, 1.0 / 120, bouncing, true}, {"constant", 30, 0.1, constant, true},
        {"exploding", 45, 1e-5, exploding, true},     {"precise", 200, 0.01, precise, true},
        {"nothing", 10, 0.1, nothing, false},         {"noisy", 6000, 0.5, noisy, true},
        {"one_row", 0, 0.1, constant, true},
    };
    VelaContext *context = test_context();
    char folder[RUN_PATH_CAPACITY];
    make_run(context, cases[_i].name, cases[_i].steps, cases[_i].step, cases[_i].fill, folder);
    const char *folders[] = {folder};
    ASSERT_OK(context, plot_runs(context, 1, folders, NULL));
    const int kinetic = count_pixels(context, folder, "energy.png", 0, 114, 178);
    ck_assert_msg(cases[_i].kinetic ? kinetic > 60 : kinetic == 0, "%d pixels of kinetic energy", kinetic);
    ck_assert_int_gt(count_pixels(context, folder, "momentum.png", 255, 255, 255), 1000000);
    vela_context_destroy(context);
}
END_TEST

START_TEST(several_runs)
{
    VelaContext *context = test_context();
    char folders[PLOT_RUN_LIMIT + 1][RUN_PATH_CAPACITY], output[RUN_PATH_CAPACITY];
    const char *names[PLOT_RUN_LIMIT + 1];
    for (int i = 0; i <= PLOT_RUN_LIMIT; ++i) {
        char name[64];
        snprintf(name, sizeof name,
                 i == 1 ? "overlay/a run with quite a long name, number %d" : "overlay/run_%d", i);
        make_run(context, name, i == 2 ? 150 : 400 + 20 * i, 1.0 / 120, i % 2 ? damped : bouncing,
                 folders[i]);
        names[i] = folders[i];
    }
    snprintf(output, sizeof output, "%s/test_output/overlay_of_three", BINARY_DIR);
    ASSERT_OK(context, plot_runs(context, 3, names, output));
    ck_assert_int_gt(count_pixels(context, output, "energy.png", 213, 94, 0), 500);
    ck_assert_int_gt(count_pixels(context, output, "momentum.png", 0, 158, 115), 500);
    snprintf(output, sizeof output, "%s/test_output/overlay_of_twelve", BINARY_DIR);
    ASSERT_OK(context, plot_runs(context, PLOT_RUN_LIMIT, names, output));
    ck_assert(file_exists(output, "energy.png") && file_exists(output, "momentum.png"));
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "found 13 run folders, expected 1 to 12",
                 plot_runs(context, PLOT_RUN_LIMIT + 1, names, NULL));
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "found 0 run folders",
                 plot_runs(context, 0, names, NULL));
    vela_context_destroy(context);
}
END_TEST

// A run that grows by ten orders of magnitude leaves the picture; the others stay readable, and a run that is merely
// large is not cut.
static void growing(DiagnosticsRow *row)
{
    bouncing(row);
    row->total += 1e-3 * pow(10, 12 * row->time);
    row->kinetic += 1e-3 * pow(10, 12 * row->time);
}

static void heavier(DiagnosticsRow *row)
{
    bouncing(row);
    row->kinetic *= 50;
    row->gravitational *= 50;
    row->total *= 50;
}

// As A-1 does at a large step: several times what there was to draw on, and no more.
static void bounded(DiagnosticsRow *row)
{
    bouncing(row);
    const double gain = 40 * (1 - exp(-20 * row->time));
    row->elastic += gain;
    row->total += gain;
}

START_TEST(runs_that_blow_up_are_cut_off)
{
    static const struct {
        const char *name;
        RowFunction fill;
        int64_t steps;
    } cases[] = {{"cut/steady", bouncing, 400},
                 {"cut/damped", damped, 400},
                 {"cut/growing", growing, 140},
                 {"cut/heavier", heavier, 400}};
    VelaContext *context = test_context();
    char folders[4][RUN_PATH_CAPACITY], output[RUN_PATH_CAPACITY];
    const char *names[4];
    for (int i = 0; i < 4; ++i) {
        make_run(context, cases[i].name, cases[i].steps, 1.0 / 120, cases[i].fill, folders[i]);
        names[i] = folders[i];
    }
    // Alone with the growing one the others swing over most of the panels: their curves are long.
    snprintf(output, sizeof output, "%s/test_output/overlay_cut", BINARY_DIR);
    ASSERT_OK(context, plot_runs(context, 3, names, output));
    const int cut = count_pixels(context, output, "energy.png", 0, 114, 178);
    snprintf(output, sizeof output, "%s/test_output/overlay_whole", BINARY_DIR);
    ASSERT_OK(context, plot_runs(context, 2, names, output));
    const int whole = count_pixels(context, output, "energy.png", 0, 114, 178);
    ck_assert_msg(cut > whole / 2, "%d pixels of a curve beside one that blew up, %d without it", cut, whole);
    ASSERT_OK(context, plot_columns(context, 2, names, "kinetic,total", output));
    const int whole_column = count_pixels(context, output, "columns.png", 0, 114, 178);
    ASSERT_OK(context, plot_columns(context, 3, names, "kinetic,total", output));
    const int cut_column = count_pixels(context, output, "columns.png", 0, 114, 178);
    ck_assert_msg(cut_column > whole_column / 2,
                  "chosen columns: %d pixels beside one that blew up, %d without", cut_column, whole_column);
    // The heavier one counts: the steady curve becomes flat beside it.
    char bounded_folder[RUN_PATH_CAPACITY];
    make_run(context, "cut/bounded", 400, 1.0 / 120, bounded, bounded_folder);
    const char *both[] = {names[0], bounded_folder};
    snprintf(output, sizeof output, "%s/test_output/overlay_bounded", BINARY_DIR);
    ASSERT_OK(context, plot_runs(context, 2, both, output));
    ck_assert_int_gt(count_pixels(context, output, "energy.png", 213, 94, 0), 3000);
    const char *pair[] = {names[0], names[3]};
    snprintf(output, sizeof output, "%s/test_output/overlay_heavier", BINARY_DIR);
    ASSERT_OK(context, plot_runs(context, 2, pair, output));
    ck_assert_int_gt(count_pixels(context, output, "energy.png", 213, 94, 0), 3000);
    vela_context_destroy(context);
}
END_TEST

// Derived columns and, in columns of the file, what they must be: 2.25 turns in 1 s across the cut of the angle, then
// back; momenta whose norms bend.
static void turning(DiagnosticsRow *row)
{
    const double t = row->time, pi = acos(-1);
    row->alpha = 2.25 * fmin(t, 1) - 0.25 * fmax(t - 1, 0);
    row->center[0] = 0.3 * cos(3 + 2 * pi * row->alpha);
    row->center[1] = 0.3 * sin(3 + 2 * pi * row->alpha);
    row->center[2] = 5;
    row->linear_momentum[0] = 3 * t;
    row->linear_momentum[1] = -4;
    row->linear_momentum[2] = 0;
    row->kinetic = sqrt(9 * t * t + 16);
    row->angular_momentum[0] = t;
    row->angular_momentum[1] = -2;
    row->angular_momentum[2] = 2 * t * t;
    row->elastic = sqrt(t * t + 4 + 4 * t * t * t * t);
    if (row->step == 7)
        row->alpha = row->center[0] = row->center[1] = NAN;
}

START_TEST(derived_columns)
{
    static const char *const cases[][2] = {
        {"turns", "alpha"}, {"momentum", "kinetic"}, {"angular_momentum", "elastic"}};
    enum { BELOW_TITLES = 200 };
    VelaContext *context = test_context();
    char folder[RUN_PATH_CAPACITY];
    make_run(context, "turning", 45, 1.0 / 30, turning, folder);
    const char *folders[] = {folder};
    unsigned char *pictures[2];
    for (int k = 0; k < 2; ++k) {
        ASSERT_OK(context, plot_columns(context, 1, folders, cases[_i][k], NULL));
        pictures[k] = load_picture(context, folder, "columns.png");
        ck_assert_int_gt(count_pixels(context, folder, "columns.png", 0, 114, 178), 1000);
    }
    int differences = 0;
    for (int i = 3 * BELOW_TITLES * CHART_WIDTH; i < 3 * CHART_HEIGHT * CHART_WIDTH; ++i)
        differences += abs(pictures[0][i] - pictures[1][i]) > 2;
    ck_assert_msg(differences == 0, "%s and %s differ in %d places", cases[_i][0], cases[_i][1], differences);
    stbi_image_free(pictures[0]);
    stbi_image_free(pictures[1]);
    vela_context_destroy(context);
}
END_TEST

START_TEST(columns_that_are_refused)
{
    VelaContext *context = test_context();
    char folder[RUN_PATH_CAPACITY], output[RUN_PATH_CAPACITY];
    make_run(context, "columns_refused", 2, 0.1, constant, folder);
    snprintf(output, sizeof output, "%.4000s/refused", folder);
    // An earlier run of the test left it.
    char picture[RUN_PATH_CAPACITY];
    ASSERT_OK(context, run_path(context, output, "columns.png", picture));
    remove(picture);
    const char *folders[] = {folder};
    static const char *const cases[][2] = {
        {"total,turn",
         "no column of numbers \"turn\"; did you mean \"turns\"? There are: step, time, kinetic"},
        {"stop", "lost_in_time, constraint_error, momentum, angular_momentum, turns"},
        {"total,", "no column of numbers \"\". There are: step"},
        {"px,py,pz,lx,ly,lz,cx,cy,cz", "more columns than 8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, cases[i][1],
                     plot_columns(context, 1, folders, cases[i][0], output));
    ck_assert(!file_exists(output, "columns.png"));
    ASSERT_OK(context, plot_columns(context, 1, folders, "px,py,pz,lx,ly,lz,alpha,turns", output));
    ck_assert(file_exists(output, "columns.png") && !file_exists(output, "energy.png"));
    vela_context_destroy(context);
}
END_TEST

START_TEST(refuses)
{
    VelaContext *context = test_context();
    char folder[RUN_PATH_CAPACITY];
    const char *names[] = {BINARY_DIR, folder};
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "not a run folder", plot_runs(context, 1, names, NULL));
    make_run(context, "plot_refuses", 2, 0.1, constant, folder);
    ASSERT_OK(context, file_make_folder(context, folder));
    touch(folder, "diagnostics.csv", "step,time,kinetic\n");
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "holds no rows", plot_runs(context, 1, names + 1, NULL));
    touch(folder, "diagnostics.csv", "step,time,kinetic\n0,zero,1\n");
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "column time: found 'zero'",
                 plot_runs(context, 1, names + 1, NULL));
    ck_assert(!file_exists(folder, "energy.png"));
    vela_context_destroy(context);
}
END_TEST

// A line through three points and one that is the same everywhere: counted where they must run.
START_TEST(splines_of_a_scene)
{
    VelaContext *context = test_context();
    char folder[RUN_PATH_CAPACITY], output[RUN_PATH_CAPACITY], scene[RUN_PATH_CAPACITY], path[1024],
        text[1024];
    fixture_run(context, "plot_spline", 0, folder);
    ASSERT_OK(context, file_make_folder(context, folder));
    snprintf(output, sizeof output, "%.4000s/pictures", folder);
    snprintf(
        text, sizeof text,
        "{\"version\": 1, \"name\": \"two\", \"time\": {\"step\": 0.1, \"duration\": 1}, \"materials\": {"
        "\"rubber\": {\"model\": \"arap\", \"density\": 1000, \"kappa\": 1e5, \"damping\": [{\"type\": "
        "\"spline\", \"time\": 0.01, \"points\": [[0.5, 3], [1, 1], [1.5, 1]]}, {\"type\": \"rayleigh\", "
        "\"time\": 0.1}]}, "
        "\"foam\": {\"model\": \"arap\", \"density\": 100, \"kappa\": 1e4, \"damping\": [{\"type\": "
        "\"spline\", \"time\": 0.02, \"points\": [[1, 2]]}]}}, "
        "\"bodies\": [{\"geometry\": {\"box\": {\"size\": [1, 1, 1], \"cells\": [1, 1, 1]}}, \"material\": "
        "\"rubber\"}]}");
    touch(folder, "two.json", text);
    ASSERT_OK(context, run_path(context, folder, "two.json", scene));
    char notes[RUN_PATH_CAPACITY]; // of an earlier run of the test
    ASSERT_OK(context, run_path(context, output, "notes.txt", notes));
    remove(notes);
    ASSERT_OK(context, plot_spline(context, scene, 0, NULL, output, path));
    ck_assert_str_eq(strrchr(path, '/'), "/spline.png");
    // The second runs level: its colour in one band of lines, from axis to axis with gaps of 8 in 22 pixels, and a dot of 10 across.
    unsigned char *pixels = load_picture(context, output, "spline.png");
    int rows[2] = {0}, widest[2] = {0}, last[2] = {0};
    static const int colors[2][3] = {{0, 114, 178}, {213, 94, 0}};
    for (int y = 200; y < CHART_HEIGHT; ++y)
        for (int k = 0; k < 2; ++k) {
            int count = 0;
            for (int x = 0; x < CHART_WIDTH; ++x) {
                const unsigned char *at = pixels + 3 * (y * CHART_WIDTH + x);
                count += at[0] == colors[k][0] && at[1] == colors[k][1] && at[2] == colors[k][2];
            }
            rows[k] += count > 0;
            widest[k] = count > widest[k] ? count : widest[k];
            last[k] = count > 0 ? y : last[k];
        }
    stbi_image_free(pixels);
    ck_assert_msg(rows[1] >= 3 && rows[1] < 14, "the level one is %d pixels high", rows[1]);
    ck_assert_int_gt(widest[1], 800);
    // The first falls from 3 to 1, half of it below the second; level beyond either end.
    ck_assert_int_gt(rows[0], 600);
    ck_assert_int_gt(widest[0], 600);
    ck_assert_int_gt(last[0], last[1] + 250);

    const char *const without[] = {"materials.rubber.damping=[]", "materials.foam.damping=[]"};
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT,
                 "two.json: materials: found no damping of type \"spline\"",
                 plot_spline(context, scene, 2, without, output, path));
    touch(output, "notes.txt", "");
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "notes.txt",
                 plot_spline(context, scene, 0, NULL, output, path));
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("output plot");
    TCase *tests = tcase_create("plot");
    tcase_add_test(tests, axis_labels);
    tcase_add_test(tests, axis_of_odd_data);
    tcase_add_loop_test(tests, one_run, 0, 7);
    tcase_add_test(tests, several_runs);
    tcase_add_test(tests, runs_that_blow_up_are_cut_off);
    tcase_add_loop_test(tests, derived_columns, 0, 3);
    tcase_add_test(tests, columns_that_are_refused);
    tcase_add_test(tests, refuses);
    tcase_add_test(tests, splines_of_a_scene);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
