// Depth-only passes: the shadow map and the view of the bodies from the floor. Rows give x, y in [0,1] and depth.
#version 450

layout(push_constant, std430) uniform RowBlock { vec4 rows[3]; };
layout(location = 0) in vec3 in_position;

void main()
{
    const vec4 p = vec4(in_position, 1);
    gl_Position = vec4(2.0 * dot(rows[0], p) - 1.0, 2.0 * dot(rows[1], p) - 1.0, dot(rows[2], p), 1);
}
