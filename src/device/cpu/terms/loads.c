#include "device/cpu/terms/loads.h"

#include "base/matrix3.h"
#include "model/loads.h"

void cpu_loads_set(CpuDevice *device, double time)
{
    const Model *model = device->base.model;
    ElementBundles *bundles = &device->elements.groups[ELEMENT_PRESSURE];
    if (device->loads)
        model_load_forces(model, time, device->loads);
    for (int32_t p = 0; p < model->pressure_count; ++p) {
        const ModelPressure *pressure = &model->pressures[p];
        const double value = model_pressure(pressure, time);
        for (int32_t b = 0; b < bundles->count && pressure->changes; ++b)
            if (model->groups[ELEMENT_PRESSURE].materials[bundles->elements[b][0]] == pressure->material)
                bundles->materials[b].material.kappa = value;
    }
}

static VelaResult add_gradient(CpuDevice *device, const double *x, double *gradient)
{
    (void)x;
    for (size_t i = 0; i < 3 * (size_t)device->base.model->node_count; ++i)
        gradient[i] -= device->loads[i];
    return VELA_OK;
}

static VelaResult linearize(CpuDevice *device, bool project)
{
    (void)project;
    const NodeOrder *order = &device->base.model->order;
    for (int32_t i = 0; i < order->free_count; ++i) {
        double *gradient = device->newton.gradient + 3 * (size_t)i;
        add_scaled3(gradient, -1, device->loads + 3 * (size_t)order->nodes[i], gradient);
    }
    return VELA_OK;
}

static void try_steps(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    const NodeOrder *order = &device->base.model->order;
    for (int32_t i = 0; i < order->free_count; ++i) {
        const size_t at = 3 * (size_t)order->nodes[i];
        const double pull = dot3(device->loads + at, device->newton.direction + at);
        for (int t = 0; t < count; ++t)
            trial_add(sums, t, -steps[t] * pull, -pull, steps[t] * fabs(pull));
    }
}

static void admm_add_right(CpuDevice *device)
{
    for (size_t i = 0; i < 3 * (size_t)device->base.model->node_count; ++i)
        device->admm.right[i] += device->loads[i];
}

static void admm_scatter(CpuDevice *device, double a, double b, double c, double *forces)
{
    (void)b;
    // Of the multipliers' balance (a = 1) the loads are a part, of a residual (a = 0) they are none.
    (void)c;
    for (size_t i = 0; i < 3 * (size_t)device->base.model->node_count; ++i)
        forces[i] -= a * device->loads[i];
}

const CpuTerm cpu_loads_term = {
    .add_gradient = add_gradient,
    .linearize = linearize,
    .try_steps = try_steps,
    .admm_add_right = admm_add_right,
    .admm_scatter = admm_scatter,
};
