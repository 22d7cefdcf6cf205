/// Two simulations of one scene on two devices, step by step.
#ifndef SIM_COMPARE_H
#define SIM_COMPARE_H

#include "sim/simulation.h"

typedef struct Comparison {
    Simulation *a, *b;
    bool lockstep;   ///< B gets A's whole state before every step
    double diagonal; ///< of the bounding box of the initial positions, m
    double *state;   ///< room for the whole state
    double *positions[2], *velocity;
} Comparison;

/// Deviations of B from A after a step.
typedef struct Deviation {
    double position; ///< largest node distance / diagonal
    int32_t node;
    double energy;           ///< |total_A - total_B| / max(|total_A|, kinetic_A, elastic_A)
    double momentum;         ///< |p_A - p_B| / sum of m|v| of A
    double angular_momentum; ///< |l_A - l_B| / (sum of m|v| of A x diagonal)
    int32_t iterations[2];
} Deviation;

/// `a` and `b` are started simulations of the same scene and must outlive the comparison, whose arrays `arena` owns.
VelaResult comparison_create(Simulation *a, Simulation *b, bool lockstep, Arena *arena,
                             Comparison *comparison);
VelaResult comparison_step(Comparison *comparison, Deviation *deviation);

#endif
