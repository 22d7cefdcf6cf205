/// Whether something starts inside of something else, where no triangles intersect and contact would see nothing.
#ifndef SIM_ENCLOSURE_H
#define SIM_ENCLOSURE_H

#include "sim/intersections.h"
#include "sim/simulation.h"

/// Every piece of the surfaces of bodies and mesh obstacles, and the centre of every sphere, against every solid: array copies of
/// bodies, and obstacles, whose surface is closed. Obstacles may lie in one another. `set`: the bodies' surfaces as in the model,
/// then those of mesh obstacles with the owners -1, -2, ...; without intersections. VELA_ERROR_VERIFICATION with a message that names the first pair; VELA_ERROR_OUT_OF_MEMORY.
VelaResult enclosure_check(const Simulation *simulation, const TriangleSet *set);

#endif
