/// Inside of the CPU device: what its parts work on.
#ifndef DEVICE_CPU_CPU_DEVICE_H
#define DEVICE_CPU_CPU_DEVICE_H

#include "device/cpu/contact/barrier_contact.h"
#include "device/cpu/linear/conjugate_gradients.h"
#include "device/cpu/linear/direct_solver.h"
#include "device/cpu/timing.h"

/// Sums over nodes run over chunks of fixed size and the chunks are added in order: the same bits for any number of threads.
enum { NODES_PER_CHUNK = 512 };

/// Below these sizes a parallel region costs more than it gains: it takes 2 us where waiting threads spin, 20 to 70 us
/// where they sleep (OMP_WAIT_POLICY=passive), and a turn of the scheduler on a busy machine. One tetrahedron takes about 0.2 us an
/// iteration, one node 0.05 us.
enum { ELEMENTS_FOR_THREADS = 1000, NODES_FOR_THREADS = 500 };

/// The split q' of theory.md section 5 (terms/penalty_split.h): 1 or 3 coordinates for every obstacle of penalty contact and
/// surface node, obstacle by obstacle.
typedef struct PenaltySplit {
    size_t count;       ///< model_penalty_coordinates
    double (*axes)[9];  ///< of every obstacle: the unit vectors that its coordinates are along
    double *target;     ///< the inertial target's, m
    double *state;      ///< s
    double *projected;  ///< prox(s)
    double *residual;   ///< that of x - prox(s)
    double *image;      ///< s + residual
    double *multiplier; ///< W, N
    double *rest;       ///< around a sphere: where friction would hold the vertex, m; NULL: nothing rubs
    double *drag; ///< around a sphere: minus the force of friction in the last prox, N; NULL: nothing rubs
    double *residual_differences[HISTORY_MOST];
    double *image_differences[HISTORY_MOST];
} PenaltySplit;

typedef struct Anderson {
    int32_t depth;     ///< 0: off
    int32_t kept;      ///< differences in use
    int32_t next;      ///< slot the next difference goes to
    bool has_previous; ///< residual and image hold the last iteration's
    double gram[HISTORY_MOST][HISTORY_MOST];
    double best; ///< smallest combined residual since the last restart
} Anderson;

/// What Newton's method works with. Vectors are node_count x 3.
typedef struct NewtonData {
    BlockMatrix matrix;
    ConjugateGradients linear;
    DirectSolver *direct;      ///< NULL where it does not pay
    double direct_most,        ///< iterations that a factor may be worth in this stage
        direct_refused;        ///< the most for which it was found to be worth more
    bool by_factor;            ///< the last direction was found so
    struct NewtonPatch *patch; ///< NULL: the model is too small for one
    const uint8_t
        *moving_chunks; ///< of elements, while a patch is looked at: 0 where nothing moves; else NULL
    double *direction;  ///< in the model's order
    double *gradient, *solution; ///< in the matrix's order
    double *right;  ///< what the linear solve began with; NULL where the matrix still tells (no partial pins)
    double part;    ///< of the direction found that `direction` is; 0: it turns
    double largest; ///< |d|_inf of the direction found, m
    bool looks_beyond, ///< the last step of this stage was longer than its direction, or tried to be
        is_beyond;     ///< this one is
    double longest;    ///< largest admissible step along it
    double bound_part,
        bound_longest; ///< the largest part of the direction found for which that was found, and what it was; part 0: none yet
    double *bounds;        ///< one a chunk of elements
    TrialSums *trial_sums; ///< one a chunk of elements, then one a chunk of nodes
} NewtonData;

/// Which part `direction` is of the way that was last looked at for what is admissible.
static inline double newton_part_of_bound(const NewtonData *newton)
{
    return newton->bound_part > 0 ? newton->part / newton->bound_part : 1;
}

/// What ADMM works with. Vectors are node_count x 3.
typedef struct AdmmData {
    struct GlobalStep *global;   ///< NULL with another solver
    double *penalties;           ///< rho of every element at scale 1
    struct AdmmDamping *damping; ///< NULL: no material is damped
    struct AirCopies *air;       ///< NULL: there is no air
    struct RigidUpdate *rigid;   ///< NULL: no damping is blind to rigid motions
    double *all_penalties;       ///< with those of the copies for damping; without any, `penalties`
    double *diagonal;            ///< what damping and air add at every node, N/m; NULL: nothing
    double *coupling; ///< what air adds at pairs of nodes, N/m, as the rows of the node graph; NULL: nothing
    double penalty_factor; ///< AdmmSettings.penalty that they were made with; -1: none yet
    double penalty_scale;
    double dual_floor; ///< what rounding leaves of the dual residual, at scale 1
    bool warm;         ///< images and multipliers carry the last stage's end
    PenaltySplit penalty;
    Anderson anderson;
    Mixing mixing;
    AdmmSettings settings;
    int32_t iterations; ///< of the stage so far
    double change_sq;   ///< |Z - Z_old|^2 of the last iteration
    double *right, *delta;
    double *change_sums;        ///< one a chunk of elements: |Z - Z_old|^2
    ResidualSums *element_sums; ///< one a chunk of elements
} AdmmData;

typedef struct CpuDevice {
    Device base;
    Arena arena;
    const Kernels *kernels;
    char name[256];   ///< of the processor and the instruction set in use
    int threads;      ///< of OpenMP for loops over elements: 1 for models too small to gain from more
    int node_threads; ///< the same for loops over nodes
    double *slots[SLOT_COUNT];
    CornerForces forces;
    CpuElements elements;
    Stage stage;
    PenaltyShape *shapes;            ///< obstacles of penalty contact where they stand
    struct PenaltyFriction *rubbing; ///< NULL: there is no friction of penalty contact
    double *motion;                  ///< room for a vector, node_count x 3
    double *loads;                   ///< forces of the loads, N, node_count x 3; NULL: there are none
    BarrierContact *barrier;         ///< NULL unless contact is barrier
    struct CpuDamping *damping;      ///< NULL: no material is damped
    struct VariationalDamping *variational_damping; ///< NULL: there is none
    struct CpuAir *air;                             ///< NULL: there is none
    struct CpuConstraints *constraints;             ///< NULL with a solver that takes no constraints
    NewtonData newton;
    AdmmData admm;
    EnergySums *energy_sums; ///< one a chunk of elements
    double (*node_sums)[16]; ///< one a chunk of nodes
    int32_t node_chunks;
    DeviceTiming timings[PHASE_COUNT];
} CpuDevice;

/// What passes from the base position to the stage's solution, s.
static inline double cpu_stage_time(const CpuDevice *device)
{
    return device->stage.slip_time > 0 ? device->stage.slip_time : device->stage.a;
}

/// End of a chunk of `size` of `count` things.
static inline int32_t chunk_end(int32_t chunk, int32_t size, int32_t count)
{
    const int32_t end = (chunk + 1) * size;
    return end < count ? end : count;
}

#endif
