#include "device/cpu/terms/elements.h"

#include "model/locality.h"
#include "model/node_groups.h"

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

static VelaResult allocate(Arena *arena, SolverType solver, ElementBlocks *blocks)
{
    const int32_t n = blocks->count;
    TRY(ARENA_ARRAY(arena, blocks->nodes, n));
    TRY(ARENA_ARRAY(arena, blocks->slots, n));
    TRY(ARENA_ARRAY(arena, blocks->tets, n));
    TRY(ARENA_ARRAY(arena, blocks->gradients, n));
    TRY(ARENA_ARRAY(arena, blocks->volumes, n));
    TRY(ARENA_ARRAY(arena, blocks->valid, n));
    TRY(ARENA_ARRAY(arena, blocks->materials, n));
    TRY(ARENA_ARRAY(arena, blocks->corner_forces, 3 * (4 * (size_t)blocks->tet_count + 1)));
    if (solver == SOLVER_NEWTON)
        return ARENA_ARRAY(arena, blocks->densities, n);
    TRY(ARENA_ARRAY(arena, blocks->penalties, n));
    TRY(ARENA_ARRAY(arena, blocks->target, n));
    TRY(ARENA_ARRAY(arena, blocks->state, n));
    TRY(ARENA_ARRAY(arena, blocks->projected, n));
    TRY(ARENA_ARRAY(arena, blocks->residual, n));
    return ARENA_ARRAY(arena, blocks->image, n);
}

// Nodes along the curve, those that are free first.
static VelaResult order_nodes(VelaContext *context, const Model *model, Arena *arena, ElementBlocks *blocks)
{
    blocks->node_count = model->node_count;
    TRY(ARENA_ARRAY(arena, blocks->node_order, model->node_count));
    TRY(ARENA_ARRAY(arena, blocks->place_of, model->node_count));
    TRY(node_groups_order(context, model, blocks->node_order, &blocks->free_count));
    for (int32_t i = 0; i < model->node_count; ++i)
        blocks->place_of[blocks->node_order[i]] = i;
    return VELA_OK;
}

// Slots of corner forces, node by node along the curve; slot_of[4 t + corner].
static VelaResult order_slots(VelaContext *context, const Model *model, Arena *arena, int32_t *slot_of,
                              ElementBlocks *blocks)
{
    TRY(order_nodes(context, model, arena, blocks));
    TRY(ARENA_ARRAY(arena, blocks->slot_start, model->node_count + 1));
    int32_t slot = 0;
    for (int32_t i = 0; i < model->node_count; ++i) {
        const int32_t node = blocks->node_order[i];
        blocks->slot_start[i] = slot;
        for (int32_t p = model->incidence_start[node]; p < model->incidence_start[node + 1]; ++p)
            slot_of[model->incidence[p]] = slot++;
    }
    blocks->slot_start[model->node_count] = slot;
    return VELA_OK;
}

static VelaResult order_tets(VelaContext *context, const Model *model, Arena *arena, int32_t *order)
{
    double *centers;
    TRY(ARENA_ARRAY(arena, centers, 3 * (size_t)model->tet_count));
    for (size_t t = 0; t < (size_t)model->tet_count; ++t)
        for (size_t k = 0; k < 12; ++k)
            centers[3 * t + k % 3] +=
                0.25 * model->initial_positions[3 * (size_t)model->tets[4 * t + k / 3] + k % 3];
    return locality_order(context, centers, model->tet_count, order);
}

VelaResult element_blocks_build(VelaContext *context, const Model *model, Arena *arena, ElementBlocks *blocks)
{
    const SceneDef *scene = model->scene;
    *blocks = (ElementBlocks){.tet_count = model->tet_count};
    Arena scratch = arena_make(context);
    int32_t *tets_of_material, *slot_of, *order;
    VelaResult result;
    TRY_GOTO(result, ARENA_ARRAY(&scratch, tets_of_material, scene->material_count), done);
    for (int32_t t = 0; t < model->tet_count; ++t)
        ++tets_of_material[model->tet_materials[t]];
    for (int32_t m = 0; m < scene->material_count; ++m)
        blocks->count += (tets_of_material[m] + LANE_COUNT - 1) / LANE_COUNT;
    TRY_GOTO(result, allocate(arena, scene->solver.type, blocks), done);
    TRY_GOTO(result, ARENA_ARRAY(&scratch, slot_of, 4 * (size_t)model->tet_count), done);
    TRY_GOTO(result, ARENA_ARRAY(&scratch, order, model->tet_count), done);
    TRY_GOTO(result, order_slots(context, model, arena, slot_of, blocks), done);
    TRY_GOTO(result, order_tets(context, model, &scratch, order), done);

    int32_t block = 0;
    for (int32_t m = 0; m < scene->material_count; ++m) {
        const MaterialDef *material = &scene->materials[m];
        int lane = 0;
        int32_t last = -1;
        for (int32_t i = 0; i < model->tet_count; ++i) {
            if (model->tet_materials[order[i]] != m)
                continue;
            last = order[i];
            blocks->materials[block] = (BlockMaterial){material->model, material->kappa, material->lambda,
                                                       model->never_inverts[m] != 0};
            fill_lane(model, slot_of, last, true, block, lane, blocks);
            lane = (lane + 1) % LANE_COUNT;
            block += lane == 0;
        }
        for (int left = lane; left > 0 && left < LANE_COUNT; ++left)
            fill_lane(model, slot_of, last, false, block, left, blocks);
        block += lane > 0;
    }
done:
    arena_clear(&scratch);
    return result;
}
