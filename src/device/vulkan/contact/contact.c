// Contact in kernels: the barrier and friction, and penalty contact with friction, or of bodies whose vertices are sums of several nodes. It works with
// the surface's vertices; nodes come in by the surface map at the start (surface_vertices) and at the end (barrier_entries,
// barrier_blocks). Linearizing goes
//
//     barrier_active   which candidates are within range, counted, listed in order
//     barrier_pairs    their gradients and positive semidefinite Hessians, as three factors; friction_pairs those of what rubs, behind them
//     barrier_entries  counted, then written: a key (row, column) for every two nodes of a pair; sorted, those of a pair in the
//                      order of the pairs
//     barrier_heads    where a new (row, column) begins, counted, then listed
//     barrier_blocks   sums of equal keys: gradient and diagonal join what the nodes have, the others are a list by rows
//     coarse_groups, coarse_contact   the same blocks sorted by groups of nodes, for the coarse space
//
// and a direction's trials
//
//     surface_vertices, broad_phase   candidates of the whole motion, which serve until the next direction
//     barrier_filter, barrier_filter_exact   the largest admissible step
//     barrier_trials, friction_trials        differences of the energy at four steps
//
// Penalty contact has no candidates to find and no bound on steps: penalty.c has what takes the place of the kernels up to barrier_pairs
// and of barrier_trials, penalty_friction.c how what rubs is found; from there on friction is the same.
//
// Every count lies on the device; barrier_plan turns it into the sizes of the dispatches that follow. Where something does not
// fit, it becomes 0, and the host finds what was wanted with the next readback, makes room and records the operation again.
#include "device/vulkan/contact/contact.h"

#include "device/vulkan/contact/broad_phase.h"
#include "device/vulkan/contact/dispatch.h"
#include "device/vulkan/contact/friction.h"
#include "device/vulkan/contact/penalty.h"
#include "device/vulkan/contact/penalty_friction.h"
#include "device/vulkan/diagnosis/sections.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/kernels.h"
#include "device/vulkan/linear/contact_groups.h"
#include "device/vulkan/recording.h"

#include "gpu/transfer.h"

#include <math.h>
#include <string.h>

/// The first guesses: pairs within range for every vertex of the surface, or vertices for every one that has sunk in; entries and
/// blocks of a pair; vertices for every group of nodes that contact holds together.
enum {
    PAIRS_FIRST = 2,
    SUNK_FIRST = 4,
    ENTRIES_FIRST = 8,
    BLOCKS_FIRST = 5,
    GROUPS_FIRST = 16,
    ROOM_LEAST = 1024
};
/// What did not fit gets this much more than it wanted.
static const double GROWTH = 1.5;

static bool is_barrier(const Model *model)
{
    return model->scene->contact.model == CONTACT_BARRIER;
}

bool contact_has_pairs(const Model *model)
{
    return is_barrier(model) || penalty_has_pairs(model);
}

// ---------------------------------------------------------------- buffers

static ContactRooms first_rooms(const Model *model)
{
    const uint32_t vertices = (uint32_t)model->surface.map.vertex_count,
                   guess = is_barrier(model) ? PAIRS_FIRST * vertices : vertices / SUNK_FIRST,
                   pairs = guess > ROOM_LEAST ? guess : ROOM_LEAST;
    return (ContactRooms){.friction = pairs,
                          .pairs = pairs,
                          .entries = ENTRIES_FIRST * pairs,
                          .blocks = BLOCKS_FIRST * pairs,
                          .groups = vertices / GROUPS_FIRST + 16};
}

/// Bytes of what grows.
static void plan_rooms(const Model *model, bool f64, const ContactRooms *rooms, uint64_t candidates,
                       uint64_t bytes[BUFFER_COUNT])
{
    const uint64_t real = real_size(f64), pairs = rooms->pairs, entries = rooms->entries,
                   blocks = rooms->blocks;
    bytes[BUFFER_PLACES] = 4 * candidates;
    bytes[BUFFER_PAIR_CORNERS] = 4 * PAIR_CORNERS * pairs;
    bytes[BUFFER_PAIRS] = 3 * real * PAIR_DATA * pairs;
    bytes[BUFFER_PAIR_NODES] = model->surface.map.most > 1 ? 4 * PAIR_NODES * pairs : 0;
    bytes[BUFFER_ENTRY_COUNTS] = 4 * pairs;
    const uint64_t rubbing = model->contact.has_friction ? rooms->friction : 0;
    bytes[BUFFER_ACTIVE] = 4 * (is_barrier(model) ? pairs : rubbing);
    bytes[BUFFER_FRICTION_VERTICES] = 4 * FRICTION_VERTICES * rubbing;
    bytes[BUFFER_FRICTION] = real * FRICTION_DATA * rubbing;
    bytes[BUFFER_ENTRY_KEYS] = bytes[BUFFER_OTHER_ENTRY_KEYS] = 8 * entries;
    bytes[BUFFER_SOURCES] = bytes[BUFFER_OTHER_SOURCES] = 4 * entries;
    bytes[BUFFER_HEADS] = 4 * entries;
    bytes[BUFFER_BLOCK_STARTS] = 4 * (blocks + 1);
    bytes[BUFFER_CHANGING_COLUMNS] = 8 * blocks;
    bytes[BUFFER_CHANGING_BLOCKS] = 9 * real * blocks;
    if (!contact_groups_are_used(model))
        return;
    bytes[BUFFER_COUPLINGS] = 4 * blocks;
    bytes[BUFFER_CONTACT_GROUPS] = 4 * CONTACT_GROUP_ROWS * (uint64_t)rooms->groups;
    bytes[BUFFER_CONTACT_ROOTS] = CONTACT_ROOT_SIZE * real * rooms->groups;
}

void contact_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    static const char *const names[BUFFER_COUNT] = {
        [BUFFER_PLACES] = "candidates' places",
        [BUFFER_ACTIVE] = "pairs within range",
        [BUFFER_PAIR_CORNERS] = "pairs' vertices",
        [BUFFER_PAIRS] = "pairs' gradients and Hessians",
        [BUFFER_PAIR_NODES] = "pairs' nodes",
        [BUFFER_ENTRY_COUNTS] = "pairs' entries",
        [BUFFER_FRICTION_VERTICES] = "vertices of what rubs",
        [BUFFER_FRICTION] = "what rubs",
        [BUFFER_ENTRY_KEYS] = "entries' keys",
        [BUFFER_OTHER_ENTRY_KEYS] = "entries' keys, while they are sorted",
        [BUFFER_SOURCES] = "entries' sources",
        [BUFFER_OTHER_SOURCES] = "entries' sources, while they are sorted",
        [BUFFER_HEADS] = "entries that begin a block",
        [BUFFER_BLOCK_STARTS] = "starts of contact's blocks",
        [BUFFER_CHANGING_COLUMNS] = "columns of contact's blocks",
        [BUFFER_CHANGING_BLOCKS] = "contact's blocks",
        [BUFFER_COUPLINGS] = "couplings of contact's blocks",
        [BUFFER_CONTACT_GROUPS] = "nodes that contact holds together",
        [BUFFER_CONTACT_ROOTS] = "roots of what contact holds together",
    };
    const bool used = contact_has_pairs(model);
    const SurfaceMap *map = &model->surface.map;
    const uint64_t n = used ? (uint64_t)model->node_count : 0,
                   vertices = used ? (uint64_t)map->vertex_count : 0;
    uint64_t bytes[BUFFER_COUNT] = {0};
    if (used) {
        contact_groups_plan(model, f64, defs);
        const ContactRooms rooms = first_rooms(model);
        const uint64_t candidates =
            is_barrier(model) ? broad_phase_first_room(model) : penalty_contacts(model);
        plan_rooms(model, f64, &rooms, candidates, bytes);
    }
    for (int b = 0; b < BUFFER_COUNT; ++b)
        if (names[b])
            defs[b] = (GpuBufferDef){names[b], bytes[b], GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_VERTICES] =
        (GpuBufferDef){"vertices of surfaces", 3 * sizeof(double) * vertices, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_VERTEX_MOTION] =
        (GpuBufferDef){"motion of vertices", 3 * sizeof(double) * vertices, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_SORT_WORK] = sort_work_def();
    defs[BUFFER_SORT_WORK].size *= used;
    defs[BUFFER_PAIR_CONTROL] =
        (GpuBufferDef){"control of contact", 4 * PAIR_CONTROL_COUNT, GPU_MEMORY_DEVICE,
                       VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT};
    defs[BUFFER_CHANGING_ROWS] = (GpuBufferDef){"rows of contact's blocks", 8 * n, GPU_MEMORY_DEVICE, 0};
    friction_plan(model, f64, defs);
    penalty_friction_plan(model, f64, defs);
}

/// Scans and sorts have bindings of their own.
static VelaResult bind_sorts(VulkanDevice *device)
{
    VulkanContact *contact = device->contact;
    const GpuBuffer *control = vulkan_buffer(device, BUFFER_PAIR_CONTROL),
                    *work = vulkan_buffer(device, BUFFER_SORT_WORK);
    const SortKernels *kernels = &contact->sort_kernels;
    TRY(scan_bind(kernels, vulkan_buffer(device, BUFFER_PLACES), control, work, &contact->scan_active));
    TRY(scan_bind(kernels, vulkan_buffer(device, BUFFER_ENTRY_COUNTS), control, work,
                  &contact->scan_entries));
    TRY(scan_bind(kernels, vulkan_buffer(device, BUFFER_HEADS), control, work, &contact->scan_heads));
    const RadixSortBuffers buffers = {.keys = vulkan_buffer(device, BUFFER_ENTRY_KEYS),
                                      .payload = vulkan_buffer(device, BUFFER_SOURCES),
                                      .other_keys = vulkan_buffer(device, BUFFER_OTHER_ENTRY_KEYS),
                                      .other_payload = vulkan_buffer(device, BUFFER_OTHER_SOURCES),
                                      .counts = control,
                                      .work = work};
    return radix_sort_bind(kernels, &buffers, &contact->sort);
}

VelaResult contact_create(VulkanDevice *device)
{
    const Model *model = device->base.model;
    if (!contact_has_pairs(model))
        return VELA_OK;
    TRY(ARENA_ARRAY(&device->arena, device->contact, 1));
    device->contact->rooms = first_rooms(model);
    while (device->contact->column_bits < 32 &&
           (uint64_t)model->node_count >> device->contact->column_bits > 0)
        ++device->contact->column_bits;
    TRY(is_barrier(model) ? friction_upload(device) : penalty_upload(device));
    TRY(penalty_friction_upload(device));
    TRY(sort_kernels_create(device->pipelines, &device->contact->sort_kernels));
    TRY(broad_phase_bind(device));
    return bind_sorts(device);
}

// ---------------------------------------------------------------- dispatches

static VelaResult set_control(VulkanDevice *device, uint32_t first, uint32_t count, uint32_t value)
{
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    gpu_fill(commands, vulkan_buffer(device, BUFFER_PAIR_CONTROL), 4 * (uint64_t)first, 4 * (uint64_t)count,
             value);
    gpu_barrier(commands);
    return VELA_OK;
}

static const uint32_t *readback(const VulkanDevice *device)
{
    const char *memory = vulkan_buffer(device, BUFFER_READBACK)->mapped;
    return (const uint32_t *)(memory + READBACK_PAIR_CONTROL);
}

// ---------------------------------------------------------------- candidates and what is within range

/// Vertices and candidates at a slot alone, along the direction, or on the way to another slot.
static VelaResult sweep(VulkanDevice *device, Slot at, uint32_t motion, Slot to)
{
    GpuCommands *commands;
    TRY(contact_find_vertices(device, at, motion, to));
    if (!is_barrier(device->base.model)) // every vertex before every plane
        return VELA_OK;
    TRY(broad_phase_sweep(device, motion != VERTICES_STAND));
    TRY(vulkan_open(device, &commands));
    gpu_copy(commands, vulkan_buffer(device, BUFFER_CONTACT_CONTROL), 4 * CONTACT_COUNT,
             vulkan_buffer(device, BUFFER_PAIR_CONTROL), 4 * (PAIR_WANTED + PAIR_CANDIDATES), 4);
    gpu_barrier(commands);
    return contact_plan_count(device, PAIR_CANDIDATES, device->broad_phase->push.candidate_capacity, false);
}

/// The list of what is within range; `rubs`: what rubs is linearized behind it.
static VelaResult find_active(VulkanDevice *device, bool rubs)
{
    const VulkanContact *contact = device->contact;
    const uint32_t counts = 0, writes = 1;
    TRY(contact_run(device, KERNEL_BARRIER_ACTIVE, &counts, PAIR_CANDIDATES));
    TRY(contact_scan(device, &contact->scan_active, PAIR_CANDIDATES, PAIR_ACTIVE));
    TRY(contact_plan_count(device, PAIR_ACTIVE, contact->rooms.pairs, rubs));
    return contact_run(device, KERNEL_BARRIER_ACTIVE, &writes, PAIR_CANDIDATES);
}

/// Gradients and Hessians of what is in contact, where the vertices are; `rubs` as above.
static VelaResult find_pairs(VulkanDevice *device, bool rubs)
{
    if (!is_barrier(device->base.model))
        return penalty_pairs(device, rubs);
    TRY(find_active(device, rubs));
    return contact_run(device, KERNEL_BARRIER_PAIRS, NULL, PAIR_ACTIVE);
}

void contact_stage_set(VulkanDevice *device)
{
    VulkanContact *contact = device->contact;
    if (!contact)
        return;
    contact->stage_is_new = contact->rest_is_new = true;
    contact->solved = false;
}

VelaResult contact_begin_stage(VulkanDevice *device)
{
    VulkanContact *contact = device->contact;
    if (!contact || !contact->stage_is_new)
        return VELA_OK;
    if (!is_barrier(device->base.model))
        return penalty_friction_lag(device);
    TRY(sweep(device, SLOT_STAGE, VERTICES_STAND, SLOT_STAGE));
    if (!device->base.model->contact.has_friction)
        return VELA_OK;
    TRY(find_active(device, false));
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    const GpuBuffer *control = vulkan_buffer(device, BUFFER_PAIR_CONTROL);
    gpu_copy(commands, control, 4 * (PAIR_WANTED + PAIR_ACTIVE), control, 4 * (PAIR_WANTED + PAIR_FRICTION),
             4);
    gpu_barrier(commands);
    TRY(contact_plan_count(device, PAIR_FRICTION, contact->rooms.friction, false));
    return friction_lag(device);
}

void contact_stage_begun(VulkanDevice *device)
{
    if (device->contact)
        device->contact->stage_is_new = false;
}

// ---------------------------------------------------------------- gradient and matrix

/// The blocks of what is listed as pairs; without `whole` the gradient alone.
static VelaResult sum_pairs(VulkanDevice *device, bool whole)
{
    const VulkanContact *contact = device->contact;
    uint32_t entries[] = {0, whole, contact->column_bits};
    uint32_t heads = 0;
    const uint32_t blocks = whole;
    GpuCommands *commands;
    TRY(contact_run(device, KERNEL_BARRIER_ENTRIES, entries, PAIR_COUNT));
    TRY(contact_scan(device, &contact->scan_entries, PAIR_COUNT, PAIR_ENTRIES));
    TRY(contact_plan_count(device, PAIR_ENTRIES, contact->rooms.entries, false));
    entries[0] = 1;
    TRY(contact_run(device, KERNEL_BARRIER_ENTRIES, entries, PAIR_COUNT));
    TRY(vulkan_open(device, &commands));
    radix_sort_record(commands, &contact->sort, PAIR_ENTRIES, 2, 2 * contact->column_bits);
    TRY(contact_run(device, KERNEL_BARRIER_HEADS, &heads, PAIR_ENTRIES));
    TRY(contact_scan(device, &contact->scan_heads, PAIR_ENTRIES, PAIR_BLOCKS));
    TRY(contact_plan_count(device, PAIR_BLOCKS, contact->rooms.blocks, false));
    heads = 1;
    TRY(contact_run(device, KERNEL_BARRIER_HEADS, &heads, PAIR_ENTRIES));
    TRY(vulkan_open(device, &commands));
    gpu_fill(commands, vulkan_buffer(device, BUFFER_CHANGING_ROWS), 0, 0, 0);
    gpu_barrier(commands);
    return contact_run(device, KERNEL_BARRIER_BLOCKS, &blocks, PAIR_BLOCKS);
}

VelaResult contact_linearize(VulkanDevice *device)
{
    if (!device->contact)
        return VELA_OK;
    const bool rubs = device->base.model->contact.has_friction;
    TRY(contact_find_vertices(device, SLOT_STAGE, VERTICES_STAND, SLOT_STAGE));
    TRY(find_pairs(device, rubs));
    if (rubs)
        TRY(friction_linearize(device));
    return sum_pairs(device, true);
}

VelaResult contact_join_coarse(VulkanDevice *device)
{
    const VulkanContact *contact = device->contact;
    const uint32_t groups = device->coarse.group_count;
    uint32_t bits = 0;
    if (!contact || groups == 0)
        return VELA_OK;
    while (groups * groups >> bits > 0)
        ++bits;
    GpuCommands *commands;
    TRY(contact_run(device, KERNEL_COARSE_GROUPS, &groups, PAIR_BLOCKS));
    TRY(vulkan_open(device, &commands));
    // The entries' keys and sources have been used.
    radix_sort_record(commands, &contact->sort, PAIR_BLOCKS, 1, bits);
    const uint32_t push[] = {groups, device->node_count};
    return vulkan_run_groups(device, &device->kernels[KERNEL_COARSE_CONTACT], push, groups * groups);
}

/// The gradient of what is listed as pairs, alone, to BUFFER_NODE_GRADIENT, then to an acceleration, or to forces on all nodes.
static VelaResult accelerate(VulkanDevice *device, Slot destination, bool forces)
{
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    gpu_fill(commands, vulkan_buffer(device, BUFFER_NODE_GRADIENT), 0, 0, 0);
    gpu_barrier(commands);
    TRY(sum_pairs(device, false));
    const uint32_t push[] = {device->node_count, vulkan_slot(device, destination), forces};
    return vulkan_run(device, &device->kernels[KERNEL_CONTACT_ACCELERATION], push, device->node_count);
}

/// Waits for what was recorded; `again`: it has to be recorded once more.
static VelaResult settle(VulkanDevice *device, bool *again)
{
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    device->gpu->statistics.downloaded += contact_read(device, commands);
    TRY(vulkan_finish(device));
    return contact_grow(device, again);
}

VelaResult contact_acceleration(VulkanDevice *device, Slot destination, Slot at, bool forces)
{
    bool again = device->contact != NULL;
    while (again) {
        TRY(sweep(device, at, VERTICES_STAND, at));
        TRY(find_pairs(device, false));
        TRY(accelerate(device, destination, forces));
        TRY(settle(device, &again));
    }
    return VELA_OK;
}

/// Gradients of what rubs in the stage, listed as the only pairs.
static VelaResult list_friction(VulkanDevice *device)
{
    TRY(contact_begin_stage(device));
    TRY(set_control(device, PAIR_WANTED + PAIR_ACTIVE, 1, 0));
    TRY(contact_plan_count(device, PAIR_ACTIVE, device->contact->rooms.pairs, true));
    return friction_linearize(device);
}

VelaResult contact_dissipation(VulkanDevice *device, Slot destination, bool forces)
{
    bool again = device->base.model->contact.has_friction;
    while (again) {
        TRY(list_friction(device));
        TRY(accelerate(device, destination, forces));
        TRY(settle(device, &again));
    }
    contact_stage_begun(device);
    return VELA_OK;
}

VelaResult contact_friction_pairs(VulkanDevice *device, uint32_t *count)
{
    for (bool again = true; again;) {
        TRY(list_friction(device));
        TRY(settle(device, &again));
    }
    contact_stage_begun(device);
    *count = readback(device)[PAIR_RUBBING];
    return VELA_OK;
}

// ---------------------------------------------------------------- steps

static VelaResult filter(VulkanDevice *device)
{
    TRY(set_control(device, PAIR_UNDECIDED, 1, 0));
    TRY(contact_run_sum(device, KERNEL_BARRIER_FILTER, NULL));
    return contact_run_sum(device, KERNEL_BARRIER_FILTER_EXACT, NULL);
}

VelaResult contact_bound(VulkanDevice *device)
{
    if (!device->contact)
        return VELA_OK;
    TRY(sweep(device, SLOT_STAGE, VERTICES_ALONG, SLOT_STAGE));
    return is_barrier(device->base.model) ? filter(device) : VELA_OK;
}

VelaResult contact_trials(VulkanDevice *device, uint32_t halvings)
{
    if (!device->contact)
        return VELA_OK;
    if (is_barrier(device->base.model))
        TRY(contact_run_sum(device, KERNEL_BARRIER_TRIALS, &halvings));
    else
        TRY(penalty_trials(device, halvings));
    return device->base.model->contact.has_friction ? friction_trials(device, halvings) : VELA_OK;
}

VelaResult vulkan_admissible_step(Device *base, Slot from, Slot to, double *step)
{
    VulkanDevice *device = (VulkanDevice *)base;
    bool again = is_barrier(base->model);
    while (again) {
        GpuCommands *commands;
        TRY(vulkan_open(device, &commands));
        sections_begin(device, commands, TRIAL_SUMS, 1, 0);
        TRY(sweep(device, from, VERTICES_TO, to));
        TRY(filter(device));
        TRY(vulkan_open(device, &commands));
        device->gpu->statistics.downloaded += sections_read(device, commands, TRIAL_SECTIONS);
        device->gpu->statistics.downloaded += contact_read(device, commands);
        TRY(vulkan_finish(device));
        *step = fmin(1, section_smallest(device, TRIAL_BOUND));
        TRY(contact_grow(device, &again));
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- measurement

VelaResult contact_measure(VulkanDevice *device, Slot at)
{
    if (!device->contact)
        return VELA_OK;
    TRY(sweep(device, at, VERTICES_STAND, at));
    if (!is_barrier(device->base.model))
        return penalty_measure(device);
    TRY(set_control(device, PAIR_CLOSEST, 6, UINT32_MAX));
    for (uint32_t pass = 0; pass < 3; ++pass)
        TRY(contact_run_sum(device, KERNEL_BARRIER_MEASURE, &pass));
    return VELA_OK;
}

void contact_collect_measure(const VulkanDevice *device, Diagnosis *diagnosis)
{
    if (!is_barrier(device->base.model) || readback(device)[PAIR_CLOSEST_CANDIDATE] == UINT32_MAX)
        return;
    for (int i = 0; i < 4; ++i)
        diagnosis->closest[i] = (int32_t)readback(device)[PAIR_CLOSEST_VERTICES + i];
}

// ---------------------------------------------------------------- growth

int64_t contact_read(VulkanDevice *device, GpuCommands *commands)
{
    if (!device->contact)
        return 0;
    gpu_copy(commands, vulkan_buffer(device, BUFFER_PAIR_CONTROL), 0, vulkan_buffer(device, BUFFER_READBACK),
             READBACK_PAIR_CONTROL, 4 * PAIR_CONTROL_COUNT);
    gpu_barrier(commands);
    return 4 * PAIR_CONTROL_COUNT + broad_phase_read(device, commands);
}

int32_t contact_active_count(const VulkanDevice *device)
{
    return is_barrier(device->base.model) ? (int32_t)readback(device)[PAIR_ACTIVE] : -1;
}

/// Room for what was wanted of a count and more, if it did not fit.
static VelaResult enlarge(const VulkanDevice *device, uint32_t of, const char *what, uint64_t most,
                          uint32_t *room, bool *again)
{
    const uint32_t wanted = readback(device)[PAIR_WANTED + of];
    if (wanted <= *room)
        return VELA_OK;
    FAIL_IF(
        device->base.context, wanted > most, VELA_ERROR_OUT_OF_MEMORY,
        "%u %s in contact, this version takes at most %llu: a smaller contact.distance, time.step or mesh has fewer",
        wanted, what, (unsigned long long)most);
    const double larger = fmin(GROWTH * wanted, (double)most);
    *room = (uint32_t)larger;
    *again = true;
    return VELA_OK;
}

/// Recordings and bindings name the buffers that were.
static VelaResult bind_again(VulkanDevice *device)
{
    vulkan_kernels_rebind(device);
    for (int i = 0; i < NEWTON_BATCHES; ++i) {
        gpu_commands_destroy(device->newton_batches[i].commands);
        device->newton_batches[i] = (Batch){0};
    }
    device->batch.recorded = false;
    TRY(broad_phase_bind(device));
    return bind_sorts(device);
}

VelaResult contact_grow(VulkanDevice *device, bool *again)
{
    VulkanContact *contact = device->contact;
    *again = false;
    if (!contact)
        return VELA_OK;
    ContactRooms *rooms = &contact->rooms;
    TRY(broad_phase_grow(device, again));
    TRY(enlarge(device, PAIR_ACTIVE, "pairs", PAIRS_MOST, &rooms->pairs, again));
    TRY(enlarge(device, PAIR_FRICTION, "pairs that rub", PAIRS_MOST, &rooms->friction, again));
    TRY(enlarge(device, PAIR_COUNT, "pairs", PAIRS_MOST, &rooms->pairs, again));
    TRY(enlarge(device, PAIR_ENTRIES, "entries of the matrix", UINT32_MAX, &rooms->entries, again));
    TRY(enlarge(device, PAIR_BLOCKS, "blocks of the matrix", UINT32_MAX, &rooms->blocks, again));
    TRY(enlarge(device, PAIR_GROUPS, "groups of nodes", UINT32_MAX, &rooms->groups, again));
    if (!*again)
        return VELA_OK;
    ++contact->regrowths;
    uint64_t bytes[BUFFER_COUNT] = {0};
    const BroadPhase *broad = device->broad_phase;
    const uint64_t candidates = broad ? broad->push.candidate_capacity : device->contact_count;
    plan_rooms(device->base.model, device->f64, rooms, candidates, bytes);
    for (int b = 0; b < BUFFER_COUNT; ++b)
        if (bytes[b] > vulkan_buffer(device, b)->size)
            TRY(gpu_pool_grow(device->pool, b, bytes[b]));
    return bind_again(device);
}
