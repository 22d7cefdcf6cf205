/// Time integrators: stages and update rules (theory.md section 2), on any device and with any solver.
#ifndef INTEGRATOR_INTEGRATOR_H
#define INTEGRATOR_INTEGRATOR_H

#include "solver/solver.h"

/// How alpha came about (theory.md section 4).
typedef enum AlphaCase {
    ALPHA_UNUSED,
    ALPHA_ROOT,    ///< the energy is on the target
    ALPHA_NEAREST, ///< no alpha puts it there; the one that comes closest
    ALPHA_NONE,    ///< alpha has no influence, or was not searched for: 1
    ALPHA_CLIPPED  ///< cut to its bounds
} AlphaCase;

/// "root", "nearest", "none", "clipped", or NULL where there is no alpha.
const char *alpha_case_name(AlphaCase alpha_case);

/// What became of one step. Sums run over stages and substeps.
typedef struct StepReport {
    SolverReport solver; ///< residuals of the last stage
    int32_t substeps;
    double alpha; ///< of a1, a_search, variational; blending: share of the midpoint rule; NaN for the others
    AlphaCase alpha_case;
    double target;        ///< energy that a_search or blending aims at, J; NaN for the others
    DissipationLoss loss; ///< what friction took
    Diagnosis end;        ///< of the state after the step
} StepReport;

/// Scalars that go from step to step.
typedef struct IntegratorState {
    bool started;       ///< SLOT_HISTORY_* and the energies below are those of the last step
    double target;      ///< a_search: T_n, J
    double kept_energy; ///< blending: H_0 less what friction has taken, J
    int32_t side;       ///< a_search, sparse: sign of H_n - T_n
    int32_t side_count; ///< how many steps in a row it has been the same
    double dissipated;  ///< what friction has taken so far, J
} IntegratorState;

enum { INTEGRATOR_STATE_SIZE = 6 };

/// What an integrator works with. Owned by the caller; `pins` is room for pin_count x 3 x 2.
typedef struct Integrator {
    Device *device;
    const SceneDef *scene;
    double *pins;
    int32_t batch; ///< of the solver, from step to step
    IntegratorState state;
} Integrator;

/// From SLOT_POSITION and SLOT_VELOCITY at `time` to the same slots at `time` + `step`. For integrators that end outside
/// their stage's solution the end state is checked: where it inverts a tet that must not, the step is done again in two
/// halves, up to 64 (design.md, contact rules). VELA_ERROR_NOT_CONVERGED names node or tet when that does not help or
/// the state is not finite; the slots then hold the last admissible state.
VelaResult integrator_step(Integrator *integrator, double time, double step, StepReport *report);

/// The first target of a_search and blending from the state on the device at `time`, J; NaN for the others.
VelaResult integrator_start_target(Integrator *integrator, double time, double *target);

/// The node vectors an integrator carries from step to step beside position and velocity; up to 3. Returns their number.
int integrator_history(IntegratorType type, Slot slots[3]);
/// The scalars as doubles, INTEGRATOR_STATE_SIZE of them.
void integrator_state_pack(const IntegratorState *state, double *values);
void integrator_state_unpack(IntegratorState *state, const double *values);

#endif
