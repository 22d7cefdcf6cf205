/// Nodes held along one or two axes, or along three by different pins, and free along the others. They are free nodes: their unknowns
/// stay coordinates of the world, and what solvers make of the held components is left out by a projection, so that nothing else
/// knows of them. Q = sum of d d^T over the held directions d, P = 1 - Q.
#ifndef MODEL_PARTIAL_PINS_H
#define MODEL_PARTIAL_PINS_H

#include "base/matrix3.h"
#include "scene/scene.h"

typedef struct PartialPin {
    int32_t node;
    int32_t count;            ///< of directions, 1 to 3
    double directions[3][3];  ///< perpendicular to one another, unit
    const Motion *motions[3]; ///< of each; owned by the scene
    int32_t pins[3];          ///< of each: the body's pin that holds it
    double held[9];           ///< Q, symmetric
    double base[3];           ///< what the motions move, m
    double offset[3];         ///< of the array copy, m; copies move like copy 0, shifted
} PartialPin;

/// Q v.
static inline void partial_pin_held(const PartialPin *pin, const double v[3], double out[3])
{
    matrix3_apply(pin->held, v, out);
}

/// v = P v.
static inline void partial_pin_release(const PartialPin *pin, double v[3])
{
    double held[3];
    matrix3_apply(pin->held, v, held);
    subtract3(v, held, v);
}

/// v += Q (wanted - v): the held components become those of `wanted`.
static inline void partial_pin_set(const PartialPin *pin, const double wanted[3], double v[3])
{
    double way[3];
    subtract3(wanted, v, way);
    matrix3_apply(pin->held, way, way);
    add_scaled3(v, 1, way, v);
}

/// The pin holds one direction more, unit: what it holds already stays with the first. False where the direction is neither that of
/// one nor perpendicular to all that it holds.
bool partial_pin_add(PartialPin *partial, const double direction[3], const Motion *motion, int32_t pin);
/// Where the node's held components are at `time`, m; the others are those of the initial state.
void partial_pin_place(const PartialPin *pin, double time, double place[3]);

#endif
