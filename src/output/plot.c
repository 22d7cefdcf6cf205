#include "output/plot.h"

#include "base/file.h"
#include "output/plot_parts.h"
#include "scene/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// ------------------------------------------------------------------------------------------------ one run

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

static VelaResult draw_energy(Plot *plot)
{
    const PlotRun *run = &plot->runs[0];
    const Stroke strokes[ENERGIES] = {
        plot_solid(PLOT_LINE, PLOT_BLUE),   plot_solid(PLOT_LINE, PLOT_VERMILLION),
        plot_solid(PLOT_LINE, PLOT_GREEN),  plot_solid(PLOT_LINE, PLOT_ORANGE),
        plot_solid(PLOT_LINE, PLOT_PURPLE), plot_solid(PLOT_LINE, PLOT_GREY),
        plot_solid(3.4, PLOT_BLACK),        plot_dashed(2, PLOT_SKY, 9, 9),
    };
    Curve curves[ENERGIES], deviations[2];
    LegendEntry legend[ENERGIES];
    Panel panels[2] = {{.title = "energy", .unit = "J"},
                       {.title = PLOT_NAMES[DEVIATION], .unit = "J", .curves = deviations}};
    Chart chart = {.rows = 2, .columns = 1, .row_heights = (const double[]){2, 1}, .panels = panels};
    for (int q = 0; q < ENERGIES; ++q)
        if (q != DISSIPATED || !run->zero[q])
            TRY(add_curve(plot, run, q, PLOT_NAMES[q], strokes[q], &panels[0], curves, &chart, legend));
    if (run->present[DEVIATION])
        deviations[panels[1].curve_count++] = curve_of(run, DEVIATION, plot_solid(PLOT_LINE, PLOT_BLACK));
    if (run->present[TARGET_DEVIATION])
        deviations[panels[1].curve_count++] = curve_of(run, TARGET_DEVIATION, strokes[TARGET]);
    return plot_draw(plot, &chart, "Energy", "energy.png");
}

static VelaResult draw_momentum(Plot *plot)
{
    const PlotRun *run = &plot->runs[0];
    // Narrower upwards: equal components show as stripes.
    const Stroke strokes[4] = {plot_solid(3.6, PLOT_VERMILLION), plot_solid(2.8, PLOT_GREEN),
                               plot_solid(2, PLOT_BLUE), plot_dashed(2, PLOT_BLACK, 10, 7)};
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
    return plot_draw(plot, &chart, "Momentum", "momentum.png");
}

// ------------------------------------------------------------------------------------------------ several runs

static Stroke target_stroke(Color color)
{
    return plot_dashed(1.3, color, 2, 4);
}

static VelaResult add_panel(Plot *plot, Quantity quantity, const char *title, const char *unit, Panel *panel)
{
    Curve *curves;
    TRY(ARENA_ARRAY(&plot->arena, curves, 2 * plot->run_count));
    *panel = (Panel){.title = title, .unit = unit, .curves = curves};
    for (int32_t i = 0; i < plot->run_count; ++i) {
        const PlotRun *run = &plot->runs[i];
        curves[panel->curve_count++] = curve_of(run, quantity, plot_run_stroke(i));
        if (quantity == TOTAL && run->present[TARGET])
            curves[panel->curve_count++] = curve_of(run, TARGET, target_stroke(plot_run_stroke(i).color));
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
                               plot_largest(run, DEVIATION));
        char *copy;
        TRY(arena_string(&plot->arena, name, (size_t)length, &copy));
        legend[chart->legend_count++] = (LegendEntry){copy, plot_run_stroke(i)};
    }
    if (target)
        legend[chart->legend_count++] =
            (LegendEntry){"target, in the run's colour", target_stroke(PLOT_GREY)};
    return VELA_OK;
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
            TRY(add_panel(plot, order[i], PLOT_NAMES[order[i]], "J", &panels[count++]));
    }
    Chart chart = {.columns = plot_grid_columns(count), .panels = panels};
    chart.rows = (count + chart.columns - 1) / chart.columns;
    chart.row_heights = (const double[]){1, 1};
    TRY(add_run_legend(plot, target, legend, &chart));
    return plot_draw(plot, &chart, "Energy", "energy.png");
}

static VelaResult draw_momenta(Plot *plot)
{
    Panel panels[8] = {0};
    LegendEntry legend[PLOT_RUN_LIMIT + 1];
    for (int i = 0; i < 8; ++i)
        TRY(add_panel(plot, PX + i, MOMENTUM_NAMES[i], i < 4 ? "kg m/s" : ANGULAR_UNIT, &panels[i]));
    Chart chart = {.rows = 2, .columns = 4, .row_heights = (const double[]){1, 1}, .panels = panels};
    TRY(add_run_legend(plot, false, legend, &chart));
    return plot_draw(plot, &chart, "Momentum", "momentum.png");
}

// ------------------------------------------------------------------------------------------------ chosen columns

// Turns of the centre of mass about the z axis, counted from the first row; less than half a turn from row to row.
static VelaResult derive_turns(Plot *plot, const PlotRun *run, const double **turns)
{
    const double full_turn = 2 * acos(-1);
    double *x, *y, *values, previous = NAN, angle = 0;
    TRY(plot_copy_column(plot, &run->table, "cx", &x));
    TRY(plot_copy_column(plot, &run->table, "cy", &y));
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
    TRY(plot_copy_column(plot, &run->table, name, &copy));
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
        curves[i] = (Curve){run->time, values, run->shown, plot_run_stroke(i), run->cut_off, NULL};
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
    Chart chart = {.columns = count <= 3 ? 1 : plot_grid_columns(count), .panels = panels};
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
    return plot_draw(plot, &chart, what, "columns.png");
}

// ------------------------------------------------------------------------------------------------ entry

static VelaResult draw_all(Plot *plot)
{
    TRY(file_make_folder(plot->context, plot->output));
    TRY(plot->run_count == 1 ? draw_energy(plot) : draw_energies(plot));
    return plot->run_count == 1 ? draw_momentum(plot) : draw_momenta(plot);
}

VelaResult plot_runs(VelaContext *context, int32_t folder_count, const char *const *folders,
                     const char *output)
{
    return plot_make(context, folder_count, folders, output, NULL, draw_all);
}

VelaResult plot_columns(VelaContext *context, int32_t folder_count, const char *const *folders,
                        const char *columns, const char *output)
{
    return plot_make(context, folder_count, folders, output, columns, draw_columns);
}
