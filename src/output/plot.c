#include "output/plot.h"

#include "base/file.h"
#include "output/chart.h"
#include "output/diagnostics.h"
#include "output/run_folder.h"
#include "scene/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Colours that people with colour vision deficiencies can tell apart (Okabe and Ito, 2008), darker where thin lines need it.
static const Color BLUE = {0, 114, 178}, VERMILLION = {213, 94, 0}, GREEN = {0, 158, 115},
                   ORANGE = {230, 159, 0}, PURPLE = {190, 100, 150}, SKY = {86, 180, 233},
                   BLACK = {20, 20, 24}, GREY = {128, 130, 140}, BROWN = {133, 77, 34},
                   OLIVE = {140, 150, 30}, VIOLET = {92, 60, 170}, RED = {170, 10, 60};

static const double LINE = 2.4;

/// Several runs: one whose total rises by more than this many times what its motion had to draw on (docs/energy-control.md), and
/// by more than the usual kinetic energy, does not stretch the axes.
static const double BLOW_UP = 10;

typedef enum Quantity {
    KINETIC,
    ELASTIC,
    GRAVITATIONAL,
    CONTACT,
    CONSTRAINT,
    DISSIPATED,
    TOTAL,
    TARGET,
    ENERGIES,
    PX = ENERGIES,
    PY,
    PZ,
    P,
    LX,
    LY,
    LZ,
    L,
    DEVIATION,
    TARGET_DEVIATION,
    QUANTITIES,
} Quantity;

static const char *const NAMES[QUANTITIES] = {
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

static const char *const MOMENTUM_NAMES[] = {"p\2x\3", "p\2y\3", "p\2z\3", "|p|",
                                             "l\2x\3", "l\2y\3", "l\2z\3", "|l|"};

static const char ANGULAR_UNIT[] = "kg m\1"
                                   "2\3/s";

/// What the panel of a column is titled; a column that is not here goes by its name and has no unit.
typedef struct ColumnLabel {
    const char *name, *title, *unit;
} ColumnLabel;

static const ColumnLabel COLUMN_LABELS[] = {
    {"time", "time", "s"},
    {"kinetic", "kinetic energy", "J"},
    {"elastic", "elastic energy", "J"},
    {"gravitational", "gravitational energy", "J"},
    {"contact", "contact energy", "J"},
    {"constraint", "constraint energy", "J"},
    {"dissipated", "dissipated energy", "J"},
    {"total", "total energy", "J"},
    {"target", "target of the total energy", "J"},
    {"px", "p\2x\3", "kg m/s"},
    {"py", "p\2y\3", "kg m/s"},
    {"pz", "p\2z\3", "kg m/s"},
    {"lx", "l\2x\3", ANGULAR_UNIT},
    {"ly", "l\2y\3", ANGULAR_UNIT},
    {"lz", "l\2z\3", ANGULAR_UNIT},
    {"cx", "centre of mass, x", "m"},
    {"cy", "centre of mass, y", "m"},
    {"cz", "centre of mass, z", "m"},
    {"min_distance", "min_distance", "m"},
    {"step_ms", "wall time of a step", "ms"},
    {"momentum", "momentum |p|", "kg m/s"},
    {"angular_momentum", "angular momentum |l| about the origin", ANGULAR_UNIT},
    {"turns", "turns of the centre of mass about the z axis", ""},
};

/// Columns that diagnostics.csv does not have: the two norms and derive_turns.
static const char *const DERIVED_COLUMNS[] = {"momentum", "angular_momentum", "turns"};
enum { DERIVED_COUNT = sizeof DERIVED_COLUMNS / sizeof DERIVED_COLUMNS[0] };

typedef struct PlotRun {
    const char *name, *folder;
    DiagnosticsTable table;
    int64_t count;
    const double *time;
    const double *values[QUANTITIES]; ///< `count` each, NaN where empty
    bool present[QUANTITIES];         ///< has a finite value
    bool zero[QUANTITIES];            ///< every finite value is 0
    bool cut_off;                     ///< its energy outgrows that of the other runs
    int64_t shown;                    ///< rows that are drawn: all, or up to where it is cut off
    RunRecord record;
} PlotRun;

typedef struct Plot {
    VelaContext *context;
    Arena arena;
    const char *output, *columns; ///< columns: of plot_columns
    bool any_cut_off;
    int32_t run_count;
    PlotRun runs[PLOT_RUN_LIMIT];
} Plot;

// ------------------------------------------------------------------------------------------------ reading

static VelaResult copy_column(Plot *plot, const DiagnosticsTable *table, const char *name, double **values)
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
    TRY(copy_column(plot, &run->table, "time", &values));
    run->time = values;
    for (int q = 0; q < DEVIATION; ++q) {
        if (q == P || q == L)
            continue;
        TRY(copy_column(plot, &run->table, NAMES[q], &values));
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

static double largest(const PlotRun *run, Quantity quantity)
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
        kinetic[i] = largest(&plot->runs[i], KINETIC);
    qsort(kinetic, (size_t)plot->run_count, sizeof *kinetic, compare_doubles);
    const double usual = kinetic[(plot->run_count - 1) / 3];
    bool any = false;
    for (int32_t i = 0; i < plot->run_count; ++i) {
        PlotRun *run = &plot->runs[i];
        const double gain = largest(run, DEVIATION);
        const double bound = fmax(usual, BLOW_UP * drawn_on(run));
        run->cut_off = gain > bound && gain > 0.5 * largest(run, KINETIC);
        any = any || run->cut_off;
        if (run->cut_off)
            for (run->shown = 1; !(run->values[DEVIATION][run->shown - 1] > bound); ++run->shown)
                ;
    }
    return any;
}

// ------------------------------------------------------------------------------------------------ one run

static Stroke solid(double width, Color color)
{
    return (Stroke){.width = width, .color = color};
}

static Stroke dashed(double width, Color color, double dash, double gap)
{
    return (Stroke){width, color, dash, gap};
}

static Curve curve_of(const PlotRun *run, Quantity quantity, Stroke stroke)
{
    return (Curve){run->time, run->values[quantity], run->shown, stroke, run->cut_off, NULL};
}

// Adds a curve and its legend entry, where the run has the quantity; "contact = 0" names a curve that never leaves zero.
static VelaResult add_curve(Plot *plot, const PlotRun *run, Quantity quantity, const char *name,
                            Stroke stroke, Panel *panel, Curve *curves, Chart *chart, LegendEntry *legend)
{
    if (!run->present[quantity])
        return VELA_OK;
    // What stays at zero goes beneath the others, which may well pass there.
    const int32_t at = run->zero[quantity] ? 0 : panel->curve_count;
    memmove(curves + at + 1, curves + at, (size_t)(panel->curve_count++ - at) * sizeof *curves);
    curves[at] = curve_of(run, quantity, stroke);
    panel->curves = curves;
    char text[128];
    const int length = snprintf(text, sizeof text, "%s%s", name, run->zero[quantity] ? " = 0" : "");
    char *copy;
    TRY(arena_string(&plot->arena, text, (size_t)length, &copy));
    legend[chart->legend_count++] = (LegendEntry){copy, stroke};
    chart->legend = legend;
    return VELA_OK;
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

static VelaResult draw(Plot *plot, Chart *chart, const char *what, const char *file)
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

static VelaResult draw_energy(Plot *plot)
{
    const PlotRun *run = &plot->runs[0];
    const Stroke strokes[ENERGIES] = {
        solid(LINE, BLUE),   solid(LINE, VERMILLION), solid(LINE, GREEN), solid(LINE, ORANGE),
        solid(LINE, PURPLE), solid(LINE, GREY),       solid(3.4, BLACK),  dashed(2, SKY, 9, 9),
    };
    Curve curves[ENERGIES], deviations[2];
    LegendEntry legend[ENERGIES];
    Panel panels[2] = {{.title = "energy", .unit = "J"},
                       {.title = NAMES[DEVIATION], .unit = "J", .curves = deviations}};
    Chart chart = {.rows = 2, .columns = 1, .row_heights = (const double[]){2, 1}, .panels = panels};
    for (int q = 0; q < ENERGIES; ++q)
        if (q != DISSIPATED || !run->zero[q])
            TRY(add_curve(plot, run, q, NAMES[q], strokes[q], &panels[0], curves, &chart, legend));
    if (run->present[DEVIATION])
        deviations[panels[1].curve_count++] = curve_of(run, DEVIATION, solid(LINE, BLACK));
    if (run->present[TARGET_DEVIATION])
        deviations[panels[1].curve_count++] = curve_of(run, TARGET_DEVIATION, strokes[TARGET]);
    return draw(plot, &chart, "Energy", "energy.png");
}

static VelaResult draw_momentum(Plot *plot)
{
    const PlotRun *run = &plot->runs[0];
    // Narrower upwards: equal components show as stripes.
    const Stroke strokes[4] = {solid(3.6, VERMILLION), solid(2.8, GREEN), solid(2, BLUE),
                               dashed(2, BLACK, 10, 7)};
    Curve linear[3], angular[4];
    LegendEntry legend[8];
    Panel panels[2] = {{.title = "linear momentum p", .unit = "kg m/s"},
                       {.title = "angular momentum l about the origin", .unit = ANGULAR_UNIT}};
    Chart chart = {.rows = 2, .columns = 1, .row_heights = (const double[]){1, 1}, .panels = panels};
    static const char *const axes[] = {"x", "y", "z", "|l|"};
    for (int k = 0; k < 3; ++k)
        linear[k] = curve_of(run, PX + k, strokes[k]);
    for (int k = 0; k < 4; ++k) {
        angular[k] = curve_of(run, LX + k, strokes[k]);
        legend[k] = (LegendEntry){axes[k], strokes[k]};
    }
    panels[0].curves = linear;
    panels[0].curve_count = 3;
    panels[1].curves = angular;
    panels[1].curve_count = 4;
    chart.legend = legend;
    chart.legend_count = 4;
    return draw(plot, &chart, "Momentum", "momentum.png");
}

// ------------------------------------------------------------------------------------------------ several runs

// Later runs lie on top with gaps, so that equal curves show both.
static Stroke run_stroke(int32_t run)
{
    const Color colors[PLOT_RUN_LIMIT] = {BLUE,  VERMILLION, GREEN, ORANGE, PURPLE, SKY,
                                          BLACK, GREY,       BROWN, OLIVE,  VIOLET, RED};
    static const double dashes[4][2] = {{0, 0}, {14, 8}, {3, 7}, {24, 6}};
    return dashed(LINE, colors[run], dashes[run % 4][0], dashes[run % 4][1]);
}

static Stroke target_stroke(Color color)
{
    return dashed(1.3, color, 2, 4);
}

static VelaResult add_panel(Plot *plot, Quantity quantity, const char *title, const char *unit, Panel *panel)
{
    Curve *curves;
    TRY(ARENA_ARRAY(&plot->arena, curves, 2 * plot->run_count));
    *panel = (Panel){.title = title, .unit = unit, .curves = curves};
    for (int32_t i = 0; i < plot->run_count; ++i) {
        const PlotRun *run = &plot->runs[i];
        curves[panel->curve_count++] = curve_of(run, quantity, run_stroke(i));
        if (quantity == TOTAL && run->present[TARGET])
            curves[panel->curve_count++] = curve_of(run, TARGET, target_stroke(run_stroke(i).color));
    }
    return VELA_OK;
}

static VelaResult add_run_legend(Plot *plot, bool target, LegendEntry *legend, Chart *chart)
{
    chart->legend = legend;
    for (int32_t i = 0; i < plot->run_count; ++i) {
        const PlotRun *run = &plot->runs[i];
        char name[512];
        int length = snprintf(name, sizeof name, "%.400s", run->name);
        if (run->cut_off)
            length += snprintf(name + length, sizeof name - (size_t)length, " (cut off: gained %.2g J)",
                               largest(run, DEVIATION));
        char *copy;
        TRY(arena_string(&plot->arena, name, (size_t)length, &copy));
        legend[chart->legend_count++] = (LegendEntry){copy, run_stroke(i)};
    }
    if (target)
        legend[chart->legend_count++] = (LegendEntry){"target, in the run's colour", target_stroke(GREY)};
    return VELA_OK;
}

// Of two rows.
static int32_t grid_columns(int32_t panel_count)
{
    return panel_count <= 4 ? 2 : panel_count <= 6 ? 3 : 4;
}

static VelaResult draw_energies(Plot *plot)
{
    static const Quantity order[] = {TOTAL,         DEVIATION, KINETIC,    ELASTIC,
                                     GRAVITATIONAL, CONTACT,   CONSTRAINT, DISSIPATED};
    enum { MOST = sizeof order / sizeof order[0] };
    Panel panels[MOST + 1] = {0};
    LegendEntry legend[PLOT_RUN_LIMIT + 1];
    int32_t count = 0;
    bool target = false;
    for (int i = 0; i < MOST; ++i) {
        bool shown = i < 2;
        for (int32_t k = 0; k < plot->run_count; ++k) {
            shown = shown || (plot->runs[k].present[order[i]] && !plot->runs[k].zero[order[i]]);
            target = target || plot->runs[k].present[TARGET];
        }
        if (shown)
            TRY(add_panel(plot, order[i], NAMES[order[i]], "J", &panels[count++]));
    }
    Chart chart = {.columns = grid_columns(count), .panels = panels};
    chart.rows = (count + chart.columns - 1) / chart.columns;
    chart.row_heights = (const double[]){1, 1};
    TRY(add_run_legend(plot, target, legend, &chart));
    return draw(plot, &chart, "Energy", "energy.png");
}

static VelaResult draw_momenta(Plot *plot)
{
    Panel panels[8] = {0};
    LegendEntry legend[PLOT_RUN_LIMIT + 1];
    for (int i = 0; i < 8; ++i)
        TRY(add_panel(plot, PX + i, MOMENTUM_NAMES[i], i < 4 ? "kg m/s" : ANGULAR_UNIT, &panels[i]));
    Chart chart = {.rows = 2, .columns = 4, .row_heights = (const double[]){1, 1}, .panels = panels};
    TRY(add_run_legend(plot, false, legend, &chart));
    return draw(plot, &chart, "Momentum", "momentum.png");
}

// ------------------------------------------------------------------------------------------------ chosen columns

// Turns of the centre of mass about the z axis, counted from the first row; less than half a turn from row to row.
static VelaResult derive_turns(Plot *plot, const PlotRun *run, const double **turns)
{
    const double full_turn = 2 * acos(-1);
    double *x, *y, *values, previous = NAN, angle = 0;
    TRY(copy_column(plot, &run->table, "cx", &x));
    TRY(copy_column(plot, &run->table, "cy", &y));
    TRY(ARENA_ARRAY(&plot->arena, values, run->count));
    for (int64_t i = 0; i < run->count; ++i) {
        const double now = atan2(y[i], x[i]);
        if (isfinite(now) && isfinite(previous))
            angle += remainder(now - previous, full_turn);
        if (isfinite(now))
            previous = now;
        values[i] = isfinite(now) ? angle / full_turn : NAN;
    }
    *turns = values;
    return VELA_OK;
}

static VelaResult refuse_column(Plot *plot, const PlotRun *run, const char *name)
{
    const DiagnosticsTable *table = &run->table;
    const char **names;
    int32_t count = 0;
    TRY(ARENA_ARRAY(&plot->arena, names, table->column_count + DERIVED_COUNT + 1));
    for (int32_t i = 0; i < table->column_count; ++i)
        if (!diagnostics_is_text(table->columns[i]))
            names[count++] = table->columns[i];
    for (int32_t i = 0; i < DERIVED_COUNT; ++i)
        names[count++] = DERIVED_COLUMNS[i];
    char all[1024] = "", guess[128] = "";
    for (size_t i = 0, length = 0; names[i] && length < sizeof all; ++i)
        length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", i ? ", " : "", names[i]);
    const char *near = suggest_name(name, names);
    if (near)
        snprintf(guess, sizeof guess, "; did you mean \"%.64s\"?", near);
    return context_fail(plot->context, VELA_ERROR_INVALID_INPUT,
                        "%s/diagnostics.csv: has no column of numbers \"%.64s\"%s There are: %s", run->folder,
                        name, near ? guess : ".", all);
}

static VelaResult find_values(Plot *plot, const PlotRun *run, const char *name, const double **values)
{
    if (strcmp(name, "turns") == 0)
        return derive_turns(plot, run, values);
    if (strcmp(name, "momentum") == 0 || strcmp(name, "angular_momentum") == 0) {
        *values = run->values[name[0] == 'm' ? P : L];
        return VELA_OK;
    }
    if (diagnostics_column(&run->table, name) < 0 || diagnostics_is_text(name))
        return refuse_column(plot, run, name);
    double *copy;
    TRY(copy_column(plot, &run->table, name, &copy));
    *values = copy;
    return VELA_OK;
}

static VelaResult add_column_panel(Plot *plot, const char *name, Panel *panel)
{
    Curve *curves;
    TRY(ARENA_ARRAY(&plot->arena, curves, plot->run_count));
    *panel = (Panel){.title = name, .unit = "", .curve_count = plot->run_count, .curves = curves};
    for (size_t i = 0; i < sizeof COLUMN_LABELS / sizeof COLUMN_LABELS[0]; ++i) {
        if (strcmp(name, COLUMN_LABELS[i].name) == 0) {
            panel->title = COLUMN_LABELS[i].title;
            panel->unit = COLUMN_LABELS[i].unit;
        }
    }
    for (int32_t i = 0; i < plot->run_count; ++i) {
        const PlotRun *run = &plot->runs[i];
        const double *values = NULL;
        TRY(find_values(plot, run, name, &values));
        curves[i] = (Curve){run->time, values, run->shown, run_stroke(i), run->cut_off, NULL};
    }
    return VELA_OK;
}

static VelaResult add_column_panels(Plot *plot, const char *columns, Panel *panels, int32_t *count)
{
    for (const char *at = columns;; ++at) {
        FAIL_IF(plot->context, *count == PLOT_COLUMN_LIMIT, VELA_ERROR_INVALID_INPUT,
                "plot: found more columns than %d: \"%.200s\"", PLOT_COLUMN_LIMIT, columns);
        const size_t length = strcspn(at, ",");
        char *name;
        TRY(arena_string(&plot->arena, at, length, &name));
        TRY(add_column_panel(plot, name, &panels[(*count)++]));
        at += length;
        if (!*at)
            return VELA_OK;
    }
}

static VelaResult draw_columns(Plot *plot)
{
    const char *columns = plot->columns;
    Panel panels[PLOT_COLUMN_LIMIT] = {0};
    LegendEntry legend[PLOT_RUN_LIMIT];
    int32_t count = 0;
    FAIL_IF(plot->context, !columns, VELA_ERROR_INVALID_INPUT, "plot: found no columns, expected 1 to %d",
            PLOT_COLUMN_LIMIT);
    TRY(add_column_panels(plot, columns, panels, &count));
    // Up to three lie under each other, so that one moment is at one place.
    Chart chart = {.columns = count <= 3 ? 1 : grid_columns(count), .panels = panels};
    chart.rows = (count + chart.columns - 1) / chart.columns;
    chart.row_heights = (const double[]){1, 1, 1};
    if (plot->run_count > 1)
        TRY(add_run_legend(plot, false, legend, &chart));
    char what[256] = "";
    for (size_t i = 0, length = 0; columns[i] && length + 2 < sizeof what; ++i) {
        what[length++] = columns[i];
        if (columns[i] == ',')
            what[length++] = ' ';
    }
    TRY(file_make_folder(plot->context, plot->output));
    return draw(plot, &chart, what, "columns.png");
}

// ------------------------------------------------------------------------------------------------ the ledger

/// A layer of the stack: what a column holds above its least value where that is below 0, or above 0.
typedef struct Layer {
    const char *column, *name;
    Color color;
} Layer;

static const Layer LAYERS[] = {
    {"kinetic", "kinetic", {0, 114, 178}},
    {"elastic", "elastic", {213, 94, 0}},
    {"gravitational", "gravitational, above its least", {0, 158, 115}},
    {"contact", "contact", {230, 159, 0}},
    {"loads", "loads, above their least", {86, 180, 233}},
    {"dissipated_friction", "taken by friction", {128, 130, 140}},
    {"dissipated_strain_rate", "taken by strain rate damping", {190, 100, 150}},
    {"dissipated_rayleigh", "taken by Rayleigh damping", {133, 77, 34}},
    {"dissipated_principal_strain", "taken by principal strain damping", {92, 60, 170}},
    {"dissipated_power_law", "taken by power law damping", {200, 120, 60}},
    {"dissipated_spline", "taken by spline damping", {140, 150, 30}},
    {"dissipated_variational", "taken by variational damping", {170, 60, 60}},
    {"dissipated_air", "taken by the air", {120, 180, 190}},
    {"lost_in_time", "taken by the integrator", {205, 206, 212}},
};
enum { LAYER_COUNT = sizeof LAYERS / sizeof LAYERS[0] };

/// Layers with less than this part of the stack are left out.
static const double THIN = 1e-3;

// Areas on each other, and a line where they end if nothing comes from nowhere: at what there was at the start and what work has added.
static VelaResult stack_ledger(Plot *plot, const PlotRun *run, double *values[LAYER_COUNT], Panel *panel,
                               bool shown[LAYER_COUNT])
{
    double shift = 0, high = 0, *sum, *expected;
    Curve *curves;
    TRY(ARENA_ARRAY(&plot->arena, curves, LAYER_COUNT + 1));
    TRY(ARENA_ARRAY(&plot->arena, sum, run->count));
    TRY(copy_column(plot, &run->table, "work", &expected));
    for (int k = 0; k < LAYER_COUNT; ++k) {
        double least = 0;
        TRY(copy_column(plot, &run->table, LAYERS[k].column, &values[k]));
        const bool lost = strcmp(LAYERS[k].column, "lost_in_time") == 0;
        for (int64_t i = 0; i < run->shown; ++i)
            least = fmin(least, values[k][i]);
        if (strcmp(LAYERS[k].column, "gravitational") == 0)
            for (int64_t i = 0, first = 1; i < run->shown; ++i, first = 0)
                least = first ? values[k][i] : fmin(least, values[k][i]);
        for (int64_t i = 0; i < run->shown; ++i) {
            values[k][i] = lost ? fmax(values[k][i], 0) : values[k][i] - least;
            sum[i] += values[k][i];
            high = fmax(high, sum[i]);
        }
        shift -= lost ? 0 : least;
    }
    const double *total = run->values[TOTAL], *under = NULL;
    for (int64_t i = 0; i < run->count; ++i)
        expected[i] += total[0] + shift;
    for (int k = 0; k < LAYER_COUNT; ++k) {
        double most = 0, *top;
        for (int64_t i = 0; i < run->shown; ++i)
            most = fmax(most, values[k][i]);
        if (!(most > THIN * high))
            continue;
        TRY(ARENA_ARRAY(&plot->arena, top, run->count));
        if (!under) {
            double *floor;
            TRY(ARENA_ARRAY(&plot->arena, floor, run->count));
            under = floor;
        }
        for (int64_t i = 0; i < run->shown; ++i)
            top[i] = under[i] + values[k][i];
        curves[panel->curve_count++] =
            (Curve){run->time, top, run->shown, solid(12, LAYERS[k].color), run->cut_off, under};
        under = top;
        shown[k] = true;
    }
    curves[panel->curve_count++] =
        (Curve){run->time, expected, run->shown, dashed(2, BLACK, 9, 7), run->cut_off, NULL};
    panel->curves = curves;
    panel->title = plot->run_count == 1 ? "energy" : run->name;
    panel->unit = "J";
    return VELA_OK;
}

static VelaResult draw_ledger(Plot *plot)
{
    Panel panels[PLOT_RUN_LIMIT] = {0};
    LegendEntry legend[LAYER_COUNT + 1];
    bool shown[LAYER_COUNT] = {0};
    double *values[LAYER_COUNT];
    for (int32_t r = 0; r < plot->run_count; ++r) {
        FAIL_IF(plot->context, diagnostics_column(&plot->runs[r].table, "lost_in_time") < 0,
                VELA_ERROR_INVALID_INPUT,
                "%s/diagnostics.csv: has no column \"lost_in_time\", expected a run of this version",
                plot->runs[r].folder);
        TRY(stack_ledger(plot, &plot->runs[r], values, &panels[r], shown));
    }
    Chart chart = {.columns = plot->run_count <= 2 ? plot->run_count : grid_columns(plot->run_count),
                   .panels = panels,
                   .legend = legend};
    chart.rows = (plot->run_count + chart.columns - 1) / chart.columns;
    chart.row_heights = (const double[]){1, 1, 1};
    for (int k = 0; k < LAYER_COUNT; ++k)
        if (shown[k])
            legend[chart.legend_count++] = (LegendEntry){LAYERS[k].name, solid(12, LAYERS[k].color)};
    legend[chart.legend_count++] = (LegendEntry){"start and work", dashed(2, BLACK, 9, 7)};
    TRY(file_make_folder(plot->context, plot->output));
    return draw(plot, &chart, "Ledger", "ledger.png");
}

// ------------------------------------------------------------------------------------------------ entry

static VelaResult read_runs(Plot *plot, const char *const *folders)
{
    FAIL_IF(plot->context, plot->run_count < 1 || plot->run_count > PLOT_RUN_LIMIT, VELA_ERROR_INVALID_INPUT,
            "plot: found %d run folders, expected 1 to %d", plot->run_count, PLOT_RUN_LIMIT);
    static const char *const pictures[] = {"energy.png", "momentum.png", "columns.png", "ledger.png", NULL};
    if (plot->output && !run_folder_holds_run(plot->output))
        TRY(output_folder_check(plot->context, plot->output, pictures, NULL));
    plot->output = plot->output ? plot->output : folders[0];
    for (int32_t i = 0; i < plot->run_count; ++i)
        TRY(read_run(plot, folders[i], &plot->runs[i]));
    TRY(name_runs(plot, folders));
    plot->any_cut_off = plot->run_count > 1 && find_cut_off(plot);
    return VELA_OK;
}

static VelaResult draw_all(Plot *plot)
{
    TRY(file_make_folder(plot->context, plot->output));
    TRY(plot->run_count == 1 ? draw_energy(plot) : draw_energies(plot));
    return plot->run_count == 1 ? draw_momentum(plot) : draw_momenta(plot);
}

static VelaResult make_plot(VelaContext *context, int32_t folder_count, const char *const *folders,
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

VelaResult plot_runs(VelaContext *context, int32_t folder_count, const char *const *folders,
                     const char *output)
{
    return make_plot(context, folder_count, folders, output, NULL, draw_all);
}

VelaResult plot_columns(VelaContext *context, int32_t folder_count, const char *const *folders,
                        const char *columns, const char *output)
{
    return make_plot(context, folder_count, folders, output, columns, draw_columns);
}

VelaResult plot_ledger(VelaContext *context, int32_t folder_count, const char *const *folders,
                       const char *output)
{
    return make_plot(context, folder_count, folders, output, NULL, draw_ledger);
}
