#include "sim/compare.h"

#include "base/matrix3.h"

static double diagonal_of(const Model *model)
{
    double min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * (size_t)model->body_node_count; ++i) {
        min[i % 3] = fmin(min[i % 3], model->initial_positions[i]);
        max[i % 3] = fmax(max[i % 3], model->initial_positions[i]);
    }
    double extent[3];
    subtract3(max, min, extent);
    return norm3(extent);
}

VelaResult comparison_create(Simulation *a, Simulation *b, bool lockstep, Arena *arena,
                             Comparison *comparison)
{
    const size_t n = 3 * (size_t)a->model.node_count;
    *comparison = (Comparison){.a = a, .b = b, .lockstep = lockstep, .diagonal = diagonal_of(&a->model)};
    FAIL_IF(a->context, simulation_state_size(a) != simulation_state_size(b), VELA_ERROR_INVALID_INPUT,
            "the two devices carry states of %zu and %zu values, expected the same", simulation_state_size(a),
            simulation_state_size(b));
    TRY(ARENA_ARRAY(arena, comparison->state, simulation_state_size(a)));
    TRY(ARENA_ARRAY(arena, comparison->positions[0], n));
    TRY(ARENA_ARRAY(arena, comparison->positions[1], n));
    return ARENA_ARRAY(arena, comparison->velocity, n);
}

static double distance(const double a[3], const double b[3])
{
    double difference[3];
    subtract3(a, b, difference);
    return norm3(difference);
}

// |a - b| / scale; two zeros agree.
static double relative(double difference, double scale)
{
    return difference == 0 ? 0 : difference / scale;
}

static VelaResult measure(Comparison *comparison, Deviation *deviation)
{
    Simulation *a = comparison->a, *b = comparison->b;
    const Model *model = &a->model;
    TRY(device_state_read(a->device, SLOT_POSITION, comparison->positions[0]));
    TRY(device_state_read(b->device, SLOT_POSITION, comparison->positions[1]));
    TRY(device_state_read(a->device, SLOT_VELOCITY, comparison->velocity));
    double momentum = 0, largest = 0;
    for (int32_t i = 0; i < model->node_count; ++i) {
        const size_t k = 3 * (size_t)i;
        const double apart = distance(comparison->positions[0] + k, comparison->positions[1] + k);
        // Written so that a position that is not a number counts as the largest.
        if (!(apart <= largest)) {
            largest = apart;
            deviation->node = i;
        }
        momentum += model->masses[i] * norm3(comparison->velocity + k);
    }
    const Diagnosis *da = &a->diagnosis, *db = &b->diagnosis;
    const double energy = fmax(fabs(diagnosis_total(da)), fmax(da->kinetic, da->elastic));
    deviation->position = largest / comparison->diagonal;
    deviation->energy = relative(fabs(diagnosis_total(da) - diagnosis_total(db)), energy);
    deviation->momentum = relative(distance(da->linear_momentum, db->linear_momentum), momentum);
    deviation->angular_momentum =
        relative(distance(da->angular_momentum, db->angular_momentum), momentum * comparison->diagonal);
    return VELA_OK;
}

VelaResult comparison_step(Comparison *comparison, Deviation *deviation)
{
    Simulation *a = comparison->a, *b = comparison->b;
    StepReport report_a, report_b;
    *deviation = (Deviation){0};
    if (comparison->lockstep) {
        TRY(simulation_state_read(a, comparison->state));
        TRY(simulation_state_write(b, comparison->state, a->step));
    }
    TRY(simulation_step(a, &report_a));
    TRY(simulation_step(b, &report_b));
    deviation->iterations[0] = report_a.solver.iterations;
    deviation->iterations[1] = report_b.solver.iterations;
    return measure(comparison, deviation);
}
