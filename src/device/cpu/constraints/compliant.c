#include "device/cpu/constraints/compliant.h"

#include "device/cpu/newton/newton.h"
#include "model/constraints.h"

#include "base/matrix3.h"

#include <string.h>

/// Rounds in which inequalities are taken up and dropped (theory.md section 10).
enum { ACTIVE_ROUNDS = 10, REFINEMENTS = 3 };

VelaResult cpu_constraints_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    CpuConstraints *constraints;
    if (!model_has_constraint_solver(model->scene))
        return VELA_OK;
    const size_t n = 3 * (size_t)model->node_count, rows = (size_t)model->constraint_row_count;
    TRY(ARENA_ARRAY(arena, constraints, 1));
    device->constraints = constraints;
    TRY(constraint_rows_create(model, arena, &constraints->rows));
    TRY(ARENA_ARRAY(arena, constraints->right, n));
    TRY(ARENA_ARRAY(arena, constraints->d, n + 1));
    TRY(ARENA_ARRAY(arena, constraints->rest_d, n));
    TRY(ARENA_ARRAY(arena, constraints->lambda, rows));
    TRY(ARENA_ARRAY(arena, constraints->rest_lambda, rows));
    if (model->scene->solver.linear_solve == CONSTRAINT_SOLVE_DIRECT)
        return saddle_factor_create(device->base.context, &device->newton.matrix, &constraints->rows,
                                    &constraints->factor);
    TRY(ARENA_ARRAY(arena, constraints->minres, 1));
    *constraints->minres = (Minres){.context = device->base.context,
                                    .kernels = device->kernels,
                                    .matrix = &device->newton.matrix,
                                    .rows = &constraints->rows,
                                    .preconditioner = device->newton.linear.preconditioner,
                                    .threads = device->node_threads};
    return minres_allocate(arena, constraints->minres);
}

void cpu_constraints_destroy(CpuDevice *device)
{
    if (device->constraints)
        saddle_factor_destroy(device->constraints->factor);
}

size_t cpu_constraints_memory(const Model *model)
{
    size_t entries = 0;
    if (!model_has_constraint_solver(model->scene))
        return 0;
    for (int32_t c = 0; c < model->constraint_count; ++c)
        entries += (size_t)model->constraints[c].node_count;
    return 8 * (9 * (size_t)model->node_count + 5 * (size_t)model->constraint_row_count) +
           (sizeof(double[ENTRY_SIZE]) + 12) * entries +
           (model->scene->solver.linear_solve == CONSTRAINT_SOLVE_MINRES ? minres_memory(model) : 0);
}

size_t cpu_constraints_state_size(const CpuDevice *device)
{
    return device->constraints ? (size_t)device->constraints->rows.row_count : 0;
}

void cpu_constraints_state_read(const CpuDevice *device, double *values)
{
    memcpy(values, device->constraints->rows.multipliers,
           cpu_constraints_state_size(device) * sizeof *values);
}

void cpu_constraints_state_write(CpuDevice *device, const double *values)
{
    memcpy(device->constraints->rows.multipliers, values,
           cpu_constraints_state_size(device) * sizeof *values);
}

// ---------------------------------------------------------------- the system

// rest = (r, s) - K (d, lambda), for rows that hold. Returns its largest component in every node's own measure beside r.
static void find_rest(const CpuDevice *device)
{
    const CpuConstraints *constraints = device->constraints;
    const ConstraintRows *rows = &constraints->rows;
    const Model *model = rows->model;
    const size_t n = 3 * (size_t)model->order.free_count;
    cpu_newton_multiply(device, constraints->d, constraints->rest_d);
    for (size_t i = 0; i < n; ++i)
        constraints->rest_d[i] = constraints->right[i] - constraints->rest_d[i];
    constraint_rows_pull(rows, 0, model->order.free_count, constraints->lambda, constraints->rest_d);
    constraint_rows_multiply(rows, 0, rows->count, constraints->d, constraints->rest_lambda);
    for (int32_t c = 0; c < rows->count; ++c) {
        const ModelConstraint *constraint = &model->constraints[c];
        double *rest = constraints->rest_lambda + constraint->first_row, held[CONSTRAINT_ROWS_MOST];
        model_constraint_compliance(constraint, constraints->lambda + constraint->first_row, held);
        for (int r = 0; r < constraint_kinds[constraint->kind].rows; ++r)
            rest[r] = rows->active[c] ? rest[r] + rows->right[constraint->first_row + r] + held[r] : 0;
    }
}

static bool is_left_out(const CpuConstraints *constraints, int32_t constraint, int32_t row)
{
    return constraints->factor ? saddle_factor_left_out(constraints->factor, constraint, row)
                               : minres_left_out(constraints->minres, constraint, row);
}

// Rows that were left out have no equation; what they miss is told apart.
static void drop_left_out(const CpuConstraints *constraints, CompliantReport *report)
{
    const ConstraintRows *rows = &constraints->rows;
    report->dependent_constraint = -1;
    report->unmet = 0;
    for (int32_t c = 0; c < rows->count && report->dependent > 0; ++c) {
        const ModelConstraint *constraint = &rows->model->constraints[c];
        for (int r = 0; r < constraint_kinds[constraint->kind].rows; ++r) {
            const int32_t row = constraint->first_row + r;
            if (!rows->active[c] || !is_left_out(constraints, c, r))
                continue;
            const double missing = fabs(constraints->rest_lambda[row]) * constraint->arm;
            if (report->dependent_constraint < 0 || missing > report->unmet) {
                report->dependent_constraint = c;
                report->unmet = missing;
            }
            constraints->rest_lambda[row] = 0;
        }
    }
}

static void clear_solution(CpuDevice *device)
{
    CpuConstraints *constraints = device->constraints;
    memset(constraints->d, 0, 3 * (size_t)device->base.model->node_count * sizeof *constraints->d);
    memset(constraints->lambda, 0, (size_t)constraints->rows.row_count * sizeof *constraints->lambda);
}

static void add_solution(CpuDevice *device, const double *d, const double *lambda)
{
    CpuConstraints *constraints = device->constraints;
    for (size_t i = 0; i < 3 * (size_t)device->base.model->order.free_count; ++i)
        constraints->d[i] += d[i];
    for (int32_t i = 0; i < constraints->rows.row_count; ++i)
        constraints->lambda[i] += lambda[i];
}

static bool solve_directly(CpuDevice *device, CompliantReport *report)
{
    CpuConstraints *constraints = device->constraints;
    report->dependent = saddle_factor_compute(constraints->factor);
    ++report->linear_iterations;
    if (report->dependent < 0)
        return false;
    clear_solution(device);
    for (int turn = 0; turn <= REFINEMENTS; ++turn) {
        find_rest(device);
        if (turn > 0)
            drop_left_out(constraints, report);
        if (turn == REFINEMENTS)
            break;
        saddle_factor_solve(constraints->factor, constraints->rest_d, constraints->rest_lambda);
        add_solution(device, constraints->rest_d, constraints->rest_lambda);
    }
    return true;
}

// Rounding parts the recurrence's residual from the true one: where it has, the method begins again from there, as long as that
// has halved. *good: all is finite.
static VelaResult solve_iteratively(CpuDevice *device, const CompliantSettings *settings, bool *good,
                                    CompliantReport *report)
{
    CpuConstraints *constraints = device->constraints;
    Minres *minres = constraints->minres;
    MinresReport solved = {.is_finite = true};
    double first = -1, last = INFINITY;
    int32_t left = settings->max_iterations;
    clear_solution(device);
    while (solved.is_finite) {
        find_rest(device);
        drop_left_out(constraints, report);
        const double norm = minres_begin(minres, constraints->rest_d, constraints->rest_lambda);
        first = first < 0 ? norm : first;
        report->linear_residual = first > 0 ? norm / first : 0;
        if (norm <= settings->tolerance * first || left == 0 || norm > 0.5 * last)
            break;
        last = norm;
        TRY(minres_solve(minres, settings->tolerance * first, left, &solved));
        add_solution(device, minres->solution.d, minres->solution.lambda);
        left -= solved.iterations;
        report->linear_iterations += solved.iterations;
    }
    *good = solved.is_finite;
    return VELA_OK;
}

static VelaResult solve_system(CpuDevice *device, const CompliantSettings *settings, bool *good,
                               CompliantReport *report)
{
    if (device->constraints->minres)
        return solve_iteratively(device, settings, good, report);
    *good = solve_directly(device, report);
    return VELA_OK;
}

// ---------------------------------------------------------------- inequalities

static double sign_of(ConstraintSide side)
{
    return side == SIDE_AT_LEAST ? 1 : -1;
}

static void choose_active(ConstraintRows *rows)
{
    for (int32_t c = 0; c < rows->count; ++c) {
        const ModelConstraint *constraint = &rows->model->constraints[c];
        const double sign = sign_of(constraint->side);
        rows->active[c] = constraint->side == SIDE_BOTH || sign * rows->values[constraint->first_row] < 0 ||
                          sign * rows->multipliers[constraint->first_row] > 0;
    }
}

// Drops what would pull the wrong way, and takes up what the direction would violate. Returns whether anything changed.
static bool change_active(CpuConstraints *constraints)
{
    ConstraintRows *rows = &constraints->rows;
    bool changed = false;
    constraint_rows_multiply(rows, 0, rows->count, constraints->d, constraints->rest_lambda);
    for (int32_t c = 0; c < rows->count; ++c) {
        const ModelConstraint *constraint = &rows->model->constraints[c];
        const int32_t row = constraint->first_row;
        const double sign = sign_of(constraint->side);
        if (constraint->side == SIDE_BOTH)
            continue;
        const bool wrong = rows->active[c] ? sign * constraints->lambda[row] < 0
                                           : sign * (rows->right[row] + constraints->rest_lambda[row]) < 0;
        rows->active[c] ^= wrong;
        changed |= wrong;
    }
    return changed;
}

// ---------------------------------------------------------------- the direction

VelaResult cpu_compliant_direction(Device *base, const CompliantSettings *settings, CompliantReport *report)
{
    CpuDevice *device = (CpuDevice *)base;
    CpuConstraints *constraints = device->constraints;
    NewtonDirection direction = {.bad_node = -1};
    *report = (CompliantReport){.dependent_constraint = -1, .bad_node = -1};
    constraints->stiffness = settings->stiffness;
    const size_t n = 3 * (size_t)base->model->order.free_count;
    constraint_rows_evaluate(&constraints->rows, device->slots[SLOT_STAGE], device->slots[SLOT_TARGET]);
    choose_active(&constraints->rows);
    TRY(cpu_newton_assemble(device, true));
    const double start = cpu_clock();
    cpu_newton_right(device, &direction);
    memcpy(constraints->right, device->newton.linear.residual, n * sizeof *constraints->right);
    if (constraints->minres)
        report->dependent = minres_update(constraints->minres);
    bool good = true;
    do
        TRY(solve_system(device, settings, &good, report));
    while (good && change_active(constraints) && ++report->rounds < ACTIVE_ROUNDS);
    FAIL_IF(base->context, !good, VELA_ERROR_NOT_CONVERGED,
            "the linear system of the constraints is singular or not finite; a smaller time.step, or "
            "solver.geometric_stiffness true, may help");
    memcpy(device->newton.solution, constraints->d, n * sizeof *constraints->d);
    memcpy(constraints->rows.multipliers, constraints->lambda,
           (size_t)constraints->rows.row_count * sizeof *constraints->lambda);
    cpu_newton_keep(device, &direction);
    report->largest = direction.largest;
    report->bad_node = direction.bad_node;
    report->met = report->linear_residual <= settings->tolerance;
    cpu_timing_add(device->timings, PHASE_LINEAR, start);
    return context_breathe(base->context);
}
