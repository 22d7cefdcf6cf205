/// Damping of materials (physics/dissipation/damping.h, theory.md section 7). While Newton's method solves a stage, what R depends on
/// beside the velocities stands where the stage began, and the stage is solved again until that is where it ends.
#ifndef DEVICE_CPU_TERMS_DAMPING_H
#define DEVICE_CPU_TERMS_DAMPING_H

#include "device/cpu/terms/rigid_motion.h"
#include "device/cpu/terms/term.h"

/// The entries that see the velocities on one side. Vectors are node_count x 3, by place (NodeOrder) but where it is said.
typedef struct DampingTerms {
    bool is_used;
    bool has_power_law;
    BlockMatrix
        matrix; ///< C of the stage: the pattern and the lists of Newton's matrix with values of its own; empty without Newton's method
    double *drag;     ///< kg/s a node in the model's order: Rayleigh's mass part, mass x m
    double *velocity; ///< (x - xp)/t at the iterate, as this side sees it; in the model's order
    double *product;  ///< C v
} DampingTerms;

typedef struct CpuDamping {
    DampingTerms sides[DAMPING_SIDES];
    RigidParts rigid_parts;
    bool has_shape_force;        ///< a form is not lagged
    double *shape;               ///< positions that the stage's matrices were found at, in the model's order
    double *shape_force;         ///< t dR/dx of such forms at the stage's shape; in the model's order
    double *velocity, *gradient; ///< room in the model's order
    double *way, *image;         ///< room
    double (*powers)[DAMPING_TYPES]; ///< one a chunk of elements
} CpuDamping;

extern const CpuTerm cpu_damping_term;

/// NULL where no material is damped. After Newton's matrix was made.
VelaResult cpu_damping_create(CpuDevice *device, Arena *arena);
/// Bytes of that.
size_t cpu_damping_memory(const Model *model);

/// Rayleigh's mass part at a node, kg/s.
double cpu_damping_drag(const CpuDevice *device, int32_t node);

#endif
