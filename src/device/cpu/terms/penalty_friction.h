/// Friction of penalty contact on the CPU path (theory.md sections 7 and 8). For Newton's method it is lagged and smooth, as the barrier's is:
/// normal forces and tangent planes are those where the stage begins. ADMM finds the force by its prox (penalty_split.h) and
/// leaves it here. Both are relative to the motion of the obstacle's surface.
#ifndef DEVICE_CPU_TERMS_PENALTY_FRICTION_H
#define DEVICE_CPU_TERMS_PENALTY_FRICTION_H

#include "device/cpu/cpu_device.h"
#include "physics/contact/friction.h"

/// A vertex that rubs on an obstacle.
typedef struct PenaltyContact {
    FrictionContact friction; ///< its first vertex, with weight 1; the drift is that of the whole obstacle
    int32_t obstacle;
    double pull[3]; ///< after ADMM: minus the force of friction on the vertex, N
} PenaltyContact;

typedef struct PenaltyFriction {
    double *coefficients;   ///< penalty_count x body_count
    int32_t *vertex_bodies; ///< of every vertex of bodies' surfaces
    PenaltyShape *lagged;   ///< where obstacles stand when the stage begins
    PenaltyShape *before;   ///< where they stand at the start of the slip
    double (*drifts)
        [3]; ///< minus how far the surface of an obstacle moves under a vertex, obstacle by obstacle, m
    PenaltyContact *contacts; ///< room for every vertex and obstacle
    int32_t contact_count;
    bool solved; ///< the contacts have ADMM's pulls
    double slip_time;
    FrictionLaw law;
} PenaltyFriction;

/// Nothing where nothing rubs (device->rubbing stays NULL).
VelaResult penalty_friction_create(CpuDevice *device, Arena *arena);
/// Bytes of that.
size_t penalty_friction_memory(const Model *model);

/// A stage begins: drifts, and what rubs at SLOT_STAGE with the forces there.
void penalty_friction_begin(CpuDevice *device);
/// Of the vertex against the obstacle; 0: they do not rub.
double penalty_friction_coefficient(const CpuDevice *device, int32_t obstacle, int32_t vertex);
/// The drift of the stage, m.
const double *penalty_friction_drift(const CpuDevice *device, int32_t obstacle, int32_t vertex);
/// ADMM is done: the contacts are those that penalty_friction_note tells from now on.
void penalty_friction_clear(CpuDevice *device);
void penalty_friction_note(CpuDevice *device, int32_t obstacle, int32_t vertex, const double pull[3]);

/// Gradient of the friction potential at SLOT_STAGE, N, added; node_count x 3.
void penalty_friction_gradient(CpuDevice *device, double *gradient);
/// What friction takes over the motion from x0 to x1 within `duration`, s, added.
void penalty_friction_loss(CpuDevice *device, const double *x0, const double *x1, double duration,
                           DissipationLoss *loss);
/// Newton's gradient and matrix at SLOT_STAGE.
void penalty_friction_linearize(CpuDevice *device);
void penalty_friction_try(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums);
/// Minus the forces of friction on the vertices, N: penalty_count x vertices x 3 (device_penalty_friction).
VelaResult cpu_penalty_friction(Device *base, double *pulls);

#endif
