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

#include "device/cpu/admm/anderson.h"
#include "device/cpu/admm/global.h"
#include "device/cpu/terms/corner_forces.h"

#include "base/matrix3.h"
#include "physics/energy/energy.h"

#include <string.h>

static int32_t chunk_end(const CpuDevice *device, int32_t chunk)
{
    const int32_t end = (chunk + 1) * BLOCKS_PER_CHUNK;
    return end < device->blocks.count ? end : device->blocks.count;
}

VelaResult cpu_admm_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    const size_t n = 3 * (size_t)model->node_count;
    ElementBlocks *blocks = &device->blocks;
    ContactSplit *contact = &device->contact;
    device->penalty_factor = -1;
    device->penalty_scale = 1;
    TRY(ARENA_ARRAY(arena, device->tet_penalties, model->tet_count));
    TRY(ARENA_ARRAY(arena, device->right, n));
    TRY(ARENA_ARRAY(arena, device->delta, n));
    TRY(ARENA_ARRAY(arena, device->change_sums, device->block_chunks));
    TRY(ARENA_ARRAY(arena, device->block_sums, device->block_chunks));
    contact->count = (size_t)model->plane_count * (size_t)model->surface_node_count;
    double **arrays[] = {&contact->target,   &contact->state, &contact->projected,
                         &contact->residual, &contact->image, &contact->multiplier};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        TRY(ARENA_ARRAY(arena, *arrays[i], contact->count));
    const int32_t depth = model->scene->solver.anderson ? model->scene->solver.depth : 0;
    for (int32_t j = 0; j < depth; ++j) {
        TRY(ARENA_ARRAY(arena, blocks->residual_differences[j], blocks->count));
        TRY(ARENA_ARRAY(arena, blocks->image_differences[j], blocks->count));
        TRY(ARENA_ARRAY(arena, contact->residual_differences[j], contact->count));
        TRY(ARENA_ARRAY(arena, contact->image_differences[j], contact->count));
    }
    return global_create(device->base.context, model, device->tet_penalties, device->threads,
                         &device->global);
}

size_t cpu_admm_memory(const Model *model)
{
    const SolverDef *solver = &model->scene->solver;
    const size_t depth = solver->anderson ? (size_t)solver->depth : 0;
    const size_t per_tet = 8 * (2 + 5 * 9) + depth * 2 * 9 * 4, per_node = 2 * 8 * 3;
    const size_t per_contact = 8 * (6 + 2 * depth);
    return per_tet * (size_t)model->tet_count + per_node * (size_t)model->node_count +
           per_contact * (size_t)model->plane_count * (size_t)model->surface_node_count +
           8 * (size_t)model->row_start[model->node_count];
}

// ---------------------------------------------------------------- penalties

// rho_i = factor w_i psi_11(1); the factor is 0.5 from nu = 0.45 on unless the user gave one (theory.md
// section 5).
static void set_penalties(CpuDevice *device, double factor)
{
    const Model *model = device->base.model;
    double force_sq = 0;
    for (int32_t t = 0; t < model->tet_count; ++t) {
        const MaterialDef *material = &model->scene->materials[model->tet_materials[t]];
        const double chosen = factor > 0 ? factor : material->poissons_ratio >= 0.45 ? 0.5 : 1;
        const double rho =
            chosen * model->volumes[t] * energy_psi11(material->model, material->kappa, material->lambda);
        device->tet_penalties[t] = rho;
        // What one unit of every entry of J - Z does to the forces: rounding in J shows as a dual residual.
        double sum[3] = {0};
        for (int k = 0; k < 9; ++k) {
            const double g = model->shape_gradients[9 * (size_t)t + (size_t)k];
            force_sq += 3 * rho * rho * g * g;
            sum[k % 3] += g;
        }
        force_sq += 3 * rho * rho * dot3(sum, sum);
    }
    device->dual_floor = 4 * 0x1p-53 * 0.5 * sqrt(force_sq);
    device->penalty_factor = factor;
}

static void pack_penalties(CpuDevice *device)
{
    ElementBlocks *blocks = &device->blocks;
    for (int32_t b = 0; b < blocks->count; ++b)
        for (int l = 0; l < LANE_COUNT; ++l) {
            const int32_t tet = blocks->tets[b][l];
            blocks->penalties[b][l] =
                tet >= 0 ? device->penalty_scale * device->tet_penalties[tet] : blocks->penalties[b][0];
        }
}

VelaResult cpu_admm_scale_penalty(Device *base, double factor)
{
    CpuDevice *device = (CpuDevice *)base;
    ElementBlocks *blocks = &device->blocks;
    // Y = rho (S - Z) stays, so S - Z shrinks as rho grows.
    for (int32_t b = 0; b < blocks->count; ++b)
        for (int k = 0; k < 9; ++k)
            blocks->image[b][k] =
                blocks->projected[b][k] + (blocks->image[b][k] - blocks->projected[b][k]) / factor;
    device->penalty_scale *= factor;
    pack_penalties(device);
    device->anderson.kept = 0;
    device->anderson.has_previous = false;
    device->mixing.depth = 0;
    const GlobalKey key = {device->stage.a, device->penalty_scale};
    const double start = cpu_clock();
    TRY(global_prepare(device->global, &key, (const double(*)[3])device->normals));
    cpu_timing_add(device->timings, PHASE_FACTOR, start);
    return VELA_OK;
}

// ---------------------------------------------------------------- contact

static double gap_of(const CpuDevice *device, int32_t plane, int32_t surface_node, const double *x)
{
    const size_t i = 3 * (size_t)device->base.model->surface_nodes[surface_node];
    return dot3(device->normals[plane], x + i) - device->offsets[plane];
}

static void contact_begin(CpuDevice *device)
{
    const Model *model = device->base.model;
    ContactSplit *contact = &device->contact;
    const double k = model->scene->contact.stiffness;
    for (size_t i = 0; i < contact->count; ++i) {
        const int32_t plane = (int32_t)(i / (size_t)model->surface_node_count);
        const int32_t node = (int32_t)(i % (size_t)model->surface_node_count);
        contact->target[i] = gap_of(device, plane, node, device->slots[SLOT_TARGET]);
        contact->image[i] = contact->target[i] + contact->multiplier[i] / k;
    }
}

// y' = prox(s): s outside; half of it inside, where the plane pushes with weight k against the split's weight
// k. Shares its loop among the threads of the region it is called in.
static void contact_project(CpuDevice *device)
{
    ContactSplit *contact = &device->contact;
#pragma omp for schedule(static) nowait
    for (size_t i = 0; i < contact->count; ++i) {
        double s = contact->image[i];
        for (int32_t j = 0; j < device->mixing.depth; ++j)
            s -= device->mixing.weights[j] * contact->image_differences[j][i];
        contact->state[i] = s;
        // A step starts with y' = the target's gap, whatever the multiplier (theory.md section 5, "Start").
        contact->projected[i] = device->first_iteration ? contact->target[i] : s >= 0 ? s : 0.5 * s;
    }
}

static void contact_add_right(CpuDevice *device)
{
    const Model *model = device->base.model;
    const ContactSplit *contact = &device->contact;
    const double k = model->scene->contact.stiffness;
    for (size_t i = 0; i < contact->count; ++i) {
        const int32_t node = model->surface_nodes[i % (size_t)model->surface_node_count];
        const double *normal = device->normals[i / (size_t)model->surface_node_count];
        const double push =
            k * ((contact->projected[i] - contact->state[i]) + (contact->projected[i] - contact->target[i]));
        add_scaled3(device->right + 3 * (size_t)node, push, normal, device->right + 3 * (size_t)node);
    }
}

// The part of the sums that belongs to the split; `gaps` gets |gap|^2 and |y'|^2.
static void contact_residuals(CpuDevice *device, int32_t newest, int32_t depth, ResidualSums *sums,
                              double gaps[2])
{
    const Model *model = device->base.model;
    ContactSplit *contact = &device->contact;
    const double k = model->scene->contact.stiffness;
    gaps[0] = gaps[1] = 0;
    for (size_t i = 0; i < contact->count; ++i) {
        const size_t node = 3 * (size_t)model->surface_nodes[i % (size_t)model->surface_node_count];
        if (!model->node_is_free[node / 3])
            continue;
        const double moved =
            dot3(device->normals[i / (size_t)model->surface_node_count], device->delta + node);
        const double gap = contact->target[i] + moved;
        const double residual = (contact->target[i] - contact->projected[i]) + moved;
        const double image = contact->state[i] + residual;
        if (newest >= 0) {
            contact->residual_differences[newest][i] = residual - contact->residual[i];
            contact->image_differences[newest][i] = image - contact->image[i];
        }
        contact->residual[i] = residual;
        contact->image[i] = image;
        sums->residual_sq += residual * residual;
        sums->weighted_sq += k * residual * residual;
        gaps[0] += gap * gap;
        gaps[1] += contact->projected[i] * contact->projected[i];
        for (int32_t j = 0; j < depth; ++j) {
            const double difference = contact->residual_differences[j][i];
            sums->newest[j] += k * difference * contact->residual_differences[newest][i];
            sums->current[j] += k * difference * residual;
        }
    }
}

// ---------------------------------------------------------------- one iteration

static void local_step(CpuDevice *device)
{
    const Model *model = device->base.model;
    const ElementBlocks *blocks = &device->blocks;
    const double start = cpu_clock();
#pragma omp parallel num_threads(device->threads)
    {
        contact_project(device);
#pragma omp for schedule(static)
        for (int32_t c = 0; c < device->block_chunks; ++c)
            device->kernels->project(&device->blocks, c * BLOCKS_PER_CHUNK, chunk_end(device, c),
                                     &device->mixing, &device->change_sums[c]);
#pragma omp for schedule(static)
        for (int32_t i = 0; i < blocks->node_count; ++i) {
            const int32_t node = blocks->node_order[i];
            double sum[3];
            cpu_gather_place(blocks, i, sum);
            add_scaled3(sum, model->masses[node], model->scene->gravity, device->right + 3 * (size_t)node);
        }
    }
    device->change_sq = 0;
    for (int32_t c = 0; c < device->block_chunks; ++c)
        device->change_sq += device->change_sums[c];
    contact_add_right(device);
    cpu_timing_add(device->timings, PHASE_LOCAL, start);
}

// Squared norms over the free nodes: sums[0] of `residual`, sums[1] of M g - M delta/a^2 (the multipliers'
// force, by stationarity), sums[2] of M (xt - x_n)/a^2, sums[3] of M g.
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
                const double gravity = mass * g[i % 3], force = gravity - mass * inverse * device->delta[i];
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

// corner forces of rho (a S + b Z + c residual) and the split's k (a s + b y' + c residual) n, summed at the
// nodes.
static void gather_split(CpuDevice *device, double a, double b, double c, double *forces)
{
    const Model *model = device->base.model;
    const ContactSplit *contact = &device->contact;
    const double k = model->scene->contact.stiffness;
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t chunk = 0; chunk < device->block_chunks; ++chunk)
        device->kernels->scatter(&device->blocks, chunk * BLOCKS_PER_CHUNK, chunk_end(device, chunk), a, b,
                                 c);
    cpu_gather(device, forces);
    for (size_t i = 0; i < contact->count; ++i) {
        const size_t node = 3 * (size_t)model->surface_nodes[i % (size_t)model->surface_node_count];
        const double push =
            k * (a * contact->state[i] + b * contact->projected[i] + c * contact->residual[i]);
        add_scaled3(forces + node, push, device->normals[i / (size_t)model->surface_node_count],
                    forces + node);
    }
}

// The dual residual and its bound. In the sheet's variable q both are half of what they are here.
static void dual_residual(CpuDevice *device, AdmmReport *report)
{
    double sums[4];
    gather_split(device, 0, 0, 1, device->right);
    node_norms(device, device->right, sums);
    const double tolerance = device->settings.tolerance;
    report->dual = 0.5 * sqrt(sums[0]);
    report->dual_bound = tolerance * (0.5 * sqrt(sums[2]) + sqrt(sums[3])) + tolerance * 0.5 * sqrt(sums[1]);
}

static void residual_step(CpuDevice *device, AdmmReport *report)
{
    const Model *model = device->base.model;
    const double start = cpu_clock();
    Anderson *anderson = &device->anderson;
    int32_t newest = -1, depth = 0;
    if (anderson->depth > 0 && anderson->has_previous) {
        newest = anderson->next;
        depth = anderson->kept < anderson->depth ? anderson->kept + 1 : anderson->depth;
    }
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < device->block_chunks; ++c)
        device->kernels->residuals(&device->blocks, c * BLOCKS_PER_CHUNK, chunk_end(device, c), device->delta,
                                   newest, depth, &device->block_sums[c]);
    ResidualSums sums = {0};
    for (int32_t c = 0; c < device->block_chunks; ++c) {
        const ResidualSums *chunk = &device->block_sums[c];
        sums.residual_sq += chunk->residual_sq;
        sums.gradient_sq += chunk->gradient_sq;
        sums.projected_sq += chunk->projected_sq;
        sums.weighted_sq += chunk->weighted_sq;
        for (int32_t j = 0; j < depth; ++j) {
            sums.newest[j] += chunk->newest[j];
            sums.current[j] += chunk->current[j];
        }
    }
    const double tolerance = device->settings.tolerance, elements_sq = sums.residual_sq;
    double gaps[2];
    contact_residuals(device, newest, depth, &sums, gaps);
    const double contact_sq = sums.residual_sq - elements_sq;
    const double bound = tolerance * sqrt(9.0 * model->tet_count) +
                         tolerance * sqrt(fmax(sums.gradient_sq, sums.projected_sq));
    const double contact_bound =
        tolerance * sqrt((double)device->contact.count) + tolerance * sqrt(fmax(gaps[0], gaps[1]));
    report->primal = sqrt(elements_sq);
    report->primal_difference = report->primal;
    report->dual_difference = sqrt(device->change_sq);
    report->primal_bound = bound;
    report->converged = report->primal <= bound && contact_sq <= contact_bound * contact_bound;
    cpu_anderson_update(device, &sums);
    cpu_timing_add(device->timings, PHASE_RESIDUAL, start);
}

VelaResult cpu_admm_iterate(Device *base, int32_t count, AdmmReport *report)
{
    CpuDevice *device = (CpuDevice *)base;
    for (int32_t i = 0; i < count && !report->converged; ++i) {
        local_step(device);
        double start = cpu_clock();
        TRY(global_solve(device->global, device->right, 1e-2 * device->settings.tolerance, device->delta,
                         &report->linear_iterations));
        cpu_timing_add(device->timings, PHASE_GLOBAL, start);
        residual_step(device, report);
        device->first_iteration = false;
        ++report->iterations;
        // The dual residual costs another pass, so it is looked at only when the primal one is small or for
        // the report.
        if (report->converged || i + 1 == count) {
            start = cpu_clock();
            dual_residual(device, report);
            // In balance without gravity nothing is left to compare the residual with but rounding.
            const double floor = device->penalty_scale * device->dual_floor;
            report->at_rounding =
                report->converged && report->dual > report->dual_bound && report->dual <= floor;
            report->converged =
                report->converged && (report->dual <= report->dual_bound || report->at_rounding);
            cpu_timing_add(device->timings, PHASE_RESIDUAL, start);
        }
        if (!isfinite(report->primal))
            return context_fail(base->context, VELA_ERROR_NOT_CONVERGED,
                                "ADMM diverged: its residual is not a number");
    }
    const size_t n = 3 * (size_t)base->model->node_count;
    for (size_t k = 0; k < n; ++k)
        device->slots[SLOT_STAGE][k] = device->slots[SLOT_TARGET][k] + device->delta[k];
    const double k = base->model->scene->contact.stiffness;
    ContactSplit *contact = &device->contact;
    for (size_t i = 0; i < contact->count; ++i)
        contact->multiplier[i] = k * (contact->state[i] - contact->projected[i] + contact->residual[i]);
    device->warm = true;
    return VELA_OK;
}

VelaResult cpu_admm_begin(Device *base, const AdmmSettings *settings)
{
    CpuDevice *device = (CpuDevice *)base;
    const Model *model = base->model;
    ElementBlocks *blocks = &device->blocks;
    if (settings->penalty != device->penalty_factor)
        set_penalties(device, settings->penalty);
    pack_penalties(device);
    device->settings = *settings;
    device->anderson = (Anderson){.depth = settings->depth};
    device->mixing.depth = 0;
    device->first_iteration = true;
    // Pinned nodes: xt = the prescribed place, so that their delta is 0.
    for (int32_t p = 0; p < model->pin_count; ++p) {
        const size_t i = 3 * (size_t)model->pin_nodes[p];
        memcpy(device->slots[SLOT_TARGET] + i, device->slots[SLOT_STAGE] + i, 3 * sizeof(double));
    }
    if (!device->warm) {
        // Z = F(q_0), Y = W = 0.
        device->kernels->gradients(blocks, 0, blocks->count, device->slots[SLOT_POSITION]);
        memcpy(blocks->image, blocks->target, (size_t)blocks->count * sizeof *blocks->image);
    }
    memset(device->delta, 0, 3 * (size_t)model->node_count * sizeof(double));
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < device->block_chunks; ++c)
        device->kernels->gradients(blocks, c * BLOCKS_PER_CHUNK, chunk_end(device, c),
                                   device->slots[SLOT_TARGET]);
    contact_begin(device);
    const GlobalKey key = {device->stage.a, device->penalty_scale};
    const double start = cpu_clock();
    TRY(global_prepare(device->global, &key, (const double(*)[3])device->normals));
    cpu_timing_add(device->timings, PHASE_FACTOR, start);
    return VELA_OK;
}

// -M^-1 grad Phi from the multipliers after their update, Y + rho (D x - Z) and W + k (gap - y').
VelaResult cpu_stage_acceleration(Device *base, Slot destination)
{
    CpuDevice *device = (CpuDevice *)base;
    const Model *model = base->model;
    double *out = device->slots[destination];
    gather_split(device, 1, -1, 1, out);
    for (int32_t i = 0; i < model->node_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double *value = out + 3 * (size_t)i + k;
            *value = model->node_is_free[i] ? model->scene->gravity[k] - *value / model->masses[i] : 0;
        }
    return VELA_OK;
}

// ---------------------------------------------------------------- what is carried from step to step

enum { STATE_HEADER = 2 };

size_t cpu_solver_state_size(const Device *base)
{
    const CpuDevice *device = (const CpuDevice *)base;
    if (!device->global)
        return 0; // Newton's method carries nothing
    return STATE_HEADER + 9 * (size_t)base->model->tet_count + device->contact.count;
}

VelaResult cpu_solver_state_read(Device *base, double *values)
{
    CpuDevice *device = (CpuDevice *)base;
    const ElementBlocks *blocks = &device->blocks;
    if (!device->global)
        return VELA_OK;
    values[0] = device->warm;
    values[1] = device->penalty_scale;
    for (int32_t b = 0; b < blocks->count; ++b)
        for (int l = 0; l < LANE_COUNT && blocks->tets[b][l] >= 0; ++l)
            for (int k = 0; k < 9; ++k)
                values[STATE_HEADER + 9 * (size_t)blocks->tets[b][l] + (size_t)k] = blocks->image[b][k][l];
    memcpy(values + STATE_HEADER + 9 * (size_t)base->model->tet_count, device->contact.multiplier,
           device->contact.count * sizeof(double));
    return VELA_OK;
}

VelaResult cpu_solver_state_write(Device *base, const double *values)
{
    CpuDevice *device = (CpuDevice *)base;
    ElementBlocks *blocks = &device->blocks;
    if (!device->global)
        return VELA_OK;
    device->warm = values[0] != 0;
    device->penalty_scale = values[1];
    for (int32_t b = 0; b < blocks->count; ++b)
        for (int l = 0; l < LANE_COUNT; ++l) {
            // A left-over lane repeats the last element of its block.
            int from = l;
            while (blocks->tets[b][from] < 0)
                --from;
            for (int k = 0; k < 9; ++k)
                blocks->image[b][k][l] = values[STATE_HEADER + 9 * (size_t)blocks->tets[b][from] + (size_t)k];
        }
    memcpy(device->contact.multiplier, values + STATE_HEADER + 9 * (size_t)base->model->tet_count,
           device->contact.count * sizeof(double));
    return VELA_OK;
}
