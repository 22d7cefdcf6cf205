/// What is drawn of a shell's thickness: tubes as thick along its border.
#ifndef API_RIMS_H
#define API_RIMS_H

#include "output/frame.h"
#include "scene/scene.h"

/// The topology with a cable of half the thickness along every border of the shells, for drawing. It has parts of `topology`, and the
/// rest is owned by `arena`; itself, where there are no borders.
VelaResult rims_add(Arena *arena, const SceneDef *scene, const FrameTopology *topology,
                    const FrameTopology **with_rims);

#endif
