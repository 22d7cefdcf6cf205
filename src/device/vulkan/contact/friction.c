#include "device/vulkan/contact/friction.h"

#include "base/matrix3.h"
#include "device/vulkan/contact/dispatch.h"
#include "device/vulkan/diagnosis/sections.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "gpu/transfer.h"

#include <string.h>

// ---------------------------------------------------------------- which coefficient holds

/// Bodies, then obstacles, as the scene counts them. Those that rub alike with everything are one row of the table.
typedef struct Sides {
    int32_t count;     ///< bodies and obstacles
    int32_t *rows;     ///< of each
    int32_t row_count; ///< of the table
    int32_t *first;    ///< row_count: the first of each row
} Sides;

static int32_t side_of(const Model *model, const ContactOwner *owner)
{
    return owner->body >= 0 ? owner->body : model->scene->body_count + owner->obstacle;
}

/// 0 of two obstacles: neither gives way.
static double coefficient_of(const Model *model, int32_t a, int32_t b)
{
    const FrictionRules *rules = &model->contact.friction;
    const int32_t bodies = model->scene->body_count;
    if (a >= bodies && b >= bodies)
        return 0;
    if (a >= bodies)
        return friction_rules_find(rules, b, -1, a - bodies);
    return b >= bodies ? friction_rules_find(rules, a, -1, b - bodies) : friction_rules_find(rules, a, b, -1);
}

static bool rub_alike(const Model *model, int32_t count, int32_t a, int32_t b)
{
    for (int32_t other = 0; other < count; ++other)
        if (coefficient_of(model, a, other) != coefficient_of(model, b, other))
            return false;
    return true;
}

static VelaResult find_sides(const Model *model, Arena *arena, Sides *sides)
{
    *sides = (Sides){.count = model->scene->body_count + model->scene->obstacle_count};
    TRY(ARENA_ARRAY(arena, sides->rows, sides->count));
    TRY(ARENA_ARRAY(arena, sides->first, sides->count));
    for (int32_t s = 0; s < sides->count; ++s) {
        int32_t row = 0;
        while (row < sides->row_count && !rub_alike(model, sides->count, s, sides->first[row]))
            ++row;
        if (row == sides->row_count)
            sides->first[sides->row_count++] = s;
        sides->rows[s] = row;
    }
    return VELA_OK;
}

void friction_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    const uint64_t real = real_size(f64), used = model->contact.has_friction && model->penalty_count == 0,
                   sides = used * (uint64_t)(model->scene->body_count + model->scene->obstacle_count);
    defs[BUFFER_SIDES] = (GpuBufferDef){"who rubs how", used * 8 * (uint64_t)model->surface.map.vertex_count,
                                        GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_COEFFICIENTS] =
        (GpuBufferDef){"coefficients of friction", real * sides * sides, GPU_MEMORY_DEVICE, 0};
    defs[BUFFER_TURNS] =
        (GpuBufferDef){"turning obstacles", used * real * TURN_DATA * (uint64_t)model->scene->obstacle_count,
                       GPU_MEMORY_DEVICE, 0};
}

static VelaResult upload_sides(VulkanDevice *device, const Sides *sides, Arena *scratch)
{
    const Model *model = device->base.model;
    const size_t vertices = (size_t)model->surface.map.vertex_count, rows = (size_t)sides->row_count;
    uint32_t(*of_vertices)[2];
    void *coefficients;
    TRY(ARENA_ARRAY(scratch, of_vertices, vertices));
    TRY(arena_allocate(scratch, rows * rows, real_size(device->f64), &coefficients));
    for (int32_t o = 0; o < model->contact.owner_count; ++o) {
        const ContactOwner *owner = &model->contact.owners[o];
        // Surfaces of triangles turn with their vertices.
        const bool turns = owner->obstacle >= 0 && owner->triangle_count == 0;
        const uint32_t row = (uint32_t)sides->rows[side_of(model, owner)];
        for (int32_t v = 0; v < owner->vertex_count; ++v) {
            of_vertices[owner->first_vertex + v][0] = row;
            of_vertices[owner->first_vertex + v][1] = turns ? (uint32_t)owner->obstacle + 1 : 0;
        }
    }
    for (int32_t p = 0; p < model->contact.plane_count; ++p) {
        const ContactPlane *plane = &model->contact.planes[p];
        const ContactOwner *owner = &model->contact.owners[plane->owner];
        of_vertices[plane->point][0] = (uint32_t)sides->rows[side_of(model, owner)];
        of_vertices[plane->point][1] = (uint32_t)owner->obstacle + 1;
    }
    for (size_t a = 0; a < rows; ++a)
        for (size_t b = 0; b < rows; ++b)
            real_store(device->f64, coefficients, a * rows + b,
                       coefficient_of(model, sides->first[a], sides->first[b]));
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_SIDES), 0, of_vertices, 8 * vertices));
    return gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_COEFFICIENTS), 0, coefficients,
                      rows * rows * real_size(device->f64));
}

VelaResult friction_upload(VulkanDevice *device)
{
    if (!device->base.model->contact.has_friction)
        return VELA_OK;
    Arena scratch = arena_make(device->base.context);
    Sides sides;
    VelaResult result = find_sides(device->base.model, &scratch, &sides);
    if (result == VELA_OK)
        result = upload_sides(device, &sides, &scratch);
    device->contact->side_count = (uint32_t)sides.row_count;
    arena_clear(&scratch);
    return result;
}

// ---------------------------------------------------------------- kernels

/// What the kernels of friction begin their push constants with.
typedef struct FrictionPush {
    ExactNumber time, speed;
} FrictionPush;

double friction_slip_time(const VulkanDevice *device)
{
    const Stage *stage = &device->stage;
    return stage->slip_time > 0 ? stage->slip_time : stage->a;
}

static FrictionPush friction_push(const VulkanDevice *device)
{
    FrictionPush push;
    exact_store(device->f64, &push.time, 0, friction_slip_time(device));
    exact_store(device->f64, &push.speed, 0, device->base.model->scene->contact.friction_speed);
    return push;
}

static bool is_penalty(const VulkanDevice *device)
{
    return device->base.model->penalty_count > 0;
}

/// That of penalty contact is always lagged (theory.md section 7), or has been solved for.
static uint32_t friction_law_of(const VulkanDevice *device)
{
    if (is_penalty(device))
        return device->contact->solved ? FRICTION_LAW_SOLVED : FRICTION_LAW_LAGGED;
    return device->base.model->scene->contact.friction_model == FRICTION_SEMI_IMPLICIT
               ? FRICTION_LAW_SEMI_IMPLICIT
               : FRICTION_LAW_LAGGED;
}

/// 1 - Q^T of the planes and spheres, Q being how far they turn in the stage: their vertices do not show it.
static VelaResult write_turns(VulkanDevice *device)
{
    const SceneDef *scene = device->base.model->scene;
    const double from = device->stage.time - friction_slip_time(device), to = device->stage.time;
    const size_t real = real_size(device->f64);
    void *memory;
    if (scene->obstacle_count == 0)
        return VELA_OK;
    TRY(vulkan_write(device, BUFFER_TURNS, 0, real * TURN_DATA * (uint64_t)scene->obstacle_count, &memory));
    for (size_t o = 0; o < (size_t)scene->obstacle_count; ++o) {
        const ObstacleDef *obstacle = &scene->obstacles[o];
        double turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        motion_turn(&obstacle->motion, from, to, turn);
        for (size_t i = 0; i < 9; ++i)
            real_store(device->f64, memory, TURN_DATA * o + i, (i % 4 == 0) - turn[3 * (i % 3) + i / 3]);
        real_store(device->f64, memory, TURN_DATA * o + TURN_SEPARATION,
                   obstacle->kind == OBSTACLE_SPHERE ? obstacle->radius : 0);
    }
    return VELA_OK;
}

VelaResult friction_lag(VulkanDevice *device)
{
    struct {
        FrictionPush push;
        uint32_t node_count, velocity, side_count, semi_implicit;
    } push = {friction_push(device), device->node_count, vulkan_slot(device, SLOT_VELOCITY),
              device->contact->side_count, friction_law_of(device) == FRICTION_LAW_SEMI_IMPLICIT};
    TRY(write_turns(device));
    return contact_run(device, KERNEL_FRICTION_LAG, &push, PAIR_FRICTION);
}

VelaResult friction_linearize(VulkanDevice *device)
{
    struct {
        FrictionPush push;
        uint32_t node_count, base, law;
    } push = {friction_push(device), device->node_count, vulkan_slot(device, SLOT_BASE_POSITION),
              friction_law_of(device)};
    return contact_run(device, KERNEL_FRICTION_PAIRS, &push, PAIR_RUBBING);
}

VelaResult friction_trials(VulkanDevice *device, uint32_t halvings)
{
    struct {
        FrictionPush push;
        uint32_t node_count, base, law, halvings;
    } push = {friction_push(device), device->node_count, vulkan_slot(device, SLOT_BASE_POSITION),
              friction_law_of(device), halvings};
    return contact_run_sum(device, KERNEL_FRICTION_TRIALS, &push);
}

VelaResult vulkan_dissipation_loss(Device *base, Slot from, Slot to, double duration, DissipationLoss *loss)
{
    VulkanDevice *device = (VulkanDevice *)base;
    if (!base->model->contact.has_friction)
        return VELA_OK;
    struct {
        FrictionPush push;
        ExactNumber share;
        uint32_t node_count, base, law, from, to;
    } push = {.push = friction_push(device),
              .node_count = device->node_count,
              .base = vulkan_slot(device, SLOT_BASE_POSITION),
              .law = friction_law_of(device),
              .from = vulkan_slot(device, from),
              .to = vulkan_slot(device, to)};
    exact_store(device->f64, &push.share, 0, duration / friction_slip_time(device));
    GpuCommands *commands;
    TRY(vulkan_open(device, &commands));
    sections_begin(device, commands, 2, 0, 0);
    TRY(contact_run_sum(device, KERNEL_FRICTION_LOSS, &push));
    device->gpu->statistics.downloaded += sections_read(device, commands, 2);
    TRY(vulkan_finish(device));
    loss->all += section_sum(device, 0);
    loss->free += section_sum(device, 1);
    return VELA_OK;
}
