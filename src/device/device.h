/// The table of operations that every device offers. Integrators and solvers are written against it and never
/// ask which device it is. Operations are phases, not vector arithmetic, so that a device keeps everything at
/// home.
///
/// Node vectors live in slots (node_count x 3; double, or float-float on Vulkan in single precision).
/// Velocities of variational integrators are M^-1 p of the discrete momentum p (theory.md section 2).
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "model/model.h"

typedef enum Slot {
    SLOT_POSITION,      ///< x_n
    SLOT_VELOCITY,      ///< v_n
    SLOT_NEXT_POSITION, ///< x_{n+1}, until the step is accepted
    SLOT_NEXT_VELOCITY,
    SLOT_TARGET,       ///< inertial target of the stage
    SLOT_STAGE,        ///< the stage's solution
    SLOT_ACCELERATION, ///< M^-1 f
    SLOT_SCRATCH_0,
    SLOT_SCRATCH_1,
    SLOT_SCRATCH_2,
    SLOT_COUNT
} Slot;

/// One stage: argmin 1/(2 a^2) |x - xt|_M^2 + Phi(x), pinned nodes held where SLOT_STAGE has them (theory.md
/// section 2). The solution goes to SLOT_STAGE.
typedef struct Stage {
    double a;    ///< effective step, s
    double time; ///< planes stand where they are at this time
} Stage;

typedef struct AdmmSettings {
    double tolerance; ///< absolute and relative one of the stopping rule (theory.md section 5)
    double penalty;   ///< factor on the choice of rho; 0: 1, or 0.5 for materials from nu = 0.45 on
    int32_t depth;    ///< of Anderson acceleration, 0: none, at most 8
} AdmmSettings;

typedef struct AdmmReport {
    int32_t iterations;              ///< done in this call
    int32_t linear_iterations;       ///< of the global step's PCG in this call; 0 with a direct solver
    double primal, dual;             ///< residual norms of the last iteration
    double primal_bound, dual_bound; ///< what the stopping rule compares them with
    double primal_difference,
        dual_difference; ///< |J - UP| and |UP - (UP)_old|: what penalty adaptation compares
    bool converged;
    bool at_rounding; ///< converged only down to the device's rounding floor
} AdmmReport;

/// Energies (J), momenta and extremes of a state.
typedef struct Diagnosis {
    double kinetic, elastic, gravitational, contact;
    double linear_momentum[3], angular_momentum[3], center[3];
    double min_det_f;
    double min_distance;  ///< smallest n.x - o of a surface node over all planes, m; +infinity without planes
    int32_t inverted_tet; ///< a tet that never inverts (Model.never_inverts) with det F <= 0, or -1
    int32_t bad_node;     ///< a node whose position or velocity is not finite, or -1
} Diagnosis;

/// Accumulated time of one kernel or phase, for run.json.
typedef struct DeviceTiming {
    const char *name; ///< static string
    int64_t count;
    double milliseconds;
} DeviceTiming;

typedef struct DeviceInfo {
    const char *kind;                                  ///< "cpu" or "vulkan"
    const char *name;                                  ///< of the processor
    const char *driver;                                ///< "" for the CPU path
    const char *precision;                             ///< "f64" or "f32"
    size_t memory;                                     ///< bytes planned on the device
    int64_t dispatches, host_waits, bytes_transferred; ///< 0 on the CPU path
} DeviceInfo;

typedef struct Device Device;

typedef struct DeviceOperations {
    void (*destroy)(Device *device);
    VelaResult (*state_read)(Device *device, Slot slot, double *values);
    VelaResult (*state_write)(Device *device, Slot slot, const double *values);
    VelaResult (*combine)(Device *device, Slot destination, int count, const double *coefficients,
                          const Slot *slots);
    VelaResult (*prescribe)(Device *device, Slot destination, const double *values);
    VelaResult (*acceleration)(Device *device, Slot destination, Slot at, double time);
    VelaResult (*stage_set)(Device *device, const Stage *stage);
    VelaResult (*admm_begin)(Device *device, const AdmmSettings *settings);
    VelaResult (*admm_iterate)(Device *device, int32_t count, AdmmReport *report);
    VelaResult (*admm_scale_penalty)(Device *device, double factor);
    VelaResult (*stage_acceleration)(Device *device, Slot destination);
    VelaResult (*diagnose)(Device *device, Slot position, Slot velocity, double time, Diagnosis *diagnosis);
    size_t (*solver_state_size)(const Device *device);
    VelaResult (*solver_state_read)(Device *device, double *values);
    VelaResult (*solver_state_write)(Device *device, const double *values);
    void (*information)(const Device *device, DeviceInfo *info);
    VelaResult (*timings)(Device *device, int32_t *count, const DeviceTiming **timings);
} DeviceOperations;

struct Device {
    const DeviceOperations *operations;
    VelaContext *context;
    const Model *model; ///< must outlive the device
};

/// NULL is allowed.
void device_destroy(Device *device);
/// All nodes of a slot, node_count x 3, in the model's order.
VelaResult device_state_read(Device *device, Slot slot, double *values);
VelaResult device_state_write(Device *device, Slot slot, const double *values);
/// destination = sum coefficients[i] slots[i], 1 to 4 terms; the destination may be one of them.
VelaResult device_combine(Device *device, Slot destination, int count, const double *coefficients,
                          const Slot *slots);
/// Sets the pinned nodes of a slot, pin_count x 3.
VelaResult device_prescribe(Device *device, Slot destination, const double *values);
/// destination = M^-1 f(x) with all forces at the positions `at`, planes at `time`; 0 at nodes that are not
/// free.
VelaResult device_acceleration(Device *device, Slot destination, Slot at, double time);
/// Prepares a stage: SLOT_TARGET and the pinned nodes of SLOT_STAGE are set before.
VelaResult device_stage_set(Device *device, const Stage *stage);
/// Starts ADMM on the stage, warm from the last stage if there was one (theory.md section 5 "Start").
VelaResult device_admm_begin(Device *device, const AdmmSettings *settings);
/// At most `count` iterations; stops by itself when the residuals are within their bounds.
VelaResult device_admm_iterate(Device *device, int32_t count, AdmmReport *report);
/// Multiplies every penalty rho_i; multipliers stay as they are. For penalty adaptation, between two batches.
VelaResult device_admm_scale_penalty(Device *device, double factor);
/// destination = -M^-1 grad Phi at the stage's solution, as the solver has it (ADMM: from the multipliers).
VelaResult device_stage_acceleration(Device *device, Slot destination);
VelaResult device_diagnose(Device *device, Slot position, Slot velocity, double time, Diagnosis *diagnosis);
/// What the solver carries from step to step (warm starts), as doubles in a layout that all devices share:
/// 1 (0: cold, 1: warm), 1 penalty scale, 9 per tet (row-major S, theory.md section 5: Z = prox(S), Y = rho
/// (S - Z)), then the multiplier W (N, along the plane's normal) for every plane and surface node, plane by
/// plane.
size_t device_solver_state_size(const Device *device);
VelaResult device_solver_state_read(Device *device, double *values);
VelaResult device_solver_state_write(Device *device, const double *values);
void device_information(const Device *device, DeviceInfo *info);
/// Owned by the device, valid until the next call.
VelaResult device_timings(Device *device, int32_t *count, const DeviceTiming **timings);

#endif
