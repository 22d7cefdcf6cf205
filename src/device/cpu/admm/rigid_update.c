#include "device/cpu/admm/rigid_update.h"

#include "device/cpu/admm/damping_copies.h"
#include "device/cpu/admm/global.h"
#include "device/cpu/terms/damping.h"

#include "base/matrix3.h"

#include <math.h>
#include <string.h>

enum { COLUMNS_MOST = 2 * RIGID_MOTIONS };

typedef struct RigidUpdate {
    int motions;                   ///< 3 turns; with Rayleigh's mass part, which translations feel, 6
    double *motion[RIGID_MOTIONS]; ///< N
    double *changed[COLUMNS_MOST]; ///< U
    double *solved[COLUMNS_MOST];  ///< V
    double (*inverse)[COLUMNS_MOST * COLUMNS_MOST]; ///< (S^-1 + U^T V)^-1 of every part, row by row
} RigidUpdate;

VelaResult rigid_update_create(CpuDevice *device, Arena *arena)
{
    const CpuDamping *damping = device->damping;
    const size_t n = 3 * (size_t)device->base.model->node_count;
    RigidUpdate *update;
    if (!device->admm.damping || !damping->sides[DAMPED_LESS_RIGID].is_used ||
        damping->rigid_parts.count == 0)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, update, 1));
    update->motions = 3;
    for (size_t i = 0; i < n / 3; ++i)
        if (damping->sides[DAMPED_LESS_RIGID].drag[i] > 0)
            update->motions = RIGID_MOTIONS;
    for (int k = 0; k < update->motions; ++k)
        TRY(ARENA_ARRAY(arena, update->motion[k], n));
    for (int k = 0; k < 2 * update->motions; ++k) {
        TRY(ARENA_ARRAY(arena, update->changed[k], n));
        TRY(ARENA_ARRAY(arena, update->solved[k], n));
    }
    device->admm.rigid = update;
    return ARENA_ARRAY(arena, update->inverse, damping->rigid_parts.count);
}

size_t rigid_update_memory(const Model *model)
{
    bool is_blind = false;
    for (int32_t m = 0; m < model->material_count && model->scene->solver.type == SOLVER_ADMM; ++m) {
        const DampingList *list = model->materials[m].damping;
        for (const Damping *entry = damping_first(list); entry != damping_end(list); ++entry)
            is_blind |= damping_side(entry) == DAMPED_LESS_RIGID;
    }
    return is_blind ? 8 * 3 * (RIGID_MOTIONS + 2 * COLUMNS_MOST) * (size_t)model->node_count : 0;
}

static double part_product(RigidPart part, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 3 * (size_t)part.first_node; i < 3 * (size_t)(part.first_node + part.node_count); ++i)
        sum += a[i] * b[i];
    return sum;
}

// The inverse of a general matrix by Gauss and Jordan, with the largest pivot of a column; false where there is none.
static bool invert(int n, double *matrix, double *inverse)
{
    memset(inverse, 0, (size_t)(n * n) * sizeof *inverse);
    for (int k = 0; k < n; ++k)
        inverse[(n + 1) * k] = 1;
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i)
            pivot = fabs(matrix[n * i + k]) > fabs(matrix[n * pivot + k]) ? i : pivot;
        if (!(fabs(matrix[n * pivot + k]) > 0))
            return false;
        const double factor = 1 / matrix[n * pivot + k];
        for (int j = 0; j < n; ++j) {
            const double a = matrix[n * pivot + j], b = inverse[n * pivot + j];
            matrix[n * pivot + j] = matrix[n * k + j];
            inverse[n * pivot + j] = inverse[n * k + j];
            matrix[n * k + j] = factor * a;
            inverse[n * k + j] = factor * b;
        }
        for (int i = 0; i < n; ++i) {
            const double part = matrix[n * i + k];
            for (int j = 0; j < n && i != k; ++j) {
                matrix[n * i + j] -= part * matrix[n * k + j];
                inverse[n * i + j] -= part * inverse[n * k + j];
            }
        }
    }
    return true;
}

VelaResult rigid_update_prepare(CpuDevice *device)
{
    RigidUpdate *update = device->admm.rigid;
    const Model *model = device->base.model;
    const size_t n = 3 * (size_t)model->node_count;
    if (!update)
        return VELA_OK;
    const RigidParts *parts = &device->damping->rigid_parts;
    const int motions = update->motions, columns = 2 * motions;
    for (int k = 0; k < motions; ++k) {
        rigid_motion_fill(model, parts, device->damping->shape, k, update->motion[k]);
        memset(update->changed[k], 0, n * sizeof(double));
        admm_damping_stiffness(device, update->motion[k], update->changed[k]);
        for (size_t i = 0; i < n; ++i)
            update->changed[motions + k][i] = model->masses[i / 3] * update->motion[k][i];
    }
    for (int k = 0; k < columns; ++k)
        global_solve(device->admm.global, update->changed[k], update->solved[k]);
    for (int32_t p = 0; p < parts->count; ++p) {
        double small[COLUMNS_MOST * COLUMNS_MOST];
        for (int i = 0; i < columns; ++i)
            for (int j = 0; j < columns; ++j) {
                double *entry = &small[columns * i + j];
                *entry = part_product(parts->parts[p], update->changed[i], update->solved[j]);
                if (i < motions && j < motions)
                    *entry -= part_product(parts->parts[p], update->motion[i], update->changed[j]);
                else if (i % motions == j % motions && i != j)
                    *entry -= 1;
            }
        FAIL_IF(device->base.context, !invert(columns, small, update->inverse[p]), VELA_ERROR_NOT_CONVERGED,
                "the matrix of damping with \"rigid_velocity\" has no inverse");
    }
    return VELA_OK;
}

void rigid_update_apply(CpuDevice *device, double *solution)
{
    const RigidUpdate *update = device->admm.rigid;
    if (!update)
        return;
    const RigidParts *parts = &device->damping->rigid_parts;
    const int columns = 2 * update->motions;
    for (int32_t p = 0; p < parts->count; ++p) {
        const RigidPart part = parts->parts[p];
        double seen[COLUMNS_MOST];
        for (int k = 0; k < columns; ++k)
            seen[k] = part_product(part, update->changed[k], solution);
        for (int k = 0; k < columns; ++k) {
            double amount = 0;
            for (int j = 0; j < columns; ++j)
                amount += update->inverse[p][columns * k + j] * seen[j];
            for (size_t i = 3 * (size_t)part.first_node; i < 3 * (size_t)(part.first_node + part.node_count);
                 ++i)
                solution[i] -= amount * update->solved[k][i];
        }
    }
}
