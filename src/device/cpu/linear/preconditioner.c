#include "device/cpu/linear/preconditioner.h"

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
#pragma omp parallel for schedule(static) num_threads(preconditioner->threads)
    for (int32_t part = 0; part < matrix->part_count; ++part) {
        for (int32_t i = matrix->part_start[part]; i < matrix->part_start[part + 1]; ++i)
            invert_block(matrix->values + 9 * (size_t)matrix->diagonal[i], preconditioner->inverses[i]);
        if (preconditioner->coarse.size > 0)
            preconditioner->kernels->coarse_assemble(&preconditioner->coarse, part);
    }
    preconditioner->kernels->coarse_factor(&preconditioner->coarse);
}

double preconditioner_begin(CpuPreconditioner *preconditioner, int32_t part, const double *r, double *z)
{
    const BlockMatrix *matrix = preconditioner->matrix;
    double sum = 0;
    for (int32_t i = matrix->part_start[part]; i < matrix->part_start[part + 1]; ++i) {
        const double *own = r + 3 * (size_t)i;
        double *out = z + 3 * (size_t)i;
        matrix3_apply(preconditioner->inverses[i], own, out);
        sum += dot3(own, out);
    }
    if (preconditioner->coarse.size > 0)
        preconditioner->kernels->coarse_restrict(&preconditioner->coarse, part, r);
    return sum;
}

double preconditioner_middle(CpuPreconditioner *preconditioner)
{
    return preconditioner->kernels->coarse_solve(&preconditioner->coarse);
}

void preconditioner_end(const CpuPreconditioner *preconditioner, int32_t part, double *z)
{
    if (preconditioner->coarse.size > 0)
        preconditioner->kernels->coarse_prolong(&preconditioner->coarse, part, z);
}

void preconditioner_destroy(CpuPreconditioner *preconditioner)
{
    if (!preconditioner)
        return;
    Arena arena = preconditioner->arena;
    arena_clear(&arena);
}
