#include "device/cpu/diagnosis/diagnosis.h"

#include "device/cpu/terms/loads.h"
#include "device/cpu/terms/terms.h"
#include "model/loads.h"

#include "base/matrix3.h"

// What is summed over the nodes, in this order.
enum {
    KINETIC,
    GRAVITATIONAL,
    MOMENTUM,
    ANGULAR = MOMENTUM + 3,
    CENTER = ANGULAR + 3,
    MASS = CENTER + 3,
    NODE_SUMS
};

static void sum_nodes(const CpuDevice *device, const double *x, const double *v, int32_t chunk, double *sums)
{
    const Model *model = device->base.model;
    const int32_t last = (chunk + 1) * NODES_PER_CHUNK;
    memset(sums, 0, NODE_SUMS * sizeof *sums);
    for (int32_t i = chunk * NODES_PER_CHUNK; i < last && i < model->node_count; ++i) {
        const double *xi = x + 3 * (size_t)i, *vi = v + 3 * (size_t)i, mass = model->masses[i],
                     weight = model->gravity_weights[i];
        double turning[3];
        cross3(xi, vi, turning);
        sums[KINETIC] += 0.5 * mass * dot3(vi, vi);
        sums[GRAVITATIONAL] -= weight * dot3(model->scene->gravity, xi);
        for (int k = 0; k < 3; ++k) {
            sums[MOMENTUM + k] += weight * vi[k];
            sums[ANGULAR + k] += mass * turning[k];
            sums[CENTER + k] += weight * xi[k];
        }
        sums[MASS] += weight;
    }
}

// What coupled masses add to kinetic energy and angular momentum (theory.md section 9); momentum and centre follow from the
// gravity weights.
static void add_couplings(CpuDevice *device, const double *x, const double *v, Diagnosis *diagnosis)
{
    const Model *model = device->base.model;
    for (int32_t b = 0; b < model->mass_block_count; ++b) {
        const MassBlock *block = &model->mass_blocks[b];
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                const double mass = i == j ? 0 : block->masses[4 * i + j];
                const double *vi = v + 3 * (size_t)block->nodes[i], *vj = v + 3 * (size_t)block->nodes[j];
                double turning[3];
                cross3(x + 3 * (size_t)block->nodes[i], vj, turning);
                diagnosis->kinetic += 0.5 * mass * dot3(vi, vj);
                add_scaled3(diagnosis->angular_momentum, mass, turning, diagnosis->angular_momentum);
            }
    }
}

static void collect_nodes(CpuDevice *device, Diagnosis *diagnosis)
{
    double sums[NODE_SUMS] = {0};
    for (int32_t c = 0; c < device->node_chunks; ++c)
        for (int k = 0; k < NODE_SUMS; ++k)
            sums[k] += device->node_sums[c][k];
    diagnosis->kinetic = sums[KINETIC];
    diagnosis->gravitational = sums[GRAVITATIONAL];
    for (int k = 0; k < 3; ++k) {
        diagnosis->linear_momentum[k] = sums[MOMENTUM + k];
        diagnosis->angular_momentum[k] = sums[ANGULAR + k];
        diagnosis->center[k] = sums[CENTER + k] / sums[MASS];
    }
}

VelaResult cpu_diagnose(Device *base, Slot position, Slot velocity, double time, Diagnosis *diagnosis)
{
    CpuDevice *device = (CpuDevice *)base;
    const double start = cpu_clock();
    const double *x = device->slots[position], *v = device->slots[velocity];
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
    model_penalty_shapes(base->model, time, device->shapes);
    cpu_loads_set(device, time);
    diagnosis->loads = model_load_energy(base->model, time, x);
    diagnosis->min_distance = diagnosis->min_det_f = INFINITY;
    for (int t = 0; t < count; ++t)
        if (terms[t]->diagnose)
            TRY(terms[t]->diagnose(device, x, diagnosis));
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t c = 0; c < device->node_chunks; ++c)
        sum_nodes(device, x, v, c, device->node_sums[c]);
    collect_nodes(device, diagnosis);
    add_couplings(device, x, v, diagnosis);
    diagnosis->bad_node = -1;
    for (size_t i = 0; i < 3 * (size_t)base->model->node_count && diagnosis->bad_node < 0; ++i)
        if (!isfinite(x[i]) || !isfinite(v[i]))
            diagnosis->bad_node = (int32_t)(i / 3);
    cpu_timing_add(device->timings, PHASE_DIAGNOSE, start);
    return VELA_OK;
}
