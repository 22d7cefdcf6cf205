/// A simulation: scene, model, device and integrator together, stepped one step at a time.
#ifndef SIM_SIMULATION_H
#define SIM_SIMULATION_H

#include "integrator/integrator.h"
#include "sim/prescribed.h"

typedef struct Simulation {
    VelaContext *context;
    Arena arena;
    SceneDef scene;
    Model model;
    Device *device;
    Integrator integrator;
    Prescribed *prescribed;  ///< motions of which some might meet; NULL: none can
    int64_t step;            ///< steps done
    Diagnosis diagnosis;     ///< of the current state
    char device_reason[256]; ///< why this device, one sentence
} Simulation;

void simulation_destroy(Simulation *simulation);

/// Whether prescribed surfaces meet in the step to come (sim/prescribed.h): VELA_ERROR_NOT_CONVERGED with a message that names
/// them and the step.
VelaResult simulation_check_prescribed(Simulation *simulation);
/// One step. On failure the message names the step.
VelaResult simulation_step(Simulation *simulation, StepReport *report);
static inline double simulation_time(const Simulation *simulation)
{
    return (double)simulation->step * simulation->scene.step;
}
/// Total energy of a state, J.
static inline double diagnosis_total(const Diagnosis *d)
{
    return d->kinetic + d->elastic + d->gravitational + d->contact + d->loads + d->constraint;
}

/// The whole state as doubles: positions, velocities, what the solver carries. For checkpoints and comparisons.
size_t simulation_state_size(const Simulation *simulation);
VelaResult simulation_state_read(Simulation *simulation, double *values);
VelaResult simulation_state_write(Simulation *simulation, const double *values, int64_t step);

#endif
