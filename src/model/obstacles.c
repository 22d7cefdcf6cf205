#include "model/obstacles.h"
VelaResult obstacle_surface_load(VelaContext *context, const ObstacleDef *obstacle, Arena *arena,
                                 ObstacleSurface *surface)
{
    (void)obstacle, (void)arena;
    *surface = (ObstacleSurface){0};
    return context_fail(context, VELA_ERROR_INVALID_INPUT, "mesh obstacles are not in this version");
}
