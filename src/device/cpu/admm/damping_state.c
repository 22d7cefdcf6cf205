#include "device/cpu/admm/damping_state.h"

#include "device/cpu/admm/damping_copies.h"

#include <string.h>

enum { STATE_HEADER = 2 };

size_t admm_damping_state_size(const CpuDevice *device)
{
    const AdmmDamping *damping = device->admm.damping;
    size_t size = 0;
    for (int c = 0; damping && c < damping->count; ++c) {
        size += STATE_HEADER;
        for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
            const ElementBundles *bundles = &damping->copies[c].elements.groups[kind];
            size += 2 * (size_t)bundles->count * LANE_COUNT * (size_t)element_size(bundles->kind);
        }
    }
    return size;
}

// The states of one kind after another, image and projection, as they are packed.
void admm_damping_state_read(const CpuDevice *device, double *values)
{
    const AdmmDamping *damping = device->admm.damping;
    for (int c = 0; damping && c < damping->count; ++c) {
        const DampingCopies *copies = &damping->copies[c];
        values[0] = copies->level;
        values[1] = copies->duration;
        values += STATE_HEADER;
        for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
            const ElementBundles *bundles = &copies->elements.groups[kind];
            const size_t size = (size_t)bundles->count * (size_t)element_size(bundles->kind);
            memcpy(values, bundles->image, size * sizeof(Lanes));
            memcpy(values + LANE_COUNT * size, bundles->projected, size * sizeof(Lanes));
            values += 2 * LANE_COUNT * size;
        }
    }
}

void admm_damping_state_write(CpuDevice *device, const double *values)
{
    AdmmDamping *damping = device->admm.damping;
    for (int c = 0; damping && c < damping->count; ++c) {
        DampingCopies *copies = &damping->copies[c];
        copies->level = (int)values[0];
        copies->duration = values[1];
        values += STATE_HEADER;
        for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
            ElementBundles *bundles = &copies->elements.groups[kind];
            const size_t size = (size_t)bundles->count * (size_t)element_size(bundles->kind);
            memcpy(bundles->image, values, size * sizeof(Lanes));
            memcpy(bundles->projected, values + LANE_COUNT * size, size * sizeof(Lanes));
            values += 2 * LANE_COUNT * size;
        }
    }
}
