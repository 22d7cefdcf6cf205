/// A device of one particle on the x axis in a potential of the test's choice: integrators and solvers, which know devices
/// by the operation table alone, can be held to recurrences in closed form.
#ifndef TESTS_PARTICLE_DEVICE_H
#define TESTS_PARTICLE_DEVICE_H

#include "check_main.h"

#include "integrator/integrator.h"

#include <float.h>
#include <math.h>
#include <string.h>

/// Phi, its first and its second derivative at x.
typedef struct Potential {
    double stiffness;
    double (*energy)(double stiffness, double x);
    double (*gradient)(double stiffness, double x);
    double (*curvature)(double stiffness, double x);
} Potential;

typedef struct ParticleDevice {
    Device base;
    Potential potential;
    double mass;
    double slots[SLOT_COUNT];
    Stage stage;
    double straight, direction; ///< Newton's, and the part of it that steps are tried along
    // What the base device and the integrator point to.
    Model model;
    SceneDef scene;
    VelaContext *context;
    int32_t directions_asked, true_asked; ///< those of the Hessian as it is are among the former
    double contact_part;                  ///< of what a direction promises: contact's work
    double longest;                       ///< of the directions that were tried
    double
        rounding; ///< of differences of the objective, relative, beside that of the objective at the iterate
    double bound; ///< J: what noise is said to be beside that; no rounding comes with it
} ParticleDevice;

static inline ParticleDevice *particle_of(Device *device)
{
    return (ParticleDevice *)device;
}

static inline VelaResult particle_combine(Device *device, Slot destination, int count,
                                          const double *coefficients, const Slot *slots)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += coefficients[i] * particle_of(device)->slots[slots[i]];
    particle_of(device)->slots[destination] = sum;
    return VELA_OK;
}

static inline VelaResult particle_acceleration(Device *device, Slot destination, Slot at, double time)
{
    ParticleDevice *p = particle_of(device);
    (void)time;
    p->slots[destination] = -p->potential.gradient(p->potential.stiffness, p->slots[at]) / p->mass;
    return VELA_OK;
}

static inline VelaResult particle_stage_set(Device *device, const Stage *stage)
{
    particle_of(device)->stage = *stage;
    return VELA_OK;
}

static inline double particle_objective(const ParticleDevice *p, double x)
{
    const double apart = (x - p->slots[SLOT_TARGET]) / p->stage.a;
    return 0.5 * p->mass * apart * apart + p->potential.energy(p->potential.stiffness, x);
}

static inline double particle_slope(const ParticleDevice *p, double x)
{
    return p->mass * (x - p->slots[SLOT_TARGET]) / (p->stage.a * p->stage.a) +
           p->potential.gradient(p->potential.stiffness, x);
}

static inline VelaResult particle_direction(Device *device, const NewtonSettings *settings,
                                            NewtonDirection *direction)
{
    ParticleDevice *p = particle_of(device);
    const double x = p->slots[SLOT_STAGE], gradient = particle_slope(p, x);
    double curvature = p->potential.curvature(p->potential.stiffness, x);
    if (settings->project)
        curvature = fmax(curvature, 0);
    const double hessian = p->mass / (p->stage.a * p->stage.a) + curvature;
    ++p->directions_asked;
    p->true_asked += !settings->project;
    direction->indefinite = !(hessian > 0);
    p->straight = p->direction = direction->indefinite ? 0 : -gradient / hessian;
    direction->largest = fabs(p->direction);
    direction->gradient = fabs(gradient) / sqrt(fabs(hessian));
    direction->slope = gradient * p->direction;
    direction->linear_iterations = 1;
    direction->is_exact = true;
    direction->bad_node = isfinite(p->direction) ? -1 : 0;
    return VELA_OK;
}

static inline VelaResult particle_way(Device *device, double part, bool turned)
{
    (void)turned;
    particle_of(device)->direction = part * particle_of(device)->straight;
    return VELA_OK;
}

static inline VelaResult particle_trials(Device *device, int32_t halvings, NewtonTrials *trials)
{
    ParticleDevice *p = particle_of(device);
    const double x = p->slots[SLOT_STAGE], objective = particle_objective(p, x);
    p->longest = fmax(p->longest, fabs(p->direction));
    trials->count = NEWTON_TRIALS;
    trials->longest = 1;
    trials->contact_work = p->contact_part * fabs(particle_slope(p, x) * p->straight);
    for (int i = 0; i < NEWTON_TRIALS; ++i) {
        const double there = x + ldexp(p->direction, -(halvings + i));
        trials->difference[i] = particle_objective(p, there) - objective;
        trials->slope[i] = particle_slope(p, there) * p->direction;
        trials->noise[i] =
            8 * DBL_EPSILON * fabs(objective) + p->rounding * fabs(trials->difference[i]) + p->bound;
    }
    return VELA_OK;
}

static inline VelaResult particle_accept(Device *device, double step)
{
    particle_of(device)->slots[SLOT_STAGE] += step * particle_of(device)->direction;
    return VELA_OK;
}

static inline VelaResult particle_mass_dot(Device *device, int count, const Slot (*pairs)[2], double *values)
{
    const ParticleDevice *p = particle_of(device);
    for (int i = 0; i < count; ++i)
        values[i] = p->mass * p->slots[pairs[i][0]] * p->slots[pairs[i][1]];
    return VELA_OK;
}

static inline VelaResult particle_diagnose(Device *device, Slot position, Slot velocity, double time,
                                           Diagnosis *diagnosis)
{
    const ParticleDevice *p = particle_of(device);
    (void)time;
    *diagnosis =
        (Diagnosis){.inverted_element = -1, .bad_node = -1, .min_det_f = 1, .min_distance = INFINITY};
    diagnosis->kinetic = 0.5 * p->mass * p->slots[velocity] * p->slots[velocity];
    diagnosis->elastic = p->potential.energy(p->potential.stiffness, p->slots[position]);
    if (!isfinite(p->slots[position]) || !isfinite(p->slots[velocity]))
        diagnosis->bad_node = 0;
    return VELA_OK;
}

static const DeviceOperations particle_operations = {
    .combine = particle_combine,
    .acceleration = particle_acceleration,
    .stage_set = particle_stage_set,
    .newton_direction = particle_direction,
    .newton_way = particle_way,
    .newton_trials = particle_trials,
    .newton_accept = particle_accept,
    .mass_dot = particle_mass_dot,
    .diagnose = particle_diagnose,
};

/// A particle of `mass` in a scene of defaults with solver newton, converged to rounding. `particle` must not move.
static inline void particle_start(ParticleDevice *particle, IntegratorType type, double mass,
                                  Potential potential, double x, double v)
{
    *particle = (ParticleDevice){.mass = mass, .potential = potential, .context = test_context()};
    particle->scene = (SceneDef){.integrator = type,
                                 .alpha = 0.5,
                                 .energy = {.alpha_min = 0, .alpha_max = 1.1, .initial_energy = 1},
                                 .solver = {.type = SOLVER_NEWTON,
                                            .tolerance = 1e-14,
                                            .max_iterations = 100,
                                            .linear_tolerance = 1e-4,
                                            .linear_max_iterations = 1}};
    particle->model = (Model){.scene = &particle->scene, .node_count = 1};
    particle->base = (Device){.operations = &particle_operations,
                              .context = particle->context,
                              .model = &particle->model,
                              .slots = (1u << SLOT_COUNT) - 1};
    particle->slots[SLOT_POSITION] = x;
    particle->slots[SLOT_VELOCITY] = v;
}

static inline void particle_stop(ParticleDevice *particle)
{
    vela_context_destroy(particle->context);
}

static inline Integrator particle_integrator(ParticleDevice *particle)
{
    return (Integrator){.device = &particle->base, .scene = &particle->scene};
}

// Potentials: a spring both ways, and one that pushes back where x < 0.
static inline double spring_energy(double k, double x)
{
    return 0.5 * k * x * x;
}
static inline double spring_gradient(double k, double x)
{
    return k * x;
}
static inline double spring_curvature(double k, double x)
{
    (void)x;
    return k;
}
static inline double wall_energy(double k, double x)
{
    return x < 0 ? 0.5 * k * x * x : 0;
}
static inline double wall_gradient(double k, double x)
{
    return x < 0 ? k * x : 0;
}
static inline double wall_curvature(double k, double x)
{
    return x < 0 ? k : 0;
}

static inline Potential spring(double stiffness)
{
    return (Potential){stiffness, spring_energy, spring_gradient, spring_curvature};
}
static inline Potential wall(double stiffness)
{
    return (Potential){stiffness, wall_energy, wall_gradient, wall_curvature};
}

#endif
