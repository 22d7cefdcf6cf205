#include "device/device.h"

#include <math.h>

static bool has(const Device *device, Slot slot)
{
    return slot < SLOT_COUNT && (device->slots >> slot & 1) != 0;
}

void device_destroy(Device *device)
{
    if (device)
        device->operations->destroy(device);
}

VelaResult device_state_read(Device *device, Slot slot, double *values)
{
    REQUIRE(device->context, has(device, slot));
    return device->operations->state_read(device, slot, values);
}

VelaResult device_state_write(Device *device, Slot slot, const double *values)
{
    REQUIRE(device->context, has(device, slot));
    return device->operations->state_write(device, slot, values);
}

VelaResult device_combine(Device *device, Slot destination, int count, const double *coefficients,
                          const Slot *slots)
{
    REQUIRE(device->context, has(device, destination) && count >= 1 && count <= 4);
    for (int i = 0; i < count; ++i)
        REQUIRE(device->context, has(device, slots[i]));
    return device->operations->combine(device, destination, count, coefficients, slots);
}

VelaResult device_prescribe(Device *device, Slot destination, const double *values)
{
    REQUIRE(device->context, has(device, destination));
    if (model_prescribed_count(device->model) == 0)
        return VELA_OK;
    return device->operations->prescribe(device, destination, values);
}

VelaResult device_acceleration(Device *device, Slot destination, Slot at, double time)
{
    REQUIRE(device->context, has(device, destination) && has(device, at) && destination != at);
    return device->operations->acceleration(device, destination, at, time);
}

VelaResult device_forces(Device *device, Slot destination, Slot at, double time, bool dissipation)
{
    REQUIRE(device->context, has(device, destination) && has(device, at) && destination != at);
    return device->operations->forces(device, destination, at, time, dissipation && device->dissipates);
}

VelaResult device_stage_set(Device *device, const Stage *stage)
{
    REQUIRE(device->context, stage->a > 0 && isfinite(stage->a));
    return device->operations->stage_set(device, stage);
}

VelaResult device_admm_begin(Device *device, const AdmmSettings *settings)
{
    REQUIRE(device->context, settings->depth >= 0 && settings->depth <= 8 && settings->tolerance > 0);
    return device->operations->admm_begin(device, settings);
}

VelaResult device_admm_iterate(Device *device, int32_t count, AdmmReport *report)
{
    REQUIRE(device->context, count > 0);
    *report = (AdmmReport){0};
    return device->operations->admm_iterate(device, count, report);
}

VelaResult device_admm_scale_penalty(Device *device, double factor)
{
    REQUIRE(device->context, factor > 0);
    return device->operations->admm_scale_penalty(device, factor);
}

VelaResult device_newton_direction(Device *device, const NewtonSettings *settings, NewtonDirection *direction)
{
    REQUIRE(device->context, settings->linear_tolerance > 0 && settings->linear_max_iterations > 0);
    *direction = (NewtonDirection){.bad_node = -1, .contact_pairs = -1};
    return device->operations->newton_direction(device, settings, direction);
}

VelaResult device_newton_way(Device *device, double part, bool turned)
{
    REQUIRE(device->context, device->operations->newton_way && part > 0);
    return device->operations->newton_way(device, part, turned);
}

VelaResult device_newton_trials(Device *device, int32_t halvings, NewtonTrials *trials)
{
    REQUIRE(device->context, halvings >= 0);
    *trials = (NewtonTrials){0};
    TRY(device->operations->newton_trials(device, halvings, trials));
    REQUIRE(device->context, trials->count > 0 && trials->count <= NEWTON_TRIALS);
    return VELA_OK;
}

VelaResult device_newton_accept(Device *device, double step)
{
    REQUIRE(device->context, step > 0 && step <= 1);
    return device->operations->newton_accept(device, step);
}

VelaResult device_compliant_direction(Device *device, const CompliantSettings *settings,
                                      CompliantReport *report)
{
    REQUIRE(device->context, device->operations->compliant_direction != NULL);
    return device->operations->compliant_direction(device, settings, report);
}

VelaResult device_mass_dot(Device *device, int count, const Slot (*pairs)[2], double *values)
{
    REQUIRE(device->context, count >= 1 && count <= 4);
    for (int i = 0; i < count; ++i)
        REQUIRE(device->context, has(device, pairs[i][0]) && has(device, pairs[i][1]));
    return device->operations->mass_dot(device, count, pairs, values);
}

VelaResult device_stage_acceleration(Device *device, Slot destination)
{
    REQUIRE(device->context, has(device, destination));
    return device->operations->stage_acceleration(device, destination);
}

VelaResult device_dissipation_acceleration(Device *device, Slot destination)
{
    REQUIRE(device->context, has(device, destination));
    if (!device->operations->dissipation_acceleration)
        return VELA_OK;
    return device->operations->dissipation_acceleration(device, destination);
}

VelaResult device_dissipation_loss(Device *device, Slot from, Slot to, double duration, DissipationLoss *loss)
{
    *loss = (DissipationLoss){0};
    REQUIRE(device->context, has(device, from) && has(device, to));
    if (!device->operations->dissipation_loss)
        return VELA_OK;
    return device->operations->dissipation_loss(device, from, to, duration, loss);
}

VelaResult device_damping_acceleration(Device *device, Slot destination, Slot position, Slot velocity,
                                       double step)
{
    REQUIRE(device->context, has(device, destination) && has(device, position) && has(device, velocity));
    if (!device->operations->damping_acceleration)
        return VELA_OK;
    return device->operations->damping_acceleration(device, destination, position, velocity, step);
}

VelaResult device_damping_loss(Device *device, Slot position, Slot velocity, double duration,
                               DissipationLoss *loss)
{
    REQUIRE(device->context, has(device, position) && has(device, velocity));
    if (!device->operations->damping_loss)
        return VELA_OK;
    return device->operations->damping_loss(device, position, velocity, duration, loss);
}

VelaResult device_penalty_friction(Device *device, double *pulls)
{
    return device->operations->penalty_friction ? device->operations->penalty_friction(device, pulls)
                                                : VELA_OK;
}

VelaResult device_admissible_step(Device *device, Slot from, Slot to, double *step)
{
    *step = 1;
    REQUIRE(device->context, has(device, from) && has(device, to));
    if (!device->operations->admissible_step)
        return VELA_OK;
    return device->operations->admissible_step(device, from, to, step);
}

VelaResult device_diagnose(Device *device, Slot position, Slot velocity, double time, Diagnosis *diagnosis)
{
    *diagnosis = (Diagnosis){.inverted_element = -1, .bad_node = -1};
    REQUIRE(device->context, has(device, position) && has(device, velocity));
    return device->operations->diagnose(device, position, velocity, time, diagnosis);
}

VelaResult device_fields(Device *device, Slot position, float *stretch, float *densities)
{
    REQUIRE(device->context, has(device, position));
    const ElementGroup *pressures = &device->model->groups[ELEMENT_PRESSURE];
    TRY(device->operations->fields(device, position, stretch, densities));
    // What a pressure has is the loads' energy, not the body's.
    for (int32_t e = 0; e < pressures->count; ++e)
        densities[pressures->first_element + e] = 0;
    return VELA_OK;
}

size_t device_solver_state_size(const Device *device)
{
    return device->operations->solver_state_size(device);
}

VelaResult device_solver_state_read(Device *device, double *values)
{
    return device->operations->solver_state_read(device, values);
}

VelaResult device_solver_state_write(Device *device, const double *values)
{
    return device->operations->solver_state_write(device, values);
}

void device_information(const Device *device, DeviceInfo *info)
{
    *info = (DeviceInfo){0};
    device->operations->information(device, info);
}

VelaResult device_timings(Device *device, int32_t *count, const DeviceTiming **timings)
{
    return device->operations->timings(device, count, timings);
}
