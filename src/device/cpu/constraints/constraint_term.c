#include "device/cpu/constraints/constraint_term.h"

#include "base/matrix3.h"
#include "model/constraints.h"

static VelaResult linearize(CpuDevice *device, bool project)
{
    (void)project;
    CpuConstraints *constraints = device->constraints;
    if (constraints->stiffness != GEOMETRIC_STIFFNESS_NONE)
        constraint_rows_stiffen(&constraints->rows, device->slots[SLOT_STAGE],
                                constraints->stiffness == GEOMETRIC_STIFFNESS_CLAMPED,
                                &device->newton.matrix);
    return VELA_OK;
}

// -J^T lambda, of the multipliers of the last system, at all nodes.
static VelaResult add_gradient(CpuDevice *device, const double *x, double *gradient)
{
    const ConstraintRows *rows = &device->constraints->rows;
    for (int32_t c = 0; c < rows->count; ++c) {
        const ModelConstraint *constraint = &rows->model->constraints[c];
        const ConstraintKind *kind = &constraint_kinds[constraint->kind];
        double columns[CONSTRAINT_COLUMNS_MOST][3];
        ConstraintLocal local;
        model_constraint_evaluate(constraint, x, columns, &local);
        for (int32_t a = 0; a < constraint->node_count; ++a)
            for (int r = 0; r < kind->rows; ++r)
                for (int k = 0; k < kind->columns; ++k) {
                    double *at = gradient + 3 * (size_t)constraint->nodes[a];
                    add_scaled3(at, -constraint->weights[a][k] * rows->multipliers[constraint->first_row + r],
                                local.slope[r][k], at);
                }
    }
    return VELA_OK;
}

static VelaResult diagnose(CpuDevice *device, const double *x, Diagnosis *diagnosis)
{
    model_constraint_state(device->base.model, x, &diagnosis->constraint, &diagnosis->constraint_error);
    return VELA_OK;
}

const CpuTerm cpu_constraints_term = {
    .add_gradient = add_gradient,
    .diagnose = diagnose,
    .linearize = linearize,
};
