/// Says of a step that failed what it may have failed of.
#ifndef SIM_EXPLAIN_H
#define SIM_EXPLAIN_H

#include "sim/simulation.h"

/// Adds to the context's message of a step under barrier contact that could not be solved: which prescribed things have not
/// reached their places, and what is nearest to touching there. Returns `result`.
VelaResult explain_failure(Simulation *simulation, VelaResult result);

#endif
