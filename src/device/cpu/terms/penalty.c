#include "device/cpu/terms/penalty.h"

#include "base/matrix3.h"
#include "device/cpu/terms/penalty_friction.h"
#include "device/cpu/terms/penalty_split.h"
#include "device/cpu/terms/vertex_push.h"
#include "physics/contact/penalty_shape.h"
#include "physics/contact/plane_penalty.h"

// Gap between an obstacle where it stands and a vertex, its direction, and the vertex's place.
static double find_gap(const CpuDevice *device, int32_t obstacle, int32_t vertex, const double *x,
                       double place[3], double normal[3])
{
    surface_map_vertex(&device->base.model->surface.map, vertex, x, place);
    return penalty_gap(&device->shapes[obstacle], place, normal);
}

// Calls are few: an obstacle pushes on what has sunk in.
static VelaResult add_gradient(CpuDevice *device, const double *x, double *gradient)
{
    const Model *model = device->base.model;
    const double stiffness = model->scene->contact.stiffness;
    double place[3], n[3];
    for (int32_t o = 0; o < model->penalty_count; ++o)
        for (int32_t v = 0; v < model_surface_vertices(model); ++v) {
            const double slope = plane_penalty_slope(stiffness, find_gap(device, o, v, x, place, n));
            if (slope != 0)
                surface_map_pull_back(&model->surface.map, v,
                                      (const double[3]){slope * n[0], slope * n[1], slope * n[2]}, gradient);
        }
    return VELA_OK;
}

static VelaResult diagnose(CpuDevice *device, const double *x, Diagnosis *diagnosis)
{
    const Model *model = device->base.model;
    double place[3], n[3];
    for (int32_t o = 0; o < model->penalty_count; ++o)
        for (int32_t v = 0; v < model_surface_vertices(model); ++v) {
            if (!model->surface.map.is_free[v])
                continue;
            const double gap = find_gap(device, o, v, x, place, n);
            diagnosis->min_distance = gap < diagnosis->min_distance ? gap : diagnosis->min_distance;
            diagnosis->contact += plane_penalty_energy(model->scene->contact.stiffness, gap);
        }
    return VELA_OK;
}

static VelaResult begin_stage(CpuDevice *device)
{
    penalty_friction_begin(device);
    return VELA_OK;
}

static VelaResult add_dissipation(CpuDevice *device, double *gradient)
{
    penalty_friction_gradient(device, gradient);
    return VELA_OK;
}

static VelaResult add_loss(CpuDevice *device, const double *x0, const double *x1, double duration,
                           DissipationLoss *loss)
{
    penalty_friction_loss(device, x0, x1, duration, loss);
    return VELA_OK;
}

// ---------------------------------------------------------------- Newton's method

static VelaResult linearize(CpuDevice *device, bool project)
{
    const Model *model = device->base.model;
    const double stiffness = model->scene->contact.stiffness;
    double place[3], n[3];
    for (int32_t o = 0; o < model->penalty_count; ++o)
        for (int32_t v = 0; v < model_surface_vertices(model); ++v) {
            const double gap = find_gap(device, o, v, device->slots[SLOT_STAGE], place, n);
            if (!(gap < 0))
                continue;
            // k n n^T + bend (1 - n n^T), as a multiple of k.
            const double slope = plane_penalty_slope(stiffness, gap),
                         curvature = plane_penalty_curvature(stiffness, gap),
                         bend = penalty_bend(&device->shapes[o], place, slope, project) / curvature;
            double gradient[3], block[9];
            for (int k = 0; k < 9; ++k)
                block[k] = (1 - bend) * (n[k / 3] * n[k % 3]) + (k % 4 == 0 ? bend : 0);
            for (int k = 0; k < 3; ++k)
                gradient[k] = slope * n[k];
            vertex_push(device, v, gradient, curvature, block);
        }
    penalty_friction_linearize(device);
    return VELA_OK;
}

static void try_steps(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    const Model *model = device->base.model;
    const double stiffness = model->scene->contact.stiffness;
    double place[3], motion[3], n[3];
    for (int32_t o = 0; o < model->penalty_count; ++o)
        for (int32_t v = 0; v < model_surface_vertices(model); ++v) {
            if (!model->surface.map.is_free[v])
                continue;
            const double gap = find_gap(device, o, v, device->slots[SLOT_STAGE], place, n);
            surface_map_vertex(&model->surface.map, v, device->newton.direction, motion);
            for (int t = 0; t < count; ++t) {
                const double way[3] = {steps[t] * motion[0], steps[t] * motion[1], steps[t] * motion[2]};
                const double rise = penalty_gap_rise(&device->shapes[o], place, way);
                double there[3], magnitude;
                add_scaled3(place, 1, way, there);
                penalty_gap(&device->shapes[o], there, n);
                const double change = plane_penalty_change(stiffness, gap, rise, &magnitude);
                trial_add(sums, t, change, plane_penalty_slope(stiffness, gap + rise) * dot3(n, motion),
                          magnitude);
            }
        }
    penalty_friction_try(device, count, steps, sums);
}

const CpuTerm cpu_penalty_term = {
    .add_gradient = add_gradient,
    .diagnose = diagnose,
    .begin_stage = begin_stage,
    .add_dissipation = add_dissipation,
    .add_loss = add_loss,
    .linearize = linearize,
    .try_steps = try_steps,
    .admm_begin = penalty_split_begin,
    .admm_project = penalty_split_project,
    .admm_add_right = penalty_split_add_right,
    .admm_residual = penalty_split_residual,
    .admm_scatter = penalty_split_scatter,
    .admm_end = penalty_split_end,
};
