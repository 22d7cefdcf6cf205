#include "api/images.h"

VelaResult images_create(VelaContext *context, const Model *model, const FrameTopology *topology,
                         const char *folder, Images **images)
{
    (void)model, (void)topology, (void)folder;
    *images = NULL;
    context_log(context, VELA_LOG_WARNING, "no images: this build has no renderer yet");
    return VELA_OK;
}
VelaResult images_add(Images *images, const Frame *frame)
{
    (void)images, (void)frame;
    return VELA_OK;
}
VelaResult images_resume(Images *images, int64_t count)
{
    (void)images, (void)count;
    return VELA_OK;
}
VelaResult images_finish(Images *images, void (*progress)(void *user), void *user)
{
    (void)images, (void)progress, (void)user;
    return VELA_OK;
}
int64_t images_done(const Images *images)
{
    (void)images;
    return 0;
}
const char *images_device_name(const Images *images)
{
    (void)images;
    return NULL;
}
void images_destroy(Images *images)
{
    (void)images;
}
