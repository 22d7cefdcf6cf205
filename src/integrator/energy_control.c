// A-1 and A-search (theory.md section 4) [ASE]: implicit Euler's stage, then a velocity w - alpha dv that puts the energy
// on a target.
#include "integrator/rows.h"
#include "integrator/stages.h"

#include <math.h>

/// A is negligible below this share of the largest of |B| and |C|; no alpha changes the energy then.
static const double NEGLIGIBLE = 1e-14;

/// The energy above the target as a function of alpha: A alpha^2 + B alpha + C.
typedef struct Parabola {
    double a, b, c;
} Parabola;

static double above_target(const Parabola *p, double alpha)
{
    return (p->a * alpha + p->b) * alpha + p->c;
}

// Solves implicit Euler's stage: SLOT_STAGE_VELOCITY = w, SLOT_SCRATCH_0 = dv = h M^-1 (grad Phi(x_n) - grad Phi(x')).
static VelaResult solve_stage(Integrator *integrator, double time, double h, StepReport *report)
{
    Device *device = integrator->device;
    const Stage stage = {.a = h, .time = time + h, .ahead = h};
    const double one = 1;
    TRY(device_combine(device, SLOT_BASE_POSITION, 1, &one, (Slot[]){SLOT_POSITION}));
    TRY(device_combine(device, SLOT_BASE_VELOCITY, 1, &one, (Slot[]){SLOT_VELOCITY}));
    TRY(stage_solve(integrator, &stage, h, true, &report->solver));
    TRY(integrator_add_damping(integrator, SLOT_STAGE, SLOT_STAGE_VELOCITY, h, report));
    TRY(device_acceleration(device, SLOT_SCRATCH_0, SLOT_POSITION, time));
    TRY(device_acceleration(device, SLOT_ACCELERATION, SLOT_STAGE, time + h));
    return device_combine(device, SLOT_SCRATCH_0, 2, (double[]){h, -h},
                          (Slot[]){SLOT_ACCELERATION, SLOT_SCRATCH_0});
}

static VelaResult update(Device *device, double alpha)
{
    const double one = 1;
    TRY(device_combine(device, SLOT_NEXT_POSITION, 1, &one, (Slot[]){SLOT_STAGE}));
    return device_combine(device, SLOT_NEXT_VELOCITY, 2, (double[]){1, -alpha},
                          (Slot[]){SLOT_STAGE_VELOCITY, SLOT_SCRATCH_0});
}

VelaResult a1_step(Integrator *integrator, double time, double step, StepReport *report)
{
    TRY(solve_stage(integrator, time, step, report));
    report->alpha = 1;
    TRY(integrator_add_loss(integrator, SLOT_POSITION, SLOT_STAGE, step, report));
    return update(integrator->device, report->alpha);
}

// Energy of the free nodes' motion and all potentials, J. What pinned nodes carry is not the integrator's to change.
static VelaResult energy(Device *device, Slot position, Slot velocity, double time, double *total)
{
    Diagnosis at;
    double twice_kinetic;
    TRY(device_diagnose(device, position, velocity, time, &at));
    TRY(device_mass_dot(device, 1, (const Slot[][2]){{velocity, velocity}}, &twice_kinetic));
    *total = 0.5 * twice_kinetic + at.elastic + at.gravitational + at.contact + at.loads + at.constraint;
    return VELA_OK;
}

// Integral of 1/decay_time over the step: values hold from their keyframe to the next.
static double decay_exponent(const EnergyDef *def, double time, double step)
{
    double exponent = 0;
    for (int32_t i = 0; i < def->decay_count; ++i) {
        const double first = i == 0 ? time : fmax(time, def->decay[i].time);
        const double last =
            i + 1 < def->decay_count ? fmin(time + step, def->decay[i + 1].time) : time + step;
        if (last > first)
            exponent += (last - first) / def->decay[i].value;
    }
    return exponent;
}

// The root nearer to 1, or the closest energy where there is none.
static double find_alpha(const Parabola *p, AlphaCase *found)
{
    if (p->a <= NEGLIGIBLE * fmax(fabs(p->b), fabs(p->c))) {
        *found = ALPHA_NONE;
        return 1;
    }
    const double discriminant = p->b * p->b - 4 * p->a * p->c;
    if (discriminant < 0) {
        *found = ALPHA_NEAREST;
        return -p->b / (2 * p->a);
    }
    const double q = -0.5 * (p->b + copysign(sqrt(discriminant), p->b));
    const double first = q / p->a, second = q != 0 ? p->c / q : first;
    *found = ALPHA_ROOT;
    return fabs(first - 1) <= fabs(second - 1) ? first : second;
}

static double choose_alpha(const EnergyDef *def, const IntegratorState *state, const Parabola *parabola,
                           AlphaCase *found)
{
    if (def->sparse && state->side_count < 3) {
        *found = ALPHA_NONE;
        return 1;
    }
    const double alpha = find_alpha(parabola, found);
    const double clipped = fmin(fmax(alpha, def->alpha_min), def->alpha_max);
    if (clipped != alpha)
        *found = ALPHA_CLIPPED;
    return clipped;
}

static void note_side(IntegratorState *state, double above)
{
    const int32_t side = (above > 0) - (above < 0);
    state->side_count = side == 0 ? 0 : side == state->side ? state->side_count + 1 : 1;
    state->side = side;
}

static double target_from(const EnergyDef *def, double start)
{
    return def->ground_energy + def->initial_energy * (start - def->ground_energy);
}

VelaResult a_search_start_target(Integrator *integrator, double time, double *target)
{
    double start;
    TRY(energy(integrator->device, SLOT_POSITION, SLOT_VELOCITY, time, &start));
    *target = target_from(&integrator->scene->energy, start);
    return VELA_OK;
}

VelaResult a_search_step(Integrator *integrator, double time, double step, StepReport *report)
{
    Device *device = integrator->device;
    const EnergyDef *def = &integrator->scene->energy;
    IntegratorState *state = &integrator->state;
    if (!state->started) {
        double start;
        TRY(energy(device, SLOT_POSITION, SLOT_VELOCITY, time, &start));
        state->target = target_from(def, start);
        note_side(state, start - state->target);
    }
    const double lost = report->loss.free;
    TRY(solve_stage(integrator, time, step, report));
    double dots[2], reached, work;
    TRY(device_mass_dot(
        device, 2, (const Slot[][2]){{SLOT_SCRATCH_0, SLOT_SCRATCH_0}, {SLOT_STAGE_VELOCITY, SLOT_SCRATCH_0}},
        dots));
    TRY(energy(device, SLOT_STAGE, SLOT_STAGE_VELOCITY, time + step, &reached));
    TRY(integrator_add_loss(integrator, SLOT_POSITION, SLOT_STAGE, step, report));
    TRY(integrator_load_work(integrator, SLOT_POSITION, SLOT_STAGE, time, step, &work));
    state->target = def->ground_energy +
                    exp(-decay_exponent(def, time, step)) * (state->target - def->ground_energy) -
                    (report->loss.free - lost) + work;
    const Parabola parabola = {0.5 * dots[0], -dots[1], reached - state->target};
    report->target = state->target;
    report->alpha = choose_alpha(def, state, &parabola, &report->alpha_case);
    note_side(state, above_target(&parabola, report->alpha));
    return update(device, report->alpha);
}
