#include "vela/compare.h"

#include "base/file.h"
#include "base/json.h"
#include "base/numeric_locale.h"
#include "output/run_folder.h"
#include "sim/compare.h"
#include "sim/start.h"

#include <math.h>
#include <string.h>

enum { COMPARE_COOKIE = 0x636f6d70 };

typedef struct CompareJob {
    VelaContext *context;
    const VelaCompareDef *def;
    VelaCompareSummary summary;
    Simulation a, b;
    Arena arena;
    FileWriter csv;
    DeviationBounds bounds;
    const char *beyond; ///< the first quantity beyond its bound, NULL: none so far
    double value, bound;
    int64_t beyond_step;
} CompareJob;

VelaCompareDef vela_default_compare_def(void)
{
    return (VelaCompareDef){
        .a = "cpu", .b = "vulkan", .steps = -1, .tolerance = -1, .cookie = COMPARE_COOKIE};
}

static VelaResult check_def(VelaContext *context, const VelaCompareDef *def)
{
    FAIL_IF(context, def->cookie != COMPARE_COOKIE, VELA_ERROR_INVALID_INPUT,
            "a VelaCompareDef that did not come from vela_default_compare_def");
    FAIL_IF(context, !def->scene, VELA_ERROR_INVALID_INPUT, "no scene was given");
    FAIL_IF(context, !def->a || !def->b, VELA_ERROR_INVALID_INPUT, "no device was given for %s",
            def->a ? "b" : "a");
    FAIL_IF(context, def->precision && strcmp(def->a, "cpu") == 0 && strcmp(def->b, "cpu") == 0,
            VELA_ERROR_INVALID_INPUT,
            "precision %s belongs to Vulkan, and both devices are the CPU path, which always computes in f64",
            def->precision);
    FAIL_IF(context, def->steps < -1, VELA_ERROR_INVALID_INPUT, "steps: found %lld, expected 0 or more",
            (long long)def->steps);
    FAIL_IF(context, isnan(def->tolerance), VELA_ERROR_INVALID_INPUT,
            "tolerance: found NaN, expected a number");
    return VELA_OK;
}

// Before anything is computed.
static VelaResult choose_output(CompareJob *job)
{
    static const char *const names[] = {"compare.csv", "compare.json", NULL};
    VelaCompareSummary *summary = &job->summary;
    const int length =
        job->def->output
            ? snprintf(summary->output, sizeof summary->output, "%s", job->def->output)
            : snprintf(summary->output, sizeof summary->output, "out/%s_compare", job->a.scene.name);
    FAIL_IF(job->context, length < 1 || length >= (int)sizeof summary->output, VELA_ERROR_INVALID_INPUT,
            "-o: found a folder name of %d characters, expected 1 to %zu", length,
            sizeof summary->output - 1);
    return output_folder_check(job->context, summary->output, names, NULL);
}

static VelaResult start(CompareJob *job, const char *device, Simulation *simulation, char name[256],
                        bool *is_double)
{
    const VelaCompareDef *def = job->def;
    TRY(simulation_load(job->context, def->scene, def->override_count, def->overrides, simulation));
    if (simulation == &job->a)
        TRY(choose_output(job));
    const DeviceChoice choice = {device, strcmp(device, "cpu") == 0 ? NULL : def->precision};
    TRY(simulation_start(simulation, &choice));
    DeviceInfo info;
    device_information(simulation->device, &info);
    *is_double = strcmp(info.precision, "f64") == 0;
    snprintf(name, 256, "%.200s (%s)", info.name, info.precision);
    return VELA_OK;
}

static VelaResult open_output(CompareJob *job)
{
    char path[RUN_PATH_CAPACITY];
    const VelaCompareSummary *summary = &job->summary;
    TRY(file_make_folder(job->context, summary->output));
    TRY(run_path(job->context, summary->output, "compare.csv", path));
    TRY(file_writer_open(&job->csv, job->context, path));
    fprintf(job->csv.file,
            "step,time,deviation,node,velocity_deviation,momentum_deviation,angular_momentum_deviation,"
            "energy_deviation,iterations_a,iterations_b\n");
    return VELA_OK;
}

/// A value that is not a number is the largest, and stays.
static void keep_largest(double *largest, double value)
{
    if (!(value <= *largest) && !isnan(*largest))
        *largest = value;
}

static void add_row(CompareJob *job, const Deviation *deviation, int64_t step_count)
{
    VelaCompareSummary *summary = &job->summary;
    const VelaCompareRow row = {.step = job->a.step,
                                .step_count = step_count,
                                .time = simulation_time(&job->a),
                                .deviation = deviation->position,
                                .node = deviation->position_node,
                                .velocity_deviation = deviation->velocity,
                                .momentum_deviation = deviation->momentum,
                                .angular_momentum_deviation = deviation->angular_momentum,
                                .energy_deviation = deviation->energy,
                                .iterations_a = deviation->iterations[0],
                                .iterations_b = deviation->iterations[1]};
    summary->steps = row.step;
    if (!(row.deviation <= summary->deviation)) {
        summary->deviation = row.deviation;
        summary->deviation_step = row.step;
        summary->deviation_node = row.node;
    }
    keep_largest(&summary->velocity_deviation, row.velocity_deviation);
    keep_largest(&summary->momentum_deviation, row.momentum_deviation);
    keep_largest(&summary->angular_momentum_deviation, row.angular_momentum_deviation);
    keep_largest(&summary->energy_deviation, row.energy_deviation);
    if (!job->beyond) {
        job->beyond = deviation_beyond(deviation, &job->bounds, &job->value, &job->bound);
        job->beyond_step = row.step;
    }
    fprintf(job->csv.file, "%lld,%.17g,%.17g,%d,%.17g,%.17g,%.17g,%.17g,%d,%d\n", (long long)row.step,
            row.time, row.deviation, row.node, row.velocity_deviation, row.momentum_deviation,
            row.angular_momentum_deviation, row.energy_deviation, row.iterations_a, row.iterations_b);
    if (job->def->row)
        job->def->row(job->def->row_user, &row);
}

static void write_field(FILE *file, const char *key, double number)
{
    fprintf(file, "  \"%s\": ", key);
    json_write_number(file, number);
    fputs(",\n", file);
}

static VelaResult write_summary(CompareJob *job)
{
    char path[RUN_PATH_CAPACITY];
    const VelaCompareSummary *summary = &job->summary;
    FileWriter writer;
    TRY(run_path(job->context, summary->output, "compare.json", path));
    TRY(file_writer_open(&writer, job->context, path));
    FILE *file = writer.file;
    fprintf(file, "{\n  \"scene_hash\": \"%016llx\",\n  \"mode\": \"%s\",\n  \"device_a\": ",
            (unsigned long long)job->a.scene.hash,
            job->def->mode == VELA_COMPARE_LOCKSTEP ? "lockstep" : "free");
    json_write_string(file, summary->device_a);
    fputs(",\n  \"device_b\": ", file);
    json_write_string(file, summary->device_b);
    fprintf(file, ",\n  \"steps\": %lld,\n  \"within\": %s,\n", (long long)summary->steps,
            summary->within ? "true" : "false");
    write_field(file, "tolerance", summary->tolerance);
    write_field(file, "energy_tolerance", summary->energy_tolerance);
    write_field(file, "deviation", summary->deviation);
    write_field(file, "velocity_deviation", summary->velocity_deviation);
    write_field(file, "momentum_deviation", summary->momentum_deviation);
    write_field(file, "angular_momentum_deviation", summary->angular_momentum_deviation);
    write_field(file, "energy_deviation", summary->energy_deviation);
    fprintf(file, "  \"deviation_step\": %lld,\n  \"deviation_node\": %d\n}\n",
            (long long)summary->deviation_step, summary->deviation_node);
    return file_writer_commit(&writer, false);
}

static VelaResult compare(CompareJob *job)
{
    bool double_a = false, double_b = false;
    TRY(start(job, job->def->a, &job->a, job->summary.device_a, &double_a));
    TRY(start(job, job->def->b, &job->b, job->summary.device_b, &double_b));
    const bool is_double = double_a && double_b, barrier = job->a.scene.contact.model == CONTACT_BARRIER;
    const double usual = is_double ? 1e-9 : barrier ? 1e-4 : 1e-5;
    job->bounds = deviation_bounds(job->def->tolerance >= 0 ? job->def->tolerance : usual, is_double);
    job->summary.tolerance = job->bounds.motion;
    job->summary.energy_tolerance = job->bounds.energy;
    TRY(open_output(job));
    Comparison comparison;
    TRY(comparison_create(&job->a, &job->b, job->def->mode == VELA_COMPARE_LOCKSTEP, &job->arena,
                          &comparison));
    const int64_t steps = job->def->steps >= 0 ? job->def->steps : job->a.scene.step_count;
    while (job->a.step < steps) {
        FAIL_IF(job->context, job->context->interrupted, VELA_ERROR_INTERRUPTED,
                "interrupted after step %lld", (long long)job->a.step);
        Deviation deviation;
        TRY(comparison_step(&comparison, &deviation));
        add_row(job, &deviation, steps);
    }
    job->summary.within = !job->beyond;
    TRY(file_writer_commit(&job->csv, false));
    TRY(write_summary(job));
    FAIL_IF(
        job->context, !job->summary.within, VELA_ERROR_BEYOND_TOLERANCE,
        "step %lld: the devices differ by %.3g in %s, expected at most %.3g (--help has the scales); the largest "
        "node distance is at node %d, step %lld",
        (long long)job->beyond_step, job->value, job->beyond, job->bound, job->summary.deviation_node,
        (long long)job->summary.deviation_step);
    return VELA_OK;
}

VelaResult vela_compare(VelaContext *context, const VelaCompareDef *def, VelaCompareSummary *summary)
{
    CompareJob job = {.context = context, .def = def, .arena = arena_make(context)};
    NumericLocale locale;
    VelaResult result = numeric_locale_enter(context, &locale);
    if (result == VELA_OK)
        result = check_def(context, def);
    if (result == VELA_OK)
        result = compare(&job);
    if (job.csv.path)
        file_writer_discard(&job.csv);
    simulation_destroy(&job.a);
    simulation_destroy(&job.b);
    arena_clear(&job.arena);
    numeric_locale_leave(&locale);
    if (summary)
        *summary = job.summary;
    return result;
}
