/// Curves over a common horizontal axis, in a grid of panels with a legend: layout, axes, ticks, drawing.
#ifndef OUTPUT_CHART_H
#define OUTPUT_CHART_H

#include "output/canvas.h"

enum { CHART_WIDTH = 1600, CHART_HEIGHT = 1000 };

typedef struct Curve {
    const double *x, *y; ///< `count` each; points that are not finite are gaps
    int64_t count;
    Stroke stroke;
    bool cut_off;       ///< the axis is not stretched for it, unless all curves of the panel are such
    const double *base; ///< `count`: the area from there to y is filled in the stroke's colour; NULL: a line
} Curve;

typedef struct Panel {
    const char *title;
    const char
        *unit; ///< "J", "" for a plain number; a power of ten is put before it where the numbers need one
    int32_t curve_count;
    const Curve *curves; ///< later ones lie on top
} Panel;

typedef struct LegendEntry {
    const char *name;
    Stroke stroke; ///< width 0: a name without a line
} LegendEntry;

typedef struct Chart {
    const char *title;
    const char *subtitle; ///< NULL: none
    const char *x_title, *x_unit;
    int32_t legend_count;
    const LegendEntry *legend;
    int32_t rows, columns;
    const double *row_heights; ///< shares, `rows` of them
    const Panel *panels;       ///< rows x columns, row by row; without a title: left empty
} Chart;

/// Draws the chart and writes it to `path` as PNG.
VelaResult chart_draw(VelaContext *context, const Chart *chart, const char *path);

/// An axis from `low` to `high` with ticks at `first` + i `step`, i < `count`. Labels show (value - offset) /
/// 10^exponent with `decimals` digits.
typedef struct Axis {
    double low, high, first, step, offset;
    int count, exponent, decimals;
} Axis;

/// The axis for data from `low` to `high` (`low` > `high`: there is none), with at most `most` ticks. `pad`: leave room
/// beyond the data. Steps are 1, 2 or 5 times a power of ten.
Axis chart_axis(double low, double high, int most, bool pad);
/// The label of tick `i`.
void chart_tick_label(const Axis *axis, int i, char text[64]);

#endif
