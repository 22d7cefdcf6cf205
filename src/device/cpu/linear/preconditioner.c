#include "device/cpu/linear/preconditioner.h"

struct CpuPreconditioner {
    const Kernels *kernels;
    const BlockMatrix *matrix;
    int threads;
    Clusters clusters;
    CoarseSpace coarse; ///< without groups for block Jacobi
    Arena arena;
};

VelaResult preconditioner_create(VelaContext *context, Preconditioner kind, const Kernels *kernels,
                                 const BlockMatrix *matrix, const double *places, int32_t cluster_rows,
                                 int threads, CpuPreconditioner **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    CpuPreconditioner *preconditioner;
    TRY(ARENA_ARRAY(&arena, preconditioner, 1));
    *preconditioner = (CpuPreconditioner){.kernels = kernels, .matrix = matrix, .threads = threads};
    VelaResult result = clusters_create(&arena, matrix, cluster_rows, &preconditioner->clusters);
    if (result == VELA_OK && kind == PRECONDITIONER_TWO_LEVEL)
        result = coarse_space_create(&arena, matrix, places, &preconditioner->coarse);
    if (result != VELA_OK) {
        arena_clear(&arena);
        return result;
    }
    preconditioner->arena = arena;
    *out = preconditioner;
    return VELA_OK;
}

static bool has_coarse(const CpuPreconditioner *preconditioner)
{
    return preconditioner->coarse.size > 0;
}

// The factor of the coarse matrix is one task, which takes about as long as all of the clusters' together.
void preconditioner_update(CpuPreconditioner *preconditioner)
{
    const Kernels *kernels = preconditioner->kernels;
    const int32_t parts = preconditioner->matrix->part_count;
#pragma omp parallel num_threads(preconditioner->threads)
    {
#pragma omp for schedule(static)
        for (int32_t part = 0; part < parts; ++part)
            if (has_coarse(preconditioner))
                kernels->coarse_assemble(&preconditioner->coarse, part);
#pragma omp for schedule(dynamic)
        for (int32_t task = 0; task <= parts; ++task) {
            if (task > 0)
                kernels->cluster_factor(&preconditioner->clusters, task - 1);
            else if (has_coarse(preconditioner))
                kernels->coarse_factor(&preconditioner->coarse);
        }
    }
}

void preconditioner_begin(CpuPreconditioner *preconditioner, int32_t part, const double *r)
{
    if (has_coarse(preconditioner))
        preconditioner->kernels->coarse_restrict(&preconditioner->coarse, part, r);
}

int32_t preconditioner_tasks(const CpuPreconditioner *preconditioner)
{
    return 1 + preconditioner->matrix->part_count;
}

double preconditioner_task(CpuPreconditioner *preconditioner, int32_t task, const double *r, double *z)
{
    const Kernels *kernels = preconditioner->kernels;
    if (task > 0)
        return kernels->cluster_solve(&preconditioner->clusters, task - 1, r, z);
    return has_coarse(preconditioner) ? kernels->coarse_solve(&preconditioner->coarse) : 0;
}

void preconditioner_end(const CpuPreconditioner *preconditioner, int32_t part, double *z)
{
    if (has_coarse(preconditioner))
        preconditioner->kernels->coarse_prolong(&preconditioner->coarse, part, z);
}

void preconditioner_destroy(CpuPreconditioner *preconditioner)
{
    if (!preconditioner)
        return;
    Arena arena = preconditioner->arena;
    arena_clear(&arena);
}
