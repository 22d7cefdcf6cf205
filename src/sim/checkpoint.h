/// checkpoint.vck: everything that a run needs to go on as if it had never stopped.
#ifndef SIM_CHECKPOINT_H
#define SIM_CHECKPOINT_H

#include "sim/simulation.h"

/// What a run carries besides the state of the simulation.
typedef struct RunTotals {
    int64_t iterations;        ///< solver iterations so far
    int64_t unconverged_steps; ///< steps whose solver stopped before its tolerance
    double energy_sources[6];  ///< api/energy_watch.h, J
} RunTotals;

/// Replaces the file atomically and durably.
VelaResult checkpoint_write(Simulation *simulation, const RunTotals *totals, const char *path);
/// Puts the simulation into the state of the file. VELA_ERROR_INVALID_INPUT where the file is damaged or belongs to
/// another scene, device kind or precision (the message says which), VELA_ERROR_IO.
VelaResult checkpoint_read(Simulation *simulation, const char *path, RunTotals *totals);

#endif
