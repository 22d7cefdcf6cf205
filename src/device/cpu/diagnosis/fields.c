#include "device/cpu/diagnosis/fields.h"

#include "physics/element/kinds.h"

#include <string.h>

// Stretch and density of eight elements of one kind and material, F: element_size lanes; `rest`: NULL where they have none.
typedef void (*FieldsOfBlock)(const ElementMaterial *material, const Lanes *f, const Lanes *rest,
                              Lanes *stretch, Lanes *density);

#define FIELDS_OF(number, prefix, local_type, corners, columns, data, name)                                  \
    static void prefix##_fields(const ElementMaterial *material, const Lanes *f, const Lanes *rest,          \
                                Lanes *stretch, Lanes *density)                                              \
    {                                                                                                        \
        local_type local;                                                                                    \
        prefix##_decompose(1, (const Lanes(*)[3 * columns]) f, &local);                                      \
        if (rest)                                                                                            \
            memcpy(&local, rest, sizeof *rest);                                                              \
        *stretch = prefix##_stretch(&local);                                                                 \
        *density = prefix##_density(material, &local);                                                       \
    }
ELEMENT_KINDS(FIELDS_OF)

#define ROW(number, prefix, local, corners, columns, data, name) [number] = prefix##_fields,
static const FieldsOfBlock fields_of_kind[ELEMENT_KIND_COUNT] = {ELEMENT_KINDS(ROW)};

// D x of eight elements from `first` on; lanes beyond the last one repeat it.
static void gather(const ElementGroup *group, const double *positions, int32_t first, Lanes *f)
{
    const size_t corners = (size_t)group->kind->corners, columns = (size_t)group->kind->columns;
    for (int l = 0; l < LANE_COUNT; ++l) {
        const size_t element = (size_t)(first + l < group->count ? first + l : group->count - 1);
        const int32_t *nodes = group->nodes + corners * element;
        const double *g = group->shapes + (size_t)element_shape_size(group->kind) * element;
        for (size_t i = 0; i < 3; ++i)
            for (size_t j = 0; j < columns; ++j) {
                double sum = 0;
                for (size_t a = 1; a < corners; ++a)
                    sum += (positions[3 * (size_t)nodes[a] + i] - positions[3 * (size_t)nodes[0] + i]) *
                           g[columns * (a - 1) + j];
                f[columns * i + j][l] = sum;
            }
    }
}

static void compute_group(const Model *model, const ElementGroup *group, const double *positions, int threads,
                          float *stretch, float *densities)
{
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int32_t first = 0; first < group->count; first += LANE_COUNT) {
        Lanes f[3 * ELEMENT_COLUMNS_MOST], stretches = lanes_set(1), density = lanes_set(0), rest = density;
        gather(group, positions, first, f);
        for (int l = 0; l < LANE_COUNT && group->rests && first + l < group->count; ++l)
            rest[l] = group->rests[first + l];
        // Neighbours may differ in material: each material's formula sees all lanes, one lane is taken.
        for (int l = 0; l < LANE_COUNT && first + l < group->count; ++l) {
            const ElementMaterial *material = &model->materials[group->materials[first + l]].formula;
            if (l == 0 || group->materials[first + l] != group->materials[first + l - 1])
                fields_of_kind[group->kind - element_kinds](material, f, group->rests ? &rest : NULL,
                                                            &stretches, &density);
            stretch[group->first_element + first + l] = (float)stretches[l];
            densities[group->first_element + first + l] = (float)density[l];
        }
    }
}

VelaResult cpu_fields(Device *base, Slot position, float *stretch, float *densities)
{
    const CpuDevice *device = (CpuDevice *)base;
    const double *positions = device->slots[position];
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        compute_group(base->model, &base->model->groups[kind], positions, device->threads, stretch,
                      densities);
    return VELA_OK;
}
