#include "device/vulkan/contact/broad_phase.h"

#include "base/matrix3.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "gpu/instance.h"
#include "gpu/transfer.h"

#include <string.h>

/// Walks that have become this much longer make the primitives be sorted anew, as on the CPU.
#define DEGRADED 1.5
/// Some workgroups of a search find more than their part.
#define WALKED_SPREAD 3

// ---------------------------------------------------------------- sizes

static bool is_used(const Model *model)
{
    return model->scene->contact.model == CONTACT_BARRIER;
}

/// A power of two, a workgroup's at least; 0 of nothing.
static uint32_t leaf_count(uint32_t primitives)
{
    uint32_t leaves = primitives > 0 ? GROUP_TREE : 0;
    while (leaves < primitives)
        leaves *= 2;
    return leaves;
}

static uint32_t count_segments(const ModelContact *contact)
{
    uint32_t count = 0;
    for (int32_t o = 0; o < contact->owner_count; ++o)
        if (contact->owners[o].is_cable)
            count += (uint32_t)contact->owners[o].edge_count;
    return count;
}

static uint32_t count_points(const ModelContact *contact)
{
    uint32_t count = 0;
    for (int32_t o = 0; o < contact->owner_count; ++o)
        count += contact_owner_is_point(&contact->owners[o]);
    return count;
}

static uint32_t primitive_count(const ContactPush *push)
{
    return push->triangle_count + push->edge_count + push->segment_count + push->vertex_count;
}

static uint32_t query_count(const ContactPush *push)
{
    return push->vertex_count + push->edge_count + (push->segment_count > 0 ? push->vertex_count : 0) +
           (push->plane_count > 0 ? push->vertex_count : 0);
}

static uint32_t search_count(const ContactPush *push)
{
    return query_count(push) + (push->point_count > 0 ? push->triangle_count + push->segment_count : 0);
}

static uint32_t groups_of(uint32_t count, uint32_t size)
{
    return count / size + (count % size > 0);
}

/// WALKED_SPREAD times a workgroup's part of the raw pairs that have room; less, but at least its part, where a device may not bind as much.
static void set_walk_room(ContactPush *push)
{
    const uint32_t groups = groups_of(search_count(push), GROUP_CONTACT);
    if (groups == 0)
        return;
    const uint64_t part = push->raw_capacity / groups, most = GPU_BINDING_LEAST / (4 * RAW_WORDS) / groups,
                   spread = WALKED_SPREAD * part,
                   room = spread <= most ? spread
                          : part > most  ? part
                                         : most;
    push->walk_room = room > WALKED_HEAD ? (uint32_t)room - WALKED_HEAD : 0;
}

static ContactPush plan_push(const Model *model)
{
    const ModelContact *contact = &model->contact;
    ContactPush push = {0};
    if (!is_used(model))
        return push;
    push.vertex_count = (uint32_t)model->surface.map.vertex_count;
    push.triangle_count = (uint32_t)contact->triangle_count;
    push.edge_count = (uint32_t)contact->edge_count;
    push.segment_count = count_segments(contact);
    push.plane_count = (uint32_t)contact->plane_count;
    push.point_count = count_points(contact);
    push.owner_count = (uint32_t)contact->owner_count;
    push.group_count = (uint32_t)contact->exclusions.group_count;
    push.zone_count = (uint32_t)contact->exclusions.zone_count;
    push.leaves[PRIMITIVE_TRIANGLE] = leaf_count(push.triangle_count);
    push.leaves[PRIMITIVE_EDGE] = leaf_count(push.edge_count);
    push.leaves[PRIMITIVE_SEGMENT] = leaf_count(push.segment_count);
    // A first guess: what bodies that rest on each other need.
    push.raw_capacity = 131072 + 32 * push.vertex_count;
    push.candidate_capacity = 32768 + 8 * push.vertex_count;
    set_walk_room(&push);
    return push;
}

static uint64_t list_words(const ContactPush *push)
{
    const uint64_t vertices = push->vertex_count, triangles = push->triangle_count, edges = push->edge_count,
                   groups = push->group_count,
                   zones = push->zone_count > 0 ? vertices + triangles + edges + push->zone_count : 0;
    return vertices + 3 * triangles + 2 * edges + push->segment_count +
           PLANE_WORDS * (uint64_t)push->plane_count + push->point_count +
           OWNER_WORDS * (uint64_t)push->owner_count + groups * ((groups + 31) / 32) + zones;
}

static uint64_t number_count(const ContactPush *push)
{
    return CONTACT_NUMBERS + (uint64_t)push->vertex_count + push->triangle_count + push->edge_count +
           push->owner_count;
}

static void plan_growing(const ContactPush *push, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    const uint64_t raw = push->raw_capacity, candidates = push->candidate_capacity,
                   groups = groups_of(search_count(push), GROUP_CONTACT);
    defs[BUFFER_WALKED_PAIRS] =
        (GpuBufferDef){"pairs that walks found", 4 * RAW_WORDS * groups * (WALKED_HEAD + push->walk_room),
                       GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_RAW_PAIRS] = (GpuBufferDef){"raw pairs", 4 * RAW_WORDS * raw, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_RAW_KEPT] = (GpuBufferDef){"raw pairs that are kept", 4 * raw, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_CANDIDATES] =
        (GpuBufferDef){"candidates", 4 * CANDIDATE_WORDS * candidates, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_CANDIDATE_NUMBERS] = (GpuBufferDef){
        "candidates' numbers", CANDIDATE_NUMBERS * real_size(f64) * candidates, GPU_MEMORY_DEVICE, 0};
}

void broad_phase_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    const ContactPush push = plan_push(model);
    const uint64_t used = is_used(model), real = real_size(f64), vertices = push.vertex_count;
    const uint64_t primitives = primitive_count(&push),
                   nodes = 2 * ((uint64_t)push.leaves[0] + push.leaves[1] + push.leaves[2]);
    const GpuBufferDef planned[] = {
        {"control of contact", used * 4 * CONTACT_CONTROL_COUNT, GPU_MEMORY_DEVICE,
         VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT},
        {"lists of contact", used * 4 * list_words(&push), GPU_MEMORY_DEVICE, 0},
        {"areas and separations", used * real * number_count(&push), GPU_MEMORY_DEVICE, 0},
        {"rest shape of surfaces", 3 * sizeof(double) * vertices, GPU_MEMORY_DEVICE, 0},
        {"motion of owners", 3 * sizeof(float) * push.owner_count, GPU_MEMORY_DEVICE, 0},
        {"order of primitives", 4 * primitives, GPU_MEMORY_DEVICE, 0},
        {"keys of primitives", 8 * primitives, GPU_MEMORY_DEVICE, 0},
        {"order being sorted", 4 * primitives, GPU_MEMORY_DEVICE, 0},
        {"keys being sorted", 8 * primitives, GPU_MEMORY_DEVICE, 0},
        {"trees' nodes", 4 * NODE_WORDS * nodes, GPU_MEMORY_DEVICE, 0},
        {"trees' nodes within owners", 4 * NODE_WORDS * nodes, GPU_MEMORY_DEVICE, 0},
        {"starts of raw pairs", 4 * (uint64_t)query_count(&push), GPU_MEMORY_DEVICE, 0},
        {0}, // those of plan_growing
        {0},
        {0},
        {0},
        {0},
    };
    _Static_assert(sizeof planned / sizeof *planned == BUFFER_CANDIDATE_NUMBERS - BUFFER_CONTACT_CONTROL + 1,
                   "the broad phase's buffers in their order");
    for (size_t i = 0; i < sizeof planned / sizeof *planned; ++i)
        defs[BUFFER_CONTACT_CONTROL + i] = planned[i];
    plan_growing(&push, f64, defs);
}

// ---------------------------------------------------------------- contents

static uint32_t *put_vertices(const Model *model, uint32_t *words)
{
    const ModelContact *contact = &model->contact;
    const int32_t count = model->surface.map.vertex_count;
    for (int32_t v = 0; v < count; ++v)
        words[v] = NO_OWNER | (model->surface.map.is_free[v] ? VERTEX_IS_FREE : 0);
    for (int32_t o = 0; o < contact->owner_count; ++o)
        for (int32_t i = 0; i < contact->owners[o].vertex_count; ++i) {
            uint32_t *word = &words[contact->owners[o].first_vertex + i];
            *word = (uint32_t)o | (*word & VERTEX_IS_FREE);
        }
    return words + count;
}

static uint32_t *put_words(const void *words, size_t count, uint32_t *to)
{
    if (count > 0)
        memcpy(to, words, 4 * count);
    return to + count;
}

static uint32_t *put_segments(const ModelContact *contact, uint32_t *words)
{
    for (int32_t o = 0; o < contact->owner_count; ++o)
        for (int32_t e = 0; contact->owners[o].is_cable && e < contact->owners[o].edge_count; ++e)
            *words++ = (uint32_t)(contact->owners[o].first_edge + e);
    return words;
}

static uint32_t *put_owners(const Model *model, uint32_t *words)
{
    for (int32_t o = 0; o < model->contact.owner_count; ++o) {
        const ContactOwner *owner = &model->contact.owners[o];
        *words++ = (uint32_t)owner->first_vertex;
        *words++ = (uint32_t)owner->vertex_count;
        *words++ = (owner->meets_itself ? OWNER_MEETS_ITSELF : 0) |
                   (contact_owner_is_point(owner) ? OWNER_IS_POINT : 0);
        *words++ = (uint32_t)owner->collision_group;
    }
    return words;
}

static void put_exclusions(const ContactExclusions *exclusions, const ContactPush *push, uint32_t *words)
{
    words = put_words(exclusions->blocked, (size_t)push->group_count * (size_t)exclusions->row_words, words);
    if (push->zone_count == 0)
        return;
    words = put_words(exclusions->first_zones[SURFACE_VERTEX], push->vertex_count, words);
    words = put_words(exclusions->first_zones[SURFACE_TRIANGLE], push->triangle_count, words);
    words = put_words(exclusions->first_zones[SURFACE_EDGE], push->edge_count, words);
    put_words(exclusions->zones, push->zone_count, words);
}

/// `rest`: places of the vertices in the rest shape.
static uint32_t *put_edges(const ModelContact *contact, const double *rest, uint32_t *words)
{
    const size_t count = (size_t)contact->edge_count;
    double sum = 0;
    put_words(contact->edges, 2 * count, words);
    for (int pass = 0; pass < 2; ++pass)
        for (size_t e = 0; e < count; ++e) {
            double along[3];
            subtract3(rest + 3 * (size_t)contact->edges[e][1], rest + 3 * (size_t)contact->edges[e][0],
                      along);
            if (pass == 0)
                sum += norm3(along) / (double)count;
            else if (norm3(along) > LONG_EDGE * sum)
                words[2 * e] |= EDGE_IS_LONG;
        }
    return words + 2 * count;
}

static VelaResult upload_lists(VulkanDevice *device, const double *rest, Arena *scratch)
{
    const Model *model = device->base.model;
    const ModelContact *contact = &model->contact;
    const ContactPush *push = &device->broad_phase->push;
    uint32_t *lists;
    TRY(ARENA_ARRAY(scratch, lists, list_words(push)));
    uint32_t *next = put_vertices(model, lists);
    next = put_words(contact->triangles, 3 * (size_t)push->triangle_count, next);
    next = put_edges(contact, rest, next);
    next = put_segments(contact, next);
    for (uint32_t p = 0; p < push->plane_count; ++p) {
        *next++ = (uint32_t)contact->planes[p].point;
        *next++ = (uint32_t)contact->planes[p].tip;
        *next++ = (uint32_t)contact->planes[p].owner;
    }
    for (int32_t o = 0; o < contact->owner_count; ++o)
        if (contact_owner_is_point(&contact->owners[o]))
            *next++ = (uint32_t)contact->owners[o].first_vertex;
    put_exclusions(&contact->exclusions, push, put_owners(model, next));
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_CONTACT_LISTS), 0, lists,
                      4 * list_words(push));
}

static size_t put_numbers(bool f64, const double *values, size_t count, void *numbers, size_t at)
{
    for (size_t i = 0; i < count; ++i)
        real_store(f64, numbers, at + i, values[i]);
    return at + count;
}

static VelaResult upload_numbers(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const ModelContact *contact = &model->contact;
    const ContactPush *push = &device->broad_phase->push;
    const bool f64 = device->f64;
    void *numbers;
    TRY(arena_allocate(scratch, number_count(push), real_size(f64), &numbers));
    real_store(f64, numbers, CONTACT_DISTANCE, model->scene->contact.distance);
    real_store(f64, numbers, CONTACT_STIFFNESS, contact->stiffness);
    size_t next = put_numbers(f64, contact->vertex_areas, push->vertex_count, numbers, CONTACT_NUMBERS);
    next = put_numbers(f64, contact->triangle_areas, push->triangle_count, numbers, next);
    next = put_numbers(f64, contact->edge_areas, push->edge_count, numbers, next);
    for (uint32_t o = 0; o < push->owner_count; ++o)
        real_store(f64, numbers, next + o, contact->owners[o].separation);
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_CONTACT_NUMBERS), 0, numbers,
                      real_size(f64) * number_count(push));
}

static VelaResult upload_rest(VulkanDevice *device, const double *rest, Arena *scratch)
{
    const size_t vertices = (size_t)device->base.model->surface.map.vertex_count;
    void *packed;
    TRY(arena_allocate(scratch, vertices, 3 * sizeof(double), &packed));
    for (size_t v = 0; v < vertices; ++v)
        exact3_store(device->f64, packed, v, rest + 3 * v);
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_CONTACT_REST), 0, packed,
                      3 * sizeof(double) * vertices);
}

VelaResult broad_phase_upload(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    if (!is_used(model))
        return VELA_OK;
    TRY(ARENA_ARRAY(&device->arena, device->broad_phase, 1));
    ContactPush *push = &device->broad_phase->push;
    *push = plan_push(model);
    push->groups_in_row = gpu_groups_in_row(device->gpu);
    double *rest;
    TRY(ARENA_ARRAY(scratch, rest, 3 * (size_t)push->vertex_count));
    surface_map_apply(&model->surface.map, model->rest_positions, rest);
    TRY(upload_lists(device, rest, scratch));
    TRY(upload_numbers(device, scratch));
    TRY(upload_rest(device, rest, scratch));
    // Any order serves until the first sort.
    const uint32_t primitives = primitive_count(push);
    uint32_t *order, control[CONTACT_CONTROL_COUNT] = {0};
    TRY(ARENA_ARRAY(scratch, order, primitives));
    for (uint32_t i = 0; i < primitives; ++i)
        order[i] = i;
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_PRIMITIVE_ORDER), 0, order,
                   4 * (uint64_t)primitives));
    control[CONTACT_PRIMITIVE_COUNT] = primitives;
    control[CONTACT_QUERY_COUNT] = query_count(push);
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_CONTACT_CONTROL), 0, control, sizeof control);
}

VelaResult broad_phase_bind(VulkanDevice *device)
{
    BroadPhase *broad = device->broad_phase;
    if (!broad)
        return VELA_OK;
    const GpuBuffer *control = vulkan_buffer(device, BUFFER_CONTACT_CONTROL),
                    *work = vulkan_buffer(device, BUFFER_SORT_WORK);
    const RadixSortBuffers buffers = {.keys = vulkan_buffer(device, BUFFER_PRIMITIVE_KEYS),
                                      .payload = vulkan_buffer(device, BUFFER_PRIMITIVE_ORDER),
                                      .other_keys = vulkan_buffer(device, BUFFER_OTHER_KEYS),
                                      .other_payload = vulkan_buffer(device, BUFFER_OTHER_ORDER),
                                      .counts = control,
                                      .work = work};
    const SortKernels *kernels = &device->contact->sort_kernels;
    TRY(radix_sort_bind(kernels, &buffers, &broad->sort));
    TRY(scan_bind(kernels, vulkan_buffer(device, BUFFER_QUERY_STARTS), control, work, &broad->starts));
    return scan_bind(kernels, vulkan_buffer(device, BUFFER_RAW_KEPT), control, work, &broad->kept);
}

// ---------------------------------------------------------------- a sweep

static void run(VulkanDevice *device, GpuCommands *commands, KernelName kernel, uint32_t groups)
{
    if (groups == 0)
        return;
    gpu_dispatch(commands, &device->kernels[kernel], &device->broad_phase->push, groups);
    gpu_barrier(commands);
}

static void run_indirect(VulkanDevice *device, GpuCommands *commands, KernelName kernel, uint32_t arguments)
{
    gpu_dispatch_indirect(commands, &device->kernels[kernel], &device->broad_phase->push,
                          vulkan_buffer(device, BUFFER_CONTACT_CONTROL), 4 * (uint64_t)arguments);
    gpu_barrier(commands);
}

/// Boxes of all nodes, TREE_LEVELS levels of all trees at a time.
static void record_boxes(VulkanDevice *device, GpuCommands *commands)
{
    ContactPush *push = &device->broad_phase->push;
    for (uint32_t stage = 0;; ++stage) {
        uint32_t groups = 0;
        for (int t = 0; t < TREE_COUNT; ++t) {
            const uint32_t level = push->leaves[t] >> TREE_LEVELS * stage;
            groups += level > 1 ? groups_of(level, GROUP_TREE) : 0;
        }
        if (groups == 0)
            return;
        push->argument = stage;
        run(device, commands, stage == 0 ? KERNEL_CONTACT_LEAVES : KERNEL_CONTACT_JOIN, groups);
    }
}

/// Boxes have been made, in whatever order: they say where everything is.
static void record_order(VulkanDevice *device, GpuCommands *commands)
{
    BroadPhase *broad = device->broad_phase;
    run(device, commands, KERNEL_CONTACT_CODES, groups_of(primitive_count(&broad->push), GROUP_CONTACT));
    radix_sort_record(commands, &broad->sort, CONTACT_PRIMITIVE_COUNT, 2, PRIMITIVE_KEY_BITS);
    record_boxes(device, commands);
    broad->sorted = true;
    broad->steps_sorted = 0;
}

static void record_limit(VulkanDevice *device, GpuCommands *commands, uint32_t what)
{
    device->broad_phase->push.argument = what;
    run(device, commands, KERNEL_CONTACT_LIMIT, 1);
}

VelaResult broad_phase_sweep(VulkanDevice *device, bool moves)
{
    BroadPhase *broad = device->broad_phase;
    GpuCommands *commands;
    REQUIRE(device->base.context, broad != NULL);
    TRY(vulkan_open(device, &commands));
    broad->push.moves = moves;
    gpu_fill(commands, vulkan_buffer(device, BUFFER_QUERY_STARTS), 0, 0, 0);
    gpu_fill(commands, vulkan_buffer(device, BUFFER_CONTACT_CONTROL), 4 * CONTACT_STEPS, 8, 0);
    gpu_barrier(commands);
    run(device, commands, KERNEL_CONTACT_MEANS, broad->push.owner_count);
    record_boxes(device, commands);
    if (!broad->sorted)
        record_order(device, commands);
    run(device, commands, KERNEL_CONTACT_COUNT, groups_of(search_count(&broad->push), GROUP_CONTACT));
    scan_record(commands, &broad->starts, CONTACT_QUERY_COUNT, CONTACT_RAW_WANTED);
    record_limit(device, commands, CONTACT_LIMIT_RAW);
    run_indirect(device, commands, KERNEL_CONTACT_COLLECT, CONTACT_ARGUMENTS_COLLECT);
    run_indirect(device, commands, KERNEL_CONTACT_NARROW, CONTACT_ARGUMENTS_RAW);
    scan_record(commands, &broad->kept, CONTACT_RAW_COUNT, CONTACT_WANTED);
    record_limit(device, commands, CONTACT_LIMIT_CANDIDATES);
    run_indirect(device, commands, KERNEL_CONTACT_LIST, CONTACT_ARGUMENTS_LIST);
    return VELA_OK;
}

int64_t broad_phase_read(VulkanDevice *device, GpuCommands *commands)
{
    if (!device->broad_phase)
        return 0;
    gpu_copy(commands, vulkan_buffer(device, BUFFER_CONTACT_CONTROL), 0,
             vulkan_buffer(device, BUFFER_READBACK), READBACK_CONTACT_CONTROL, 4 * CONTACT_CONTROL_COUNT);
    gpu_barrier(commands);
    return 4 * CONTACT_CONTROL_COUNT;
}

void broad_phase_note(VulkanDevice *device, const uint32_t *control)
{
    BroadPhase *broad = device->broad_phase;
    const double each = (double)control[CONTACT_STEPS] /
                        ((double)control[CONTACT_QUERY_COUNT] + (double)control[CONTACT_RAW_WANTED] + 1);
    if (broad->steps_sorted == 0)
        broad->steps_sorted = each;
    if (each > DEGRADED * broad->steps_sorted)
        broad->sorted = false;
}

static VelaResult enlarge(VulkanDevice *device, uint32_t wanted, const char *what, uint32_t most,
                          uint32_t *capacity, bool *again)
{
    if (wanted <= *capacity)
        return VELA_OK;
    FAIL_IF(device->base.context, wanted > most, VELA_ERROR_OUT_OF_MEMORY,
            "%u %s, this version takes at most %u: a smaller contact.distance, time.step or mesh has fewer",
            wanted, what, most);
    *capacity = wanted < most - wanted / 2 ? wanted + wanted / 2 : most;
    *again = true;
    return VELA_OK;
}

VelaResult broad_phase_grow(VulkanDevice *device, bool *again)
{
    if (!device->broad_phase)
        return VELA_OK;
    ContactPush *push = &device->broad_phase->push;
    const char *readback = vulkan_buffer(device, BUFFER_READBACK)->mapped;
    const uint32_t *control = (const uint32_t *)(readback + READBACK_CONTACT_CONTROL);
    bool grows = false;
    TRY(enlarge(device, control[CONTACT_RAW_WANTED], "pairs of boxes", RAW_MOST, &push->raw_capacity,
                &grows));
    TRY(enlarge(device, control[CONTACT_WANTED], "pairs that may come into contact", RAW_MOST,
                &push->candidate_capacity, &grows));
    broad_phase_note(device, control);
    if (!grows)
        return VELA_OK;
    set_walk_room(push);
    GpuBufferDef defs[BUFFER_COUNT] = {0};
    plan_growing(push, device->f64, defs);
    for (int b = 0; b < BUFFER_COUNT; ++b)
        if (defs[b].size > vulkan_buffer(device, b)->size)
            TRY(gpu_pool_grow(device->pool, b, defs[b].size));
    *again = true;
    return VELA_OK;
}

uint32_t broad_phase_first_room(const Model *model)
{
    return plan_push(model).candidate_capacity;
}
