#include "device/cpu/terms/penalty_split.h"

#include "base/matrix3.h"
#include "device/cpu/terms/penalty_friction.h"
#include "physics/contact/penalty_shape.h"
#include "physics/contact/plane_penalty.h"

#include <string.h>

VelaResult penalty_split_create(const Model *model, Arena *arena, PenaltySplit *split)
{
    const SolverDef *solver = &model->scene->solver;
    split->count = model_penalty_coordinates(model);
    double **arrays[] = {&split->target,   &split->state, &split->projected,
                         &split->residual, &split->image, &split->multiplier};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        TRY(ARENA_ARRAY(arena, *arrays[i], split->count));
    for (int32_t j = 0; j < (solver->anderson ? solver->depth : 0); ++j) {
        TRY(ARENA_ARRAY(arena, split->residual_differences[j], split->count));
        TRY(ARENA_ARRAY(arena, split->image_differences[j], split->count));
    }
    TRY(ARENA_ARRAY(arena, split->axes, model->penalty_count));
    if (model->contact.has_friction) {
        TRY(ARENA_ARRAY(arena, split->rest, split->count));
        TRY(ARENA_ARRAY(arena, split->drag, split->count));
    }
    return VELA_OK;
}

size_t penalty_split_memory(const Model *model)
{
    const SolverDef *solver = &model->scene->solver;
    const size_t depth = solver->anderson ? (size_t)solver->depth : 0;
    return 8 * (6 + 2 * depth + (model->contact.has_friction ? 2 : 0)) * model_penalty_coordinates(model);
}

// ---------------------------------------------------------------- coordinates

/// The coordinates of one obstacle and one vertex: `width` of them from `first` on, along the axes.
typedef struct Copy {
    int32_t node, width;
    size_t first;
    const double (*axes)[3];
    double stiffness, weights[3]; ///< N/m
} Copy;

static Copy find_copy(const CpuDevice *device, int32_t obstacle, int32_t vertex, size_t first)
{
    const Model *model = device->base.model;
    Copy copy = {.node = surface_map_node(&model->surface.map, vertex),
                 .width = model_penalty_width(model, obstacle),
                 .first = first + (size_t)vertex * (size_t)model_penalty_width(model, obstacle),
                 .axes = (const double(*)[3])device->admm.penalty.axes[obstacle]};
    const double a = device->stage.a, along = model->masses[copy.node] / (a * a);
    copy.stiffness = model->scene->contact.stiffness;
    copy.weights[0] = plane_penalty_weight(copy.stiffness, along);
    copy.weights[1] = copy.weights[2] =
        model->penalty_obstacles[obstacle].radius > 0 ? copy.weights[0] : along;
    return copy;
}

/// Goes over all copies: `copy` is that of `obstacle` and `vertex`.
#define FOR_COPIES(device)                                                                                   \
    size_t first = 0;                                                                                        \
    const int32_t vertices = model_surface_vertices((device)->base.model);                                   \
    for (int32_t obstacle = 0; obstacle < (device)->base.model->penalty_count;                               \
         first += (size_t)vertices * (size_t)model_penalty_width((device)->base.model, obstacle),            \
                 ++obstacle)

// The axes of an obstacle: of a plane its normal and two tangents, which turn with it, else those of space.
static void find_axes(const Model *model, int32_t obstacle, double time, const PenaltyShape *shape,
                      double axes[9])
{
    const PenaltyObstacle *def = &model->penalty_obstacles[obstacle];
    for (int k = 0; k < 9; ++k)
        axes[k] = k % 4 == 0;
    if (penalty_is_sphere(shape))
        return;
    memcpy(axes, shape->normal, sizeof shape->normal);
    for (int t = 0; t < 2; ++t)
        motion_rotate(def->motion, time, def->tangents[t], axes + 3 * (t + 1));
}

// The coordinates of the target, and where friction would hold the vertex: of a plane at no slip, 0.
static void find_target(CpuDevice *device, int32_t obstacle, int32_t vertex, const Copy *copy)
{
    const PenaltyShape *shape = &device->shapes[obstacle];
    PenaltySplit *split = &device->admm.penalty;
    const double *place = device->slots[SLOT_TARGET] + 3 * (size_t)copy->node;
    double *target = split->target + copy->first, from[3] = {0}, normal[3];
    const bool is_sphere = penalty_is_sphere(shape);
    if (split->rest && copy->width == 3) {
        subtract3(device->slots[SLOT_BASE_POSITION] + 3 * (size_t)copy->node,
                  penalty_friction_drift(device, obstacle, vertex), from);
        subtract3(from, shape->point, split->rest + copy->first);
    }
    if (is_sphere) {
        subtract3(place, shape->point, target);
        return;
    }
    target[0] = penalty_gap(shape, place, normal);
    if (copy->width == 1)
        return;
    double slip[3];
    subtract3(place, from, slip);
    for (int j = 1; j < 3; ++j)
        target[j] = dot3(copy->axes[j], slip);
}

void penalty_split_begin(CpuDevice *device)
{
    const Model *model = device->base.model;
    PenaltySplit *split = &device->admm.penalty;
    FOR_COPIES(device)
    {
        find_axes(model, obstacle, device->stage.time, &device->shapes[obstacle], split->axes[obstacle]);
        for (int32_t vertex = 0; vertex < vertices; ++vertex) {
            const Copy copy = find_copy(device, obstacle, vertex, first);
            find_target(device, obstacle, vertex, &copy);
            double *target = split->target + copy.first, *multiplier = split->multiplier + copy.first;
            for (int j = 0; j < copy.width; ++j)
                split->image[copy.first + (size_t)j] = target[j] + multiplier[j] / copy.weights[j];
            if (!split->drag || !penalty_is_sphere(&device->shapes[obstacle]))
                continue;
            double normal[3];
            penalty_direction(target, normal);
            add_scaled3(multiplier, -dot3(multiplier, normal), normal, split->drag + copy.first);
        }
    }
}

// ---------------------------------------------------------------- prox

// Without friction a step starts with y' = the target's gap, whatever the multiplier (theory.md section 5, "Start"). With friction it
// starts as it goes on: steps that are over after one iteration would leave what creeps creeping.
static void project_plane(const CpuDevice *device, double friction, const Copy *copy)
{
    const PenaltySplit *split = &device->admm.penalty;
    const double *s = split->state + copy->first;
    double *z = split->projected + copy->first;
    z[0] = device->admm.iterations == 0 && copy->width == 1
               ? split->target[copy->first]
               : plane_penalty_prox(copy->stiffness, copy->weights[0], s[0]);
    if (copy->width == 1)
        return;
    const double force = fmax(copy->weights[0] * (z[0] - s[0]), 0);
    double t[3] = {s[1], s[2], 0};
    friction_prox(friction * force / copy->weights[1], t);
    z[1] = t[0];
    z[2] = t[1];
}

// s = z + (friction - normal force)/weight in the end, so the radius is that of s less friction's part, as the last iteration has it.
static void project_sphere(const CpuDevice *device, double friction, double radius, const Copy *copy)
{
    const PenaltySplit *split = &device->admm.penalty;
    const double *s = split->state + copy->first, weight = copy->weights[0];
    double *z = split->projected + copy->first, pressed[3] = {s[0], s[1], s[2]}, normal[3];
    if (split->drag)
        add_scaled3(s, -1 / weight, split->drag + copy->first, pressed);
    penalty_direction(pressed, normal);
    const double along = dot3(normal, s),
                 kept = radius + plane_penalty_prox(copy->stiffness, weight, along - radius);
    add_scaled3(s, kept - along, normal, z);
    if (!split->drag)
        return;
    double t[3], held[3];
    subtract3(s, split->rest + copy->first, t);
    add_scaled3(t, -dot3(t, normal), normal, t);
    memcpy(held, t, sizeof held);
    friction_prox(friction * fmax(weight * (kept - along), 0) / weight, t);
    subtract3(held, t, held);
    add_scaled3(z, -1, held, z);
    for (int k = 0; k < 3; ++k)
        split->drag[copy->first + (size_t)k] = weight * held[k];
}

void penalty_split_project(CpuDevice *device)
{
    const Model *model = device->base.model;
    PenaltySplit *split = &device->admm.penalty;
    const Mixing *mixing = &device->admm.mixing;
    FOR_COPIES(device)
    {
        const double radius = model->penalty_obstacles[obstacle].radius;
#pragma omp for schedule(static) nowait
        for (int32_t vertex = 0; vertex < vertices; ++vertex) {
            const Copy copy = find_copy(device, obstacle, vertex, first);
            for (size_t i = copy.first; i < copy.first + (size_t)copy.width; ++i) {
                double s = split->image[i];
                for (int32_t j = 0; j < mixing->depth; ++j)
                    s -= mixing->weights[j] * split->image_differences[j][i];
                split->state[i] = s;
            }
            const double friction =
                device->rubbing ? penalty_friction_coefficient(device, obstacle, vertex) : 0;
            if (radius > 0)
                project_sphere(device, friction, radius, &copy);
            else
                project_plane(device, friction, &copy);
        }
    }
}

// ---------------------------------------------------------------- the rest of an iteration

void penalty_split_add_right(CpuDevice *device)
{
    const PenaltySplit *split = &device->admm.penalty;
    FOR_COPIES(device)
    for (int32_t vertex = 0; vertex < vertices; ++vertex) {
        const Copy copy = find_copy(device, obstacle, vertex, first);
        double *right = device->admm.right + 3 * (size_t)copy.node;
        for (int j = 0; j < copy.width; ++j) {
            const size_t i = copy.first + (size_t)j;
            const double push = copy.weights[j] * ((split->projected[i] - split->state[i]) +
                                                   (split->projected[i] - split->target[i]));
            add_scaled3(right, push, copy.axes[j], right);
        }
    }
}

/// Sums of squares for the stopping rule.
typedef struct Sizes {
    double residual_sq, target_sq, projected_sq;
} Sizes;

static void add_residual(CpuDevice *device, const Copy *copy, int j, int32_t newest, int32_t depth,
                         ResidualSums *sums, Sizes *sizes)
{
    PenaltySplit *split = &device->admm.penalty;
    const size_t i = copy->first + (size_t)j;
    const double weight = copy->weights[j],
                 moved = dot3(copy->axes[j], device->admm.delta + 3 * (size_t)copy->node),
                 gap = split->target[i] + moved, residual = (split->target[i] - split->projected[i]) + moved,
                 image = split->state[i] + residual;
    if (newest >= 0) {
        split->residual_differences[newest][i] = residual - split->residual[i];
        split->image_differences[newest][i] = image - split->image[i];
    }
    split->residual[i] = residual;
    split->image[i] = image;
    sizes->residual_sq += residual * residual;
    sizes->target_sq += gap * gap;
    sizes->projected_sq += split->projected[i] * split->projected[i];
    sums->weighted_sq += weight * residual * residual;
    for (int32_t k = 0; k < depth; ++k) {
        const double difference = split->residual_differences[k][i];
        sums->newest[k] += weight * difference * split->residual_differences[newest][i];
        sums->current[k] += weight * difference * residual;
    }
}

void penalty_split_residual(CpuDevice *device, int32_t newest, int32_t depth, ResidualSums *sums,
                            AdmmReport *report)
{
    const double tolerance = device->admm.settings.tolerance;
    Sizes sizes = {0};
    FOR_COPIES(device)
    for (int32_t vertex = 0; vertex < vertices; ++vertex) {
        const Copy copy = find_copy(device, obstacle, vertex, first);
        for (int j = 0; j < copy.width && device->base.model->node_is_free[copy.node]; ++j)
            add_residual(device, &copy, j, newest, depth, sums, &sizes);
    }
    const double bound = tolerance * sqrt((double)device->admm.penalty.count) +
                         tolerance * sqrt(fmax(sizes.target_sq, sizes.projected_sq));
    report->converged = report->converged && sizes.residual_sq <= bound * bound;
}

void penalty_split_scatter(CpuDevice *device, double a, double b, double c, double *forces)
{
    const PenaltySplit *split = &device->admm.penalty;
    FOR_COPIES(device)
    for (int32_t vertex = 0; vertex < vertices; ++vertex) {
        const Copy copy = find_copy(device, obstacle, vertex, first);
        double *force = forces + 3 * (size_t)copy.node;
        for (int j = 0; j < copy.width; ++j) {
            const size_t i = copy.first + (size_t)j;
            const double push =
                copy.weights[j] * (a * split->state[i] + b * split->projected[i] + c * split->residual[i]);
            add_scaled3(force, push, copy.axes[j], force);
        }
    }
}

// Whether the last prox had friction at work; without, a multiplier along the obstacle is what the iteration has left.
static bool rubs(const PenaltySplit *split, const PenaltyShape *shape, const Copy *copy)
{
    const double *s = split->state + copy->first, *z = split->projected + copy->first;
    const double *drag = split->drag + copy->first;
    return penalty_is_sphere(shape) ? dot3(drag, drag) > 0 : z[1] != s[1] || z[2] != s[2];
}

// The part of a copy's multiplier that is friction's.
static void note_friction(CpuDevice *device, int32_t obstacle, int32_t vertex, const Copy *copy)
{
    const PenaltySplit *split = &device->admm.penalty;
    const PenaltyShape *shape = &device->shapes[obstacle];
    double pull[3] = {0}, normal[3];
    if (!device->base.model->node_is_free[copy->node] || copy->width == 1 || !rubs(split, shape, copy))
        return;
    for (int j = 0; j < 3; ++j)
        add_scaled3(pull, split->multiplier[copy->first + (size_t)j], copy->axes[j], pull);
    if (penalty_is_sphere(shape))
        penalty_direction(split->projected + copy->first, normal);
    else
        memcpy(normal, copy->axes[0], sizeof normal);
    add_scaled3(pull, -dot3(pull, normal), normal, pull);
    penalty_friction_note(device, obstacle, vertex, pull);
}

void penalty_split_end(CpuDevice *device)
{
    PenaltySplit *split = &device->admm.penalty;
    penalty_friction_clear(device);
    FOR_COPIES(device)
    for (int32_t vertex = 0; vertex < vertices; ++vertex) {
        const Copy copy = find_copy(device, obstacle, vertex, first);
        for (int j = 0; j < copy.width; ++j) {
            const size_t i = copy.first + (size_t)j;
            split->multiplier[i] =
                copy.weights[j] * (split->state[i] - split->projected[i] + split->residual[i]);
        }
        if (device->rubbing)
            note_friction(device, obstacle, vertex, &copy);
    }
}
