#include "output/chart.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const Color WHITE = {255, 255, 255}, INK = {34, 34, 40}, SOFT_INK = {105, 108, 118};
static const Color GRID = {232, 233, 238}, ZERO_LINE = {176, 179, 190}, FRAME_LINE = {120, 123, 134};

// Pixels. Sizes of text are heights of capitals.
enum {
    MARGIN = 44,
    TITLE_SIZE = 24,
    SUBTITLE_SIZE = 13,
    LABEL_SIZE = 13,
    PANEL_TITLE_SIZE = 15,
    LEGEND_SIZE = 15,
    LEGEND_LINE = 46,
    LEGEND_GAP = 36,
    LEGEND_ROW = 34,
    PANEL_TITLE_ROOM = 42,
    TICK_ROOM = 34,
    X_LABEL_ROOM = 34,
    PANEL_GAP = 22,
    FEW_POINTS = 40,
};

typedef struct Drawing {
    const Chart *chart;
    Canvas canvas;
    Arena arena;
    double x_low, x_high; ///< of all curves
} Drawing;

// ------------------------------------------------------------------------------------------------ head and legend

// Copies `text` into `shortened` so that it is at most `room` pixels wide, with an ellipsis where something is left out.
static void fit_text(const char *text, double size, double room, char shortened[256])
{
    snprintf(shortened, 256, "%s", text);
    if (strlen(text) < 256 && canvas_text_width(shortened, size) <= room)
        return;
    size_t length = strlen(shortened) < 250 ? strlen(shortened) : 250;
    do {
        // Not through the middle of a character.
        while (length > 0 && ((unsigned char)shortened[--length] & 0xc0) == 0x80)
            ;
        snprintf(shortened + length, 256 - length, "\xe2\x80\xa6");
    } while (length > 0 && canvas_text_width(shortened, size) > room);
}

// Draws the head of the picture and returns where the panels may begin.
static double draw_head(Drawing *drawing)
{
    const Chart *chart = drawing->chart;
    const double room = CHART_WIDTH - 2.0 * MARGIN;
    char text[256];
    fit_text(chart->title, TITLE_SIZE, room, text);
    canvas_text(&drawing->canvas, MARGIN, 66, 0, TITLE_SIZE, INK, text);
    double y = 66;
    if (chart->subtitle) {
        y += 34;
        fit_text(chart->subtitle, SUBTITLE_SIZE, room, text);
        canvas_text(&drawing->canvas, MARGIN, y, 0, SUBTITLE_SIZE, SOFT_INK, text);
    }
    y += 44;
    double x = MARGIN;
    for (int32_t i = 0; i < chart->legend_count; ++i) {
        const LegendEntry *entry = &chart->legend[i];
        const double line = entry->stroke.width > 0 ? LEGEND_LINE + 10 : 0;
        fit_text(entry->name, LEGEND_SIZE, room - line, text);
        const double width = line + canvas_text_width(text, LEGEND_SIZE);
        if (x > MARGIN && x + width > CHART_WIDTH - MARGIN) {
            x = MARGIN;
            y += LEGEND_ROW;
        }
        const double middle = y - LEGEND_SIZE / 2.0 + 1.5;
        const double sample[4] = {x + 2, middle, x + LEGEND_LINE - 2, middle};
        if (line > 0)
            canvas_line(&drawing->canvas, (Rectangle){0, 0, CHART_WIDTH, CHART_HEIGHT}, sample, 2,
                        entry->stroke);
        canvas_text(&drawing->canvas, x + line, y, 0, LEGEND_SIZE, INK, text);
        x += width + LEGEND_GAP;
    }
    return y + 20;
}

// ------------------------------------------------------------------------------------------------ curves

typedef struct PanelFrame {
    Rectangle area;
    Axis x, y;
} PanelFrame;

static double to_pixel_x(const PanelFrame *frame, double x)
{
    return frame->area.left +
           (x - frame->x.low) / (frame->x.high - frame->x.low) * (frame->area.right - frame->area.left);
}

// Far away points are brought near, so that their pixels stay within what arithmetic can hold.
static double to_pixel_y(const PanelFrame *frame, double y)
{
    const double share = (y - frame->y.low) / (frame->y.high - frame->y.low);
    return frame->area.bottom - fmin(fmax(share, -10), 10) * (frame->area.bottom - frame->area.top);
}

static void draw_dots(Canvas *canvas, Rectangle clip, const double *points, int64_t count, Stroke stroke)
{
    const Stroke dot = {.width = stroke.width + 4.5, .color = stroke.color};
    for (int64_t i = 0; i < count; ++i)
        canvas_line(canvas, clip, points + 2 * i, 1, dot);
}

// Reduces the points of one pixel column to the first, lowest, highest and last: the picture stays the same.
typedef struct Column {
    int64_t first, lowest, highest, last; ///< indices; first < 0: empty
    double pixel;
} Column;

static int64_t flush_column(const Column *column, const double *all, double *kept, int64_t count)
{
    if (column->first < 0)
        return count;
    int64_t order[4] = {column->first, column->lowest, column->highest, column->last};
    if (order[1] > order[2]) {
        order[1] = column->highest;
        order[2] = column->lowest;
    }
    for (int i = 0; i < 4; ++i)
        if (i == 0 || order[i] != order[i - 1])
            memmove(kept + 2 * count++, all + 2 * order[i], 2 * sizeof(double));
    return count;
}

// In place: a column never has more points afterwards than before.
static int64_t thin_out(double *points, int64_t count)
{
    Column column = {.first = -1};
    int64_t kept = 0;
    for (int64_t i = 0; i < count; ++i) {
        const double pixel = floor(points[2 * i]);
        if (column.first < 0 || pixel != column.pixel) {
            kept = flush_column(&column, points, points, kept);
            column = (Column){i, i, i, i, pixel};
            continue;
        }
        if (points[2 * i + 1] < points[2 * column.lowest + 1])
            column.lowest = i;
        if (points[2 * i + 1] > points[2 * column.highest + 1])
            column.highest = i;
        column.last = i;
    }
    return flush_column(&column, points, points, kept);
}

// Pixel by pixel along the axis, straight between points.
static void fill_area(Drawing *drawing, const PanelFrame *frame, const Curve *curve)
{
    const Rectangle *area = &frame->area;
    for (int64_t i = 0; i + 1 < curve->count; ++i) {
        double y[2][2], x[2];
        bool finite = true;
        for (int k = 0; k < 2; ++k) {
            x[k] = to_pixel_x(frame, curve->x[i + k]);
            y[0][k] = to_pixel_y(frame, curve->base[i + k]);
            y[1][k] = to_pixel_y(frame, curve->y[i + k]);
            finite = finite && isfinite(x[k]) && isfinite(y[0][k]) && isfinite(y[1][k]);
        }
        if (!finite || !(x[1] > x[0]))
            continue;
        for (double at = fmax(floor(x[0]), area->left); at < fmin(x[1], area->right); ++at) {
            const double share = fmin(fmax((at + 0.5 - x[0]) / (x[1] - x[0]), 0), 1);
            const double from = y[0][0] + share * (y[0][1] - y[0][0]),
                         to = y[1][0] + share * (y[1][1] - y[1][0]);
            canvas_fill(
                &drawing->canvas,
                (Rectangle){at, fmax(fmin(from, to), area->top), at + 1, fmin(fmax(from, to), area->bottom)},
                curve->stroke.color);
        }
    }
}

static VelaResult draw_curve(Drawing *drawing, const PanelFrame *frame, const Curve *curve)
{
    const ArenaMark mark = arena_mark(&drawing->arena);
    const Rectangle clip = {frame->area.left - 5, frame->area.top - 5, frame->area.right + 5,
                            frame->area.bottom + 5};
    double *points;
    if (curve->base) {
        fill_area(drawing, frame, curve);
        return VELA_OK;
    }
    TRY(ARENA_ARRAY(&drawing->arena, points, 2 * (size_t)curve->count));
    for (int64_t i = 0; i < curve->count;) {
        int64_t count = 0;
        for (; i < curve->count && isfinite(curve->x[i]) && isfinite(curve->y[i]); ++i, ++count) {
            points[2 * count] = to_pixel_x(frame, curve->x[i]);
            points[2 * count + 1] = to_pixel_y(frame, curve->y[i]);
        }
        if (count == 1 || (count > 0 && curve->count <= FEW_POINTS))
            draw_dots(&drawing->canvas, clip, points, count, curve->stroke);
        if (count > 1)
            canvas_line(&drawing->canvas, clip, points, thin_out(points, count), curve->stroke);
        if (count == 0)
            ++i;
    }
    arena_release(&drawing->arena, mark);
    return VELA_OK;
}

// ------------------------------------------------------------------------------------------------ panels

static void extend(const double *values, int64_t count, double *low, double *high)
{
    for (int64_t i = 0; i < count; ++i) {
        if (!isfinite(values[i]))
            continue;
        *low = fmin(*low, values[i]);
        *high = fmax(*high, values[i]);
    }
}

static Axis panel_axis(const Panel *panel, double height)
{
    double low = DBL_MAX, high = -DBL_MAX;
    for (int cut_off = 0; cut_off < 2 && low > high; ++cut_off)
        for (int32_t i = 0; i < panel->curve_count; ++i)
            if (panel->curves[i].cut_off == cut_off) {
                extend(panel->curves[i].y, panel->curves[i].count, &low, &high);
                if (panel->curves[i].base)
                    extend(panel->curves[i].base, panel->curves[i].count, &low, &high);
            }
    return chart_axis(low, high, (int)fmax(3, height / 52), true);
}

// "total (10^3 J)", or "total - 12.5 (10^-6 J)" where the axis shows deviations.
static void axis_title(const char *title, const char *unit, const Axis *axis, char text[256])
{
    char factor[32] = "", offset[64] = "";
    if (axis->exponent)
        snprintf(factor, sizeof factor, "10\1%s%d\3%s", axis->exponent < 0 ? "\xe2\x88\x92" : "",
                 axis->exponent < 0 ? -axis->exponent : axis->exponent, unit[0] ? " " : "");
    if (axis->offset != 0)
        snprintf(offset, sizeof offset, " %s %.12g", axis->offset < 0 ? "+" : "\xe2\x88\x92",
                 fabs(axis->offset));
    const int length = snprintf(text, 256, "%s%s", title, offset);
    if ((factor[0] || unit[0]) && length < 256)
        snprintf(text + length, 256 - (size_t)length, " (%s%s)", factor, unit);
}

static double label_room(const Axis *axis)
{
    double room = 0;
    for (int i = 0; i < axis->count; ++i) {
        char text[64];
        chart_tick_label(axis, i, text);
        room = fmax(room, canvas_text_width(text, LABEL_SIZE));
    }
    return room + 14;
}

static void draw_rule(Canvas *canvas, double x0, double y0, double x1, double y1, Color color)
{
    // On whole pixels, one wide.
    canvas_fill(canvas, (Rectangle){floor(x0), floor(y0), floor(x1) + 1, floor(y1) + 1}, color);
}

static void draw_axes(Drawing *drawing, const PanelFrame *frame)
{
    Canvas *canvas = &drawing->canvas;
    const Rectangle *area = &frame->area;
    char text[64];
    for (int i = 0; i < frame->x.count; ++i) {
        const double x = to_pixel_x(frame, frame->x.first + i * frame->x.step);
        draw_rule(canvas, x, area->top, x, area->bottom, GRID);
        draw_rule(canvas, x, area->bottom, x, area->bottom + 5, FRAME_LINE);
        chart_tick_label(&frame->x, i, text);
        canvas_text(canvas, x, area->bottom + 12 + LABEL_SIZE, 0.5, LABEL_SIZE, SOFT_INK, text);
    }
    for (int i = 0; i < frame->y.count; ++i) {
        const double value = frame->y.first + i * frame->y.step, y = to_pixel_y(frame, value);
        const bool zero = fabs(value) < 1e-6 * frame->y.step;
        draw_rule(canvas, area->left, y, area->right, y, zero ? ZERO_LINE : GRID);
        chart_tick_label(&frame->y, i, text);
        canvas_text(canvas, area->left - 10, y + LABEL_SIZE / 2.0, 1, LABEL_SIZE, SOFT_INK, text);
    }
    draw_rule(canvas, area->left, area->top, area->left, area->bottom, FRAME_LINE);
    draw_rule(canvas, area->left, area->bottom, area->right, area->bottom, FRAME_LINE);
}

// Draws the panel into its cell; `gutter` is the room for labels left of its axis. The lowest of a column names the
// horizontal axis.
static VelaResult draw_panel(Drawing *drawing, const Panel *panel, Rectangle cell, double gutter, bool lowest)
{
    const Rectangle area = {cell.left + gutter, cell.top + PANEL_TITLE_ROOM, cell.right,
                            cell.bottom - TICK_ROOM};
    const int most = (int)fmax(3, (area.right - area.left) / 80);
    const PanelFrame frame = {area, chart_axis(drawing->x_low, drawing->x_high, most, false),
                              panel_axis(panel, area.bottom - area.top)};
    char title[256], fitted[256];
    axis_title(panel->title, panel->unit, &frame.y, title);
    fit_text(title, PANEL_TITLE_SIZE, area.right - area.left, fitted);
    canvas_text(&drawing->canvas, area.left, area.top - 14, 0, PANEL_TITLE_SIZE, INK, fitted);
    draw_axes(drawing, &frame);
    if (lowest) {
        axis_title(drawing->chart->x_title, drawing->chart->x_unit, &frame.x, title);
        canvas_text(&drawing->canvas, (area.left + area.right) / 2, area.bottom + TICK_ROOM + 2 * LABEL_SIZE,
                    0.5, LABEL_SIZE, INK, title);
    }
    int64_t drawn = 0;
    for (int32_t i = 0; i < panel->curve_count; ++i) {
        TRY(draw_curve(drawing, &frame, &panel->curves[i]));
        for (int64_t k = 0; k < panel->curves[i].count; ++k)
            drawn += isfinite(panel->curves[i].y[k]) != 0;
    }
    if (drawn == 0)
        canvas_text(&drawing->canvas, (area.left + area.right) / 2, (area.top + area.bottom) / 2, 0.5,
                    LEGEND_SIZE, SOFT_INK, "no data");
    return VELA_OK;
}

// The room for labels that all panels of a column share, so that their axes stand in line.
static double column_gutter(const Chart *chart, int32_t column, const double *heights)
{
    double gutter = 0;
    for (int32_t row = 0; row < chart->rows; ++row) {
        const Panel *panel = &chart->panels[row * chart->columns + column];
        const Axis axis = panel_axis(panel, heights[row] - PANEL_TITLE_ROOM - TICK_ROOM);
        if (panel->title)
            gutter = fmax(gutter, label_room(&axis));
    }
    return gutter;
}

static VelaResult draw_panels(Drawing *drawing, double top)
{
    const Chart *chart = drawing->chart;
    const double left = MARGIN - 4, right = CHART_WIDTH - MARGIN, bottom = CHART_HEIGHT - X_LABEL_ROOM - 8;
    const double width = (right - left + PANEL_GAP) / chart->columns;
    double shares = 0, *heights;
    TRY(ARENA_ARRAY(&drawing->arena, heights, chart->rows));
    for (int32_t row = 0; row < chart->rows; ++row)
        shares += chart->row_heights[row];
    for (int32_t row = 0; row < chart->rows; ++row)
        heights[row] = (bottom - top) * chart->row_heights[row] / shares;
    for (int32_t column = 0; column < chart->columns; ++column) {
        const double gutter = column_gutter(chart, column, heights);
        double y = top;
        for (int32_t row = 0; row < chart->rows; y += heights[row++]) {
            const Panel *panel = &chart->panels[row * chart->columns + column];
            const Rectangle cell = {left + width * column, y, left + width * (column + 1) - PANEL_GAP,
                                    y + heights[row]};
            const bool lowest = row == chart->rows - 1 || !panel[chart->columns].title;
            if (panel->title)
                TRY(draw_panel(drawing, panel, cell, gutter, lowest));
        }
    }
    return VELA_OK;
}

static VelaResult draw_everything(VelaContext *context, Drawing *drawing, const char *path)
{
    const Chart *chart = drawing->chart;
    TRY(canvas_make(CHART_WIDTH, CHART_HEIGHT, WHITE, &drawing->arena, &drawing->canvas));
    drawing->x_low = DBL_MAX;
    drawing->x_high = -DBL_MAX;
    for (int32_t i = 0; i < chart->rows * chart->columns; ++i)
        for (int32_t k = 0; k < chart->panels[i].curve_count; ++k)
            extend(chart->panels[i].curves[k].x, chart->panels[i].curves[k].count, &drawing->x_low,
                   &drawing->x_high);
    TRY(draw_panels(drawing, draw_head(drawing)));
    return canvas_write(context, &drawing->canvas, path);
}

VelaResult chart_draw(VelaContext *context, const Chart *chart, const char *path)
{
    Drawing drawing = {.chart = chart, .arena = arena_make(context)};
    const VelaResult result = draw_everything(context, &drawing, path);
    arena_clear(&drawing.arena);
    return result;
}
