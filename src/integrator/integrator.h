/// Time integrators: stages and update rules (theory.md section 2), on any device and with any solver that fits.
#ifndef INTEGRATOR_INTEGRATOR_H
#define INTEGRATOR_INTEGRATOR_H

#include "solver/admm.h"

/// What became of one step. Sums run over stages and substeps.
typedef struct StepReport {
    SolverReport solver; ///< residuals and stop of the last stage
    int32_t substeps;
    Diagnosis end; ///< of the state after the step
} StepReport;

/// What an integrator works with. Owned by the caller; `pins` is room for pin_count x 3 x 2.
typedef struct Integrator {
    Device *device;
    const SceneDef *scene;
    double *pins;
    int32_t batch; ///< of the solver, from step to step
} Integrator;

/// From SLOT_POSITION and SLOT_VELOCITY at `time` to the same slots at `time` + `step`. The end state is checked: where
/// it inverts a tet of a barrier-like model the step is done again in two halves, up to 64 (design.md, contact
/// rules). VELA_ERROR_NOT_CONVERGED names node or tet when that does not help or the state is not finite; the slots
/// then hold the last admissible state.
VelaResult integrator_step(Integrator *integrator, double time, double step, StepReport *report);

#endif
