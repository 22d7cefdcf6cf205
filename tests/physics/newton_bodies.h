/// The bodies that Newton's method is tested on.
#ifndef TESTS_NEWTON_BODIES_H
#define TESTS_NEWTON_BODIES_H

#include "reference_elements.h"

enum { SITUATION_FREE, SITUATION_PINNED, SITUATION_TILTED_PLANE, SITUATION_TWO_PLANES, SITUATION_COUNT };

/// Four situations: a free body in flight, pinned nodes that move, one tilted plane, two that are not perpendicular.
static const char *const situations[SITUATION_COUNT][3] = {
    {"free", "", ""},
    {"pinned",
     ", \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}, \"motion\": [{\"time\": 0}, "
     "{\"time\": 1, "
     "\"translate\": [-1, 2, 0.5], \"rotate\": {\"axis\": [1, 0, 0], \"degrees\": 200, \"about\": [0, 0, "
     "0]}}]}]",
     ""},
    {"tilted plane", "",
     ", \"obstacles\": [{\"name\": \"wall\", \"plane\": {\"point\": [0, -0.215, 0], \"normal\": [0.5, 1, "
     "-0.3]}}]"},
    {"two planes", "",
     ", \"obstacles\": [{\"name\": \"a\", \"plane\": {\"point\": [0, -0.215, 0], \"normal\": [0.5, 1, "
     "-0.3]}},"
     " {\"name\": \"b\", \"plane\": {\"point\": [-0.24, 0, 0], \"normal\": [1, 0.4, 0.2]}, \"motion\": "
     "[{\"time\": 0}, "
     "{\"time\": 1, \"translate\": [0.5, 0, 0]}]}]"},
};

/// A small body of that energy model in that situation, 0.49 m across, with `solver` in braces.
static inline void make_body(Simulation *simulation, int model, int situation, const char *solver)
{
    simulation_make(
        threads_context(1), simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"gravity\": [1, -9.81, 2],"
        " \"solver\": {%s},"
        " \"materials\": {\"m\": {\"model\": \"%s\", \"density\": 1000, %s}},"
        " \"bodies\": [{\"name\": \"b\", \"type\": \"solid\", \"geometry\": {\"box\": {\"size\": [0.4, 0.2, "
        "0.2], "
        "\"cells\": [2, 2, 1]}}, \"material\": \"m\", \"velocity\": [0.2, -1.5, 0.1], \"angular_velocity\": "
        "[9, 4, "
        "-6]%s}], \"contact\": {\"model\": \"penalty\", \"stiffness\": 3000}%s}",
        solver, model_name(model), stiffness_text(model, 8e3, 2e4), situations[situation][1],
        situations[situation][2]);
}

/// Objective of the stage argmin 1/(2 a^2) |x - target|_M^2 + Phi(x), planes as they stand at `time`, and its gradient, 0
/// at fixed nodes.
static inline double objective(const Model *model, double time, double a, const double *target,
                               const double *x, double *gradient)
{
    double value = reference_potential(model, time, x, gradient);
    for (int i = 0; i < 3 * model->node_count; ++i) {
        if (!model->node_is_free[i / 3]) {
            gradient[i] = 0;
            continue;
        }
        const double distance = x[i] - target[i], weight = model->masses[i / 3] / (a * a);
        value += 0.5 * weight * distance * distance;
        gradient[i] += weight * distance;
    }
    return value;
}

#endif
