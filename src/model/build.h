/// From a scene's definition to its model.
#ifndef MODEL_BUILD_H
#define MODEL_BUILD_H

#include "model/model.h"

/// Reads the meshes and builds everything. Messages name the body and the file. VELA_ERROR_INVALID_INPUT (a
/// mesh or a selection is wrong), VELA_ERROR_OUT_OF_MEMORY, VELA_ERROR_IO.
VelaResult model_build(VelaContext *context, const SceneDef *scene, Arena *arena, Model *model);

#endif
