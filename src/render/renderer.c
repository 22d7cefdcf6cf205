#include "render/render.h"

#include "base/matrix3.h"
#include "base/png.h"
#include "gpu/memory.h"
#include "gpu/open.h"
#include "render/color.h"
#include "render/lighting.h"
#include "render/passes.h"
#include "render/surface.h"
#include "render/tube.h"
#include "render/writer.h"

enum { RENDER_COOKIE = 0x72646566, SOFTWARE_SHADOW_SIZE = 1024, GPU_SHADOW_SIZE = 2048 };
static const double CREASE_DEGREES = 40;
static const double LIT_REACH = 1.5; // share of the radius of the bounds up to which obstacles cast shadows

// Buffers of the pool: those of each slot follow the shared ones.
enum { BUFFER_INDICES, BUFFER_BODIES, BUFFER_MAP, BUFFER_SHARED };
enum { SLOT_SCENE, SLOT_VERTICES, SLOT_PIXELS, SLOT_BUFFERS };

struct Renderer {
    VelaContext *context;
    const FrameTopology *topology;
    RenderDef def;
    RenderPlane planes[PASSES_MAX_PLANES]; // normals of length 1, colours display-linear
    RenderPlaneConstants
        constants[PASSES_MAX_PLANES]; // of the frame at hand, from the farthest to the nearest
    Arena arena;
    RenderSurface surface, obstacles;
    RenderTubes tubes;
    LightingVertices lit;
    SurfaceVertex *vertices; // host copy: of bodies' surfaces, of tubes, then of obstacles
    double far_bodies;       // the far plane without obstacles, m
    RenderCamera camera;
    double center[3], radius; // m, of the bounds
    RenderScene scene;        // what does not change from frame to frame is set
    GpuDevice *device;
    GpuPool *pool;
    Passes passes;
    GpuCommands *commands[PASSES_SLOTS];
    Writer *writer;
    int64_t drawn;
    char *pending_path; // of the frame that is being drawn, NULL: none
    int32_t pending_slot;
};

RenderDef render_default_def(void)
{
    return (RenderDef){
        .width = 1280,
        .height = 720,
        .fov_degrees = 36,
        .legend = true,
        .background_top = {0.925, 0.938, 0.955},
        .background_bottom = {0.835, 0.855, 0.885},
        .device = -1,
        .cookie = RENDER_COOKIE,
    };
}

RenderPlane render_default_plane(void)
{
    return (RenderPlane){.normal = {0, 1, 0}, .color = {0.87, 0.88, 0.895}, .roughness = 0.75};
}

void render_bounds(const FrameTopology *topology, const Frame *frame, double min[3], double max[3])
{
    for (int32_t i = 0; i < 3 * topology->triangle_count; ++i) {
        const double *position = frame->positions + 3 * (size_t)topology->triangles[i];
        for (int c = 0; c < 3; ++c) {
            min[c] = fmin(min[c], position[c]);
            max[c] = fmax(max[c], position[c]);
        }
    }
    for (int32_t i = 0; i < topology->cable_count; ++i) {
        const FrameCable *cable = &topology->cables[i];
        for (int32_t s = 2 * cable->first_segment; s < 2 * (cable->first_segment + cable->segment_count);
             ++s) {
            const double *position = frame->positions + 3 * (size_t)topology->segments[s];
            for (int c = 0; c < 3; ++c) {
                min[c] = fmin(min[c], position[c] - cable->radius);
                max[c] = fmax(max[c], position[c] + cable->radius);
            }
        }
    }
}

// What color_by shows of an element and one of its vertices.
static double value_of(const Frame *frame, ColorBy color_by, int32_t element, int32_t vertex)
{
    return color_by == COLOR_BY_SPEED ? norm3(frame->velocities + 3 * (size_t)vertex)
                                      : render_element_value(frame, color_by, element);
}

void render_value_range(const FrameTopology *topology, const Frame *frame, ColorBy color_by, double *min,
                        double *max)
{
    if (color_by == COLOR_BY_BODY)
        return;
    for (int32_t i = 0; i < 3 * topology->triangle_count; ++i) {
        const double value =
            value_of(frame, color_by, topology->triangle_elements[i / 3], topology->triangles[i]);
        *min = fmin(*min, value);
        *max = fmax(*max, value);
    }
    for (int32_t c = 0; c < topology->cable_count; ++c) {
        const FrameCable *cable = &topology->cables[c];
        if (cable->body >= topology->body_count - topology->plain_count)
            continue;
        const int32_t first = 2 * cable->first_segment, end = first + 2 * cable->segment_count;
        for (int32_t i = first; i < end; ++i) {
            const double value =
                value_of(frame, color_by, topology->segment_elements[i / 2], topology->segments[i]);
            *min = fmin(*min, value);
            *max = fmax(*max, value);
        }
    }
}

static bool all_finite(const double *values, int count)
{
    for (int i = 0; i < count; ++i)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static VelaResult def_check(VelaContext *context, const RenderDef *def)
{
    FAIL_IF(context, def->cookie != RENDER_COOKIE, VELA_ERROR_INVALID_INPUT,
            "the render definition did not come from render_default_def");
    FAIL_IF(context, def->width < 16 || def->width > 16384 || def->height < 16 || def->height > 16384,
            VELA_ERROR_INVALID_INPUT, "images of %d x %d pixels, expected 16 to 16384 each way", def->width,
            def->height);
    FAIL_IF(context, !png_can_hold(def->width, def->height, 3), VELA_ERROR_INVALID_INPUT,
            "images of %d x %d pixels, expected at most %d million in all", def->width, def->height,
            PNG_LARGEST / 3 / 1000000);
    FAIL_IF(context, !(def->fov_degrees >= 1 && def->fov_degrees <= 170), VELA_ERROR_INVALID_INPUT,
            "a field of view of %g degrees, expected 1 to 170", def->fov_degrees);
    if (def->has_camera) {
        double view[3];
        subtract3(def->target, def->eye, view);
        FAIL_IF(context, !all_finite(view, 3) || norm3(view) == 0, VELA_ERROR_INVALID_INPUT,
                "a camera at (%g, %g, %g) that looks at (%g, %g, %g), expected two different points",
                def->eye[0], def->eye[1], def->eye[2], def->target[0], def->target[1], def->target[2]);
    }
    if (def->has_bounds)
        for (int i = 0; i < 3; ++i)
            FAIL_IF(context,
                    !(def->bounds_min[i] <= def->bounds_max[i]) ||
                        !isfinite(def->bounds_max[i] - def->bounds_min[i]),
                    VELA_ERROR_INVALID_INPUT,
                    "bounds from %g to %g along axis %d, expected a finite interval", def->bounds_min[i],
                    def->bounds_max[i], i);
    FAIL_IF(context, def->color_by != COLOR_BY_BODY && !(def->value_min <= def->value_max),
            VELA_ERROR_INVALID_INPUT, "a colour range from %g to %g, expected minimum <= maximum",
            def->value_min, def->value_max);
    FAIL_IF(context, def->plane_count < 0 || def->plane_count > PASSES_MAX_PLANES, VELA_ERROR_INVALID_INPUT,
            "%d planes to draw, expected at most %d", def->plane_count, PASSES_MAX_PLANES);
    for (int32_t i = 0; i < def->plane_count; ++i)
        FAIL_IF(context,
                !all_finite(def->planes[i].point, 3) || !all_finite(def->planes[i].normal, 3) ||
                    norm3(def->planes[i].normal) == 0,
                VELA_ERROR_INVALID_INPUT,
                "plane %d: its point or its normal is not finite, or the normal is zero", i);
    return VELA_OK;
}

// The device to draw on: the one asked for, else the best that can draw, real GPUs before software.
static VelaResult device_choose(VelaContext *context, const GpuInstance *instance, int32_t wanted,
                                int32_t *index)
{
    *index = -1;
    FAIL_IF(context, wanted >= instance->device_count, VELA_ERROR_NO_DEVICE,
            "Vulkan device %d does not exist, there are %d", wanted, instance->device_count);
    for (int32_t i = 0; i < instance->device_count; ++i) {
        const GpuDeviceInfo *info = &instance->devices[i];
        if ((wanted >= 0 && i != wanted) || !info->usable || !info->graphics)
            continue;
        if (*index < 0 || info->type > instance->devices[*index].type)
            *index = i;
    }
    FAIL_IF(context, *index < 0 && wanted >= 0, VELA_ERROR_NO_DEVICE, "%s cannot draw images: %s",
            instance->devices[wanted].name,
            instance->devices[wanted].usable ? "it has no graphics queue" : instance->devices[wanted].reason);
    FAIL_IF(context, *index < 0, VELA_ERROR_NO_DEVICE,
            "no Vulkan driver that can draw images; install the driver of your GPU, or the package "
            "mesa-vulkan-drivers (with libvulkan1), which draws on the processor");
    return VELA_OK;
}

static void planes_set(Renderer *renderer, const RenderDef *def)
{
    for (int32_t i = 0; i < def->plane_count; ++i) {
        renderer->planes[i] = def->planes[i];
        for (int c = 0; c < 3; ++c)
            renderer->planes[i].color[c] = color_srgb_decode(def->planes[i].color[c]);
        normalize3(renderer->planes[i].normal);
    }
    renderer->def.planes = renderer->planes;
}

static double plane_height(const RenderPlane *plane, const double point[3])
{
    double offset[3];
    subtract3(point, plane->point, offset);
    return dot3(plane->normal, offset);
}

// The plane that counts as the floor: the one that faces up most, within 25 degrees; -1 if there is none.
static int32_t floor_find(const Renderer *renderer)
{
    int32_t best = -1;
    for (int32_t i = 0; i < renderer->def.plane_count; ++i) {
        const double up = renderer->planes[i].normal[1];
        if (up > 0.906 && (best < 0 || up > renderer->planes[best].normal[1]))
            best = i;
    }
    return best;
}

static void camera_set(Renderer *renderer)
{
    const RenderDef *def = &renderer->def;
    double min[3] = {1e300, 1e300, 1e300}, max[3] = {-1e300, -1e300, -1e300}, size[3];
    const Frame rest = {.positions = (double *)renderer->topology->rest_positions}; // read only
    render_bounds(renderer->topology, &rest, min, max);
    for (int i = 0; i < 3; ++i) {
        if (renderer->topology->triangle_count == 0 && renderer->topology->segment_count == 0)
            min[i] = max[i] = 0;
        min[i] = def->has_bounds ? def->bounds_min[i] : min[i];
        max[i] = def->has_bounds ? def->bounds_max[i] : max[i];
    }
    // A floor below is kept in view if it is not farther away than the motion is large.
    const int32_t floor_index = floor_find(renderer);
    subtract3(max, min, size);
    if (floor_index >= 0) {
        const double middle[3] = {0.5 * (min[0] + max[0]), min[1], 0.5 * (min[2] + max[2])};
        const double height = plane_height(&renderer->planes[floor_index], middle);
        if (height > 0 && height < norm3(size))
            min[1] -= height;
    }
    subtract3(max, min, size);
    for (int i = 0; i < 3; ++i)
        renderer->center[i] = 0.5 * (min[i] + max[i]);
    renderer->radius = norm3(size) > 0 ? 0.5 * norm3(size) : 0.5;
    renderer->camera = render_camera_frame(min, max, (double)def->width / def->height, def->fov_degrees);
    if (def->has_camera) {
        memcpy(renderer->camera.eye, def->eye, sizeof def->eye);
        memcpy(renderer->camera.target, def->target, sizeof def->target);
    }
    // Planes reach beyond the bodies.
    render_camera_fit_depth(&renderer->camera, renderer->center, 4.5 * renderer->radius);
    renderer->far_bodies = renderer->camera.far;
}

// Of bodies: surfaces, then tubes.
static int32_t body_vertex_count(const Renderer *renderer)
{
    return renderer->surface.vertex_count + renderer->tubes.vertex_count;
}

// What is drawn beside the planes.
static int32_t vertex_count(const Renderer *renderer)
{
    return body_vertex_count(renderer) + renderer->obstacles.vertex_count;
}

static int32_t triangle_count(const Renderer *renderer)
{
    return renderer->surface.triangle_count + renderer->tubes.triangle_count +
           renderer->obstacles.triangle_count;
}

static int32_t body_count(const Renderer *renderer)
{
    return renderer->topology->body_count +
           (renderer->def.obstacles ? renderer->def.obstacles->body_count : 0);
}

static void view_set(Renderer *renderer)
{
    render_camera_matrix(&renderer->camera, (double)renderer->def.width / renderer->def.height,
                         renderer->center, renderer->scene.view_projection);
}

static void scene_set(Renderer *renderer)
{
    const RenderDef *def = &renderer->def;
    RenderScene *scene = &renderer->scene;
    double light[3], top[3], bottom[3];
    for (int c = 0; c < 3; ++c) {
        top[c] = color_srgb_decode(def->background_top[c]);
        bottom[c] = color_srgb_decode(def->background_bottom[c]);
    }
    lighting_direction(&renderer->camera, light);
    lighting_set(scene, light, top, bottom);
    view_set(renderer);
    for (int i = 0; i < 3; ++i)
        scene->eye[i] = (float)(renderer->camera.eye[i] - renderer->center[i]);
    scene->screen[0] = 1.0f / (float)def->width;
    scene->screen[1] = 1.0f / (float)def->height;
    scene->screen[2] = def->color_by == COLOR_BY_BODY ? 0 : (float)renderer->topology->body_count;
    const double range = def->value_max - def->value_min;
    scene->value_range[0] = (float)def->value_min;
    scene->value_range[1] = range > 0 ? (float)(1 / range) : 0;
}

static VelaResult pool_create(Renderer *renderer)
{
    GpuBufferDef defs[BUFFER_SHARED + SLOT_BUFFERS * PASSES_SLOTS] = {
        [BUFFER_INDICES] = {"indices", 12 * (uint64_t)triangle_count(renderer), GPU_MEMORY_UPLOAD,
                            VK_BUFFER_USAGE_INDEX_BUFFER_BIT},
        [BUFFER_BODIES] = {"body colours", 16 * (uint64_t)body_count(renderer), GPU_MEMORY_UPLOAD,
                           VK_BUFFER_USAGE_STORAGE_BUFFER_BIT},
        [BUFFER_MAP] = {"colour map", 16 * RENDER_MAP_SIZE, GPU_MEMORY_UPLOAD,
                        VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT},
    };
    for (int i = 0; i < PASSES_SLOTS; ++i) {
        GpuBufferDef *slot = defs + BUFFER_SHARED + SLOT_BUFFERS * i;
        slot[SLOT_SCENE] = (GpuBufferDef){"scene uniforms", sizeof(RenderScene), GPU_MEMORY_UPLOAD,
                                          VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT};
        slot[SLOT_VERTICES] =
            (GpuBufferDef){"vertices", sizeof(SurfaceVertex) * (uint64_t)vertex_count(renderer),
                           GPU_MEMORY_UPLOAD, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT};
        slot[SLOT_PIXELS] =
            (GpuBufferDef){"pixels", 4 * (uint64_t)renderer->def.width * (uint64_t)renderer->def.height,
                           GPU_MEMORY_READBACK, VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    }
    return gpu_pool_create(renderer->device, (int32_t)(sizeof defs / sizeof *defs), defs, &renderer->pool);
}

static const GpuBuffer *slot_buffer(const Renderer *renderer, int32_t slot, int32_t which)
{
    return &renderer->pool->buffers[BUFFER_SHARED + SLOT_BUFFERS * slot + which];
}

static void albedo_set(float out[4], const double linear[3], double roughness)
{
    for (int c = 0; c < 3; ++c)
        out[c] = (float)color_tone_inverse(linear[c]);
    out[3] = (float)roughness;
}

static void looks_fill(const FrameTopology *topology, float (*out)[4])
{
    for (int32_t b = 0; b < topology->body_count; ++b) {
        double linear[3];
        for (int c = 0; c < 3; ++c)
            linear[c] = color_srgb_decode(topology->bodies[b].color[c]);
        albedo_set(out[b], linear, topology->bodies[b].roughness);
    }
}

// Appends the indices of `triangle_count` triangles, whose first vertex is number `first` of all.
static uint32_t *indices_append(uint32_t *out, const uint32_t *indices, int32_t triangle_count, int32_t first)
{
    for (size_t i = 0; i < 3 * (size_t)triangle_count; ++i)
        out[i] = (uint32_t)first + indices[i];
    return out + 3 * (size_t)triangle_count;
}

// What stays the same for all frames: indices, colours of bodies and obstacles, the colour map.
static void buffers_fill(Renderer *renderer)
{
    const RenderSurface *surface = &renderer->surface, *obstacles = &renderer->obstacles;
    const RenderTubes *tubes = &renderer->tubes;
    uint32_t *indices = renderer->pool->buffers[BUFFER_INDICES].mapped;
    indices = indices_append(indices, surface->indices, surface->triangle_count, 0);
    indices = indices_append(indices, tubes->indices, tubes->triangle_count, surface->vertex_count);
    indices_append(indices, obstacles->indices, obstacles->triangle_count, body_vertex_count(renderer));
    float(*looks)[4] = renderer->pool->buffers[BUFFER_BODIES].mapped;
    looks_fill(renderer->topology, looks);
    if (renderer->def.obstacles)
        looks_fill(renderer->def.obstacles, looks + renderer->topology->body_count);
    double colors[COLOR_MAP_SIZE][3];
    float(*map)[4] = renderer->pool->buffers[BUFFER_MAP].mapped;
    _Static_assert(COLOR_MAP_SIZE == RENDER_MAP_SIZE, "the map's entries are copied one by one");
    color_map_build(colors);
    for (int i = 0; i < COLOR_MAP_SIZE; ++i)
        albedo_set(map[i], colors[i], 1);
}

static VelaResult graphics_create(Renderer *renderer, GpuInstance *instance)
{
    int32_t index;
    TRY(device_choose(renderer->context, instance, renderer->def.device, &index));
    GpuDeviceDef device_def = gpu_default_device_def();
    device_def.graphics = true;
    device_def.float64 = false;
    device_def.timestamps = false;
    TRY(gpu_device_create(instance, index, &device_def, &renderer->device));
    TRY(pool_create(renderer));
    buffers_fill(renderer);

    const bool software = renderer->device->info.type == GPU_DEVICE_SOFTWARE;
    const VkSampleCountFlags counts = renderer->device->properties.limits.framebufferColorSampleCounts &
                                      renderer->device->properties.limits.framebufferDepthSampleCounts;
    PassesDef passes_def = {
        .width = (uint32_t)renderer->def.width,
        .height = (uint32_t)renderer->def.height,
        .shadow_size = software ? SOFTWARE_SHADOW_SIZE : GPU_SHADOW_SIZE,
        .samples =
            !software && counts & VK_SAMPLE_COUNT_8_BIT ? VK_SAMPLE_COUNT_8_BIT : VK_SAMPLE_COUNT_4_BIT,
        .bodies = &renderer->pool->buffers[BUFFER_BODIES],
        .map = &renderer->pool->buffers[BUFFER_MAP],
    };
    for (int i = 0; i < PASSES_SLOTS; ++i)
        passes_def.scene[i] = slot_buffer(renderer, i, SLOT_SCENE);
    TRY(passes_create(renderer->device, &passes_def, &renderer->passes));
    for (int i = 0; i < PASSES_SLOTS; ++i)
        TRY(gpu_commands_create(renderer->device, 0, &renderer->commands[i]));
    return VELA_OK;
}

static VelaResult obstacles_create(Renderer *renderer)
{
    RenderSurface *obstacles = &renderer->obstacles;
    TRY(surface_create(&renderer->arena, renderer->def.obstacles, CREASE_DEGREES, obstacles));
    for (int32_t v = 0; v < obstacles->vertex_count; ++v)
        obstacles->vertex_body[v] += (uint32_t)renderer->topology->body_count;
    return VELA_OK;
}

static VelaResult renderer_build(Renderer *renderer, GpuInstance *instance)
{
    TRY(surface_create(&renderer->arena, renderer->topology, CREASE_DEGREES, &renderer->surface));
    TRY(tubes_create(&renderer->arena, renderer->topology, &renderer->tubes));
    if (renderer->def.obstacles)
        TRY(obstacles_create(renderer));
    const int64_t vertices = (int64_t)renderer->surface.vertex_count + renderer->tubes.vertex_count +
                             renderer->obstacles.vertex_count;
    FAIL_IF(renderer->context, vertices > INT32_MAX, VELA_ERROR_INVALID_INPUT,
            "%lld vertices of surfaces and tubes cannot be drawn, expected at most %d", (long long)vertices,
            INT32_MAX);
    TRY(ARENA_ARRAY(&renderer->arena, renderer->vertices, vertex_count(renderer)));
    camera_set(renderer);
    renderer->lit = (LightingVertices){.vertices = renderer->vertices,
                                       .count = vertex_count(renderer),
                                       .body_count = body_vertex_count(renderer),
                                       .reach = LIT_REACH * renderer->radius};
    if (renderer->def.obstacles)
        TRY(renderer_move_obstacles(renderer, renderer->def.obstacles->rest_positions));
    scene_set(renderer);
    TRY(graphics_create(renderer, instance));
    const RenderDef *def = &renderer->def;
    const WriterDef writer_def = {.width = def->width,
                                  .height = def->height,
                                  .color_by = def->legend ? def->color_by : COLOR_BY_BODY,
                                  .value_min = def->value_min,
                                  .value_max = def->value_max};
    return writer_create(renderer->context, &writer_def, &renderer->writer);
}

VelaResult renderer_create(VelaContext *context, GpuInstance *instance, const FrameTopology *topology,
                           const RenderDef *def, Renderer **renderer)
{
    *renderer = NULL;
    TRY(def_check(context, def));
    Renderer *created = context_allocate(context, sizeof *created);
    FAIL_IF(context, !created, VELA_ERROR_OUT_OF_MEMORY, "out of memory: no room for a renderer");
    created->context = context;
    created->topology = topology;
    created->def = *def;
    created->arena = arena_make(context);
    planes_set(created, def);
    const VelaResult result = renderer_build(created, instance);
    if (result != VELA_OK)
        renderer_destroy(created);
    else
        *renderer = created;
    return result;
}

// What is on its way is still written; the message stays that of what ended the drawing.
static void finish_quietly(Renderer *renderer)
{
    char message[sizeof renderer->context->message];
    memcpy(message, renderer->context->message, sizeof message);
    renderer_finish(renderer);
    memcpy(renderer->context->message, message, sizeof message);
}

void renderer_destroy(Renderer *renderer)
{
    if (!renderer)
        return;
    if (renderer->device) {
        if (renderer->writer)
            finish_quietly(renderer);
        writer_destroy(renderer->writer);
        for (int i = 0; i < PASSES_SLOTS; ++i)
            gpu_commands_destroy(renderer->commands[i]);
        passes_destroy(&renderer->passes);
        gpu_pool_destroy(renderer->pool);
        gpu_device_destroy(renderer->device);
    }
    context_free(renderer->context, renderer->pending_path);
    arena_clear(&renderer->arena);
    context_free(renderer->context, renderer);
}

VelaResult renderer_move_plane(Renderer *renderer, int32_t plane, const double point[3],
                               const double normal[3])
{
    REQUIRE(renderer->context, plane >= 0 && plane < renderer->def.plane_count);
    memcpy(renderer->planes[plane].point, point, 3 * sizeof(double));
    memcpy(renderer->planes[plane].normal, normal, 3 * sizeof(double));
    normalize3(renderer->planes[plane].normal);
    return VELA_OK;
}

VelaResult renderer_move_obstacles(Renderer *renderer, const double *positions)
{
    REQUIRE(renderer->context, renderer->def.obstacles);
    const Frame frame = {.index = renderer->drawn, .positions = (double *)positions}; // read only
    double min[3], max[3], farthest[3];
    TRY(surface_fill(renderer->context, &renderer->obstacles, renderer->def.obstacles, &frame,
                     renderer->center, COLOR_BY_BODY, renderer->vertices + body_vertex_count(renderer), min,
                     max));
    for (int i = 0; i < 3; ++i)
        farthest[i] = fmax(fabs(min[i] - renderer->camera.eye[i]), fabs(max[i] - renderer->camera.eye[i]));
    renderer->camera.far = fmax(renderer->far_bodies, norm3(farthest));
    view_set(renderer);
    return VELA_OK;
}

// The square that shows a plane: under the bodies' centre, fading at its rim.
static RenderPlaneConstants plane_constants(const Renderer *renderer, const RenderPlane *plane, bool is_floor,
                                            bool has_contact)
{
    RenderPlaneConstants constants;
    double u[3], v[3], center[3];
    lighting_tangents(plane->normal, u, v);
    const double height = plane_height(plane, renderer->center);
    // The shadow of what is high above falls far aside.
    const double half = (is_floor ? 4.2 : 1.7) * renderer->radius + 2 * fmax(height - renderer->radius, 0);
    for (int i = 0; i < 3; ++i) {
        center[i] = -height * plane->normal[i]; // relative to the renderer's centre
        constants.center[i] = (float)center[i];
        constants.axis_u[i] = (float)(half * u[i]);
        constants.axis_v[i] = (float)(half * v[i]);
        constants.normal[i] = (float)plane->normal[i];
    }
    constants.center[3] = is_floor ? 0.3f : 0.55f;
    constants.axis_u[3] = constants.axis_v[3] = 0;
    constants.normal[3] = has_contact ? 1 : 0;
    albedo_set(constants.color, plane->color, plane->roughness);
    // Walls stand out against the background, into which the floor is meant to melt.
    for (int c = 0; c < 3 && !is_floor; ++c)
        constants.color[c] *= 0.55f;
    return constants;
}

// Planes from the farthest to the nearest: they are blended over each other.
static void planes_sort(const Renderer *renderer, int32_t order[PASSES_MAX_PLANES])
{
    double distances[PASSES_MAX_PLANES];
    for (int32_t i = 0; i < renderer->def.plane_count; ++i) {
        const RenderPlane *plane = &renderer->planes[i];
        double place[3], offset[3];
        add_scaled3(renderer->center, -plane_height(plane, renderer->center), plane->normal, place);
        subtract3(place, renderer->camera.eye, offset);
        distances[i] = norm3(offset);
        int32_t k = i;
        for (; k > 0 && distances[order[k - 1]] < distances[i]; --k)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

// How far the light travels from the highest vertex to the plane; 0 where the plane faces away from the light.
static double plane_reach(const Renderer *renderer, const RenderPlane *plane)
{
    const float *light = renderer->scene.light;
    const double towards[3] = {light[0], light[1], light[2]};
    const double slope = dot3(towards, plane->normal), center_height = plane_height(plane, renderer->center);
    if (slope < 0.05)
        return 0;
    return fmax(lighting_highest(&renderer->lit, plane->normal) + center_height, 0) / slope;
}

// How far facets are from what they stand for; tubes must not be lifted out of the shadows of one another.
static double mean_edge(const Renderer *renderer)
{
    const double surface = renderer->surface.mean_edge, tubes = renderer->tubes.mean_edge;
    return surface > 0 && tubes > 0 ? fmin(surface, tubes) : fmax(surface, tubes);
}

static VelaResult frame_submit(Renderer *renderer, int32_t slot)
{
    RenderScene *scene = &renderer->scene;
    // Contact is felt on the floor; where there are only walls, on the first.
    const int32_t floor_index = floor_find(renderer);
    const int32_t contact_index = floor_index < 0 && renderer->def.plane_count > 0 ? 0 : floor_index;
    double reach_of_light = 0;
    for (int32_t i = 0; i < renderer->def.plane_count; ++i)
        reach_of_light = fmax(reach_of_light, plane_reach(renderer, &renderer->planes[i]));
    lighting_fit_shadow(scene, &renderer->lit, (int32_t)renderer->passes.def.shadow_size, reach_of_light,
                        mean_edge(renderer));
    int32_t reach = 0;
    memset(scene->floor_size, 0, sizeof scene->floor_size);
    if (contact_index >= 0) {
        double point[3];
        subtract3(renderer->planes[contact_index].point, renderer->center, point);
        reach = lighting_fit_floor(scene, &renderer->lit, point, renderer->planes[contact_index].normal,
                                   0.22 * renderer->radius);
    }
    int32_t order[PASSES_MAX_PLANES];
    planes_sort(renderer, order);
    for (int32_t i = 0; i < renderer->def.plane_count; ++i)
        renderer->constants[i] = plane_constants(renderer, &renderer->planes[order[i]],
                                                 order[i] == floor_index, order[i] == contact_index);

    memcpy(slot_buffer(renderer, slot, SLOT_SCENE)->mapped, scene, sizeof *scene);
    memcpy(slot_buffer(renderer, slot, SLOT_VERTICES)->mapped, renderer->vertices,
           (size_t)vertex_count(renderer) * sizeof *renderer->vertices);
    const PassesFrame passes_frame = {
        .slot = slot,
        .scene = scene,
        .vertices = slot_buffer(renderer, slot, SLOT_VERTICES),
        .indices = &renderer->pool->buffers[BUFFER_INDICES],
        .pixels = slot_buffer(renderer, slot, SLOT_PIXELS),
        .index_count = 3 * (uint32_t)triangle_count(renderer),
        .contact_reach = reach,
        .plane_count = renderer->def.plane_count,
        .planes = renderer->constants,
    };
    TRY(gpu_commands_begin(renderer->commands[slot]));
    passes_record(&renderer->passes, renderer->commands[slot], &passes_frame);
    return gpu_commands_submit(renderer->commands[slot]);
}

// Waits for the device to finish the image that is being drawn, and hands it to the writer.
static VelaResult pending_collect(Renderer *renderer)
{
    if (!renderer->pending_path)
        return VELA_OK;
    const int32_t slot = renderer->pending_slot;
    VelaResult result = gpu_commands_wait(renderer->commands[slot]);
    if (result == VELA_OK)
        result = writer_submit(renderer->writer, slot, slot_buffer(renderer, slot, SLOT_PIXELS)->mapped,
                               renderer->pending_path);
    context_free(renderer->context, renderer->pending_path);
    renderer->pending_path = NULL;
    return result;
}

VelaResult renderer_draw(Renderer *renderer, const Frame *frame, const char *png_path)
{
    // The frame before this one was drawn while the caller was busy; its pixels are encoded while this one is drawn.
    TRY(pending_collect(renderer));
    const int32_t slot = (int32_t)(renderer->drawn % PASSES_SLOTS);
    TRY(writer_wait(renderer->writer, slot));
    double min[3], max[3];
    TRY(surface_fill(renderer->context, &renderer->surface, renderer->topology, frame, renderer->center,
                     renderer->def.color_by, renderer->vertices, min, max));
    TRY(tubes_fill(renderer->context, &renderer->tubes, renderer->topology, frame, renderer->center,
                   renderer->def.color_by, renderer->vertices + renderer->surface.vertex_count));
    const size_t length = strlen(png_path);
    char *path = context_allocate(renderer->context, length + 1);
    FAIL_IF(renderer->context, !path, VELA_ERROR_OUT_OF_MEMORY, "out of memory: %s cannot be drawn",
            png_path);
    memcpy(path, png_path, length);
    const VelaResult result = frame_submit(renderer, slot);
    if (result != VELA_OK) {
        context_free(renderer->context, path);
        return result;
    }
    renderer->pending_path = path;
    renderer->pending_slot = slot;
    ++renderer->drawn;
    return VELA_OK;
}

VelaResult renderer_finish(Renderer *renderer)
{
    VelaResult result = pending_collect(renderer);
    for (int32_t i = 0; i < PASSES_SLOTS; ++i) {
        const VelaResult written = writer_wait(renderer->writer, i);
        result = result != VELA_OK ? result : written;
    }
    return result;
}

const char *renderer_device_name(const Renderer *renderer)
{
    return renderer->device->info.name;
}
