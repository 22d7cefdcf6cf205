/// What integrators share: what they work with, what a step reports, and pins.
#ifndef INTEGRATOR_STEP_H
#define INTEGRATOR_STEP_H

#include "solver/report.h"

/// How alpha came about (theory.md section 4).
typedef enum AlphaCase {
    ALPHA_UNUSED,
    ALPHA_ROOT,    ///< the energy is on the target
    ALPHA_NEAREST, ///< no alpha puts it there; the one that comes closest
    ALPHA_NONE,    ///< alpha has no influence, or was not searched for: 1
    ALPHA_CLIPPED  ///< cut to its bounds
} AlphaCase;

/// What became of one step. Sums run over stages and substeps.
typedef struct StepReport {
    SolverReport solver; ///< residuals of the last stage
    int32_t substeps;
    double alpha; ///< of a1, a_search, variational; blending: share of the midpoint rule; NaN for the others
    AlphaCase alpha_case;
    double target;        ///< energy that a_search or blending aims at, J; NaN for the others
    DissipationLoss loss; ///< what friction and damping took
    double work;          ///< what changing loads put in, J
    Diagnosis end;        ///< of the state after the step
} StepReport;

/// Scalars that go from step to step.
typedef struct IntegratorState {
    bool started;                 ///< SLOT_HISTORY_* and the energies below are those of the last step
    double target;                ///< a_search: T_n, J
    double kept_energy;           ///< blending: H_0 less what friction has taken, J
    int32_t side;                 ///< a_search, sparse: sign of H_n - T_n
    int32_t side_count;           ///< how many steps in a row it has been the same
    double dissipated;            ///< what friction and damping have taken so far, J
    double work;                  ///< what changing loads have put in so far, J
    double damped[DAMPING_TYPES]; ///< the part of `dissipated` that each type of damping has taken, J
} IntegratorState;

enum { INTEGRATOR_STATE_SIZE = 7 + DAMPING_TYPES };

/// What an integrator works with. Owned by the caller; `pins` is room for model_prescribed_count x 3 x 2.
typedef struct Integrator {
    Device *device;
    const SceneDef *scene;
    double *pins;
    int32_t batch; ///< of the solver, from step to step
    IntegratorState state;
} Integrator;

/// Adds what the dissipation of the last stage took while the nodes moved from one slot's places to the other's, `duration` s.
VelaResult integrator_add_loss(Integrator *integrator, Slot from, Slot to, double duration,
                               StepReport *report);
/// Adds what damping takes at a stage's solution, in `duration`, s: the step times the stage's weight.
VelaResult integrator_add_damping(Integrator *integrator, Slot position, Slot velocity, double duration,
                                  StepReport *report);
/// What changing loads put in while the nodes move from one slot's places to the other's between `time` and `time` + `step`, J: the
/// change that their potential makes by itself, mean of both places. 0, without a look at the places, where no load changes.
VelaResult integrator_load_work(Integrator *integrator, Slot from, Slot to, double time, double step,
                                double *work);
/// Sets the pinned nodes of `slot` to their places at `time`.
VelaResult integrator_pin_positions(Integrator *integrator, Slot slot, double time);
/// Sets the pinned nodes of `slot` to their mean velocities between `time` and `time` + `step`.
VelaResult integrator_pin_velocities(Integrator *integrator, Slot slot, double time, double step);

#endif
