#include "output/plot.h"

#include "base/file.h"
#include "output/plot_parts.h"
#include "scene/parse.h"

#include <math.h>
#include <stdio.h>

enum { SPLINE_FILE_ROOM = 1024, STEPS_BETWEEN = 64 };

/// How far the constant parts are drawn, of the stretches between the outermost points; where that is nothing: m/m.
static const double MARGIN = 0.25, LEAST_MARGIN = 0.1;

typedef struct SplinePlot {
    VelaContext *context;
    Arena arena;
    SceneDef scene;
    int32_t count; ///< of splines
    Curve *curves; ///< of each: the line, then its points
    LegendEntry *legend;
} SplinePlot;

static bool is_spline(const Damping *entry)
{
    return entry->type == DAMPING_SPLINE;
}

// The stretches that are shown: all points of all splines and some beyond them.
static void find_range(SplinePlot *plot, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int32_t m = 0; m < plot->scene.material_count; ++m) {
        const DampingList *list = &plot->scene.materials[m].damping;
        for (const Damping *entry = damping_first(list); entry != damping_end(list); ++entry) {
            if (!is_spline(entry))
                continue;
            ++plot->count;
            *low = fmin(*low, entry->factor.points[0][0]);
            *high = fmax(*high, entry->factor.points[entry->factor.count - 1][0]);
        }
    }
    const double margin = fmax(MARGIN * (*high - *low), LEAST_MARGIN);
    *low = fmax(*low - margin, 0);
    *high += margin;
}

// From `low` to `high` by way of every point, evenly in between.
static VelaResult trace_spline(SplinePlot *plot, const Spline *spline, double low, double high, Stroke stroke,
                               Curve *curve)
{
    double *x, *y;
    int64_t count = 0;
    TRY(ARENA_ARRAY(&plot->arena, x, STEPS_BETWEEN * (spline->count + 1) + 1));
    TRY(ARENA_ARRAY(&plot->arena, y, STEPS_BETWEEN * (spline->count + 1) + 1));
    for (int32_t i = 0; i <= spline->count; ++i) {
        const double from = i == 0 ? low : spline->points[i - 1][0];
        const double to = i == spline->count ? high : spline->points[i][0];
        for (int k = 0; k < STEPS_BETWEEN; ++k)
            x[count++] = from + (to - from) * k / STEPS_BETWEEN;
    }
    x[count++] = high;
    for (int64_t i = 0; i < count; ++i)
        y[i] = spline_value(spline, x[i]);
    *curve = (Curve){.x = x, .y = y, .count = count, .stroke = stroke};
    return VELA_OK;
}

// Gaps between them: a point alone is drawn as a dot.
static VelaResult mark_points(SplinePlot *plot, const Spline *spline, Stroke stroke, Curve *curve)
{
    double *x, *y;
    TRY(ARENA_ARRAY(&plot->arena, x, 2 * spline->count));
    TRY(ARENA_ARRAY(&plot->arena, y, 2 * spline->count));
    for (int32_t i = 0; i < spline->count; ++i) {
        x[2 * i] = spline->points[i][0];
        y[2 * i] = spline->points[i][1];
        x[2 * i + 1] = y[2 * i + 1] = NAN;
    }
    stroke.width *= 2;
    *curve = (Curve){.x = x, .y = y, .count = 2 * spline->count, .stroke = stroke};
    return VELA_OK;
}

static VelaResult draw_splines(SplinePlot *plot, double low, double high, const char *path)
{
    TRY(ARENA_ARRAY(&plot->arena, plot->curves, 2 * plot->count));
    TRY(ARENA_ARRAY(&plot->arena, plot->legend, plot->count));
    int32_t number = 0;
    for (int32_t m = 0; m < plot->scene.material_count; ++m) {
        const MaterialDef *material = &plot->scene.materials[m];
        for (const Damping *entry = damping_first(&material->damping);
             entry != damping_end(&material->damping); ++entry) {
            if (!is_spline(entry))
                continue;
            const Stroke stroke = plot_run_stroke(number);
            TRY(trace_spline(plot, &entry->factor, low, high, stroke, &plot->curves[2 * number]));
            TRY(mark_points(plot, &entry->factor, stroke, &plot->curves[2 * number + 1]));
            char text[256], *name;
            const int length = snprintf(text, sizeof text, "%.200s, %g s", material->name, entry->time);
            TRY(arena_string(&plot->arena, text, (size_t)length, &name));
            plot->legend[number++] = (LegendEntry){name, stroke};
        }
    }
    char title[512];
    snprintf(title, sizeof title, "Spline damping of %.400s", plot->scene.name);
    const Panel panel = {
        .title = "factor", .unit = "", .curve_count = 2 * plot->count, .curves = plot->curves};
    const Chart chart = {.title = title,
                         .subtitle =
                             "times the time and the material's stiffness against each principal stretch; "
                             "constant beyond the points",
                         .x_title = "principal stretch",
                         .x_unit = "",
                         .legend_count = plot->count,
                         .legend = plot->legend,
                         .rows = 1,
                         .columns = 1,
                         .row_heights = (const double[]){1},
                         .panels = &panel};
    return chart_draw(plot->context, &chart, path);
}

static VelaResult make_picture(SplinePlot *plot, const char *output, char *path)
{
    char folder[SPLINE_FILE_ROOM], file[RUN_PATH_CAPACITY];
    const int length = output ? snprintf(folder, sizeof folder, "%s", output)
                              : snprintf(folder, sizeof folder, "out/%s_plot", plot->scene.name);
    FAIL_IF(plot->context, length < 1 || length + (int)sizeof "/spline.png" > SPLINE_FILE_ROOM,
            VELA_ERROR_INVALID_INPUT, "-o: found a folder name of %d characters, expected 1 to %d", length,
            SPLINE_FILE_ROOM - (int)sizeof "/spline.png");
    if (!run_folder_holds_run(folder))
        TRY(output_folder_check(plot->context, folder, PLOT_PICTURES, NULL));
    double low, high;
    find_range(plot, &low, &high);
    FAIL_IF(plot->context, plot->count == 0, VELA_ERROR_INVALID_INPUT,
            "%s: materials: found no damping of type \"spline\", expected at least one", plot->scene.path);
    TRY(file_make_folder(plot->context, folder));
    TRY(run_path(plot->context, folder, "spline.png", file));
    snprintf(path, SPLINE_FILE_ROOM, "%s", file);
    return draw_splines(plot, low, high, file);
}

VelaResult plot_spline(VelaContext *context, const char *scene, int32_t override_count,
                       const char *const *overrides, const char *output, char path[1024])
{
    SplinePlot plot = {.context = context, .arena = arena_make(context)};
    VelaResult result = scene_read(context, scene, override_count, overrides, &plot.arena, &plot.scene);
    if (result == VELA_OK)
        result = make_picture(&plot, output, path);
    arena_clear(&plot.arena);
    return result;
}
