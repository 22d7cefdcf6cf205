#include "sim/simulation.h"

#include <math.h>
#include <string.h>

void simulation_destroy(Simulation *simulation)
{
    device_destroy(simulation->device);
    if (simulation->context)
        arena_clear(&simulation->arena);
    *simulation = (Simulation){0};
}

VelaResult simulation_check_prescribed(Simulation *simulation)
{
    return prescribed_check(simulation->prescribed, simulation->step, simulation->step + 1,
                            VELA_ERROR_NOT_CONVERGED, NULL, NULL);
}

VelaResult simulation_step(Simulation *simulation, StepReport *report)
{
    const VelaResult result =
        integrator_step(&simulation->integrator, simulation_time(simulation), simulation->scene.step, report);
    if (result != VELA_OK)
        return context_fail_prefix(simulation->context, result, "step %lld", (long long)simulation->step + 1);
    ++simulation->step;
    simulation->diagnosis = report->end;
    return VELA_OK;
}

enum { CARRIED_MOST = 6 };

// The node vectors of the state: positions, velocities, the stage's solution (a device may start its iterations there),
// and what the integrator carries. Returns their number.
static int carried_slots(const Simulation *simulation, Slot slots[CARRIED_MOST])
{
    slots[0] = SLOT_POSITION;
    slots[1] = SLOT_VELOCITY;
    slots[2] = SLOT_STAGE;
    return 3 + integrator_history(simulation->scene.integrator, slots + 3);
}

// Behind the node vectors: the solver's own, the integrator's scalars, the batch.
size_t simulation_state_size(const Simulation *simulation)
{
    Slot slots[CARRIED_MOST];
    return (size_t)carried_slots(simulation, slots) * 3 * (size_t)simulation->model.node_count +
           device_solver_state_size(simulation->device) + INTEGRATOR_STATE_SIZE + 1;
}

VelaResult simulation_state_read(Simulation *simulation, double *values)
{
    Device *device = simulation->device;
    Slot slots[CARRIED_MOST];
    const int count = carried_slots(simulation, slots);
    for (int s = 0; s < count; ++s, values += 3 * (size_t)simulation->model.node_count)
        TRY(device_state_read(device, slots[s], values));
    TRY(device_solver_state_read(device, values));
    values += device_solver_state_size(device);
    integrator_state_pack(&simulation->integrator.state, values);
    values[INTEGRATOR_STATE_SIZE] = simulation->integrator.batch;
    return VELA_OK;
}

VelaResult simulation_state_write(Simulation *simulation, const double *values, int64_t step)
{
    Device *device = simulation->device;
    Slot slots[CARRIED_MOST];
    const int count = carried_slots(simulation, slots);
    for (int s = 0; s < count; ++s, values += 3 * (size_t)simulation->model.node_count)
        TRY(device_state_write(device, slots[s], values));
    TRY(device_solver_state_write(device, values));
    values += device_solver_state_size(device);
    integrator_state_unpack(&simulation->integrator.state, values);
    simulation->integrator.batch = (int32_t)values[INTEGRATOR_STATE_SIZE];
    simulation->step = step;
    return device_diagnose(device, SLOT_POSITION, SLOT_VELOCITY, simulation_time(simulation),
                           &simulation->diagnosis);
}
