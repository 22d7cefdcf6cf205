#include "model/locality.h"

#include <math.h>
#include <stdlib.h>

/// Of the 21 bits of a cell's number along each axis.
enum { TOP_BIT = 1 << 20 };

typedef struct Entry {
    uint64_t code;
    int32_t index;
} Entry;

// Puts two zeros between the 21 bits of `value`.
static uint64_t spread(uint64_t value)
{
    value = (value | value << 32) & UINT64_C(0x001f00000000ffff);
    value = (value | value << 16) & UINT64_C(0x001f0000ff0000ff);
    value = (value | value << 8) & UINT64_C(0x100f00f00f00f00f);
    value = (value | value << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (value | value << 2) & UINT64_C(0x1249249249249249);
}

// Where a cell of a grid of 2^21 is along the Hilbert curve: Skilling, "Programming the Hilbert curve", 2004. From the coarsest level on, the
// half of the axes that a cell lies in says how the curve is turned within.
static uint64_t hilbert_code(uint64_t cell[3])
{
    uint64_t flip = 0;
    for (uint64_t bit = TOP_BIT; bit > 1; bit >>= 1)
        for (int k = 0; k < 3; ++k) {
            const uint64_t finer = bit - 1, swapped = (cell[0] ^ cell[k]) & finer;
            if (cell[k] & bit) {
                cell[0] ^= finer;
            } else {
                cell[0] ^= swapped;
                cell[k] ^= swapped;
            }
        }
    cell[1] ^= cell[0];
    cell[2] ^= cell[1];
    for (uint64_t bit = TOP_BIT; bit > 1; bit >>= 1)
        if (cell[2] & bit)
            flip ^= bit - 1;
    return spread(cell[0] ^ flip) << 2 | spread(cell[1] ^ flip) << 1 | spread(cell[2] ^ flip);
}

static int compare_entries(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

VelaResult locality_order(VelaContext *context, const double *points, int32_t count, int32_t *order)
{
    Arena arena = arena_make(context);
    Entry *entries;
    TRY(ARENA_ARRAY(&arena, entries, count));
    double min[3] = {INFINITY, INFINITY, INFINITY}, extent = 0;
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        min[i % 3] = fmin(min[i % 3], points[i]);
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        extent = fmax(extent, points[i] - min[i % 3]);
    const double scale = extent > 0 ? (2.0 * TOP_BIT - 1) / extent : 0;
    for (int32_t i = 0; i < count; ++i) {
        uint64_t cell[3];
        for (size_t k = 0; k < 3; ++k)
            cell[k] = (uint64_t)((points[3 * (size_t)i + k] - min[k]) * scale);
        entries[i] = (Entry){hilbert_code(cell), i};
    }
    qsort(entries, (size_t)count, sizeof *entries, compare_entries);
    for (int32_t i = 0; i < count; ++i)
        order[i] = entries[i].index;
    arena_clear(&arena);
    return VELA_OK;
}
