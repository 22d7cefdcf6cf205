/// Which nodes of a body a selector means.
#ifndef SCENE_SELECT_H
#define SCENE_SELECT_H

#include "mesh/mesh.h"
#include "scene/scene.h"

/// Finds the selected nodes among the `node_count` nodes of one copy of a body. `positions` is node_count x
/// 3, world coordinates of the initial state (m), of copy 0; `groups` are the mesh's. Writes the indices
/// ascending, each once, to `*nodes` (owned by `arena`). Box and sphere include their boundary; `nearest`
/// takes the lowest index among equals. VELA_ERROR_INVALID_INPUT, naming select->path, for an empty
/// selection, an index beyond the mesh, an unknown group (with the nearest known name).
VelaResult select_nodes(VelaContext *context, const SelectDef *select, int32_t node_count,
                        const double *positions, int32_t group_count, const NodeGroup *groups, Arena *arena,
                        int32_t *count, int32_t **nodes);

#endif
