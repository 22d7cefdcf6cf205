#include "render/color.h"

#include <math.h>

static const double TONE_POWER = 1.2;

void color_oklab_from_linear(const double linear[3], double oklab[3])
{
    const double r = linear[0], g = linear[1], b = linear[2];
    const double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    oklab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    oklab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    oklab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

void color_linear_from_oklab(const double oklab[3], double linear[3])
{
    const double l = oklab[0] + 0.3963377774 * oklab[1] + 0.2158037573 * oklab[2];
    const double m = oklab[0] - 0.1055613458 * oklab[1] - 0.0638541728 * oklab[2];
    const double s = oklab[0] - 0.0894841775 * oklab[1] - 1.2914855480 * oklab[2];
    const double l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
    linear[0] = 4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3;
    linear[1] = -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3;
    linear[2] = -0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3;
}

double color_srgb_encode(double linear)
{
    if (!(linear > 0))
        return 0;
    if (linear >= 1)
        return 1;
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

double color_srgb_decode(double encoded)
{
    if (!(encoded > 0))
        return 0;
    if (encoded >= 1)
        return 1;
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

double color_tone_curve(double x)
{
    const double power = pow(x > 0 ? x : 0, TONE_POWER);
    return power / (power + 1);
}

double color_tone_inverse(double y)
{
    const double clamped = y > 0.93 ? 0.93 : y > 0 ? y : 0;
    return pow(clamped / (1 - clamped), 1 / TONE_POWER);
}

// Control points of the map: lightness and chroma of Oklab, hue in degrees.
enum { CONTROL_COUNT = 6, FINE_COUNT = 4096 };
static const double CONTROL[CONTROL_COUNT][3] = {
    {0.27, 0.125, 304},  {0.402, 0.125, 276}, {0.534, 0.095, 232},
    {0.666, 0.112, 172}, {0.798, 0.158, 138}, {0.93, 0.172, 106},
};

static void control_oklab(int index, double oklab[3])
{
    const double radians = CONTROL[index][2] * (3.14159265358979323846 / 180);
    oklab[0] = CONTROL[index][0];
    oklab[1] = CONTROL[index][1] * cos(radians);
    oklab[2] = CONTROL[index][1] * sin(radians);
}

// Catmull-Rom spline through the control points, at t in [0,1]; the ends are continued linearly.
static void control_spline(double t, double oklab[3])
{
    const double x = t * (CONTROL_COUNT - 1);
    const int segment = x >= CONTROL_COUNT - 1 ? CONTROL_COUNT - 2 : (int)x;
    const double u = x - segment;
    double p[4][3];
    for (int i = 0; i < 4; ++i) {
        const int index = segment + i - 1;
        if (index >= 0 && index < CONTROL_COUNT) {
            control_oklab(index, p[i]);
            continue;
        }
        double end[3], inner[3];
        control_oklab(index < 0 ? 0 : CONTROL_COUNT - 1, end);
        control_oklab(index < 0 ? 1 : CONTROL_COUNT - 2, inner);
        for (int c = 0; c < 3; ++c)
            p[i][c] = 2 * end[c] - inner[c];
    }
    for (int c = 0; c < 3; ++c)
        oklab[c] = p[1][c] + 0.5 * u *
                                 (p[2][c] - p[0][c] +
                                  u * (2 * p[0][c] - 5 * p[1][c] + 4 * p[2][c] - p[3][c] +
                                       u * (3 * (p[1][c] - p[2][c]) + p[3][c] - p[0][c])));
}

void color_map_build(double colors[COLOR_MAP_SIZE][3])
{
    // Entries stand at equal arc lengths of the spline, found on a fine polygon of it.
    double length = 0, previous[3], current[3];
    control_spline(0, previous);
    for (int i = 1; i <= FINE_COUNT; ++i) {
        control_spline((double)i / FINE_COUNT, current);
        length += sqrt(pow(current[0] - previous[0], 2) + pow(current[1] - previous[1], 2) +
                       pow(current[2] - previous[2], 2));
        for (int c = 0; c < 3; ++c)
            previous[c] = current[c];
    }
    double walked = 0;
    int entry = 0;
    control_spline(0, previous);
    for (int i = 1; i <= FINE_COUNT; ++i) {
        control_spline((double)i / FINE_COUNT, current);
        const double piece = sqrt(pow(current[0] - previous[0], 2) + pow(current[1] - previous[1], 2) +
                                  pow(current[2] - previous[2], 2));
        while (entry < COLOR_MAP_SIZE - 1 && entry * length / (COLOR_MAP_SIZE - 1) <= walked + piece) {
            const double share = (entry * length / (COLOR_MAP_SIZE - 1) - walked) / piece;
            double oklab[3];
            for (int c = 0; c < 3; ++c)
                oklab[c] = previous[c] + share * (current[c] - previous[c]);
            color_linear_from_oklab(oklab, colors[entry++]);
        }
        walked += piece;
        for (int c = 0; c < 3; ++c)
            previous[c] = current[c];
    }
    control_spline(1, current);
    while (entry < COLOR_MAP_SIZE)
        color_linear_from_oklab(current, colors[entry++]);
    for (int i = 0; i < COLOR_MAP_SIZE; ++i)
        for (int c = 0; c < 3; ++c)
            colors[i][c] = fmin(fmax(colors[i][c], 0), 1);
}
