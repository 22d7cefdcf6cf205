/// What collides, from the bodies of a model and the obstacles of its scene (model/contact.h).
#ifndef MODEL_CONTACT_BUILD_H
#define MODEL_CONTACT_BUILD_H

#include "model/model.h"

/// Loads the surfaces of mesh obstacles into `surfaces`, one an obstacle. `node_count`: nodes that the obstacles need; 0
/// unless contact is barrier.
VelaResult model_load_obstacles(VelaContext *context, const SceneDef *scene, Arena *arena,
                                ObstacleSurface **surfaces, int32_t *node_count);
/// Nodes that an obstacle needs: a plane two, a sphere one, a mesh its vertices.
int32_t model_obstacle_nodes(const ObstacleDef *obstacle, const ObstacleSurface *surface);
/// Appends the obstacles' nodes, pinned to their motion at time 0, behind the bodies'.
void model_append_obstacles(const SceneDef *scene, const ObstacleSurface *surfaces, Model *model);
/// Owners, edges, areas and friction of everything that collides; nothing unless contact is barrier. The surfaces are there
/// already.
VelaResult model_build_contact(VelaContext *context, Arena *arena, const ObstacleSurface *surfaces,
                               Model *model);

#endif
