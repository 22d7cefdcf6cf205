/// An RGB picture with antialiased lines and text: all that plots need.
#ifndef OUTPUT_CANVAS_H
#define OUTPUT_CANVAS_H

#include "base/arena.h"

typedef struct Color {
    uint8_t red, green, blue;
} Color;

typedef struct Rectangle {
    double left, top, right, bottom; ///< pixels, y downwards
} Rectangle;

typedef struct Stroke {
    double width; ///< pixels
    Color color;
    double dash, gap; ///< pixels along the line; dash 0: solid
} Stroke;

typedef struct Canvas {
    int width, height;
    uint8_t *pixels;   ///< width x height x 3
    uint8_t *coverage; ///< width x height, of what is being drawn; 0 in between
} Canvas;

/// A canvas of one colour, owned by `arena`.
VelaResult canvas_make(int width, int height, Color background, Arena *arena, Canvas *canvas);
VelaResult canvas_write(VelaContext *context, const Canvas *canvas, const char *path);

void canvas_fill(Canvas *canvas, Rectangle area, Color color);
/// A line through `count` points (x, y pairs), with round joints and ends, cut off at `clip`. It covers itself only
/// once. One point alone is a dot.
void canvas_line(Canvas *canvas, Rectangle clip, const double *points, int64_t count, Stroke stroke);

// Text is UTF-8, with three marks: \1 raises what follows, \2 lowers it, \3 goes back to the line.
/// Pixels; `size` is the height of capitals.
double canvas_text_width(const char *text, double size);
/// `anchor` 0: `x` is the left end, 0.5: the middle, 1: the right end; `y` is the base line.
void canvas_text(Canvas *canvas, double x, double y, double anchor, double size, Color color,
                 const char *text);

#endif
