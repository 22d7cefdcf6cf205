/// Where the light stands, and the frusta of the shadow map and of the floor's contact image, fitted to each frame.
#ifndef RENDER_LIGHTING_H
#define RENDER_LIGHTING_H

#include "abi/render_layout.h"
#include "render/camera.h"
#include "render/surface.h"

#include <stdint.h>

typedef struct RenderScene RenderScene;
typedef struct RenderPlaneConstants RenderPlaneConstants;

/// The vertices that the light falls on: of the bodies, and behind them those of obstacles, which may be huge. Of these
/// only what is within `reach` (m) of the centre along each axis counts, so that shadows stay sharp.
typedef struct LightingVertices {
    const SurfaceVertex *vertices;
    int32_t count, body_count;
    double reach;
} LightingVertices;

/// Direction (unit, towards the light) of the key light: from the left behind the eye, 50 degrees high.
void lighting_direction(const RenderCamera *camera, double light[3]);
/// Light colours and direction. `linear` background colours are display-linear.
void lighting_set(RenderScene *scene, const double light[3], const double top[3], const double bottom[3]);
/// Fits the shadow map of `map_size` texels to the vertices. `reach` (m) is how far the light travels at most from a
/// body to what it shadows; `mean_edge` (m) sets how far bodies are lifted off their own shadow.
void lighting_fit_shadow(RenderScene *scene, const LightingVertices *lit, int32_t map_size, double reach,
                         double mean_edge);
/// Fits the contact image to the vertices near the floor. `point` is relative to the centre, `normal` of length 1,
/// `height` (m) how far up the floor is felt. Returns the reach of its blur in texels of RENDER_FILTER_SIZE; 0: nothing is near.
int32_t lighting_fit_floor(RenderScene *scene, const LightingVertices *lit, const double point[3],
                           const double normal[3], double height);
/// Height of the highest of the vertices over the plane through the centre with the unit vector `normal`, m; at least 0.
double lighting_highest(const LightingVertices *lit, const double normal[3]);
/// Two unit vectors that make a right-handed frame with the unit vector `normal`.
void lighting_tangents(const double normal[3], double u[3], double v[3]);

#endif
