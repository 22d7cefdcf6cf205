/// Parts of a scene's resolved text that have files of their own.
#ifndef SCENE_WRITE_PARTS_H
#define SCENE_WRITE_PARTS_H

#include "scene/scene.h"
#include "scene/writer.h"

void write_motion(Writer *w, const Motion *motion);
/// Nothing where there are none.
void write_constraints(Writer *w, const SceneDef *scene);

#endif
