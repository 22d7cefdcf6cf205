/// Rayleigh's mass part of damping (physics/dissipation/damping.h): what holds nodes back by their masses.
#ifndef MODEL_MASS_DRAG_H
#define MODEL_MASS_DRAG_H

#include "model/model.h"

/// kg/s a node: the mass coefficients of the elements around it, by their volumes, times its mass; of entries on a
/// side. `drag`: node_count numbers, 0 before; `arena` is for what it works with. VELA_ERROR_OUT_OF_MEMORY.
VelaResult model_mass_drag(const Model *model, DampingSide side, Arena *arena, double *drag);

#endif
