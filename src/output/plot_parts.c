#include "output/plot_parts.h"

#include "base/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Several runs: one whose total rises by more than this many times what its motion had to draw on (docs/energy-control.md), and
/// by more than the usual kinetic energy, does not stretch the axes.
static const double BLOW_UP = 10;

const char *const PLOT_NAMES[QUANTITIES] = {
    "kinetic",
    "elastic",
    "gravitational",
    "contact",
    "constraint",
    "dissipated",
    "total",
    "target",
    "px",
    "py",
    "pz",
    "|p|",
    "lx",
    "ly",
    "lz",
    "|l|",
    "total \xe2\x88\x92 initial total",
    "target \xe2\x88\x92 initial total",
};

// ------------------------------------------------------------------------------------------------ reading

VelaResult plot_copy_column(Plot *plot, const DiagnosticsTable *table, const char *name, double **values)
{
    const int32_t column = diagnostics_column(table, name);
    TRY(ARENA_ARRAY(&plot->arena, *values, table->row_count));
    for (int64_t i = 0; i < table->row_count; ++i)
        (*values)[i] = column < 0 ? NAN : table->values[i * table->column_count + column];
    return VELA_OK;
}

static VelaResult derive_norm(Plot *plot, PlotRun *run, Quantity x, Quantity norm)
{
    double *values;
    TRY(ARENA_ARRAY(&plot->arena, values, run->count));
    for (int64_t i = 0; i < run->count; ++i)
        values[i] = hypot(hypot(run->values[x][i], run->values[x + 1][i]), run->values[x + 2][i]);
    run->values[norm] = values;
    return VELA_OK;
}

// `from` less the total's first finite value.
static VelaResult derive_deviation(Plot *plot, PlotRun *run, Quantity from, Quantity deviation)
{
    double *values, initial = NAN;
    TRY(ARENA_ARRAY(&plot->arena, values, run->count));
    for (int64_t i = 0; i < run->count && !isfinite(initial); ++i)
        initial = run->values[TOTAL][i];
    for (int64_t i = 0; i < run->count; ++i)
        values[i] = run->values[from][i] - initial;
    run->values[deviation] = values;
    return VELA_OK;
}

static VelaResult read_run(Plot *plot, const char *folder, PlotRun *run)
{
    TRY(run_record_read(plot->context, folder, &plot->arena, &run->record));
    run->folder = folder;
    TRY(diagnostics_read(plot->context, folder, &plot->arena, &run->table));
    FAIL_IF(plot->context, run->table.row_count == 0, VELA_ERROR_INVALID_INPUT,
            "%s/diagnostics.csv: holds no rows, expected at least that of step 0", folder);
    if (run->table.is_cut_off)
        context_log(
            plot->context, VELA_LOG_WARNING,
            "%s/diagnostics.csv: line %lld ends within its row, which is left out: the file was cut off",
            folder, (long long)run->table.row_count + 2);
    if (run->table.row_count <= run->record.steps_done)
        context_log(plot->context, VELA_LOG_WARNING,
                    "%s/diagnostics.csv: ends with step %lld, expected the %lld steps that run.json tells of",
                    folder, (long long)run->table.row_count - 1, (long long)run->record.steps_done);
    run->count = run->shown = run->table.row_count;
    double *values;
    TRY(plot_copy_column(plot, &run->table, "time", &values));
    run->time = values;
    for (int q = 0; q < DEVIATION; ++q) {
        if (q == P || q == L)
            continue;
        TRY(plot_copy_column(plot, &run->table, PLOT_NAMES[q], &values));
        run->values[q] = values;
    }
    TRY(derive_norm(plot, run, PX, P));
    TRY(derive_norm(plot, run, LX, L));
    TRY(derive_deviation(plot, run, TOTAL, DEVIATION));
    TRY(derive_deviation(plot, run, TARGET, TARGET_DEVIATION));
    for (int q = 0; q < QUANTITIES; ++q) {
        run->zero[q] = true;
        for (int64_t i = 0; i < run->count; ++i) {
            run->present[q] = run->present[q] || isfinite(run->values[q][i]);
            run->zero[q] = run->zero[q] && (!isfinite(run->values[q][i]) || run->values[q][i] == 0);
        }
    }
    return VELA_OK;
}

// A run is called by the last part of its folder's path; where two share it, by the whole paths.
static VelaResult name_runs(Plot *plot, const char *const *folders)
{
    for (int32_t i = 0; i < plot->run_count; ++i) {
        size_t end = strlen(folders[i]);
        while (end > 1 && folders[i][end - 1] == '/')
            --end;
        size_t start = end;
        while (start > 0 && folders[i][start - 1] != '/')
            --start;
        char *name;
        TRY(arena_string(&plot->arena, folders[i] + start, end - start, &name));
        plot->runs[i].name = strcmp(name, ".") == 0 && plot->runs[i].record.scene_name
                                 ? plot->runs[i].record.scene_name
                                 : name;
    }
    bool same = false;
    for (int32_t i = 0; i < plot->run_count; ++i)
        for (int32_t k = 0; k < i; ++k)
            same = same || strcmp(plot->runs[i].name, plot->runs[k].name) == 0;
    for (int32_t i = 0; same && i < plot->run_count; ++i)
        plot->runs[i].name = folders[i];
    return VELA_OK;
}

double plot_largest(const PlotRun *run, Quantity quantity)
{
    double value = 0;
    for (int64_t i = 0; i < run->count; ++i)
        if (isfinite(run->values[quantity][i]))
            value = fmax(value, run->values[quantity][i]);
    return value;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Kinetic, elastic and contact energy at the start, and the most that gravity has done.
static double drawn_on(const PlotRun *run)
{
    double start = 0, fall = 0;
    const Quantity sources[] = {KINETIC, ELASTIC, CONTACT};
    for (int i = 0; i < 3; ++i)
        if (isfinite(run->values[sources[i]][0]))
            start += run->values[sources[i]][0];
    for (int64_t i = 0; i < run->count; ++i) {
        const double change = run->values[GRAVITATIONAL][0] - run->values[GRAVITATIONAL][i];
        fall = isfinite(change) ? fmax(fall, change) : fall;
    }
    return start + fall;
}

// A run has blown up where it gains energy, both by its own measure and by that of the others: the usual kinetic energy
// is one that a third of the runs do not reach. Energies that are merely large (a heavier body) are no reason, nor is a gain
// that stays within bounds.
static bool find_cut_off(Plot *plot)
{
    double kinetic[PLOT_RUN_LIMIT];
    for (int32_t i = 0; i < plot->run_count; ++i)
        kinetic[i] = plot_largest(&plot->runs[i], KINETIC);
    qsort(kinetic, (size_t)plot->run_count, sizeof *kinetic, compare_doubles);
    const double usual = kinetic[(plot->run_count - 1) / 3];
    bool any = false;
    for (int32_t i = 0; i < plot->run_count; ++i) {
        PlotRun *run = &plot->runs[i];
        const double gain = plot_largest(run, DEVIATION);
        const double bound = fmax(usual, BLOW_UP * drawn_on(run));
        run->cut_off = gain > bound && gain > 0.5 * plot_largest(run, KINETIC);
        any = any || run->cut_off;
        if (run->cut_off)
            for (run->shown = 1; !(run->values[DEVIATION][run->shown - 1] > bound); ++run->shown)
                ;
    }
    return any;
}

// ------------------------------------------------------------------------------------------------ strokes

Stroke plot_solid(double width, Color color)
{
    return (Stroke){.width = width, .color = color};
}

Stroke plot_dashed(double width, Color color, double dash, double gap)
{
    return (Stroke){width, color, dash, gap};
}

// Later runs lie on top with gaps, so that equal curves show both.
Stroke plot_run_stroke(int32_t index)
{
    const Color colors[PLOT_RUN_LIMIT] = {PLOT_BLUE,   PLOT_VERMILLION, PLOT_GREEN,  PLOT_ORANGE,
                                          PLOT_PURPLE, PLOT_SKY,        PLOT_BLACK,  PLOT_GREY,
                                          PLOT_BROWN,  PLOT_OLIVE,      PLOT_VIOLET, PLOT_RED};
    static const double dashes[4][2] = {{0, 0}, {14, 8}, {3, 7}, {24, 6}};
    const double *dash = dashes[(index + index / PLOT_RUN_LIMIT) % 4];
    return plot_dashed(PLOT_LINE, colors[index % PLOT_RUN_LIMIT], dash[0], dash[1]);
}

// ------------------------------------------------------------------------------------------------ pictures

// Of two rows.
int32_t plot_grid_columns(int32_t panel_count)
{
    return panel_count <= 4 ? 2 : panel_count <= 6 ? 3 : 4;
}

static void describe_run(const PlotRun *run, char text[256])
{
    const RunRecord *record = &run->record;
    int length = snprintf(text, 256, "%s", record->device_kind ? record->device_kind : "");
    if (record->precision)
        length += snprintf(text + length, 256 - (size_t)length, " %s", record->precision);
    if (record->tets > 0)
        length += snprintf(text + length, 256 - (size_t)length, "%s%lld nodes, %lld tetrahedra",
                           length ? "  \xc2\xb7  " : "", (long long)record->nodes, (long long)record->tets);
    if (record->time_step > 0)
        length += snprintf(text + length, 256 - (size_t)length, "%s%lld steps of %.4g s",
                           length ? "  \xc2\xb7  " : "", (long long)run->count - 1, record->time_step);
    snprintf(text + length, 256 - (size_t)length, "%s%s", length ? "  \xc2\xb7  " : "",
             run_state_name(record->state));
}

VelaResult plot_draw(Plot *plot, Chart *chart, const char *what, const char *file)
{
    char title[512], subtitle[256], path[RUN_PATH_CAPACITY];
    const PlotRun *run = &plot->runs[0];
    if (plot->run_count == 1) {
        snprintf(title, sizeof title, "%s of %s", what,
                 run->record.scene_name ? run->record.scene_name : run->name);
        describe_run(run, subtitle);
        chart->subtitle = subtitle;
    } else {
        snprintf(title, sizeof title, "%s of %d runs", what, plot->run_count);
        snprintf(subtitle, sizeof subtitle,
                 "cut off where they gained %g times the energy they had to draw on: runs that blew up",
                 BLOW_UP);
        chart->subtitle = plot->any_cut_off ? subtitle : NULL;
    }
    chart->title = title;
    chart->x_title = "time";
    chart->x_unit = "s";
    TRY(run_path(plot->context, plot->output, file, path));
    return chart_draw(plot->context, chart, path);
}

// ------------------------------------------------------------------------------------------------ entry

const char *const PLOT_PICTURES[] = {"energy.png", "momentum.png", "columns.png",
                                     "ledger.png", "spline.png",   NULL};

static VelaResult read_runs(Plot *plot, const char *const *folders)
{
    FAIL_IF(plot->context, plot->run_count < 1 || plot->run_count > PLOT_RUN_LIMIT, VELA_ERROR_INVALID_INPUT,
            "plot: found %d run folders, expected 1 to %d", plot->run_count, PLOT_RUN_LIMIT);
    if (plot->output && !run_folder_holds_run(plot->output))
        TRY(output_folder_check(plot->context, plot->output, PLOT_PICTURES, NULL));
    plot->output = plot->output ? plot->output : folders[0];
    for (int32_t i = 0; i < plot->run_count; ++i)
        TRY(read_run(plot, folders[i], &plot->runs[i]));
    TRY(name_runs(plot, folders));
    plot->any_cut_off = plot->run_count > 1 && find_cut_off(plot);
    return VELA_OK;
}

VelaResult plot_make(VelaContext *context, int32_t folder_count, const char *const *folders,
                     const char *output, const char *columns, VelaResult (*draw_it)(Plot *plot))
{
    Plot plot = {.context = context,
                 .arena = arena_make(context),
                 .output = output,
                 .columns = columns,
                 .run_count = folder_count};
    VelaResult result = read_runs(&plot, folders);
    if (result == VELA_OK)
        result = draw_it(&plot);
    arena_clear(&plot.arena);
    return result;
}
