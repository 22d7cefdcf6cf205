#include "model/locality.h"

#include "base/matrix3.h"
#include "base/symmetric_eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Bits of a cell's number along each axis.
enum { BITS = 21 };

/// Of a curve through a cube a body that does not fill it has pieces alone, and what follows on one another there may be far apart. So what is this many times as long as
/// wide is cut into segments, and what is as many times as wide as thick has a curve of its plane.
static const double thin = 2;

/// A box around the points, along axes of its own.
typedef struct Frame {
    double axes[3][3], low[3], extents[3];
} Frame;

/// How the curve goes through the box: segment after segment along axis 0, in each through squares of axes 0 and 1, 2^levels of them along either, and in each of
/// these through cubes.
typedef struct Curve {
    Frame frame;
    double segment, side; ///< lengths of a segment, of a square
    int32_t segments;
    int levels;
} Curve;

typedef struct Entry {
    uint64_t segment, square, cube;
    int32_t index;
} Entry;

// Where a cell of a grid of 2^bits along each axis is along the Hilbert curve, from the first corner to the one at the end of axis 0: Skilling, "Programming the Hilbert
// curve", 2004. From the coarsest level on, the half of the axes that a cell lies in says how the curve is turned within.
static uint64_t hilbert_code(int axes, int bits, uint64_t *cell)
{
    uint64_t flip = 0, code = 0;
    const uint64_t top = bits > 0 ? UINT64_C(1) << (bits - 1) : 0;
    for (uint64_t bit = top; bit > 1; bit >>= 1)
        for (int k = 0; k < axes; ++k) {
            const uint64_t finer = bit - 1, swapped = (cell[0] ^ cell[k]) & finer;
            if (cell[k] & bit) {
                cell[0] ^= finer;
            } else {
                cell[0] ^= swapped;
                cell[k] ^= swapped;
            }
        }
    for (int k = 1; k < axes; ++k)
        cell[k] ^= cell[k - 1];
    for (uint64_t bit = top; bit > 1; bit >>= 1)
        if (cell[axes - 1] & bit)
            flip ^= bit - 1;
    for (uint64_t bit = top; bit > 0; bit >>= 1)
        for (int k = 0; k < axes; ++k)
            code = code << 1 | (((cell[k] ^ flip) & bit) != 0);
    return code;
}

static void find_extents(const double *points, int32_t count, Frame *frame)
{
    for (int k = 0; k < 3; ++k) {
        double high = -INFINITY;
        frame->low[k] = INFINITY;
        for (int32_t i = 0; i < count; ++i) {
            const double at = dot3(frame->axes[k], points + 3 * (size_t)i);
            frame->low[k] = fmin(frame->low[k], at);
            high = fmax(high, at);
        }
        frame->extents[k] = high - frame->low[k];
    }
}

static void exchange_axes(Frame *frame, int a, int b)
{
    const Frame old = *frame;
    memcpy(frame->axes[a], old.axes[b], sizeof old.axes[a]);
    memcpy(frame->axes[b], old.axes[a], sizeof old.axes[b]);
    frame->low[a] = old.low[b];
    frame->low[b] = old.low[a];
    frame->extents[a] = old.extents[b];
    frame->extents[b] = old.extents[a];
}

// Along the points' principal axes, the longest side first.
static Frame principal_frame(const double *points, int32_t count)
{
    Frame frame;
    double center[3] = {0}, moments[9] = {0}, values[3];
    for (int32_t i = 0; i < count; ++i)
        add_scaled3(center, 1.0 / count, points + 3 * (size_t)i, center);
    for (int32_t i = 0; i < count; ++i)
        for (size_t k = 0; k < 9; ++k)
            moments[k] += (points[3 * (size_t)i + k / 3] - center[k / 3]) *
                          (points[3 * (size_t)i + k % 3] - center[k % 3]);
    symmetric_eigen(3, moments, values, &frame.axes[0][0]);
    find_extents(points, count, &frame);
    for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < 2; ++k)
            if (frame.extents[k] < frame.extents[k + 1])
                exchange_axes(&frame, k, k + 1);
    return frame;
}

static Curve find_curve(const double *points, int32_t count)
{
    Curve curve = {.frame = principal_frame(points, count), .segments = 1};
    const double *extents = curve.frame.extents;
    if (extents[0] < thin * extents[2]) {
        curve.frame = (Frame){.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        find_extents(points, count, &curve.frame);
        curve.segment = curve.side = fmax(extents[0], fmax(extents[1], extents[2]));
        return curve;
    }
    if (extents[0] >= thin * extents[1])
        curve.segments = extents[0] < count * extents[1] ? (int32_t)(extents[0] / extents[1] + 0.5) : count;
    curve.segment = extents[0] / curve.segments;
    curve.side = fmax(curve.segment, extents[1]);
    for (; curve.levels < BITS && curve.side >= thin * extents[2]; ++curve.levels)
        curve.side /= 2;
    return curve;
}

// Number of the part that `at` lies in, of `count` parts of some length; takes what is before it away.
static uint64_t take_part(double *at, double length, uint64_t count)
{
    const double part = length > 0 ? fmin(floor(*at / length), (double)(count - 1)) : 0;
    *at -= part * length;
    return (uint64_t)part;
}

static Entry find_entry(const Curve *curve, const double *point, int32_t index)
{
    const Frame *frame = &curve->frame;
    double at[3];
    uint64_t squares[2], cubes[3];
    for (int k = 0; k < 3; ++k)
        at[k] = fmax(dot3(frame->axes[k], point) - frame->low[k], 0);
    Entry entry = {.index = index};
    entry.segment = take_part(&at[0], curve->segment, (uint64_t)curve->segments);
    for (int k = 0; k < 2; ++k)
        squares[k] = take_part(&at[k], curve->side, UINT64_C(1) << curve->levels);
    for (int k = 0; k < 3; ++k)
        cubes[k] = take_part(&at[k], curve->side / ((1 << BITS) - 1), 1 << BITS);
    entry.square = hilbert_code(2, curve->levels, squares);
    entry.cube = hilbert_code(3, BITS, cubes);
    return entry;
}

static int compare(uint64_t x, uint64_t y)
{
    return (x > y) - (x < y);
}

static int compare_entries(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    if (x->segment != y->segment)
        return compare(x->segment, y->segment);
    if (x->square != y->square)
        return compare(x->square, y->square);
    return x->cube != y->cube ? compare(x->cube, y->cube) : (x->index > y->index) - (x->index < y->index);
}

VelaResult locality_order(VelaContext *context, const double *points, int32_t count, int32_t *order)
{
    Arena arena = arena_make(context);
    Entry *entries;
    TRY(ARENA_ARRAY(&arena, entries, count));
    const Curve curve = find_curve(points, count);
    for (int32_t i = 0; i < count; ++i)
        entries[i] = find_entry(&curve, points + 3 * (size_t)i, i);
    qsort(entries, (size_t)count, sizeof *entries, compare_entries);
    for (int32_t i = 0; i < count; ++i)
        order[i] = entries[i].index;
    arena_clear(&arena);
    return VELA_OK;
}
