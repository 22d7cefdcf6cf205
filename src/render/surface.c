#include "render/surface.h"

#include "abi/render_layout.h"

#include "base/matrix3.h"

#include <stdlib.h>

// A directed edge of a triangle, keyed by its undirected ends.
typedef struct SurfaceEdge {
    int32_t low, high; // points
    int32_t corner;    // the corner at which it starts: 3 * triangle + k
} SurfaceEdge;

static int edge_compare(const void *a, const void *b)
{
    const SurfaceEdge *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return x->corner < y->corner ? -1 : x->corner > y->corner;
}

static int32_t corner_root(int32_t *parent, int32_t corner)
{
    while (parent[corner] != corner) {
        parent[corner] = parent[parent[corner]];
        corner = parent[corner];
    }
    return corner;
}

// The smaller index becomes the root, so that the result does not depend on the order of joining.
static void corner_join(int32_t *parent, int32_t a, int32_t b)
{
    a = corner_root(parent, a);
    b = corner_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

static void triangle_normal(const double *positions, const int32_t points[3], double normal[3])
{
    double e1[3], e2[3];
    subtract3(positions + 3 * (size_t)points[1], positions + 3 * (size_t)points[0], e1);
    subtract3(positions + 3 * (size_t)points[2], positions + 3 * (size_t)points[0], e2);
    cross3(e1, e2, normal);
}

static VelaResult topology_check(VelaContext *context, const FrameTopology *topology)
{
    FAIL_IF(context, topology->triangle_count < 0 || topology->triangle_count > INT32_MAX / 6,
            VELA_ERROR_INVALID_INPUT, "%d surface triangles cannot be drawn, expected 0 to %d",
            topology->triangle_count, INT32_MAX / 6);
    for (int32_t i = 0; i < 3 * topology->triangle_count; ++i)
        FAIL_IF(context, topology->triangles[i] < 0 || topology->triangles[i] >= topology->vertex_count,
                VELA_ERROR_INVALID_INPUT, "surface triangle %d names vertex %d, expected 0 to %d", i / 3,
                topology->triangles[i], topology->vertex_count - 1);
    for (int32_t i = 0; i < topology->triangle_count; ++i)
        FAIL_IF(context,
                topology->element_count > 0 && (topology->triangle_elements[i] < 0 ||
                                                topology->triangle_elements[i] >= topology->element_count),
                VELA_ERROR_INVALID_INPUT, "surface triangle %d names tet %d, expected 0 to %d", i,
                topology->triangle_elements[i], topology->element_count - 1);
    for (int32_t b = 0; b < topology->body_count; ++b) {
        const FrameBody *body = &topology->bodies[b];
        FAIL_IF(context,
                body->first_triangle < 0 || body->triangle_count < 0 ||
                    body->first_triangle > topology->triangle_count - body->triangle_count,
                VELA_ERROR_INVALID_INPUT, "body %d has the triangles %d to %d, expected a part of 0 to %d", b,
                body->first_triangle, body->first_triangle + body->triangle_count - 1,
                topology->triangle_count - 1);
    }
    return VELA_OK;
}

// Number of edges in the sorted list that join the same two points as the one at `first`.
static size_t edge_run(const SurfaceEdge *edges, size_t edge_count, size_t first)
{
    size_t end = first + 1;
    while (end < edge_count && edges[end].low == edges[first].low && edges[end].high == edges[first].high)
        ++end;
    return end - first;
}

// For each corner, the cosine of the angle by which the surface turns at the edge that starts there; -1 where the
// edge has one triangle or more than two.
static void edges_measure(const FrameTopology *topology, const SurfaceEdge *edges, size_t edge_count,
                          double *turn)
{
    for (size_t i = 0, run; i < edge_count; i += run) {
        run = edge_run(edges, edge_count, i);
        double cosine = -1;
        if (run == 2) {
            double n0[3], n1[3];
            triangle_normal(topology->rest_positions, topology->triangles + edges[i].corner / 3 * 3, n0);
            triangle_normal(topology->rest_positions, topology->triangles + edges[i + 1].corner / 3 * 3, n1);
            const double lengths = norm3(n0) * norm3(n1);
            cosine = lengths > 0 ? dot3(n0, n1) / lengths : 1;
        }
        for (size_t k = i; k < i + run; ++k)
            turn[edges[k].corner] = cosine;
    }
}

// A crease turns by more than the limit and has flat, or just as sharp, surroundings; or it turns by a lot. On a
// coarsely meshed round shape single edges turn sharply as well, amid others that turn a little less.
static bool edge_is_crease(const double *turn, int32_t c0, int32_t c1, double cosine)
{
    const double FLAT = 0.985, VERY_SHARP = 0.17; // cosines of 10 and 80 degrees
    if (turn[c0] >= cosine)
        return false;
    if (turn[c0] < VERY_SHARP)
        return true;
    for (int k = 1; k < 3; ++k) {
        const double a = turn[c0 / 3 * 3 + (c0 + k) % 3], b = turn[c1 / 3 * 3 + (c1 + k) % 3];
        if ((a < FLAT && a >= cosine) || (b < FLAT && b >= cosine))
            return false;
    }
    return true;
}

// Joins the corners on both sides of every smooth edge. An edge of one triangle, or of more than two, is a crease.
static void edges_join(const FrameTopology *topology, const SurfaceEdge *edges, size_t edge_count,
                       const double *turn, double cosine, int32_t *parent)
{
    for (size_t i = 0, run; i < edge_count; i += run) {
        run = edge_run(edges, edge_count, i);
        if (run != 2 || edge_is_crease(turn, edges[i].corner, edges[i + 1].corner, cosine))
            continue;
        const int32_t c0 = edges[i].corner, c1 = edges[i + 1].corner;
        const int32_t next0 = c0 / 3 * 3 + (c0 + 1) % 3, next1 = c1 / 3 * 3 + (c1 + 1) % 3;
        const bool same = topology->triangles[c0] == topology->triangles[c1];
        corner_join(parent, c0, same ? c1 : next1);
        corner_join(parent, next0, same ? next1 : c1);
    }
}

static double edges_collect(const FrameTopology *topology, SurfaceEdge *edges)
{
    double total = 0;
    const size_t corner_count = 3 * (size_t)topology->triangle_count;
    for (size_t c = 0; c < corner_count; ++c) {
        const size_t next = c / 3 * 3 + (c + 1) % 3;
        const int32_t a = topology->triangles[c], b = topology->triangles[next];
        edges[c] = (SurfaceEdge){a < b ? a : b, a < b ? b : a, (int32_t)c};
        double difference[3];
        subtract3(topology->rest_positions + 3 * (size_t)a, topology->rest_positions + 3 * (size_t)b,
                  difference);
        total += norm3(difference);
    }
    qsort(edges, corner_count, sizeof *edges, edge_compare);
    return corner_count > 0 ? total / (double)corner_count : 0;
}

VelaResult surface_create(Arena *arena, const FrameTopology *topology, double crease_degrees,
                          RenderSurface *surface)
{
    *surface =
        (RenderSurface){.point_count = topology->vertex_count, .triangle_count = topology->triangle_count};
    TRY(topology_check(arena->context, topology));
    const size_t corner_count = 3 * (size_t)topology->triangle_count;
    TRY(ARENA_ARRAY(arena, surface->indices, corner_count));
    TRY(ARENA_ARRAY(arena, surface->vertex_points, corner_count));
    TRY(ARENA_ARRAY(arena, surface->vertex_body, corner_count));
    TRY(ARENA_ARRAY(arena, surface->values, 2 * (size_t)topology->vertex_count));

    const ArenaMark mark = arena_mark(arena);
    SurfaceEdge *edges;
    int32_t *parent;
    double *turn;
    TRY(ARENA_ARRAY(arena, edges, corner_count));
    TRY(ARENA_ARRAY(arena, turn, corner_count));
    TRY(ARENA_ARRAY(arena, parent, corner_count));
    for (size_t c = 0; c < corner_count; ++c)
        parent[c] = (int32_t)c;
    surface->mean_edge = edges_collect(topology, edges);
    edges_measure(topology, edges, corner_count, turn);
    edges_join(topology, edges, corner_count, turn, cos(crease_degrees * (3.14159265358979323846 / 180)),
               parent);
    for (size_t c = 0; c < corner_count; ++c) {
        const int32_t root = corner_root(parent, (int32_t)c);
        if (root == (int32_t)c) {
            surface->vertex_points[surface->vertex_count] = topology->triangles[c];
            surface->indices[c] = (uint32_t)surface->vertex_count++;
        } else {
            surface->indices[c] =
                surface->indices[root]; // roots come first: they are the smallest of their set
        }
    }
    arena_release(arena, mark);

    for (int32_t b = 0; b < topology->body_count; ++b) {
        const FrameBody *body = &topology->bodies[b];
        for (int32_t i = 0; i < 3 * body->triangle_count; ++i)
            surface->vertex_body[surface->indices[3 * (size_t)body->first_triangle + (size_t)i]] =
                (uint32_t)b;
    }
    return ARENA_ARRAY(arena, surface->normals, 3 * (size_t)surface->vertex_count);
}

// Angle-weighted vertex normals: they do not depend on how flat faces are cut into triangles.
static void normals_gather(RenderSurface *surface, const FrameTopology *topology, const double *positions)
{
    memset(surface->normals, 0, 3 * (size_t)surface->vertex_count * sizeof(double));
    for (int32_t t = 0; t < surface->triangle_count; ++t) {
        const int32_t *points = topology->triangles + 3 * (size_t)t;
        double normal[3], edges[3][3];
        triangle_normal(positions, points, normal);
        if (normalize3(normal) == 0)
            continue;
        for (int k = 0; k < 3; ++k) {
            subtract3(positions + 3 * (size_t)points[(k + 1) % 3], positions + 3 * (size_t)points[k],
                      edges[k]);
            normalize3(edges[k]);
        }
        for (int k = 0; k < 3; ++k) {
            const double cosine = -dot3(edges[k], edges[(k + 2) % 3]);
            const double angle = acos(cosine < -1 ? -1 : cosine > 1 ? 1 : cosine);
            double *sum = surface->normals + 3 * (size_t)surface->indices[3 * (size_t)t + (size_t)k];
            add_scaled3(sum, angle, normal, sum);
        }
    }
}

double render_element_value(const Frame *frame, ColorBy color_by, int32_t element)
{
    const float *strain = frame->strain + PRINCIPAL_STRAINS * (size_t)element;
    float largest = color_by == COLOR_BY_STRAIN ? strain[0] : 0;
    switch (color_by) {
    case COLOR_BY_TENSION:
        return frame->tension ? (double)frame->tension[element] : NAN;
    case COLOR_BY_STRETCH:
        return (double)frame->stretch[element];
    case COLOR_BY_STRESS:
        return frame_von_mises(frame->stress + STRESS_COMPONENTS * (size_t)element);
    case COLOR_BY_STRAIN:
        for (int k = 1; k < PRINCIPAL_STRAINS; ++k)
            largest = fabsf(strain[k]) > fabsf(largest) ? strain[k] : largest;
        return (double)largest;
    case COLOR_BY_THICKNESS:
        return (double)strain[PRINCIPAL_STRAINS - 1];
    default:
        return (double)frame->energy_density[element];
    }
}

static void values_gather(RenderSurface *surface, const FrameTopology *topology, const Frame *frame,
                          ColorBy color_by)
{
    memset(surface->values, 0, 2 * (size_t)surface->point_count * sizeof(double));
    if (color_by == COLOR_BY_SPEED) {
        for (int32_t i = 0; i < surface->point_count; ++i) {
            surface->values[2 * (size_t)i] = norm3(frame->velocities + 3 * (size_t)i);
            surface->values[2 * (size_t)i + 1] = 1;
        }
        return;
    }
    for (int32_t t = 0; t < surface->triangle_count; ++t) {
        const int32_t *points = topology->triangles + 3 * (size_t)t;
        double normal[3];
        triangle_normal(frame->positions, points, normal);
        const double area = norm3(normal),
                     value = render_element_value(frame, color_by, topology->triangle_elements[t]);
        for (int k = 0; k < 3; ++k) {
            surface->values[2 * (size_t)points[k]] += area * value;
            surface->values[2 * (size_t)points[k] + 1] += area;
        }
    }
}

float surface_value(double value)
{
    return isnan(value) ? RENDER_NO_VALUE : (float)value;
}

VelaResult surface_fill(VelaContext *context, RenderSurface *surface, const FrameTopology *topology,
                        const Frame *frame, const double center[3], ColorBy color_by, SurfaceVertex *vertices,
                        double min[3], double max[3])
{
    for (int i = 0; i < 3; ++i) {
        min[i] = surface->vertex_count > 0 ? 1e300 : center[i];
        max[i] = surface->vertex_count > 0 ? -1e300 : center[i];
    }
    for (int32_t v = 0; v < surface->vertex_count; ++v) {
        const double *position = frame->positions + 3 * (size_t)surface->vertex_points[v];
        for (int i = 0; i < 3; ++i) {
            FAIL_IF(context, !(fabs(position[i]) < 1e30), VELA_ERROR_INVALID_INPUT,
                    "frame %lld: vertex %d stands at (%g, %g, %g), expected finite coordinates",
                    (long long)frame->index, surface->vertex_points[v], position[0], position[1],
                    position[2]);
            min[i] = fmin(min[i], position[i]);
            max[i] = fmax(max[i], position[i]);
        }
    }
    normals_gather(surface, topology, frame->positions);
    if (color_by != COLOR_BY_BODY)
        values_gather(surface, topology, frame, color_by);
    for (int32_t v = 0; v < surface->vertex_count; ++v) {
        const size_t point = (size_t)surface->vertex_points[v];
        double *normal = surface->normals + 3 * (size_t)v;
        if (normalize3(normal) == 0)
            normal[1] = 1;
        SurfaceVertex vertex = {.body = surface->vertex_body[v]};
        for (int i = 0; i < 3; ++i) {
            vertex.position[i] = (float)(frame->positions[3 * point + (size_t)i] - center[i]);
            vertex.normal[i] = (float)normal[i];
        }
        if (color_by != COLOR_BY_BODY && surface->values[2 * point + 1] > 0)
            vertex.value = surface_value(surface->values[2 * point] / surface->values[2 * point + 1]);
        vertices[v] = vertex; // one write: the memory may be write-combined
    }
    return VELA_OK;
}
