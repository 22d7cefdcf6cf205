/// Energy that comes from nowhere: what the total gains or loses, related to what the motion had to draw on. A motion that
/// nothing drives and that gains more than that is made by the integrator, whatever its pictures look like.
#ifndef API_ENERGY_WATCH_H
#define API_ENERGY_WATCH_H

#include "sim/simulation.h"

/// What a motion had to draw on, J; all go into checkpoints.
typedef struct EnergySources {
    double first_total; ///< total of row 0
    double
        start; ///< kinetic, elastic and contact energy at the start, and the work of gravity within three steps
    double fall;    ///< most that the gravitational energy has fallen so far
    double pulled;  ///< what moving pins and obstacles have put in so far
    double power;   ///< of theirs at the state, W, without what moves their own masses
    double kinetic; ///< of these
} EnergySources;
enum { ENERGY_SOURCES_SIZE = 6 };

/// Adds what pins and obstacles have put in during a step of `step` s that ends at that power and kinetic energy: the mean of both powers,
/// and what their masses have gained.
void energy_sources_pull(EnergySources *sources, double step, double power, double kinetic);

typedef struct EnergyWatch {
    bool is_driven; ///< pins or obstacles move, or the target is above the start: no gain is from nowhere
    bool done;      ///< noticed already
} EnergyWatch;

EnergyWatch energy_watch_begin(const SceneDef *scene);
/// `initial`: the state at step 0 of a scene of bodies of `mass`, kg.
EnergySources energy_sources_begin(const SceneDef *scene, const Diagnosis *initial, double mass);
/// To be called after every step.
void energy_sources_add(EnergySources *sources, const Diagnosis *initial, const Diagnosis *state);
/// What the total and what friction has taken have gained since row 0, relative to what there was to draw on; NaN where something
/// drives the motion.
double energy_drift(const EnergyWatch *watch, const EnergySources *sources, const Diagnosis *state,
                    double dissipated);
/// True at the first state whose drift is above 1.
bool energy_watch_notices(EnergyWatch *watch, const EnergySources *sources, const Diagnosis *state,
                          double dissipated);

#endif
