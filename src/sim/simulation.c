#include "sim/simulation.h"

#include "sim/device_choice.h"
#include "sim/verify.h"

#include <math.h>
#include <string.h>

VelaResult simulation_load(VelaContext *context, const char *path, int32_t override_count,
                           const char *const *overrides, Simulation *simulation)
{
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    TRY(scene_read(context, path, override_count, overrides, &simulation->arena, &simulation->scene));
    return model_build(context, &simulation->scene, &simulation->arena, &simulation->model);
}

// Barrier contact cannot start where surfaces touch.
static VelaResult check_contact(Simulation *simulation)
{
    if (simulation->scene.contact.model != CONTACT_BARRIER)
        return VELA_OK;
    TRY(verification_check_start(simulation));
    const Diagnosis *state = &simulation->diagnosis;
    char first[96], last[96];
    model_describe_vertex(&simulation->model, state->closest[0], first, sizeof first);
    model_describe_vertex(&simulation->model, state->closest[3], last, sizeof last);
    FAIL_IF(simulation->context, !isfinite(state->contact), VELA_ERROR_INVALID_INPUT,
            "%s: %s and %s are %g m apart in the initial state, expected a gap that barrier contact can keep",
            simulation->scene.path, first, last, state->min_distance);
    return VELA_OK;
}

VelaResult simulation_start(Simulation *simulation, const DeviceChoice *choice)
{
    const Model *model = &simulation->model;
    TRY(device_choose(simulation->context, model, choice, &simulation->device, simulation->device_reason,
                      sizeof simulation->device_reason));
    Integrator *integrator = &simulation->integrator;
    *integrator = (Integrator){.device = simulation->device, .scene = &simulation->scene};
    TRY(ARENA_ARRAY(&simulation->arena, integrator->pins, 6 * (size_t)model->pin_count));
    TRY(device_state_write(simulation->device, SLOT_POSITION, model->initial_positions));
    TRY(device_state_write(simulation->device, SLOT_STAGE, model->initial_positions));
    TRY(device_state_write(simulation->device, SLOT_VELOCITY, model->initial_velocities));
    TRY(device_diagnose(simulation->device, SLOT_POSITION, SLOT_VELOCITY, 0, &simulation->diagnosis));
    FAIL_IF(simulation->context, simulation->diagnosis.inverted_tet >= 0, VELA_ERROR_INVALID_INPUT,
            "%s: tetrahedron %d is inside out in the initial state (det F %g), which its material never is; "
            "expected less twist or more cells",
            simulation->scene.path, simulation->diagnosis.inverted_tet, simulation->diagnosis.min_det_f);
    return check_contact(simulation);
}

void simulation_destroy(Simulation *simulation)
{
    device_destroy(simulation->device);
    if (simulation->context)
        arena_clear(&simulation->arena);
    *simulation = (Simulation){0};
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
