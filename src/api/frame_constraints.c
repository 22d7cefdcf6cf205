#include "api/frame_constraints.h"

#include "base/matrix3.h"
#include "model/constraints.h"
#include "model/joints.h"

#include <math.h>

VelaResult frame_constraints_create(const Simulation *simulation, Arena *arena, FrameTopology *topology,
                                    Frame *frame)
{
    const Model *model = &simulation->model;
    if (model_has_constraint_solver(model->scene))
        topology->multiplier_count = model->constraint_row_count;
    for (int32_t c = 0; c < model->constraint_count; ++c) {
        topology->joint_count += constraint_is_joint(model, &model->constraints[c]);
        topology->rod_count += constraint_is_distance(&model->constraints[c]);
    }
    if (topology->segment_count > 0)
        TRY(ARENA_ARRAY(arena, frame->tension, topology->element_count));
    TRY(ARENA_ARRAY(arena, frame->multipliers, topology->multiplier_count));
    TRY(ARENA_ARRAY(arena, frame->joints, 3 * (size_t)topology->joint_count));
    return ARENA_ARRAY(arena, frame->rods, ROD_VALUES * (size_t)topology->rod_count);
}

// What a constraint in between pulls its ends together with, N.
static double pull_of(const ModelConstraint *constraint, const FrameTopology *topology, const Frame *frame,
                      double length)
{
    if (topology->multiplier_count > 0)
        return -frame->multipliers[constraint->first_row];
    const double value = length - constraint->rest;
    const bool holds = constraint->side == SIDE_BOTH || (constraint->side == SIDE_AT_MOST) == (value > 0);
    return holds ? value / constraint->compliance : 0;
}

static void fill_marks(const Model *model, const FrameTopology *topology, const double *x, Frame *frame)
{
    double *joint = frame->joints, *rod = frame->rods;
    for (int32_t c = 0; c < model->constraint_count; ++c) {
        const ModelConstraint *constraint = &model->constraints[c];
        const bool is_joint = constraint_is_joint(model, constraint);
        ConstraintSides sides;
        double points[2][3], along[3];
        if (!is_joint && !constraint_is_distance(constraint))
            continue;
        constraint_sides(model, constraint, &sides);
        constraint_points(constraint, &sides, x, points);
        subtract3(points[1], points[0], along);
        if (is_joint) {
            add_scaled3(points[0], 0.5, along, joint);
            joint += 3;
            continue;
        }
        memcpy(rod, points, sizeof points);
        rod[ROD_VALUES - 1] = pull_of(constraint, topology, frame, norm3(along));
        rod += ROD_VALUES;
    }
}

static void fill_tension(const Model *model, const FrameTopology *topology, const double *x, Frame *frame)
{
    const ElementGroup *group = &model->groups[ELEMENT_SEGMENT];
    for (int32_t e = 0; e < model->element_count; ++e)
        frame->tension[e] = NAN;
    for (int32_t s = 0; s < group->count; ++s) {
        const double inverse = group->shapes[s], area = group->volumes[s] * inverse;
        const int32_t *nodes = group->nodes + 2 * (size_t)s;
        double along[3];
        subtract3(x + 3 * (size_t)nodes[1], x + 3 * (size_t)nodes[0], along);
        frame->tension[group->first_element + s] =
            (float)(model->materials[group->materials[s]].formula.kappa * area *
                    (norm3(along) * inverse - 1));
    }
    for (int32_t c = 0; c < model->constraint_count && topology->multiplier_count > 0; ++c) {
        const ModelConstraint *constraint = &model->constraints[c];
        if (constraint->source >= 0 || constraint->kind != CONSTRAINT_KIND_LENGTH)
            continue;
        const int32_t segment =
            model->bodies[constraint->body].first_elements[ELEMENT_SEGMENT] + constraint->number;
        frame->tension[group->first_element + segment] = (float)-frame->multipliers[constraint->first_row];
    }
}

VelaResult frame_constraints_fill(const Simulation *simulation, const FrameTopology *topology,
                                  const double *x, Frame *frame)
{
    const Model *model = &simulation->model;
    if (topology->multiplier_count > 0)
        TRY(device_solver_state_read(simulation->device, frame->multipliers));
    fill_marks(model, topology, x, frame);
    if (frame->tension)
        fill_tension(model, topology, x, frame);
    return VELA_OK;
}
