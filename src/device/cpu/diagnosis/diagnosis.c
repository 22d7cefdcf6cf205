#include "device/cpu/diagnosis/diagnosis.h"

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
        const double *xi = x + 3 * (size_t)i, *vi = v + 3 * (size_t)i, mass = model->masses[i];
        double turning[3];
        cross3(xi, vi, turning);
        sums[KINETIC] += 0.5 * mass * dot3(vi, vi);
        sums[GRAVITATIONAL] -= mass * dot3(model->scene->gravity, xi);
        for (int k = 0; k < 3; ++k) {
            sums[MOMENTUM + k] += mass * vi[k];
            sums[ANGULAR + k] += mass * turning[k];
            sums[CENTER + k] += mass * xi[k];
        }
        sums[MASS] += mass;
    }
}

static void diagnose_planes(CpuDevice *device, const double *x, Diagnosis *diagnosis)
{
    const Model *model = device->base.model;
    diagnosis->min_distance = INFINITY;
    for (int32_t p = 0; p < model->plane_count; ++p)
        for (int32_t s = 0; s < model->surface_node_count; ++s) {
            const int32_t node = model->surface_nodes[s];
            if (!model->node_is_free[node])
                continue;
            const double gap = dot3(device->normals[p], x + 3 * (size_t)node) - device->offsets[p];
            diagnosis->min_distance = gap < diagnosis->min_distance ? gap : diagnosis->min_distance;
            if (gap < 0)
                diagnosis->contact += 0.5 * model->scene->contact.stiffness * gap * gap;
        }
}

VelaResult cpu_diagnose(Device *base, Slot position, Slot velocity, double time, Diagnosis *diagnosis)
{
    CpuDevice *device = (CpuDevice *)base;
    const double start = cpu_clock();
    const double *x = device->slots[position], *v = device->slots[velocity];
    model_planes(base->model, time, device->normals, device->offsets);
    diagnose_planes(device, x, diagnosis);
    if (device->barrier) {
        ContactMeasure measure;
        TRY(barrier_measure(device->barrier, x, &measure));
        diagnosis->contact = measure.energy;
        diagnosis->min_distance = measure.min_distance;
        memcpy(diagnosis->closest, measure.vertices, sizeof measure.vertices);
    }
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t c = 0; c < device->node_chunks; ++c)
        sum_nodes(device, x, v, c, device->node_sums[c]);
#pragma omp parallel for schedule(static) num_threads(device->threads)
    for (int32_t c = 0; c < device->block_chunks; ++c) {
        const int32_t end = (c + 1) * BLOCKS_PER_CHUNK;
        device->kernels->energies(&device->blocks, c * BLOCKS_PER_CHUNK,
                                  end < device->blocks.count ? end : device->blocks.count, x,
                                  &device->energy_sums[c]);
    }
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
    diagnosis->min_det_f = INFINITY;
    int32_t inverted = INT32_MAX;
    for (int32_t c = 0; c < device->block_chunks; ++c) {
        const EnergySums *chunk = &device->energy_sums[c];
        diagnosis->elastic += chunk->elastic;
        diagnosis->min_det_f =
            chunk->min_det_f < diagnosis->min_det_f ? chunk->min_det_f : diagnosis->min_det_f;
        inverted = chunk->inverted < inverted ? chunk->inverted : inverted;
    }
    diagnosis->inverted_tet = inverted == INT32_MAX ? -1 : inverted;
    diagnosis->bad_node = -1;
    for (size_t i = 0; i < 3 * (size_t)base->model->node_count && diagnosis->bad_node < 0; ++i)
        if (!isfinite(x[i]) || !isfinite(v[i]))
            diagnosis->bad_node = (int32_t)(i / 3);
    cpu_timing_add(device->timings, PHASE_DIAGNOSE, start);
    return VELA_OK;
}
