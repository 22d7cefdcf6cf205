/// The surfaces of a model's bodies and obstacles as vertices and triangles.
#ifndef MODEL_SURFACE_BUILD_H
#define MODEL_SURFACE_BUILD_H

#include "model/model.h"

/// The bodies' vertices that have triangles, in order; mesh vertices, a sphere's centre, a plane's two points of the obstacles.
/// `surfaces`: one for each obstacle of the scene. The obstacles' nodes are there already.
VelaResult model_build_surface(VelaContext *context, Arena *arena, const ObstacleSurface *surfaces,
                               Model *model);

#endif
