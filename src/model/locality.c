#include "model/locality.h"

#include <math.h>
#include <stdlib.h>

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
    const double scale = extent > 0 ? 2097151 / extent : 0;
    for (int32_t i = 0; i < count; ++i) {
        entries[i].index = i;
        for (int k = 0; k < 3; ++k)
            entries[i].code |= spread((uint64_t)((points[3 * (size_t)i + (size_t)k] - min[k]) * scale)) << k;
    }
    qsort(entries, (size_t)count, sizeof *entries, compare_entries);
    for (int32_t i = 0; i < count; ++i)
        order[i] = entries[i].index;
    arena_clear(&arena);
    return VELA_OK;
}
