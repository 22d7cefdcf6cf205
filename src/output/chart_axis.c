#include "output/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Beyond this, differences of numbers overflow; such curves are cut off anyway.
static const double LARGEST = 1e300;
// Data that varies by less than this share of its size is shown as deviation from a round number.
static const double OFFSET_SHARE = 1e-4;
enum { MOST_DECIMALS = 12 };

static double nice_step(double range, int most)
{
    const double raw = range / most, power = pow(10, floor(log10(raw)));
    for (int i = 0; i < 3; ++i) {
        static const double factors[] = {1, 2, 5};
        if (raw <= factors[i] * power * (1 + 1e-9))
            return factors[i] * power;
    }
    return 10 * power;
}

static int decimals_of(double step)
{
    const int decimals = (int)ceil(-log10(step) - 1e-9);
    return decimals < 0 ? 0 : decimals > MOST_DECIMALS ? MOST_DECIMALS : decimals;
}

Axis chart_axis(double low, double high, int most, bool pad)
{
    if (!(low <= high)) {
        low = 0;
        high = 1;
    }
    low = fmax(low, -LARGEST);
    high = fmin(high, LARGEST);
    const double size = fmax(fabs(low), fabs(high));
    // Constant data gets room around it; so does noise in the last digits, which would fill the panel otherwise.
    if (high - low <= 1e-14 * size || size < 1e-290) {
        const double room = size < 1e-290 ? 1.2 : 0.1 * size;
        low -= pad ? room : 0;
        high += room;
    } else if (pad) {
        const double room = 0.06 * (high - low);
        low -= room;
        high += room;
    }
    Axis axis = {.low = low, .high = high};
    axis.step = nice_step(high - low, most);
    axis.first = ceil(low / axis.step - 1e-9) * axis.step;
    axis.count = (int)floor((high - axis.first) / axis.step + 1e-9) + 1;
    if (high - low < OFFSET_SHARE * size)
        axis.offset = axis.first + axis.step * (axis.count / 2);
    const double shown = fmax(fabs(low - axis.offset), fabs(high - axis.offset));
    axis.exponent = shown >= 1e-2 && shown < 2e4 ? 0 : (int)floor(log10(shown) / 3) * 3;
    axis.decimals = decimals_of(axis.step / pow(10, axis.exponent));
    return axis;
}

void chart_tick_label(const Axis *axis, int i, char text[64])
{
    const double value = axis->first + i * axis->step - axis->offset;
    const double shown = fabs(value) < 1e-6 * axis->step ? 0 : value / pow(10, axis->exponent);
    // A true minus sign is as wide as a digit.
    snprintf(text, 64, "%s%.*f", shown < 0 ? "\xe2\x88\x92" : "", axis->decimals, fabs(shown));
}
