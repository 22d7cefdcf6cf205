#include "device/cpu/preconditioner.h"

#include "base/matrix3.h"

struct CpuPreconditioner {
    const Kernels *kernels;
    const BlockMatrix *matrix;
    int threads;
    double (*inverses)[9]; ///< of the diagonal's blocks
    CoarseSpace coarse;    ///< without groups for block Jacobi
    Arena arena;
};

VelaResult preconditioner_create(VelaContext *context, Preconditioner kind, const Kernels *kernels,
                                 const BlockMatrix *matrix, const double *places, int threads,
                                 CpuPreconditioner **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    CpuPreconditioner *preconditioner;
    TRY(ARENA_ARRAY(&arena, preconditioner, 1));
    *preconditioner = (CpuPreconditioner){.kernels = kernels, .matrix = matrix, .threads = threads};
    VelaResult result = ARENA_ARRAY(&arena, preconditioner->inverses, matrix->row_count);
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

// The inverse where the block is positive definite, which true Hessians do not promise; else that of its diagonal's size.
static void invert_block(const double block[9], double inverse[9])
{
    const double minor = block[0] * block[4] - block[1] * block[3];
    if (block[0] > 0 && minor > 0 && matrix3_determinant(block) > 0) {
        matrix3_inverse(block, inverse);
        return;
    }
    const double size = fmax(fabs(block[0]), fmax(fabs(block[4]), fabs(block[8])));
    for (int k = 0; k < 9; ++k)
        inverse[k] = k % 4 == 0 && size > 0 ? 1 / size : 0;
}

void preconditioner_update(CpuPreconditioner *preconditioner)
{
    const BlockMatrix *matrix = preconditioner->matrix;
    CoarseSpace *coarse = &preconditioner->coarse;
#pragma omp parallel num_threads(preconditioner->threads)
    {
#pragma omp for schedule(static) nowait
        for (int32_t i = 0; i < matrix->row_count; ++i)
            invert_block(matrix->values + 9 * (size_t)matrix->diagonal[i], preconditioner->inverses[i]);
#pragma omp for schedule(static)
        for (int32_t g = 0; g < coarse->group_count; ++g)
            preconditioner->kernels->coarse_assemble(coarse, g, g + 1);
    }
    preconditioner->kernels->coarse_factor(coarse);
}

void preconditioner_apply(CpuPreconditioner *preconditioner, const double *r, double *z)
{
    const Kernels *kernels = preconditioner->kernels;
    const int32_t rows = preconditioner->matrix->row_count;
    CoarseSpace *coarse = &preconditioner->coarse;
#pragma omp parallel num_threads(preconditioner->threads)
    {
#pragma omp for schedule(static) nowait
        for (int32_t i = 0; i < rows; ++i)
            matrix3_apply(preconditioner->inverses[i], r + 3 * (size_t)i, z + 3 * (size_t)i);
#pragma omp for schedule(static)
        for (int32_t g = 0; g < coarse->group_count; ++g)
            kernels->coarse_restrict(coarse, g, g + 1, r);
#pragma omp single
        kernels->coarse_solve(coarse);
#pragma omp for schedule(static)
        for (int32_t g = 0; g < coarse->group_count; ++g)
            kernels->coarse_prolong(coarse, g, g + 1, z);
    }
}

void preconditioner_destroy(CpuPreconditioner *preconditioner)
{
    if (!preconditioner)
        return;
    Arena arena = preconditioner->arena;
    arena_clear(&arena);
}
