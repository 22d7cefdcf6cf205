// The buffers of a model: how large, and what goes into them once.
#include "device/vulkan/buffers.h"

#include "device/slots.h"
#include "device/vulkan/admm/air_copies.h"
#include "device/vulkan/admm/damping_copies.h"
#include "device/vulkan/admm/rigid_copies.h"
#include "device/vulkan/constraints/constraint_term.h"
#include "device/vulkan/contact/broad_phase.h"
#include "device/vulkan/contact/contact.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/linear/coarse.h"
#include "device/vulkan/linear/matrix.h"
#include "device/vulkan/linear/preconditioner.h"
#include "device/vulkan/terms/air.h"
#include "device/vulkan/terms/damping_lists.h"
#include "device/vulkan/terms/elements.h"
#include "device/vulkan/terms/loads.h"
#include "device/vulkan/terms/power_law.h"
#include "device/vulkan/terms/rigid_motion.h"
#include "device/vulkan/terms/shape_force.h"
#include "device/vulkan/terms/surface.h"
#include "device/vulkan/terms/variational_damping.h"
#include "gpu/memory.h"
#include "gpu/transfer.h"

#include <string.h>

static int32_t history_depth(const Model *model)
{
    const SolverDef *solver = &model->scene->solver;
    return solver->anderson ? solver->depth : 0;
}

void vulkan_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    ElementPlaces places[ELEMENT_KIND_COUNT];
    const ElementTotals totals = elements_place(model, places);
    const uint64_t n = (uint64_t)model->node_count, real = real_size(f64);
    const uint64_t slots =
        (uint64_t)slots_before(scene_slots(model->scene), SLOT_COUNT) + damping_own_slots(model);
    const uint64_t couplings = (uint64_t)model->mass_block_count;
    const uint64_t planes = (uint64_t)model->penalty_count, pins = (uint64_t)model_prescribed_count(model);
    const uint64_t entries = matrix_entry_count(model), exact = sizeof(double);
    // What only one of the solvers needs is empty for the other.
    const uint64_t admm = model->scene->solver.type == SOLVER_ADMM, newton = 1 - admm;
    // Contact's and damping's parts of an acceleration are summed there too.
    const uint64_t gradient = newton || contact_has_pairs(model) || model->is_damped;
    const uint64_t split = admm * (uint64_t)model_penalty_coordinates(model);
    const uint64_t history = admm * (uint64_t)history_depth(model) * totals.locals * sizeof(float);
    const uint64_t node_history =
        admm * (uint64_t)history_depth(model) * 3 * (uint64_t)model->node_count * sizeof(float);
    const uint64_t row = newton * real * (3 * entries + 2 * n);
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const GpuBufferDef planned[BUFFER_COUNT] = {
        [BUFFER_CONTROL] = {"control", 4 * CONTROL_COUNT, GPU_MEMORY_DEVICE,
                            storage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT},
        [BUFFER_SCALARS] = {"scalars", SCALAR_COUNT * real, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PARTIALS] = {"partial sums", SUM_SECTIONS * SUM_GROUPS_MOST * real, GPU_MEMORY_DEVICE, 0},
        [BUFFER_FLAGS] = {"node flags", 4 * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_SLOTS] = {"node vectors", slots * 3 * exact * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_MASSES] = {"masses", MASS_SECTIONS * exact * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_MASS_LISTS] = {"coupled nodes", couplings > 0 ? 4 * (n + 20 * couplings) : 0,
                               GPU_MEMORY_DEVICE, 0},
        [BUFFER_MASS_BLOCKS] = {"coupled masses", MASS_BLOCK_SIZE * exact * couplings, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PLANES] = {"planes and spheres", 2 * PLANE_STRIDE * exact * planes, GPU_MEMORY_DEVICE, 0},
        [BUFFER_SPLIT] = {"split of penalty contact", SPLIT_SECTIONS * real * split, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PIN_NODES] = {"pinned nodes", 4 * pins, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PIN_POSITIONS] = {"pin positions", 3 * exact * pins, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PARTIAL_PINS] = {"partial pins", model->partial_pin_count > 0 ? 6 * real * n : 0,
                                 GPU_MEMORY_DEVICE, 0},
        [BUFFER_LOADS] = {"loads", model->force_count > 0 ? 3 * real * n : 0, GPU_MEMORY_DEVICE, 0},
        [BUFFER_INCIDENCE_START] = {"incidence starts", 4 * (n + 1), GPU_MEMORY_DEVICE, 0},
        [BUFFER_CORNER_FORCES] = {"corner forces", 3 * real * totals.corners, GPU_MEMORY_DEVICE, 0},
        [BUFFER_ELEMENT_NODES] = {"elements", 4 * totals.corners, GPU_MEMORY_DEVICE, 0},
        [BUFFER_CORNER_PLACES] = {"corner places", 4 * totals.corners, GPU_MEMORY_DEVICE, 0},
        [BUFFER_ELEMENT_NUMBERS] = {"element numbers", 4 * totals.elements, GPU_MEMORY_DEVICE, 0},
        [BUFFER_FIELDS] = {"fields of frames", 2 * real * totals.elements, GPU_MEMORY_DEVICE, 0},
        [BUFFER_SHAPES] = {"shape gradients", real * totals.shapes, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PARAMETERS] = {"element parameters", PARAMETER_COUNT * real * totals.elements,
                               GPU_MEMORY_DEVICE, 0},
        [BUFFER_LOCALS] = {"element matrices", admm * LOCAL_SECTIONS * real * totals.locals,
                           GPU_MEMORY_DEVICE, 0},
        [BUFFER_RESIDUAL_DIFFERENCES] = {"history of residuals", history, GPU_MEMORY_DEVICE, 0},
        [BUFFER_IMAGE_DIFFERENCES] = {"history of states", history, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PLACE_DIFFERENCES] = {"history of positions", node_history, GPU_MEMORY_DEVICE, 0},
        [BUFFER_MATRIX_ROWS] = {"matrix rows", 4 * (matrix_row_words(model) + coarse_table_words(model)),
                                GPU_MEMORY_DEVICE, 0},
        [BUFFER_COLUMNS] = {"matrix columns", 4 * (uint64_t)matrix_word_count(model), GPU_MEMORY_DEVICE, 0},
        [BUFFER_VALUES] = {"matrix values", admm * real * entries, GPU_MEMORY_DEVICE, 0},
        [BUFFER_DIAGONAL] = {"matrix diagonal", admm * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_FIRST_ROWS] = {"first rows of the matrix' blocks", row, GPU_MEMORY_DEVICE, 0},
        [BUFFER_SECOND_ROWS] = {"second rows of the matrix' blocks", row, GPU_MEMORY_DEVICE, 0},
        [BUFFER_THIRD_ROWS] = {"third rows of the matrix' blocks", row, GPU_MEMORY_DEVICE, 0},
        [BUFFER_BLOCK_START] = {"contributions' starts", newton * 4 * ELEMENT_KIND_COUNT * (entries + 1),
                                GPU_MEMORY_DEVICE, 0},
        [BUFFER_CONTRIBUTIONS] = {"contributions to the matrix", newton * 4 * totals.pairs, GPU_MEMORY_DEVICE,
                                  0},
        [BUFFER_ELEMENT_DATA] = {"element Hessians", (newton || model->is_damped) * real * totals.data,
                                 GPU_MEMORY_DEVICE, 0},
        [BUFFER_NODE_GRADIENT] = {"gradient", gradient * 3 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PRECONDITIONER] = {"preconditioner", 6 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_BODY_ROOTS] = {"preconditioner of bodies",
                               newton * BODY_ROOT_SIZE * real * (uint64_t)model->order.coupled_count / 4,
                               GPU_MEMORY_DEVICE, 0},
        [BUFFER_RESIDUAL] = {"residual", 3 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_INCREMENT] = {"increment", 3 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_STRAIGHT] = {"straight way", newton * 3 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_DIRECTION] = {"search direction", 3 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PRODUCT] = {"matrix product", 3 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_DIAGNOSIS] = {"diagnosis", DIAGNOSE_SECTIONS * SUM_GROUPS_MOST * exact, GPU_MEMORY_DEVICE, 0},
        [BUFFER_INDICES] = {"diagnosis indices", 4 * DIAGNOSE_INDICES, GPU_MEMORY_DEVICE, 0},
        [BUFFER_UPLOAD] = {"upload",
                           65536 + 4 * (3 * exact * pins + 2 * PLANE_STRIDE * exact * planes +
                                        loads_bytes(model, f64)),
                           GPU_MEMORY_UPLOAD, VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
        [BUFFER_READBACK] = {"readback", READBACK_SIZE, GPU_MEMORY_READBACK,
                             VK_BUFFER_USAGE_TRANSFER_DST_BIT},
    };
    memcpy(defs, planned, sizeof planned);
    coarse_plan(model, f64, defs);
    contact_plan(model, f64, defs);
    broad_phase_plan(model, f64, defs);
    damping_plan(model, f64, defs);
    power_law_plan(model, f64, defs);
    rigid_motion_plan(model, f64, defs);
    shape_force_plan(model, f64, defs);
    variational_plan(model, f64, defs);
    copies_plan(model, f64, defs);
    rigid_copies_plan(model, f64, defs);
    surface_plan(model, defs);
    air_plan(model, f64, defs);
    constraints_plan(model, f64, defs);
    air_split_plan(model, f64, defs);
}

size_t vulkan_device_memory(const Model *model, bool f64)
{
    GpuBufferDef defs[BUFFER_COUNT];
    vulkan_plan(model, f64, defs);
    return (size_t)gpu_pool_plan(BUFFER_COUNT, defs);
}

// ---------------------------------------------------------------- contents
static VelaResult upload(VulkanDevice *device, BufferName name, const void *data, uint64_t size)
{
    return size ? gpu_upload(device->gpu, vulkan_buffer(device, name), 0, data, size) : VELA_OK;
}

/// Nodes in the order of model_pin_positions, and what partial pins hold.
static VelaResult upload_pins(VulkanDevice *device, Arena *scratch)
{
    static const int at[6] = {0, 4, 8, 1, 2, 5};
    const Model *model = device->base.model;
    const size_t pins = (size_t)model->pin_count, partial = (size_t)model->partial_pin_count;
    int32_t *nodes;
    void *held;
    TRY(ARENA_ARRAY(scratch, nodes, pins + partial));
    memcpy(nodes, model->pin_nodes, pins * sizeof *nodes);
    for (size_t p = 0; p < partial; ++p)
        nodes[pins + p] = model->partial_pins[p].node;
    TRY(upload(device, BUFFER_PIN_NODES, nodes, 4 * (uint64_t)(pins + partial)));
    if (partial == 0)
        return VELA_OK;
    const uint64_t bytes = 6 * real_size(device->f64) * device->node_count;
    TRY(arena_allocate(scratch, bytes, 1, &held));
    for (size_t p = 0; p < partial; ++p)
        for (size_t k = 0; k < 6; ++k)
            real_store(device->f64, held, 6 * (size_t)model->partial_pins[p].node + k,
                       model->partial_pins[p].held[at[k]]);
    return upload(device, BUFFER_PARTIAL_PINS, held, bytes);
}

static VelaResult upload_nodes(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const uint64_t n = device->node_count;
    uint32_t *flags;
    void *masses;
    TRY(ARENA_ARRAY(scratch, flags, n));
    TRY(arena_allocate(scratch, MASS_SECTIONS * n, sizeof(double), &masses));
    for (uint64_t i = 0; i < n; ++i) {
        flags[i] =
            (model->node_is_free[i] ? NODE_IS_FREE : 0) | (model->force_count > 0 ? NODE_IS_LOADED : 0);
        exact_store(device->f64, masses, i, model->masses[i]);
        exact_store(device->f64, masses, n + i, model->gravity_weights[i]);
    }
    for (int32_t p = 0; p < model->pin_count; ++p)
        flags[model->pin_nodes[p]] |= NODE_IS_PINNED;
    for (int32_t p = 0; p < model->partial_pin_count; ++p)
        flags[model->partial_pins[p].node] |= NODE_IS_HELD_IN_PART;
    for (uint32_t s = 0; s < device->surface_count; ++s) {
        const int32_t node = surface_map_node(&model->surface.map, (int32_t)s);
        if (node >= 0) // else no kernel of nodes asks for it
            flags[node] |= (s + 1) << NODE_SURFACE_SHIFT;
    }
    for (int32_t b = 0; b < model->mass_block_count; ++b)
        for (int k = 0; k < 4; ++k)
            flags[model->mass_blocks[b].nodes[k]] |= NODE_IS_COUPLED;
    TRY(upload(device, BUFFER_MASSES, masses, MASS_SECTIONS * sizeof(double) * n));
    TRY(upload(device, BUFFER_FLAGS, flags, 4 * n));
    TRY(upload_pins(device, scratch));
    return upload(device, BUFFER_INCIDENCE_START, model->incidence_start, 4 * (n + 1));
}

/// Coupled masses as abi/nodes.h lists them.
static VelaResult upload_couplings(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const size_t n = device->node_count, count = (size_t)model->mass_block_count;
    uint32_t *lists;
    void *blocks;
    if (count == 0)
        return VELA_OK;
    TRY(ARENA_ARRAY(scratch, lists, n + 20 * count));
    TRY(arena_allocate(scratch, MASS_BLOCK_SIZE * count, sizeof(double), &blocks));
    for (size_t b = 0; b < count; ++b) {
        const MassBlock *block = &model->mass_blocks[b];
        for (size_t i = 0; i < 4; ++i) {
            lists[block->nodes[i]] = (uint32_t)(4 * b + i);
            lists[n + 4 * b + i] = (uint32_t)block->nodes[i];
            for (size_t j = 0; j < 4; ++j)
                lists[n + 4 * count + 16 * b + 4 * i + j] =
                    matrix_entry(device, block->nodes[i], block->nodes[j]);
        }
        for (size_t k = 0; k < 16; ++k) {
            exact_store(device->f64, blocks, MASS_BLOCK_SIZE * b + k, block->masses[k]);
            exact_store(device->f64, blocks, MASS_BLOCK_SIZE * b + MASS_BLOCK_INVERSES + k,
                        block->inverses[k]);
        }
    }
    TRY(upload(device, BUFFER_MASS_LISTS, lists, 4 * (n + 20 * count)));
    return upload(device, BUFFER_MASS_BLOCKS, blocks, MASS_BLOCK_SIZE * sizeof(double) * count);
}

/// Columns where kernels find them, rows into the arguments of a dispatch.
static void place_groups(const VulkanDevice *device, uint32_t *control, uint32_t groups, int columns,
                         int arguments)
{
    const GpuGrid grid = gpu_grid(device->gpu, groups);
    control[columns] = grid.columns;
    control[arguments + 1] = grid.rows;
}

/// Everything 0 but the group counts and the y and z of the dispatches' arguments.
static VelaResult upload_control(VulkanDevice *device)
{
    uint32_t control[CONTROL_COUNT] = {0};
    for (int i = CONTROL_ARGUMENTS; i < CONTROL_COUNT; i += 3)
        control[i + 1] = control[i + 2] = 1;
    const struct {
        uint32_t groups;
        int columns, arguments;
    } nodes[] = {
        {device->groups_nodes, CONTROL_GROUPS_NODES, ARGUMENTS_AFTER_NODES},
        {device->groups_nodes, CONTROL_GROUPS_NODES, ARGUMENTS_DUAL_NODES},
        {device->groups_cg, CONTROL_GROUPS_CG, ARGUMENTS_LOCAL_NODES},
        {device->groups_cg, CONTROL_GROUPS_CG, ARGUMENTS_CG},
        {device->coarse.group_count + device->coarse.contact_workgroups, CONTROL_GROUPS_COARSE,
         ARGUMENTS_COARSE},
        {device->coarse.group_count * device->coarse.chunks_per_group, CONTROL_GROUPS_CHUNKS,
         ARGUMENTS_CHUNKS},
        {device->coarse.group_count + device->coarse.contact_workgroups, CONTROL_GROUPS_COARSE,
         ARGUMENTS_START_COARSE},
        {device->coarse.group_count * device->coarse.chunks_per_group, CONTROL_GROUPS_CHUNKS,
         ARGUMENTS_START_CHUNKS},
        {constraints_groups(device), CONTROL_GROUPS_SADDLE, ARGUMENTS_SADDLE},
        {device->rigid_chunks, CONTROL_GROUPS_RIGID, ARGUMENTS_LOCAL_RIGID},
        {device->rigid_chunks, CONTROL_GROUPS_RIGID, ARGUMENTS_CG_RIGID},
        {device->rigid_chunks, CONTROL_GROUPS_RIGID, ARGUMENTS_AFTER_RIGID},
        {device->rigid_chunks, CONTROL_GROUPS_RIGID, ARGUMENTS_DUAL_RIGID},
    };
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; ++i)
        place_groups(device, control, nodes[i].groups, nodes[i].columns, nodes[i].arguments);
    control[CONTROL_SUMS_NODES] = device->groups_nodes;
    for (int k = 0; k < ELEMENT_KIND_COUNT; ++k) {
        const uint32_t groups = device->places[k].sum_groups;
        place_groups(device, control, groups, CONTROL_GROUPS_KIND + k, ARGUMENTS_AFTER_KIND + 3 * k);
        place_groups(device, control, groups, CONTROL_GROUPS_KIND + k, ARGUMENTS_DUAL_KIND + 3 * k);
        control[CONTROL_SUMS_ELEMENTS] += groups;
    }
    for (int r = 0; r < (int)device->range_count; ++r) {
        const uint32_t groups = (device->ranges[r].count + GROUP_ELEMENTS - 1) / GROUP_ELEMENTS;
        place_groups(device, control, groups, CONTROL_GROUPS_RANGE + r, ARGUMENTS_LOCAL_RANGE + 3 * r);
    }
    return upload(device, BUFFER_CONTROL, control, sizeof control);
}

VelaResult vulkan_model_upload(VulkanDevice *device)
{
    Arena scratch = arena_make(device->base.context);
    device->groups_nodes = sum_groups(device->node_count, GROUP_NODES);
    device->groups_cg = sum_groups(device->node_count, GROUP_CG);
    const uint32_t groups_elements = sum_groups(device->element_count, GROUP_ELEMENTS);
    device->groups_most = device->groups_nodes > groups_elements ? device->groups_nodes : groups_elements;
    if (air_is_there(device->base.model)) {
        const uint32_t groups_vertices = sum_groups(device->surface_count, GROUP_NODES);
        device->groups_most = device->groups_most > groups_vertices ? device->groups_most : groups_vertices;
    }
    if (contact_has_pairs(device->base.model) && device->groups_most < PAIR_SUM_GROUPS)
        device->groups_most = PAIR_SUM_GROUPS;
    const uint32_t groups_constraints =
        sum_groups((uint32_t)device->base.model->constraint_count, GROUP_CONSTRAINTS);
    device->groups_most = device->groups_most > groups_constraints ? device->groups_most : groups_constraints;
    elements_place(device->base.model, device->places);
    VelaResult result;
    TRY_GOTO(result, elements_sort(device), done);
    TRY_GOTO(result, upload_nodes(device, &scratch), done);
    TRY_GOTO(result, upload_couplings(device, &scratch), done);
    TRY_GOTO(result, elements_upload(device, &scratch), done);
    TRY_GOTO(result, damping_upload(device, &scratch), done);
    power_law_find(device);
    shape_force_find(device);
    variational_find(device);
    TRY_GOTO(result, rigid_motion_upload(device, &scratch), done);
    TRY_GOTO(result, copies_create(device), done);
    TRY_GOTO(result, air_split_create(device), done);
    TRY_GOTO(result, surface_upload(device, &scratch), done);
    TRY_GOTO(result, air_upload(device, &scratch), done);
    TRY_GOTO(result, matrix_upload_layout(device), done);
    TRY_GOTO(result, broad_phase_upload(device, &scratch), done);
    TRY_GOTO(result, constraints_create(device, &scratch), done);
    if (vulkan_solver(device) != SOLVER_ADMM)
        TRY_GOTO(result, matrix_upload_contributions(device), done);
    TRY_GOTO(result, vulkan_preconditioner_create(device), done);
    result = upload_control(device);
done:
    arena_clear(&scratch);
    return result;
}
