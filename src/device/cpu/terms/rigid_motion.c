#include "device/cpu/terms/rigid_motion.h"

#include "base/matrix3.h"
#include "base/symmetric_eigen.h"

#include <math.h>
#include <string.h>

/// Axes that the body's inertia about is less than this part of the largest one has no motion of its own about: all of it lies on them.
static const double NO_INERTIA = 1e-12;

typedef struct Inertia {
    double mass, center[3];
    double axes[9], moments[3]; ///< principal, about the rows of `axes`
} Inertia;

static void find_inertia(const Model *model, RigidPart part, const double *x, Inertia *inertia)
{
    const int32_t end = part.first_node + part.node_count;
    double tensor[9] = {0};
    *inertia = (Inertia){0};
    for (int32_t i = part.first_node; i < end; ++i) {
        inertia->mass += model->masses[i];
        add_scaled3(inertia->center, model->masses[i], x + 3 * (size_t)i, inertia->center);
    }
    for (int k = 0; k < 3; ++k)
        inertia->center[k] /= inertia->mass;
    for (int32_t i = part.first_node; i < end; ++i) {
        double r[3];
        subtract3(x + 3 * (size_t)i, inertia->center, r);
        const double square = dot3(r, r);
        for (int k = 0; k < 9; ++k)
            tensor[k] += model->masses[i] * ((k % 4 == 0 ? square : 0) - r[k / 3] * r[k % 3]);
    }
    symmetric_eigen(3, tensor, inertia->moments, inertia->axes);
}

// The tensor's inverse times a vector, where there is one.
static void turn_of(const Inertia *inertia, const double moment[3], double turn[3])
{
    const double *m = inertia->moments, largest = fmax(m[0], fmax(m[1], m[2]));
    memset(turn, 0, 3 * sizeof *turn);
    for (int k = 0; k < 3; ++k) {
        const double *axis = inertia->axes + 3 * k;
        if (m[k] > NO_INERTIA * largest)
            add_scaled3(turn, dot3(axis, moment) / m[k], axis, turn);
    }
}

// Sum and moment of values at the nodes, each times its node's mass if asked for; the motion that has them.
static void motion_with(const Model *model, RigidPart part, const Inertia *inertia, const double *x,
                        const double *values, bool by_mass, double linear[3], double turn[3])
{
    double moment[3] = {0};
    memset(linear, 0, 3 * sizeof *linear);
    for (int32_t i = part.first_node; i < part.first_node + part.node_count; ++i) {
        const double weight = by_mass ? model->masses[i] : 1;
        double r[3], about[3];
        subtract3(x + 3 * (size_t)i, inertia->center, r);
        cross3(r, values + 3 * (size_t)i, about);
        add_scaled3(linear, weight / inertia->mass, values + 3 * (size_t)i, linear);
        add_scaled3(moment, weight, about, moment);
    }
    turn_of(inertia, moment, turn);
}

static void remove_motion(const Model *model, const RigidParts *parts, const double *x, bool of_forces,
                          double *values)
{
    for (int32_t p = 0; p < parts->count; ++p) {
        const RigidPart part = parts->parts[p];
        Inertia inertia;
        double linear[3], turn[3];
        find_inertia(model, part, x, &inertia);
        motion_with(model, part, &inertia, x, values, !of_forces, linear, turn);
        for (int32_t i = part.first_node; i < part.first_node + part.node_count; ++i) {
            const double weight = of_forces ? model->masses[i] : 1;
            double r[3], along[3], *value = values + 3 * (size_t)i;
            subtract3(x + 3 * (size_t)i, inertia.center, r);
            cross3(turn, r, along);
            add_scaled3(value, -weight, linear, value);
            add_scaled3(value, -weight, along, value);
        }
    }
}

void rigid_motion_remove(const Model *model, const RigidParts *parts, const double *x, double *v)
{
    remove_motion(model, parts, x, false, v);
}

void rigid_force_remove(const Model *model, const RigidParts *parts, const double *x, double *f)
{
    remove_motion(model, parts, x, true, f);
}

void rigid_motion_fill(const Model *model, const RigidParts *parts, const double *x, int k, double *motion)
{
    memset(motion, 0, 3 * (size_t)model->node_count * sizeof *motion);
    for (int32_t p = 0; p < parts->count; ++p) {
        const RigidPart part = parts->parts[p];
        Inertia inertia;
        find_inertia(model, part, x, &inertia);
        const double *m = inertia.moments, *axis = inertia.axes + 3 * (k % 3),
                     largest = fmax(m[0], fmax(m[1], m[2]));
        for (int32_t i = part.first_node; i < part.first_node + part.node_count; ++i) {
            double r[3], *own = motion + 3 * (size_t)i;
            if (k >= 3) {
                own[k - 3] = 1 / sqrt(inertia.mass);
                continue;
            }
            if (!(m[k] > NO_INERTIA * largest))
                continue;
            subtract3(x + 3 * (size_t)i, inertia.center, r);
            cross3(axis, r, own);
            for (int j = 0; j < 3; ++j)
                own[j] /= sqrt(m[k]);
        }
    }
}
