#include "api/images.h"

#include "api/drawn_constraints.h"
#include "api/drawn_obstacles.h"
#include "api/rims.h"
#include "gpu/instance.h"
#include "output/run_folder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The guess is kept when everything stays inside this much of the image and the camera is not much too far away.
#define FRAME_LIMIT 0.98
#define DISTANCE_LIMIT 1.3

struct Images {
    VelaContext *context;
    Arena arena;
    const SceneDef *scene;
    const FrameTopology *of_frames, *topology; ///< as it is recorded, and with all that is drawn
    char folder[RUN_PATH_CAPACITY], output[RUN_PATH_CAPACITY];
    GpuInstance *instance;
    Renderer *renderer;
    RenderDef def;
    DrawnObstacles obstacles;
    DrawnConstraints constraints;
    bool recorded;                       ///< every frame is known: camera and range are final
    double motion_min[3], motion_max[3]; ///< of the frames seen so far
    double value_min, value_max;
    int64_t kept; ///< frames from before a resume: their images may be missing, or drawn with another camera
    int64_t frames, done;
};

// ---------------------------------------------------------------- the guess

static void widen(const double point[3], double min[3], double max[3])
{
    for (int k = 0; k < 3; ++k) {
        min[k] = fmin(min[k], point[k]);
        max[k] = fmax(max[k], point[k]);
    }
}

static void clear_bounds(double min[3], double max[3])
{
    for (int k = 0; k < 3; ++k) {
        min[k] = INFINITY;
        max[k] = -INFINITY;
    }
}

// Where bodies will be, roughly: where they start, where they fall onto a plane, where pins lead, where speed carries
// a body in flight.
static void guess_bounds(const Model *model, double min[3], double max[3])
{
    const SceneDef *scene = model->scene;
    const double flight = fmin(scene->duration, 1);
    clear_bounds(min, max);
    for (int32_t i = 0; i < model_surface_vertices(model); ++i) {
        double x[3], v[3], ahead[3];
        surface_map_vertex(&model->surface.map, i, model->initial_positions, x);
        surface_map_vertex(&model->surface.map, i, model->initial_velocities, v);
        widen(x, min, max);
        if (model_body_pin_count(model) > 0)
            continue;
        for (int k = 0; k < 3; ++k)
            ahead[k] = x[k] + 0.5 * flight * v[k];
        widen(ahead, min, max);
    }
    for (int32_t i = 0; i < scene->obstacle_count; ++i)
        if (scene->obstacles[i].kind == OBSTACLE_PLANE && scene->obstacles[i].normal[1] > 0.7 &&
            scene->gravity[1] < 0)
            min[1] = fmin(min[1], scene->obstacles[i].point[1]);
    for (int32_t p = 0; p < model_body_pin_count(model); ++p)
        for (int t = 0; t <= 8; ++t) {
            double place[3];
            const double *offset = model->pin_offsets + 3 * (size_t)p;
            motion_apply(model->pin_motions[p], scene->duration * t / 8, model->pin_bases + 3 * (size_t)p,
                         place);
            for (int k = 0; k < 3; ++k)
                place[k] += offset[k];
            widen(place, min, max);
        }
}

// The guess looks at cables' axes only.
static void widen_by_radius(const FrameTopology *topology, double min[3], double max[3])
{
    double radius = 0;
    for (int32_t i = 0; i < topology->cable_count; ++i)
        radius = fmax(radius, topology->cables[i].radius);
    for (int k = 0; k < 3; ++k) {
        min[k] -= radius;
        max[k] += radius;
    }
}

static double aspect_of(const RenderDef *def)
{
    return (double)def->width / def->height;
}

static double eye_distance(const RenderCamera *camera)
{
    return hypot(hypot(camera->eye[0] - camera->target[0], camera->eye[1] - camera->target[1]),
                 camera->eye[2] - camera->target[2]);
}

// What the camera should frame: the motion seen so far, and the obstacles about it.
static void motion_bounds(const Images *images, double min[3], double max[3])
{
    memcpy(min, images->motion_min, sizeof images->motion_min);
    memcpy(max, images->motion_max, sizeof images->motion_max);
    drawn_obstacles_widen(&images->obstacles, min, max);
}

// Whether images drawn with the guess will do for the motion there was.
static bool guess_was_good(const Images *images)
{
    const RenderDef *def = &images->def;
    if (images->scene->color_by != COLOR_BY_BODY && !images->scene->has_color_range &&
        (def->value_min != images->value_min || def->value_max != images->value_max))
        return false;
    if (def->has_camera)
        return true;
    const RenderCamera used =
        render_camera_frame(def->bounds_min, def->bounds_max, aspect_of(def), def->fov_degrees);
    double min[3], max[3];
    motion_bounds(images, min, max);
    const RenderCamera right = render_camera_frame(min, max, aspect_of(def), def->fov_degrees);
    if (eye_distance(&used) > DISTANCE_LIMIT * eye_distance(&right))
        return false;
    for (int corner = 0; corner < 8; ++corner) {
        double point[3], ndc[3];
        for (int k = 0; k < 3; ++k)
            point[k] = corner >> k & 1 ? max[k] : min[k];
        if (!render_camera_project(&used, aspect_of(def), point, ndc) || fabs(ndc[0]) > FRAME_LIMIT ||
            fabs(ndc[1]) > FRAME_LIMIT)
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- drawing

static VelaResult make_renderer(Images *images)
{
    renderer_destroy(images->renderer);
    images->renderer = NULL;
    return renderer_create(images->context, images->instance, images->topology, &images->def,
                           &images->renderer);
}

// What the values seen span, or what the scene says.
static void set_range(Images *images, double min, double max)
{
    if (images->scene->has_color_range) {
        images->def.value_min = images->scene->color_range[0];
        images->def.value_max = images->scene->color_range[1];
        return;
    }
    if (!(min <= max))
        min = max = 0; // nothing has a value
    images->def.value_min = min;
    images->def.value_max = max > min ? max : min + fmax(1e-6, 1e-6 * fabs(min));
}

static VelaResult draw(Images *images, const Frame *frame)
{
    char path[RUN_PATH_CAPACITY], name[32];
    snprintf(name, sizeof name, "%06lld.png", (long long)frame->index);
    TRY(run_path(images->context, images->output, name, path));
    TRY(drawn_obstacles_move(&images->obstacles, frame->time, images->renderer));
    TRY(renderer_draw(images->renderer, frame, path));
    ++images->done;
    return VELA_OK;
}

static void see(Images *images, const Frame *frame)
{
    render_bounds(images->topology, frame, images->motion_min, images->motion_max);
    if (images->scene->color_by != COLOR_BY_BODY)
        render_value_range(images->topology, frame, images->scene->color_by, &images->value_min,
                           &images->value_max);
    images->frames = frame->index + 1 > images->frames ? frame->index + 1 : images->frames;
}

// Reads frames first to last and calls `each` on them.
static VelaResult for_recorded(Images *images, int64_t first, int64_t last,
                               VelaResult (*each)(Images *images, const Frame *frame),
                               void (*progress)(void *user), void *user)
{
    Arena arena = arena_make(images->context);
    VelaResult result = VELA_OK;
    for (int64_t i = first; i <= last && result == VELA_OK; ++i) {
        Frame frame;
        result = frame_read(images->context, images->folder, i, images->of_frames, &arena, &frame);
        if (result == VELA_OK && images->scene->stress && !frame.stress)
            result = context_fail(images->context, VELA_ERROR_INVALID_INPUT,
                                  "%s: frame %lld holds no stress, expected a run with output.stress: true",
                                  images->folder, (long long)i);
        if (result == VELA_OK && images->scene->color_by == COLOR_BY_TENSION &&
            images->of_frames->segment_count > 0 && !frame.tension)
            result =
                context_fail(images->context, VELA_ERROR_INVALID_INPUT,
                             "%s: frame %lld holds no tension, expected a run of a version that records it",
                             images->folder, (long long)i);
        if (result == VELA_OK)
            result = each(images, drawn_constraints_frame(&images->constraints, &frame));
        arena_clear(&arena);
        if (progress)
            progress(user);
        if (result == VELA_OK && images->context->interrupted)
            result = context_fail(images->context, VELA_ERROR_INTERRUPTED,
                                  "interrupted while drawing image %lld", (long long)i);
    }
    return result;
}

static VelaResult see_recorded(Images *images, const Frame *frame)
{
    see(images, frame);
    return VELA_OK;
}

// Camera and range from the motion seen; then a renderer with them.
static VelaResult settle(Images *images)
{
    if (images->scene->color_by != COLOR_BY_BODY)
        set_range(images, images->value_min, images->value_max);
    images->def.has_bounds = true;
    motion_bounds(images, images->def.bounds_min, images->def.bounds_max);
    images->recorded = true;
    return make_renderer(images);
}

static VelaResult copy_folder(VelaContext *context, const char *folder, char copy[RUN_PATH_CAPACITY])
{
    const int length = snprintf(copy, RUN_PATH_CAPACITY, "%s", folder);
    FAIL_IF(context, length < 0 || length >= RUN_PATH_CAPACITY, VELA_ERROR_INVALID_INPUT,
            "%.200s…: the path has %d characters, expected fewer than %d", folder, length, RUN_PATH_CAPACITY);
    return VELA_OK;
}

// `surfaces`: of the mesh obstacles, NULL: not loaded yet.
static VelaResult create(VelaContext *context, const SceneDef *scene, const ObstacleSurface *surfaces,
                         const FrameTopology *topology, const char *folder, const char *output, Images **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    Images *images;
    TRY(ARENA_ARRAY(&arena, images, 1));
    *images = (Images){.context = context,
                       .arena = arena,
                       .scene = scene,
                       .of_frames = topology,
                       .def = render_default_def(),
                       .value_min = INFINITY,
                       .value_max = -INFINITY};
    clear_bounds(images->motion_min, images->motion_max);
    RenderDef *def = &images->def;
    def->width = scene->image_size[0];
    def->height = scene->image_size[1];
    def->color_by = scene->color_by;
    if (scene->has_camera) {
        def->has_camera = true;
        memcpy(def->eye, scene->eye, sizeof def->eye);
        memcpy(def->target, scene->target, sizeof def->target);
        def->fov_degrees = scene->fov_degrees;
    }
    const GpuInstanceDef instance_def = gpu_default_instance_def();
    VelaResult result;
    TRY_GOTO(result, copy_folder(context, folder, images->folder), failed);
    TRY_GOTO(result, copy_folder(context, output, images->output), failed);
    TRY_GOTO(result, rims_add(&images->arena, scene, topology, &images->topology), failed);
    TRY_GOTO(result, drawn_constraints_make(scene, images->topology, &images->arena, &images->constraints),
             failed);
    images->topology = images->constraints.topology;
    TRY_GOTO(result, drawn_obstacles_make(context, scene, surfaces, &images->arena, &images->obstacles),
             failed);
    drawn_obstacles_show(&images->obstacles, def);
    TRY_GOTO(result, gpu_instance_create(context, &instance_def, &images->instance), failed);
    *out = images;
    return VELA_OK;
failed:
    images_destroy(images);
    return result;
}

VelaResult images_create(VelaContext *context, const Model *model, const FrameTopology *topology,
                         const char *folder, Images **out)
{
    char output[RUN_PATH_CAPACITY];
    Images *images;
    TRY(run_path(context, folder, "images", output));
    VelaResult result =
        create(context, model->scene, model->obstacle_surfaces, topology, folder, output, &images);
    if (result == VELA_OK) {
        images->def.has_bounds = true;
        guess_bounds(model, images->def.bounds_min, images->def.bounds_max);
        widen_by_radius(images->topology, images->def.bounds_min, images->def.bounds_max);
        drawn_obstacles_widen(&images->obstacles, images->def.bounds_min, images->def.bounds_max);
        set_range(images, 0, 1);
        result = make_renderer(images);
        if (result != VELA_OK)
            images_destroy(images);
    }
    *out = result == VELA_OK ? images : NULL;
    if (result != VELA_ERROR_NO_DEVICE)
        return result;
    context_log(context, VELA_LOG_WARNING, "no images: %s", context->message);
    return VELA_OK;
}

VelaResult images_open(VelaContext *context, const SceneDef *scene, const FrameTopology *topology,
                       const char *folder, const char *output, int64_t frame_count, Images **out)
{
    Images *images;
    *out = NULL;
    TRY(create(context, scene, NULL, topology, folder, output, &images));
    VelaResult result = for_recorded(images, 0, frame_count - 1, see_recorded, NULL, NULL);
    if (result == VELA_OK)
        result = settle(images);
    if (result == VELA_OK)
        *out = images;
    else
        images_destroy(images);
    return result;
}

VelaResult images_draw(Images *images, int64_t first, int64_t last, void (*progress)(void *user), void *user)
{
    TRY(for_recorded(images, first, last, draw, progress, user));
    return renderer_finish(images->renderer);
}

VelaResult images_add(Images *images, const Frame *recorded)
{
    const Frame *frame = drawn_constraints_frame(&images->constraints, recorded);
    see(images, frame);
    if (images->scene->color_by != COLOR_BY_BODY && !images->recorded && frame->index == 0) {
        set_range(images, images->value_min, images->value_max);
        TRY(make_renderer(images));
    }
    return draw(images, frame);
}

VelaResult images_resume(Images *images, int64_t count)
{
    images->kept = count;
    return for_recorded(images, 0, count - 1, see_recorded, NULL, NULL);
}

VelaResult images_finish(Images *images, void (*progress)(void *user), void *user)
{
    TRY(renderer_finish(images->renderer));
    if (guess_was_good(images))
        return images->kept > 0 ? images_draw(images, 0, images->kept - 1, progress, user) : VELA_OK;
    context_log(
        images->context, VELA_LOG_INFO,
        "the motion went beyond the guess of the camera or of the colours' range: drawing the images again");
    TRY(settle(images));
    images->done = 0;
    return images_draw(images, 0, images->frames - 1, progress, user);
}

int64_t images_done(const Images *images)
{
    return images->done;
}

const char *images_device_name(const Images *images)
{
    return renderer_device_name(images->renderer);
}

void images_destroy(Images *images)
{
    if (!images)
        return;
    renderer_destroy(images->renderer);
    gpu_instance_destroy(images->instance);
    Arena arena = images->arena;
    arena_clear(&arena);
}
