#include "device/vulkan/constraints/constraint_term.h"

#include "device/vulkan/exact.h"
#include "device/vulkan/linear/matrix.h"
#include "device/vulkan/recording.h"
#include "gpu/transfer.h"
#include "model/constraints.h"

#include <string.h>

_Static_assert(SADDLE_SIDE_BOTH == (int)SIDE_BOTH && SADDLE_SIDE_AT_MOST == (int)SIDE_AT_MOST &&
                   SADDLE_SIDE_AT_LEAST == (int)SIDE_AT_LEAST,
               "abi/saddle.h numbers sides as the scene does");

/// How much there is of what the lists have.
typedef struct ListCounts {
    size_t entries, slopes, factors, blocks, sides;
} ListCounts;

static ListCounts count_lists(const Model *model)
{
    ListCounts counts = {0};
    for (int32_t c = 0; c < model->constraint_count; ++c) {
        const ModelConstraint *constraint = &model->constraints[c];
        const size_t nodes = (size_t)constraint->node_count,
                     rows = (size_t)constraint_kinds[constraint->kind].rows;
        counts.entries += nodes;
        counts.slopes += 3 * rows * nodes;
        counts.factors += rows * (rows + 1) / 2;
        counts.blocks += nodes * nodes;
        counts.sides += constraint->side != SIDE_BOTH;
    }
    return counts;
}

void constraints_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    const bool there = model_has_constraint_solver(model->scene);
    const ListCounts counts = count_lists(model);
    const uint64_t real = real_size(f64), nodes = (uint64_t)model->node_count,
                   constraints = (uint64_t)model->constraint_count,
                   rows = (uint64_t)model->constraint_row_count;
    const struct {
        BufferName name;
        const char *what;
        uint64_t size;
    } planned[] = {
        {BUFFER_CONSTRAINT_LISTS, "constraints",
         4 * (CONSTRAINT_WORDS * constraints + (ENTRY_WORDS + PULL_WORDS) * counts.entries + nodes + 1 +
              counts.blocks + counts.sides)},
        {BUFFER_CONSTRAINT_NUMBERS, "weights of constraints",
         8 * (CONSTRAINT_NUMBERS * constraints + CONSTRAINT_COLUMNS_MOST * counts.entries)},
        {BUFFER_CONSTRAINT_SLOPES, "slopes of constraints", real * counts.slopes},
        {BUFFER_CONSTRAINT_STIFFNESS, "geometric stiffness", real * CONSTRAINT_STIFFNESS_SIZE * constraints},
        {BUFFER_CONSTRAINT_FACTORS, "preconditioner of constraints", real * counts.factors},
        {BUFFER_CONSTRAINT_HOLDS, "active constraints", 4 * constraints},
        {BUFFER_SADDLE_VECTORS, "vectors of MINRES", real * SADDLE_VECTORS * (3 * nodes + rows)},
        {BUFFER_SADDLE_SUMS, "multipliers", 8 * (3 * nodes + SADDLE_ROW_SECTIONS * rows)},
    };
    for (size_t k = 0; k < sizeof planned / sizeof *planned; ++k)
        defs[planned[k].name] =
            (GpuBufferDef){planned[k].what, there * planned[k].size, GPU_MEMORY_DEVICE, 0};
}

// ---------------------------------------------------------------- lists

/// Parts of the lists, abi/saddle.h, one behind the other.
typedef struct Lists {
    uint32_t *words, *entries, *starts, *pulls, *blocks, *sides;
    size_t count;
} Lists;

static VelaResult make_lists(const Model *model, const ListCounts *counts, Arena *scratch, Lists *lists)
{
    const size_t constraints = (size_t)model->constraint_count, nodes = (size_t)model->node_count;
    lists->count = CONSTRAINT_WORDS * constraints + (ENTRY_WORDS + PULL_WORDS) * counts->entries + nodes + 1 +
                   counts->blocks + counts->sides;
    TRY(ARENA_ARRAY(scratch, lists->words, lists->count));
    lists->entries = lists->words + CONSTRAINT_WORDS * constraints;
    lists->starts = lists->entries + ENTRY_WORDS * counts->entries;
    lists->pulls = lists->starts + nodes + 1;
    lists->blocks = lists->pulls + PULL_WORDS * counts->entries;
    lists->sides = lists->blocks + counts->blocks;
    return VELA_OK;
}

static void list_constraints(const Model *model, Lists *lists)
{
    ListCounts before = {0};
    for (int32_t c = 0; c < model->constraint_count; ++c) {
        const ModelConstraint *constraint = &model->constraints[c];
        const size_t nodes = (size_t)constraint->node_count,
                     rows = (size_t)constraint_kinds[constraint->kind].rows;
        uint32_t *own = lists->words + CONSTRAINT_WORDS * (size_t)c;
        own[CONSTRAINT_KIND] = (uint32_t)constraint->kind;
        own[CONSTRAINT_FIRST_ROW] = (uint32_t)constraint->first_row;
        own[CONSTRAINT_FIRST_ENTRY] = (uint32_t)before.entries;
        own[CONSTRAINT_ENTRY_COUNT] = (uint32_t)nodes;
        own[CONSTRAINT_FIRST_SLOPE] = (uint32_t)before.slopes;
        own[CONSTRAINT_FIRST_FACTOR] = (uint32_t)before.factors;
        own[CONSTRAINT_SIDE] = (uint32_t)constraint->side;
        if (constraint->side != SIDE_BOTH)
            lists->sides[before.sides++] = (uint32_t)c;
        for (size_t a = 0; a < nodes; ++a) {
            uint32_t *entry = lists->entries + ENTRY_WORDS * (before.entries + a);
            entry[ENTRY_NODE] = (uint32_t)constraint->nodes[a];
            entry[ENTRY_PLACE] = (uint32_t)model->order.places[constraint->nodes[a]];
            ++lists->starts[constraint->nodes[a] + 1];
        }
        before.entries += nodes;
        before.slopes += 3 * rows * nodes;
        before.factors += rows * (rows + 1) / 2;
    }
    for (int32_t i = 0; i < model->node_count; ++i)
        lists->starts[i + 1] += lists->starts[i];
}

/// `next`: where each node's pulls start; counts them.
static void list_pulls(const VulkanDevice *device, uint32_t *next, Lists *lists)
{
    const Model *model = device->base.model;
    uint32_t block = 0;
    for (int32_t c = 0; c < model->constraint_count; ++c) {
        const ModelConstraint *constraint = &model->constraints[c];
        for (int32_t a = 0; a < constraint->node_count; ++a) {
            const int32_t node = constraint->nodes[a];
            uint32_t *pull = lists->pulls + PULL_WORDS * (size_t)next[node]++;
            pull[PULL_CONSTRAINT] = (uint32_t)c;
            pull[PULL_ENTRY] = (uint32_t)a;
            pull[PULL_BLOCKS] = block;
            for (int32_t b = 0; b < constraint->node_count; ++b)
                lists->blocks[block++] =
                    model->node_is_free[node] ? matrix_entry(device, node, constraint->nodes[b]) : 0;
        }
    }
}

static VelaResult upload_numbers(VulkanDevice *device, const ListCounts *counts, Arena *scratch)
{
    const Model *model = device->base.model;
    const size_t constraints = (size_t)model->constraint_count,
                 size = CONSTRAINT_NUMBERS * constraints + CONSTRAINT_COLUMNS_MOST * counts->entries;
    void *numbers;
    size_t at = CONSTRAINT_NUMBERS * constraints;
    TRY(arena_allocate(scratch, size, sizeof(double), &numbers));
    for (size_t c = 0; c < constraints; ++c) {
        const ModelConstraint *constraint = &model->constraints[c];
        const double own[CONSTRAINT_NUMBERS] = {[CONSTRAINT_REST] = constraint->rest,
                                                [CONSTRAINT_COMPLIANCE] = constraint->compliance,
                                                [CONSTRAINT_COUPLED] = constraint->coupled,
                                                [CONSTRAINT_SHEARED] = constraint->sheared,
                                                [CONSTRAINT_ARM] = constraint->arm};
        for (size_t k = 0; k < CONSTRAINT_NUMBERS; ++k)
            exact_store(device->f64, numbers, CONSTRAINT_NUMBERS * c + k, own[k]);
        for (int32_t a = 0; a < constraint->node_count; ++a)
            for (int k = 0; k < CONSTRAINT_COLUMNS_MOST; ++k)
                exact_store(device->f64, numbers, at++, constraint->weights[a][k]);
    }
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_CONSTRAINT_NUMBERS), 0, numbers,
                      size * sizeof(double));
}

static SaddlePush push_of(const VulkanDevice *device, const ListCounts *counts, const Lists *lists)
{
    const Model *model = device->base.model;
    return (SaddlePush){.node_count = device->node_count,
                        .free_count = (uint32_t)model->order.free_count,
                        .coupled_count = (uint32_t)model->order.coupled_count,
                        .entry_count = device->matrix.entry_count,
                        .constraint_count = (uint32_t)model->constraint_count,
                        .row_count = (uint32_t)model->constraint_row_count,
                        .entry_total = (uint32_t)counts->entries,
                        .side_count = (uint32_t)counts->sides,
                        .first_block = (uint32_t)(lists->blocks - lists->words),
                        .first_side = (uint32_t)(lists->sides - lists->words),
                        .limit = (uint32_t)model->scene->solver.linear_max_iterations,
                        .slot = vulkan_slot(device, SLOT_STAGE)};
}

VelaResult constraints_create(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const size_t nodes = device->node_count;
    Lists lists;
    uint32_t *next;
    if (!model_has_constraint_solver(model->scene))
        return VELA_OK;
    const ListCounts counts = count_lists(model);
    TRY(make_lists(model, &counts, scratch, &lists));
    TRY(ARENA_ARRAY(scratch, next, nodes + 1));
    TRY(ARENA_ARRAY(&device->arena, device->constraints, 1));
    list_constraints(model, &lists);
    memcpy(next, lists.starts, (nodes + 1) * sizeof *next);
    list_pulls(device, next, &lists);
    *device->constraints =
        (VulkanConstraints){.push = push_of(device, &counts, &lists), .wanted_iterations = 4 * MINRES_BLOCK};
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_CONSTRAINT_LISTS), 0, lists.words,
                   lists.count * sizeof *lists.words));
    return counts.entries > 0 ? upload_numbers(device, &counts, scratch) : VELA_OK;
}

void constraints_destroy(VulkanDevice *device)
{
    for (int b = 0; device->constraints && b < SADDLE_BATCHES; ++b)
        gpu_commands_destroy(device->constraints->batches[b].commands);
}

uint32_t constraints_groups(const VulkanDevice *device)
{
    if (!device->constraints)
        return 0;
    const SaddlePush *push = &device->constraints->push;
    const uint32_t groups = sum_groups(push->free_count + push->constraint_count, GROUP_CG);
    return groups > 0 ? groups : 1; // which ends the solve
}

// ---------------------------------------------------------------- the term

VelaResult constraints_linearize(VulkanDevice *device)
{
    if (!device->constraints)
        return VELA_OK;
    const GeometricStiffness stiffness = device->base.model->scene->solver.geometric_stiffness;
    SaddlePush push = device->constraints->push;
    push.begin = 1;
    push.argument = stiffness == GEOMETRIC_STIFFNESS_NONE ? 0
                    : stiffness == GEOMETRIC_STIFFNESS_CLAMPED
                        ? SADDLE_STIFFNESS_THERE | SADDLE_STIFFNESS_CLAMPED
                        : SADDLE_STIFFNESS_THERE;
    // It begins the system as well, if there are no constraints.
    const uint32_t count = push.constraint_count > 0 ? push.constraint_count : 1;
    TRY(vulkan_run(device, &device->kernels[KERNEL_CONSTRAINT_EVALUATE], &push, count));
    return push.argument == 0
               ? VELA_OK
               : vulkan_run(device, &device->kernels[KERNEL_CONSTRAINT_STIFFEN], &push, push.node_count);
}

VelaResult constraints_forces(VulkanDevice *device, Slot destination, Slot at)
{
    if (!device->constraints)
        return VELA_OK;
    SaddlePush push = device->constraints->push;
    push.slot = vulkan_slot(device, at);
    TRY(vulkan_run(device, &device->kernels[KERNEL_CONSTRAINT_EVALUATE], &push, push.constraint_count));
    push.slot = vulkan_slot(device, destination);
    return vulkan_run(device, &device->kernels[KERNEL_CONSTRAINT_FORCES], &push, push.node_count);
}

VelaResult constraints_measure(VulkanDevice *device, Slot position)
{
    if (!device->constraints)
        return VELA_OK;
    SaddlePush push = device->constraints->push;
    push.slot = vulkan_slot(device, position);
    return vulkan_run_sum(device, &device->kernels[KERNEL_CONSTRAINT_MEASURE], &push, push.constraint_count);
}

// ---------------------------------------------------------------- multipliers

size_t constraints_state_size(const VulkanDevice *device)
{
    return device->constraints ? device->constraints->push.row_count : 0;
}

static uint64_t state_place(const VulkanDevice *device)
{
    return sizeof(double) *
           (3 * (uint64_t)device->node_count + (SADDLE_ROW_SECTIONS - 1) * constraints_state_size(device));
}

VelaResult constraints_keep(VulkanDevice *device)
{
    const GpuBuffer *sums = vulkan_buffer(device, BUFFER_SADDLE_SUMS);
    const uint64_t size = constraints_state_size(device) * sizeof(double);
    GpuCommands *commands;
    if (size == 0)
        return VELA_OK;
    TRY(vulkan_open(device, &commands));
    gpu_copy(commands, sums, state_place(device) - size, sums, state_place(device), size);
    gpu_barrier(commands);
    return VELA_OK;
}

VelaResult constraints_state_read(VulkanDevice *device, double *values)
{
    const size_t count = constraints_state_size(device);
    TRY(vulkan_finish(device));
    // Exact numbers take as many bytes as the doubles they become: converted in place.
    TRY(gpu_download(device->gpu, vulkan_buffer(device, BUFFER_SADDLE_SUMS), state_place(device), values,
                     count * sizeof *values));
    for (size_t i = 0; i < count; ++i)
        values[i] = exact_load(device->f64, values, i);
    return VELA_OK;
}

VelaResult constraints_state_write(VulkanDevice *device, const double *values)
{
    const size_t count = constraints_state_size(device);
    Arena scratch = arena_make(device->base.context);
    void *packed;
    TRY(vulkan_finish(device));
    VelaResult result = arena_allocate(&scratch, count, sizeof(double), &packed);
    for (size_t i = 0; i < count && result == VELA_OK; ++i)
        exact_store(device->f64, packed, i, values[i]);
    if (result == VELA_OK)
        result = gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_SADDLE_SUMS), state_place(device),
                            packed, count * sizeof(double));
    arena_clear(&scratch);
    return result;
}
