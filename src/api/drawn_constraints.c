#include "api/drawn_constraints.h"

#include "base/matrix3.h"

#include <math.h>
#include <string.h>

/// Of a pin, in parts of the size of all that is recorded; a rod is thinner.
static const double PIN_RADIUS = 0.006, ROD_SHARE = 0.4;
static const double PIN_COLOR[3] = {0.93, 0.38, 0.12}, ROD_COLOR[3] = {0.35, 0.36, 0.4};

static double size_of(const FrameTopology *recorded)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size[3];
    for (int64_t i = 0; i < 3 * (int64_t)recorded->vertex_count; ++i) {
        low[i % 3] = fmin(low[i % 3], recorded->rest_positions[i]);
        high[i % 3] = fmax(high[i % 3], recorded->rest_positions[i]);
    }
    subtract3(high, low, size);
    return recorded->vertex_count > 0 && norm3(size) > 0 ? norm3(size) : 1;
}

/// What is added to the topology, behind what is there.
typedef struct Added {
    FrameTopology *topology;
    double *rest;
    int32_t *segments, *elements;
    FrameCable *cables;
} Added;

static void add_cable(Added *added, int32_t body, int32_t points, int32_t element, double radius)
{
    FrameTopology *topology = added->topology;
    int32_t *ends = added->segments + 2 * (size_t)topology->segment_count;
    ends[0] = topology->vertex_count;
    ends[1] = topology->vertex_count + points - 1; // a pin's both ends are one point: it is a ball
    for (int32_t v = 0; v < points; ++v)           // where the bounds already are
        memcpy(added->rest + 3 * (size_t)(topology->vertex_count + v), added->rest, 3 * sizeof *added->rest);
    added->elements[topology->segment_count] = element;
    added->cables[topology->cable_count++] = (FrameCable){body, topology->segment_count++, 1, radius};
    topology->vertex_count += points;
}

static void copy(void *to, const void *from, int64_t count, size_t size)
{
    if (count > 0)
        memcpy(to, from, (size_t)count * size);
}

static VelaResult begin(const FrameTopology *recorded, int32_t joints, int32_t rods, Arena *arena,
                        Added *added)
{
    FrameBody *bodies;
    const size_t more = (size_t)joints + (size_t)rods;
    TRY(ARENA_ARRAY(arena, added->topology, 1));
    TRY(ARENA_ARRAY(arena, bodies, recorded->body_count + 2));
    TRY(ARENA_ARRAY(arena, added->rest, 3 * ((size_t)recorded->vertex_count + 2 * more)));
    TRY(ARENA_ARRAY(arena, added->segments, 2 * ((size_t)recorded->segment_count + more)));
    TRY(ARENA_ARRAY(arena, added->elements, (size_t)recorded->segment_count + more));
    TRY(ARENA_ARRAY(arena, added->cables, (size_t)recorded->cable_count + more));
    copy(bodies, recorded->bodies, recorded->body_count, sizeof *bodies);
    copy(added->rest, recorded->rest_positions, recorded->vertex_count, 3 * sizeof *added->rest);
    copy(added->segments, recorded->segments, recorded->segment_count, 2 * sizeof *added->segments);
    copy(added->elements, recorded->segment_elements, recorded->segment_count, sizeof *added->elements);
    copy(added->cables, recorded->cables, recorded->cable_count, sizeof *added->cables);
    *added->topology = *recorded;
    added->topology->bodies = bodies;
    added->topology->rest_positions = added->rest;
    added->topology->segments = added->segments;
    added->topology->segment_elements = added->elements;
    added->topology->cables = added->cables;
    return VELA_OK;
}

static FrameBody look_of(const char *name, const double color[3])
{
    return (FrameBody){.name = name, .color = {color[0], color[1], color[2]}, .roughness = 0.4};
}

VelaResult drawn_constraints_make(const SceneDef *scene, const FrameTopology *recorded, Arena *arena,
                                  DrawnConstraints *drawn)
{
    const bool by_tension = scene->color_by == COLOR_BY_TENSION;
    const int32_t joints = scene->draw_joints ? recorded->joint_count : 0,
                  rods = scene->draw_joints || by_tension ? recorded->rod_count : 0;
    *drawn = (DrawnConstraints){recorded, recorded, joints, rods, {0}};
    if (joints + rods == 0)
        return VELA_OK;
    const double radius = PIN_RADIUS * size_of(recorded);
    Added added;
    TRY(begin(recorded, joints, rods, arena, &added));
    FrameTopology *topology = added.topology;
    FrameBody *looks = (FrameBody *)(uintptr_t)topology->bodies + topology->body_count;
    const int32_t first = topology->body_count;
    looks[0] = look_of("distances", ROD_COLOR);
    looks[1] = look_of("joints", PIN_COLOR);
    topology->body_count += 2;
    topology->plain_count = by_tension ? 1 : 2;
    topology->element_count += rods > 0 ? rods : 1; // rods have values of their own, pins have none
    for (int32_t r = 0; r < rods; ++r)
        add_cable(&added, first, 2, recorded->element_count + r, ROD_SHARE * radius);
    for (int32_t j = 0; j < joints; ++j)
        add_cable(&added, first + 1, 1, recorded->element_count, radius);
    drawn->topology = topology;
    TRY(ARENA_ARRAY(arena, drawn->frame.positions, 3 * (size_t)topology->vertex_count));
    TRY(ARENA_ARRAY(arena, drawn->frame.velocities, 3 * (size_t)topology->vertex_count));
    return ARENA_ARRAY(arena, drawn->frame.tension, topology->element_count);
}

const Frame *drawn_constraints_frame(DrawnConstraints *drawn, const Frame *frame)
{
    const FrameTopology *recorded = drawn->recorded;
    const Frame room = drawn->frame;
    if (drawn->topology == recorded)
        return frame;
    drawn->frame = *frame;
    drawn->frame.positions = room.positions, drawn->frame.velocities = room.velocities;
    drawn->frame.tension = room.tension;
    copy(room.positions, frame->positions, recorded->vertex_count, 3 * sizeof *room.positions);
    copy(room.velocities, frame->velocities, recorded->vertex_count, 3 * sizeof *room.velocities);
    for (int32_t e = 0; e < drawn->topology->element_count; ++e)
        room.tension[e] = frame->tension && e < recorded->element_count ? frame->tension[e] : NAN;
    double *next = room.positions + 3 * (size_t)recorded->vertex_count;
    for (int32_t r = 0; r < drawn->rod_count; ++r, next += ROD_VALUES - 1) {
        const double *rod = frame->rods + ROD_VALUES * (size_t)r;
        copy(next, rod, ROD_VALUES - 1, sizeof *next);
        room.tension[recorded->element_count + r] = (float)rod[ROD_VALUES - 1];
    }
    copy(next, frame->joints, drawn->joint_count, 3 * sizeof *next);
    return &drawn->frame;
}
