/// Skins: surfaces that follow a solid or an affine body. A vertex is the sum of the corners of the tetrahedron it lies in, or is
/// nearest to, or of an affine body's control nodes, with the weights that give its place in the rest shape (theory.md
/// section 9): so whatever holds for vertices that are sums of nodes holds for it.
#ifndef MODEL_SKINS_H
#define MODEL_SKINS_H

#include "model/bodies.h"
#include "model/model.h"

/// Reads the body's skin, places it as the body is, and binds it; the body is loaded. Warns of vertices farther from the body
/// than a tenth of its size. VELA_ERROR_INVALID_INPUT for what is not a surface.
VelaResult skin_load(VelaContext *context, const BodyDef *def, Arena *arena, BodyMesh *loaded);
/// Fills in the triangles of the copies behind those of the body's own surface.
void model_add_skin(const BodyMesh *loaded, const ModelBody *body, Model *model);

#endif
