#include "output/canvas.h"

#include "base/png.h"
#include "output/font.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEGREE = 3.14159265358979323846 / 180;
static const double RAISED_SIZE = 0.68, RAISED_BY = 0.5, LOWERED_BY = -0.28;

VelaResult canvas_make(int width, int height, Color background, Arena *arena, Canvas *canvas)
{
    *canvas = (Canvas){.width = width, .height = height};
    TRY(ARENA_ARRAY(arena, canvas->pixels, 3 * (size_t)width * (size_t)height));
    TRY(ARENA_ARRAY(arena, canvas->coverage, (size_t)width * (size_t)height));
    canvas_fill(canvas, (Rectangle){0, 0, width, height}, background);
    return VELA_OK;
}

VelaResult canvas_write(VelaContext *context, const Canvas *canvas, const char *path)
{
    return png_write(context, path, canvas->width, canvas->height, 3, canvas->pixels);
}

// Whole pixels of an area, within the canvas.
typedef struct PixelArea {
    int left, top, right, bottom; ///< right and bottom are the first ones outside
} PixelArea;

static PixelArea pixels_of(const Canvas *canvas, Rectangle area)
{
    const double width = canvas->width, height = canvas->height;
    return (PixelArea){
        (int)fmin(fmax(floor(area.left), 0), width), (int)fmin(fmax(floor(area.top), 0), height),
        (int)fmin(fmax(ceil(area.right), 0), width), (int)fmin(fmax(ceil(area.bottom), 0), height)};
}

void canvas_fill(Canvas *canvas, Rectangle area, Color color)
{
    const PixelArea pixels = pixels_of(canvas, area);
    for (int y = pixels.top; y < pixels.bottom; ++y)
        for (int x = pixels.left; x < pixels.right; ++x)
            memcpy(canvas->pixels + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x), &color, 3);
}

// ------------------------------------------------------------------------------------------------ lines

// How far a pixel at `along` the line lies inside a dash, as coverage.
static double dash_coverage(double along, const Stroke *stroke)
{
    if (stroke->dash <= 0)
        return 1;
    const double phase = fmod(along, stroke->dash + stroke->gap);
    const double inside = phase < stroke->dash
                              ? fmin(phase, stroke->dash - phase)
                              : -fmin(phase - stroke->dash, stroke->dash + stroke->gap - phase);
    return fmin(fmax(inside + 0.5, 0), 1);
}

// Raises the coverage of the pixels near the segment from a to b; `start` is the length of the line up to a.
static void cover_segment(Canvas *canvas, Rectangle clip, const double a[2], const double b[2], double start,
                          const Stroke *stroke)
{
    const double reach = stroke->width / 2 + 1;
    const PixelArea area = pixels_of(canvas, (Rectangle){fmax(fmin(a[0], b[0]) - reach, clip.left),
                                                         fmax(fmin(a[1], b[1]) - reach, clip.top),
                                                         fmin(fmax(a[0], b[0]) + reach, clip.right),
                                                         fmin(fmax(a[1], b[1]) + reach, clip.bottom)});
    const double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
    // A line thinner than a pixel is one pixel wide and fainter.
    const double outside = fmax(stroke->width, 1) / 2 + 0.5;
    const double tx = length > 0 ? dx / length : 1, ty = length > 0 ? dy / length : 0;
    for (int y = area.top; y < area.bottom; ++y) {
        for (int x = area.left; x < area.right; ++x) {
            const double px = x + 0.5 - a[0], py = y + 0.5 - a[1];
            const double along = fmin(fmax(px * tx + py * ty, 0), length);
            const double away_x = px - along * tx, away_y = py - along * ty;
            const double distance_sq = away_x * away_x + away_y * away_y;
            if (distance_sq >= outside * outside)
                continue;
            double coverage = fmin(outside - sqrt(distance_sq), 1) * fmin(stroke->width, 1);
            coverage *= dash_coverage(start + along, stroke);
            uint8_t *value = canvas->coverage + (size_t)y * (size_t)canvas->width + (size_t)x;
            const uint8_t raised = (uint8_t)lrint(255 * coverage);
            *value = raised > *value ? raised : *value;
        }
    }
}

static void cover_line(Canvas *canvas, Rectangle clip, const double *points, int64_t count,
                       const Stroke *stroke)
{
    double start = 0;
    if (count == 1)
        cover_segment(canvas, clip, points, points, 0, stroke);
    for (int64_t i = 0; i + 1 < count; ++i) {
        cover_segment(canvas, clip, points + 2 * i, points + 2 * i + 2, start, stroke);
        start += hypot(points[2 * i + 2] - points[2 * i], points[2 * i + 3] - points[2 * i + 1]);
    }
}

// Paints what is covered and clears the coverage.
static void paint(Canvas *canvas, Rectangle clip, Color color)
{
    const PixelArea area = pixels_of(canvas, clip);
    const uint8_t paint_channels[3] = {color.red, color.green, color.blue};
    for (int y = area.top; y < area.bottom; ++y) {
        for (int x = area.left; x < area.right; ++x) {
            const size_t at = (size_t)y * (size_t)canvas->width + (size_t)x;
            const int coverage = canvas->coverage[at];
            if (!coverage)
                continue;
            for (int k = 0; k < 3; ++k) {
                const int below = canvas->pixels[3 * at + (size_t)k];
                canvas->pixels[3 * at + (size_t)k] =
                    (uint8_t)((below * (255 - coverage) + paint_channels[k] * coverage + 127) / 255);
            }
            canvas->coverage[at] = 0;
        }
    }
}

void canvas_line(Canvas *canvas, Rectangle clip, const double *points, int64_t count, Stroke stroke)
{
    cover_line(canvas, clip, points, count, &stroke);
    Rectangle touched = {clip.right, clip.bottom, clip.left, clip.top};
    const double reach = stroke.width / 2 + 1;
    for (int64_t i = 0; i < count; ++i) {
        touched.left = fmax(fmin(touched.left, points[2 * i] - reach), clip.left);
        touched.top = fmax(fmin(touched.top, points[2 * i + 1] - reach), clip.top);
        touched.right = fmin(fmax(touched.right, points[2 * i] + reach), clip.right);
        touched.bottom = fmin(fmax(touched.bottom, points[2 * i + 1] + reach), clip.bottom);
    }
    paint(canvas, touched, stroke.color);
}

// ------------------------------------------------------------------------------------------------ text

typedef struct TextCursor {
    double x, y, scale; ///< pixels; pixels per grid unit
} TextCursor;

// The three marks in text; true when `character` was one.
static bool apply_mark(uint32_t character, double base, double size, TextCursor *cursor)
{
    if (character < 1 || character > 3)
        return false;
    const double shift = character == 1 ? RAISED_BY : character == 2 ? LOWERED_BY : 0;
    cursor->y = base - shift * size;
    cursor->scale = size / FONT_CAP_HEIGHT * (character == 3 ? 1 : RAISED_SIZE);
    return true;
}

double canvas_text_width(const char *text, double size)
{
    TextCursor cursor = {.scale = size / FONT_CAP_HEIGHT};
    for (uint32_t character; (character = font_next_character(&text));)
        if (!apply_mark(character, 0, size, &cursor))
            cursor.x += (font_glyph(character).width + FONT_SPACING) * cursor.scale;
    return cursor.x > 0 ? cursor.x - FONT_SPACING * cursor.scale : 0;
}

enum { GLYPH_POINTS = 256, ARC_STEP = 10 };

typedef struct GlyphPen {
    Canvas *canvas;
    const TextCursor *cursor;
    Stroke stroke;
    double points[2 * GLYPH_POINTS];
    int count;
} GlyphPen;

static void pen_to(GlyphPen *pen, double x, double y)
{
    if (pen->count == GLYPH_POINTS)
        return;
    pen->points[2 * pen->count] = pen->cursor->x + x * pen->cursor->scale;
    pen->points[2 * pen->count + 1] = pen->cursor->y - y * pen->cursor->scale;
    ++pen->count;
}

static void pen_up(GlyphPen *pen)
{
    const Rectangle everything = {0, 0, pen->canvas->width, pen->canvas->height};
    // A move that nothing follows is not a dot: dots are lines of the font.
    if (pen->count > 1)
        cover_line(pen->canvas, everything, pen->points, pen->count, &pen->stroke);
    pen->count = 0;
}

static void draw_glyph(GlyphPen *pen, const char *path)
{
    char *at = (char *)(uintptr_t)path; // strtol's end pointer is not const
    while (*at) {
        const char command = *at++;
        double value[6] = {0};
        for (int i = 0; i < (command == 'A' ? 6 : 2); ++i)
            value[i] = (double)strtol(at, &at, 10);
        while (*at == ' ')
            ++at;
        if (command == 'A') {
            const int steps = (int)ceil(fabs(value[5] - value[4]) / ARC_STEP);
            for (int i = 0; i <= steps; ++i) {
                const double angle = (value[4] + (value[5] - value[4]) * i / steps) * DEGREE;
                pen_to(pen, value[0] + value[2] * cos(angle), value[1] + value[3] * sin(angle));
            }
        } else {
            if (command == 'M')
                pen_up(pen);
            pen_to(pen, value[0], value[1]);
        }
    }
    pen_up(pen);
}

void canvas_text(Canvas *canvas, double x, double y, double anchor, double size, Color color,
                 const char *text)
{
    const double width = canvas_text_width(text, size);
    TextCursor cursor = {x - anchor * width, y, size / FONT_CAP_HEIGHT};
    GlyphPen pen = {.canvas = canvas, .cursor = &cursor};
    const double left = cursor.x - size;
    for (uint32_t character; (character = font_next_character(&text));) {
        if (apply_mark(character, y, size, &cursor))
            continue;
        const Glyph glyph = font_glyph(character);
        pen.stroke = (Stroke){.width = fmax(1.25, 0.115 * size), .color = color};
        draw_glyph(&pen, glyph.path);
        cursor.x += (glyph.width + FONT_SPACING) * cursor.scale;
    }
    paint(canvas, (Rectangle){left, y - 2 * size, cursor.x + size, y + size}, color);
}
