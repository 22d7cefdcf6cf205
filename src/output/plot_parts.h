/// What the files of plot.h share: runs that are read, strokes, and how a picture is made of them.
#ifndef OUTPUT_PLOT_PARTS_H
#define OUTPUT_PLOT_PARTS_H

#include "output/chart.h"
#include "output/diagnostics.h"
#include "output/run_folder.h"

enum { PLOT_RUN_LIMIT = 12 };

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

// Colours that people with colour vision deficiencies can tell apart (Okabe and Ito, 2008), darker where thin lines need it.
static const Color PLOT_BLUE = {0, 114, 178}, PLOT_VERMILLION = {213, 94, 0}, PLOT_GREEN = {0, 158, 115},
                   PLOT_ORANGE = {230, 159, 0}, PLOT_PURPLE = {190, 100, 150}, PLOT_SKY = {86, 180, 233},
                   PLOT_GREY = {128, 130, 140}, PLOT_BROWN = {133, 77, 34}, PLOT_OLIVE = {140, 150, 30},
                   PLOT_VIOLET = {92, 60, 170}, PLOT_RED = {170, 10, 60}, PLOT_BLACK = {20, 20, 24};

static const double PLOT_LINE = 2.4; ///< pixels wide

/// Reads 1 to PLOT_RUN_LIMIT runs, lets `draw_it` make its pictures and frees all. `columns`: of plot_columns, else NULL. Errors as
/// for plot_runs.
VelaResult plot_make(VelaContext *context, int32_t folder_count, const char *const *folders,
                     const char *output, const char *columns, VelaResult (*draw_it)(Plot *plot));
/// A copy of the column, `row_count` values owned by the plot's arena; NaN where the table has no such column.
VelaResult plot_copy_column(Plot *plot, const DiagnosticsTable *table, const char *name, double **values);
/// Gives the chart its title (`what` "of" the run or the runs) and its axis of time, and writes it to `file` in the plot's folder.
VelaResult plot_draw(Plot *plot, Chart *chart, const char *what, const char *file);
/// Columns of a grid of two rows (three for more than eight panels).
int32_t plot_grid_columns(int32_t panel_count);

/// Widths, dashes and gaps in pixels.
Stroke plot_solid(double width, Color color);
Stroke plot_dashed(double width, Color color, double dash, double gap);
/// The stroke of run (or other curve) `index`, from 0; PLOT_RUN_LIMIT colours, then the same again with other dashes.
Stroke plot_run_stroke(int32_t index);

/// The largest finite value, at least 0.
double plot_largest(const PlotRun *run, Quantity quantity);

/// How the quantities are called.
extern const char *const PLOT_NAMES[QUANTITIES];
/// What may lie in a folder for pictures; ends with NULL.
extern const char *const PLOT_PICTURES[];

#endif
