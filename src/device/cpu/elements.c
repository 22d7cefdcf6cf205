#include "device/cpu/elements.h"

static void fill_lane(const Model *model, const int32_t *slot_of, int32_t tet, bool valid, int32_t block,
                      int lane, ElementBlocks *blocks)
{
    blocks->tets[block][lane] = valid ? tet : -1;
    blocks->valid[block][lane] = valid ? 1 : 0;
    blocks->volumes[block][lane] = model->volumes[tet];
    for (int c = 0; c < 4; ++c) {
        blocks->nodes[block][c][lane] = model->tets[4 * (size_t)tet + c];
        blocks->slots[block][c][lane] = valid ? slot_of[4 * (size_t)tet + c] : 4 * model->tet_count;
    }
    for (int k = 0; k < 9; ++k)
        blocks->gradients[block][k][lane] = model->shape_gradients[9 * (size_t)tet + k];
}

static VelaResult allocate(Arena *arena, ElementBlocks *blocks)
{
    const int32_t n = blocks->count;
    TRY(ARENA_ARRAY(arena, blocks->nodes, n));
    TRY(ARENA_ARRAY(arena, blocks->slots, n));
    TRY(ARENA_ARRAY(arena, blocks->tets, n));
    TRY(ARENA_ARRAY(arena, blocks->gradients, n));
    TRY(ARENA_ARRAY(arena, blocks->volumes, n));
    TRY(ARENA_ARRAY(arena, blocks->valid, n));
    TRY(ARENA_ARRAY(arena, blocks->materials, n));
    TRY(ARENA_ARRAY(arena, blocks->penalties, n));
    TRY(ARENA_ARRAY(arena, blocks->target, n));
    TRY(ARENA_ARRAY(arena, blocks->state, n));
    TRY(ARENA_ARRAY(arena, blocks->projected, n));
    TRY(ARENA_ARRAY(arena, blocks->residual, n));
    TRY(ARENA_ARRAY(arena, blocks->image, n));
    TRY(ARENA_ARRAY(arena, blocks->corner_forces, 3 * (4 * (size_t)blocks->tet_count + 1)));
    return VELA_OK;
}

VelaResult element_blocks_build(const Model *model, Arena *arena, ElementBlocks *blocks)
{
    const SceneDef *scene = model->scene;
    *blocks = (ElementBlocks){.tet_count = model->tet_count};
    int32_t *tets_of_material, *slot_of;
    TRY(ARENA_ARRAY(arena, tets_of_material, scene->material_count));
    for (int32_t t = 0; t < model->tet_count; ++t)
        ++tets_of_material[model->tet_materials[t]];
    for (int32_t m = 0; m < scene->material_count; ++m)
        blocks->count += (tets_of_material[m] + LANE_COUNT - 1) / LANE_COUNT;
    TRY(allocate(arena, blocks));
    TRY(ARENA_ARRAY(arena, slot_of, 4 * (size_t)model->tet_count));
    for (int32_t i = 0; i < 4 * model->tet_count; ++i)
        slot_of[model->incidence[i]] = i;

    int32_t block = 0;
    for (int32_t m = 0; m < scene->material_count; ++m) {
        const MaterialDef *material = &scene->materials[m];
        int lane = 0;
        int32_t last = -1;
        for (int32_t t = 0; t < model->tet_count; ++t) {
            if (model->tet_materials[t] != m)
                continue;
            blocks->materials[block] = (BlockMaterial){material->model, material->kappa, material->lambda};
            fill_lane(model, slot_of, t, true, block, lane, blocks);
            last = t;
            lane = (lane + 1) % LANE_COUNT;
            block += lane == 0;
        }
        for (; lane > 0 && lane < LANE_COUNT; ++lane)
            fill_lane(model, slot_of, last, false, block, lane, blocks);
        block += lane > 0;
    }
    return VELA_OK;
}
