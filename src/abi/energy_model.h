/* Numbers of the elastic energy models. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_ENERGY_MODEL_H
#define ABI_ENERGY_MODEL_H

#define ENERGY_ARAP 0
#define ENERGY_SYMMETRIC_DIRICHLET 1
#define ENERGY_SYMMETRIC_GRADIENT 2
#define ENERGY_NEO_HOOKEAN 3
#define ENERGY_COROTATED 4
#define ENERGY_FIXED_COROTATED 5
#define ENERGY_STABLE_NEO_HOOKEAN 6
#define ENERGY_STVK 7
#define ENERGY_MODEL_COUNT 8

#endif
