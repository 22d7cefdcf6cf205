/// Images from a run folder, without simulating.
#ifndef VELA_RENDER_H
#define VELA_RENDER_H

#include "vela/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Called after each image, on the thread that called vela_render: `done` of `count` images are on disk.
typedef void (*VelaRenderFunction)(void *user, int64_t done, int64_t count);

/// All strings are borrowed: they must live until vela_render returns.
typedef struct VelaRenderDef {
    const char *folder;              ///< the run folder; required
    const char *output;              ///< folder for the images; default NULL: "<folder>/images"
    int64_t first_frame, last_frame; ///< both included; default 0 and -1: the last frame there is
    int32_t width, height;           ///< pixels, 16 to 16384; default 0: the scene's
    bool has_camera;                 ///< use eye, target, fov_degrees; default false: the scene's camera
    double eye[3], target[3];        ///< m, world coordinates; must differ
    double fov_degrees;              ///< vertical field of view, 1 to 170 degrees
    int32_t override_count;          ///< default 0
    const char *const
        *overrides; ///< override_count texts "path.to.key=value", in order, of what is drawn: under `render`,
                    ///< and the `look` of bodies and obstacles; default NULL. size and camera above win
    VelaRenderFunction progress; ///< default NULL
    void *progress_user;         ///< passed to `progress`; owned by the caller
    uint32_t cookie;             ///< set by vela_default_render_def; do not touch
} VelaRenderDef;

typedef struct VelaRenderSummary {
    char output[1024];   ///< the folder written to
    char device[256];    ///< the Vulkan device that drew
    int64_t images;      ///< written by this call
    double wall_seconds; ///< s
} VelaRenderSummary;

VelaRenderDef vela_default_render_def(void);

/// Renders frames of a run folder. VELA_ERROR_INVALID_INPUT (folder, frames, size, camera, overrides),
/// VELA_ERROR_NO_DEVICE without a Vulkan driver (the message names the package to install),
/// VELA_ERROR_DEVICE, VELA_ERROR_IO, VELA_ERROR_OUT_OF_MEMORY, VELA_ERROR_INTERRUPTED. `summary` may be NULL.
VelaResult vela_render(VelaContext *context, const VelaRenderDef *def, VelaRenderSummary *summary);

#ifdef __cplusplus
}
#endif
#endif
