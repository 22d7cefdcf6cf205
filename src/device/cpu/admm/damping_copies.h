/// Damping in ADMM (theory.md sections 6 and 7): every damped element has copies of its D x beside the elastic one, one for all models
/// whose R is quadratic and one for each power law, with weights of their own. Their local problem is t R at the velocity (Z - D xp)/t.
/// Rayleigh's mass part goes into the constant matrix.
#ifndef DEVICE_CPU_ADMM_DAMPING_COPIES_H
#define DEVICE_CPU_ADMM_DAMPING_COPIES_H

#include "device/cpu/terms/term.h"
#include "model/damping_copies.h"

typedef struct DampingCopies {
    int law;   ///< number of the power law in its material's list, or DAMPING_QUADRATIC
    int level; ///< of a power law: its weight is 4^level times the elastic one
    CpuElements elements;
    size_t numbers;                     ///< of D x of its elements
    size_t *places[ELEMENT_KIND_COUNT]; ///< of its elements in the solver's state
    double *weights;                    ///< one an element of the model, J: 0 where there is no copy
    double duration;                    ///< that the weights of quadratic models are for, s; 0: none yet
    double *change_sums;                ///< one a chunk
    ResidualSums *sums;                 ///< one a chunk
} DampingCopies;

typedef struct AdmmDamping {
    int count;
    DampingCopies copies[MODEL_DAMPING_COPIES_MOST];
} AdmmDamping;

extern const CpuTerm cpu_damping_copies_term;

/// After the damping itself; nothing where no material is damped.
VelaResult admm_damping_create(CpuDevice *device, Arena *arena);
size_t admm_damping_memory(const Model *model);
/// The multipliers Y = rho (S - Z) stay as every rho grows by `factor`; before the scale itself changes.
void admm_damping_rescale(CpuDevice *device, double factor);
/// What tells the weights of one stage from those of another, for GlobalKey.
int64_t admm_damping_weights(const CpuDevice *device);

/// What is carried from step to step: numbers in all, and reading and writing them.
size_t admm_damping_state_size(const CpuDevice *device);
void admm_damping_state_read(const CpuDevice *device, double *values);
void admm_damping_state_write(CpuDevice *device, const double *values);

#endif
