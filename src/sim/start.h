/// Starting a simulation: scene, model, device, initial state.
#ifndef SIM_START_H
#define SIM_START_H

#include "sim/device_choice.h"
#include "sim/simulation.h"

/// Reads the scene and builds the model, without a device. Destroy with simulation_destroy whatever the result.
VelaResult simulation_load(VelaContext *context, const char *path, int32_t override_count,
                           const char *const *overrides, Simulation *simulation);
/// Makes the device and puts the initial state on it.
VelaResult simulation_start(Simulation *simulation, const DeviceChoice *choice);
/// The same on a device of the simulation's model, which is the simulation's from now on whatever the result.
VelaResult simulation_start_on(Simulation *simulation, Device *device);

#endif
