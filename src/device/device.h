/// The table of operations that every device offers. Integrators and solvers are written against it and never
/// ask which device it is. Operations are phases, not vector arithmetic, so that a device keeps everything at
/// home.
///
/// Node vectors live in slots (node_count x 3; double, or float-float on Vulkan in single precision).
/// Velocities of variational integrators are M^-1 p of the discrete momentum p (theory.md section 2).
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "abi/linear.h"
#include "model/model.h"

#include <math.h>

typedef enum Slot {
    SLOT_POSITION,      ///< x_n
    SLOT_VELOCITY,      ///< v_n
    SLOT_NEXT_POSITION, ///< x_{n+1}, until the step is accepted
    SLOT_NEXT_VELOCITY,
    SLOT_TARGET,         ///< inertial target of the stage; at pinned nodes the place where they must go
    SLOT_STAGE,          ///< the stage's iterate, then its solution
    SLOT_ACCELERATION,   ///< M^-1 f
    SLOT_BASE_POSITION,  ///< xp of the stage (theory.md section 2)
    SLOT_BASE_VELOCITY,  ///< vp
    SLOT_STAGE_VELOCITY, ///< v* = (x* - xp)/a
    SLOT_FIRST_POSITION, ///< what the first of two stages ended with
    SLOT_FIRST_VELOCITY,
    SLOT_HISTORY_POSITION,     ///< carried from step to step: x_{n-1}
    SLOT_HISTORY_VELOCITY,     ///< v_{n-1}
    SLOT_HISTORY_ACCELERATION, ///< M^-1 f_n
    SLOT_SCRATCH_0,
    SLOT_SCRATCH_1,
    SLOT_SCRATCH_2,
    SLOT_SCRATCH_3,
    SLOT_COUNT
} Slot;

/// One stage: argmin 1/(2 a^2) |x - xt|_M^2 + Phi(x), pinned nodes where SLOT_TARGET has them (theory.md section 2).
/// The solution goes to SLOT_STAGE. Newton's method starts from what SLOT_STAGE holds, an admissible state, ADMM from
/// SLOT_TARGET, or from there too where SLOT_STAGE is this stage's solution already.
typedef struct Stage {
    double a;         ///< effective step, s
    double time;      ///< obstacles stand where they are at this time
    double slip_time; ///< what passes from SLOT_BASE_POSITION to the solution, s, for friction; 0: a
    double ahead;     ///< of the time at which SLOT_STAGE stands, s: obstacles stood there as much before
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

/// How roughly a direction may be solved, by the size g of the gradient that the device finds at the iterate (Eisenstat and
/// Walker's second choice): to a relative residual of min(loosest, factor (g/last)^2), and to linear_tolerance where that is
/// within `nearly` of it.
typedef struct LinearForcing {
    double loosest; ///< 0: to linear_tolerance, whatever g is
    double factor;
    double
        last; ///< g of the direction before (NewtonDirection.gradient); 0: there was none, and `loosest` it is
    double nearly;
    double settled; ///< newton_is_settled is asked of no residual above this; 0: of none
} LinearForcing;

typedef struct NewtonSettings {
    double linear_tolerance; ///< of the linear solve: relative residual in the norm of the preconditioner
    int32_t linear_max_iterations;
    bool project; ///< Hessians of elements and contacts projected to SPD, one by one; else the true ones
    bool
        patch; ///< only the nodes of the patch that the last direction but these named move, all others stay where they are
    LinearForcing forcing; ///< all 0: none
    double
        short_direction; ///< m: a stage may end on a direction without a component of this size; 0: on none
} NewtonSettings;

/// The relative residual that ends the linear solve at a gradient of size g.
static inline double newton_linear_tolerance(const NewtonSettings *settings, double g)
{
    const LinearForcing *forcing = &settings->forcing;
    const double ratio = forcing->last > 0 ? g / forcing->last : INFINITY;
    const double wanted = fmin(forcing->loosest, forcing->factor * ratio * ratio);
    return wanted < forcing->nearly * settings->linear_tolerance ? settings->linear_tolerance
           : wanted > settings->linear_tolerance                 ? wanted
                                                                 : settings->linear_tolerance;
}

/// Whether a direction is solved for, whatever its gradient asks for, where `residual` is the relative one and `largest` |d|_inf, m.
static inline bool newton_is_settled(const NewtonSettings *settings, double residual, double largest)
{
    const double wanted = largest < settings->short_direction ? settings->linear_tolerance : SETTLED_LONG;
    return residual <= settings->forcing.settled && residual * largest <= wanted * settings->short_direction;
}

/// A Newton direction d: H d = -grad at the free nodes, d = target - x at the pinned ones.
typedef struct NewtonDirection {
    double largest; ///< |d|_inf over all components, m
    double
        gradient; ///< norm of the right-hand side in that of the preconditioner, sqrt(r.P^-1 r), N m under the root
    double slope; ///< derivative of the objective along d, J; the pinned nodes' part included
    double turn; ///< largest angle by which d turns an affine body, rad; 0: none, or the device does not turn
    double pin_gap; ///< largest component of target - x over the pinned nodes, m; 0: all are in place
    int32_t linear_iterations;
    double linear_residual; ///< relative, where the linear solve ended
    bool
        is_exact; ///< the solve was to end at linear_tolerance, or came as far, or is a short one that is settled; not at something rougher
    bool
        indefinite; ///< the linear solve met a direction of no positive curvature; d is what it had until then
    int32_t patch_nodes; ///< of the patch: free nodes that d moves most, where they are few; 0: there is none
    int32_t bad_node;    ///< a node where d is not finite, or -1
    int32_t contact_pairs; ///< pairs in barrier contact at the iterate; -1 without such contact
} NewtonDirection;

/// How a system of constraints is made and solved (theory.md section 10).
typedef struct CompliantSettings {
    GeometricStiffness stiffness;
    ConstraintSolve solve;
    double tolerance;       ///< minres: relative residual in the norm of the preconditioner
    int32_t max_iterations; ///< minres
} CompliantSettings;

typedef struct CompliantReport {
    double largest;               ///< |d|_inf over all components, m
    int32_t linear_iterations;    ///< of MINRES; systems factored
    double linear_residual;       ///< relative, where MINRES ended
    bool met;                     ///< that is within the tolerance, or within the device's rounding
    int32_t rounds;               ///< changes of what inequalities hold
    int32_t dependent;            ///< rows that depend on others, which were left out
    int32_t dependent_constraint; ///< of these the one that is met worst, or -1
    double unmet; ///< by how much it is not met, m: it is redundant where that is rounding, else it conflicts
    int32_t bad_node; ///< a node where d is not finite, or -1
} CompliantReport;

enum { NEWTON_TRIALS = 4 };

/// Rounding of a difference of the objective, in units of the last place, relative to the magnitudes of its terms: a few for each. An energy
/// density is off by some of itself, and by |stress . stretch| times the relative error of the stretches, which is another few; the sums
/// over elements and nodes add their own. Of a beam with damping in its principal axes it was 25.
enum { NEWTON_ROUNDING = 32 };

/// The objective along the direction, at the steps longest/2^(halvings + i), i = 0 .. count - 1.
typedef struct NewtonTrials {
    int32_t count;  ///< 1 to NEWTON_TRIALS: how many a device does in one go, which may depend on `halvings`
    double longest; ///< largest admissible step, in (0, 1]: until an element that must not invert nearly does
    double difference
        [NEWTON_TRIALS]; ///< objective there minus at the iterate, J, formed term by term; may be +infinity
    double slope[NEWTON_TRIALS]; ///< derivative along d there, J
    double
        noise[NEWTON_TRIALS]; ///< differences below this are rounding, J; 0 where the objective is infinite
    double
        contact_work; ///< sum over the pairs of barrier contact of |derivative of the energy along d| at the first of these steps, J
} NewtonTrials;

/// Energies (J), momenta and extremes of a state.
typedef struct Diagnosis {
    double kinetic, elastic, gravitational, contact, loads;
    double constraint;       ///< 1/2 phi C^-1 phi of constraints with compliance, J
    double constraint_error; ///< largest |phi| of hard constraints, m (model/constraints.h)
    double linear_momentum[3], angular_momentum[3], center[3];
    double min_det_f;
    double
        min_distance; ///< penalty: smallest gap of a surface node over all obstacles; barrier: smallest distance of a
                      ///< pair within d-hat; m; +infinity without
    int32_t closest[4]; ///< barrier: the vertices of that pair (model/surface_map.h)
    int32_t
        inverted_element; ///< number of an element that never inverts (ModelMaterial) with det F <= 0, or -1
    int32_t bad_node;     ///< a node whose position or velocity is not finite, or -1
} Diagnosis;

/// Minus the work of dissipation (friction, damping), J.
typedef struct DissipationLoss {
    double all; ///< on all nodes: what becomes heat
    double
        free; ///< on the free nodes: what their motion loses; less where a moving obstacle drags them along
    double by_damping[DAMPING_TYPES]; ///< the part of `all` that each type of damping takes
    double driven;                    ///< what the wind puts in
} DissipationLoss;

static inline void dissipation_loss_add(DissipationLoss *to, double factor, const DissipationLoss *loss)
{
    to->all += factor * loss->all;
    to->free += factor * loss->free;
    to->driven += factor * loss->driven;
    for (int k = 0; k < DAMPING_TYPES; ++k)
        to->by_damping[k] += factor * loss->by_damping[k];
}

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
    VelaResult (*forces)(Device *device, Slot destination, Slot at, double time, bool dissipation);
    VelaResult (*stage_set)(Device *device, const Stage *stage);
    VelaResult (*admm_begin)(Device *device, const AdmmSettings *settings);
    VelaResult (*admm_iterate)(Device *device, int32_t count, AdmmReport *report);
    VelaResult (*admm_scale_penalty)(Device *device, double factor);
    VelaResult (*newton_direction)(Device *device, const NewtonSettings *settings,
                                   NewtonDirection *direction);
    VelaResult (*newton_way)(Device *device, double part, bool turned);
    VelaResult (*newton_trials)(Device *device, int32_t halvings, NewtonTrials *trials);
    VelaResult (*newton_accept)(Device *device, double step);
    // NULL: the device does not solve constraints.
    VelaResult (*compliant_direction)(Device *device, const CompliantSettings *settings,
                                      CompliantReport *report);
    VelaResult (*mass_dot)(Device *device, int count, const Slot (*pairs)[2], double *values);
    VelaResult (*stage_acceleration)(Device *device, Slot destination);
    // NULL: the device has no term that dissipates, or none that looks at motions outside of a stage.
    VelaResult (*dissipation_acceleration)(Device *device, Slot destination);
    VelaResult (*dissipation_loss)(Device *device, Slot from, Slot to, double duration,
                                   DissipationLoss *loss);
    // NULL: the device damps no material.
    VelaResult (*damping_acceleration)(Device *device, Slot destination, Slot position, Slot velocity,
                                       double step);
    VelaResult (*damping_loss)(Device *device, Slot position, Slot velocity, double duration,
                               DissipationLoss *loss);
    // NULL: the device has no friction of penalty contact.
    VelaResult (*penalty_friction)(Device *device, double *pulls);
    VelaResult (*admissible_step)(Device *device, Slot from, Slot to, double *step);
    VelaResult (*diagnose)(Device *device, Slot position, Slot velocity, double time, Diagnosis *diagnosis);
    VelaResult (*fields)(Device *device, Slot position, float *stretch, float *densities);
    size_t (*solver_state_size)(const Device *device);
    VelaResult (*solver_state_read)(Device *device, double *values);
    VelaResult (*solver_state_write)(Device *device, const double *values);
    void (*information)(const Device *device, DeviceInfo *info);
    VelaResult (*timings)(Device *device, int32_t *count, const DeviceTiming **timings);
} DeviceOperations;

struct Device {
    const DeviceOperations *operations;
    VelaContext *context;
    const Model *model;               ///< must outlive the device
    ConstraintSolve constraint_solve; ///< how it solves systems of constraints, where the scene has any
    uint32_t slots;                   ///< those it has (device/slots.h); operations on others are refused
    bool
        dissipates; ///< a term takes energy; it is lagged in device_stage_set, so a stage may be solved again with it
    double seconds_per_admm_iteration; ///< what the last ones took; 0: none were done yet
};

/// NULL is allowed.
void device_destroy(Device *device);
/// All nodes of a slot, node_count x 3, in the model's order.
VelaResult device_state_read(Device *device, Slot slot, double *values);
VelaResult device_state_write(Device *device, Slot slot, const double *values);
/// destination = sum coefficients[i] slots[i], 1 to 4 terms; the destination may be one of them.
VelaResult device_combine(Device *device, Slot destination, int count, const double *coefficients,
                          const Slot *slots);
/// Sets the pinned nodes of a slot and what partial pins hold, as model_pin_positions has them, model_prescribed_count x 3.
VelaResult device_prescribe(Device *device, Slot destination, const double *values);
/// destination = M^-1 f(x) with all forces at the positions `at`, planes at `time`; 0 at nodes that are not
/// free.
VelaResult device_acceleration(Device *device, Slot destination, Slot at, double time);
/// destination = f(x), N, at all nodes, pinned ones and obstacles' too: -grad Phi at the positions `at`, planes at `time`; with
/// `dissipation` the dissipative forces of the last stage as well.
VelaResult device_forces(Device *device, Slot destination, Slot at, double time, bool dissipation);
/// Prepares a stage: SLOT_TARGET and SLOT_STAGE are set before, with barrier contact SLOT_BASE_POSITION and SLOT_VELOCITY
/// too, with friction of penalty contact the former. Friction is lagged: its normal forces and tangent planes are those at SLOT_STAGE until the next call.
VelaResult device_stage_set(Device *device, const Stage *stage);
/// Starts ADMM on the stage, warm from the last stage if there was one (theory.md section 5 "Start").
VelaResult device_admm_begin(Device *device, const AdmmSettings *settings);
/// At most `count` iterations; stops by itself when the residuals are within their bounds.
VelaResult device_admm_iterate(Device *device, int32_t count, AdmmReport *report);
/// Multiplies every penalty rho_i; multipliers stay as they are. For penalty adaptation, between two batches.
VelaResult device_admm_scale_penalty(Device *device, double factor);
/// The direction from SLOT_STAGE, kept on the device for the next two operations.
VelaResult device_newton_direction(Device *device, const NewtonSettings *settings,
                                   NewtonDirection *direction);
/// What the next two operations take for the direction becomes the straight way to `part` of d, above 0; with `turned` to
/// where affine bodies turn by that part of d instead of being sheared (theory.md section 9). May be called again. Only after a direction
/// without pin_gap.
VelaResult device_newton_way(Device *device, double part, bool turned);
/// Tries steps along the direction. With `halvings` 0 the largest admissible step is found first; calls with more keep
/// it.
VelaResult device_newton_trials(Device *device, int32_t halvings, NewtonTrials *trials);
/// SLOT_STAGE += step d. With step 1 the pinned nodes are exactly where the target has them.
VelaResult device_newton_accept(Device *device, double step);
/// The direction d and the multipliers of one linear system of stage and constraints at SLOT_STAGE, both kept on the device: d for
/// device_newton_accept, multipliers from step to step. VELA_ERROR_NOT_CONVERGED where it has no solution.
VelaResult device_compliant_direction(Device *device, const CompliantSettings *settings,
                                      CompliantReport *report);
/// values[i] = sum over the free nodes of m pairs[i][0].pairs[i][1]; at most 4.
VelaResult device_mass_dot(Device *device, int count, const Slot (*pairs)[2], double *values);
/// destination = -M^-1 grad Phi at the stage's solution, from the multipliers of ADMM.
VelaResult device_stage_acceleration(Device *device, Slot destination);
/// destination += M^-1 times the dissipative forces of the stage at SLOT_STAGE, which device_acceleration leaves out.
VelaResult device_dissipation_acceleration(Device *device, Slot destination);
/// What the dissipation of the stage takes while the nodes move from one slot's places to the other's within `duration`, s.
VelaResult device_dissipation_loss(Device *device, Slot from, Slot to, double duration,
                                   DissipationLoss *loss);
/// destination += M^-1 times the forces of damping at these positions and velocities, in a step that long, s.
VelaResult device_damping_acceleration(Device *device, Slot destination, Slot position, Slot velocity,
                                       double step);
/// Adds what damping takes at these positions and velocities in `duration`, s: the powers there, each at least 0, times that.
VelaResult device_damping_loss(Device *device, Slot position, Slot velocity, double duration,
                               DissipationLoss *loss);
/// Friction of the last stage under penalty contact: minus its force on each vertex of bodies' surfaces by each obstacle, N, set where
/// there is any; obstacle by obstacle, penalty_count x vertices x 3.
VelaResult device_penalty_friction(Device *device, double *pulls);
/// Largest part, at most 1, of the straight motion from one slot's places to the other's on which nothing under barrier
/// contact comes to touch. Inversion is not looked at.
VelaResult device_admissible_step(Device *device, Slot from, Slot to, double *step);
VelaResult device_diagnose(Device *device, Slot position, Slot velocity, double time, Diagnosis *diagnosis);
/// What frames show of the elements at the positions of a slot, element_count each, in the model's order: the largest principal
/// stretch (of cables the segments', at inner vertices their mean), and the energy density, J/m^3, rest energy subtracted.
VelaResult device_fields(Device *device, Slot position, float *stretch, float *densities);
/// What the solver carries from step to step (warm starts), as doubles in a layout that all devices share. With constraints: their
/// multipliers, row by row. With ADMM:
/// 1 (0: cold, 1: warm), 1 penalty scale, S of every element (3 x columns, row-major, theory.md section 5: Z = prox(S), Y = rho
/// (S - Z)), then the multipliers W of penalty contact, N, for every obstacle and surface node, obstacle by obstacle: along the normal of
/// a plane, with friction along its two tangents too, and along x, y, z of a sphere.
size_t device_solver_state_size(const Device *device);
VelaResult device_solver_state_read(Device *device, double *values);
VelaResult device_solver_state_write(Device *device, const double *values);
void device_information(const Device *device, DeviceInfo *info);
/// Owned by the device, valid until the next call.
VelaResult device_timings(Device *device, int32_t *count, const DeviceTiming **timings);

#endif
