#include "device/cpu/linear/preconditioner.h"

#include "base/matrix3.h"
#include "base/team.h"
#include "device/cpu/linear/coarse_factor.h"
#include "device/cpu/linear/contact_motions.h"
#include "device/cpu/linear/stack_blocks.h"

#include <string.h>

enum { BODY_SIZE = 3 * BODY_NODES };

struct CpuPreconditioner {
    const Kernels *kernels;
    const BlockMatrix *matrix;
    const int32_t *nodes; ///< of every row
    int threads;
    bool groups_contact;   ///< PRECONDITIONER_TWO_LEVEL
    double (*inverses)[9]; ///< of the diagonal's blocks
    double (
        *factors)[BODY_SIZE * BODY_SIZE]; ///< of the block of all four nodes of a body: L of L L^T, by rows
    uint8_t *has_factor;                  ///< of such blocks; others are not positive definite
    ContactGroups contact;                ///< none for block Jacobi, nor behind preconditioner_update alone
    StackBlocks stacks;                   ///< likewise none for block Jacobi
    CoarseSpace coarse;                   ///< without groups for block Jacobi
    ContactMotions contact_motions;       ///< of its motions
    double cluster_products[PARTS_MOST];  ///< r.z of the clusters, part by part
    Arena arena;
};

VelaResult preconditioner_create(VelaContext *context, Preconditioner kind, const Kernels *kernels,
                                 const BlockMatrix *matrix, const double *places, const int32_t *nodes,
                                 int threads, CpuPreconditioner **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    CpuPreconditioner *preconditioner;
    TRY(ARENA_ARRAY(&arena, preconditioner, 1));
    *preconditioner = (CpuPreconditioner){.kernels = kernels,
                                          .matrix = matrix,
                                          .nodes = nodes,
                                          .threads = threads,
                                          .groups_contact = kind == PRECONDITIONER_TWO_LEVEL};
    VelaResult result = ARENA_ARRAY(&arena, preconditioner->inverses, matrix->row_count + 1);
    if (result == VELA_OK)
        result = ARENA_ARRAY(&arena, preconditioner->factors, matrix->coupled_count / BODY_NODES);
    if (result == VELA_OK)
        result = ARENA_ARRAY(&arena, preconditioner->has_factor, matrix->coupled_count / BODY_NODES);
    if (result == VELA_OK)
        result = contact_groups_create(&arena, matrix, threads, &preconditioner->contact);
    if (result == VELA_OK && kind == PRECONDITIONER_TWO_LEVEL && places)
        result = stack_blocks_create(&arena, matrix, &preconditioner->stacks);
    if (result == VELA_OK && kind == PRECONDITIONER_TWO_LEVEL && places)
        result = coarse_space_create(&arena, matrix, places, coarse_space_clusters(matrix),
                                     &preconditioner->coarse);
    if (result == VELA_OK && preconditioner->coarse.size > 0)
        result = contact_motions_create(&arena, &preconditioner->contact, &preconditioner->coarse, threads,
                                        &preconditioner->contact_motions);
    if (result != VELA_OK) {
        arena_clear(&arena);
        return result;
    }
    preconditioner->arena = arena;
    *out = preconditioner;
    return VELA_OK;
}

void preconditioner_leave_out_clusters(CpuPreconditioner *preconditioner)
{
    coarse_space_leave_out_clusters(&preconditioner->coarse);
}

void preconditioner_give_way_always(CpuPreconditioner *preconditioner)
{
    preconditioner->contact_motions.always = true;
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

// Adds the entries of row `row` in the body's columns to its block; blocks are symmetric all together, so that of (row, column)
// by columns is that of (column, row) by rows.
static void add_row(const int32_t *columns, const double *values, int32_t count, int32_t first, int32_t row,
                    double *block)
{
    for (int32_t p = 0; p < count; ++p) {
        const int32_t column = columns[p] - first;
        for (int k = 0; column >= 0 && column < BODY_NODES && k < 9; ++k)
            block[BODY_SIZE * (3 * row + k % 3) + 3 * column + k / 3] += values[9 * (size_t)p + (size_t)k];
    }
}

// L L^T in place of the block, its lower triangle. False where it is not positive definite.
static bool factor_block(double *block)
{
    for (int j = 0; j < BODY_SIZE; ++j) {
        double *own = block + BODY_SIZE * (size_t)j, pivot = own[j];
        for (int k = 0; k < j; ++k)
            pivot -= own[k] * own[k];
        if (!(pivot > 1e-14 * own[j]))
            return false;
        own[j] = sqrt(pivot);
        for (int i = j + 1; i < BODY_SIZE; ++i) {
            double *row = block + BODY_SIZE * (size_t)i, sum = row[j];
            for (int k = 0; k < j; ++k)
                sum -= row[k] * own[k];
            row[j] = sum / own[j];
        }
    }
    return true;
}

static void solve_block(const double *factor, const double *right, double *out)
{
    for (int i = 0; i < BODY_SIZE; ++i) {
        double sum = right[i];
        for (int k = 0; k < i; ++k)
            sum -= factor[BODY_SIZE * i + k] * out[k];
        out[i] = sum / factor[BODY_SIZE * i + i];
    }
    for (int i = BODY_SIZE - 1; i >= 0; --i) {
        double sum = out[i];
        for (int k = i + 1; k < BODY_SIZE; ++k)
            sum -= factor[BODY_SIZE * k + i] * out[k];
        out[i] = sum / factor[BODY_SIZE * i + i];
    }
}

// The shape energy of a stiff body couples its four nodes far more strongly than anything else.
static void factor_body(CpuPreconditioner *preconditioner, int32_t first)
{
    const BlockMatrix *matrix = preconditioner->matrix;
    const ChangingBlocks *changing = &matrix->changing;
    double *factor = preconditioner->factors[first / BODY_NODES];
    memset(factor, 0, sizeof *preconditioner->factors);
    for (int32_t row = 0; row < BODY_NODES; ++row) {
        const int32_t start = matrix->row_start[first + row];
        add_row(matrix->columns + start, matrix->values + 9 * (size_t)start,
                matrix->row_start[first + row + 1] - start, first, row, factor);
        if (changing->row_start)
            add_row(changing->columns + changing->row_start[first + row],
                    changing->values[changing->row_start[first + row]],
                    changing->row_end[first + row] - changing->row_start[first + row], first, row, factor);
    }
    preconditioner->has_factor[first / BODY_NODES] = factor_block(factor);
}

static void invert_stacks(CpuPreconditioner *preconditioner, int32_t part)
{
    const StackBlocks *stacks = &preconditioner->stacks;
    for (int32_t b = stacks->starts[part]; b < stacks->starts[part + 1]; ++b) {
        double sum[9];
        stack_block_sum(preconditioner->matrix, &stacks->blocks[b], sum);
        invert_block(sum, stacks->blocks[b].inverse);
    }
}

static void turn_parts(CpuPreconditioner *preconditioner, const double *positions)
{
#pragma omp parallel for schedule(static) num_threads(preconditioner->threads)
    for (int32_t part = 0; part < preconditioner->matrix->part_count; ++part)
        coarse_space_turn(&preconditioner->coarse, part, positions, preconditioner->nodes);
}

static void update_blocks(CpuPreconditioner *preconditioner)
{
    const BlockMatrix *matrix = preconditioner->matrix;
#pragma omp parallel for schedule(static) num_threads(preconditioner->threads)
    for (int32_t part = 0; part < matrix->part_count; ++part) {
        const int32_t end = matrix->part_start[part + 1];
        for (int32_t i = matrix->part_start[part]; i < end; ++i)
            invert_block(matrix->values + 9 * (size_t)matrix->diagonal[i], preconditioner->inverses[i]);
        for (int32_t i = matrix->part_start[part]; i < end && i < matrix->coupled_count; i += BODY_NODES)
            factor_body(preconditioner, i);
        if (preconditioner->stacks.starts)
            invert_stacks(preconditioner, part);
    }
}

// Rows that contact holds together, and how they move.
static VelaResult group_contact(CpuPreconditioner *preconditioner)
{
    const Kernels *kernels = preconditioner->kernels;
    TRY(contact_groups_update(&preconditioner->contact, kernels->invert_group, preconditioner->inverses));
    if (preconditioner->coarse.size == 0 || preconditioner->contact.count == 0 ||
        !contact_motions_pay(&preconditioner->contact_motions))
        return VELA_OK;
    TRY(contact_motions_update(&preconditioner->contact_motions, kernels->deviate_group));
    preconditioner->coarse.deviations = &preconditioner->contact_motions.deviations;
    return VELA_OK;
}

static void update_coarse(CpuPreconditioner *preconditioner)
{
    Team team = {0};
#pragma omp parallel num_threads(preconditioner->threads)
    {
#pragma omp for schedule(static) nowait
        for (int32_t part = 0; part < preconditioner->matrix->part_count; ++part)
            preconditioner->kernels->coarse_assemble(&preconditioner->coarse, part);
        team_wait(&team);
        coarse_factor(preconditioner->kernels, &preconditioner->coarse, &team);
    }
}

VelaResult preconditioner_update(CpuPreconditioner *preconditioner, const double *positions,
                                 bool groups_contact)
{
    preconditioner->contact.count = 0;
    preconditioner->coarse.deviations = NULL;
    update_blocks(preconditioner);
    if (preconditioner->coarse.size > 0)
        turn_parts(preconditioner, positions);
    if (groups_contact && preconditioner->groups_contact)
        TRY(group_contact(preconditioner));
    if (preconditioner->coarse.size > 0)
        update_coarse(preconditioner);
    return VELA_OK;
}

int32_t preconditioner_block(const CpuPreconditioner *preconditioner, int32_t row, int32_t *first)
{
    const bool is_body =
        row < preconditioner->matrix->coupled_count && preconditioner->has_factor[row / BODY_NODES];
    *first = is_body ? row - row % BODY_NODES : row;
    return is_body ? BODY_NODES : 1;
}

void preconditioner_solve_block(const CpuPreconditioner *preconditioner, int32_t first, const double *r,
                                double *z)
{
    int32_t same;
    if (preconditioner_block(preconditioner, first, &same) == BODY_NODES)
        solve_block(preconditioner->factors[first / BODY_NODES], r, z);
    else
        matrix3_apply(preconditioner->inverses[first], r, z);
}

void preconditioner_restrict(CpuPreconditioner *preconditioner, int32_t part, const double *r)
{
    if (preconditioner->coarse.size > 0)
        preconditioner->cluster_products[part] =
            preconditioner->kernels->coarse_restrict(&preconditioner->coarse, part, r);
}

bool preconditioner_has_contact(const CpuPreconditioner *preconditioner)
{
    return preconditioner->coarse.deviations != NULL;
}

void preconditioner_restrict_contact(CpuPreconditioner *preconditioner, int32_t part, const double *r)
{
    preconditioner->kernels->coarse_restrict_deviations(&preconditioner->coarse, part, r);
}

void preconditioner_begin_coarse(CpuPreconditioner *preconditioner)
{
    if (preconditioner->coarse.size > 0)
        coarse_begin_solve(preconditioner->kernels, &preconditioner->coarse);
}

void preconditioner_end_coarse(CpuPreconditioner *preconditioner)
{
    if (preconditioner->coarse.size > 0)
        coarse_end_solve(preconditioner->kernels, &preconditioner->coarse);
}

double preconditioner_coarse_product(const CpuPreconditioner *preconditioner)
{
    return preconditioner->coarse.size > 0 ? coarse_product(&preconditioner->coarse) : 0;
}

double preconditioner_solve_blocks(const CpuPreconditioner *preconditioner, int32_t part, const double *r,
                                   double *z)
{
    const BlockMatrix *matrix = preconditioner->matrix;
    const int32_t end = matrix->part_start[part + 1];
    int32_t i = matrix->part_start[part];
    double sum = preconditioner->cluster_products[part];
    for (; i < end && i < matrix->coupled_count; i += BODY_NODES) {
        const bool is_whole = preconditioner->has_factor[i / BODY_NODES];
        for (int32_t row = i; row < i + BODY_NODES; row += is_whole ? BODY_NODES : 1)
            preconditioner_solve_block(preconditioner, row, r + 3 * (size_t)row, z + 3 * (size_t)row);
        for (size_t k = 3 * (size_t)i; k < 3 * (size_t)i + BODY_SIZE; ++k)
            sum += r[k] * z[k];
    }
    const ContactGroups *contact = preconditioner->contact.count > 0 ? &preconditioner->contact : NULL;
    sum += preconditioner->kernels->solve_blocks((const double(*)[9])preconditioner->inverses,
                                                 contact ? contact->members : NULL, i, end, r, z);
    if (contact)
        sum += preconditioner->kernels->solve_groups(contact, i, end, r, z);
    if (preconditioner->stacks.starts)
        sum += stack_blocks_solve(&preconditioner->stacks, part, r);
    return sum;
}

void preconditioner_turn(const CpuPreconditioner *preconditioner, int32_t part, const double *z, double b,
                         double *y)
{
    const int32_t *start = preconditioner->matrix->part_start;
    const size_t first = 3 * (size_t)start[part];
    if (preconditioner->coarse.size > 0)
        preconditioner->kernels->coarse_turn(&preconditioner->coarse, part, z, b, y);
    else
        preconditioner->kernels->turn(3 * (size_t)(start[part + 1] - start[part]), z + first, b, y + first);
    if (preconditioner->stacks.starts)
        stack_blocks_move(&preconditioner->stacks, part, y);
}

void preconditioner_destroy(CpuPreconditioner *preconditioner)
{
    if (!preconditioner)
        return;
    contact_groups_clear(&preconditioner->contact);
    contact_motions_clear(&preconditioner->contact_motions);
    Arena arena = preconditioner->arena;
    arena_clear(&arena);
}
