#include "solver/newton.h"

#include <math.h>

/// HALVINGS_MOST: a step shorter than 2^-40 of the admissible one changes nothing. FORCING: the linear solve's relative
/// residual lies between the user's tolerance and the first number, and falls with the square of the outer residual
/// (Eisenstat and Walker's second choice). A first one of 0.1 takes a fifth more Newton iterations on a bar that sags, and
/// no fewer linear ones.
enum { HALVINGS_MOST = 40 };
static const double ARMIJO = 1e-4, FORCING_FIRST = 0.01, FORCING_FACTOR = 0.9;

/// Directions this much shorter than the first one try the true Hessian, which converges quadratically where it is positive
/// definite; near the solution it is.
static const double NEAR_SOLUTION = 1e-3;

/// A stage does not end on a step where the objective bends this much away from its quadratic model: at the end of a full
/// Newton step its slope would be 0. So forces that change within less than the step, as stiff contact does, are settled too.
static const double BEND = 0.1;

typedef struct LineSearch {
    double step;      ///< 0: none was found
    bool bends;       ///< the slope at the end is more than BEND of that at the start, and more than rounding
    bool at_rounding; ///< the objective could not tell the step; its derivative did
} LineSearch;

// While pinned nodes are on their way the objective may have to rise: then only admissibility counts.
static bool accepts(const NewtonDirection *direction, const NewtonTrials *trials, int i, double step,
                    LineSearch *search)
{
    const double difference = trials->difference[i];
    search->bends = fabs(trials->slope[i]) > fmax(BEND * fabs(direction->slope), trials->noise);
    search->at_rounding = false;
    if (!isfinite(difference))
        return false;
    if (direction->pin_gap > 0 || difference <= ARMIJO * step * direction->slope)
        return true;
    // Approximate Wolfe (Hager and Zhang): the decrease as the derivative tells it.
    search->at_rounding =
        fabs(difference) <= trials->noise && trials->slope[i] <= (2 * ARMIJO - 1) * direction->slope;
    return search->at_rounding;
}

static VelaResult search_line(Device *device, const NewtonDirection *direction, LineSearch *search)
{
    *search = (LineSearch){0};
    if (direction->pin_gap == 0 && !(direction->slope < 0))
        return VELA_OK;
    NewtonTrials trials;
    for (int32_t halvings = 0; halvings < HALVINGS_MOST; halvings += trials.count) {
        TRY(device_newton_trials(device, halvings, &trials));
        for (int i = 0; i < trials.count; ++i) {
            const double step = ldexp(trials.longest, -(halvings + i));
            if (accepts(direction, &trials, i, step, search)) {
                search->step = step;
                return VELA_OK;
            }
        }
        // Decreases too small to be seen: the iterate is as good as this precision allows.
        search->at_rounding = fabs(direction->slope) <= trials.noise;
        if (search->at_rounding)
            break;
    }
    return VELA_OK;
}

// How exactly the next direction is wanted.
static double forcing(const SolverDef *def, double gradient, double last_gradient)
{
    const double ratio = gradient / last_gradient;
    return fmax(fmin(FORCING_FIRST, FORCING_FACTOR * ratio * ratio), def->linear_tolerance);
}

// With the true Hessian where that is positive definite, else with the projected one, and then to the end of the stage.
static VelaResult find_direction(Device *device, NewtonSettings *settings, bool *try_true,
                                 NewtonDirection *direction, SolverReport *report)
{
    TRY(device_newton_direction(device, settings, direction));
    ++report->iterations;
    report->linear_iterations += direction->linear_iterations;
    if (!settings->project && (direction->indefinite || direction->slope >= 0)) {
        *try_true = false;
        settings->project = true;
        TRY(device_newton_direction(device, settings, direction));
        report->linear_iterations += direction->linear_iterations;
    }
    FAIL_IF(device->context, direction->bad_node >= 0, VELA_ERROR_NOT_CONVERGED,
            "Newton iteration %d: the direction is not finite at node %d", report->iterations,
            direction->bad_node);
    return VELA_OK;
}

VelaResult newton_solve(Device *device, const SolverDef *def, double step, SolverReport *report)
{
    NewtonSettings settings = {.linear_tolerance = fmax(FORCING_FIRST, def->linear_tolerance),
                               .linear_max_iterations = def->linear_max_iterations,
                               .project = true};
    double first_largest = 0, last_largest = INFINITY, last_gradient = INFINITY;
    bool try_true = true, pins_in_place = false;
    *report = (SolverReport){.shortest_step = 1, .stop = STOP_MAX_ITERATIONS};
    while (report->stop == STOP_MAX_ITERATIONS && report->iterations < def->max_iterations) {
        NewtonDirection direction;
        LineSearch search;
        TRY(find_direction(device, &settings, &try_true, &direction, report));
        TRY(search_line(device, &direction, &search));
        report->primal = direction.largest / step;
        pins_in_place = direction.pin_gap == 0;
        if (search.step == 0) {
            const bool converged = pins_in_place && report->primal < def->tolerance;
            report->stop = converged ? STOP_CONVERGED : search.at_rounding ? STOP_ROUNDING : STOP_LINE_SEARCH;
            break;
        }
        TRY(device_newton_accept(device, search.step));
        report->shortest_step = fmin(report->shortest_step, search.step);
        pins_in_place |= search.step == 1;
        // A roughly solved direction may be short although much is missing: where stiffness dominates the residual, slow
        // motions are found last. It counts once it was solved as exactly as the user asks for.
        const bool is_short = pins_in_place && report->primal < def->tolerance && !search.bends;
        if (is_short && settings.linear_tolerance <= def->linear_tolerance)
            report->stop = STOP_CONVERGED;
        else if (search.at_rounding && direction.largest > 0.5 * last_largest)
            report->stop = STOP_ROUNDING;
        settings.linear_tolerance =
            is_short ? def->linear_tolerance : forcing(def, direction.gradient, last_gradient);
        if (report->iterations == 1)
            first_largest = direction.largest;
        settings.project = !(try_true && direction.largest < NEAR_SOLUTION * first_largest);
        last_largest = direction.largest;
        last_gradient = direction.gradient;
    }
    FAIL_IF(device->context, !pins_in_place && report->stop >= STOP_LINE_SEARCH, VELA_ERROR_NOT_CONVERGED,
            "Newton's method stopped after %d iterations (%s) before the pinned nodes reached their places; "
            "slower pins or a smaller time.step may help",
            report->iterations, stop_name(report->stop));
    FAIL_IF(device->context, def->strict && report->stop >= STOP_LINE_SEARCH, VELA_ERROR_NOT_CONVERGED,
            "Newton's method stopped after %d iterations (%s): |dx|/h is %.3g m/s, expected at most %.3g",
            report->iterations, stop_name(report->stop), report->primal, def->tolerance);
    return VELA_OK;
}
