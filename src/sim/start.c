#include "sim/start.h"

#include "base/matrix3.h"
#include "model/build.h"
#include "model/constraints.h"
#include "model/describe.h"
#include "scene/parse.h"
#include "sim/verify.h"

#include <math.h>
#include <stdio.h>

VelaResult simulation_load(VelaContext *context, const char *path, int32_t override_count,
                           const char *const *overrides, Simulation *simulation)
{
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    TRY(scene_read(context, path, override_count, overrides, &simulation->arena, &simulation->scene));
    return model_build(context, &simulation->scene, &simulation->arena, &simulation->model);
}

/// What does not hold by more than this part of the scene's size is more than places that were typed to a few digits, and is told.
static const double NOTICED = 1e-4;

/// A constraint that is met worse than this is not met, m; where it depends on others, it conflicts with them.
static const double CONFLICT = 1e-6;

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

// By how much a constraint misses what it is there for, m. A soft length or angle may be meant to pull from the start.
static double unmet_of(const Model *model, const ModelConstraint *constraint)
{
    const bool holds = constraint->compliance == 0 || constraint->kind == CONSTRAINT_KIND_POINT;
    return holds ? model_constraint_error(constraint, model->initial_positions) : 0;
}

// Hard constraints that do not hold in the initial state are moved together in the first step, at whatever speed that takes; soft ones that
// hold points together pull from the start.
static void warn_unmet(Simulation *simulation)
{
    const Model *model = &simulation->model;
    double low[3], high[3], size[3];
    for (int k = 0; k < 3; ++k)
        low[k] = high[k] = model->initial_positions[k];
    for (int32_t i = 0; i < model->node_count; ++i)
        for (int k = 0; k < 3; ++k) {
            low[k] = fmin(low[k], model->initial_positions[3 * (size_t)i + (size_t)k]);
            high[k] = fmax(high[k], model->initial_positions[3 * (size_t)i + (size_t)k]);
        }
    subtract3(high, low, size);
    double worst = NOTICED * norm3(size);
    int32_t which = -1;
    char name[160];
    for (int32_t c = 0; c < model->constraint_count; ++c) {
        const double error = unmet_of(model, &model->constraints[c]);
        which = error > worst ? c : which;
        worst = fmax(worst, error);
    }
    if (which < 0)
        return;
    model_describe_constraint(model, which, name, sizeof name);
    const double compliance = model->constraints[which].compliance;
    char effect[160] = "the first step moves it there, and gives what it takes to the motion";
    if (compliance > 0)
        snprintf(effect, sizeof effect, "it pulls with the energy of that from the start, %.3g J",
                 0.5 * worst * worst / compliance);
    context_log(simulation->context, VELA_LOG_WARNING,
                "%s: %s does not hold in the initial state, by %.3g m: %s", simulation->scene.path, name,
                worst, effect);
}

// Constraints that depend on others: those that ask for what others hold already are told, those that ask for something else refused.
static VelaResult check_constraints(Simulation *simulation)
{
    Device *device = simulation->device;
    const SceneDef *scene = &simulation->scene;
    const Model *model = &simulation->model;
    const CompliantSettings settings = {.stiffness = scene->solver.geometric_stiffness,
                                        .solve = CONSTRAINT_SOLVE_DIRECT};
    CompliantReport report;
    double *nothing;
    char name[160];
    if (model->constraint_row_count == 0)
        return VELA_OK;
    warn_unmet(simulation);
    if (!model_has_constraint_solver(scene) || device->constraint_solve != CONSTRAINT_SOLVE_DIRECT)
        return VELA_OK;
    TRY(ARENA_ARRAY(&simulation->arena, nothing, device_solver_state_size(device)));
    TRY(device_state_write(device, SLOT_TARGET, model->initial_positions));
    TRY(device_state_write(device, SLOT_BASE_POSITION, model->initial_positions));
    TRY(device_stage_set(device, &(Stage){.a = scene->step}));
    const VelaResult result = device_compliant_direction(device, &settings, &report);
    TRY(device_solver_state_write(device, nothing));
    if (result == VELA_ERROR_NOT_CONVERGED || (result == VELA_OK && report.dependent == 0))
        return VELA_OK; // what has no solution is the first step's to say
    TRY(result);
    model_describe_constraint(model, report.dependent_constraint, name, sizeof name);
    FAIL_IF(
        simulation->context, report.unmet > CONFLICT, VELA_ERROR_INVALID_INPUT,
        "%s: %s cannot be met: others that it depends on leave %.3g m of it; expected constraints that agree",
        scene->path, name, report.unmet);
    context_log(
        simulation->context, VELA_LOG_WARNING,
        "%s: %s asks for what other constraints hold already (%d such rows in all); they are left out",
        scene->path, name, report.dependent);
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
    TRY(check_constraints(simulation));
    return prescribed_create(model, &simulation->arena, &simulation->prescribed);
}
