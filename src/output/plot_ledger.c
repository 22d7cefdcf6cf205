#include "output/plot.h"

#include "base/file.h"
#include "output/plot_parts.h"

#include <math.h>
#include <string.h>

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
    TRY(plot_copy_column(plot, &run->table, "work", &expected));
    for (int k = 0; k < LAYER_COUNT; ++k) {
        double least = 0;
        TRY(plot_copy_column(plot, &run->table, LAYERS[k].column, &values[k]));
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
            (Curve){run->time, top, run->shown, plot_solid(12, LAYERS[k].color), run->cut_off, under};
        under = top;
        shown[k] = true;
    }
    curves[panel->curve_count++] =
        (Curve){run->time, expected, run->shown, plot_dashed(2, PLOT_BLACK, 9, 7), run->cut_off, NULL};
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
    Chart chart = {.columns = plot->run_count <= 2 ? plot->run_count : plot_grid_columns(plot->run_count),
                   .panels = panels,
                   .legend = legend};
    chart.rows = (plot->run_count + chart.columns - 1) / chart.columns;
    chart.row_heights = (const double[]){1, 1, 1};
    for (int k = 0; k < LAYER_COUNT; ++k)
        if (shown[k])
            legend[chart.legend_count++] = (LegendEntry){LAYERS[k].name, plot_solid(12, LAYERS[k].color)};
    legend[chart.legend_count++] = (LegendEntry){"start and work", plot_dashed(2, PLOT_BLACK, 9, 7)};
    TRY(file_make_folder(plot->context, plot->output));
    return plot_draw(plot, &chart, "Ledger", "ledger.png");
}

VelaResult plot_ledger(VelaContext *context, int32_t folder_count, const char *const *folders,
                       const char *output)
{
    return plot_make(context, folder_count, folders, output, NULL, draw_ledger);
}
