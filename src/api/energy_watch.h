/// Notices energy that comes from nowhere: a motion that nothing drives and that gains many times the energy it began with
/// has become unstable, whatever its pictures look like.
#ifndef API_ENERGY_WATCH_H
#define API_ENERGY_WATCH_H

#include "sim/simulation.h"

typedef struct EnergyWatch {
    bool done;         ///< nothing to watch, or noticed already
    Diagnosis initial; ///< state at step 0
} EnergyWatch;

/// Pins and planes that move put energy in, and so does a target above the start: such scenes are not watched.
EnergyWatch energy_watch_begin(const SceneDef *scene, const Diagnosis *initial);
/// True at the first state whose total exceeds the initial one by more than 10 times what the motion had to draw on:
/// kinetic, elastic and contact energy at the start, and what gravity has done since.
bool energy_watch_notices(EnergyWatch *watch, const Diagnosis *state);

#endif
