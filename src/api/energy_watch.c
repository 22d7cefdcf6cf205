#include "api/energy_watch.h"

#include "base/matrix3.h"

#include <math.h>

static const double SUSPICIOUS_DRIFT = 1, FIRST_STEPS = 3;

static bool moves(const Motion *motion)
{
    return motion->spin || motion->keyframe_count > 1;
}

static bool is_driven(const SceneDef *scene)
{
    for (int32_t b = 0; b < scene->body_count; ++b)
        for (int32_t p = 0; p < scene->bodies[b].pin_count; ++p)
            if (moves(&scene->bodies[b].pins[p].motion))
                return true;
    for (int32_t b = 0; b < scene->body_count; ++b)
        for (int32_t l = 0; l < scene->bodies[b].load_count; ++l)
            if (scene->bodies[b].loads[l].key_count > 1)
                return true;
    for (int32_t o = 0; o < scene->obstacle_count; ++o)
        if (moves(&scene->obstacles[o].motion))
            return true;
    for (int32_t c = 0; c < scene->constraint_count; ++c)
        for (int e = 0; e < scene->constraints[c].end_count; ++e)
            if (moves(&scene->constraints[c].ends[e].motion))
                return true;
    return scene->integrator == INTEGRATOR_A_SEARCH && scene->energy.initial_energy > 1;
}

EnergyWatch energy_watch_begin(const SceneDef *scene)
{
    return (EnergyWatch){.is_driven = is_driven(scene)};
}

// Methods of order two err by as much as gravity does within a step; a body that starts at rest has nothing else yet.
EnergySources energy_sources_begin(const SceneDef *scene, const Diagnosis *initial, double mass)
{
    const double time = FIRST_STEPS * scene->step, gravity_sq = dot3(scene->gravity, scene->gravity);
    return (EnergySources){.first_total = diagnosis_total(initial),
                           .start = initial->kinetic + initial->elastic + initial->contact +
                                    initial->constraint + 0.5 * mass * gravity_sq * time * time};
}

void energy_sources_add(EnergySources *sources, const Diagnosis *initial, const Diagnosis *state)
{
    sources->fall =
        fmax(sources->fall, initial->gravitational + initial->loads - state->gravitational - state->loads);
}

void energy_sources_pull(EnergySources *sources, double step, double power, double kinetic)
{
    sources->pulled += 0.5 * step * (sources->power + power) + (kinetic - sources->kinetic);
    sources->power = power;
    sources->kinetic = kinetic;
}

double energy_drift(const EnergyWatch *watch, const EnergySources *sources, const Diagnosis *state,
                    double dissipated)
{
    const double gain = diagnosis_total(state) + dissipated - sources->first_total;
    const double available = sources->start + sources->fall;
    return watch->is_driven || !(available > 0) ? NAN : gain / available;
}

bool energy_watch_notices(EnergyWatch *watch, const EnergySources *sources, const Diagnosis *state,
                          double dissipated)
{
    const bool noticed = !watch->done && energy_drift(watch, sources, state, dissipated) > SUSPICIOUS_DRIFT;
    watch->done = watch->done || noticed;
    return noticed;
}
