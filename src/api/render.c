#include "vela/render.h"

#include "api/images.h"
#include "api/session.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/numeric_locale.h"
#include "render/render.h"
#include "scene/parse.h"

#include <math.h>
#include <string.h>

enum { RENDER_COOKIE = 0x72656e64 };

typedef struct RenderJob {
    VelaContext *context;
    const VelaRenderDef *def;
    VelaRenderSummary summary;
    Arena arena;
    SceneDef scene;
    FrameTopology topology;
    Images *images;
    int64_t count; ///< images asked for
} RenderJob;

VelaRenderDef vela_default_render_def(void)
{
    return (VelaRenderDef){.last_frame = -1, .cookie = RENDER_COOKIE};
}

static VelaResult check_def(VelaContext *context, const VelaRenderDef *def)
{
    FAIL_IF(context, def->cookie != RENDER_COOKIE, VELA_ERROR_INVALID_INPUT,
            "a VelaRenderDef that did not come from vela_default_render_def");
    FAIL_IF(context, !def->folder, VELA_ERROR_INVALID_INPUT, "no run folder was given");
    const bool default_size = def->width == 0 && def->height == 0;
    FAIL_IF(context,
            !default_size &&
                (def->width < 16 || def->height < 16 || def->width > 16384 || def->height > 16384),
            VELA_ERROR_INVALID_INPUT, "size: found %dx%d, expected 16 to 16384 pixels each", def->width,
            def->height);
    if (!def->has_camera)
        return VELA_OK;
    double apart = 0;
    for (int k = 0; k < 3; ++k)
        apart += fabs(def->eye[k] - def->target[k]);
    FAIL_IF(
        context, !(apart > 0) || !isfinite(apart) || !(def->fov_degrees >= 1 && def->fov_degrees <= 170),
        VELA_ERROR_INVALID_INPUT,
        "camera: expected an eye and a target that differ, and a field of view of 1 to 170 degrees, found %g",
        def->fov_degrees);
    return VELA_OK;
}

// The scene may give bodies another look than the one that was recorded with them.
static VelaResult apply_looks(RenderJob *job)
{
    FrameBody *bodies;
    const int32_t count = job->topology.body_count;
    FAIL_IF(job->context, count != job->scene.body_count, VELA_ERROR_INVALID_INPUT,
            "%s: its states have %d bodies, expected the %d of its scene.json", job->def->folder, count,
            job->scene.body_count);
    TRY(ARENA_ARRAY(&job->arena, bodies, count));
    for (int32_t b = 0; b < count; ++b) {
        bodies[b] = job->topology.bodies[b];
        memcpy(bodies[b].color, job->scene.bodies[b].look.color, sizeof bodies[b].color);
        bodies[b].roughness = job->scene.bodies[b].look.roughness;
    }
    job->topology.bodies = bodies;
    return VELA_OK;
}

static VelaResult read_folder(RenderJob *job, int64_t *frames)
{
    const VelaRenderDef *def = job->def;
    char path[RUN_PATH_CAPACITY];
    RunRecord record;
    TRY(run_record_read(job->context, def->folder, &job->arena, &record));
    TRY(run_path(job->context, def->folder, "scene.json", path));
    TRY(scene_read_recorded(job->context, path, def->override_count, def->overrides, &job->arena,
                            &job->scene));
    TRY(frame_read_topology(job->context, def->folder, &job->arena, &job->topology));
    TRY(apply_looks(job));
    TRY(frame_count(job->context, def->folder, frames));
    run_record_warn_missing(job->context, def->folder, &record, *frames);
    FAIL_IF(job->context, *frames == 0, VELA_ERROR_INVALID_INPUT, "%s: no frames to draw", def->folder);
    if (def->width > 0) {
        job->scene.image_size[0] = def->width;
        job->scene.image_size[1] = def->height;
    }
    if (def->has_camera) {
        job->scene.has_camera = true;
        memcpy(job->scene.eye, def->eye, sizeof def->eye);
        memcpy(job->scene.target, def->target, sizeof def->target);
        job->scene.fov_degrees = def->fov_degrees;
    }
    return VELA_OK;
}

static void image_done(void *user)
{
    RenderJob *job = user;
    ++job->summary.images;
    if (job->def->progress)
        job->def->progress(job->def->progress_user, job->summary.images, job->count);
}

static VelaResult render(RenderJob *job)
{
    const VelaRenderDef *def = job->def;
    VelaRenderSummary *summary = &job->summary;
    int64_t frames;
    TRY(read_folder(job, &frames));
    const int64_t last = def->last_frame >= 0 ? def->last_frame : frames - 1;
    FAIL_IF(job->context, def->first_frame < 0 || def->first_frame > last || last >= frames,
            VELA_ERROR_INVALID_INPUT, "frames: found %lld:%lld, expected a range within 0:%lld",
            (long long)def->first_frame, (long long)last, (long long)(frames - 1));
    job->count = last - def->first_frame + 1;
    const int length = def->output
                           ? snprintf(summary->output, sizeof summary->output, "%s", def->output)
                           : snprintf(summary->output, sizeof summary->output, "%s/images", def->folder);
    FAIL_IF(job->context, length < 1 || length >= (int)sizeof summary->output, VELA_ERROR_INVALID_INPUT,
            "-o: found a folder name of %d characters, expected 1 to %zu", length,
            sizeof summary->output - 1);
    if (def->output)
        TRY(output_folder_check(job->context, summary->output, NULL, ".png"));
    TRY(file_make_folder(job->context, summary->output));
    TRY(images_open(job->context, &job->scene, &job->topology, def->folder, summary->output, frames,
                    &job->images));
    snprintf(summary->device, sizeof summary->device, "%s", images_device_name(job->images));
    return images_draw(job->images, def->first_frame, last, image_done, job);
}

VelaResult vela_render(VelaContext *context, const VelaRenderDef *def, VelaRenderSummary *summary)
{
    const double start = clock_seconds();
    RenderJob job = {.context = context, .def = def, .arena = arena_make(context)};
    NumericLocale locale;
    VelaResult result = numeric_locale_enter(context, &locale);
    if (result == VELA_OK)
        result = check_def(context, def);
    if (result == VELA_OK)
        result = render(&job);
    images_destroy(job.images);
    arena_clear(&job.arena);
    numeric_locale_leave(&locale);
    job.summary.wall_seconds = clock_seconds() - start;
    if (summary)
        *summary = job.summary;
    return result;
}
