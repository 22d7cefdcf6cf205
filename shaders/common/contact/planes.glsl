// A vertex against a plane that moves with its two vertices, as consider_plane of device/cpu/contact/candidates.c does. Include after
// common/contact/vertex_boxes.glsl and its buffers.
#ifndef COMMON_CONTACT_PLANES_GLSL
#define COMMON_CONTACT_PLANES_GLSL

/// Whether the vertex may come within d-hat of the plane; `approaches`: whether the motion may take half its gap.
bool plane_is_near(uint vertex, uint plane, out bool approaches)
{
    const uvec2 ends = plane_vertices(plane);
    const Exact3 point = vertices[ends.x];
    const real3 along = exact3_difference(vertices[ends.y], point), normal = along / sqrt(dot(along, along)),
                offset = exact3_difference(vertices[vertex], point);
    const real away = sqrt(dot(offset, offset));
    real gap = dot(offset, normal) - owner_separation(vertex_owner(vertex)), closer = real(0.0),
         size = away + abs(gap);
    if (moves != 0u) {
        const real3 relative = exact3_difference(motion[vertex], motion[ends.x]),
                    turn = exact3_difference(motion[ends.y], motion[ends.x]);
        const real turning = sqrt(dot(turn, turn)), way = sqrt(dot(relative, relative));
        closer = turning > real(0.0) ? way + turning * (away + way) : -dot(relative, normal);
        const real3 own = exact3_value(motion[vertex]), others = exact3_value(motion[ends.x]);
        size += way + sqrt(dot(own, own)) + sqrt(dot(others, others));
    }
    gap -= real(16.0) * REAL_ROUNDOFF * size; // so much the sums here may be off
    approaches = closer > real(0.5) * gap;
    // One that leaves is within its range until it has left.
    return min(gap, gap - closer) < numbers[CONTACT_DISTANCE];
}

#endif
