#include "device/cpu/terms/penalty_friction.h"

#include "device/cpu/terms/vertex_push.h"
#include "geometry/tangent.h"
#include "physics/contact/penalty_shape.h"
#include "physics/contact/plane_penalty.h"

#include <string.h>

static size_t pair_count(const Model *model)
{
    return (size_t)model->penalty_count * (size_t)model_surface_vertices(model);
}

static size_t pair_of(const Model *model, int32_t obstacle, int32_t vertex)
{
    return (size_t)obstacle * (size_t)model_surface_vertices(model) + (size_t)vertex;
}

VelaResult penalty_friction_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    const int32_t bodies = model->body_count;
    PenaltyFriction *rubbing;
    if (model->penalty_count == 0 || !model->contact.has_friction)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, rubbing, 1));
    TRY(ARENA_ARRAY(arena, rubbing->coefficients, (size_t)model->penalty_count * (size_t)bodies));
    TRY(ARENA_ARRAY(arena, rubbing->vertex_bodies, model_surface_vertices(model)));
    TRY(ARENA_ARRAY(arena, rubbing->lagged, model->penalty_count));
    TRY(ARENA_ARRAY(arena, rubbing->before, model->penalty_count));
    TRY(ARENA_ARRAY(arena, rubbing->drifts, pair_count(model)));
    TRY(ARENA_ARRAY(arena, rubbing->contacts, pair_count(model)));
    for (int32_t b = 0; b < bodies; ++b) {
        for (int32_t o = 0; o < model->penalty_count; ++o)
            rubbing->coefficients[o * bodies + b] = friction_rules_find(&model->contact.friction, b, -1, o);
        for (int32_t v = model->surface.first_vertices[b]; v < model->surface.first_vertices[b + 1]; ++v)
            rubbing->vertex_bodies[v] = b;
    }
    device->rubbing = rubbing;
    return VELA_OK;
}

size_t penalty_friction_memory(const Model *model)
{
    return model->penalty_count == 0 || !model->contact.has_friction
               ? 0
               : pair_count(model) * (3 * sizeof(double) + sizeof(PenaltyContact));
}

double penalty_friction_coefficient(const CpuDevice *device, int32_t obstacle, int32_t vertex)
{
    const PenaltyFriction *rubbing = device->rubbing;
    return rubbing->coefficients[obstacle * device->base.model->body_count + rubbing->vertex_bodies[vertex]];
}

const double *penalty_friction_drift(const CpuDevice *device, int32_t obstacle, int32_t vertex)
{
    return device->rubbing->drifts[pair_of(device->base.model, obstacle, vertex)];
}

// ---------------------------------------------------------------- a stage begins

// Over the slip a point of the obstacle moves from c' + Q^T arm to c + arm, arm being where the vertex touches, from c, once the obstacle has
// taken it along to where the stage is.
static void find_drifts(CpuDevice *device, int32_t obstacle)
{
    const Model *model = device->base.model;
    const Motion *motion = model->penalty_obstacles[obstacle].motion;
    const double time = device->stage.time;
    PenaltyFriction *rubbing = device->rubbing;
    const PenaltyShape *now = &device->shapes[obstacle], *lagged = &rubbing->lagged[obstacle];
    double shift[3], turn[9], turned_back[9], ahead[9];
    subtract3(rubbing->before[obstacle].point, now->point, shift);
    const bool turns = motion_turn(motion, time - rubbing->slip_time, time, turn),
               turns_ahead = motion_turn(motion, time - device->stage.ahead, time, ahead);
    if (turns)
        matrix3_transpose(turn, turned_back);
    for (int32_t v = 0; v < model_surface_vertices(model); ++v) {
        double *drift = rubbing->drifts[pair_of(model, obstacle, v)], place[3], normal[3], arm[3], back[3];
        memcpy(drift, shift, sizeof shift);
        if (!turns)
            continue;
        surface_map_vertex(&model->surface.map, v, device->slots[SLOT_STAGE], place);
        const double gap = penalty_gap(lagged, place, normal);
        subtract3(place, lagged->point, arm);
        add_scaled3(arm, -gap, normal, arm);
        if (turns_ahead)
            matrix3_apply(ahead, arm, arm);
        matrix3_apply(turned_back, arm, back);
        for (int k = 0; k < 3; ++k)
            drift[k] += back[k] - arm[k];
    }
}

// What rubs where the stage begins, with the normal forces there.
static void lag_contacts(CpuDevice *device, int32_t obstacle)
{
    const Model *model = device->base.model;
    PenaltyFriction *rubbing = device->rubbing;
    for (int32_t v = 0; v < model_surface_vertices(model); ++v) {
        const double coefficient = penalty_friction_coefficient(device, obstacle, v);
        double place[3], normal[3];
        if (coefficient == 0 || !model->surface.map.is_free[v])
            continue;
        surface_map_vertex(&model->surface.map, v, device->slots[SLOT_STAGE], place);
        const double gap = penalty_gap(&rubbing->lagged[obstacle], place, normal);
        if (!(gap < 0))
            continue;
        PenaltyContact *contact = &rubbing->contacts[rubbing->contact_count++];
        *contact = (PenaltyContact){
            .friction = {.vertices = {v, v, v, v},
                         .weights = {1},
                         .coefficient =
                             -coefficient * plane_penalty_slope(model->scene->contact.stiffness, gap),
                         .dual = {FRICTION_UNKNOWN}},
            .obstacle = obstacle};
        tangent_basis(normal, contact->friction.tangents);
        memcpy(contact->friction.drift, penalty_friction_drift(device, obstacle, v),
               sizeof contact->friction.drift);
    }
}

void penalty_friction_begin(CpuDevice *device)
{
    const Model *model = device->base.model;
    const Stage *stage = &device->stage;
    PenaltyFriction *rubbing = device->rubbing;
    if (!rubbing)
        return;
    rubbing->slip_time = stage->slip_time > 0 ? stage->slip_time : stage->a;
    rubbing->law = friction_law(false, model->scene->contact.friction_speed, rubbing->slip_time);
    rubbing->contact_count = 0;
    rubbing->solved = false;
    model_penalty_shapes(model, stage->time - stage->ahead, rubbing->lagged);
    model_penalty_shapes(model, stage->time - rubbing->slip_time, rubbing->before);
    for (int32_t o = 0; o < model->penalty_count; ++o) {
        find_drifts(device, o);
        lag_contacts(device, o);
    }
}

// ---------------------------------------------------------------- what ADMM has found

void penalty_friction_clear(CpuDevice *device)
{
    if (!device->rubbing)
        return;
    device->rubbing->contact_count = 0;
    device->rubbing->solved = true;
}

void penalty_friction_note(CpuDevice *device, int32_t obstacle, int32_t vertex, const double pull[3])
{
    PenaltyFriction *rubbing = device->rubbing;
    PenaltyContact *contact = &rubbing->contacts[rubbing->contact_count++];
    *contact = (PenaltyContact){.friction = {.vertices = {vertex, vertex, vertex, vertex}, .weights = {1}},
                                .obstacle = obstacle};
    memcpy(contact->friction.drift, penalty_friction_drift(device, obstacle, vertex),
           sizeof contact->friction.drift);
    memcpy(contact->pull, pull, sizeof contact->pull);
}

// ---------------------------------------------------------------- what rubs, one after the other

// The contact's vertex at values of nodes, as friction.h takes it.
static void gather(const CpuDevice *device, const PenaltyContact *contact, const double *nodes,
                   double vertices[12])
{
    memset(vertices, 0, 12 * sizeof *vertices);
    surface_map_vertex(&device->base.model->surface.map, contact->friction.vertices[0], nodes, vertices);
}

static void find_pull(const CpuDevice *device, const PenaltyContact *contact, double pull[3])
{
    double at[12], base[12];
    if (device->rubbing->solved) {
        memcpy(pull, contact->pull, sizeof contact->pull);
        return;
    }
    gather(device, contact, device->slots[SLOT_STAGE], at);
    gather(device, contact, device->slots[SLOT_BASE_POSITION], base);
    friction_pull(&contact->friction, &device->rubbing->law, at, base, pull);
}

void penalty_friction_gradient(CpuDevice *device, double *gradient)
{
    const PenaltyFriction *rubbing = device->rubbing;
    double pull[3];
    for (int32_t k = 0; rubbing && k < rubbing->contact_count; ++k) {
        find_pull(device, &rubbing->contacts[k], pull);
        surface_map_pull_back(&device->base.model->surface.map, rubbing->contacts[k].friction.vertices[0],
                              pull, gradient);
    }
}

void penalty_friction_loss(CpuDevice *device, const double *x0, const double *x1, double duration,
                           DissipationLoss *loss)
{
    const Model *model = device->base.model;
    const SurfaceMap *map = &model->surface.map;
    const PenaltyFriction *rubbing = device->rubbing;
    for (int32_t k = 0; rubbing && k < rubbing->contact_count; ++k) {
        const PenaltyContact *contact = &rubbing->contacts[k];
        const int32_t vertex = contact->friction.vertices[0];
        double pull[3];
        find_pull(device, contact, pull);
        DissipationLoss own = {.all = dot3(pull, contact->friction.drift) * (duration / rubbing->slip_time)};
        for (int32_t i = map->starts[vertex]; i < map->starts[vertex + 1]; ++i) {
            const size_t at = 3 * (size_t)map->nodes[i];
            double way[3];
            subtract3(x1 + at, x0 + at, way);
            const double taken = map->weights[i] * dot3(pull, way);
            own.all += taken;
            own.free += model->node_is_free[map->nodes[i]] ? taken : 0;
        }
        // Where ADMM holds a vertex, it still moves by what its tolerance leaves, this way or that.
        if (!rubbing->solved || own.all > 0)
            dissipation_loss_add(loss, 1, &own);
    }
}

void penalty_friction_linearize(CpuDevice *device)
{
    const PenaltyFriction *rubbing = device->rubbing;
    double at[12], base[12], pull[3], block[9];
    for (int32_t k = 0; rubbing && k < rubbing->contact_count; ++k) {
        PenaltyContact *contact = &rubbing->contacts[k];
        gather(device, contact, device->slots[SLOT_STAGE], at);
        gather(device, contact, device->slots[SLOT_BASE_POSITION], base);
        friction_follow(&contact->friction, &rubbing->law, at, base);
        friction_hessian(&contact->friction, &rubbing->law, at, base, pull, block);
        vertex_push(device, contact->friction.vertices[0], pull, 1, block); // its weight is 1
    }
}

void penalty_friction_try(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    const PenaltyFriction *rubbing = device->rubbing;
    double at[12], base[12], along[12], there[12], gradient[12];
    for (int32_t k = 0; rubbing && k < rubbing->contact_count; ++k) {
        const PenaltyContact *contact = &rubbing->contacts[k];
        gather(device, contact, device->slots[SLOT_STAGE], at);
        gather(device, contact, device->slots[SLOT_BASE_POSITION], base);
        gather(device, contact, device->newton.direction, along);
        const double before = friction_energy(&contact->friction, &rubbing->law, at, base);
        for (int t = 0; t < count; ++t) {
            for (int i = 0; i < 12; ++i)
                there[i] = at[i] + steps[t] * along[i];
            const double after = friction_energy(&contact->friction, &rubbing->law, there, base);
            friction_gradient(&contact->friction, &rubbing->law, there, base, gradient);
            trial_add(sums, t, after - before, dot3(gradient, along), after + before);
        }
    }
}

VelaResult cpu_penalty_friction(Device *base, double *pulls)
{
    const CpuDevice *device = (const CpuDevice *)base;
    const PenaltyFriction *rubbing = device->rubbing;
    for (int32_t k = 0; rubbing && k < rubbing->contact_count; ++k) {
        const PenaltyContact *contact = &rubbing->contacts[k];
        find_pull(device, contact,
                  pulls + 3 * pair_of(base->model, contact->obstacle, contact->friction.vertices[0]));
    }
    return VELA_OK;
}
