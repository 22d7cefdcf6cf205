#include "render/tube.h"

#include "base/matrix3.h"

#define PI 3.14159265358979323846

// Up to this turn (radians) a joint is smooth; of larger ones this much is, and the rest is swept.
static const double SMOOTH_TURN = 30 * PI / 180;
// Segments shorter than this share of the radius have no direction of their own.
static const double SHORTEST = 1e-9;
// Vertices of all tubes up to which rings have more than the fewest sides.
static const int64_t VERTEX_GOAL = 1 << 18;

// ---------------------------------------------------------------- what stays

// A quarter of the sides' number at either end, the last of full width, and as many at every joint between.
static int64_t ring_count(int32_t sides, int32_t segment_count)
{
    return sides / 4 * ((int64_t)segment_count + 1);
}

static int64_t all_rings(const FrameTopology *topology, int32_t sides)
{
    int64_t rings = 0;
    for (int32_t i = 0; i < topology->cable_count; ++i)
        rings += ring_count(sides, topology->cables[i].segment_count);
    return rings;
}

static VelaResult check_cables(VelaContext *context, const FrameTopology *topology)
{
    for (int32_t i = 0; i < topology->segment_count; ++i) {
        const int32_t *ends = topology->segments + 2 * (size_t)i;
        for (int k = 0; k < 2; ++k)
            FAIL_IF(context, ends[k] < 0 || ends[k] >= topology->vertex_count, VELA_ERROR_INVALID_INPUT,
                    "segment %d names vertex %d, expected 0 to %d", i, ends[k], topology->vertex_count - 1);
        const int32_t element = topology->segment_elements[i];
        FAIL_IF(context, element < 0 || element >= topology->element_count, VELA_ERROR_INVALID_INPUT,
                "segment %d names element %d, expected 0 to %d", i, element, topology->element_count - 1);
    }
    for (int32_t i = 0; i < topology->cable_count; ++i) {
        const FrameCable *cable = &topology->cables[i];
        FAIL_IF(context, cable->body < 0 || cable->body >= topology->body_count, VELA_ERROR_INVALID_INPUT,
                "cable %d is of body %d, expected 0 to %d", i, cable->body, topology->body_count - 1);
        FAIL_IF(context,
                cable->segment_count < 1 || cable->first_segment < 0 ||
                    cable->first_segment > topology->segment_count - cable->segment_count,
                VELA_ERROR_INVALID_INPUT, "cable %d has %d segments from %d on, expected a part of 0 to %d",
                i, cable->segment_count, cable->first_segment, topology->segment_count - 1);
        FAIL_IF(context, !(cable->radius > 0 && cable->radius < 1e30), VELA_ERROR_INVALID_INPUT,
                "cable %d has the radius %g, expected a finite one > 0", i, cable->radius);
    }
    return VELA_OK;
}

// Triangles of one tube whose first vertex is `first`: a fan, strips between rings, a fan.
static uint32_t *fill_indices(uint32_t *out, uint32_t first, uint32_t rings, uint32_t sides)
{
    const uint32_t begin = first + 1, end = begin + (rings - 1) * sides, pole = end + sides;
    for (uint32_t j = 0; j < sides; ++j) {
        const uint32_t next = (j + 1) % sides;
        const uint32_t caps[6] = {first, begin + next, begin + j, pole, end + j, end + next};
        memcpy(out, caps, sizeof caps);
        out += 6;
    }
    for (uint32_t ring = begin; ring < end; ring += sides)
        for (uint32_t j = 0; j < sides; ++j) {
            const uint32_t a = ring + j, b = ring + (j + 1) % sides;
            const uint32_t strip[6] = {a, b, a + sides, b, b + sides, a + sides};
            memcpy(out, strip, sizeof strip);
            out += 6;
        }
    return out;
}

VelaResult tubes_create(Arena *arena, const FrameTopology *topology, RenderTubes *tubes)
{
    *tubes = (RenderTubes){.sides = TUBE_SIDES_MOST};
    TRY(check_cables(arena->context, topology));
    while (tubes->sides > TUBE_SIDES_LEAST && all_rings(topology, tubes->sides) * tubes->sides > VERTEX_GOAL)
        tubes->sides -= 4;
    const int32_t sides = tubes->sides;
    const int64_t rings = all_rings(topology, sides), triangles = 2 * rings * sides;
    FAIL_IF(arena->context, triangles > INT32_MAX / 6, VELA_ERROR_INVALID_INPUT,
            "tubes of %d cables with %d segments cannot be drawn: %lld triangles, expected at most %d",
            topology->cable_count, topology->segment_count, (long long)triangles, INT32_MAX / 6);
    tubes->vertex_count = (int32_t)(rings * sides) + 2 * topology->cable_count;
    tubes->triangle_count = (int32_t)triangles;
    for (int32_t j = 0; j < sides; ++j) {
        tubes->circle[j][0] = cos(2 * PI * j / sides);
        tubes->circle[j][1] = sin(2 * PI * j / sides);
    }
    TRY(ARENA_ARRAY(arena, tubes->indices, 3 * (size_t)triangles));
    uint32_t *out = tubes->indices, first = 0;
    for (int32_t i = 0; i < topology->cable_count; ++i) {
        const uint32_t count = (uint32_t)ring_count(sides, topology->cables[i].segment_count);
        out = fill_indices(out, first, count, (uint32_t)sides);
        first += 2 + count * (uint32_t)sides;
        tubes->mean_edge += 2 * sin(PI / sides) * topology->cables[i].radius / topology->cable_count;
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- a frame

// A tube that is being swept along a cable. The ring at hand is spanned by `across` and the direction crossed with it.
typedef struct Sweep {
    const RenderTubes *tubes;
    const FrameTopology *topology;
    const FrameCable *cable;
    const Frame *frame;
    const double *center;
    ColorBy color_by;
    double direction[3], across[3]; ///< unit, at right angles
    SurfaceVertex *next;
} Sweep;

// The vertex at which segment `s` of the cable begins; with s = segment_count, where the last ends.
static int32_t cable_vertex(const Sweep *sweep, int32_t s)
{
    const int32_t *segments = sweep->topology->segments + 2 * (size_t)sweep->cable->first_segment;
    return s < sweep->cable->segment_count ? segments[2 * (size_t)s] : segments[2 * (size_t)s - 1];
}

static const double *cable_position(const Sweep *sweep, int32_t s)
{
    return sweep->frame->positions + 3 * (size_t)cable_vertex(sweep, s);
}

// False where the segment is too short to have a direction; `out` then stays as it was.
static bool segment_direction(const Sweep *sweep, int32_t s, double out[3])
{
    double along[3];
    subtract3(cable_position(sweep, s + 1), cable_position(sweep, s), along);
    if (normalize3(along) <= SHORTEST * sweep->cable->radius)
        return false;
    memcpy(out, along, sizeof along);
    return true;
}

static float point_value(const Sweep *sweep, int32_t s)
{
    if (sweep->color_by == COLOR_BY_BODY)
        return 0;
    if (sweep->cable->body >= sweep->topology->body_count - sweep->topology->plain_count)
        return surface_value(NAN);
    if (sweep->color_by == COLOR_BY_SPEED)
        return (float)norm3(sweep->frame->velocities + 3 * (size_t)cable_vertex(sweep, s));
    const int32_t *elements = sweep->topology->segment_elements + sweep->cable->first_segment;
    const int32_t before = s > 0 ? s - 1 : 0, after = s < sweep->cable->segment_count ? s : s - 1;
    return surface_value(0.5 * (render_element_value(sweep->frame, sweep->color_by, elements[before]) +
                                render_element_value(sweep->frame, sweep->color_by, elements[after])));
}

// Vertices on the sphere about a point of the cable, at a latitude over the plane across `direction`.
static void add_vertices(Sweep *sweep, int32_t s, const double direction[3], const double across[3],
                         double latitude, int32_t count)
{
    double beside[3];
    cross3(direction, across, beside);
    const double *point = cable_position(sweep, s), wide = cos(latitude), high = sin(latitude);
    SurfaceVertex vertex = {.value = point_value(sweep, s), .body = (uint32_t)sweep->cable->body};
    for (int32_t j = 0; j < count; ++j) {
        const double *circle = sweep->tubes->circle[j];
        for (int i = 0; i < 3; ++i) {
            const double normal =
                wide * (circle[0] * across[i] + circle[1] * beside[i]) + high * direction[i];
            vertex.normal[i] = (float)normal;
            vertex.position[i] = (float)(point[i] - sweep->center[i] + sweep->cable->radius * normal);
        }
        *sweep->next++ = vertex; // one write: the memory may be write-combined
    }
}

// The half sphere at an end, from the pole to the ring of full width or back.
static void add_cap(Sweep *sweep, int32_t s, bool at_start)
{
    const int32_t steps = sweep->tubes->sides / 4;
    for (int32_t k = 0; k <= steps; ++k) {
        const double latitude = 0.5 * PI * (at_start ? k - steps : k) / steps;
        const bool pole = at_start ? k == 0 : k == steps;
        add_vertices(sweep, s, sweep->direction, sweep->across, latitude, pole ? 1 : sweep->tubes->sides);
    }
}

// Rings from the direction at hand to `direction`, which becomes the one at hand.
static void add_joint(Sweep *sweep, int32_t s, const double direction[3])
{
    double axis[3], rotation[9], turned[3], across[3];
    cross3(sweep->direction, direction, axis);
    const double turn = atan2(norm3(axis), dot3(sweep->direction, direction));
    // Straight on, or straight back: any axis across will do.
    if (normalize3(axis) < 1e-9)
        memcpy(axis, sweep->across, sizeof axis);
    const double smooth = 0.5 * fmin(turn, SMOOTH_TURN);
    const int32_t steps = sweep->tubes->sides / 4 - 1;
    for (int32_t k = 0; k <= steps; ++k) {
        matrix3_rotation(axis, smooth + (turn - 2 * smooth) * k / steps, rotation);
        matrix3_apply(rotation, sweep->direction, turned);
        matrix3_apply(rotation, sweep->across, across);
        add_vertices(sweep, s, turned, across, 0, sweep->tubes->sides);
    }
    matrix3_rotation(axis, turn, rotation);
    matrix3_apply(rotation, sweep->across, sweep->across);
    memcpy(sweep->direction, direction, sizeof sweep->direction);
    // Rounding does not add up along the cable.
    add_scaled3(sweep->across, -dot3(sweep->across, sweep->direction), sweep->direction, sweep->across);
    normalize3(sweep->across);
}

static void add_tube(Sweep *sweep)
{
    const int32_t count = sweep->cable->segment_count;
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    memcpy(sweep->direction, x, sizeof x);
    for (int32_t s = 0; s < count && !segment_direction(sweep, s, sweep->direction);)
        ++s;
    cross3(sweep->direction, fabs(sweep->direction[1]) < 0.9 ? y : x, sweep->across);
    normalize3(sweep->across);
    add_cap(sweep, 0, true);
    for (int32_t s = 1; s < count; ++s) {
        double direction[3];
        memcpy(direction, sweep->direction, sizeof direction);
        segment_direction(sweep, s, direction);
        add_joint(sweep, s, direction);
    }
    add_cap(sweep, count, false);
}

VelaResult tubes_fill(VelaContext *context, const RenderTubes *tubes, const FrameTopology *topology,
                      const Frame *frame, const double center[3], ColorBy color_by, SurfaceVertex *vertices)
{
    for (int32_t i = 0; i < 2 * topology->segment_count; ++i) {
        const double *position = frame->positions + 3 * (size_t)topology->segments[i];
        for (int k = 0; k < 3; ++k)
            FAIL_IF(context, !(fabs(position[k]) < 1e30), VELA_ERROR_INVALID_INPUT,
                    "frame %lld: vertex %d stands at (%g, %g, %g), expected finite coordinates",
                    (long long)frame->index, topology->segments[i], position[0], position[1], position[2]);
    }
    Sweep sweep = {.tubes = tubes,
                   .topology = topology,
                   .frame = frame,
                   .center = center,
                   .color_by = color_by,
                   .next = vertices};
    for (int32_t i = 0; i < topology->cable_count; ++i) {
        sweep.cable = &topology->cables[i];
        add_tube(&sweep);
    }
    return VELA_OK;
}
