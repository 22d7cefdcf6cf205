/// What an element's density depends on beside D x.
#ifndef PHYSICS_ELEMENT_MATERIAL_H
#define PHYSICS_ELEMENT_MATERIAL_H

#include <stdint.h>

typedef struct ElementMaterial {
    int32_t energy_model; ///< ENERGY_* of abi/energy_model.h
    double kappa, lambda; ///< Pa
} ElementMaterial;

#endif
