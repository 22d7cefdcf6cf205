/// The perspective camera: automatic framing and projection. Right-handed world, +Y up; Vulkan clip space (y down,
/// depth 0 to 1).
#ifndef RENDER_CAMERA_H
#define RENDER_CAMERA_H

#include <stdbool.h>

typedef struct RenderCamera {
    double eye[3], target[3]; ///< m
    double fov_degrees;       ///< vertical field of view, in (0, 180)
    double near, far;         ///< clip planes, m, 0 < near < far
} RenderCamera;

/// A three-quarter view from slightly above that keeps the box [min, max] (m) inside a margin of the image of the given
/// aspect ratio (width / height), with the box filling the tighter direction. A box without extent gets one of 1 m.
RenderCamera render_camera_frame(const double min[3], const double max[3], double aspect, double fov_degrees);
/// Sets near and far so that everything within `radius` of `center` is between them.
void render_camera_fit_depth(RenderCamera *camera, const double center[3], double radius);
/// Unit vectors to the right, upwards and forwards of the view.
void render_camera_axes(const RenderCamera *camera, double right[3], double up[3], double forward[3]);
/// Column-major world-to-clip matrix for positions relative to `origin`.
void render_camera_matrix(const RenderCamera *camera, double aspect, const double origin[3],
                          float matrix[16]);
/// Normalised device coordinates (x right, y down, both in [-1, 1] inside; depth in [0, 1]). False behind the eye.
bool render_camera_project(const RenderCamera *camera, double aspect, const double point[3], double ndc[3]);

#endif
