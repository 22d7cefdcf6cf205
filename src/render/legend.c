#include "render/legend.h"

#include "render/color.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Strokes of the characters a legend needs, on a grid: x to the right, y downwards, 0 the top and 6 the base line.
// Points are two digits, lines of points are separated by '|'.
typedef struct Glyph {
    char character;
    int width;
    const char *strokes;
} Glyph;

static const Glyph GLYPHS[] = {
    {'0', 4, "10 30 41 45 36 16 05 01 10"},
    {'1', 2, "02 20 26"},
    {'2', 4, "01 10 30 41 42 06 46"},
    {'3', 4, "01 10 30 41 42 33 13|33 44 45 36 16 05"},
    {'4', 4, "36 30 04 44"},
    {'5', 4, "40 00 02 32 43 45 36 16 05"},
    {'6', 4, "30 10 01 05 16 36 45 43 32 12 03"},
    {'7', 4, "00 40 16"},
    {'8', 4, "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33"},
    {'9', 4, "43 34 14 03 01 10 30 41 45 36 16"},
    {'.', 0, "06 06"},
    {'-', 3, "03 33"},
    {'+', 4, "03 43|21 25"},
    {'/', 3, "07 30"},
    {'J', 4, "40 45 36 16 05"},
    {'M', 4, "06 00 23 40 46"},
    {'N', 4, "06 00 46 40"},
    {'P', 4, "06 00 30 41 42 33 03"},
    {'^', 2, "00 20 11 22 13 03"}, // a raised 3
    {'a', 4, "42 46|43 32 12 03 05 16 36 45"},
    {'c', 4, "42 12 03 05 16 46"},
    {'d', 4, "40 46|43 32 12 03 05 16 36 45"},
    {'e', 4, "04 44 43 32 12 03 05 16 36"},
    {'g', 4, "42 47 38 08|43 32 12 03 05 16 36 45"},
    {'h', 4, "00 06|03 12 32 43 46"},
    {'i', 0, "02 06|00 00"},
    {'l', 0, "00 06"},
    {'m', 6, "02 06|03 12 22 33 36|33 42 52 63 66"},
    {'n', 4, "02 06|03 12 32 43 46"},
    {'o', 4, "12 32 43 45 36 16 05 03 12"},
    {'p', 4, "02 08|03 12 32 43 45 36 16 05"},
    {'r', 3, "02 06|04 22 32"},
    {'s', 4, "42 12 03 14 34 45 36 06"},
    {'t', 3, "10 15 26 36|02 32"},
    {'v', 4, "02 26 42"},
    {'y', 4, "02 26|42 26 18 08"},
};

typedef struct Canvas {
    uint8_t *rgb;
    int32_t width, height;
    double ink[3]; // sRGB-encoded, 0 to 255
} Canvas;

static const Glyph *glyph_find(char character)
{
    for (size_t i = 0; i < sizeof GLYPHS / sizeof *GLYPHS; ++i)
        if (GLYPHS[i].character == character)
            return &GLYPHS[i];
    return NULL;
}

static double text_width(const char *text, double unit)
{
    double width = 0;
    for (; *text; ++text) {
        const Glyph *glyph = glyph_find(*text);
        width += unit * (glyph ? glyph->width + 2 : 3);
    }
    return width > 0 ? width - 2 * unit : 0;
}

static double segment_distance(double x, double y, const double a[2], const double b[2])
{
    const double dx = b[0] - a[0], dy = b[1] - a[1], length_sq = dx * dx + dy * dy;
    double t = length_sq > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / length_sq : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(x - a[0] - t * dx, y - a[1] - t * dy);
}

// Distance from a pixel to the nearest stroke of a glyph.
static double glyph_distance(const Glyph *glyph, double left, double top, double unit, double x, double y)
{
    double nearest = 1e9, previous[2] = {0, 0};
    bool pen_down = false;
    for (const char *s = glyph->strokes; *s;) {
        if (*s == ' ' || *s == '|') {
            pen_down = pen_down && *s == ' ';
            ++s;
            continue;
        }
        const double point[2] = {left + unit * (s[0] - '0'), top + unit * (s[1] - '0')};
        nearest = fmin(nearest, segment_distance(x, y, pen_down ? previous : point, point));
        memcpy(previous, point, sizeof point);
        pen_down = true;
        s += 2;
    }
    return nearest;
}

static void pixel_blend(Canvas *canvas, int32_t x, int32_t y, const double color[3], double alpha)
{
    uint8_t *pixel = canvas->rgb + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x);
    for (int c = 0; c < 3; ++c)
        pixel[c] = (uint8_t)(pixel[c] + alpha * (color[c] - pixel[c]) + 0.5);
}

static void text_draw(Canvas *canvas, const char *text, double left, double top, double unit)
{
    const double half = 0.42 * unit; // half the width of a stroke
    for (; *text; ++text) {
        const Glyph *glyph = glyph_find(*text);
        if (!glyph) {
            left += 3 * unit;
            continue;
        }
        const int32_t x0 = (int32_t)fmax(left - unit, 0), y0 = (int32_t)fmax(top - unit, 0);
        for (int32_t y = y0; y < canvas->height && y < top + 9.5 * unit; ++y) {
            for (int32_t x = x0; x < canvas->width && x < left + unit * (glyph->width + 1); ++x) {
                const double distance = glyph_distance(glyph, left, top, unit, x + 0.5, y + 0.5);
                const double cover = fmin(fmax(half + 0.5 - distance, 0), 1);
                if (cover > 0)
                    pixel_blend(canvas, x, y, canvas->ink, 0.92 * cover);
            }
        }
        left += unit * (glyph->width + 2);
    }
}

// A bar with rounded ends; the colours are those a fully lit surface has.
static void bar_draw(Canvas *canvas, double left, double top, double length, double thickness)
{
    double colors[COLOR_MAP_SIZE][3];
    color_map_build(colors);
    const double radius = 0.5 * thickness, a[2] = {left + radius, top + radius};
    const double b[2] = {left + length - radius, top + radius};
    for (int32_t y = (int32_t)fmax(top - 1, 0); y < canvas->height && y < top + thickness + 1; ++y) {
        for (int32_t x = (int32_t)fmax(left - 1, 0); x < canvas->width && x < left + length + 1; ++x) {
            const double t = fmin(fmax((x + 0.5 - left) / length, 0), 1) * (COLOR_MAP_SIZE - 1);
            double color[3];
            for (int c = 0; c < 3; ++c)
                color[c] = 255 * color_srgb_encode(colors[(int)(t + 0.5)][c]);
            const double cover = radius + 0.5 - segment_distance(x + 0.5, y + 0.5, a, b);
            pixel_blend(canvas, x, y, color, fmin(fmax(cover, 0), 1));
        }
    }
}

// Three significant digits or all before the point, without an exponent as long as that is readable.
static void number_print(double value, char text[32])
{
    const double size = fabs(value);
    value = size == 0 ? 0 : value; // -0 is 0
    if (size == 0 || (size >= 1e-3 && size < 1e6)) {
        const int decimals = size == 0 ? 0 : 2 - (int)floor(log10(size));
        snprintf(text, 32, "%.*f", decimals > 0 ? decimals : 0, value);
        for (size_t end = strlen(text); strchr(text, '.') && (text[end - 1] == '0' || text[end - 1] == '.');
             --end)
            text[end - 1] = 0;
    } else {
        snprintf(text, 32, "%.3g", value);
    }
}

void legend_draw(uint8_t *rgb, int32_t width, int32_t height, ColorBy color_by, double min, double max)
{
    static const char *const LABELS[] = {
        [COLOR_BY_STRETCH] = "stretch",         [COLOR_BY_ENERGY] = "energy density  J/m^",
        [COLOR_BY_SPEED] = "speed  m/s",        [COLOR_BY_STRESS] = "von Mises stress  Pa",
        [COLOR_BY_STRAIN] = "principal strain", [COLOR_BY_THICKNESS] = "change of thickness",
        [COLOR_BY_TENSION] = "tension  N"};
    if (color_by == COLOR_BY_BODY)
        return;
    const double scale = fmin(width, height) / 720.0, unit = fmax(1.55 * scale, 1);
    const double length = 240 * scale, thickness = 10 * scale;
    const double left = 36 * scale, bottom = height - 32 * scale;
    const double numbers = bottom - 6 * unit, bar = numbers - 10 * scale - thickness;

    Canvas canvas = {.rgb = rgb, .width = width, .height = height};
    const int32_t x = (int32_t)fmin(left, width - 1), y = (int32_t)fmax(fmin(bar, height - 1), 0);
    const uint8_t *under = rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
    const bool bright = 0.3 * under[0] + 0.6 * under[1] + 0.1 * under[2] > 120;
    for (int c = 0; c < 3; ++c)
        canvas.ink[c] = bright ? 48 + 6 * c : 240;
    char text[3][32];
    const double values[3] = {min, 0.5 * (min + max), max};
    bar_draw(&canvas, left, bar, length, thickness);
    text_draw(&canvas, LABELS[color_by], left + 1, bar - 10 * scale - 8 * unit, unit);
    for (int i = 0; i < 3; ++i) {
        number_print(values[i], text[i]);
        const double free_space = length - 2 - text_width(text[i], unit);
        text_draw(&canvas, text[i], left + 1 + 0.5 * i * free_space, numbers, unit);
    }
}
