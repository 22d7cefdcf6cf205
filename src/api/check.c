#include "vela/check.h"

#include "api/session.h"
#include "base/numeric_locale.h"
#include "device/cpu/cpu.h"
#include "device/vulkan/vulkan.h"
#include "gpu/instance.h"
#include "model/constraints.h"
#include "model/obstacles.h"
#include "scene/keys.h"
#include "sim/advice.h"
#include "sim/start.h"

#include <string.h>

static void describe_integrator(const SceneDef *scene, char *text, size_t size)
{
    const EnergyDef *energy = &scene->energy;
    const char *type = WORDS_INTEGRATOR.known[scene->integrator];
    if (scene->integrator == INTEGRATOR_VARIATIONAL)
        snprintf(text, size, "%s (alpha %g%s)", type, scene->alpha,
                 scene_is_explicit(scene) ? ", explicit" : "");
    else if (scene->integrator == INTEGRATOR_A_SEARCH)
        snprintf(text, size, "%s (alpha %.4g to %.4g%s%s)", type, energy->alpha_min, energy->alpha_max,
                 energy->sparse ? ", sparse" : "", energy->decay_count > 0 ? ", decay" : "");
    else
        snprintf(text, size, "%s", type);
}

static void describe_solver(const SceneDef *scene, char *text, size_t size)
{
    const SolverDef *solver = &scene->solver;
    if (scene_is_explicit(scene))
        snprintf(text, size, "none");
    else if (solver->type == SOLVER_COMPLIANT)
        snprintf(text, size, "%s (%s, geometric stiffness %s, %d linear solve%s a step)",
                 WORDS_SOLVER.known[solver->type], WORDS_LINEAR.known[solver->linear_solve],
                 solver->geometric_stiffness == GEOMETRIC_STIFFNESS_NONE      ? "left out"
                 : solver->geometric_stiffness == GEOMETRIC_STIFFNESS_CLAMPED ? "clamped"
                                                                              : "exact",
                 solver->iterations, solver->iterations == 1 ? "" : "s");
    else
        snprintf(text, size, "%s (tolerance %g%s, at most %d iterations)", WORDS_SOLVER.known[solver->type],
                 solver->tolerance, solver->type == SOLVER_NEWTON ? " m/s" : "", solver->max_iterations);
}

static void describe_contact(const Model *model, char *text, size_t size)
{
    const ContactDef *contact = &model->scene->contact;
    if (contact->model == CONTACT_NONE)
        snprintf(text, size, "none");
    else if (contact->model == CONTACT_PENALTY)
        snprintf(text, size, "penalty (stiffness %g N/m)", contact->stiffness);
    else
        snprintf(text, size, "barrier (distance %g m, stiffness %g N/m)", contact->distance,
                 model->contact.stiffness);
}

static void count_obstacles(const Model *model, VelaSceneReport *report)
{
    const SceneDef *scene = model->scene;
    report->obstacles = scene->obstacle_count;
    for (int32_t o = 0; o < scene->obstacle_count; ++o) {
        const ObstacleKind kind = scene->obstacles[o].kind;
        ++*(kind == OBSTACLE_PLANE    ? &report->planes
            : kind == OBSTACLE_SPHERE ? &report->spheres
                                      : &report->meshes);
        report->mesh_triangles += model->obstacle_surfaces[o].triangle_count;
    }
}

static void describe(const Model *model, VelaSceneReport *report)
{
    const SceneDef *scene = model->scene;
    snprintf(report->name, sizeof report->name, "%s", scene->name);
    describe_integrator(scene, report->integrator, sizeof report->integrator);
    describe_solver(scene, report->solver, sizeof report->solver);
    describe_contact(model, report->contact, sizeof report->contact);
}

// Bytes of what a run leaves behind but for the images: see frame.c and checkpoint.c.
static uint64_t disk_bytes(const Model *model, int64_t steps)
{
    const uint64_t nodes = (uint64_t)model->node_count, tets = (uint64_t)model->groups[ELEMENT_TET].count,
                   vertices = (uint64_t)model->vertex_count;
    const uint64_t rows =
        model_has_constraint_solver(model->scene) ? (uint64_t)model->constraint_row_count : 0;
    const uint64_t frame = 48 * vertices + 8 * (uint64_t)model->element_count +
                           4 * (uint64_t)model->groups[ELEMENT_SEGMENT].count + 8 * rows;
    const uint64_t topology = 24 * vertices + 16 * tets + 16 * (uint64_t)model->triangle_count;
    const uint64_t checkpoint =
        72 * nodes + 8 * (uint64_t)model->local_count + 8 * (uint64_t)model_penalty_coordinates(model);
    return frame * (uint64_t)session_frame_count(model->scene, steps) + topology + 2 * checkpoint +
           400 * (uint64_t)steps;
}

static void measure(const Model *model, VelaSceneReport *report)
{
    const ModelMeasures measures = advice_measure(model);
    memcpy(report->low, measures.low, sizeof report->low);
    memcpy(report->high, measures.high, sizeof report->high);
    report->shortest_edge = measures.shortest_edge;
    report->mean_edge = measures.mean_edge;
    report->longest_edge = measures.longest_edge;
    report->pieces = measures.pieces;
}

// What is prescribed is known for the whole run. The walk ends where it would take long: a run goes on testing.
static VelaResult look_at_motions(Simulation *simulation)
{
    int64_t work = 2000000000, reached = 0;
    const int64_t steps = simulation->scene.step_count;
    TRY(prescribed_check(simulation->prescribed, 0, steps, VELA_ERROR_INVALID_INPUT, &work, &reached));
    if (simulation->prescribed && reached < steps)
        context_log(
            simulation->context, VELA_LOG_WARNING,
            "prescribed motions were looked at up to step %lld of %lld; a run looks at each of its steps",
            (long long)reached, (long long)steps);
    return VELA_OK;
}

// As a run begins: its tests are the same on every device, so the CPU path does them.
static VelaResult look_at_start(Simulation *simulation)
{
    const DeviceChoice choice = {"cpu", NULL};
    TRY(simulation_start(simulation, &choice));
    TRY(look_at_motions(simulation));
    advice_warn(simulation->context, &simulation->model);
    return advice_warn_locking(simulation->context, &simulation->model);
}

// Which device it is that `vulkan` would take, and whether it has room in either precision.
static void look_at_device(VelaContext *context, const Model *model, VelaSceneReport *report)
{
    const GpuInstanceDef def = gpu_default_instance_def();
    GpuInstance *instance;
    int32_t index;
    if (gpu_instance_create(context, &def, &instance) != VELA_OK)
        return;
    if (gpu_instance_choose(instance, "vulkan", &index) == VELA_OK) {
        const GpuDeviceInfo *info = &instance->devices[index];
        if (vulkan_device_fits(context, model, false, info) != VELA_OK)
            snprintf(report->vulkan, sizeof report->vulkan, "%s", vela_context_message(context));
        else
            snprintf(report->vulkan, sizeof report->vulkan, "%s has room for it%s", info->name,
                     !info->float64                                              ? " (it has no f64)"
                     : vulkan_device_fits(context, model, true, info) == VELA_OK ? ""
                                                                                 : " in f32 only");
    }
    gpu_instance_destroy(instance);
}

VelaResult vela_check(VelaContext *context, const char *path, int32_t override_count,
                      const char *const *overrides, VelaSceneReport *report)
{
    Simulation simulation;
    NumericLocale locale;
    *report = (VelaSceneReport){0};
    TRY(numeric_locale_enter(context, &locale));
    VelaResult result = simulation_load(context, path, override_count, overrides, &simulation);
    if (result == VELA_OK)
        result = look_at_start(&simulation);
    if (result == VELA_OK) {
        const SceneDef *scene = &simulation.scene;
        const Model *model = &simulation.model;
        describe(model, report);
        for (int32_t b = 0; b < scene->body_count; ++b) {
            const int32_t *count = scene->bodies[b].array_count;
            report->bodies += (int64_t)count[0] * count[1] * count[2];
        }
        count_obstacles(model, report);
        measure(model, report);
        report->nodes = model->body_node_count;
        report->pinned_nodes = model_body_pin_count(model) + model->partial_pin_count;
        report->elements = model->element_count;
        report->surface_triangles = model->triangle_count;
        for (int32_t b = 0; b < model->body_count; ++b) {
            report->surface_triangles -= model->bodies[b].skin_triangle_count;
            report->skin_triangles += model->bodies[b].skin_triangle_count;
            report->skin_vertices += model->bodies[b].skin_vertex_count;
        }
        for (int32_t i = 0; i < model->node_count; ++i)
            report->mass += model->masses[i];
        report->step = scene->step;
        report->duration = scene->duration;
        report->steps = scene->step_count;
        report->frames = session_frame_count(scene, scene->step_count);
        report->images = scene->images ? report->frames : 0;
        report->memory_cpu = cpu_device_memory(model);
        report->memory_vulkan_f32 = vulkan_device_memory(model, false);
        report->memory_vulkan_f64 = vulkan_device_memory(model, true);
        look_at_device(context, model, report);
        report->disk = disk_bytes(model, scene->step_count);
    }
    simulation_destroy(&simulation);
    numeric_locale_leave(&locale);
    return result;
}
