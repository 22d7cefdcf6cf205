#include "solver/admm.h"

#include "base/clock.h"

#include <math.h>

enum { BATCH_FIRST = 16, BATCH_MOST = 64, BATCH_UNTIMED = 4, ADAPTATION_EVERY = 5, ADAPTATION_UNTIL = 20 };

/// Where iterations are slow the device is looked at this often, s: for progress, and for an interrupt.
static const double LOOK_EVERY = 0.25;

/// A solve that is not done after RESCUE_AFTER iterations is looked at every RESCUE_EVERY: where the primal residual is above its bound
/// and has not halved, rho is doubled. At rest stiffness rho is too small for strongly compressed neo-Hookean elements, and ADMM circles
/// without it. Where the solve ends well with it, it stays for those that follow: what is compressed stays so for many steps (a soft
/// bunny dropped from 0.2 m: 66 iterations a step; 187 where every solve begins anew). Where it does not, it is taken back before the
/// solve ends: whatever kept that solve from its end, a cloth that buckles say, a rho that only grows makes all later ones slower.
enum { RESCUE_AFTER = 64, RESCUE_EVERY = 32, RESCUES_MOST = 6 };

typedef struct Rescue {
    double looked_at; ///< primal residual at the last look
    double raised;    ///< factor on rho since the solve began
    int32_t count;
    bool over; ///< it has not helped
} Rescue;

// The primal residual more than 10 times the dual one: rho x 2; the opposite: rho / 2 (theory.md section 5).
static VelaResult adapt_penalty(Device *device, const AdmmReport *report)
{
    if (report->primal_difference > 10 * report->dual_difference)
        return device_admm_scale_penalty(device, 2);
    if (report->dual_difference > 10 * report->primal_difference)
        return device_admm_scale_penalty(device, 0.5);
    return VELA_OK;
}

// As many iterations as the last step took and a few more, so that most steps need one look at the device.
static int32_t next_batch(const SolverDef *def, int32_t batch, int32_t done)
{
    int32_t count = batch > 0 ? batch : BATCH_FIRST;
    if (def->adapt_penalty && done < ADAPTATION_UNTIL)
        count = ADAPTATION_EVERY;
    if (done >= RESCUE_AFTER)
        count = RESCUE_EVERY;
    return count < def->max_iterations - done ? count : def->max_iterations - done;
}

// `count` iterations, in parts of about LOOK_EVERY seconds. How they are parted does not change them.
static VelaResult iterate(Device *device, int32_t count, SolverReport *report, AdmmReport *last)
{
    last->converged = false;
    while (count > 0 && !last->converged) {
        const double pace = device->seconds_per_admm_iteration;
        const int32_t most = pace > 0 ? (int32_t)fmin(LOOK_EVERY / pace, BATCH_MOST) : BATCH_UNTIMED;
        const int32_t part = most < 1 ? 1 : most < count ? most : count;
        const double start = clock_seconds();
        TRY(device_admm_iterate(device, part, last));
        device->seconds_per_admm_iteration =
            (clock_seconds() - start) / (last->iterations > 0 ? last->iterations : 1);
        report->iterations += last->iterations;
        report->linear_iterations += last->linear_iterations;
        count -= part;
        TRY(context_note(device->context, &(SolverNote){report->iterations, last->primal, -1}));
    }
    return VELA_OK;
}

// `left`: iterations that may follow.
static VelaResult rescue_penalty(Device *device, const AdmmReport *report, int32_t left, Rescue *rescue)
{
    const bool circles = report->primal > report->primal_bound && report->primal > 0.5 * rescue->looked_at;
    rescue->looked_at = report->primal;
    if (rescue->over || (!circles && left > RESCUE_EVERY))
        return VELA_OK;
    if (rescue->count == RESCUES_MOST || left <= RESCUE_EVERY) {
        rescue->over = true;
        return rescue->raised > 1 ? device_admm_scale_penalty(device, 1 / rescue->raised) : VELA_OK;
    }
    ++rescue->count;
    rescue->raised *= 2;
    return device_admm_scale_penalty(device, 2);
}

VelaResult admm_solve(Device *device, const SolverDef *def, int32_t *batch, SolverReport *report)
{
    const AdmmSettings settings = {def->tolerance, def->penalty, def->anderson ? def->depth : 0};
    *report = (SolverReport){.shortest_step = 1};
    TRY(device_admm_begin(device, &settings));
    AdmmReport last = {0};
    Rescue rescue = {.looked_at = INFINITY, .raised = 1};
    while (!last.converged && report->iterations < def->max_iterations) {
        TRY(iterate(device, next_batch(def, *batch, report->iterations), report, &last));
        const bool more = !last.converged && report->iterations < def->max_iterations;
        if (def->adapt_penalty && more && report->iterations < ADAPTATION_UNTIL)
            TRY(adapt_penalty(device, &last));
        if (more && report->iterations >= RESCUE_AFTER)
            TRY(rescue_penalty(device, &last, def->max_iterations - report->iterations, &rescue));
    }
    report->primal = last.primal;
    report->dual = last.dual;
    report->stop = !last.converged ? STOP_MAX_ITERATIONS : last.at_rounding ? STOP_ROUNDING : STOP_CONVERGED;
    *batch = report->iterations + 2 < BATCH_MOST ? report->iterations + 2 : BATCH_MOST;
    FAIL_IF(device->context, def->strict && !last.converged, VELA_ERROR_NOT_CONVERGED,
            "ADMM reached max_iterations (%d): primal residual %.3g, expected at most %.3g; dual residual "
            "%.3g, expected at most %.3g",
            def->max_iterations, last.primal, last.primal_bound, last.dual, last.dual_bound);
    return VELA_OK;
}
