/// Damping in ADMM (theory.md sections 6 and 7): every damped element has copies of its D x beside the elastic one, one for all models
/// whose R is quadratic and one for each power law, with weights of their own. Their local problem is t R at the velocity (Z - D xp)/t.
/// Rayleigh's mass part goes into the constant matrix. What sees velocities less those of rigid motions has copies of D P x, P of
/// terms/rigid_motion.h at the shape that is lagged, and rigid_update.h makes the matrix theirs. dR/dx of forms that are not lagged is a
/// force of the round. Variational damping has a copy whose multiplier acts once, over the step, and not in the momentum at its end.
#ifndef DEVICE_CPU_ADMM_DAMPING_COPIES_H
#define DEVICE_CPU_ADMM_DAMPING_COPIES_H

#include "device/cpu/terms/term.h"
#include "model/damping_copies.h"

typedef struct DampingCopies {
    DampingCopy of;
    int level; ///< of a power law (model/damping_copies.h)
    CpuElements elements;
    size_t numbers; ///< of D x of its elements
    size_t *places; ///< of every element: where it is in the solver's state, as model/damping_copies.h has it
    double *weights;     ///< one an element of the model, J: 0 where there is no copy
    double duration;     ///< that the weights of quadratic models are for, s; 0: none yet
    double *change_sums; ///< one a chunk
    ResidualSums *sums;  ///< one a chunk
} DampingCopies;

typedef struct AdmmDamping {
    int count;
    DampingCopies copies[MODEL_DAMPING_COPIES_MOST];
    double *seen, *force; ///< room, node_count x 3
} AdmmDamping;

extern const CpuTerm cpu_damping_copies_term;

/// After the damping itself; nothing where no material is damped.
VelaResult admm_damping_create(CpuDevice *device, Arena *arena);
size_t admm_damping_memory(const Model *model);
/// The multipliers Y = rho (S - Z) stay as every rho grows by `factor`; before the scale itself changes.
void admm_damping_rescale(CpuDevice *device, double factor);
/// Adds D^T rho D v of the copies on the side that is blind to rigid motions, and of Rayleigh's mass part there, to `forces`; of rho at the
/// scale that is set. Vectors node_count x 3.
void admm_damping_stiffness(const CpuDevice *device, const double *v, double *forces);
/// What tells the weights of one stage from those of another, for GlobalKey.
int64_t admm_damping_weights(const CpuDevice *device);

#endif
