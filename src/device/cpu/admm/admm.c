// ADMM of theory.md section 5 on the CPU, written for the stage's solution x (for VES x = q_mid, a = h/2; the
// formulas of the sheet for q follow by q = 2 x - q_k). With the joint U, P step the iteration is
// Douglas-Rachford:
//
//     Z = U P = prox(S)                Y = rho (S - Z) = w P(Z)
//     A delta = D^T (rho (2 Z - S - D xt)) + M g + contact,      x = xt + delta
//     S' = S + (D x - Z)               so that  Y' = Y + rho (D x - Z)
//
// D x - Z is the primal residual of (x, Z, Y), and D^T rho (D x - Z) what stationarity in x lacks: the dual
// one.
#include "device/cpu/admm/admm.h"

#include "device/cpu/admm/air_copies.h"
#include "device/cpu/admm/anderson.h"
#include "device/cpu/admm/damping_copies.h"
#include "device/cpu/admm/damping_state.h"
#include "device/cpu/admm/global.h"
#include "device/cpu/admm/rigid_update.h"
#include "device/cpu/terms/inertia.h"
#include "device/cpu/terms/penalty_split.h"
#include "device/cpu/terms/terms.h"

#include "base/matrix3.h"
#include "model/air_copies.h"
#include "model/matrix.h"

#include <string.h>

VelaResult cpu_admm_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    const size_t n = 3 * (size_t)model->node_count;
    AdmmData *admm = &device->admm;
    admm->penalty_factor = -1;
    admm->penalty_scale = 1;
    TRY(ARENA_ARRAY(arena, admm->penalties, model->element_count));
    TRY(ARENA_ARRAY(arena, admm->right, n));
    TRY(ARENA_ARRAY(arena, admm->delta, n));
    TRY(ARENA_ARRAY(arena, admm->change_sums, device->elements.chunk_count));
    TRY(ARENA_ARRAY(arena, admm->element_sums, device->elements.chunk_count));
    TRY(penalty_split_create(model, arena, &admm->penalty));
    admm->all_penalties = admm->penalties;
    if (model->is_damped) {
        TRY(ARENA_ARRAY(arena, admm->all_penalties, model->element_count));
        TRY(ARENA_ARRAY(arena, admm->diagonal, model->node_count));
    }
    if (model_air_couples_nodes(model))
        TRY(ARENA_ARRAY(arena, admm->coupling, model->row_start[model->node_count]));
    return global_create(device->base.context, model,
                         &(GlobalWeights){.penalties = admm->all_penalties,
                                          .diagonal = admm->diagonal,
                                          .coupling = admm->coupling},
                         device->threads, &admm->global);
}

size_t cpu_admm_memory(const Model *model)
{
    return (model->is_damped ? 2 : 1) * 8 * (size_t)model->element_count + admm_damping_memory(model) +
           rigid_update_memory(model) + air_copies_memory(model) + 2 * 8 * 3 * (size_t)model->node_count +
           penalty_split_memory(model) + 8 * (size_t)model->row_start[model->node_count];
}

// ---------------------------------------------------------------- penalties

// What rounding leaves of the dual residual with weights that make such forces.
static void set_floor(CpuDevice *device, double force_sq)
{
    device->admm.dual_floor = 4 * 0x1p-53 * 0.5 * sqrt(force_sq);
}

// rho of every element.
static void set_penalties(CpuDevice *device, double factor)
{
    set_floor(device, model_element_penalties(device->base.model, factor, device->admm.penalties));
    device->admm.penalty_factor = factor;
}

static void pack_penalties(CpuDevice *device)
{
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        ElementBundles *bundles = &device->elements.groups[kind];
        const double *penalties = device->admm.penalties + bundles->first_element;
        for (int32_t b = 0; b < bundles->count; ++b)
            for (int l = 0; l < LANE_COUNT; ++l) {
                const int32_t element = bundles->elements[b][l];
                bundles->penalties[b][l] =
                    element >= 0 ? device->admm.penalty_scale * penalties[element] : bundles->penalties[b][0];
            }
    }
}

static VelaResult prepare_global(CpuDevice *device)
{
    const GlobalKey key = {device->stage.a, device->admm.penalty_scale, admm_damping_weights(device)};
    const double start = cpu_clock();
    TRY(global_prepare(device->admm.global, &key, device->shapes));
    TRY(rigid_update_prepare(device));
    cpu_timing_add(device->timings, PHASE_FACTOR, start);
    return VELA_OK;
}

VelaResult cpu_admm_scale_penalty(Device *base, double factor)
{
    CpuDevice *device = (CpuDevice *)base;
    AdmmData *admm = &device->admm;
    // Y = rho (S - Z) stays, so S - Z shrinks as rho grows.
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        ElementBundles *bundles = &device->elements.groups[kind];
        const size_t size = (size_t)bundles->count * (size_t)element_size(bundles->kind);
        for (size_t k = 0; k < size; ++k)
            bundles->image[k] = bundles->projected[k] + (bundles->image[k] - bundles->projected[k]) / factor;
    }
    admm_damping_rescale(device, factor);
    admm->penalty_scale *= factor;
    pack_penalties(device);
    admm->anderson.kept = 0;
    admm->anderson.has_previous = false;
    admm->mixing.depth = 0;
    return prepare_global(device);
}

// ---------------------------------------------------------------- one iteration

static void local_step(CpuDevice *device)
{
    const Model *model = device->base.model;
    const NodeOrder *order = &device->base.model->order;
    AdmmData *admm = &device->admm;
    const double start = cpu_clock();
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
#pragma omp parallel num_threads(device->threads)
    {
        for (int t = count - 1; t >= 0;
             --t) // the elements last: what comes before needs no barrier behind it
            if (terms[t]->admm_project)
                terms[t]->admm_project(device);
#pragma omp for schedule(static)
        for (int32_t i = 0; i < order->node_count; ++i) {
            const int32_t node = order->nodes[i];
            double sum[3];
            corner_forces_at(&device->forces, i, sum);
            add_scaled3(sum, model->gravity_weights[node], model->scene->gravity,
                        admm->right + 3 * (size_t)node);
        }
    }
    admm->change_sq = 0;
    for (int32_t c = 0; c < device->elements.chunk_count; ++c)
        admm->change_sq += admm->change_sums[c];
    for (int t = 0; t < count; ++t)
        if (terms[t]->admm_add_right)
            terms[t]->admm_add_right(device);
    cpu_timing_add(device->timings, PHASE_LOCAL, start);
}

// Squared norms over the free nodes: sums[0] of `residual`, sums[1] of M g - M delta/a^2 (the multipliers'
// force, by stationarity), sums[2] of M (xt - x_n)/a^2, sums[3] of M g; M g with the loads.
static void node_norms(CpuDevice *device, const double *residual, double sums[4])
{
    const Model *model = device->base.model;
    const double *target = device->slots[SLOT_TARGET], *start = device->slots[SLOT_POSITION];
    const double *g = model->scene->gravity, inverse = 1 / (device->stage.a * device->stage.a);
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t c = 0; c < device->node_chunks; ++c) {
        double partial[4] = {0};
        const int32_t last = (c + 1) * NODES_PER_CHUNK;
        for (int32_t node = c * NODES_PER_CHUNK; node < last && node < model->node_count; ++node) {
            if (!model->node_is_free[node])
                continue;
            const double mass = model->masses[node];
            for (size_t i = 3 * (size_t)node; i < 3 * (size_t)node + 3; ++i) {
                const double gravity = mass * g[i % 3] + (device->loads ? device->loads[i] : 0),
                             force = gravity - mass * inverse * device->admm.delta[i];
                const double inertia = mass * inverse * (target[i] - start[i]);
                partial[0] += residual[i] * residual[i];
                partial[1] += force * force;
                partial[2] += inertia * inertia;
                partial[3] += gravity * gravity;
            }
        }
        memcpy(device->node_sums[c], partial, sizeof partial);
    }
    memset(sums, 0, 4 * sizeof *sums);
    for (int32_t c = 0; c < device->node_chunks; ++c)
        for (int k = 0; k < 4; ++k)
            sums[k] += device->node_sums[c][k];
}

// D^T rho (a S + b Z + c residual) of all terms, summed at the nodes.
static void scatter(CpuDevice *device, double a, double b, double c, double *forces)
{
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
    for (int t = 0; t < count; ++t)
        if (terms[t]->admm_scatter)
            terms[t]->admm_scatter(device, a, b, c, forces);
}

// The dual residual and its bound. In the sheet's variable q both are half of what they are here.
static void dual_residual(CpuDevice *device, AdmmReport *report)
{
    double sums[4];
    scatter(device, 0, 0, 1, device->admm.right);
    model_release(device->base.model, device->admm.right);
    node_norms(device, device->admm.right, sums);
    const double tolerance = device->admm.settings.tolerance;
    report->dual = 0.5 * sqrt(sums[0]);
    report->dual_bound = tolerance * (0.5 * sqrt(sums[2]) + sqrt(sums[3])) + tolerance * 0.5 * sqrt(sums[1]);
}

static void residual_step(CpuDevice *device, AdmmReport *report)
{
    const double start = cpu_clock();
    const Anderson *anderson = &device->admm.anderson;
    int32_t newest = -1, depth = 0;
    if (anderson->depth > 0 && anderson->has_previous) {
        newest = anderson->next;
        depth = anderson->kept < anderson->depth ? anderson->kept + 1 : anderson->depth;
    }
    ResidualSums sums = {0};
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
    report->converged = true;
    for (int t = 0; t < count; ++t)
        if (terms[t]->admm_residual)
            terms[t]->admm_residual(device, newest, depth, &sums, report);
    report->dual_difference = sqrt(device->admm.change_sq);
    cpu_anderson_update(device, &sums);
    cpu_timing_add(device->timings, PHASE_RESIDUAL, start);
}

// With penalty contact one iteration alone does not contract where the split's weight is below the stiffness (plane_penalty_weight): what
// rests would move by what the tolerance allows. As ADMM_LEAST_WITH_CONTACT of abi/admm.h.
static int32_t iterations_least(const CpuDevice *device)
{
    return device->base.model->penalty_count > 0 ? 4 : 0;
}

VelaResult cpu_admm_iterate(Device *base, int32_t count, AdmmReport *report)
{
    CpuDevice *device = (CpuDevice *)base;
    for (int32_t i = 0; i < count && !report->converged; ++i) {
        local_step(device);
        double start = cpu_clock();
        global_solve(device->admm.global, device->admm.right, device->admm.delta);
        rigid_update_apply(device, device->admm.delta);
        cpu_timing_add(device->timings, PHASE_GLOBAL, start);
        residual_step(device, report);
        ++device->admm.iterations;
        ++report->iterations;
        // The dual residual costs another pass, so it is looked at only when the primal one is small or for
        // the report.
        if (report->converged || i + 1 == count) {
            start = cpu_clock();
            dual_residual(device, report);
            // In balance without gravity nothing is left to compare the residual with but rounding.
            const double floor = device->admm.penalty_scale * device->admm.dual_floor;
            report->at_rounding =
                report->converged && report->dual > report->dual_bound && report->dual <= floor;
            report->converged = report->converged && device->admm.iterations >= iterations_least(device) &&
                                (report->dual <= report->dual_bound || report->at_rounding);
            cpu_timing_add(device->timings, PHASE_RESIDUAL, start);
        }
        if (!isfinite(report->primal))
            return context_fail(base->context, VELA_ERROR_NOT_CONVERGED,
                                "ADMM diverged: its residual is not a number");
    }
    const size_t n = 3 * (size_t)base->model->node_count;
    for (size_t k = 0; k < n; ++k)
        device->slots[SLOT_STAGE][k] = device->slots[SLOT_TARGET][k] + device->admm.delta[k];
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int term_count = cpu_terms(device, terms);
    for (int t = 0; t < term_count; ++t)
        if (terms[t]->admm_end)
            terms[t]->admm_end(device);
    device->admm.warm = true;
    return VELA_OK;
}

VelaResult cpu_admm_begin(Device *base, const AdmmSettings *settings)
{
    CpuDevice *device = (CpuDevice *)base;
    const Model *model = base->model;
    AdmmData *admm = &device->admm;
    if (settings->penalty != admm->penalty_factor)
        set_penalties(device, settings->penalty);
    pack_penalties(device);
    admm->settings = *settings;
    admm->anderson = (Anderson){.depth = settings->depth};
    admm->mixing.depth = 0;
    admm->iterations = 0;
    memset(admm->delta, 0, 3 * (size_t)model->node_count * sizeof(double));
    if (model->is_damped) {
        memcpy(admm->all_penalties, admm->penalties, (size_t)model->element_count * sizeof(double));
        memset(admm->diagonal, 0, (size_t)model->node_count * sizeof(double));
    }
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
    for (int t = 0; t < count; ++t)
        if (terms[t]->admm_begin)
            terms[t]->admm_begin(device);
    if (model->is_damped) // the copies' weights may be many times the elastic ones
        set_floor(device, model_penalty_forces(model, admm->all_penalties));
    return prepare_global(device);
}

// M^-1 times the forces by the multipliers after their update, Y + rho (D x - Z) and W + k (gap - y'): dissipation's too.
VelaResult cpu_stage_acceleration(Device *base, Slot destination)
{
    CpuDevice *device = (CpuDevice *)base;
    const Model *model = base->model;
    double *out = device->slots[destination];
    scatter(device, 1, -1, 1, out);
    inertia_divide(model, out);
    for (int32_t i = 0; i < model->node_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double *value = out + 3 * (size_t)i + k;
            *value = model->node_is_free[i] ? model->scene->gravity[k] - *value : 0;
        }
    model_release(model, out);
    return VELA_OK;
}

// ---------------------------------------------------------------- what is carried from step to step

enum { STATE_HEADER = 2 };

size_t cpu_solver_state_size(const Device *base)
{
    const CpuDevice *device = (const CpuDevice *)base;
    if (!device->admm.global)
        return 0; // Newton's method carries nothing
    return STATE_HEADER + (size_t)base->model->local_count + device->admm.penalty.count +
           admm_damping_state_size(device) + air_copies_state_size(device);
}

VelaResult cpu_solver_state_read(Device *base, double *values)
{
    CpuDevice *device = (CpuDevice *)base;
    const AdmmData *admm = &device->admm;
    if (!admm->global)
        return VELA_OK;
    values[0] = admm->warm;
    values[1] = admm->penalty_scale;
    double *states = values + STATE_HEADER;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementBundles *bundles = &device->elements.groups[kind];
        const size_t size = (size_t)element_size(bundles->kind);
        for (int32_t b = 0; b < bundles->count; ++b)
            for (int l = 0; l < LANE_COUNT && bundles->elements[b][l] >= 0; ++l)
                for (size_t k = 0; k < size; ++k)
                    states[size * (size_t)bundles->elements[b][l] + k] =
                        bundles->image[size * (size_t)b + k][l];
        states += size * (size_t)bundles->element_count;
    }
    memcpy(states, admm->penalty.multiplier, admm->penalty.count * sizeof(double));
    admm_damping_state_read(device, states + admm->penalty.count);
    air_copies_state_read(device, states + admm->penalty.count + admm_damping_state_size(device));
    return VELA_OK;
}

VelaResult cpu_solver_state_write(Device *base, const double *values)
{
    CpuDevice *device = (CpuDevice *)base;
    AdmmData *admm = &device->admm;
    if (!admm->global)
        return VELA_OK;
    admm->warm = values[0] != 0;
    admm->penalty_scale = values[1];
    const double *states = values + STATE_HEADER;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementBundles *bundles = &device->elements.groups[kind];
        const size_t size = (size_t)element_size(bundles->kind);
        for (int32_t b = 0; b < bundles->count; ++b)
            for (int l = 0; l < LANE_COUNT; ++l) {
                // A left-over lane repeats the last element of its block.
                int from = l;
                while (bundles->elements[b][from] < 0)
                    --from;
                for (size_t k = 0; k < size; ++k)
                    bundles->image[size * (size_t)b + k][l] =
                        states[size * (size_t)bundles->elements[b][from] + k];
            }
        states += size * (size_t)bundles->element_count;
    }
    memcpy(admm->penalty.multiplier, states, admm->penalty.count * sizeof(double));
    admm_damping_state_write(device, states + admm->penalty.count);
    air_copies_state_write(device, states + admm->penalty.count + admm_damping_state_size(device));
    return VELA_OK;
}
