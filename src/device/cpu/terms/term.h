/// A term of the potential energy on the CPU path: elements, inertia with gravity, penalty contact, barrier contact, both
/// with friction. Solvers and diagnostics go over all of them and know none (terms.h has the list).
#ifndef DEVICE_CPU_TERMS_TERM_H
#define DEVICE_CPU_TERMS_TERM_H

#include "device/cpu/cpu_device.h"

/// What a term does; NULL where it does nothing. Positions and gradients are node_count x 3 in the model's order unless they
/// are said to be by place (NodeOrder).
typedef struct CpuTerm {
    /// Gradient of the energy at x, added; without dissipation, and without gravity, whose acceleration is known.
    VelaResult (*add_gradient)(CpuDevice *device, const double *x, double *gradient);
    /// A state's energy and extremes.
    VelaResult (*diagnose)(CpuDevice *device, const double *x, Diagnosis *diagnosis);

    /// A stage begins (device_stage_set): what is lagged is found at SLOT_STAGE.
    VelaResult (*begin_stage)(CpuDevice *device);
    /// Gradient of the dissipation potential of the stage at SLOT_STAGE, added.
    VelaResult (*add_dissipation)(CpuDevice *device, double *gradient);
    /// Likewise of what acts over the step once, and not in the momentum at its end as the forces of the stage do: its impulse over the
    /// step's length.
    VelaResult (*add_impulse)(CpuDevice *device, double *gradient);
    /// Of dissipation that depends on velocities, at any x and v in a step of `duration`, s: adds the gradient dR/dv, and to `loss`,
    /// unless it is NULL, `duration` times the power that it takes.
    VelaResult (*add_damping)(CpuDevice *device, const double *x, const double *v, double *gradient,
                              double duration, DissipationLoss *loss);
    /// Adds what lagged dissipation takes over the motion from x0 to x1 within `duration`, s.
    VelaResult (*add_loss)(CpuDevice *device, const double *x0, const double *x1, double duration,
                           DissipationLoss *loss);
    /// Lowers *part to the largest admissible part of the motion d from x, which need not be a direction of Newton's.
    VelaResult (*admit)(CpuDevice *device, const double *x, const double *d, double *part);

    // Newton's method at SLOT_STAGE.
    /// Gradient (by place) and Hessian, added to newton.gradient and newton.matrix; projected term by term if asked for.
    VelaResult (*linearize)(CpuDevice *device, bool project);
    /// The same after the blocks below the diagonal are filled: for terms whose blocks are not of the fixed pattern.
    VelaResult (*linearize_changing)(CpuDevice *device, bool project);
    /// Lowers *longest to the largest step that the term admits along newton.direction.
    VelaResult (*bound)(CpuDevice *device, double *longest);
    /// Adds the change of the energy along newton.direction at `count` steps.
    void (*try_steps)(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums);

    // ADMM: the local problem min E(Z) + rho/2 |Z - S|^2 for copies Z of D x, in Douglas-Rachford form (admm/admm.c).
    /// Where the stage starts: D xt; without a last stage Z = D x_n. Adds to admm.all_penalties and admm.diagonal what the copies weigh.
    void (*admm_begin)(CpuDevice *device);
    /// S mixed from the history, Z = prox(S). Called by all threads of a parallel region, which share the work.
    void (*admm_project)(CpuDevice *device);
    /// Adds D^T rho (2 Z - S - D xt) to admm.right; the elements' come with their corner forces.
    void (*admm_add_right)(CpuDevice *device);
    /// D x - Z with x = xt + admm.delta and the next S, into history slot `newest` (-1: none); adds what Anderson acceleration
    /// needs to `sums` and looks whether the residual is within its bounds.
    void (*admm_residual)(CpuDevice *device, int32_t newest, int32_t depth, ResidualSums *sums,
                          AdmmReport *report);
    /// Adds D^T rho (a S + b Z + c (D x - Z)) to `forces`; the elements' replaces what was there. With a 1 and b -1 that is the force of the
    /// stage, without what acts over the step once (add_impulse).
    void (*admm_scatter)(CpuDevice *device, double a, double b, double c, double *forces);
    /// After the last iteration of a batch.
    void (*admm_end)(CpuDevice *device);
} CpuTerm;

#endif
