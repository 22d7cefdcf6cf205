#include "api/drawn_obstacles.h"

#include "base/matrix3.h"

// Nothing that far away can be seen, and single precision still holds it.
static const double FARTHEST = 1e15;
// Share of the bounds' diagonal up to which an obstacle too large to be shown whole is.
static const double NEAR_SHARE = 0.2;
enum { BOX_SAMPLES = 16 }; // instants at which a moving obstacle's box is looked at

static double keep_in_reach(double coordinate)
{
    return fmin(fmax(coordinate, -FARTHEST), FARTHEST);
}

static bool is_moving(const Motion *motion)
{
    return motion->keyframe_count > 0 || motion->spin;
}

// ---------------------------------------------------------------- making

static VelaResult make_planes(Arena *arena, DrawnObstacles *drawn)
{
    const SceneDef *scene = drawn->scene;
    TRY(ARENA_ARRAY(arena, drawn->planes, scene->obstacle_count));
    TRY(ARENA_ARRAY(arena, drawn->plane_sources, scene->obstacle_count));
    for (int32_t o = 0; o < scene->obstacle_count; ++o) {
        const ObstacleDef *obstacle = &scene->obstacles[o];
        if (obstacle->kind != OBSTACLE_PLANE)
            continue;
        RenderPlane *plane = &drawn->planes[drawn->plane_count];
        *plane = render_default_plane();
        motion_apply(&obstacle->motion, 0, obstacle->point, plane->point);
        motion_rotate(&obstacle->motion, 0, obstacle->normal, plane->normal);
        memcpy(plane->color, obstacle->look.color, sizeof plane->color);
        plane->roughness = obstacle->look.roughness;
        drawn->plane_sources[drawn->plane_count++] = o;
    }
    return VELA_OK;
}

// The surfaces of all obstacles; an empty one for planes and for meshes that cannot be read.
static VelaResult load_surfaces(VelaContext *context, const SceneDef *scene, const ObstacleSurface *loaded,
                                Arena *arena, ObstacleSurface **out)
{
    ObstacleSurface *surfaces;
    TRY(ARENA_ARRAY(arena, surfaces, scene->obstacle_count));
    for (int32_t o = 0; o < scene->obstacle_count; ++o) {
        const ObstacleDef *obstacle = &scene->obstacles[o];
        if (loaded && obstacle->kind == OBSTACLE_MESH) {
            surfaces[o] = loaded[o];
            continue;
        }
        const VelaResult result = obstacle_surface_load(context, obstacle, arena, &surfaces[o]);
        if (result == VELA_ERROR_OUT_OF_MEMORY)
            return result;
        if (result != VELA_OK) {
            context_log(context, VELA_LOG_WARNING, "obstacle \"%s\" is not drawn: %s", obstacle->name,
                        context->message);
            surfaces[o] = (ObstacleSurface){0};
        }
    }
    *out = surfaces;
    return VELA_OK;
}

static void append_surface(const ObstacleDef *obstacle, const ObstacleSurface *surface, FrameTopology *all,
                           double *positions, int32_t *triangles, FrameBody *body)
{
    *body = (FrameBody){.name = obstacle->name,
                        .first_vertex = all->vertex_count,
                        .vertex_count = surface->vertex_count,
                        .first_triangle = all->triangle_count,
                        .triangle_count = surface->triangle_count,
                        .roughness = obstacle->look.roughness};
    memcpy(body->color, obstacle->look.color, sizeof body->color);
    for (size_t i = 0; i < 3 * (size_t)surface->vertex_count; ++i)
        positions[3 * (size_t)all->vertex_count + i] = keep_in_reach(surface->vertices[i]);
    for (int32_t i = 0; i < 3 * surface->triangle_count; ++i)
        triangles[3 * (size_t)all->triangle_count + (size_t)i] = all->vertex_count + surface->triangles[i];
    all->vertex_count += surface->vertex_count;
    all->triangle_count += surface->triangle_count;
    ++all->body_count;
}

static VelaResult join_surfaces(VelaContext *context, const ObstacleSurface *surfaces, Arena *arena,
                                DrawnObstacles *drawn)
{
    const SceneDef *scene = drawn->scene;
    int64_t vertices = 0, triangles = 0;
    for (int32_t o = 0; o < scene->obstacle_count; ++o) {
        vertices += surfaces[o].vertex_count;
        triangles += surfaces[o].triangle_count;
    }
    FAIL_IF(context, vertices > INT32_MAX / 6 || triangles > INT32_MAX / 6, VELA_ERROR_OUT_OF_MEMORY,
            "the obstacles have %lld triangles, which cannot be drawn; expected at most %d",
            (long long)triangles, INT32_MAX / 6);
    double *positions;
    int32_t *indices;
    FrameBody *bodies;
    TRY(ARENA_ARRAY(arena, positions, 3 * vertices));
    TRY(ARENA_ARRAY(arena, drawn->positions, 3 * vertices));
    TRY(ARENA_ARRAY(arena, indices, 3 * triangles));
    TRY(ARENA_ARRAY(arena, bodies, scene->obstacle_count));
    TRY(ARENA_ARRAY(arena, drawn->surface_sources, scene->obstacle_count));
    FrameTopology *all = &drawn->surfaces;
    *all = (FrameTopology){.rest_positions = positions, .triangles = indices, .bodies = bodies};
    for (int32_t o = 0; o < scene->obstacle_count; ++o) {
        if (surfaces[o].triangle_count == 0)
            continue;
        drawn->surface_sources[all->body_count] = o;
        append_surface(&scene->obstacles[o], &surfaces[o], all, positions, indices, &bodies[all->body_count]);
    }
    return VELA_OK;
}

static void place_surface(DrawnObstacles *drawn, int32_t s, double time)
{
    const FrameBody *body = &drawn->surfaces.bodies[s];
    const Motion *motion = &drawn->scene->obstacles[drawn->surface_sources[s]].motion;
    for (int32_t i = body->first_vertex; i < body->first_vertex + body->vertex_count; ++i) {
        double *place = drawn->positions + 3 * (size_t)i;
        motion_apply(motion, time, drawn->surfaces.rest_positions + 3 * (size_t)i, place);
        for (int k = 0; k < 3; ++k)
            place[k] = keep_in_reach(place[k]);
    }
}

static void widen(const double point[3], double box[2][3])
{
    for (int k = 0; k < 3; ++k) {
        box[0][k] = fmin(box[0][k], point[k]);
        box[1][k] = fmax(box[1][k], point[k]);
    }
}

// The corners of the box before any motion, at instants of the scene.
static void make_box(const DrawnObstacles *drawn, int32_t s, double box[2][3])
{
    const FrameBody *body = &drawn->surfaces.bodies[s];
    const Motion *motion = &drawn->scene->obstacles[drawn->surface_sources[s]].motion;
    double rest[2][3] = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    memcpy(box, rest, sizeof rest);
    for (int32_t i = body->first_vertex; i < body->first_vertex + body->vertex_count; ++i)
        widen(drawn->surfaces.rest_positions + 3 * (size_t)i, rest);
    const int samples = is_moving(motion) ? BOX_SAMPLES : 0;
    for (int sample = 0; sample <= samples; ++sample)
        for (int corner = 0; corner < 8; ++corner) {
            double place[3];
            for (int k = 0; k < 3; ++k)
                place[k] = rest[corner >> k & 1][k];
            motion_apply(motion, samples ? drawn->scene->duration * sample / samples : 0, place, place);
            widen(place, box);
        }
}

VelaResult drawn_obstacles_make(VelaContext *context, const SceneDef *scene, const ObstacleSurface *loaded,
                                Arena *arena, DrawnObstacles *drawn)
{
    ObstacleSurface *surfaces;
    *drawn = (DrawnObstacles){.scene = scene};
    TRY(make_planes(arena, drawn));
    TRY(load_surfaces(context, scene, loaded, arena, &surfaces));
    TRY(join_surfaces(context, surfaces, arena, drawn));
    TRY(ARENA_ARRAY(arena, drawn->boxes, drawn->surfaces.body_count));
    for (int32_t s = 0; s < drawn->surfaces.body_count; ++s) {
        place_surface(drawn, s, 0);
        make_box(drawn, s, drawn->boxes[s]);
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- showing

void drawn_obstacles_show(const DrawnObstacles *drawn, RenderDef *def)
{
    def->plane_count = drawn->plane_count;
    def->planes = drawn->planes;
    def->obstacles = drawn->surfaces.body_count > 0 ? &drawn->surfaces : NULL;
}

VelaResult drawn_obstacles_move(DrawnObstacles *drawn, double time, Renderer *renderer)
{
    for (int32_t p = 0; p < drawn->plane_count; ++p) {
        const ObstacleDef *obstacle = &drawn->scene->obstacles[drawn->plane_sources[p]];
        if (!is_moving(&obstacle->motion))
            continue;
        double point[3], normal[3];
        motion_apply(&obstacle->motion, time, obstacle->point, point);
        motion_rotate(&obstacle->motion, time, obstacle->normal, normal);
        TRY(renderer_move_plane(renderer, p, point, normal));
    }
    bool moved = false;
    for (int32_t s = 0; s < drawn->surfaces.body_count; ++s)
        if (is_moving(&drawn->scene->obstacles[drawn->surface_sources[s]].motion)) {
            place_surface(drawn, s, time);
            moved = true;
        }
    return moved ? renderer_move_obstacles(renderer, drawn->positions) : VELA_OK;
}

// The part of a box that is within `beyond` of the bounds, if there is any.
static bool clip_box(const double box[2][3], const double min[3], const double max[3], double beyond,
                     double out[2][3])
{
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
        out[0][k] = fmax(box[0][k], min[k] - beyond);
        out[1][k] = fmin(box[1][k], max[k] + beyond);
        inside = inside && out[0][k] <= out[1][k];
    }
    return inside;
}

void drawn_obstacles_widen(const DrawnObstacles *drawn, double min[3], double max[3])
{
    double size[3], wide[2][3], part[2][3];
    subtract3(max, min, size);
    const double diagonal = norm3(size);
    if (!(diagonal < FARTHEST)) // nothing to see, or bounds of nothing
        return;
    memcpy(wide[0], min, sizeof wide[0]);
    memcpy(wide[1], max, sizeof wide[1]);
    for (int32_t s = 0; s < drawn->surfaces.body_count; ++s) {
        const double(*box)[3] = (const double(*)[3])drawn->boxes[s];
        const bool whole = clip_box(box, min, max, diagonal, part) && memcmp(part, box, sizeof part) == 0;
        if (!whole && !clip_box(box, min, max, NEAR_SHARE * diagonal, part))
            continue;
        widen(part[0], wide);
        widen(part[1], wide);
    }
    memcpy(min, wide[0], sizeof wide[0]);
    memcpy(max, wide[1], sizeof wide[1]);
}
