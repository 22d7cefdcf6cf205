/// The images of a run. They are drawn while the simulation goes on, with a camera (and a range of the colour map)
/// that is guessed from the scene; once the whole motion is known, they are drawn again from the recorded frames if the
/// guess does not frame it.
#ifndef API_IMAGES_H
#define API_IMAGES_H

#include "model/model.h"
#include "output/frame.h"

typedef struct Images Images;

/// `*images` stays NULL, with a warning in the log, where there is no Vulkan driver. The folder must stay where it is.
VelaResult images_create(VelaContext *context, const Model *model, const FrameTopology *topology,
                         const char *folder, Images **images);
/// Starts drawing a frame that has just been recorded.
VelaResult images_add(Images *images, const Frame *frame);
/// After a resume: the first `count` frames are on disk. Their images, some of which may be missing, are drawn by
/// images_finish, so that the simulation goes on at once.
VelaResult images_resume(Images *images, int64_t count);
/// Images of a run folder's frames, all of which are there: camera and range are those of the whole motion. The folder
/// `output` must exist. VELA_ERROR_NO_DEVICE without a Vulkan driver.
VelaResult images_open(VelaContext *context, const SceneDef *scene, const FrameTopology *topology,
                       const char *folder, const char *output, int64_t frame_count, Images **images);
/// Draws frames first to last; `progress` is called after each.
VelaResult images_draw(Images *images, int64_t first, int64_t last, void (*progress)(void *user), void *user);
/// Waits for all images, and draws them again if need be; `progress` is called after each of those.
VelaResult images_finish(Images *images, void (*progress)(void *user), void *user);
/// Images that have been asked for; all of them are on disk after images_finish.
int64_t images_done(const Images *images);
const char *images_device_name(const Images *images);
void images_destroy(Images *images);

#endif
