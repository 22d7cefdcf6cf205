/// The names of the energy models by number, as scenes have them.
#ifndef TESTS_ENERGY_NAMES_H
#define TESTS_ENERGY_NAMES_H

#include "abi/energy_model.h"
#include "scene/keys.h"

static inline const char *model_name(int model)
{
    return WORDS_MODEL.known[model];
}

#endif
