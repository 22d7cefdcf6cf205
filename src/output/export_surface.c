#include "output/export_surface.h"

#include "base/file.h"

#include <math.h>
#include <string.h>

static uint8_t color_byte(double value)
{
    return (uint8_t)lrint(255 * fmin(fmax(value, 0), 1));
}

VelaResult export_surface_make(VelaContext *context, const FrameTopology *topology, Arena *arena,
                               ExportSurface *surface)
{
    (void)context;
    int32_t *vertex_of, *vertex_points, *triangles, *segments;
    uint8_t *colors;
    TRY(ARENA_ARRAY(arena, vertex_of, topology->vertex_count));
    TRY(ARENA_ARRAY(arena, triangles, 3 * (size_t)topology->triangle_count));
    TRY(ARENA_ARRAY(arena, segments, 2 * (size_t)topology->segment_count));
    for (int64_t i = 0; i < 3 * (int64_t)topology->triangle_count; ++i)
        vertex_of[topology->triangles[i]] = 1;
    for (int64_t i = 0; i < 2 * (int64_t)topology->segment_count; ++i)
        vertex_of[topology->segments[i]] = 1;
    int32_t count = 0;
    for (int32_t i = 0; i < topology->vertex_count; ++i)
        vertex_of[i] = vertex_of[i] ? count++ : -1;
    TRY(ARENA_ARRAY(arena, vertex_points, count));
    TRY(ARENA_ARRAY(arena, colors, 3 * (size_t)count));
    for (int32_t i = 0; i < topology->vertex_count; ++i)
        if (vertex_of[i] >= 0)
            vertex_points[vertex_of[i]] = i;
    for (int64_t i = 0; i < 3 * (int64_t)topology->triangle_count; ++i)
        triangles[i] = vertex_of[topology->triangles[i]];
    for (int64_t i = 0; i < 2 * (int64_t)topology->segment_count; ++i)
        segments[i] = vertex_of[topology->segments[i]];
    for (int32_t b = 0; b < topology->body_count; ++b) {
        const FrameBody *body = &topology->bodies[b];
        for (int32_t i = 0; i < body->vertex_count; ++i) {
            const int32_t vertex = vertex_of[body->first_vertex + i];
            for (int k = 0; vertex >= 0 && k < 3; ++k)
                colors[3 * vertex + k] = color_byte(body->color[k]);
        }
    }
    *surface = (ExportSurface){
        count, topology->triangle_count, topology->segment_count, vertex_points, triangles, segments, colors};
    return VELA_OK;
}

VelaResult export_surface_obj(VelaContext *context, const char *path, const FrameTopology *topology,
                              const ExportSurface *surface, const Frame *frame)
{
    FileWriter writer;
    TRY(file_writer_open(&writer, context, path));
    FILE *file = writer.file;
    fprintf(file, "# vela, frame %lld, t = %.9g s\n", (long long)frame->index, frame->time);
    for (int32_t i = 0; i < surface->vertex_count; ++i) {
        const double *x = frame->positions + 3 * (int64_t)surface->vertex_points[i];
        fprintf(file, "v %.9g %.9g %.9g\n", x[0], x[1], x[2]);
    }
    const FrameCable *cable = topology->cables, *end = cable + topology->cable_count;
    for (int32_t b = 0; b < topology->body_count; ++b) {
        const FrameBody *body = &topology->bodies[b];
        fputs("o ", file);
        for (const char *at = body->name; *at; ++at) // a line end in a name would end the statement
            fputc((unsigned char)*at < ' ' ? '_' : *at, file);
        fputc('\n', file);
        for (int32_t i = 0; i < body->triangle_count; ++i) {
            const int32_t *triangle = surface->triangles + 3 * ((int64_t)body->first_triangle + i);
            fprintf(file, "f %d %d %d\n", triangle[0] + 1, triangle[1] + 1, triangle[2] + 1);
        }
        // One statement a segment: readers that know polylines know lines, and no line of text grows long.
        for (; cable < end && cable->body == b; ++cable)
            for (int32_t i = 0; i < cable->segment_count; ++i) {
                const int32_t *segment = surface->segments + 2 * ((int64_t)cable->first_segment + i);
                fprintf(file, "l %d %d\n", segment[0] + 1, segment[1] + 1);
            }
    }
    return file_writer_commit(&writer, false);
}

enum { PLY_VERTEX = 6 * 4 + 3, PLY_TRIANGLE = 1 + 3 * 4, PLY_EDGE = 2 * 4, PLY_HEADER_CAPACITY = 1024 };

static size_t ply_header(char *text, const ExportSurface *surface, const Frame *frame)
{
    char edges[80] = "";
    if (surface->segment_count > 0)
        snprintf(edges, sizeof edges, "element edge %d\nproperty int vertex1\nproperty int vertex2\n",
                 surface->segment_count);
    return (size_t)snprintf(text, PLY_HEADER_CAPACITY,
                            "ply\nformat binary_little_endian 1.0\ncomment vela, frame %lld, t = %.9g s\n"
                            "element vertex %d\n"
                            "property float x\nproperty float y\nproperty float z\n"
                            "property float vx\nproperty float vy\nproperty float vz\n"
                            "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                            "element face %d\nproperty list uchar int vertex_indices\n%send_header\n",
                            (long long)frame->index, frame->time, surface->vertex_count,
                            surface->triangle_count, edges);
}

VelaResult export_surface_ply(VelaContext *context, const char *path, const ExportSurface *surface,
                              const Frame *frame, Arena *arena)
{
    char *bytes;
    TRY(ARENA_ARRAY(arena, bytes,
                    PLY_HEADER_CAPACITY + (size_t)surface->vertex_count * PLY_VERTEX +
                        (size_t)surface->triangle_count * PLY_TRIANGLE +
                        (size_t)surface->segment_count * PLY_EDGE));
    char *at = bytes + ply_header(bytes, surface, frame);
    for (int32_t i = 0; i < surface->vertex_count; ++i) {
        const int64_t point = surface->vertex_points[i];
        float values[6];
        for (int k = 0; k < 3; ++k) {
            values[k] = (float)frame->positions[3 * point + k];
            values[3 + k] = (float)frame->velocities[3 * point + k];
        }
        memcpy(at, values, sizeof values);
        memcpy(at + sizeof values, surface->colors + 3 * (int64_t)i, 3);
        at += PLY_VERTEX;
    }
    for (int32_t i = 0; i < surface->triangle_count; ++i) {
        *at = 3;
        memcpy(at + 1, surface->triangles + 3 * (int64_t)i, 3 * sizeof(int32_t));
        at += PLY_TRIANGLE;
    }
    const size_t edges = (size_t)surface->segment_count * PLY_EDGE;
    if (edges > 0)
        memcpy(at, surface->segments, edges);
    at += edges;
    return file_write(context, path, bytes, (size_t)(at - bytes));
}
