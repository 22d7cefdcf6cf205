// One triangle over the whole image.
#version 450

void main()
{
    const vec2 corner = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
    gl_Position = vec4(2.0 * corner - 1.0, 1.0, 1.0);
}
