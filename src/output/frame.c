#include "output/frame.h"

#include "base/chunks.h"
#include "output/run_folder.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

// docs/state-format.md describes what is written here.
static const char STATE_MAGIC[8] = {'v', 'e', 'l', 'a', '.', 'v', 's', 't'};
enum {
    STATE_VERSION = 1,
    STATE_CHUNKS = 5,
    STRESS_CHUNKS = 2,
    CONSTRAINT_CHUNKS = 4,
    TOPOLOGY_CHUNKS = 8 + 1 + 1
};

typedef struct StoredFrame {
    int64_t index, step;
    double time;
    int32_t vertex_count, element_count;
} StoredFrame;

typedef struct StoredBody {
    int32_t first_vertex, vertex_count, first_tet, tet_count, first_triangle, triangle_count;
    double color[3], roughness;
} StoredBody;

typedef struct StoredCable {
    int32_t body, first_segment, segment_count, unused;
    double radius;
} StoredCable;

_Static_assert(sizeof(StoredFrame) == 32, "layout of the chunk FRAM");
_Static_assert(sizeof(StoredBody) == 56, "layout of the chunk BODY");
_Static_assert(sizeof(StoredCable) == 24, "layout of the chunk CABL");

static Chunk chunk_of(const char *name, const void *data, int64_t count, size_t size)
{
    Chunk chunk = {.data = data, .size = (uint64_t)count * size};
    memcpy(chunk.name, name, 4);
    return chunk;
}

// Cables have chunks only where there are any.
static VelaResult cable_chunks(const FrameTopology *topology, Arena *arena, Chunk **next)
{
    if (topology->cable_count == 0)
        return VELA_OK;
    StoredCable *cables;
    TRY(ARENA_ARRAY(arena, cables, topology->cable_count));
    for (int32_t i = 0; i < topology->cable_count; ++i) {
        const FrameCable *cable = &topology->cables[i];
        cables[i] = (StoredCable){cable->body, cable->first_segment, cable->segment_count, 0, cable->radius};
    }
    *(*next)++ = chunk_of("SEGS", topology->segments, topology->segment_count, 2 * sizeof(int32_t));
    *(*next)++ = chunk_of("SEGE", topology->segment_elements, topology->segment_count, sizeof(int32_t));
    *(*next)++ = chunk_of("CABL", cables, topology->cable_count, sizeof *cables);
    return VELA_OK;
}

// Only where a body has a skin: how many vertices each skin has.
static VelaResult skin_chunk(const FrameTopology *topology, Arena *arena, Chunk **next)
{
    int32_t *counts;
    bool any = false;
    TRY(ARENA_ARRAY(arena, counts, topology->body_count));
    for (int32_t i = 0; i < topology->body_count; ++i) {
        counts[i] = topology->bodies[i].skin_vertex_count;
        any |= counts[i] > 0;
    }
    if (any)
        *(*next)++ = chunk_of("SKIN", counts, topology->body_count, sizeof *counts);
    return VELA_OK;
}

// What does not change; adds the number of chunks to *count. Bodies become fixed records, their names one chunk of zero-terminated strings in the same order.
static VelaResult topology_chunks(const FrameTopology *topology, Arena *arena, Chunk chunks[TOPOLOGY_CHUNKS],
                                  int32_t *count)
{
    StoredBody *bodies;
    TRY(ARENA_ARRAY(arena, bodies, topology->body_count));
    size_t length = 0;
    for (int32_t i = 0; i < topology->body_count; ++i)
        length += strlen(topology->bodies[i].name) + 1;
    char *names;
    TRY(ARENA_ARRAY(arena, names, length));
    size_t at = 0;
    for (int32_t i = 0; i < topology->body_count; ++i) {
        const FrameBody *body = &topology->bodies[i];
        bodies[i] = (StoredBody){body->first_vertex,
                                 body->vertex_count,
                                 body->first_tet,
                                 body->tet_count,
                                 body->first_triangle,
                                 body->triangle_count,
                                 {body->color[0], body->color[1], body->color[2]},
                                 body->roughness};
        const size_t size = strlen(body->name) + 1;
        memcpy(names + at, body->name, size);
        at += size;
    }
    Chunk *next = chunks;
    *next++ = chunk_of("REST", topology->rest_positions, topology->vertex_count, 3 * sizeof(double));
    *next++ = chunk_of("TETS", topology->tets, topology->tet_count, 4 * sizeof(int32_t));
    *next++ = chunk_of("TRIS", topology->triangles, topology->triangle_count, 3 * sizeof(int32_t));
    *next++ = chunk_of("TRIT", topology->triangle_elements, topology->triangle_count, sizeof(int32_t));
    TRY(cable_chunks(topology, arena, &next));
    TRY(skin_chunk(topology, arena, &next));
    *next++ = chunk_of("BODY", bodies, topology->body_count, sizeof(StoredBody));
    *next++ = chunk_of("NAME", names, (int64_t)length, 1);
    *count += (int32_t)(next - chunks);
    return VELA_OK;
}

// Each only where there is any of it; adds the number of chunks to *count.
static VelaResult constraint_chunks(const FrameTopology *topology, const Frame *frame, Arena *arena,
                                    Chunk *chunks, int32_t *count)
{
    Chunk *next = chunks;
    if (frame->tension) {
        float *tension;
        TRY(ARENA_ARRAY(arena, tension, topology->segment_count));
        for (int32_t s = 0; s < topology->segment_count; ++s)
            tension[s] = frame->tension[topology->segment_elements[s]];
        *next++ = chunk_of("TENS", tension, topology->segment_count, sizeof *tension);
    }
    if (topology->multiplier_count > 0)
        *next++ = chunk_of("MULT", frame->multipliers, topology->multiplier_count, sizeof(double));
    if (topology->joint_count > 0)
        *next++ = chunk_of("JNTS", frame->joints, topology->joint_count, 3 * sizeof(double));
    if (topology->rod_count > 0)
        *next++ = chunk_of("RODS", frame->rods, topology->rod_count, ROD_VALUES * sizeof(double));
    *count += (int32_t)(next - chunks);
    return VELA_OK;
}

VelaResult frame_write(VelaContext *context, const char *folder, const FrameTopology *topology,
                       const Frame *frame)
{
    char path[RUN_PATH_CAPACITY];
    TRY(run_state_path(context, folder, frame->index, path));
    const StoredFrame stored = {frame->index, frame->step, frame->time, topology->vertex_count,
                                topology->element_count};
    Chunk chunks[STATE_CHUNKS + STRESS_CHUNKS + CONSTRAINT_CHUNKS + TOPOLOGY_CHUNKS] = {
        chunk_of("FRAM", &stored, 1, sizeof stored),
        chunk_of("POSI", frame->positions, topology->vertex_count, 3 * sizeof(double)),
        chunk_of("VELO", frame->velocities, topology->vertex_count, 3 * sizeof(double)),
        chunk_of("STRE", frame->stretch, topology->element_count, sizeof(float)),
        chunk_of("ENER", frame->energy_density, topology->element_count, sizeof(float)),
    };
    int32_t count = STATE_CHUNKS;
    if (frame->stress) {
        chunks[count++] =
            chunk_of("STRS", frame->stress, topology->element_count, STRESS_COMPONENTS * sizeof(float));
        chunks[count++] =
            chunk_of("STRN", frame->strain, topology->element_count, PRINCIPAL_STRAINS * sizeof(float));
    }
    Arena arena = arena_make(context);
    VelaResult result = constraint_chunks(topology, frame, &arena, chunks + count, &count);
    if (result == VELA_OK && frame->index == 0)
        result = topology_chunks(topology, &arena, chunks + count, &count);
    if (result == VELA_OK)
        result = chunks_write(context, path, STATE_MAGIC, STATE_VERSION, count, chunks, false);
    arena_clear(&arena);
    return result;
}

static VelaResult check_indices(VelaContext *context, const ChunkFile *file, const char *chunk,
                                const int32_t *indices, int64_t count, int32_t limit)
{
    for (int64_t i = 0; i < count; ++i)
        FAIL_IF(context, indices[i] < 0 || indices[i] >= limit, VELA_ERROR_INVALID_INPUT,
                "%s: chunk '%s': index %d at %lld, expected 0 to %d", file->path, chunk, indices[i],
                (long long)i, limit - 1);
    return VELA_OK;
}

static VelaResult check_finite(VelaContext *context, const ChunkFile *file, const char *chunk,
                               const double *values, int64_t vertex_count)
{
    for (int64_t i = 0; i < 3 * vertex_count; ++i)
        FAIL_IF(context, !isfinite(values[i]), VELA_ERROR_INVALID_INPUT,
                "%s: chunk '%s': vertex %lld is not finite (%g)", file->path, chunk, (long long)(i / 3),
                values[i]);
    return VELA_OK;
}

// Elements and nodes are counted in int32, as everywhere in vela.
static VelaResult find_array(VelaContext *context, const ChunkFile *file, const char *name, size_t size,
                             const void **data, int32_t *count)
{
    uint64_t found;
    TRY(chunks_find(context, file, name, size, data, &found));
    FAIL_IF(context, found > INT32_MAX, VELA_ERROR_INVALID_INPUT,
            "%s: chunk '%s' holds %llu elements, expected at most %d", file->path, name,
            (unsigned long long)found, INT32_MAX);
    *count = (int32_t)found;
    return VELA_OK;
}

static bool range_fits(int32_t first, int32_t count, int32_t whole)
{
    return first >= 0 && count >= 0 && first <= whole && count <= whole - first;
}

// A run without skins does not have the chunk.
static VelaResult read_skins(VelaContext *context, const ChunkFile *file, int32_t count, FrameBody *bodies)
{
    const int32_t *counts;
    if (!chunks_have(file, "SKIN"))
        return VELA_OK;
    TRY(chunks_find_exactly(context, file, "SKIN", sizeof *counts, (uint64_t)count, (const void **)&counts));
    for (int32_t i = 0; i < count; ++i) {
        FAIL_IF(context, !range_fits(0, counts[i], bodies[i].vertex_count), VELA_ERROR_INVALID_INPUT,
                "%s: chunk 'SKIN': the skin of body %d has %d vertices, expected at most the %d of the body",
                file->path, i, counts[i], bodies[i].vertex_count);
        bodies[i].skin_vertex_count = counts[i];
    }
    return VELA_OK;
}

static VelaResult read_bodies(VelaContext *context, const ChunkFile *file, Arena *arena,
                              FrameTopology *topology)
{
    const StoredBody *stored;
    const char *names;
    uint64_t length;
    TRY(find_array(context, file, "BODY", sizeof *stored, (const void **)&stored, &topology->body_count));
    TRY(chunks_find(context, file, "NAME", 1, (const void **)&names, &length));
    FrameBody *bodies;
    TRY(ARENA_ARRAY(arena, bodies, topology->body_count));
    for (int32_t i = 0; i < topology->body_count; ++i) {
        const StoredBody *from = &stored[i];
        const char *end = memchr(names, 0, length);
        FAIL_IF(context, !end, VELA_ERROR_INVALID_INPUT, "%s: chunk 'NAME' holds %d names, expected %d",
                file->path, i, topology->body_count);
        FAIL_IF(context,
                !range_fits(from->first_vertex, from->vertex_count, topology->vertex_count) ||
                    !range_fits(from->first_tet, from->tet_count, topology->tet_count) ||
                    !range_fits(from->first_triangle, from->triangle_count, topology->triangle_count),
                VELA_ERROR_INVALID_INPUT, "%s: chunk 'BODY': the ranges of body %d ('%s') exceed the mesh",
                file->path, i, names);
        bodies[i] = (FrameBody){.name = names,
                                .first_vertex = from->first_vertex,
                                .vertex_count = from->vertex_count,
                                .first_tet = from->first_tet,
                                .tet_count = from->tet_count,
                                .first_triangle = from->first_triangle,
                                .triangle_count = from->triangle_count,
                                .color = {from->color[0], from->color[1], from->color[2]},
                                .roughness = from->roughness};
        length -= (uint64_t)(end + 1 - names);
        names = end + 1;
    }
    topology->bodies = bodies;
    return read_skins(context, file, topology->body_count, bodies);
}

// A cable's segments are one polyline, and cables share none: what draws and exports them need not ask again.
static VelaResult check_cables(VelaContext *context, const ChunkFile *file, const FrameTopology *topology)
{
    int32_t next = 0, body = 0;
    for (int32_t i = 0; i < topology->cable_count; ++i) {
        const FrameCable *cable = &topology->cables[i];
        FAIL_IF(context, cable->body < body || cable->body >= topology->body_count, VELA_ERROR_INVALID_INPUT,
                "%s: chunk 'CABL': cable %d is of body %d, expected %d to %d", file->path, i, cable->body,
                body, topology->body_count - 1);
        FAIL_IF(
            context,
            cable->first_segment != next || cable->segment_count < 1 ||
                cable->segment_count > topology->segment_count - next,
            VELA_ERROR_INVALID_INPUT,
            "%s: chunk 'CABL': cable %d has %d segments from %d on, expected at least one from %d on, of %d",
            file->path, i, cable->segment_count, cable->first_segment, next, topology->segment_count);
        FAIL_IF(context, !(cable->radius > 0) || !isfinite(cable->radius), VELA_ERROR_INVALID_INPUT,
                "%s: chunk 'CABL': cable %d has the radius %g, expected a finite one > 0", file->path, i,
                cable->radius);
        for (int32_t s = next + 1; s < next + cable->segment_count; ++s)
            FAIL_IF(
                context, topology->segments[2 * (int64_t)s] != topology->segments[2 * (int64_t)s - 1],
                VELA_ERROR_INVALID_INPUT,
                "%s: chunk 'SEGS': segment %d of cable %d begins at vertex %d, expected %d, where the one "
                "before ends",
                file->path, s, i, topology->segments[2 * (int64_t)s], topology->segments[2 * (int64_t)s - 1]);
        next += cable->segment_count;
        body = cable->body;
    }
    FAIL_IF(context, next != topology->segment_count, VELA_ERROR_INVALID_INPUT,
            "%s: chunk 'CABL': the cables have %d segments, expected the %d of chunk 'SEGS'", file->path,
            next, topology->segment_count);
    return VELA_OK;
}

// After the bodies. A run without cables has none of the three chunks.
static VelaResult read_cables(VelaContext *context, const ChunkFile *file, Arena *arena,
                              FrameTopology *topology)
{
    if (!chunks_have(file, "SEGS") && !chunks_have(file, "SEGE") && !chunks_have(file, "CABL"))
        return VELA_OK;
    const StoredCable *stored;
    TRY(find_array(context, file, "SEGS", 2 * sizeof(int32_t), (const void **)&topology->segments,
                   &topology->segment_count));
    TRY(chunks_find_exactly(context, file, "SEGE", sizeof(int32_t), (uint64_t)topology->segment_count,
                            (const void **)&topology->segment_elements));
    TRY(find_array(context, file, "CABL", sizeof *stored, (const void **)&stored, &topology->cable_count));
    FrameCable *cables;
    TRY(ARENA_ARRAY(arena, cables, topology->cable_count));
    for (int32_t i = 0; i < topology->cable_count; ++i)
        cables[i] =
            (FrameCable){stored[i].body, stored[i].first_segment, stored[i].segment_count, stored[i].radius};
    topology->cables = cables;
    TRY(check_indices(context, file, "SEGS", topology->segments, 2 * (int64_t)topology->segment_count,
                      topology->vertex_count));
    TRY(check_indices(context, file, "SEGE", topology->segment_elements, topology->segment_count,
                      topology->element_count));
    return check_cables(context, file, topology);
}

// Elements that are no tetrahedra are only counted.
static VelaResult read_elements(VelaContext *context, const ChunkFile *file, FrameTopology *topology)
{
    const StoredFrame *stored;
    TRY(find_array(context, file, "TETS", 4 * sizeof *topology->tets, (const void **)&topology->tets,
                   &topology->tet_count));
    TRY(chunks_find_exactly(context, file, "FRAM", sizeof *stored, 1, (const void **)&stored));
    FAIL_IF(context, topology->tet_count > stored->element_count, VELA_ERROR_INVALID_INPUT,
            "%s: lists %d tetrahedra, expected at most the %d elements of chunk 'FRAM'", file->path,
            topology->tet_count, stored->element_count);
    topology->element_count = stored->element_count;
    return VELA_OK;
}

static VelaResult count_chunk(VelaContext *context, const ChunkFile *file, const char *name, size_t size,
                              int32_t *count)
{
    const void *data;
    return chunks_have(file, name) ? find_array(context, file, name, size, &data, count) : VELA_OK;
}

VelaResult frame_read_topology(VelaContext *context, const char *folder, Arena *arena,
                               FrameTopology *topology)
{
    *topology = (FrameTopology){0};
    char path[RUN_PATH_CAPACITY];
    TRY(run_state_path(context, folder, 0, path));
    ChunkFile file;
    TRY(chunks_read(context, path, STATE_MAGIC, STATE_VERSION, arena, &file));
    TRY(find_array(context, &file, "REST", 3 * sizeof(double), (const void **)&topology->rest_positions,
                   &topology->vertex_count));
    TRY(read_elements(context, &file, topology));
    TRY(find_array(context, &file, "TRIS", 3 * sizeof(int32_t), (const void **)&topology->triangles,
                   &topology->triangle_count));
    TRY(chunks_find_exactly(context, &file, "TRIT", sizeof(int32_t), (uint64_t)topology->triangle_count,
                            (const void **)&topology->triangle_elements));
    TRY(check_finite(context, &file, "REST", topology->rest_positions, topology->vertex_count));
    TRY(check_indices(context, &file, "TETS", topology->tets, 4 * (int64_t)topology->tet_count,
                      topology->vertex_count));
    TRY(check_indices(context, &file, "TRIS", topology->triangles, 3 * (int64_t)topology->triangle_count,
                      topology->vertex_count));
    TRY(check_indices(context, &file, "TRIT", topology->triangle_elements, topology->triangle_count,
                      topology->element_count));
    TRY(read_bodies(context, &file, arena, topology));
    TRY(count_chunk(context, &file, "MULT", sizeof(double), &topology->multiplier_count));
    TRY(count_chunk(context, &file, "JNTS", 3 * sizeof(double), &topology->joint_count));
    TRY(count_chunk(context, &file, "RODS", ROD_VALUES * sizeof(double), &topology->rod_count));
    return read_cables(context, &file, arena, topology);
}

static VelaResult read_doubles(VelaContext *context, const ChunkFile *file, const char *name, int32_t count,
                               int columns, double **out)
{
    const void *data;
    *out = NULL;
    if (count == 0)
        return VELA_OK;
    TRY(chunks_find_exactly(context, file, name, (size_t)columns * sizeof **out, (uint64_t)count, &data));
    *out = (double *)(uintptr_t)data;
    for (int64_t i = 0; i < (int64_t)columns * count; ++i)
        FAIL_IF(context, !isfinite((*out)[i]), VELA_ERROR_INVALID_INPUT,
                "%s: chunk '%s': number %lld is not finite (%g)", file->path, name, (long long)i, (*out)[i]);
    return VELA_OK;
}

// A run of an earlier version has no tension.
static VelaResult read_tension(VelaContext *context, const ChunkFile *file, const FrameTopology *topology,
                               Arena *arena, float **out)
{
    const void *data;
    if (!chunks_have(file, "TENS"))
        return VELA_OK;
    TRY(chunks_find_exactly(context, file, "TENS", sizeof **out, (uint64_t)topology->segment_count, &data));
    TRY(ARENA_ARRAY(arena, *out, topology->element_count));
    for (int32_t e = 0; e < topology->element_count; ++e)
        (*out)[e] = NAN;
    for (int32_t s = 0; s < topology->segment_count; ++s)
        (*out)[topology->segment_elements[s]] = ((const float *)data)[s];
    return VELA_OK;
}

VelaResult frame_read(VelaContext *context, const char *folder, int64_t index, const FrameTopology *topology,
                      Arena *arena, Frame *frame)
{
    *frame = (Frame){0};
    char path[RUN_PATH_CAPACITY];
    TRY(run_state_path(context, folder, index, path));
    ChunkFile file;
    TRY(chunks_read(context, path, STATE_MAGIC, STATE_VERSION, arena, &file));
    const StoredFrame *stored;
    TRY(chunks_find_exactly(context, &file, "FRAM", sizeof *stored, 1, (const void **)&stored));
    FAIL_IF(context, stored->index != index, VELA_ERROR_INVALID_INPUT, "%s: holds frame %lld, expected %lld",
            path, (long long)stored->index, (long long)index);
    FAIL_IF(
        context,
        stored->vertex_count != topology->vertex_count || stored->element_count != topology->element_count,
        VELA_ERROR_INVALID_INPUT, "%s: %d vertices and %d elements, expected %d and %d as in frame 0", path,
        stored->vertex_count, stored->element_count, topology->vertex_count, topology->element_count);
    FAIL_IF(context, stored->step < 0 || !isfinite(stored->time), VELA_ERROR_INVALID_INPUT,
            "%s: step %lld at time %g, expected a step from 0 on and a finite time", path,
            (long long)stored->step, stored->time);
    const uint64_t vertices = (uint64_t)topology->vertex_count, elements = (uint64_t)topology->element_count;
    const void *positions, *velocities, *stretch, *energy_density, *stress = NULL, *strain = NULL;
    TRY(chunks_find_exactly(context, &file, "POSI", 3 * sizeof(double), vertices, &positions));
    TRY(chunks_find_exactly(context, &file, "VELO", 3 * sizeof(double), vertices, &velocities));
    TRY(chunks_find_exactly(context, &file, "STRE", sizeof(float), elements, &stretch));
    TRY(chunks_find_exactly(context, &file, "ENER", sizeof(float), elements, &energy_density));
    if (chunks_have(&file, "STRS") || chunks_have(&file, "STRN")) {
        TRY(chunks_find_exactly(context, &file, "STRS", STRESS_COMPONENTS * sizeof(float), elements,
                                &stress));
        TRY(chunks_find_exactly(context, &file, "STRN", PRINCIPAL_STRAINS * sizeof(float), elements,
                                &strain));
    }
    TRY(check_finite(context, &file, "POSI", positions, topology->vertex_count));
    TRY(check_finite(context, &file, "VELO", velocities, topology->vertex_count));
    // The file's bytes lie in the arena, which the caller owns: the arrays are used where they are.
    *frame = (Frame){.index = stored->index,
                     .step = stored->step,
                     .time = stored->time,
                     .positions = (double *)(uintptr_t)positions,
                     .velocities = (double *)(uintptr_t)velocities,
                     .stretch = (float *)(uintptr_t)stretch,
                     .energy_density = (float *)(uintptr_t)energy_density,
                     .stress = (float *)(uintptr_t)stress,
                     .strain = (float *)(uintptr_t)strain};
    TRY(read_tension(context, &file, topology, arena, &frame->tension));
    TRY(read_doubles(context, &file, "MULT", topology->multiplier_count, 1, &frame->multipliers));
    TRY(read_doubles(context, &file, "JNTS", topology->joint_count, 3, &frame->joints));
    return read_doubles(context, &file, "RODS", topology->rod_count, ROD_VALUES, &frame->rods);
}

VelaResult frame_count(VelaContext *context, const char *folder, int64_t *count)
{
    char path[RUN_PATH_CAPACITY];
    for (*count = 0;; ++*count) {
        struct stat status;
        TRY(run_state_path(context, folder, *count, path));
        if (stat(path, &status) != 0)
            return VELA_OK;
    }
}

double frame_von_mises(const float s[STRESS_COMPONENTS])
{
    const double xx = (double)s[0], yy = (double)s[1], zz = (double)s[2], xy = (double)s[3],
                 xz = (double)s[4], yz = (double)s[5];
    return sqrt(0.5 * ((xx - yy) * (xx - yy) + (yy - zz) * (yy - zz) + (zz - xx) * (zz - xx)) +
                3 * (xy * xy + xz * xz + yz * yz));
}
