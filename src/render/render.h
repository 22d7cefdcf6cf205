/// Draws recorded frames to PNG files: headless Vulkan raster on any driver, software drivers included.
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include "gpu/instance.h"
#include "output/frame.h"
#include "render/camera.h"
#include "scene/scene.h"

/// A plane that bodies rest on or bounce off; receives shadows.
typedef struct RenderPlane {
    double point[3];  ///< m
    double normal[3]; ///< of any length but 0; towards the side of the bodies
    double color[3];  ///< sRGB-encoded, in [0,1]
    double roughness; ///< in [0,1]
} RenderPlane;

typedef struct RenderDef {
    int32_t width, height;               ///< pixels, 16 to 16384 each; default 1280 x 720
    bool has_camera;                     ///< default false: the camera frames the bounds
    double eye[3], target[3];            ///< m
    double fov_degrees;                  ///< vertical, in [1, 170], default 36; of both kinds of camera
    bool has_bounds;                     ///< default false: the bounds are those of the rest positions
    double bounds_min[3], bounds_max[3]; ///< m, of the whole motion: what the default camera keeps in view
    ColorBy color_by;                    ///< default COLOR_BY_BODY
    double value_min, value_max; ///< range of the colour map, see render_value_range; not for COLOR_BY_BODY
    bool legend;                 ///< default true: the map and its range in a corner
    double background_top[3], background_bottom[3]; ///< sRGB-encoded, in [0,1]; default a light grey-blue
    int32_t plane_count;
    const RenderPlane *planes; ///< plane_count, copied
    /// Rigid surfaces beside the bodies, each a body of its own, without tets; NULL: none. They keep their colour whatever
    /// color_by says, and the default camera does not look at them. Must outlive the renderer.
    const FrameTopology *obstacles;
    int32_t device;  ///< default -1: the best that can draw, real GPUs first; else an index of the instance
    uint32_t cookie; ///< set by render_default_def
} RenderDef;

/// Opaque; one per image size and topology. Draws on its own Vulkan device, encodes in its own thread.
typedef struct Renderer Renderer;

RenderDef render_default_def(void);
/// Light grey, for obstacles whose look the user left open.
RenderPlane render_default_plane(void);

/// Widens min and max (start with max < min) by what color_by shows of a frame. For fixing the range over a motion.
void render_value_range(const FrameTopology *topology, const Frame *frame, ColorBy color_by, double *min,
                        double *max);
/// Widens min and max (start with max < min in each coordinate) by the frame's surface and tubes.
void render_bounds(const FrameTopology *topology, const Frame *frame, double min[3], double max[3]);

/// `topology` and `instance` must outlive the renderer. VELA_ERROR_NO_DEVICE where no Vulkan device can draw (the
/// message names the packages), VELA_ERROR_INVALID_INPUT for a def that makes no sense, VELA_ERROR_OUT_OF_MEMORY.
VelaResult renderer_create(VelaContext *context, GpuInstance *instance, const FrameTopology *topology,
                           const RenderDef *def, Renderer **renderer);
/// Moves a plane of the def, from the next frame on.
VelaResult renderer_move_plane(Renderer *renderer, int32_t plane, const double point[3],
                               const double normal[3]);
/// Moves the nodes of the def's obstacles (as many x 3, m), from the next frame on; until then they are at their rest
/// positions. VELA_ERROR_INVALID_INPUT for a position that is not finite.
VelaResult renderer_move_obstacles(Renderer *renderer, const double *positions);
/// Starts drawing a frame; `frame` may be changed when the call returns. The file appears, whole, some time after the
/// next call or renderer_finish: two images are on their way at most (finish before a checkpoint that counts on them).
/// An error of an earlier image comes back here.
VelaResult renderer_draw(Renderer *renderer, const Frame *frame, const char *png_path);
/// Waits until every image is on disk.
VelaResult renderer_finish(Renderer *renderer);
/// Name of the device it draws on.
const char *renderer_device_name(const Renderer *renderer);
/// Waits, and frees everything. NULL is allowed.
void renderer_destroy(Renderer *renderer);

#endif
