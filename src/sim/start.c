#include "sim/start.h"

#include "model/build.h"
#include "scene/parse.h"
#include "sim/verify.h"

#include <math.h>

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
    model_describe_pair(&simulation->model, state->closest, first, last, sizeof first);
    FAIL_IF(
        simulation->context, !isfinite(state->contact), VELA_ERROR_INVALID_INPUT,
        "%s: %s and %s have a gap (distance less separation) of %g m in the initial state, expected one that "
        "barrier contact can keep",
        simulation->scene.path, first, last, state->min_distance);
    return VELA_OK;
}

VelaResult simulation_start(Simulation *simulation, const DeviceChoice *choice)
{
    Device *device;
    TRY(device_choose(simulation->context, &simulation->model, choice, &device, simulation->device_reason,
                      sizeof simulation->device_reason));
    return simulation_start_on(simulation, device);
}

VelaResult simulation_start_on(Simulation *simulation, Device *device)
{
    const Model *model = &simulation->model;
    simulation->device = device;
    Integrator *integrator = &simulation->integrator;
    *integrator = (Integrator){.device = simulation->device, .scene = &simulation->scene};
    TRY(ARENA_ARRAY(&simulation->arena, integrator->pins, 6 * (size_t)model_prescribed_count(model)));
    TRY(device_state_write(simulation->device, SLOT_POSITION, model->initial_positions));
    TRY(device_state_write(simulation->device, SLOT_STAGE, model->initial_positions));
    TRY(device_state_write(simulation->device, SLOT_VELOCITY, model->initial_velocities));
    TRY(device_diagnose(simulation->device, SLOT_POSITION, SLOT_VELOCITY, 0, &simulation->diagnosis));
    char element[160] = "";
    if (simulation->diagnosis.inverted_element >= 0)
        model_describe_element(model, simulation->diagnosis.inverted_element, element, sizeof element);
    FAIL_IF(simulation->context, simulation->diagnosis.inverted_element >= 0, VELA_ERROR_INVALID_INPUT,
            "%s: %s is inside out in the initial state (det F %g), which its material never is; "
            "expected less twist or more cells",
            simulation->scene.path, element, simulation->diagnosis.min_det_f);
    TRY(check_contact(simulation));
    return prescribed_create(model, &simulation->arena, &simulation->prescribed);
}
