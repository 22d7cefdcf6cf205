#include "model/obstacles.h"

#include "base/matrix3.h"
#include "mesh/mesh.h"

#define PI 3.14159265358979323846

// ---------------------------------------------------------------- meshes

// Vertices that no triangle uses would collide as points; they are left out, the others keep their order.
static VelaResult drop_unused(Arena *arena, TriangleMesh *mesh)
{
    int32_t *fresh, kept = 0;
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    TRY(ARENA_ARRAY(arena, fresh, mesh->node_count));
    for (size_t c = 0; c < corners; ++c)
        fresh[mesh->triangles[c]] = 1;
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        if (!fresh[i])
            continue;
        memmove(mesh->nodes + 3 * (size_t)kept, mesh->nodes + 3 * (size_t)i, 3 * sizeof *mesh->nodes);
        fresh[i] = kept++;
    }
    for (size_t c = 0; c < corners; ++c)
        mesh->triangles[c] = fresh[mesh->triangles[c]];
    mesh->node_count = kept;
    return VELA_OK;
}

// Scale, then rotate, then translate, about the mesh's own origin, as for bodies.
static VelaResult mesh_place(VelaContext *context, const ObstacleDef *obstacle, TriangleMesh *mesh)
{
    double rotation[9];
    matrix3_rotation(obstacle->rotate_axis, obstacle->rotate_degrees * (PI / 180), rotation);
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        double *node = mesh->nodes + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k)
            node[k] *= obstacle->scale;
        if (obstacle->rotate_degrees != 0)
            matrix3_apply(rotation, node, node);
        add_scaled3(node, 1, obstacle->translate, node);
        FAIL_IF(context, !(fabs(node[0]) <= 1e30 && fabs(node[1]) <= 1e30 && fabs(node[2]) <= 1e30),
                VELA_ERROR_INVALID_INPUT,
                "%s: a vertex is placed at (%g, %g, %g), expected coordinates of magnitude at most 1e30",
                obstacle->mesh, node[0], node[1], node[2]);
    }
    return VELA_OK;
}

static VelaResult mesh_load(VelaContext *context, const ObstacleDef *obstacle, Arena *arena,
                            ObstacleSurface *surface)
{
    TriangleMesh mesh;
    TRY(mesh_read_triangles(context, obstacle->mesh, arena, &mesh));
    TRY(drop_unused(arena, &mesh));
    TRY(mesh_place(context, obstacle, &mesh));
    *surface = (ObstacleSurface){.vertex_count = mesh.node_count,
                                 .vertices = mesh.nodes,
                                 .triangle_count = mesh.triangle_count,
                                 .triangles = mesh.triangles};
    return VELA_OK;
}

// ---------------------------------------------------------------- spheres

// A ring at `steps` steps from its pole has this many vertices: the faces of an octahedron, pulled onto the sphere.
static int32_t ring_size(int32_t steps)
{
    return steps == 0 ? 1 : 4 * steps;
}

static double *sphere_ring(const ObstacleDef *sphere, int32_t steps, bool south, double *out)
{
    const double polar = 0.5 * PI * steps / OBSTACLE_SPHERE_RINGS, side = south ? -1 : 1;
    const int32_t count = ring_size(steps);
    for (int32_t i = 0; i < count; ++i) {
        const double azimuth = 2 * PI * i / count;
        *out++ = sphere->center[0] + sphere->radius * sin(polar) * cos(azimuth);
        *out++ = sphere->center[1] + sphere->radius * cos(polar) * side;
        *out++ = sphere->center[2] - sphere->radius * sin(polar) * sin(azimuth);
    }
    return out;
}

static int32_t *add_triangle(int32_t *out, int32_t a, int32_t b, int32_t c, bool turned)
{
    out[0] = turned ? b : a;
    out[1] = turned ? a : b;
    out[2] = c;
    return out + 3;
}

// Triangles between the ring at `steps` and the next larger one, which begin at the vertices `near` and `far`.
static int32_t *sphere_band(int32_t steps, int32_t near, int32_t far, bool south, int32_t *out)
{
    const int32_t near_size = ring_size(steps), far_size = ring_size(steps + 1);
    for (int32_t quarter = 0; quarter < 4; ++quarter)
        for (int32_t k = 0; k <= steps; ++k) {
            const int32_t a = far + quarter * (steps + 1) + k;
            const int32_t b = far + (quarter * (steps + 1) + k + 1) % far_size;
            const int32_t c = near + (quarter * steps + k) % near_size;
            out = add_triangle(out, a, b, c, south);
            if (k < steps)
                out = add_triangle(out, c, b, near + (quarter * steps + k + 1) % near_size, south);
        }
    return out;
}

static VelaResult sphere_make(const ObstacleDef *sphere, Arena *arena, ObstacleSurface *surface)
{
    enum { RINGS = OBSTACLE_SPHERE_RINGS };
    *surface =
        (ObstacleSurface){.vertex_count = 4 * RINGS * RINGS + 2, .triangle_count = OBSTACLE_SPHERE_TRIANGLES};
    TRY(ARENA_ARRAY(arena, surface->vertices, 3 * (size_t)surface->vertex_count));
    TRY(ARENA_ARRAY(arena, surface->triangles, 3 * (size_t)surface->triangle_count));
    double *vertex = surface->vertices;
    int32_t *triangle = surface->triangles, start = 0;
    // From the north pole to the equator, then from the ring after it to the south pole.
    for (int32_t steps = 0; steps <= RINGS; ++steps)
        vertex = sphere_ring(sphere, steps, false, vertex);
    for (int32_t steps = RINGS - 1; steps >= 0; --steps)
        vertex = sphere_ring(sphere, steps, true, vertex);
    for (int32_t steps = 0; steps < RINGS; ++steps) {
        triangle = sphere_band(steps, start, start + ring_size(steps), false, triangle);
        start += ring_size(steps);
    }
    for (int32_t steps = RINGS - 1; steps >= 0; --steps) {
        triangle = sphere_band(steps, start + ring_size(steps + 1), start, true, triangle);
        start += ring_size(steps + 1);
    }
    return VELA_OK;
}

VelaResult obstacle_surface_load(VelaContext *context, const ObstacleDef *obstacle, Arena *arena,
                                 ObstacleSurface *surface)
{
    *surface = (ObstacleSurface){0};
    switch (obstacle->kind) {
    case OBSTACLE_PLANE:
        return VELA_OK;
    case OBSTACLE_SPHERE:
        return sphere_make(obstacle, arena, surface);
    case OBSTACLE_MESH:
        return mesh_load(context, obstacle, arena, surface);
    }
    return VELA_OK;
}
