/// Damping of materials (physics/dissipation/damping.h, theory.md section 7) in its lagged form: while Newton's method solves a stage,
/// the matrix C stands where the stage began, and the stage is solved again until that is where it ends.
#ifndef DEVICE_CPU_TERMS_DAMPING_H
#define DEVICE_CPU_TERMS_DAMPING_H

#include "device/cpu/terms/term.h"

/// Vectors are node_count x 3, by place (NodeOrder).
typedef struct CpuDamping {
    BlockMatrix
        matrix;       ///< C of the stage: the pattern and the lists of Newton's matrix with values of its own
    double *velocity; ///< (x - xp)/t at the iterate
    double *force, *product;         ///< C v, C d; 0 at the nodes that are not free
    double *drag;                    ///< kg/s: Rayleigh's mass part, mass x m
    double (*powers)[DAMPING_TYPES]; ///< one a chunk of elements
} CpuDamping;

extern const CpuTerm cpu_damping_term;

/// NULL where no material is damped. After Newton's matrix was made.
VelaResult cpu_damping_create(CpuDevice *device, Arena *arena);
/// Bytes of that.
size_t cpu_damping_memory(const Model *model);

/// destination -= M^-1 C v at the positions and velocities (node_count x 3 in the model's order), 0 at nodes that are not free.
VelaResult cpu_damping_acceleration(Device *device, Slot destination, Slot position, Slot velocity);
/// Adds `duration` times the powers at these positions and velocities.
VelaResult cpu_damping_loss(Device *device, Slot position, Slot velocity, double duration,
                            DissipationLoss *loss);

#endif
