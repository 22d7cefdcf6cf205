#include "device/cpu/terms/elements.h"

#include "model/locality.h"

static void fill_lane(const ElementGroup *group, const CornerForces *forces, const Model *model,
                      int32_t element, bool valid, int32_t block, int lane, ElementBundles *bundles)
{
    const int32_t corners = group->kind->corners, shapes = element_shape_size(group->kind);
    bundles->elements[block][lane] = valid ? element : -1;
    bundles->valid[block][lane] = valid ? 1 : 0;
    bundles->volumes[block][lane] = group->volumes[element];
    if (group->rests)
        bundles->rests[block][lane] = group->rests[element];
    for (int32_t c = 0; c < corners; ++c) {
        const int32_t corner = corners * element + c;
        bundles->nodes[corners * block + c][lane] = group->nodes[corner];
        bundles->force_entries[corners * block + c][lane] =
            valid ? forces->entries[group->first_corner + corner] : model->corner_count;
    }
    for (int32_t k = 0; k < shapes; ++k)
        bundles->shapes[(size_t)shapes * (size_t)block + (size_t)k][lane] =
            group->shapes[(size_t)shapes * (size_t)element + (size_t)k];
}

static int32_t history_depth(const Model *model)
{
    const SolverDef *solver = &model->scene->solver;
    return solver->type == SOLVER_ADMM && solver->anderson ? solver->depth : 0;
}

static VelaResult allocate(Arena *arena, const Model *model, ElementBundles *bundles)
{
    const size_t n = (size_t)bundles->count, corners = n * (size_t)bundles->kind->corners;
    const size_t size = n * (size_t)element_size(bundles->kind);
    TRY(ARENA_ARRAY(arena, bundles->nodes, corners));
    TRY(ARENA_ARRAY(arena, bundles->force_entries, corners));
    TRY(ARENA_ARRAY(arena, bundles->elements, n));
    TRY(ARENA_ARRAY(arena, bundles->shapes, n * (size_t)element_shape_size(bundles->kind)));
    TRY(ARENA_ARRAY(arena, bundles->volumes, n));
    TRY(ARENA_ARRAY(arena, bundles->valid, n));
    TRY(ARENA_ARRAY(arena, bundles->materials, n));
    if (model->scene->solver.type != SOLVER_ADMM) {
        TRY(ARENA_ARRAY(arena, bundles->matrix_entries, n * (size_t)element_pairs(bundles->kind)));
        return ARENA_ARRAY(arena, bundles->densities, n);
    }
    TRY(ARENA_ARRAY(arena, bundles->penalties, n));
    TRY(ARENA_ARRAY(arena, bundles->target, size));
    TRY(ARENA_ARRAY(arena, bundles->state, size));
    TRY(ARENA_ARRAY(arena, bundles->projected, size));
    TRY(ARENA_ARRAY(arena, bundles->residual, size));
    TRY(ARENA_ARRAY(arena, bundles->image, size));
    for (int32_t j = 0; j < history_depth(model); ++j) {
        TRY(ARENA_ARRAY(arena, bundles->residual_differences[j], size));
        TRY(ARENA_ARRAY(arena, bundles->image_differences[j], size));
    }
    return VELA_OK;
}

// Elements along a curve through their centres.
static VelaResult order_elements(VelaContext *context, const Model *model, const ElementGroup *group,
                                 Arena *arena, int32_t *order)
{
    const size_t corners = (size_t)group->kind->corners;
    double *centers;
    TRY(ARENA_ARRAY(arena, centers, 3 * (size_t)group->count));
    for (size_t e = 0; e < (size_t)group->count; ++e)
        for (size_t k = 0; k < 3 * corners; ++k)
            centers[3 * e + k % 3] +=
                1.0 / (double)corners *
                model->initial_positions[3 * (size_t)group->nodes[corners * e + k / 3] + k % 3];
    return locality_order(context, centers, group->count, order);
}

// The group's elements by material, those of one along the curve; of the materials that are wanted.
static VelaResult pack_group(VelaContext *context, const Model *model, const ElementGroup *group,
                             const CornerForces *forces, const uint8_t *wanted, Arena *arena, Arena *scratch,
                             ElementBundles *bundles)
{
    int32_t *elements_of_material, *order;
    TRY(ARENA_ARRAY(scratch, elements_of_material, model->material_count));
    TRY(ARENA_ARRAY(scratch, order, group->count));
    *bundles = (ElementBundles){.kind = group->kind,
                                .element_count = group->count,
                                .first_element = group->first_element,
                                .corner_forces = forces->values};
    for (int32_t e = 0; e < group->count; ++e)
        elements_of_material[group->materials[e]] += !wanted || wanted[group->materials[e]];
    for (int32_t m = 0; m < model->material_count; ++m)
        bundles->count += (elements_of_material[m] + LANE_COUNT - 1) / LANE_COUNT;
    TRY(allocate(arena, model, bundles));
    if (group->rests)
        TRY(ARENA_ARRAY(arena, bundles->rests, bundles->count));
    TRY(order_elements(context, model, group, scratch, order));
    int32_t block = 0;
    for (int32_t m = 0; m < model->material_count; ++m) {
        const ModelMaterial *material = &model->materials[m];
        int lane = 0;
        int32_t last = -1;
        for (int32_t i = 0; i < group->count; ++i) {
            if (group->materials[order[i]] != m || elements_of_material[m] == 0)
                continue;
            last = order[i];
            bundles->materials[block] =
                (BundleMaterial){material->formula, material->never_inverts, material->damping};
            fill_lane(group, forces, model, last, true, block, lane, bundles);
            lane = (lane + 1) % LANE_COUNT;
            block += lane == 0;
        }
        for (int left = lane; left > 0 && left < LANE_COUNT; ++left)
            fill_lane(group, forces, model, last, false, block, left, bundles);
        block += lane > 0;
    }
    return VELA_OK;
}

static VelaResult make_chunks(Arena *arena, CpuElements *elements)
{
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind)
        elements->chunk_count += (elements->groups[kind].count + BUNDLES_PER_CHUNK - 1) / BUNDLES_PER_CHUNK;
    TRY(ARENA_ARRAY(arena, elements->chunks, elements->chunk_count));
    ElementChunk *chunk = elements->chunks;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const int32_t count = elements->groups[kind].count;
        for (int32_t first = 0; first < count; first += BUNDLES_PER_CHUNK) {
            const int32_t end = first + BUNDLES_PER_CHUNK;
            *chunk++ = (ElementChunk){kind, first, end < count ? end : count};
        }
    }
    return VELA_OK;
}

VelaResult cpu_elements_build(VelaContext *context, const Model *model, const CornerForces *forces,
                              const uint8_t *wanted, Arena *arena, CpuElements *elements)
{
    *elements = (CpuElements){0};
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const uint8_t *materials = wanted ? wanted + (size_t)kind * (size_t)model->material_count : NULL;
        Arena scratch = arena_make(context);
        const VelaResult result = pack_group(context, model, &model->groups[kind], forces, materials, arena,
                                             &scratch, &elements->groups[kind]);
        arena_clear(&scratch);
        TRY(result);
    }
    return make_chunks(arena, elements);
}

size_t cpu_elements_memory(const Model *model)
{
    const bool newton = model->scene->solver.type != SOLVER_ADMM;
    size_t bytes = 0;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementKind *row = &element_kinds[kind];
        const size_t size = (size_t)element_size(row), corners = (size_t)row->corners;
        size_t each = 3 * 4 * corners + 4 + 8 * ((size_t)element_shape_size(row) + 2 + 3 * corners);
        each += newton ? 8 + 4 * (size_t)element_pairs(row)
                       : 8 * (2 + 5 * size) + (size_t)history_depth(model) * 2 * size * sizeof(float);
        each += model->groups[kind].rests ? 8 : 0;
        bytes += each * (size_t)model->groups[kind].count;
    }
    return bytes;
}
