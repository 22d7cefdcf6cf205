/// The damping of the variational integrators themselves ([GVI], theory.md section 7): in a step from q_k to q_{k+1} the impulse
/// -k_D grad W, where W is the elastic energy of q_{k+1} with q_k as the shape at rest, and k_D, s, a time of the material. Its elements are
/// the model's tetrahedra, triangles and segments, with other rest shapes; bending has no part in it.
#ifndef DEVICE_CPU_TERMS_VARIATIONAL_DAMPING_H
#define DEVICE_CPU_TERMS_VARIATIONAL_DAMPING_H

#include "device/cpu/terms/term.h"

typedef struct VariationalDamping {
    CpuElements elements;
    Lanes *weights[ELEMENT_KIND_COUNT]; ///< of the bundles: rest volume times k_D, m^3 s
    BlockMatrix matrix; ///< of grad grad W: the pattern and the lists of Newton's matrix, values of its own
    double *rest, *end; ///< q_k, and the q_{k+1} that is looked at; in the model's order
    double *way;        ///< of the latter along a direction
    double *force;      ///< room
    double *bounds;     ///< one a chunk
    TrialSums *trials;  ///< one a chunk
} VariationalDamping;

extern const CpuTerm cpu_variational_damping_term;

/// Nothing where no material has it. After Newton's matrix was made.
VelaResult variational_damping_create(CpuDevice *device, Arena *arena);
size_t variational_damping_memory(const Model *model);

#endif
