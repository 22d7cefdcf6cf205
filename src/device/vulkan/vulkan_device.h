/// Inside of the Vulkan device: what its parts work on.
///
/// An iteration of ADMM is a fixed sequence of dispatches, recorded many times over in one command buffer (admm/batch.c). Every
/// dispatch takes its size from the control buffer, and kernels write there what runs next:
///
///     LOCAL  admm_project (elements: S, Z, corner forces; their copies for damping, admm/damping_copies.c), admm_right (nodes: right-hand side, start of the solve)
///     CG     what begins a solve with a coarse space (linear/preconditioner.c), admm_guess (nodes: of slow stages a guess of the increment),
///            cg_apply and the preconditioner's kernels, alternating; cg_apply ends the solve
///     AFTER  admm_advance (nodes: x, planes), admm_residual (elements: J, norms), admm_control (Anderson, stop?)
///     DUAL   admm_dual_elements, admm_dual_nodes, admm_decide: only where admm_control found the primal residual small
///
/// so a recording that is longer than needed runs on empty, and one that is too short is simply submitted again: how it
/// was cut has no influence on the numbers. The host waits once per submission. The linear solve of Newton's method is done
/// the same way (newton/newton.c).
#ifndef DEVICE_VULKAN_VULKAN_DEVICE_H
#define DEVICE_VULKAN_VULKAN_DEVICE_H

#include "abi/admm.h"
#include "abi/barrier.h"
#include "abi/coarse.h"
#include "abi/contact.h"
#include "abi/contact_groups.h"
#include "abi/control.h"
#include "abi/diagnosis.h"
#include "abi/elements.h"
#include "abi/kernel.h"
#include "abi/linear.h"
#include "abi/newton.h"
#include "abi/nodes.h"
#include "abi/saddle.h"
#include "abi/scalars.h"
#include "abi/sums.h"
#include "device/slots.h"
#include "device/vulkan/sort/sort.h"
#include "gpu/commands.h"
#include "gpu/memory.h"

typedef enum BufferName {
    BUFFER_CONTROL,
    BUFFER_SCALARS,
    BUFFER_PARTIALS,
    BUFFER_FLAGS,
    BUFFER_SLOTS,
    BUFFER_MASSES,
    BUFFER_MASS_LISTS, ///< of coupled masses (abi/nodes.h)
    BUFFER_MASS_BLOCKS,
    BUFFER_PLANES, ///< and spheres, of penalty contact
    BUFFER_SPLIT,
    BUFFER_PIN_NODES,
    BUFFER_PIN_POSITIONS,
    BUFFER_PARTIAL_PINS,
    BUFFER_LOADS,
    BUFFER_INCIDENCE_START,
    BUFFER_CORNER_FORCES,
    BUFFER_ELEMENT_NODES, ///< of all kinds, one behind the other, like what follows (abi/elements.h)
    BUFFER_CORNER_PLACES,
    BUFFER_ELEMENT_NUMBERS,
    BUFFER_SHAPES,
    BUFFER_PARAMETERS,
    BUFFER_LOCALS,
    BUFFER_RESIDUAL_DIFFERENCES,
    BUFFER_IMAGE_DIFFERENCES,
    BUFFER_PLACE_DIFFERENCES,
    BUFFER_MATRIX_ROWS,
    BUFFER_COLUMNS,
    BUFFER_VALUES,
    BUFFER_DIAGONAL,
    BUFFER_FIRST_ROWS, ///< of the blocks of Newton's matrix
    BUFFER_SECOND_ROWS,
    BUFFER_THIRD_ROWS,
    BUFFER_BLOCK_START,
    BUFFER_CONTRIBUTIONS,
    BUFFER_ELEMENT_DATA,
    BUFFER_NODE_GRADIENT,
    BUFFER_PRECONDITIONER,
    BUFFER_BODY_ROOTS, ///< of the same, for bodies with coupled masses
    BUFFER_RESIDUAL,
    BUFFER_INCREMENT,
    BUFFER_STRAIGHT, ///< the increment of a linear solve, while steps are tried along other ways
    BUFFER_DIRECTION,
    BUFFER_PRODUCT,
    BUFFER_ARMS, ///< of the coarse space (linear/coarse.c), as far as BUFFER_COARSE_REDUCED
    BUFFER_COARSE_ENTRIES,
    BUFFER_COARSE_BATCHES,
    BUFFER_COARSE_BLOCKS,
    BUFFER_COARSE_PARTS,
    BUFFER_COARSE_MATRIX,
    BUFFER_COARSE_DIAGONAL,
    BUFFER_COARSE_PLAN,
    BUFFER_CLUSTER_OF,
    BUFFER_CLUSTER_ROOTS,
    BUFFER_COARSE_REDUCED,
    BUFFER_SURFACE_STARTS, ///< the surface map, of contact and the air
    BUFFER_SURFACE_NODES,
    BUFFER_SURFACE_WEIGHTS,
    BUFFER_VERTICES,      ///< of surfaces, exact: what contact sees
    BUFFER_VERTEX_MOTION, ///< exact
    BUFFER_SORT_WORK,     ///< of all scans and sorts
    BUFFER_PAIR_CONTROL,  ///< abi/barrier.h
    BUFFER_SIDES,         ///< of friction, as far as BUFFER_DRIFTS
    BUFFER_COEFFICIENTS,
    BUFFER_TURNS,
    BUFFER_DRIFTS, ///< of penalty contact (abi/nodes.h)
    BUFFER_PLACES, ///< what grows with the number of candidates, as far as BUFFER_CHANGING_BLOCKS
    BUFFER_ACTIVE, ///< of pairs within range
    BUFFER_PAIR_CORNERS,
    BUFFER_PAIRS,
    BUFFER_PAIR_NODES,
    BUFFER_ENTRY_COUNTS,
    BUFFER_FRICTION_VERTICES,
    BUFFER_FRICTION,
    BUFFER_ENTRY_KEYS, ///< of entries of the matrix
    BUFFER_OTHER_ENTRY_KEYS,
    BUFFER_SOURCES,
    BUFFER_OTHER_SOURCES,
    BUFFER_HEADS,
    BUFFER_BLOCK_STARTS,
    BUFFER_CHANGING_COLUMNS, ///< of the blocks beside the matrix
    BUFFER_CHANGING_BLOCKS,
    BUFFER_CHANGING_ROWS,
    BUFFER_GROUP_OF, ///< the coarse space's group of every node
    BUFFER_COUPLINGS, ///< of what contact holds together (linear/contact_groups.c), as far as BUFFER_CONTACT_WAYS
    BUFFER_CONTACT_LINKS,
    BUFFER_CONTACT_GROUPS,
    BUFFER_CONTACT_ROOTS,
    BUFFER_CONTACT_WAYS,
    BUFFER_FIELDS,        ///< of frames
    BUFFER_DAMPING_LISTS, ///< of damping (abi/damping.h), as far as BUFFER_DAMPING_THIRD_ROWS
    BUFFER_DAMPING_NUMBERS,
    BUFFER_DAMPING_DRAG,
    BUFFER_DAMPING_FORCE,
    BUFFER_DAMPING_FIRST_ROWS, ///< of its matrix
    BUFFER_DAMPING_SECOND_ROWS,
    BUFFER_DAMPING_THIRD_ROWS,
    BUFFER_LAW_RECORDS, ///< of power laws (terms/power_law.c)
    BUFFER_VARIATIONAL_SHAPES, ///< of variational damping (terms/variational_damping.c), as far as BUFFER_VARIATIONAL_DATA
    BUFFER_VARIATIONAL_PARAMETERS,
    BUFFER_VARIATIONAL_DATA,
    BUFFER_SHAPE_FORCE, ///< terms/shape_force.c
    BUFFER_RIGID_DRAG,  ///< of damping that sees no rigid motion, as far as BUFFER_RIGID_INCREMENT
    BUFFER_RIGID_PRODUCT,
    BUFFER_RIGID_FIRST_ROWS, ///< of its matrix
    BUFFER_RIGID_SECOND_ROWS,
    BUFFER_RIGID_THIRD_ROWS,
    BUFFER_RIGID_CHUNKS, ///< terms/rigid_motion.c
    BUFFER_RIGID_SUMS,
    BUFFER_RIGID_FORCE,
    BUFFER_RIGID_INCREMENT,
    BUFFER_COPIES, ///< of ADMM's copies for damping (abi/damping.h), as far as BUFFER_COPY_IMAGE_DIFFERENCES
    BUFFER_COPY_WEIGHTS,
    BUFFER_COPY_SHAPES,
    BUFFER_COPY_RESIDUAL_DIFFERENCES,
    BUFFER_COPY_IMAGE_DIFFERENCES,
    BUFFER_RIGID_CORNERS, ///< of copies that see no rigid motion (admm/rigid_copies.c), and the next
    BUFFER_RIGID_VALUES,
    BUFFER_AIR_STARTS, ///< of the air (abi/air.h), as far as BUFFER_AIR_OTHER_BLOCKS
    BUFFER_AIR_FACETS,
    BUFFER_AIR_FACTORS,
    BUFFER_AIR_TERMS,
    BUFFER_AIR_ENTRIES,
    BUFFER_AIR_BLOCKS,
    BUFFER_AIR_OTHER_BLOCKS,
    BUFFER_CONSTRAINT_LISTS, ///< of constraints (abi/saddle.h), as far as BUFFER_SADDLE_SUMS
    BUFFER_CONSTRAINT_NUMBERS,
    BUFFER_CONSTRAINT_SLOPES,
    BUFFER_CONSTRAINT_STIFFNESS,
    BUFFER_CONSTRAINT_FACTORS,
    BUFFER_CONSTRAINT_HOLDS, ///< 0 where an inequality does not hold its constraint
    BUFFER_SADDLE_VECTORS,
    BUFFER_SADDLE_SUMS,
    BUFFER_AIR_COPIES, ///< of ADMM (admm/air_copies.c)
    BUFFER_AIR_WEIGHTS,
    BUFFER_DIAGNOSIS,
    BUFFER_INDICES,
    BUFFER_CONTACT_CONTROL, ///< of the broad phase (abi/contact.h), as far as BUFFER_CANDIDATE_NUMBERS
    BUFFER_CONTACT_LISTS,
    BUFFER_CONTACT_NUMBERS,
    BUFFER_CONTACT_REST, ///< vertices of the rest shape, exact
    BUFFER_OWNER_MOTION,
    BUFFER_PRIMITIVE_ORDER,
    BUFFER_PRIMITIVE_KEYS,
    BUFFER_OTHER_ORDER, ///< what sorts work in
    BUFFER_OTHER_KEYS,
    BUFFER_TREE_NODES,
    BUFFER_TREE_OWN_NODES,
    BUFFER_QUERY_STARTS,
    BUFFER_WALKED_PAIRS,
    BUFFER_RAW_PAIRS,
    BUFFER_RAW_KEPT,
    BUFFER_CANDIDATES,
    BUFFER_CANDIDATE_NUMBERS,
    BUFFER_UPLOAD,   ///< mapped: what recorded copies read
    BUFFER_READBACK, ///< mapped: control, scalars, diagnosis, indices
    BUFFER_COUNT,
    BUFFER_COUNTERS =
        BUFFER_COUNT ///< BUFFER_CONTROL before its arguments of dispatches: of kernels that write none
} BufferName;

/// Places in BUFFER_READBACK; scalars take the room of doubles.
enum {
    READBACK_CONTROL = 0,
    READBACK_SCALARS = (4 * CONTROL_COUNT + 255) / 256 * 256,
    READBACK_DIAGNOSIS = READBACK_SCALARS + (8 * SCALAR_COUNT + 255) / 256 * 256,
    READBACK_INDICES = READBACK_DIAGNOSIS + DIAGNOSE_SECTIONS * SUM_GROUPS_MOST * 8,
    READBACK_PAIR_CONTROL = READBACK_INDICES + (4 * DIAGNOSE_INDICES + 255) / 256 * 256,
    READBACK_CONTACT_CONTROL = READBACK_PAIR_CONTROL + (4 * PAIR_CONTROL_COUNT + 255) / 256 * 256,
    READBACK_SIZE = READBACK_CONTACT_CONTROL + 4 * CONTACT_CONTROL_COUNT
};

typedef enum KernelName {
    KERNEL_COMBINE,
    KERNEL_PRESCRIBE,
    KERNEL_ACCELERATION,
    KERNEL_STAGE_ACCELERATION,
    KERNEL_MASS_DOT,
    KERNEL_DIAGNOSE_NODES,
    KERNEL_CONTACT_MEANS,
    KERNEL_CONTACT_CODES,
    KERNEL_CONTACT_LEAVES,
    KERNEL_CONTACT_JOIN,
    KERNEL_CONTACT_COUNT,
    KERNEL_CONTACT_COLLECT,
    KERNEL_CONTACT_LIMIT,
    KERNEL_CONTACT_NARROW,
    KERNEL_CONTACT_LIST,
    KERNEL_CG_UPDATE,
    KERNEL_NEWTON_NODES,
    KERNEL_NEWTON_COUPLINGS,
    KERNEL_NEWTON_START,
    KERNEL_NEWTON_BODIES,
    KERNEL_NEWTON_APPLY,
    KERNEL_NEWTON_FINISH,
    KERNEL_NEWTON_TURN,
    KERNEL_NEWTON_WAY,
    KERNEL_NEWTON_TRIAL_NODES,
    KERNEL_NEWTON_ACCEPT,
    KERNEL_COARSE_FRAMES,
    KERNEL_COARSE_PARTS,
    KERNEL_COARSE_SUM,
    KERNEL_COARSE_PLAN,
    KERNEL_COARSE_CLUSTERS,
    KERNEL_COARSE_STACKS,
    KERNEL_COARSE_PIVOT,
    KERNEL_COARSE_ELIMINATE,
    KERNEL_COARSE_RESTRICT,
    KERNEL_COARSE_FORWARD,
    KERNEL_COARSE_UPDATE,
    KERNEL_SURFACE_VERTICES, ///< of contact, as far as KERNEL_CONTACT_ACCELERATION
    KERNEL_BARRIER_PLAN,
    KERNEL_BARRIER_ENTRIES,
    KERNEL_BARRIER_HEADS,
    KERNEL_BARRIER_BLOCKS,
    KERNEL_BARRIER_ACTIVE, ///< of the barrier alone, as far as KERNEL_BARRIER_MEASURE
    KERNEL_BARRIER_PAIRS,
    KERNEL_BARRIER_FILTER,
    KERNEL_BARRIER_FILTER_EXACT,
    KERNEL_BARRIER_TRIALS,
    KERNEL_BARRIER_MEASURE,
    KERNEL_PENALTY_PAIRS, ///< of penalty contact, as far as KERNEL_PENALTY_MEASURE
    KERNEL_PENALTY_TRIALS,
    KERNEL_PENALTY_MEASURE,
    KERNEL_PENALTY_LAG, ///< of its friction, as far as KERNEL_PENALTY_SOLVED
    KERNEL_PENALTY_SOLVED,
    KERNEL_FRICTION_LAG,
    KERNEL_FRICTION_PAIRS,
    KERNEL_FRICTION_TRIALS,
    KERNEL_FRICTION_LOSS,
    KERNEL_COARSE_GROUPS,
    KERNEL_COARSE_CONTACT,
    KERNEL_CONTACT_COUPLINGS, ///< of linear/contact_groups.c, as far as KERNEL_CONTACT_ROOTS
    KERNEL_CONTACT_CHOOSE,
    KERNEL_CONTACT_MERGE,
    KERNEL_CONTACT_GROUPS,
    KERNEL_CONTACT_ROOTS,
    KERNEL_CONTACT_ACCELERATION,
    KERNEL_DAMPING_LINEARIZE,
    KERNEL_DAMPING_TRIALS,
    KERNEL_DAMPING_NODES,
    KERNEL_CORNER_SUMS,
    KERNEL_SHAPE_SUMS, ///< of forms of damping that are not lagged, as far as KERNEL_SHAPE_TRIALS
    KERNEL_SHAPE_LINEARIZE,
    KERNEL_SHAPE_TRIALS,
    KERNEL_RIGID_LINEARIZE, ///< of damping that sees no rigid motion, as far as KERNEL_RIGID_REMOVE
    KERNEL_RIGID_TRIALS,
    KERNEL_RIGID_NODES,
    KERNEL_RIGID_SUMS,
    KERNEL_RIGID_REMOVE,
    KERNEL_AIR_VERTICES,
    KERNEL_AIR_OTHER_VERTICES,
    KERNEL_AIR_LINEARIZE,
    KERNEL_AIR_TRIALS,
    KERNEL_AIR_NODES,
    KERNEL_CONSTRAINT_EVALUATE, ///< of constraints, as far as KERNEL_MINRES_UPDATE
    KERNEL_CONSTRAINT_STIFFEN,
    KERNEL_CONSTRAINT_FACTOR,
    KERNEL_CONSTRAINT_SIDES,
    KERNEL_CONSTRAINT_FINISH,
    KERNEL_CONSTRAINT_FORCES,
    KERNEL_CONSTRAINT_MEASURE,
    KERNEL_MINRES_REST,
    KERNEL_MINRES_APPLY,
    KERNEL_MINRES_UPDATE,
    KERNEL_CG_PREPARE,
    KERNEL_CG_APPLY,
    KERNEL_ADMM_COARSE_PARTS,
    KERNEL_ADMM_RESUME,
    KERNEL_ADMM_RESCALE,
    KERNEL_ADMM_BEGIN_NODES,
    KERNEL_ADMM_RIGHT,
    KERNEL_ADMM_GUESS,
    KERNEL_ADMM_ADVANCE,
    KERNEL_ADMM_CONTROL,
    KERNEL_ADMM_DUAL_NODES,
    KERNEL_ADMM_DECIDE,
    KERNEL_ADMM_AIR_BEGIN, ///< of copies for the air, as far as KERNEL_ADMM_AIR_RESIDUAL
    KERNEL_ADMM_AIR_PROJECT,
    KERNEL_ADMM_AIR_FORCES,
    KERNEL_ADMM_AIR_RESIDUAL,
    KERNEL_ADMM_RESCALE_COPIES, ///< of copies for damping, and the next
    KERNEL_ADMM_DRAG,
    KERNEL_ADMM_SHAPE_FORCE,
    KERNEL_ADMM_RIGID_SUMS, ///< of copies that see no rigid motion, as far as KERNEL_ADMM_RIGID_FORCE
    KERNEL_ADMM_RIGID_REMOVE,
    KERNEL_ADMM_RIGID_PRODUCT,
    KERNEL_ADMM_RIGID_DRAG,
    KERNEL_ADMM_RIGID_FORCE,
    KERNEL_FIRST_OF_KIND, ///< one for each kind of element from here on
    KERNEL_NEWTON_BLOCKS = KERNEL_FIRST_OF_KIND,
    KERNEL_NEWTON_BOUND,
    KERNEL_DAMPING_BLOCKS,
    KERNEL_RIGID_BLOCKS,
    KERNEL_DAMPING_FORCES,
    KERNEL_POWER_LAW_AXES,
    KERNEL_POWER_LAW_OTHER_AXES,
    KERNEL_POWER_LAW_LINEARIZE,
    KERNEL_POWER_LAW_BLOCKS,
    KERNEL_POWER_LAW_FORCES,
    KERNEL_POWER_LAW_TRIALS,
    KERNEL_POWER_LAW_RIGID_TRIALS,
    KERNEL_POWER_LAW_SHAPE,
    KERNEL_VARIATIONAL_REST, ///< of variational damping, as far as KERNEL_VARIATIONAL_BLOCKS
    KERNEL_VARIATIONAL_BOUND,
    KERNEL_VARIATIONAL_BLOCKS,
    KERNEL_ADMM_DAMPING_BEGIN,
    KERNEL_ADMM_DAMPING_PROJECT,
    KERNEL_ADMM_DAMPING_RESIDUAL,
    KERNEL_ADMM_DAMPING_DUAL,
    KERNEL_ADMM_BEGIN_ELEMENTS,
    KERNEL_ADMM_RESIDUAL,
    KERNEL_ADMM_DUAL_ELEMENTS,
    KERNEL_FIRST_OF_RANGE, ///< one for each range, that is kind and energy model, from here on
    KERNEL_ADMM_PROJECT = KERNEL_FIRST_OF_RANGE,
    KERNEL_ELEMENT_FORCES,
    KERNEL_DIAGNOSE_ELEMENTS,
    KERNEL_ELEMENT_FIELDS,
    KERNEL_NEWTON_ELEMENTS,
    KERNEL_NEWTON_TRIAL_ELEMENTS,
    KERNEL_DAMPING_ELEMENTS,
    KERNEL_DAMPING_SHAPE,
    KERNEL_VARIATIONAL_FORCES, ///< of variational damping, as far as KERNEL_VARIATIONAL_TRIALS
    KERNEL_VARIATIONAL_ELEMENTS,
    KERNEL_VARIATIONAL_TRIALS,
    KERNEL_ADMM_DAMPING_SHAPE,
    KERNEL_ADMM_VARIATIONAL_PROJECT,
    KERNEL_COUNT
} KernelName;

/// What a kernel is made from (kernels.c).
typedef struct KernelRow {
    const char
        *name; ///< shaders/compute/name.comp; behind it the kind of element, where there is one for each
    uint32_t workgroup_size, push_words;
    BufferName buffers[GPU_MAX_BINDINGS]; ///< in the order of the shader's bindings
    int32_t buffer_count;
    bool any_precision; ///< the shader has no `real` in it, and no second variant
} KernelRow;

extern const KernelRow vulkan_kernel_rows[KERNEL_COUNT];

/// Where the elements of one kind are in the buffers of all.
typedef struct ElementPlaces {
    uint32_t count;
    uint32_t first_element, first_corner; ///< as in ElementGroup
    uint32_t first_shape, first_local, first_data;
    uint32_t first_start;           ///< of its contributions' starts in BUFFER_BLOCK_START
    uint32_t first_sum, sum_groups; ///< entries of partial sums' sections that its kernels leave
} ElementPlaces;

/// The elements of one kind and energy model, contiguous on the device: `first` counts within the kind. The first
/// `never_inverting` of them are those that never invert (ModelMaterial).
typedef struct ElementRange {
    int32_t kind, energy_model;
    uint32_t first, count, never_inverting;
} ElementRange;

/// Push constants of the kernels of elements (shaders/common/elements/push.glsl).
typedef struct ElementPush {
    uint32_t first, count, never_inverting, kind_count;
    uint32_t first_element, first_corner, first_shape, first_local, first_data, first_sum;
    uint32_t group_count; ///< ElementPlaces.sum_groups
    uint32_t element_count, local_count, node_count;
    uint32_t argument;
} ElementPush;

/// The pattern of the matrix in slices of SLICE_ROWS rows (abi/linear.h); of ADMM's the scalar part, made anew when its key
/// changes.
typedef struct GlobalMatrix {
    uint32_t slice_count, entry_count;
    uint32_t *slice_start; ///< slice_count + 1
    uint32_t
        *slice_words;  ///< slice_count pairs: where a slice's columns start, and what they are counted from
    uint32_t *entries; ///< for every entry of model->columns its place among the device's values
    uint32_t *
        handed; ///< HANDED_WORDS x SLICE_ROWS of each slice, behind its columns (abi/linear.h); NULL: of ADMM
    double a, scale;  ///< what it was made for; a = 0: never
    uint64_t version; ///< counts the times that it was made
} GlobalMatrix;

typedef struct Batch {
    GpuCommands *commands;
    uint32_t iterations, cg_iterations; ///< recorded
    int64_t bytes;                      ///< that a submission brings to the host
    bool recorded;
} Batch;

/// Push constants of the kernels of linear solves: each has some of the first words.
typedef struct LinearPush {
    uint32_t node_count, parity;
    uint32_t begin;         ///< 1: there is no direction yet, only a residual to be preconditioned
    uint32_t coupled_count; ///< the first rows, in fours that a body has
    uint32_t entry_count;
    uint32_t product_count, curvature_count; ///< partial sums of r.z, of p.A p
    uint32_t free_count, group_count, chunks_per_group, stripes_per_chunk;
    uint32_t cluster_count; ///< 0: clusters have no motions of their own
    uint32_t changes; ///< 1: there are blocks beside the matrix; of ADMM's, damping that sees no rigid motion
    uint32_t held;    ///< 1: the coarse space does not move what pins hold in part
    uint32_t apart;   ///< 1: the coarse matrix has nothing between motions along different axes
    uint32_t contact_workgroups; ///< that solve for what contact holds together
    uint32_t stacks; ///< where their words begin, behind those of the coarse tree; 0: there are none
} LinearPush;

/// Words of the push constants of power laws (terms/power_law.c), of copies for damping (admm/damping_copies.c).
enum { LAW_WORDS = sizeof(ElementPush) / 4 + 7, COPY_WORDS = sizeof(ElementPush) / 4 + 7 };

/// Of those of rigid motions (terms/rigid_motion.c), of damping_shape (terms/shape_force.c) and variational_rest.
enum { RIGID_PUSH_WORDS = 9, SHAPE_WORDS = sizeof(ElementPush) / 4 + 5 };

/// Push constants of admm_node_forces.
typedef struct NodeForcesPush {
    uint32_t node_count;
    float factor;
} NodeForcesPush;

/// Node vectors of the device's own, behind the slots of the integrator.
typedef enum OwnSlot {
    OWN_SLOT_END, ///< of variational damping: the step's end, and what its shapes are at rest in
    OWN_SLOT_REST,
    OWN_SLOT_SHAPE,       ///< where the stage's damping less rigid motions stands
    OWN_SLOT_WAY,         ///< ways less rigid motions
    OWN_SLOT_EARLIER_WAY, ///< the same of the velocities where the step began
    OWN_SLOT_COUNT
} OwnSlot;

/// What a linear solve divides by: a row of the table in linear/preconditioner.c.
typedef struct PreconditionerRow PreconditionerRow;

/// The coarse space of the two-level preconditioner (linear/coarse.c); all 0 with another one.
typedef struct CoarseCounts {
    uint32_t group_count, chunks_per_group, stripes_per_chunk; ///< groups of free nodes, chunks of a group
    uint32_t cluster_count;                                    ///< of all groups
    bool solves_clusters;                                      ///< they have motions of their own
    bool has_stacks;                                           ///< those of the model have too
    uint32_t stack_count;
    bool bends;                  ///< some groups are plates or rods
    uint32_t batch_count;        ///< of entries of the matrix
    uint32_t contact_workgroups; ///< of coarse_forward, behind those of groups
} CoarseCounts;

/// What ADMM's coarse matrix was made for: it is made anew when this changes.
typedef struct CoarseKey {
    uint64_t version;           ///< GlobalMatrix.version; 0: never
    double across[6], along[6]; ///< vulkan_plane_blocks
} CoarseKey;

/// How many of each the growing buffers of contact hold.
typedef struct ContactRooms {
    uint32_t friction, pairs, entries, blocks, groups;
} ContactRooms;

/// Contact that works with the surface's vertices (contact/contact.c).
typedef struct VulkanContact {
    ContactRooms rooms;
    uint32_t column_bits; ///< of a node's number plus 1
    uint32_t side_count;  ///< rows of BUFFER_COEFFICIENTS
    bool stage_is_new;    ///< what the stage begins with is still to be recorded, or to be recorded again
    bool rest_is_new;     ///< likewise, of ADMM: where friction holds
    bool solved;          ///< what rubs has the forces that ADMM has found in the stage
    SortKernels sort_kernels;
    Scan scan_active, scan_entries, scan_heads;
    RadixSort sort;
    int64_t regrowths; ///< times that something had to be done again with more room
} VulkanContact;

/// What finds candidates of barrier contact (contact/broad_phase.h).
typedef struct BroadPhase BroadPhase;

/// Damping in ADMM (admm/damping_copies.h).
typedef struct DampingCopies DampingCopies;

/// Constraints, and the linear systems of the solver that takes them (constraints/constraint_term.h).
typedef struct VulkanConstraints VulkanConstraints;
/// The air in ADMM (admm/air_copies.h).
typedef struct AirCopies AirCopies;

/// Recordings of the linear solve of Newton's method, made when first needed, never again.
enum { NEWTON_BATCHES = 21 };

typedef struct VulkanDevice {
    Device base;
    Arena arena;
    GpuDevice *gpu;
    GpuInstance *owned_instance; ///< NULL: `gpu` is the caller's
    bool f64;
    GpuPool *pool;
    GpuPipelines *pipelines;
    GpuBinding kernels[KERNEL_FIRST_OF_KIND];
    GpuBinding kind_kernels[KERNEL_FIRST_OF_RANGE - KERNEL_FIRST_OF_KIND][ELEMENT_KIND_COUNT];
    GpuBinding range_kernels[KERNEL_COUNT - KERNEL_FIRST_OF_RANGE][RANGES_MOST];
    ElementPlaces places[ELEMENT_KIND_COUNT];
    uint32_t range_count; ///< those that occur, kind after kind
    ElementRange ranges[RANGES_MOST];
    uint32_t node_count, element_count, local_count, surface_count;
    uint32_t plane_count;             ///< planes and spheres of penalty contact
    uint32_t contact_count;           ///< surface vertices before them
    uint32_t split_count;             ///< coordinates that ADMM has of those
    uint32_t groups_nodes, groups_cg; ///< of kernels that sum
    uint32_t groups_most;             ///< of all of them, entries in use of a section
    int32_t depth_most;

    GpuCommands *open[2]; ///< operations are recorded into one while the other may be running
    int32_t current;
    bool recording;
    uint64_t upload_used; ///< bytes of BUFFER_UPLOAD that recorded copies still need
    Batch batch;
    Batch newton_batches[NEWTON_BATCHES];
    double seconds_per_iteration;                     ///< of the last batch
    double submission_seconds;                        ///< that no batch is to take longer than
    uint32_t wanted_iterations, wanted_cg_iterations; ///< of the next batch, from the last one
    int32_t solve_iterations
        [2]; ///< of Newton's last linear solve that was not a stage's first, and of the last that was
    double linear_reduction; ///< relative residual that ends a linear solve
    LinearForcing forcing;   ///< of Newton's linear solve
    double short_direction;  ///< likewise, m

    bool loads_written;
    double loads_time;                   ///< when the loads are those that the device has, s
    uint32_t *order;                     ///< the model's number of every element on the device
    double *penalties;                   ///< rho at scale 1, the model's order
    double *all_penalties;               ///< with those of copies for damping, which the global matrix sees
    double *drag;                        ///< what holds back the masses of nodes in ADMM, kg/s; NULL: nothing
    double *air_diagonal, *air_coupling; ///< of copies for the air, admm/air_copies.h; NULL: none
    double *rigid_penalties,
        *rigid_drag;       ///< of damping that sees no rigid motion; NULL: none, or none of masses
    double penalty_factor; ///< AdmmSettings.penalty they were made with; -1: none yet
    double penalty_scale;
    double dual_floor; ///< N, at scale 1
    GlobalMatrix matrix;
    const PreconditionerRow *preconditioner;
    bool two_level; ///< it has a coarse space
    CoarseCounts coarse;
    CoarseKey coarse_key; ///< of ADMM
    VulkanContact
        *contact; ///< NULL: none, or penalty contact of nodes without friction, which their kernels see to
    BroadPhase *broad_phase;        ///< NULL unless contact is barrier
    VulkanConstraints *constraints; ///< NULL with a solver that takes no constraints
    uint32_t damped_kinds;          ///< kinds with an element whose material has damping that is linear, bits
    uint32_t law_kinds;             ///< kinds with an element whose material has a power law, bits
    uint32_t damped_sides, law_sides;           ///< of both the sides that occur (DampingSide), bits
    uint32_t shape_sides;                       ///< those with a form that is not lagged, bits
    uint32_t variational_kinds;                 ///< kinds that may have variational damping, bits
    uint32_t rigid_chunks;                      ///< of nodes (terms/rigid_motion.c)
    uint32_t first_records[ELEMENT_KIND_COUNT]; ///< of their records in BUFFER_LAW_RECORDS
    DampingCopies *copies;                      ///< NULL: no damping, or not by ADMM
    AirCopies *air_copies;                      ///< NULL: no air, or not by ADMM
    Stage stage;
    PenaltyShape *shapes; ///< planes and spheres of penalty contact where they stand
    AdmmSettings settings;
    uint32_t iterations; ///< of the running stage
    bool warm;
    DeviceTiming *timings;
} VulkanDevice;

static inline const GpuBuffer *vulkan_buffer(const VulkanDevice *device, BufferName name)
{
    return &device->pool->buffers[name];
}

/// Planes and spheres that the kernels of nodes see to: none where contact's own kernels do (contact/penalty.h).
static inline uint32_t vulkan_node_planes(const VulkanDevice *device)
{
    return device->contact ? 0 : device->plane_count;
}

/// The number of a slot among those that the device has.
static inline uint32_t vulkan_slot(const VulkanDevice *device, Slot slot)
{
    return (uint32_t)slots_before(device->base.slots, slot);
}

/// The number of one of its own.
static inline uint32_t vulkan_own_slot(const VulkanDevice *device, OwnSlot slot)
{
    return (uint32_t)slots_before(device->base.slots, SLOT_COUNT) + (uint32_t)slot;
}

static inline SolverType vulkan_solver(const VulkanDevice *device)
{
    return device->base.model->scene->solver.type;
}

static inline const GpuBinding *vulkan_kind_kernel(const VulkanDevice *device, KernelName kernel, int kind)
{
    return &device->kind_kernels[kernel - KERNEL_FIRST_OF_KIND][kind];
}

static inline const GpuBinding *vulkan_range_kernel(const VulkanDevice *device, KernelName kernel,
                                                    uint32_t range)
{
    return &device->range_kernels[kernel - KERNEL_FIRST_OF_RANGE][range];
}

/// Workgroups of a kernel that goes over `count` things and leaves one sum each (as in shaders/common/invocation.glsl).
static inline uint32_t sum_groups(uint32_t count, uint32_t workgroup)
{
    const uint32_t groups = (count + workgroup - 1) / workgroup;
    return groups < SUM_GROUPS_MOST ? groups : SUM_GROUPS_MOST;
}

#endif
