/// The kernels of the CPU path, built once for every instruction set (device/cpu/kernels/instruction_set.c). Each gives the
/// same bits whatever the instruction set.
#ifndef DEVICE_CPU_KERNELS_H
#define DEVICE_CPU_KERNELS_H

#include "device/cpu/linear/block_matrix.h"
#include "device/cpu/linear/coarse_space.h"
#include "device/cpu/linear/contact_groups.h"
#include "device/cpu/linear/contact_motions.h"
#include "device/cpu/linear/dense_front.h"
#include "device/cpu/linear/factor.h"
#include "device/cpu/linear/rounded_matrix.h"
#include "device/device.h"
#include "geometry/moving_pairs.h"
#include "physics/contact/pair_trials.h"
#include "physics/contact/parallel_pair.h"

/// Sums over a range of bundles. Chunks of fixed size are summed in a fixed order, whatever the number of
/// threads.
typedef struct ResidualSums {
    double residual_sq;           ///< sum |J - Z|^2
    double gradient_sq;           ///< sum |J|^2
    double projected_sq;          ///< sum |Z|^2
    double weighted_sq;           ///< sum rho |J - Z|^2
    double newest[HISTORY_MOST];  ///< sum rho (newest residual difference).(difference j)
    double current[HISTORY_MOST]; ///< sum rho residual.(difference j)
} ResidualSums;

typedef struct EnergySums {
    double elastic; ///< J, rest energy subtracted
    double min_det_f;
    int32_t
        inverted; ///< lowest number of an element with det F <= 0 whose material never inverts, or INT32_MAX
} EnergySums;

/// Of NewtonTrials, over some things. An element that a step inverts where it must not makes the difference infinite and
/// has no part in the other two.
typedef struct TrialSums {
    double difference[NEWTON_TRIALS], slope[NEWTON_TRIALS];
    double magnitude[NEWTON_TRIALS]; ///< sum w (|psi| there + |psi| at the iterate + |stress . stretch|), J
    double contact_work;             ///< J
} TrialSums;

/// Adds what one thing does over the trial i: its energy rises by `rise`, with the slope `slope`.
static inline void trial_add(TrialSums *sums, int i, double rise, double slope, double magnitude)
{
    sums->difference[i] += rise;
    sums->slope[i] += slope;
    sums->magnitude[i] += magnitude;
}

static inline void trials_add(TrialSums *sums, int count, const TrialSums *others)
{
    for (int i = 0; i < count; ++i)
        trial_add(sums, i, others->difference[i], others->slope[i], others->magnitude[i]);
}

/// How the next S is mixed from the history: S = image - sum weights[j] image_differences[j].
typedef struct Mixing {
    int32_t depth;
    double weights[HISTORY_MOST];
} Mixing;

/// Sums of TrialSums for one step length, lane by lane.
typedef struct TrialLanes {
    Lanes difference, slope, magnitude;
} TrialLanes;

/// Of one kind of element (terms/element_kernels.h). Each works on the bundles first <= b < end.
typedef struct ElementKernels {
    /// Corner forces of w P(D x) at the positions x (nodes x 3).
    void (*stresses)(ElementBundles *bundles, int32_t first, int32_t end, const double *x);
    void (*energies)(const ElementBundles *bundles, int32_t first, int32_t end, const double *x,
                     EnergySums *sums);
    // ADMM.
    /// target = D x.
    void (*gradients)(ElementBundles *bundles, int32_t first, int32_t end, const double *x);
    /// state = image mixed; Z = prox(S); corner forces of rho (2 Z - S - target), the right-hand side for delta.
    /// `*change_sq` = sum |Z - Z_old|^2.
    void (*project)(ElementBundles *bundles, int32_t first, int32_t end, const Mixing *mixing,
                    double *change_sq);
    /// J = target + D delta; residual and image; the newest differences go to history slot `newest` (-1: none kept), `depth`
    /// slots are in use.
    void (*residuals)(ElementBundles *bundles, int32_t first, int32_t end, const double *delta,
                      int32_t newest, int32_t depth, ResidualSums *sums);
    /// Corner forces of rho (a S + b Z + c residual).
    void (*scatter)(ElementBundles *bundles, int32_t first, int32_t end, double a, double b, double c);
    // Newton's method.
    /// Corner forces as `stresses`, densities, and every element's Hessian, projected or not, to its `contributions`
    /// (BlockMatrix).
    void (*hessians)(ElementBundles *bundles, int32_t first, int32_t end, const double *x, bool project,
                     double *contributions);
    /// Largest step along d, at most 1, until an element that must not invert has a tenth of its det F.
    double (*step_bound)(const ElementBundles *bundles, int32_t first, int32_t end, const double *x,
                         const double *d);
    /// Energies and their derivatives at x + steps[i] d, i < count, against those at x, where `hessians` has left the
    /// densities.
    void (*trials)(const ElementBundles *bundles, int32_t first, int32_t end, const double *x,
                   const double *d, int count, const double steps[NEWTON_TRIALS], TrialSums *sums);
    // Damping (physics/dissipation/damping.h) at the positions x, of the entries on a side (DampingSide); NULL where the kind has none.
    /// Every element's matrix C to its `contributions`, as `hessians` does; without the power law, which has none.
    void (*damping_blocks)(ElementBundles *bundles, int32_t first, int32_t end, int side, const double *x,
                           double *contributions);
    /// Corner forces dR/dv at the velocities v, and the powers v.dR/dv of every type, W.
    void (*damping_forces)(ElementBundles *bundles, int32_t first, int32_t end, int side, const double *x,
                           const double *v, double powers[DAMPING_TYPES]);
    /// Corner forces `duration` dR/dx of entries whose form is not lagged, at the velocities v; less those at the velocities `before`
    /// where it is second_order.
    void (*damping_shape_forces)(ElementBundles *bundles, int32_t first, int32_t end, int side,
                                 const double *x, const double *v, const double *before, double duration);
    /// Of ADMM's copies of D x for damping: base = D base, and what `damping_project` needs of the shape x (ElementBundles.damping): all
    /// models of a side but the power law (law -1), or the power law of that number in the material's list.
    void (*damping_prepare)(ElementBundles *bundles, int32_t first, int32_t end, int law, int side,
                            const double *x, const double *base, double duration);
    /// As `project`, with the prox of `duration` R at the velocity (D x - base)/duration.
    void (*damping_project)(ElementBundles *bundles, int32_t first, int32_t end, int law, double duration,
                            const Mixing *mixing, double *change_sq);
    /// The same of variational damping (variational_kernels.h) in a step that starts at `base`: `factor` is what its energy counts with in
    /// the stage, beside its time.
    void (*variational_prepare)(ElementBundles *bundles, int32_t first, int32_t end, const double *base,
                                double alpha, double factor);
    void (*variational_project)(ElementBundles *bundles, int32_t first, int32_t end, const Mixing *mixing,
                                double *change_sq);
    /// Of the power law: corner forces dR/dv, and `scale` d2R/dv2 to the `contributions`.
    void (*power_law_hessians)(ElementBundles *bundles, int32_t first, int32_t end, int side, const double *x,
                               const double *v, double scale, double *contributions);
    /// `duration` times its R at the velocities v + steps[i] d against that at v.
    void (*power_law_trials)(const ElementBundles *bundles, int32_t first, int32_t end, int side,
                             const double *x, const double *v, const double *d, double duration, int count,
                             const double steps[NEWTON_TRIALS], TrialSums *sums);
} ElementKernels;

struct Cholesky;

typedef struct Kernels {
    const char *name;
    const ElementKernels *elements[ELEMENT_KIND_COUNT];
    const FrontKernels *fronts;
    /// Of lane l to hessians[l] (physics/contact/parallel_pair.h).
    void (*parallel_hessians)(const ParallelPairs *pairs, bool project,
                              double (*hessians[LANE_COUNT])[PARALLEL_BLOCKS][9]);
    /// See geometry/moving_pairs.h.
    void (*tell_pairs)(const MovingPairs *pairs, PairKind kind, bool lasting, MovingPairsTold *told);
    /// See physics/contact/pair_trials.h.
    void (*try_pairs)(const PairTrials *pairs, PairKind kind, bool lasting, double s, PairTrialsTold *told);
    /// y = A x over the rows first <= i < end, changing blocks included; returns their x.y. Reads one number behind the end of the values, and of x.
    double (*multiply)(const BlockMatrix *matrix, int32_t first, int32_t end, const double *x, double *y);
    /// The same with a copy, over the rows of whole parts; `ahead` is room for as many.
    double (*multiply_rounded)(const RoundedMatrix *matrix, int32_t first, int32_t end, Quad *ahead,
                               const double *x, double *y);
    /// y += a x, and y = x + b y.
    void (*add)(size_t count, double a, const double *x, double *y);
    void (*turn)(size_t count, const double *x, double b, double *y);
    /// z = D^-1 r over the rows first <= i < end, D^-1 being `inverses` of symmetric blocks; returns r.z. Reads one number behind the
    /// end of both. Leaves out rows that are members of something else (ContactGroups.members; NULL: none).
    double (*solve_blocks)(const double (*inverses)[9], const int32_t *members, int32_t first, int32_t end,
                           const double *r, double *z);
    // What contact holds together, see linear/contact_group_kernels.h; and z of all rows of the groups of which the first is in first <= i <
    // end, whose r.z is returned.
    ContactGroupInvert *invert_group;
    double (*solve_groups)(const ContactGroups *groups, int32_t first, int32_t end, const double *r,
                           double *z);
    /// See linear/contact_motion_kernels.h.
    ContactGroupDeviate *deviate_group;
    // The coarse space of the preconditioner, see linear/coarse_assembly_kernels.h and coarse_kernels.h: its matrix part by part, its factor, and the steps
    // of applying its inverse.
    void (*coarse_assemble)(CoarseSpace *space, int32_t part);
    void (*coarse_factor_part)(CoarseSpace *space, int32_t part);
    void (*coarse_take_part)(CoarseSpace *space, int32_t part, int32_t p);
    double (*coarse_restrict)(CoarseSpace *space, int32_t part, const double *r);
    void (*coarse_restrict_deviations)(CoarseSpace *space, int32_t part, const double *r);
    double (*coarse_forward)(CoarseSpace *space, int32_t first, int32_t end, double *rest);
    void (*coarse_backward)(CoarseSpace *space, int32_t first, int32_t end);
    void (*coarse_turn)(const CoarseSpace *space, int32_t part, const double *z, double b, double *y);
    // Rows of a factor, see linear/cholesky_kernels.h.
    bool (*factor_rows)(const struct Cholesky *cholesky, int32_t base, int32_t first, int32_t end);
    // The three parts of factor_solve, see linear/triangular_kernels.h.
    void (*forward)(Factor *factor, int32_t first, int32_t end, Quad *part);
    void (*top)(Factor *factor);
    void (*backward)(Factor *factor, int32_t first, int32_t end);
} Kernels;

/// The kernels for this machine. VELA_ISA=baseline|avx2|avx512 in the environment forces a lesser set (for tests).
const Kernels *kernels_choose(void);

#endif
