/// How large a scene will be, before anything of that size is allocated.
#ifndef MODEL_PLAN_H
#define MODEL_PLAN_H

#include "scene/scene.h"

/// Tetrahedra of a body's built-in shape, all array copies, to within the shape's own rounding of its cells; 0 for a
/// mesh file, whose own size bounds it.
double plan_tets(const BodyDef *body);
/// VELA_ERROR_INVALID_INPUT where `tets` tetrahedra need more memory than the machine has.
VelaResult plan_check_memory(VelaContext *context, const SceneDef *scene, double tets);

#endif
