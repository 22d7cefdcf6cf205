/// Second half of building a model: the fixed lists that devices gather over.
#ifndef MODEL_LISTS_H
#define MODEL_LISTS_H

#include "model/model.h"

/// Numbers of elements and corners, the corners at each node, and the node graph with its diagonal, both in compressed rows.
VelaResult model_build_lists(VelaContext *context, Arena *arena, Model *model);
/// The nodes of the surface triangles, ascending.
VelaResult model_build_surface_nodes(VelaContext *context, Arena *arena, Model *model);

#endif
