/// Integrators that are nothing but stages and linear updates, as data (theory.md section 2), and the stage itself.
#ifndef INTEGRATOR_STAGES_H
#define INTEGRATOR_STAGES_H

#include "integrator/step.h"
#include "solver/solver.h"

enum { TERMS_MOST = 4 };

/// factor h^power slot
typedef struct Term {
    double factor;
    Slot slot;
    int power;
} Term;

/// A sum of terms; ends at the first with factor 0.
typedef struct Combination {
    Term terms[TERMS_MOST];
} Combination;

/// One stage: xt = base_position + a base_velocity, a = a_factor h; its forces act at t_n + time_factor h. After it
/// SLOT_STAGE_VELOCITY = (x* - base_position)/a. What a first stage ended with is in SLOT_FIRST_*.
typedef struct StageRow {
    Combination base_position, base_velocity;
    double a_factor, time_factor;
    double weight; ///< of what damping takes there (theory.md section 7)
} StageRow;

typedef struct StagesRow {
    StageRow stages[2];
    int stage_count;
    double start_weight; ///< of what damping takes at the step's start
    bool needs_history;  ///< SLOT_HISTORY_POSITION and _VELOCITY; the first step is that of `start`
    IntegratorType start;
    bool
        carries_acceleration; ///< SLOT_HISTORY_ACCELERATION is M^-1 f_n of all forces: evaluated once, without friction,
                              ///< and then what the last step left
    Combination position, velocity; ///< of the end
    Combination history_acceleration;
} StagesRow;

/// The row of an integrator that consists of stages and linear updates, NULL for the others.
const StagesRow *stages_row(IntegratorType type);

/// Sets the target from SLOT_BASE_POSITION and SLOT_BASE_VELOCITY, solves, and sets SLOT_STAGE_VELOCITY. Newton's method
/// starts from SLOT_POSITION where `first`, else from the stage before. Adds to `report`.
VelaResult stage_solve(Integrator *integrator, const Stage *stage, double step, bool first,
                       SolverReport *report);

#endif
