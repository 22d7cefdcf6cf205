/// Reactions: the forces that pins and obstacles exert on the bodies, and their moments about the origin.
#ifndef SIM_REACTIONS_H
#define SIM_REACTIONS_H

#include "sim/simulation.h"

typedef struct Reaction {
    double force[3];  ///< N
    double moment[3]; ///< N m, about the origin
} Reaction;
_Static_assert(sizeof(Reaction) == 6 * sizeof(double), "rows of six numbers");

/// Those of a scene: one for each pin of every body, all of its copies together, then one for each obstacle that acts.
typedef struct Reactions {
    int32_t pin_count, obstacle_count;
    int32_t *first_pins; ///< of every body; body_count + 1
    Reaction *values;    ///< pin_count + obstacle_count
    double power; ///< W: forces times the velocities of the motions, without what moves the prescribed masses
    double kinetic;                             ///< of these, J, as a state's kinetic energy counts it
    double *forces, *positions, *accelerations; ///< node_count x 3
    double *places[3];                          ///< of what is prescribed, at three times
    double *velocities;                         ///< of what is prescribed, m/s; model_prescribed_count x 3
} Reactions;

/// Owned by the arena. pin_count + obstacle_count may be 0.
VelaResult reactions_create(const Model *model, Arena *arena, Reactions *reactions);
/// "bodies[0].pins[1]" or "obstacles[2]".
void reactions_name(const Reactions *reactions, int32_t index, char *name, size_t size);
/// Values at the simulation's state: what holds prescribed components on their way, inertia included, against all forces there.
/// `after_step`: with the friction of the step's last stage. Overwrites SLOT_TARGET.
VelaResult reactions_find(Simulation *simulation, bool after_step, Reactions *reactions);

#endif
