/// Inside of the Vulkan device.
///
/// An iteration of ADMM is a fixed sequence of dispatches, recorded many times over in one command buffer (batch.c). Every
/// dispatch takes its size from the control buffer, and kernels write there what runs next:
///
///     LOCAL  admm_project (elements: S, Z, corner forces), admm_right (nodes: right-hand side, start of the solve)
///     CG     cg_apply, cg_update, alternating; cg_apply ends the solve
///     AFTER  admm_advance (nodes: x, planes), admm_residual (elements: J, norms), admm_control (Anderson, stop?)
///     DUAL   admm_dual (nodes), admm_decide: only where admm_control found the primal residual small
///
/// so a recording that is longer than needed runs on empty, and one that is too short is simply submitted again: how it
/// was cut has no influence on the numbers. The host waits once per submission. The linear solve of Newton's method is done
/// the same way (newton.c).
#ifndef DEVICE_VULKAN_VULKAN_DEVICE_H
#define DEVICE_VULKAN_VULKAN_DEVICE_H

#include "abi/admm.h"
#include "abi/coarse.h"
#include "abi/newton.h"
#include "device/vulkan/vulkan.h"
#include "gpu/commands.h"

typedef enum BufferName {
    BUFFER_CONTROL,
    BUFFER_SCALARS,
    BUFFER_PARTIALS,
    BUFFER_FLAGS,
    BUFFER_SLOTS,
    BUFFER_MASSES,
    BUFFER_PLANES,
    BUFFER_CONTACT,
    BUFFER_PIN_NODES,
    BUFFER_PIN_POSITIONS,
    BUFFER_INCIDENCE_START,
    BUFFER_INCIDENCE,
    BUFFER_CORNER_FORCES,
    BUFFER_TETS,
    BUFFER_CORNER_SLOTS,
    BUFFER_TET_NUMBERS,
    BUFFER_GRADIENTS,
    BUFFER_PARAMETERS,
    BUFFER_MATRICES,
    BUFFER_RESIDUAL_DIFFERENCES,
    BUFFER_IMAGE_DIFFERENCES,
    BUFFER_SLICE_START,
    BUFFER_COLUMNS,
    BUFFER_VALUES,
    BUFFER_DIAGONAL,
    BUFFER_FIRST_ROWS, ///< of the blocks of Newton's matrix
    BUFFER_SECOND_ROWS,
    BUFFER_THIRD_ROWS,
    BUFFER_BLOCK_START,
    BUFFER_CONTRIBUTIONS,
    BUFFER_ELEMENTS,
    BUFFER_NODE_GRADIENT,
    BUFFER_PRECONDITIONER,
    BUFFER_RESIDUAL,
    BUFFER_PRECONDITIONED,
    BUFFER_INCREMENT,
    BUFFER_DIRECTION,
    BUFFER_PRODUCT,
    BUFFER_GROUP_NODES, ///< of the coarse space (coarse.c), as far as BUFFER_COARSE_REDUCED
    BUFFER_ARMS,
    BUFFER_COARSE_ENTRIES,
    BUFFER_COARSE_BATCHES,
    BUFFER_COARSE_BLOCKS,
    BUFFER_COARSE_PARTS,
    BUFFER_COARSE_MATRIX,
    BUFFER_COARSE_DIAGONAL,
    BUFFER_COARSE_RESTRICTED,
    BUFFER_COARSE_REDUCED,
    BUFFER_DIAGNOSIS,
    BUFFER_INDICES,
    BUFFER_UPLOAD,   ///< mapped: what recorded copies read
    BUFFER_READBACK, ///< mapped: control, scalars, diagnosis, indices
    BUFFER_COUNT
} BufferName;

/// Places in BUFFER_READBACK; scalars take the room of doubles.
enum {
    READBACK_CONTROL = 0,
    READBACK_SCALARS = 1024,
    READBACK_DIAGNOSIS = 2048,
    READBACK_INDICES = READBACK_DIAGNOSIS + DIAGNOSE_SECTIONS * SUM_GROUPS_MOST * 8,
    READBACK_SIZE = READBACK_INDICES + 4 * DIAGNOSE_INDICES
};
_Static_assert(4 * CONTROL_COUNT <= READBACK_SCALARS &&
                   READBACK_SCALARS + 8 * SCALAR_COUNT <= READBACK_DIAGNOSIS,
               "sections of the readback do not overlap");

typedef enum KernelName {
    KERNEL_COMBINE,
    KERNEL_PRESCRIBE,
    KERNEL_ACCELERATION,
    KERNEL_STAGE_ACCELERATION,
    KERNEL_MASS_DOT,
    KERNEL_DIAGNOSE_NODES,
    KERNEL_CG_UPDATE,
    KERNEL_NEWTON_NODES,
    KERNEL_NEWTON_BLOCKS,
    KERNEL_NEWTON_START,
    KERNEL_NEWTON_APPLY,
    KERNEL_NEWTON_FINISH,
    KERNEL_NEWTON_BOUND,
    KERNEL_NEWTON_TRIAL_NODES,
    KERNEL_NEWTON_ACCEPT,
    KERNEL_COARSE_PARTS,
    KERNEL_COARSE_SUM,
    KERNEL_COARSE_PIVOT,
    KERNEL_COARSE_ELIMINATE,
    KERNEL_COARSE_UPDATE,
    KERNEL_COARSE_FORWARD,
    KERNEL_COARSE_PROLONG,
    KERNEL_CG_PREPARE,
    KERNEL_CG_APPLY,
    KERNEL_ADMM_RESUME,
    KERNEL_ADMM_RESCALE,
    KERNEL_ADMM_BEGIN_NODES,
    KERNEL_ADMM_BEGIN_TETS,
    KERNEL_ADMM_RIGHT,
    KERNEL_ADMM_ADVANCE,
    KERNEL_ADMM_RESIDUAL,
    KERNEL_ADMM_CONTROL,
    KERNEL_ADMM_DUAL,
    KERNEL_ADMM_DECIDE,
    KERNEL_FIRST_OF_MODEL, ///< one pipeline for each energy model from here on
    KERNEL_ADMM_PROJECT = KERNEL_FIRST_OF_MODEL,
    KERNEL_TET_FORCES,
    KERNEL_DIAGNOSE_TETS,
    KERNEL_NEWTON_TETS,
    KERNEL_NEWTON_TRIAL_TETS,
    KERNEL_COUNT
} KernelName;

/// What a kernel is made from (kernels.c).
typedef struct KernelRow {
    const char *name; ///< shaders/compute/name.comp
    uint32_t workgroup_size, push_words;
    BufferName buffers[GPU_MAX_BINDINGS]; ///< in the order of the shader's bindings
    int32_t buffer_count;
    bool any_precision; ///< the shader has no `real` in it, and no second variant
} KernelRow;

extern const KernelRow vulkan_kernel_rows[KERNEL_COUNT];

/// The elements of one energy model, contiguous on the device; the first `never_inverting` of them are those that
/// Model.never_inverts speaks of.
typedef struct ModelRange {
    uint32_t first, count, never_inverting;
} ModelRange;

/// The pattern of the matrix in slices of SLICE_ROWS rows (abi/admm.h); of ADMM's the scalar part, made anew when its key
/// changes.
typedef struct GlobalMatrix {
    uint32_t slice_count, entry_count;
    uint32_t *slice_start; ///< slice_count + 1
    uint32_t *entries;     ///< for every entry of model->columns its place among the device's values
    double a, scale;       ///< what it was made for; a = 0: never
} GlobalMatrix;

typedef struct Batch {
    GpuCommands *commands;
    uint32_t iterations, cg_iterations; ///< recorded
    int64_t bytes;                      ///< that a submission brings to the host
    bool recorded;
} Batch;

/// Push constants of the kernels of Newton's linear solve: each has some of the first words.
typedef struct LinearPush {
    uint32_t node_count, parity;
    uint32_t begin; ///< 1: there is no direction yet, only a residual to be preconditioned
    uint32_t entry_count;
    uint32_t product_count, curvature_count; ///< partial sums of r.z, of p.A p
    uint32_t free_count, group_count, chunks_per_group;
} LinearPush;

/// What a linear solve of Newton's method divides by: a row of the table in preconditioner.c.
typedef struct PreconditionerRow PreconditionerRow;

/// The coarse space of the two-level preconditioner (coarse.c); all 0 with another one.
typedef struct CoarseCounts {
    uint32_t free_count, group_count, chunks_per_group; ///< nodes, groups of them, chunks of a group
    uint32_t batch_count;                               ///< of entries of the matrix
} CoarseCounts;

/// Recordings of the linear solve of Newton's method, made when first needed, never again.
enum { NEWTON_BATCHES = 3 };

typedef struct VulkanDevice {
    Device base;
    Arena arena;
    GpuDevice *gpu;
    GpuInstance *owned_instance; ///< NULL: `gpu` is the caller's
    bool f64;
    GpuPool *pool;
    GpuPipelines *pipelines;
    GpuBinding kernels[KERNEL_FIRST_OF_MODEL];
    GpuBinding model_kernels[KERNEL_COUNT - KERNEL_FIRST_OF_MODEL][MODELS_MOST];
    ModelRange ranges[MODELS_MOST];
    uint32_t node_count, tet_count, surface_count, plane_count, contact_count;
    uint32_t groups_nodes, groups_cg, groups_tets; ///< of kernels that sum
    uint32_t groups_most;                          ///< of all of them, entries in use of a section
    int32_t depth_most;

    GpuCommands *open[2]; ///< operations are recorded into one while the other may be running
    int32_t current;
    bool recording;
    uint64_t upload_used; ///< bytes of BUFFER_UPLOAD that recorded copies still need
    Batch batch;
    Batch newton_batches[NEWTON_BATCHES];
    double seconds_per_iteration;                     ///< of the last batch
    uint32_t wanted_iterations, wanted_cg_iterations; ///< of the next batch, from the last one
    double iterations_per_digit; ///< of the linear solve before: how many for a factor e of the residual
    double linear_reduction;     ///< relative residual that ends a linear solve
    double stretch;              ///< of the Newton direction

    uint32_t *order;       ///< the model's tet of every tet on the device
    double *tet_penalties; ///< rho at scale 1, the model's order
    double penalty_factor; ///< AdmmSettings.penalty they were made with; -1: none yet
    double penalty_scale;
    double dual_floor; ///< N, at scale 1
    GlobalMatrix matrix;
    const PreconditionerRow *preconditioner; ///< with Newton's method
    CoarseCounts coarse;
    Stage stage;
    double (*normals)[3], *offsets;
    AdmmSettings settings;
    uint32_t iterations; ///< of the running stage
    bool warm;
    DeviceTiming *timings;
} VulkanDevice;

static inline const GpuBuffer *vulkan_buffer(const VulkanDevice *device, BufferName name)
{
    return &device->pool->buffers[name];
}

static inline SolverType vulkan_solver(const VulkanDevice *device)
{
    return device->base.model->scene->solver.type;
}

static inline const GpuBinding *vulkan_model_kernel(const VulkanDevice *device, KernelName kernel,
                                                    uint32_t model)
{
    return &device->model_kernels[kernel - KERNEL_FIRST_OF_MODEL][model];
}

static inline size_t real_size(bool f64)
{
    return f64 ? sizeof(double) : sizeof(float);
}

/// Element `i` of an array of reals.
static inline void real_store(bool f64, void *array, size_t i, double value)
{
    if (f64)
        ((double *)array)[i] = value;
    else
        ((float *)array)[i] = (float)value;
}

static inline double real_load(bool f64, const void *array, size_t i)
{
    return f64 ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

/// Exact numbers are a double or a pair of floats, 8 bytes.
typedef struct ExactNumber {
    float hi, lo;
} ExactNumber;

void exact_store(bool f64, void *array, size_t i, double value);
double exact_load(bool f64, const void *array, size_t i);
/// Exact3: three doubles, or three high parts and three low ones.
void exact3_store(bool f64, void *array, size_t i, const double value[3]);
void exact3_load(bool f64, const void *array, size_t i, double value[3]);

// exact.c, buffers.c
/// Workgroups of a kernel that goes over `count` things and leaves one sum each.
static inline uint32_t sum_groups(uint32_t count, uint32_t workgroup)
{
    const uint32_t groups = (count + workgroup - 1) / workgroup;
    return groups < SUM_GROUPS_MOST ? groups : SUM_GROUPS_MOST;
}

/// Sizes of all buffers of a model: those of its solver, the others are empty.
void vulkan_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Fills what does not change: elements, masses, flags, lists.
VelaResult vulkan_model_upload(VulkanDevice *device);
// matrix.c
VelaResult matrix_layout(const Model *model, Arena *arena, GlobalMatrix *matrix);
/// Number of entries with the padding of matrix_layout.
uint32_t matrix_entry_count(const Model *model);
VelaResult matrix_upload_layout(VulkanDevice *device);
/// What each block of Newton's matrix sums: entries of abi/newton.h, block by block.
VelaResult matrix_upload_contributions(VulkanDevice *device);
/// Values for (a, penalty scale), uploaded unless they are there.
VelaResult matrix_prepare(VulkanDevice *device);
// kernels.c
VelaResult vulkan_kernels_create(VulkanDevice *device);

// preconditioner.c
/// Chooses the scene's preconditioner and uploads what does not change.
VelaResult vulkan_preconditioner_create(VulkanDevice *device);
/// Records what follows new values of the matrix, whose diagonal blocks are factored already.
VelaResult vulkan_preconditioner_update(VulkanDevice *device);
/// Records the start of a solve: z = P^-1 r and the partial sums of r.z, parity 0.
VelaResult vulkan_preconditioner_begin(VulkanDevice *device);
/// Kernels that vulkan_preconditioner_iterate records.
int vulkan_preconditioner_kernels(const VulkanDevice *device);
/// Records the second half of an iteration: x += alpha p, r -= alpha A p, z = P^-1 r and r.z. Its workgroups are counted in
/// BUFFER_CONTROL.
void vulkan_preconditioner_iterate(VulkanDevice *device, GpuCommands *commands, const LinearPush *push);
/// What does not change in the push constants of a linear solve.
LinearPush vulkan_linear_push(const VulkanDevice *device);
// coarse.c
/// Sizes of the coarse space's buffers.
void coarse_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT]);
/// Groups, arms, and what each block of the coarse matrix sums.
VelaResult coarse_upload(VulkanDevice *device);
/// Records assembly and factorization.
VelaResult coarse_prepare(VulkanDevice *device);

// recording.c
/// The command buffer that operations are appended to.
VelaResult vulkan_open(VulkanDevice *device, GpuCommands **commands);
/// Submits what is open.
VelaResult vulkan_flush(VulkanDevice *device);
/// Submits what is open and waits for everything.
VelaResult vulkan_finish(VulkanDevice *device);
/// What vulkan_finish does after its wait: the host has waited for something submitted later than all that is open.
VelaResult vulkan_settle(VulkanDevice *device);
/// Room for `size` bytes that a recorded copy brings to `buffer` at `offset`.
VelaResult vulkan_write(VulkanDevice *device, BufferName buffer, uint64_t offset, uint64_t size,
                        void **memory);
/// Records one kernel over `count` invocations and a barrier behind it.
VelaResult vulkan_run(VulkanDevice *device, const GpuBinding *binding, const void *push, uint32_t count);
/// The same for a number of workgroups.
VelaResult vulkan_run_groups(VulkanDevice *device, const GpuBinding *binding, const void *push,
                             uint32_t groups);
/// The same for a kernel that goes over them with at most SUM_GROUPS_MOST workgroups.
VelaResult vulkan_run_sum(VulkanDevice *device, const GpuBinding *binding, const void *push, uint32_t count);
/// Normals and offsets at `time` to BUFFER_PLANES.
VelaResult vulkan_write_planes(VulkanDevice *device, double time);
VelaResult vulkan_write_scalars(VulkanDevice *device);
/// Records a dispatch that takes its size from `arguments` of BUFFER_CONTROL, and a barrier behind it.
void vulkan_run_indirect(VulkanDevice *device, GpuCommands *commands, const GpuBinding *binding,
                         const void *push, uint32_t arguments);
/// Records copies of BUFFER_CONTROL and BUFFER_SCALARS to the host; returns their bytes.
int64_t vulkan_read_control(VulkanDevice *device, GpuCommands *commands);
/// Submits `commands` behind what is open and waits for both; `seconds` gets how long that took.
VelaResult vulkan_submit(VulkanDevice *device, GpuCommands *commands, double *seconds);
/// What a submission should stay below, s: operating systems take a GPU from a program that holds it for seconds.
#define VULKAN_SUBMISSION_SECONDS 0.5

// sections.c
/// Records the beginning of sums: `sums` sections of BUFFER_DIAGNOSIS are 0 then, the `smallest` ones behind them hold a
/// large number, BUFFER_INDICES `indices`.
void sections_begin(VulkanDevice *device, GpuCommands *commands, uint64_t sums, uint64_t smallest,
                    uint32_t indices);
/// Records copies of the first `count` sections and of the indices to the host; returns their bytes.
int64_t sections_read(VulkanDevice *device, GpuCommands *commands, uint64_t count);
/// What was read, once the host has waited: the sum of a section's entries, the smallest one.
double section_sum(const VulkanDevice *device, size_t section);
double section_smallest(const VulkanDevice *device, size_t section);
uint32_t section_index(const VulkanDevice *device, size_t index);

// batch.c
/// Runs one submission of iterations and waits; `seconds` gets how long that took.
VelaResult batch_submit(VulkanDevice *device, double *seconds);

// admm.c
VelaResult vulkan_admm_begin(Device *device, const AdmmSettings *settings);
VelaResult vulkan_admm_iterate(Device *device, int32_t count, AdmmReport *report);
VelaResult vulkan_admm_scale_penalty(Device *device, double factor);
VelaResult vulkan_stage_acceleration(Device *device, Slot destination);
// newton.c
VelaResult vulkan_newton_direction(Device *base, const NewtonSettings *settings, NewtonDirection *direction);
VelaResult vulkan_newton_trials(Device *base, int32_t halvings, NewtonTrials *trials);
VelaResult vulkan_newton_accept(Device *base, double step);
// solver_state.c
size_t vulkan_solver_state_size(const Device *device);
VelaResult vulkan_solver_state_read(Device *device, double *values);
VelaResult vulkan_solver_state_write(Device *device, const double *values);
// diagnose.c
VelaResult vulkan_diagnose(Device *device, Slot position, Slot velocity, double time, Diagnosis *diagnosis);
VelaResult vulkan_mass_dot(Device *device, int count, const Slot (*pairs)[2], double *values);

#endif
