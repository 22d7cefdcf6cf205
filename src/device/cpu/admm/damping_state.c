#include "device/cpu/admm/damping_state.h"

#include "device/cpu/admm/damping_copies.h"
#include "model/damping_copies.h"

size_t admm_damping_state_size(const CpuDevice *device)
{
    const AdmmDamping *damping = device->admm.damping;
    size_t size = 0;
    for (int c = 0; damping && c < damping->count; ++c)
        size += DAMPING_STATE_HEADER + 2 * damping->copies[c].numbers;
    return size;
}

void admm_damping_state_read(const CpuDevice *device, double *values)
{
    const AdmmDamping *damping = device->admm.damping;
    for (int c = 0; damping && c < damping->count; ++c) {
        const DampingCopies *copies = &damping->copies[c];
        values[0] = copies->level;
        values[1] = copies->duration;
        values += DAMPING_STATE_HEADER;
        for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
            const ElementBundles *bundles = &copies->elements.groups[kind];
            const size_t size = (size_t)element_size(bundles->kind),
                         *places = copies->places + device->base.model->groups[kind].first_element;
            for (int32_t b = 0; b < bundles->count; ++b)
                for (int l = 0; l < LANE_COUNT && bundles->elements[b][l] >= 0; ++l)
                    for (size_t k = 0; k < size; ++k) {
                        double *own = values + places[bundles->elements[b][l]] + k;
                        own[0] = bundles->image[size * (size_t)b + k][l];
                        own[size] = bundles->projected[size * (size_t)b + k][l];
                    }
        }
        values += 2 * copies->numbers;
    }
}

void admm_damping_state_write(CpuDevice *device, const double *values)
{
    AdmmDamping *damping = device->admm.damping;
    for (int c = 0; damping && c < damping->count; ++c) {
        DampingCopies *copies = &damping->copies[c];
        copies->level = (int)values[0];
        copies->duration = values[1];
        values += DAMPING_STATE_HEADER;
        for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
            ElementBundles *bundles = &copies->elements.groups[kind];
            const size_t size = (size_t)element_size(bundles->kind),
                         *places = copies->places + device->base.model->groups[kind].first_element;
            for (int32_t b = 0; b < bundles->count; ++b)
                for (int l = 0; l < LANE_COUNT; ++l) {
                    int from = l; // a left-over lane repeats the last element of its block
                    while (bundles->elements[b][from] < 0)
                        --from;
                    for (size_t k = 0; k < size; ++k) {
                        const double *own = values + places[bundles->elements[b][from]] + k;
                        bundles->image[size * (size_t)b + k][l] = own[0];
                        bundles->projected[size * (size_t)b + k][l] = own[size];
                    }
                }
        }
        values += 2 * copies->numbers;
    }
}
