/// Models of a cable and of an affine body, made by hand from the nodes of a box whose tetrahedra are left out.
#ifndef TESTS_HAND_BUILT_H
#define TESTS_HAND_BUILT_H

#include "parity/shared_gpu.h"
#include "physics/physics_fixture.h"

#include "model/lists.h"

#include <math.h>

enum { CABLE_NODES_MOST = 40 };

/// What is in the model. Nodes of the cable first, then the four of the affine body: its centre and three points on its axes.
typedef struct HandBuilt {
    const char *integrator, *solver; ///< a type; keys of the solver
    double step;                     ///< s
    int32_t cable_nodes;             ///< 0, or a multiple of 4
    double angle; ///< rad, by which the cable bends at every inner vertex; its rest shape is straight
    double youngs_modulus; ///< Pa
    bool affine;           ///< a cube of 0.1 m and 1 kg, kappa 1e8 Pa
    double spin[3];        ///< rad/s, its own
    double amplitude;      ///< m/s: noise on all velocities
} HandBuilt;

enum { CABLE_MATERIAL, AFFINE_MATERIAL };

static const double cable_spacing = 0.05, cable_radius = 0.005, affine_arm = 0.0625;

static inline double hand_built_noise(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608 - 1;
}

static inline void hand_built_group(Simulation *simulation, int kind, int32_t count, int32_t material)
{
    ElementGroup *group = &simulation->model.groups[kind];
    Arena *arena = &simulation->arena;
    group->count = count;
    ASSERT_OK(simulation->context, ARENA_ARRAY(arena, group->nodes, group->kind->corners * count));
    ASSERT_OK(simulation->context,
              ARENA_ARRAY(arena, group->shapes, element_shape_size(group->kind) * count));
    ASSERT_OK(simulation->context, ARENA_ARRAY(arena, group->volumes, count));
    ASSERT_OK(simulation->context, ARENA_ARRAY(arena, group->materials, count));
    for (int32_t e = 0; e < count; ++e)
        group->materials[e] = material;
}

/// A cable of segments and bends in a plane, along a circle.
static inline void hand_built_cable(Simulation *simulation, const HandBuilt *def)
{
    Model *model = &simulation->model;
    const double pi = 3.14159265358979323846, area = pi * cable_radius * cable_radius,
                 inertia = area * cable_radius * cable_radius / 4;
    double x[3] = {0, 0, 0}, angle = 0;
    const int32_t nodes = def->cable_nodes;
    hand_built_group(simulation, ELEMENT_SEGMENT, nodes > 0 ? nodes - 1 : 0, CABLE_MATERIAL);
    hand_built_group(simulation, ELEMENT_BEND, nodes > 0 ? nodes - 2 : 0, CABLE_MATERIAL);
    for (int32_t i = 0; i < nodes; ++i) {
        memcpy(model->rest_positions + 3 * i, x, sizeof x);
        memcpy(model->initial_positions + 3 * i, x, sizeof x);
        model->masses[i] = model->gravity_weights[i] = 1000 * area * cable_spacing;
        x[0] += cable_spacing * cos(angle), x[1] += cable_spacing * sin(angle);
        angle += def->angle;
    }
    for (int32_t i = 0; i + 1 < nodes; ++i) {
        ElementGroup *group = &model->groups[ELEMENT_SEGMENT];
        group->nodes[2 * i] = i, group->nodes[2 * i + 1] = i + 1;
        group->shapes[i] = 1 / cable_spacing;
        group->volumes[i] = area * cable_spacing;
    }
    for (int32_t i = 0; i + 2 < nodes; ++i) {
        ElementGroup *group = &model->groups[ELEMENT_BEND];
        group->nodes[3 * i] = i + 1, group->nodes[3 * i + 1] = i, group->nodes[3 * i + 2] = i + 2;
        group->shapes[4 * i] = -1 / cable_spacing, group->shapes[4 * i + 3] = 1 / cable_spacing;
        group->volumes[i] = inertia / cable_spacing;
    }
}

/// Masses by the volume integral of a cube in its principal axes (theory.md section 9).
static inline void hand_built_affine(Simulation *simulation, const HandBuilt *def, MassBlock *block)
{
    Model *model = &simulation->model;
    const int32_t first = def->cable_nodes;
    hand_built_group(simulation, ELEMENT_AFFINE, def->affine, AFFINE_MATERIAL);
    if (!def->affine)
        return;
    ElementGroup *group = &model->groups[ELEMENT_AFFINE];
    const double moment = 0.1 * 0.1 / 12 / (affine_arm * affine_arm);
    group->volumes[0] = 1e-3;
    for (int a = 0; a < 4; ++a) {
        double x[3] = {0.1, 0.6, 0.3}, own[3] = {0}, *velocity = model->initial_velocities + 3 * (first + a);
        group->nodes[a] = block->nodes[a] = first + a;
        if (a > 0)
            own[a - 1] = affine_arm, group->shapes[4 * (a - 1)] = 1 / affine_arm;
        for (int i = 0; i < 3; ++i)
            x[i] += own[i];
        memcpy(model->rest_positions + 3 * (first + a), x, sizeof x);
        memcpy(model->initial_positions + 3 * (first + a), x, sizeof x);
        cross3(def->spin, own, velocity);
        for (int b = 0; b < 4; ++b)
            block->masses[4 * a + b] = a == 0 && b == 0   ? 1 + 3 * moment
                                       : a == 0 || b == 0 ? -moment
                                       : a == b           ? moment
                                                          : 0;
        model->masses[first + a] = block->masses[5 * a];
        model->gravity_weights[first + a] = a == 0;
        // M = [1 + 3 m, -m..; -m.., m]: the inverse is [1, 1..; 1.., 1 + 1/m on the diagonal, 1 beside it].
        for (int b = 0; b < 4; ++b)
            block->inverses[4 * a + b] = a == b && a > 0 ? 1 + 1 / moment : 1;
    }
    model->mass_blocks = block;
    model->mass_block_count = 1;
}

/// Starts a simulation; `block` must stay.
static inline void hand_built_start(VelaContext *context, const HandBuilt *def, const DeviceChoice *choice,
                                    MassBlock *block, Simulation *simulation)
{
    static char text[2048];
    const int32_t nodes = def->cable_nodes + (def->affine ? 4 : 0);
    snprintf(text, sizeof text,
             "{\"version\": 1, \"time\": {\"step\": %g, \"duration\": 1}, \"gravity\": [0, 0, 0], "
             "\"integrator\": {\"type\": \"%s\"}, \"solver\": {\"strict\": true, %s},"
             "\"materials\": {\"cable\": {\"model\": \"arap\", \"density\": 1000, \"kappa\": %g}, "
             "\"affine\": {\"model\": \"arap\", \"density\": 1000, \"kappa\": 1e8}}, \"bodies\": ["
             "{\"name\": \"a\", \"type\": \"solid\", \"material\": \"cable\", \"geometry\": {\"box\": "
             "{\"size\": [1, 1, 1], \"cells\": [%d, 1, 1]}}}]}",
             def->step, def->integrator, def->solver, def->youngs_modulus, nodes / 4 - 1);
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    ASSERT_OK(context, scene_parse(context, "hand-built", text, strlen(text), 0, NULL, &simulation->arena,
                                   &simulation->scene));
    ASSERT_OK(context, model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    Model *model = &simulation->model;
    ck_assert_int_eq(model->node_count, nodes);
    model->groups[ELEMENT_TET].count = model->element_count = model->corner_count = model->local_count = 0;
    hand_built_cable(simulation, def);
    hand_built_affine(simulation, def, block);
    uint32_t random = 5;
    for (int32_t i = 0; i < 3 * nodes; ++i)
        model->initial_velocities[i] += def->amplitude * hand_built_noise(&random);
    ASSERT_OK(context, model_build_lists(context, &simulation->arena, model));
    ASSERT_OK(context, shared_gpu_start(simulation, choice));
}

#endif
