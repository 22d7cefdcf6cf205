// The buffers of a model: how large, and what goes into them once.
#include "device/vulkan/buffers.h"

#include "device/vulkan/exact.h"
#include "device/vulkan/linear/coarse.h"
#include "device/vulkan/linear/matrix.h"
#include "device/vulkan/linear/preconditioner.h"
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
    const uint64_t n = (uint64_t)model->node_count, t = (uint64_t)model->groups[ELEMENT_TET].count,
                   real = real_size(f64);
    const uint64_t planes = (uint64_t)model->plane_count, pins = (uint64_t)model->pin_count;
    const uint64_t entries = matrix_entry_count(model), exact = sizeof(double);
    // What only one of the solvers needs is empty for the other.
    const uint64_t admm = model->scene->solver.type == SOLVER_ADMM, newton = 1 - admm;
    const uint64_t contacts = admm * planes * (uint64_t)model->surface_node_count;
    const uint64_t history = admm * (uint64_t)history_depth(model) * 9 * t * sizeof(float);
    const uint64_t row = newton * 3 * real * entries;
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    const GpuBufferDef planned[BUFFER_COUNT] = {
        [BUFFER_CONTROL] = {"control", 4 * CONTROL_COUNT, GPU_MEMORY_DEVICE,
                            storage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT},
        [BUFFER_SCALARS] = {"scalars", SCALAR_COUNT * real, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PARTIALS] = {"partial sums", SUM_SECTIONS * SUM_GROUPS_MOST * real, GPU_MEMORY_DEVICE, 0},
        [BUFFER_FLAGS] = {"node flags", 4 * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_SLOTS] = {"node vectors", SLOT_COUNT * 3 * exact * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_MASSES] = {"masses", exact * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PLANES] = {"planes", PLANE_STRIDE * exact * planes, GPU_MEMORY_DEVICE, 0},
        [BUFFER_CONTACT] = {"contacts", CONTACT_SECTIONS * real * contacts, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PIN_NODES] = {"pinned nodes", 4 * pins, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PIN_POSITIONS] = {"pin positions", 3 * exact * pins, GPU_MEMORY_DEVICE, 0},
        [BUFFER_INCIDENCE_START] = {"incidence starts", 4 * (n + 1), GPU_MEMORY_DEVICE, 0},
        [BUFFER_INCIDENCE] = {"incidence", admm * 4 * 4 * t, GPU_MEMORY_DEVICE, 0},
        [BUFFER_CORNER_FORCES] = {"corner forces", 4 * 3 * real * t, GPU_MEMORY_DEVICE, 0},
        [BUFFER_TETS] = {"elements", 4 * 4 * t, GPU_MEMORY_DEVICE, 0},
        [BUFFER_CORNER_SLOTS] = {"corner places", 4 * 4 * t, GPU_MEMORY_DEVICE, 0},
        [BUFFER_TET_NUMBERS] = {"element numbers", 4 * t, GPU_MEMORY_DEVICE, 0},
        [BUFFER_GRADIENTS] = {"shape gradients", 9 * real * t, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PARAMETERS] = {"element parameters", TET_PARAMETERS * real * t, GPU_MEMORY_DEVICE, 0},
        [BUFFER_MATRICES] = {"element matrices", admm * TET_SECTIONS * 9 * real * t, GPU_MEMORY_DEVICE, 0},
        [BUFFER_RESIDUAL_DIFFERENCES] = {"history of residuals", history, GPU_MEMORY_DEVICE, 0},
        [BUFFER_IMAGE_DIFFERENCES] = {"history of states", history, GPU_MEMORY_DEVICE, 0},
        [BUFFER_SLICE_START] = {"matrix slices", 4 * (n / SLICE_ROWS + 2), GPU_MEMORY_DEVICE, 0},
        [BUFFER_COLUMNS] = {"matrix columns", 4 * entries, GPU_MEMORY_DEVICE, 0},
        [BUFFER_VALUES] = {"matrix values", admm * real * entries, GPU_MEMORY_DEVICE, 0},
        [BUFFER_DIAGONAL] = {"matrix diagonal", admm * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_FIRST_ROWS] = {"first rows of the matrix' blocks", row, GPU_MEMORY_DEVICE, 0},
        [BUFFER_SECOND_ROWS] = {"second rows of the matrix' blocks", row, GPU_MEMORY_DEVICE, 0},
        [BUFFER_THIRD_ROWS] = {"third rows of the matrix' blocks", row, GPU_MEMORY_DEVICE, 0},
        [BUFFER_BLOCK_START] = {"contributions' starts", newton * 4 * (entries + 1), GPU_MEMORY_DEVICE, 0},
        [BUFFER_CONTRIBUTIONS] = {"contributions to the matrix", newton * 4 * 16 * t, GPU_MEMORY_DEVICE, 0},
        [BUFFER_ELEMENTS] = {"element Hessians", newton * ELEMENT_SIZE * real * t, GPU_MEMORY_DEVICE, 0},
        [BUFFER_NODE_GRADIENT] = {"gradient", newton * 3 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PRECONDITIONER] = {"preconditioner", 6 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_RESIDUAL] = {"residual", 3 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PRECONDITIONED] = {"preconditioned residual", 3 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_INCREMENT] = {"increment", 3 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_DIRECTION] = {"search directions", 2 * 3 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_PRODUCT] = {"matrix product", 3 * real * n, GPU_MEMORY_DEVICE, 0},
        [BUFFER_DIAGNOSIS] = {"diagnosis", DIAGNOSE_SECTIONS * SUM_GROUPS_MOST * exact, GPU_MEMORY_DEVICE, 0},
        [BUFFER_INDICES] = {"diagnosis indices", 4 * DIAGNOSE_INDICES, GPU_MEMORY_DEVICE, 0},
        [BUFFER_UPLOAD] = {"upload", 65536 + 4 * 3 * exact * pins, GPU_MEMORY_UPLOAD,
                           VK_BUFFER_USAGE_TRANSFER_SRC_BIT},
        [BUFFER_READBACK] = {"readback", READBACK_SIZE, GPU_MEMORY_READBACK,
                             VK_BUFFER_USAGE_TRANSFER_DST_BIT},
    };
    memcpy(defs, planned, sizeof planned);
    coarse_plan(model, f64, defs);
}

size_t vulkan_device_memory(const Model *model, bool f64)
{
    GpuBufferDef defs[BUFFER_COUNT];
    vulkan_plan(model, f64, defs);
    return (size_t)gpu_pool_plan(BUFFER_COUNT, defs);
}

// ---------------------------------------------------------------- contents
/// Appends the elements of one energy model that do or do not accept inversion; returns how many they are.
static uint32_t append_tets(VulkanDevice *device, int32_t energy, bool never_inverts, uint32_t place)
{
    const Model *model = device->base.model;
    uint32_t count = 0;
    for (int32_t t = 0; t < model->groups[ELEMENT_TET].count; ++t) {
        const int32_t material = model->groups[ELEMENT_TET].materials[t];
        if (model->scene->materials[material].model == energy &&
            (model->never_inverts[material] != 0) == never_inverts)
            device->order[place + count++] = (uint32_t)t;
    }
    return count;
}

/// Sorts the elements by energy model; ranges say where each begins.
static VelaResult sort_tets(VulkanDevice *device)
{
    const Model *model = device->base.model;
    TRY(ARENA_ARRAY(&device->arena, device->order, model->groups[ELEMENT_TET].count));
    uint32_t place = 0;
    for (int32_t energy = 0; energy < MODELS_MOST; ++energy) {
        ModelRange *range = &device->ranges[energy];
        range->first = place;
        range->never_inverting = append_tets(device, energy, true, place);
        place += range->never_inverting;
        place += append_tets(device, energy, false, place);
        range->count = place - range->first;
    }
    return VELA_OK;
}

static VelaResult upload(VulkanDevice *device, BufferName name, const void *data, uint64_t size)
{
    return size ? gpu_upload(device->gpu, vulkan_buffer(device, name), 0, data, size) : VELA_OK;
}

static VelaResult upload_nodes(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const uint64_t n = device->node_count;
    uint32_t *flags;
    void *masses;
    TRY(ARENA_ARRAY(scratch, flags, n));
    TRY(arena_allocate(scratch, n, sizeof(double), &masses));
    for (uint64_t i = 0; i < n; ++i) {
        flags[i] = model->node_is_free[i] ? NODE_IS_FREE : 0;
        exact_store(device->f64, masses, i, model->masses[i]);
    }
    for (int32_t p = 0; p < model->pin_count; ++p)
        flags[model->pin_nodes[p]] |= NODE_IS_PINNED;
    for (uint32_t s = 0; s < device->surface_count; ++s)
        flags[model->surface_nodes[s]] |= (s + 1) << NODE_SURFACE_SHIFT;
    TRY(upload(device, BUFFER_FLAGS, flags, 4 * n));
    TRY(upload(device, BUFFER_MASSES, masses, sizeof(double) * n));
    TRY(upload(device, BUFFER_PIN_NODES, model->pin_nodes, 4 * (uint64_t)model->pin_count));
    return upload(device, BUFFER_INCIDENCE_START, model->incidence_start, 4 * (n + 1));
}

static VelaResult upload_tet_lists(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const uint64_t t = device->tet_count;
    uint32_t *place, *slot_of, *tets, *slots, *incidence;
    TRY(ARENA_ARRAY(scratch, place, t));
    TRY(ARENA_ARRAY(scratch, slot_of, 4 * t));
    TRY(ARENA_ARRAY(scratch, tets, 4 * t));
    TRY(ARENA_ARRAY(scratch, slots, 4 * t));
    TRY(ARENA_ARRAY(scratch, incidence, 4 * t));
    for (uint64_t e = 0; e < t; ++e)
        place[device->order[e]] = (uint32_t)e;
    for (uint64_t i = 0; i < 4 * t; ++i) {
        const uint32_t tet = (uint32_t)model->incidence[i] / 4, corner = (uint32_t)model->incidence[i] % 4;
        slot_of[model->incidence[i]] = (uint32_t)i;
        incidence[i] = 4 * place[tet] + corner;
    }
    for (uint64_t e = 0; e < t; ++e)
        for (uint64_t c = 0; c < 4; ++c) {
            tets[c * t + e] = (uint32_t)model->groups[ELEMENT_TET].nodes[4 * (uint64_t)device->order[e] + c];
            slots[c * t + e] = slot_of[4 * (uint64_t)device->order[e] + c];
        }
    TRY(upload(device, BUFFER_TETS, tets, 16 * t));
    TRY(upload(device, BUFFER_CORNER_SLOTS, slots, 16 * t));
    if (vulkan_solver(device) == SOLVER_ADMM)
        TRY(upload(device, BUFFER_INCIDENCE, incidence, 16 * t));
    return upload(device, BUFFER_TET_NUMBERS, device->order, 4 * t);
}

static VelaResult upload_tet_values(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const size_t t = device->tet_count, size = real_size(device->f64);
    void *gradients, *parameters;
    TRY(arena_allocate(scratch, 9 * t, size, &gradients));
    TRY(arena_allocate(scratch, TET_PARAMETERS * t, size, &parameters));
    for (size_t e = 0; e < t; ++e) {
        const size_t tet = device->order[e];
        const MaterialDef *material = &model->scene->materials[model->groups[ELEMENT_TET].materials[tet]];
        const double volume = model->groups[ELEMENT_TET].volumes[tet];
        for (size_t k = 0; k < 9; ++k)
            real_store(device->f64, gradients, k * t + e, model->groups[ELEMENT_TET].shapes[9 * tet + k]);
        real_store(device->f64, parameters, TET_KAPPA * t + e, volume * material->kappa);
        real_store(device->f64, parameters, TET_LAMBDA * t + e, volume * material->lambda);
        real_store(device->f64, parameters, TET_VOLUME * t + e, volume);
    }
    TRY(upload(device, BUFFER_GRADIENTS, gradients, 9 * t * size));
    return upload(device, BUFFER_PARAMETERS, parameters, TET_PARAMETERS * t * size);
}

/// Everything 0 but the group counts and the y and z of the dispatches' arguments.
static VelaResult upload_control(VulkanDevice *device)
{
    uint32_t control[CONTROL_COUNT] = {0};
    control[CONTROL_GROUPS_NODES] = device->groups_nodes;
    control[CONTROL_GROUPS_CG] = device->groups_cg;
    control[CONTROL_GROUPS_TETS] = device->groups_tets;
    control[CONTROL_GROUPS_COARSE] = device->coarse.group_count;
    control[CONTROL_GROUPS_CHUNKS] = device->coarse.group_count * device->coarse.chunks_per_group;
    for (int m = 0; m < MODELS_MOST; ++m)
        control[CONTROL_GROUPS_MODEL + m] = (device->ranges[m].count + GROUP_TETS - 1) / GROUP_TETS;
    for (int i = CONTROL_ARGUMENTS; i < CONTROL_COUNT; i += 3)
        control[i + 1] = control[i + 2] = 1;
    return upload(device, BUFFER_CONTROL, control, sizeof control);
}

VelaResult vulkan_model_upload(VulkanDevice *device)
{
    Arena scratch = arena_make(device->base.context);
    device->groups_nodes = sum_groups(device->node_count, GROUP_NODES);
    device->groups_cg = sum_groups(device->node_count, GROUP_CG);
    device->groups_tets = sum_groups(device->tet_count, GROUP_TETS);
    device->groups_most =
        device->groups_nodes > device->groups_tets ? device->groups_nodes : device->groups_tets;
    VelaResult result;
    TRY_GOTO(result, sort_tets(device), done);
    TRY_GOTO(result, upload_nodes(device, &scratch), done);
    TRY_GOTO(result, upload_tet_lists(device, &scratch), done);
    TRY_GOTO(result, upload_tet_values(device, &scratch), done);
    TRY_GOTO(result, matrix_upload_layout(device), done);
    if (vulkan_solver(device) == SOLVER_NEWTON) {
        TRY_GOTO(result, matrix_upload_contributions(device), done);
        TRY_GOTO(result, vulkan_preconditioner_create(device), done);
    }
    result = upload_control(device);
done:
    arena_clear(&scratch);
    return result;
}
