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
    for (int32_t i = 0; i < a->model.body_node_count; ++i)
        comparison->mass += a->model.gravity_weights[i];
    FAIL_IF(a->context, simulation_state_size(a) != simulation_state_size(b), VELA_ERROR_INVALID_INPUT,
            "the two devices carry states of %zu and %zu values, expected the same", simulation_state_size(a),
            simulation_state_size(b));
    TRY(ARENA_ARRAY(arena, comparison->state, simulation_state_size(a)));
    TRY(ARENA_ARRAY(arena, comparison->values[0], n));
    return ARENA_ARRAY(arena, comparison->values[1], n);
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

/// The largest distance of a node's values in a slot, and the node.
static VelaResult largest_distance(Comparison *comparison, Slot slot, double *largest, int32_t *node)
{
    Device *const devices[2] = {comparison->a->device, comparison->b->device};
    for (int d = 0; d < 2; ++d)
        TRY(device_state_read(devices[d], slot, comparison->values[d]));
    *largest = 0;
    for (int32_t i = 0; i < comparison->a->model.node_count; ++i) {
        const size_t k = 3 * (size_t)i;
        const double apart = distance(comparison->values[0] + k, comparison->values[1] + k);
        // Written so that a value that is not a number counts as the largest.
        if (!(apart <= *largest)) {
            *largest = apart;
            *node = i;
        }
    }
    return VELA_OK;
}

static VelaResult measure(Comparison *comparison, Deviation *deviation)
{
    const Simulation *a = comparison->a, *b = comparison->b;
    const double h = a->scene.step, size = comparison->diagonal, mass = comparison->mass;
    double distances[2];
    TRY(largest_distance(comparison, SLOT_POSITION, &distances[0], &deviation->position_node));
    TRY(largest_distance(comparison, SLOT_VELOCITY, &distances[1], &deviation->velocity_node));
    const Diagnosis *da = &a->diagnosis, *db = &b->diagnosis;
    const double energy = diagnosis_total(da), weight = mass * norm3(a->scene.gravity);
    deviation->position = relative(distances[0], size);
    deviation->velocity = relative(h * distances[1], size);
    deviation->momentum = relative(h * distance(da->linear_momentum, db->linear_momentum), mass * size);
    deviation->angular_momentum =
        relative(h * distance(da->angular_momentum, db->angular_momentum), mass * size * size);
    deviation->energy = relative(fabs(energy - diagnosis_total(db)), fmax(fabs(energy), weight * size));
    return VELA_OK;
}

DeviationBounds deviation_bounds(double tolerance, bool is_double)
{
    return (DeviationBounds){.motion = tolerance, .energy = fmax(tolerance, is_double ? 1e-8 : 1e-4)};
}

const char *deviation_beyond(const Deviation *deviation, const DeviationBounds *bounds, double *value,
                             double *bound)
{
    const struct {
        const char *name;
        double value, bound;
    } judged[] = {{"positions", deviation->position, bounds->motion},
                  {"velocities", deviation->velocity, bounds->motion},
                  {"linear momentum", deviation->momentum, bounds->motion},
                  {"total energy", deviation->energy, bounds->energy}};
    for (size_t i = 0; i < sizeof judged / sizeof *judged; ++i) {
        *value = judged[i].value;
        *bound = judged[i].bound;
        if (!(judged[i].value <= judged[i].bound))
            return judged[i].name;
    }
    return NULL;
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
    TRY(simulation_check_prescribed(a));
    TRY(simulation_step(a, &report_a));
    TRY(simulation_step(b, &report_b));
    deviation->iterations[0] = report_a.solver.iterations;
    deviation->iterations[1] = report_b.solver.iterations;
    return measure(comparison, deviation);
}
