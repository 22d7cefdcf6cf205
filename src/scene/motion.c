#include "base/matrix3.h"
#include "scene/scene.h"

/// A rotation about a point, then a translation.
typedef struct Placement {
    double rotation[9], about[3], translate[3];
} Placement;

static const double RADIANS_PER_DEGREE = 3.14159265358979323846 / 180;

static double mix(double a, double b, double weight)
{
    return weight == 1 ? b : a + weight * (b - a);
}

static void quaternion_make(const double axis[3], double degrees, double q[4])
{
    const double half = 0.5 * degrees * RADIANS_PER_DEGREE, s = sin(half);
    q[0] = cos(half);
    for (int i = 0; i < 3; ++i)
        q[1 + i] = s * axis[i];
}

static void quaternion_matrix(const double q[4], double out[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double result[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y),
    };
    memcpy(out, result, sizeof result);
}

/// Spherical linear interpolation along the shorter arc.
static void quaternion_slerp(const double a[4], const double b[4], double weight, double out[4])
{
    double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    const double sign = cosine < 0 ? -1 : 1;
    cosine = fmin(fabs(cosine), 1);
    const double angle = acos(cosine), sine = sin(angle);
    // Nearly equal: the chord is the arc.
    const double wa = sine < 1e-9 ? 1 - weight : sin((1 - weight) * angle) / sine;
    const double wb = sine < 1e-9 ? weight : sin(weight * angle) / sine;
    double length_sq = 0;
    for (int i = 0; i < 4; ++i) {
        out[i] = wa * a[i] + sign * wb * b[i];
        length_sq += out[i] * out[i];
    }
    for (int i = 0; i < 4; ++i)
        out[i] /= sqrt(length_sq);
}

/// Rotation between two keyframes that both have an axis by now.
static void rotation_between(const double axis_a[3], double degrees_a, const double axis_b[3],
                             double degrees_b, double weight, double out[9])
{
    const double cosine = dot3(axis_a, axis_b);
    if (fabs(cosine) >= 1 - 1e-12) {
        // One line: the angle runs, however many turns it takes. An opposite axis is the same with the
        // angle's sign turned.
        const double end = cosine > 0 ? degrees_b : -degrees_b;
        matrix3_rotation(axis_a, mix(degrees_a, end, weight) * RADIANS_PER_DEGREE, out);
        return;
    }
    double a[4], b[4], q[4];
    quaternion_make(axis_a, degrees_a, a);
    quaternion_make(axis_b, degrees_b, b);
    quaternion_slerp(a, b, weight, q);
    quaternion_matrix(q, out);
}

static void placement_between(const Keyframe *a, const Keyframe *b, double weight, Placement *out)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(out->rotation, identity, sizeof identity);
    const Keyframe *point_a = a->has_rotation ? a : b, *point_b = b->has_rotation ? b : a;
    for (int i = 0; i < 3; ++i) {
        out->translate[i] = mix(a->translate[i], b->translate[i], weight);
        out->about[i] = mix(point_a->about[i], point_b->about[i], weight);
    }
    if (!a->has_rotation && !b->has_rotation)
        return;
    // No angle, no axis of its own: the other's.
    const Keyframe *axis_a = !a->has_rotation || (a->degrees == 0 && b->has_rotation) ? b : a;
    const Keyframe *axis_b = !b->has_rotation || (b->degrees == 0 && a->has_rotation) ? a : b;
    if (axis_a == b && axis_b == a)
        axis_a = a, axis_b = a; // both at 0 degrees
    rotation_between(axis_a->axis, a->degrees, axis_b->axis, b->degrees, weight, out->rotation);
}

/// The last keyframe at or before `time`; -1 before the first.
static int32_t keyframe_before(const Motion *motion, double time)
{
    int32_t low = -1, high = motion->keyframe_count;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (motion->keyframes[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool motion_place(const Motion *motion, double time, Placement *out)
{
    if (motion->spin) {
        matrix3_rotation(motion->spin_axis, motion->spin_speed * time, out->rotation);
        memcpy(out->about, motion->spin_about, sizeof out->about);
        memset(out->translate, 0, sizeof out->translate);
        return true;
    }
    if (motion->keyframe_count == 0)
        return false;
    const int32_t before = keyframe_before(motion, time), last = motion->keyframe_count - 1;
    const Keyframe *a = &motion->keyframes[before < 0 ? 0 : before];
    const Keyframe *b = &motion->keyframes[before < 0 ? 0 : before < last ? before + 1 : last];
    placement_between(a, b, b == a ? 0 : (time - a->time) / (b->time - a->time), out);
    return true;
}

void motion_apply(const Motion *motion, double time, const double initial[3], double out[3])
{
    Placement placement;
    double result[3] = {initial[0], initial[1], initial[2]};
    if (motion_place(motion, time, &placement)) {
        // Added to the start instead of computed anew, so that a place at rest stays the same to the last
        // bit.
        double arm[3], turned[3];
        subtract3(initial, placement.about, arm);
        matrix3_apply(placement.rotation, arm, turned);
        for (int i = 0; i < 3; ++i)
            result[i] = initial[i] + (turned[i] - arm[i]) + placement.translate[i];
    }
    memcpy(out, result, sizeof result);
}

void motion_rotate(const Motion *motion, double time, const double initial[3], double out[3])
{
    Placement placement;
    double result[3] = {initial[0], initial[1], initial[2]};
    if (motion_place(motion, time, &placement))
        matrix3_apply(placement.rotation, initial, result);
    memcpy(out, result, sizeof result);
}

bool motion_turn(const Motion *motion, double from, double to, double turn[9])
{
    Placement before, after;
    if (!motion_place(motion, from, &before) || !motion_place(motion, to, &after) ||
        memcmp(before.rotation, after.rotation, sizeof before.rotation) == 0)
        return false;
    for (int i = 0; i < 9; ++i)
        turn[i] = dot3(after.rotation + 3 * (i / 3), before.rotation + 3 * (i % 3));
    return true;
}

bool motion_turns(const Motion *motion)
{
    bool turns = motion->spin;
    for (int32_t i = 0; i < motion->keyframe_count; ++i)
        turns |= motion->keyframes[i].has_rotation && motion->keyframes[i].degrees != 0;
    return turns;
}

static double farthest_in_box(const double low[3], const double high[3], const double from[3])
{
    double corner[3];
    for (int k = 0; k < 3; ++k)
        corner[k] = fmax(fabs(low[k] - from[k]), fabs(high[k] - from[k]));
    return norm3(corner);
}

// x = x_0 + (R - I)(x_0 - c) + t between two keyframes, with c the point turned about: |x'| <= |w||x_0 - c| + 2|c'| + |t'|.
// What turns does so with a constant rate, by no more than both angles together.
static double speed_between(const Keyframe *a, const Keyframe *b, const double low[3], const double high[3])
{
    double way[3], shift[3] = {0}, turn = 0, arm = 0;
    subtract3(b->translate, a->translate, way);
    if (a->has_rotation || b->has_rotation) {
        const Keyframe *point_a = a->has_rotation ? a : b, *point_b = b->has_rotation ? b : a;
        const double from = a->has_rotation ? a->degrees : 0, to = b->has_rotation ? b->degrees : 0;
        turn = memcmp(point_a->axis, point_b->axis, sizeof point_a->axis) == 0 ? fabs(to - from)
                                                                               : fabs(to) + fabs(from);
        subtract3(point_b->about, point_a->about, shift);
        arm = fmax(farthest_in_box(low, high, point_a->about), farthest_in_box(low, high, point_b->about));
    }
    return (turn * RADIANS_PER_DEGREE * arm + 2 * norm3(shift) + norm3(way)) / (b->time - a->time);
}

double motion_speed(const Motion *motion, double from, const double low[3], const double high[3])
{
    if (motion->spin)
        return fabs(motion->spin_speed) * farthest_in_box(low, high, motion->spin_about);
    double speed = 0;
    for (int32_t i = 0; i + 1 < motion->keyframe_count; ++i)
        if (motion->keyframes[i + 1].time > from)
            speed = fmax(speed, speed_between(&motion->keyframes[i], &motion->keyframes[i + 1], low, high));
    return speed;
}
