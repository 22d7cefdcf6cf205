/// The names of the energy models by number, as scenes have them.
#ifndef TESTS_ENERGY_NAMES_H
#define TESTS_ENERGY_NAMES_H

#include "physics/energy/energy.h"
#include "scene/keys.h"

static inline const char *model_name(int model)
{
    return WORDS_MODEL.known[model];
}

/// Whether the prox takes sorted values and may leave the smallest negative; arap's takes any and leaves none.
static inline bool prox_inverts(int model)
{
    return !energy_is_barrier(model) && model != ENERGY_ARAP;
}

#endif
