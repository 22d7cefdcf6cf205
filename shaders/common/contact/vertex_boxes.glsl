// Boxes of vertices: of their whole motion, inflated so that two boxes meet whenever their vertices may come within the contact
// distance and both owners' separations. Declare the buffers `vertices`, `motion`, `numbers`, `lists`, `owner_motion` before.
#ifndef COMMON_CONTACT_VERTEX_BOXES_GLSL
#define COMMON_CONTACT_VERTEX_BOXES_GLSL

#include "common/contact/boxes.glsl"
#include "common/contact/lists.glsl"
#include "common/real.glsl"

real owner_separation(uint owner)
{
    return numbers[CONTACT_NUMBERS + vertex_count + triangle_count + edge_count + owner];
}

float owner_margin(uint owner)
{
    return float(real(0.5) * numbers[CONTACT_DISTANCE] + owner_separation(owner));
}

/// `mean`: the motion that the box moves with.
Box vertex_box(uint vertex, vec3 mean, float margin)
{
    const vec3 own = moves != 0u ? vec3(exact3_value(motion[vertex])) - mean : vec3(0.0);
    return box_swept(vec3(exact3_value(vertices[vertex])), own, margin);
}

#endif
