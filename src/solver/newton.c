#include "solver/newton.h"

#include "model/describe.h"

#include <math.h>

/// HALVINGS_MOST: a step shorter than 2^-40 of the admissible one changes nothing. STAGNANT_MOST: so many steps whose difference of
/// the objective is rounding and no decrease end a stage, none half as long as the shortest before them nor half as steep as the
/// flattest: the bound of the rounding is far above what most sums have, and to where a soft sheet buckles the way is long. FORCING: the linear solve's relative
/// residual lies between the user's tolerance and the first number, and falls with the square of the outer residual
/// (LinearForcing). A first one of 0.1 takes a fifth more Newton iterations on a bar that sags, and
/// no fewer linear ones.
enum { HALVINGS_MOST = 40, STAGNANT_MOST = 4 };
static const double ARMIJO = 1e-4, FORCING_FIRST = 0.01, FORCING_FACTOR = 0.9;

/// Directions shorter than the tolerance, or this much shorter than the first one, are near the solution; a full step of the
/// projected Hessian that leaves more than the second part of the slope was too short.
static const double NEAR_SOLUTION = 1e-3, TOO_STIFF = 0.4;

/// Where a step moves something further than contact reaches, and contact does more than this part of the direction's work, the next contacts are
/// others: then the true Hessian, with those that push apart and no longer hold, is hardly ever positive definite.
static const double LEAP = 0.1;

/// A direction of the true Hessian this much longer than the first one is not taken: where that is all but singular it leads
/// nowhere, and the pairs on so long a way would fill the memory.
static const double FAR = 10;

/// A stage does not end on a step where the objective bends this much away from its quadratic model: at the end of a full
/// Newton step its slope would be 0. So forces that change within less than the step, as stiff contact does, are settled
/// too. After a full step that bends more the secant of the slopes is followed, to at most so many times its length; a stage may end there
/// too if the way is this much shorter than the tolerance.
static const double BEND = 0.1, SECANT_MOST = 4, SECANT_SHORT = 0.1;

/// It may end on one that bends more where what is left of the slope is less than this part of what contact does along the direction: then the
/// forces of contact are as near to the solution's as the condition on the bend leaves them (bench/README.md).
static const double IMBALANCE = 0.03;

/// A difference that is this near to what the slopes at both ends make of it, relative to itself, was found twice: noise is no
/// more than this part of it.
static const double AGREEMENT = 0.1;

/// Noise below this part of what the slope promises hides no decrease: a difference near 0 is then that of a step too long.
static const double HIDING = 0.1;

/// Pinned nodes that have this part of the stage's way left, or less, are in place. Where contact never allows a whole step, each
/// step leaves a part of their way, and the objective would not count to the end.
static const double ARRIVED = 1e-6;

/// Where a step bends or is cut, few nodes are mostly why: those of a patch, whose own directions follow, so many at the most, until one is
/// shorter than this part of the direction that the patch came with.
enum { PATCH_ITERATIONS_MOST = 8 };
static const double PATCH_SHORT = 0.3;

/// A direction that turns no affine body by more than this, rad, is taken straight: it stretches a body by half the square of it.
static const double STRAIGHT = 1e-2;

/// A linear tolerance within this factor of the user's is the user's: a stage cannot end on a direction that is rougher.
static const double NEARLY_EXACT = 10;

typedef struct LineSearch {
    double step;  ///< along the straight way that the device has; 0: none was found
    double part;  ///< of the direction's curve, where that way ends; above 1: beyond the full step
    double slope; ///< derivative along the direction at the end, of that at the start; 0 where it is rounding
    double bend;  ///< that of the full step, where it was found to lead downwards; else of what is taken
    double difference;   ///< of the objective, J
    double contact_work; ///< there, J (NewtonTrials)
    double imbalance;    ///< the slope that the full step left, of contact's work; +infinity without either
    bool was_full;       ///< a full step leads downwards
    bool at_rounding;    ///< the difference of the objective is within its noise
    bool falls;          ///< that difference is the decrease that is asked for
} LineSearch;

// Tries steps of the direction, of slope `first`. A device's noise is a bound, often a thousand times what its sums are off by. Where two of
// the steps agree with their slopes, which chance hardly does, they show how little it is at the most.
static VelaResult try_steps(Device *device, double first, int32_t halvings, NewtonTrials *trials)
{
    TRY(device_newton_trials(device, halvings, trials));
    int agreeing = 0;
    double part = 0;
    for (int i = 0; i < trials->count; ++i) {
        const double difference = trials->difference[i],
                     expected = 0.5 * ldexp(trials->longest, -(halvings + i)) * (first + trials->slope[i]);
        if (!(fabs(difference - expected) <= AGREEMENT * fabs(difference)))
            continue;
        ++agreeing;
        part = fmax(part, AGREEMENT * fabs(difference) / trials->noise[i]);
    }
    for (int i = 0; i < trials->count && agreeing >= (trials->count > 1 ? 2 : 1); ++i)
        trials->noise[i] *= fmin(1, part);
    return VELA_OK;
}

// While pinned nodes are on their way the objective may have to rise: then only admissibility counts.
static bool accepts(const NewtonDirection *direction, const NewtonTrials *trials, int i, double step,
                    LineSearch *search)
{
    const double difference = trials->difference[i], slope = trials->slope[i], noise = trials->noise[i],
                 first = search->part * direction->slope;
    search->difference = difference;
    search->contact_work = trials->contact_work;
    search->slope = fabs(slope) > noise ? slope / first : 0;
    search->at_rounding =
        direction->pin_gap == 0 && fabs(difference) <= noise && noise >= HIDING * step * fabs(first);
    search->falls = difference <= ARMIJO * step * first;
    if (!isfinite(difference))
        return false;
    if (direction->pin_gap > 0 || search->falls)
        return true;
    // Approximate Wolfe (Hager and Zhang): the decrease as the derivative tells it.
    return search->at_rounding && slope <= (2 * ARMIJO - 1) * first;
}

// Along the curve on which affine bodies turn: each point of it is tried on the straight way there. Where a contact comes first,
// the bodies turn as far as that, once a point. The curve starts along the direction, so it descends. What hardly turns anything is
// left to the straight search, of the direction itself.
static VelaResult search_curve(Device *device, const NewtonDirection *direction, LineSearch *search)
{
    bool shortened = false;
    while (search->part * direction->turn > STRAIGHT) {
        NewtonTrials trials;
        TRY(device_newton_way(device, search->part, true));
        TRY(try_steps(device, search->part * direction->slope, 0, &trials));
        if (trials.longest < 1 && !shortened) {
            search->part *= trials.longest;
            shortened = true;
            continue;
        }
        if (accepts(direction, &trials, 0, trials.longest, search)) {
            search->step = trials.longest;
            return VELA_OK;
        }
        search->part *= 0.5 * trials.longest;
        shortened = false;
    }
    return device_newton_way(device, search->part, false);
}

static VelaResult search_line(Device *device, const NewtonDirection *direction, LineSearch *search)
{
    *search = (LineSearch){.part = 1};
    if (direction->pin_gap == 0 && !(direction->slope < 0))
        return VELA_OK;
    if (direction->pin_gap == 0 && direction->turn > STRAIGHT)
        TRY(search_curve(device, direction, search));
    NewtonTrials trials;
    for (int32_t halvings = 0; halvings < HALVINGS_MOST && search->step == 0; halvings += trials.count) {
        TRY(try_steps(device, search->part * direction->slope, halvings, &trials));
        for (int i = 0; i < trials.count && search->step == 0; ++i) {
            const double step = ldexp(trials.longest, -(halvings + i));
            if (accepts(direction, &trials, i, step, search))
                search->step = step;
        }
        // Decreases too small to be seen, and no step so short that they could be: the iterate is as good as this precision allows. Where
        // stiff contact comes after a part of the way, its noise is less on shorter ones.
        if (search->step == 0) {
            const double shortest = trials.noise[trials.count - 1];
            search->at_rounding = fabs(direction->slope) <= shortest && shortest >= 0.5 * trials.noise[0];
            if (search->at_rounding)
                break;
        }
    }
    return VELA_OK;
}

// On to where the secant of the slopes at both ends of a full step is 0, or back to there. Where contacts change within the step, the
// model's curvature is wrong whatever is taken for it, and a trial costs little beside a direction.
static VelaResult search_secant(Device *device, const NewtonDirection *direction, LineSearch *search)
{
    search->was_full = search->part * search->step == 1;
    search->bend = search->slope;
    search->imbalance = search->was_full && search->contact_work > 0
                            ? fabs(search->bend * direction->slope) / search->contact_work
                            : INFINITY;
    if (!search->was_full || search->at_rounding || direction->pin_gap > 0 || fabs(search->slope) <= BEND)
        return VELA_OK;
    const bool turned = direction->turn > STRAIGHT;
    LineSearch secant = {.part = 1 / fmax(1 - search->slope, 1 / SECANT_MOST),
                         .bend = search->slope,
                         .imbalance = search->imbalance,
                         .was_full = true};
    NewtonTrials trials;
    TRY(device_newton_way(device, secant.part, turned));
    TRY(try_steps(device, secant.part * direction->slope, 0, &trials));
    if (accepts(direction, &trials, 0, trials.longest, &secant) && secant.difference <= search->difference &&
        fabs(secant.slope) < fabs(search->slope)) {
        secant.step = trials.longest;
        *search = secant;
        return VELA_OK;
    }
    TRY(device_newton_way(device, 1, turned));
    return try_steps(device, direction->slope, 0, &trials);
}

/// Which direction is next. The projected Hessian always gives one that descends, but it is often too stiff, most of all
/// where bodies are pressed against each other: then full steps leave much of the slope. The true one converges
/// quadratically where it is positive definite.
typedef struct DirectionChoice {
    bool project;
    double first;           ///< |d|_inf of the stage's first direction, m
    int32_t wait, patience; ///< iterations until the true one is tried again, and after its next failure
} DirectionChoice;

static void choose_direction(const Model *model, bool failed, bool is_short, const NewtonDirection *direction,
                             const LineSearch *search, DirectionChoice *choice)
{
    const bool is_near = is_short || direction->largest < NEAR_SOLUTION * choice->first;
    if (failed) {
        choice->wait = choice->patience;
        choice->patience *= 2;
    }
    const bool leaps = direction->largest > model->scene->contact.distance &&
                       search->contact_work > LEAP * fabs(direction->slope),
               too_stiff = search->was_full && search->bend > TOO_STIFF && !leaps,
               goes_on = search->was_full && !choice->project && !failed;
    choice->project = choice->wait > 0 || !(is_near || too_stiff || goes_on);
    if (choice->wait > 0)
        --choice->wait;
}

// With the projected Hessian where the true one is wanted but not positive definite, or hardly so. Adds to *linear_iterations.
static VelaResult find_direction(Device *device, NewtonSettings *settings, const DirectionChoice *choice,
                                 int32_t iteration, NewtonDirection *direction, int32_t *linear_iterations,
                                 bool *failed)
{
    settings->project = choice->project;
    TRY(device_newton_direction(device, settings, direction));
    *linear_iterations += direction->linear_iterations;
    *failed = !settings->project &&
              (direction->indefinite || direction->slope >= 0 || direction->largest > FAR * choice->first);
    if (*failed) {
        settings->project = true;
        TRY(device_newton_direction(device, settings, direction));
        *linear_iterations += direction->linear_iterations;
    }
    char place[160] = "";
    if (direction->bad_node >= 0)
        model_describe_node(device->model, direction->bad_node, place, sizeof place);
    FAIL_IF(device->context, direction->bad_node >= 0, VELA_ERROR_NOT_CONVERGED,
            "Newton iteration %d: the direction is not finite at %s", iteration, place);
    return VELA_OK;
}

// Newton's method for the patch of the direction `whole` alone: the next direction of all nodes starts where what made the last one
// wrong has been settled (approximate nonlinear elimination, P. J. Lanzkron, D. J. Rose, J. T. Wilkes, "An analysis of approximate nonlinear
// elimination", 1996). Each step lowers the objective, and no stage ends here.
static VelaResult settle_patch(Device *device, const NewtonSettings *whole_settings,
                               const NewtonDirection *whole, SolverReport *report)
{
    NewtonSettings settings = *whole_settings;
    settings.patch = true;
    settings.forcing.last = settings.short_direction = 0; // as rough as first directions
    DirectionChoice choice = {.project = true, .first = whole->largest, .patience = 1};
    const double enough = fmax(PATCH_SHORT * whole->largest, SECANT_SHORT * whole_settings->short_direction);
    double way = INFINITY;
    for (int k = 0; k < PATCH_ITERATIONS_MOST && way > enough; ++k) {
        NewtonDirection direction;
        LineSearch search;
        int32_t linear_iterations = 0;
        bool failed;
        TRY(find_direction(device, &settings, &choice, report->iterations, &direction, &linear_iterations,
                           &failed));
        TRY(search_line(device, &direction, &search));
        TRY(search_secant(device, &direction, &search));
        ++report->patch_iterations;
        if (search.step == 0)
            break;
        TRY(device_newton_accept(device, search.step));
        way = fmax(1, search.part * search.step) * direction.largest;
        choose_direction(device->model, failed, way < whole_settings->short_direction, &direction, &search,
                         &choice);
    }
    return VELA_OK;
}

// Whether what a residual leaves of a direction is in proportion to both: where the preconditioner knows all that is stiff. Nodes' blocks alone know
// nothing of slow motions, and no preconditioner knows constraints.
static bool residual_tells(const Model *model)
{
    return model->scene->solver.preconditioner == PRECONDITIONER_TWO_LEVEL && model->constraint_count == 0;
}

VelaResult newton_solve(Device *device, const SolverDef *def, double step, SolverReport *report)
{
    const LinearForcing forcing = {.loosest = FORCING_FIRST,
                                   .factor = FORCING_FACTOR,
                                   .nearly = NEARLY_EXACT,
                                   .settled = residual_tells(device->model) ? FORCING_FIRST : 0};
    NewtonSettings settings = {.linear_tolerance = def->linear_tolerance,
                               .linear_max_iterations = def->linear_max_iterations,
                               .forcing = forcing,
                               .short_direction = def->tolerance * step};
    double shortest = INFINITY, flattest = INFINITY; // |d|_inf, m, and -slope, J, of the steps before
    double way = 0;                                  // of the pinned nodes, m
    int32_t stagnant = 0;
    DirectionChoice choice = {.project = true, .patience = 1};
    bool pins_in_place = false;
    *report = (SolverReport){.shortest_step = 1, .stop = STOP_MAX_ITERATIONS};
    while (report->stop == STOP_MAX_ITERATIONS && report->iterations < def->max_iterations) {
        NewtonDirection direction;
        LineSearch search;
        bool failed;
        ++report->iterations;
        TRY(find_direction(device, &settings, &choice, report->iterations, &direction,
                           &report->linear_iterations, &failed));
        if (report->iterations == 1)
            way = direction.pin_gap;
        else if (direction.pin_gap <= ARRIVED * way)
            direction.pin_gap = 0;
        TRY(search_line(device, &direction, &search));
        TRY(search_secant(device, &direction, &search));
        report->primal = fmax(1, search.part * search.step) * direction.largest / step;
        pins_in_place = direction.pin_gap == 0;
        TRY(context_note(device->context,
                         &(SolverNote){report->iterations, report->primal, direction.contact_pairs}));
        if (search.step == 0) {
            const bool converged = pins_in_place && report->primal < def->tolerance;
            report->stop = converged ? STOP_CONVERGED : search.at_rounding ? STOP_ROUNDING : STOP_LINE_SEARCH;
            break;
        }
        TRY(device_newton_accept(device, search.step));
        report->shortest_step = fmin(report->shortest_step, search.part * search.step);
        pins_in_place |= search.was_full;
        // A roughly solved direction may be short although much is missing: where stiffness dominates the residual, slow
        // motions are found last. It counts once it was solved as exactly as the user asks for.
        const bool is_short = pins_in_place && report->primal < def->tolerance;
        const bool is_settled =
            fabs(search.bend) <= BEND || search.imbalance <= IMBALANCE ||
            (fabs(search.slope) <= BEND && report->primal < SECANT_SHORT * def->tolerance);
        if (is_short && direction.is_exact && is_settled)
            report->stop = STOP_CONVERGED;
        // Where the objective cannot tell, its derivative leads on as long as directions become shorter now and then.
        const bool advances = direction.largest <= 0.5 * shortest || -direction.slope <= 0.5 * flattest;
        if (advances || !search.at_rounding)
            stagnant = 0;
        else if (!search.falls && ++stagnant == STAGNANT_MOST && report->stop == STOP_MAX_ITERATIONS)
            report->stop = STOP_ROUNDING;
        if (stagnant == 0) {
            shortest = fmin(shortest, direction.largest);
            flattest = fmin(flattest, -direction.slope);
        }
        settings.forcing.last = direction.gradient;
        if (report->iterations == 1)
            choice.first = direction.largest;
        choose_direction(device->model, failed, is_short, &direction, &search, &choice);
        const bool is_wrong = !search.was_full || fabs(search.bend) > BEND;
        if (report->stop == STOP_MAX_ITERATIONS && is_wrong && direction.patch_nodes > 0 &&
            direction.pin_gap == 0)
            TRY(settle_patch(device, &settings, &direction, report));
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
