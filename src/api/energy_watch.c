#include "api/energy_watch.h"

#include <math.h>

static const double SUSPICIOUS_GAIN = 10;

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
    for (int32_t o = 0; o < scene->obstacle_count; ++o)
        if (moves(&scene->obstacles[o].motion))
            return true;
    return scene->integrator == INTEGRATOR_A_SEARCH && scene->energy.initial_energy > 1;
}

EnergyWatch energy_watch_begin(const SceneDef *scene, const Diagnosis *initial)
{
    return (EnergyWatch){is_driven(scene), *initial};
}

bool energy_watch_notices(EnergyWatch *watch, const Diagnosis *state)
{
    const Diagnosis *initial = &watch->initial;
    const double available = initial->kinetic + initial->elastic + initial->contact +
                             fabs(state->gravitational - initial->gravitational);
    const bool noticed =
        !watch->done && diagnosis_total(state) - diagnosis_total(initial) > SUSPICIOUS_GAIN * available;
    watch->done = watch->done || noticed;
    return noticed;
}
