#include "sim/reactions.h"

#include "base/matrix3.h"
#include "physics/contact/plane_penalty.h"

#include <stdio.h>
#include <string.h>

VelaResult reactions_create(const Model *model, Arena *arena, Reactions *reactions)
{
    const SceneDef *scene = model->scene;
    *reactions =
        (Reactions){.obstacle_count = scene->contact.model == CONTACT_NONE ? 0 : scene->obstacle_count};
    TRY(ARENA_ARRAY(arena, reactions->first_pins, scene->body_count + 1));
    for (int32_t b = 0; b < scene->body_count; ++b) {
        reactions->pin_count += scene->bodies[b].pin_count;
        reactions->first_pins[b + 1] = reactions->pin_count;
    }
    TRY(ARENA_ARRAY(arena, reactions->values, reactions->pin_count + reactions->obstacle_count));
    if (reactions->pin_count + reactions->obstacle_count + model->anchor_count == 0)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, reactions->forces, 3 * (size_t)model->node_count));
    TRY(ARENA_ARRAY(arena, reactions->positions, 3 * (size_t)model->node_count));
    TRY(ARENA_ARRAY(arena, reactions->accelerations, 3 * (size_t)model->node_count));
    for (int k = 0; k < 3; ++k)
        TRY(ARENA_ARRAY(arena, reactions->places[k], 3 * (size_t)model_prescribed_count(model)));
    return ARENA_ARRAY(arena, reactions->velocities, 3 * (size_t)model_prescribed_count(model));
}

void reactions_name(const Reactions *reactions, int32_t index, char *name, size_t size)
{
    if (index >= reactions->pin_count) {
        snprintf(name, size, "obstacles[%d]", index - reactions->pin_count);
        return;
    }
    int32_t b = 0;
    while (index >= reactions->first_pins[b + 1])
        ++b;
    snprintf(name, size, "bodies[%d].pins[%d]", b, index - reactions->first_pins[b]);
}

static void add(Reaction *reaction, const double force[3], const double place[3])
{
    double moment[3];
    cross3(place, force, moment);
    add_scaled3(reaction->force, 1, force, reaction->force);
    add_scaled3(reaction->moment, 1, moment, reaction->moment);
}

/// The part of a step that velocities of motions are differences over.
static const double SHORT_PART = 1e-4;

// At `time`; at a keyframe the mean of both sides.
static void find_velocities(const Model *model, double time, Reactions *reactions)
{
    const double part = SHORT_PART * model->scene->step;
    double *const *places = reactions->places;
    model_pin_positions(model, time - part, places[0]);
    model_pin_positions(model, time + part, places[1]);
    for (size_t i = 0; i < 3 * (size_t)model_prescribed_count(model); ++i)
        reactions->velocities[i] = (places[1][i] - places[0][i]) / (2 * part);
}

// By node: the prescribed components of `prescribed`, one for each pin and then each partial pin; 0 elsewhere.
static void spread(const Model *model, const double *prescribed, double *values)
{
    memset(values, 0, 3 * (size_t)model->node_count * sizeof *values);
    for (int32_t p = 0; p < model_prescribed_count(model); ++p) {
        const PartialPin *partial = p < model->pin_count ? NULL : &model->partial_pins[p - model->pin_count];
        double *out = values + 3 * (size_t)(partial ? partial->node : model->pin_nodes[p]);
        memcpy(out, prescribed + 3 * (size_t)p, 3 * sizeof *out);
        if (partial)
            partial_pin_held(partial, out, out);
    }
}

// Of what is prescribed, by the motions themselves: that of the step that ends at `time`. 0 at the start.
static void find_accelerations(const Model *model, double time, Reactions *reactions)
{
    const double step = model->scene->step;
    double *const *places = reactions->places;
    for (int k = 0; k < 3; ++k)
        model_pin_positions(model, time + (k - 2) * step, places[k]);
    for (size_t i = 0; i < 3 * (size_t)model_prescribed_count(model); ++i)
        places[2][i] = (places[2][i] - 2 * places[1][i] + places[0][i]) / (step * step);
    spread(model, places[2], reactions->accelerations);
}

// Before inertia is taken from the forces. Overwrites the accelerations.
static void find_power(const Model *model, Reactions *reactions)
{
    double *velocities = reactions->accelerations;
    spread(model, reactions->velocities, velocities);
    for (int32_t i = 0; i < model->node_count; ++i)
        reactions->power -= dot3(velocities + 3 * (size_t)i, reactions->forces + 3 * (size_t)i);
}

// Of the prescribed masses: with the mean velocities of the step, as integrators leave them, or those at the start.
static void find_kinetic(const Model *model, double time, bool after_step, Reactions *reactions)
{
    double *velocities = reactions->accelerations, *const *places = reactions->places;
    const double step = model->scene->step;
    model_pin_positions(model, time - step, places[0]);
    model_pin_positions(model, time, places[1]);
    for (size_t i = 0; i < 3 * (size_t)model_prescribed_count(model); ++i)
        places[2][i] = (places[1][i] - places[0][i]) / step;
    for (int32_t p = 0; p < model_prescribed_count(model) && !after_step; ++p) {
        const int32_t node =
            p < model->pin_count ? model->pin_nodes[p] : model->partial_pins[p - model->pin_count].node;
        memcpy(places[2] + 3 * (size_t)p, model->initial_velocities + 3 * (size_t)node, 3 * sizeof(double));
    }
    spread(model, places[2], velocities);
    reactions->kinetic = 0;
    for (int32_t i = 0; i < model->node_count; ++i)
        reactions->kinetic +=
            0.5 * model->masses[i] * dot3(velocities + 3 * (size_t)i, velocities + 3 * (size_t)i);
    for (int32_t b = 0; b < model->mass_block_count; ++b)
        for (int i = 0; i < 16; ++i)
            if (i / 4 != i % 4)
                reactions->kinetic += 0.5 * model->mass_blocks[b].masses[i] *
                                      dot3(velocities + 3 * (size_t)model->mass_blocks[b].nodes[i / 4],
                                           velocities + 3 * (size_t)model->mass_blocks[b].nodes[i % 4]);
}

// forces -= M a: what is left at a held component is what holds it, the other way round.
static void subtract_inertia(const Model *model, Reactions *reactions)
{
    const double *a = reactions->accelerations;
    for (int32_t i = 0; i < model->node_count; ++i)
        add_scaled3(reactions->forces + 3 * (size_t)i, -model->masses[i], a + 3 * (size_t)i,
                    reactions->forces + 3 * (size_t)i);
    for (int32_t b = 0; b < model->mass_block_count; ++b) {
        const MassBlock *block = &model->mass_blocks[b];
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                double *force = reactions->forces + 3 * (size_t)block->nodes[i];
                if (i != j)
                    add_scaled3(force, -block->masses[4 * i + j], a + 3 * (size_t)block->nodes[j], force);
            }
    }
}

static int32_t body_of(const Model *model, int32_t node)
{
    int32_t b = 0;
    while (node >= model->bodies[b].first_node + model->bodies[b].node_count)
        ++b;
    return b;
}

static void add_pins(const Model *model, Reactions *reactions)
{
    for (int32_t p = 0; p < model->pin_count; ++p) {
        const int32_t node = model->pin_nodes[p];
        const size_t i = 3 * (size_t)node;
        if (node >= model->node_count - model->anchor_count)
            continue;
        const double force[3] = {-reactions->forces[i], -reactions->forces[i + 1], -reactions->forces[i + 2]};
        const int32_t first = node >= model->body_node_count ? reactions->pin_count
                                                             : reactions->first_pins[body_of(model, node)];
        add(&reactions->values[first + model->pin_sources[p]], force, reactions->positions + i);
    }
    for (int32_t p = 0; p < model->partial_pin_count; ++p) {
        const PartialPin *pin = &model->partial_pins[p];
        const size_t i = 3 * (size_t)pin->node;
        const int32_t first = reactions->first_pins[body_of(model, pin->node)];
        for (int32_t k = 0; k < pin->count; ++k) {
            const double *d = pin->directions[k], size = -dot3(d, reactions->forces + i);
            add(&reactions->values[first + pin->pins[k]],
                (const double[3]){size * d[0], size * d[1], size * d[2]}, reactions->positions + i);
        }
    }
}

/// Obstacles of penalty contact at a time, and shortly before and after.
typedef struct PenaltyTimes {
    PenaltyShape *shapes[3];
    double times[3];
} PenaltyTimes;

// How fast the obstacle moves at a place on it, m/s: from where its point at `place` was to where it will be.
static void surface_velocity(const Model *model, int32_t obstacle, const PenaltyTimes *at,
                             const double place[3], double velocity[3])
{
    const Motion *motion = model->penalty_obstacles[obstacle].motion;
    const PenaltyShape *before = &at->shapes[1][obstacle], *after = &at->shapes[2][obstacle];
    double turn[9], arm[3], turned[3] = {0};
    if (motion_turn(motion, at->times[1], at->times[2], turn)) { // Q (x - c') - (x - c')
        subtract3(place, before->point, arm);
        matrix3_apply(turn, arm, turned);
        subtract3(turned, arm, turned);
    }
    for (int k = 0; k < 3; ++k)
        velocity[k] = (after->point[k] - before->point[k] + turned[k]) / (at->times[2] - at->times[1]);
}

// What an obstacle of penalty contact pushes and drags a vertex with.
static void add_penalty(const Model *model, int32_t obstacle, int32_t vertex, const double pull[3],
                        const PenaltyTimes *at, Reactions *reactions)
{
    double place[3], normal[3], force[3], velocity[3];
    surface_map_vertex(&model->surface.map, vertex, reactions->positions, place);
    const double gap = penalty_gap(&at->shapes[0][obstacle], place, normal);
    const double push = -plane_penalty_slope(model->scene->contact.stiffness, gap);
    if (push == 0 && dot3(pull, pull) == 0)
        return;
    for (int k = 0; k < 3; ++k)
        force[k] = push * normal[k] - pull[k];
    surface_velocity(model, obstacle, at, place, velocity);
    reactions->power += dot3(force, velocity);
    add(&reactions->values[reactions->pin_count + obstacle], force, place);
}

// Obstacles of penalty contact are no nodes. `after_step`: with the friction of the step's last stage.
static VelaResult add_penalties(Simulation *simulation, bool after_step, Reactions *reactions)
{
    const Model *model = &simulation->model;
    const double time = simulation_time(simulation), part = SHORT_PART * model->scene->step;
    const int32_t vertices = model_surface_vertices(model);
    PenaltyTimes at = {.times = {time, time - part, time + part}};
    Arena scratch = arena_make(simulation->context);
    double *pulls;
    VelaResult result = ARENA_ARRAY(&scratch, pulls, 3 * (size_t)model->penalty_count * (size_t)vertices);
    for (int k = 0; k < 3 && result == VELA_OK; ++k) {
        result = ARENA_ARRAY(&scratch, at.shapes[k], model->penalty_count);
        if (result == VELA_OK)
            model_penalty_shapes(model, at.times[k], at.shapes[k]);
    }
    if (result == VELA_OK && after_step)
        result = device_penalty_friction(simulation->device, pulls);
    for (int32_t o = 0; result == VELA_OK && o < model->penalty_count; ++o)
        for (int32_t v = 0; v < vertices; ++v)
            add_penalty(model, o, v, pulls + 3 * ((size_t)o * (size_t)vertices + (size_t)v), &at, reactions);
    arena_clear(&scratch);
    return result;
}

VelaResult reactions_find(Simulation *simulation, bool after_step, Reactions *reactions)
{
    const Model *model = &simulation->model;
    const double time = simulation_time(simulation);
    const int32_t count = reactions->pin_count + reactions->obstacle_count;
    if (count + model->anchor_count == 0)
        return VELA_OK;
    memset(reactions->values, 0, (size_t)count * sizeof *reactions->values);
    reactions->power = 0;
    TRY(device_forces(simulation->device, SLOT_TARGET, SLOT_POSITION, time, after_step));
    TRY(device_state_read(simulation->device, SLOT_TARGET, reactions->forces));
    TRY(device_state_read(simulation->device, SLOT_POSITION, reactions->positions));
    find_velocities(model, time, reactions);
    find_power(model, reactions);
    find_kinetic(model, time, after_step, reactions);
    find_accelerations(model, time, reactions);
    if (after_step)
        subtract_inertia(model, reactions);
    add_pins(model, reactions);
    return add_penalties(simulation, after_step, reactions);
}
