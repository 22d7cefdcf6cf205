#define _POSIX_C_SOURCE 200809L
#include "base/hash.h"
#include "scene/sections.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_CELLS = 50000000, LARGEST_RESOLUTION = 400, MOST_POINTS = 10000000, PATH_SIZE = 8192 };

// ---------------------------------------------------------------- mesh files

static bool is_regular_file(const char *path)
{
    struct stat status;
    errno = 0;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/// The path made absolute: relative ones count from the scene's folder.
static VelaResult absolute_path(const Reader *reader, const Place *at, const char *name, char out[PATH_SIZE])
{
    char working[PATH_SIZE / 2] = "";
    const char *slash = strrchr(reader->file, '/');
    const int folder = slash ? (int)(slash - reader->file) + 1 : 0;
    const bool from_working = name[0] != '/' && (folder == 0 || reader->file[0] != '/');
    if (from_working && !getcwd(working, sizeof working))
        return place_fail(reader, at, "the working folder has no usable name: %s", strerror(errno));
    const int length = name[0] == '/' ? snprintf(out, PATH_SIZE, "%s", name)
                                      : snprintf(out, PATH_SIZE, "%s%s%.*s%s", working,
                                                 from_working ? "/" : "", folder, reader->file, name);
    if (length < 0 || length >= PATH_SIZE)
        return place_fail(reader, at, "the path is too long, expected less than %d bytes", PATH_SIZE);
    return VELA_OK;
}

VelaResult mesh_path_at(const Reader *reader, const Place *at, const char **path)
{
    const char *name;
    char absolute[PATH_SIZE], *copy;
    TRY(string_at(reader, at, &name));
    TRY(absolute_path(reader, at, name, absolute));
    if (!reader->recorded && !is_regular_file(absolute))
        return place_fail(reader, at, "found \"%.256s\", expected a mesh file: %.512s: %s", name, absolute,
                          errno ? strerror(errno) : "not a regular file");
    TRY(arena_string(reader->arena, absolute, strlen(absolute), &copy));
    *path = copy;
    return VELA_OK;
}

static VelaResult hash_file(VelaContext *context, const char *path, uint64_t *hash)
{
    unsigned char buffer[1 << 14];
    FILE *file = fopen(path, "rb");
    FAIL_IF(context, !file, VELA_ERROR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    size_t size;
    while ((size = fread(buffer, 1, sizeof buffer, file)) > 0)
        *hash = hash_bytes(*hash, buffer, size);
    const bool failed = ferror(file) != 0;
    fclose(file);
    FAIL_IF(context, failed, VELA_ERROR_IO, "%s: cannot be read", path);
    return VELA_OK;
}

/// TetGen keeps nodes and elements in two files.
static VelaResult hash_companion(VelaContext *context, const char *path, uint64_t *hash)
{
    char companion[PATH_SIZE + 8];
    const char *dot = strrchr(path, '.');
    const bool node = dot && strcmp(dot, ".node") == 0, element = dot && strcmp(dot, ".ele") == 0;
    if (!node && !element)
        return VELA_OK;
    snprintf(companion, sizeof companion, "%.*s%s", (int)(dot - path), path, node ? ".ele" : ".node");
    return is_regular_file(companion) ? hash_file(context, companion, hash) : VELA_OK;
}

/// The mesh file of the i-th of all bodies, then obstacles, then skins of bodies, or "".
static const char *mesh_of(const SceneDef *scene, int32_t i)
{
    if (i < scene->body_count)
        return scene->bodies[i].geometry.mesh;
    i -= scene->body_count;
    if (i < scene->obstacle_count)
        return scene->obstacles[i].mesh;
    const char *skin = scene->bodies[i - scene->obstacle_count].skin.mesh;
    return skin ? skin : "";
}

VelaResult scene_hash_meshes(VelaContext *context, const SceneDef *scene, uint64_t *hash)
{
    const int32_t count = 2 * scene->body_count + scene->obstacle_count;
    for (int32_t i = 0; i < count; ++i) {
        const char *path = mesh_of(scene, i);
        bool seen = path[0] == 0;
        for (int32_t other = 0; other < i && !seen; ++other)
            seen = strcmp(path, mesh_of(scene, other)) == 0;
        if (seen)
            continue;
        TRY(hash_file(context, path, hash));
        TRY(hash_companion(context, path, hash));
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- built-in shapes

static VelaResult read_box(const Reader *reader, const Place *at, GeometryDef *out)
{
    TRY(check_object(reader, at, &KEYS_BOX));
    TRY(read_vector(reader, at, "size", REQUIRED, POSITIVE, out->size));
    TRY(read_integers(reader, at, "cells", REQUIRED, 1, MOST_CELLS, 3, out->cells));
    const double cells = (double)out->cells[0] * out->cells[1] * out->cells[2];
    const Place cells_at = place_member(at, "cells");
    if (cells > MOST_CELLS)
        return place_fail(reader, &cells_at, "found %.0f cells, expected at most %d", cells, MOST_CELLS);
    return VELA_OK;
}

static VelaResult read_sheet(const Reader *reader, const Place *at, GeometryDef *out)
{
    TRY(check_object(reader, at, &KEYS_SHEET));
    const Place size = place_member(at, "size"), cells_at = place_member(at, "cells");
    int count, i = 0;
    TRY(check_list(reader, &size, 2, 2, "numbers, along x and along z", &count));
    for (const cJSON *item = size.value->child; item; item = item->next, ++i) {
        const Place number = place_item(&size, i, item);
        TRY(number_at(reader, &number, POSITIVE, &out->size[i]));
    }
    TRY(read_integers(reader, at, "cells", REQUIRED, 1, MOST_CELLS, 2, out->cells));
    const double cells = (double)out->cells[0] * out->cells[1];
    if (cells > MOST_CELLS)
        return place_fail(reader, &cells_at, "found %.0f cells, expected at most %d", cells, MOST_CELLS);
    return VELA_OK;
}

static VelaResult read_disk(const Reader *reader, const Place *at, GeometryDef *out)
{
    TRY(check_object(reader, at, &KEYS_DISK));
    TRY(read_number(reader, at, "radius", REQUIRED, POSITIVE, &out->radius));
    return read_integer(reader, at, "resolution", REQUIRED, 2, 10 * LARGEST_RESOLUTION, &out->resolution);
}

static VelaResult read_round(const Reader *reader, const Place *at, const NameTable *keys, GeometryDef *out)
{
    TRY(check_object(reader, at, keys));
    TRY(read_number(reader, at, "radius", REQUIRED, POSITIVE, &out->radius));
    if (keys == &KEYS_CYLINDER)
        TRY(read_number(reader, at, "length", REQUIRED, POSITIVE, &out->length));
    if (keys == &KEYS_TORUS)
        TRY(read_number(reader, at, "tube", REQUIRED, POSITIVE, &out->tube));
    TRY(read_integer(reader, at, "resolution", REQUIRED, 2, LARGEST_RESOLUTION, &out->resolution));
    // Cells are about as long as they are wide: the number of layers follows from the proportions.
    const double across = out->resolution;
    const double layers = keys == &KEYS_CYLINDER ? across * out->length / (2 * out->radius)
                          : keys == &KEYS_TORUS  ? across * 3.15 * out->radius / out->tube
                                                 : across;
    if (across * across * layers > 2.0 * MOST_CELLS)
        return place_fail(reader, at, "found about %.3g cells, expected at most %d", across * across * layers,
                          2 * MOST_CELLS);
    const Place tube = place_member(at, "tube");
    if (keys == &KEYS_TORUS && out->tube >= out->radius)
        return place_fail(reader, &tube, "found %.15g, expected less than the radius %.15g", out->tube,
                          out->radius);
    return VELA_OK;
}

static VelaResult read_points(const Reader *reader, const Place *points, GeometryDef *out)
{
    int count, i = 0;
    TRY(check_list(reader, points, 2, MOST_POINTS, "points of three numbers each", &count));
    TRY(ARENA_ARRAY(reader->arena, out->points, count));
    for (const cJSON *item = points->value->child; item; item = item->next, ++i) {
        const Place point = place_item(points, i, item);
        TRY(vector_at(reader, &point, ANY_NUMBER, out->points[i]));
        const double *x = out->points[i], *before = out->points[i > 0 ? i - 1 : 0];
        if (i > 0 && x[0] == before[0] && x[1] == before[1] && x[2] == before[2])
            return place_fail(reader, &point, "found the same place as the point before, expected another");
    }
    out->segments = count - 1;
    return VELA_OK;
}

/// Either the two ends with a number of segments, or all points.
static VelaResult read_cable(const Reader *reader, const Place *at, GeometryDef *out)
{
    static const char *const straight[] = {"from", "to", "segments"};
    TRY(check_object(reader, at, &KEYS_CABLE));
    const Place points = place_member(at, "points");
    for (int i = 0; points.value && i < 3; ++i) {
        const Place other = place_member(at, straight[i]);
        if (other.value)
            return place_fail(reader, &other,
                              "found with \"points\", expected either points or from, to and segments");
    }
    if (points.value)
        return read_points(reader, &points, out);
    TRY(read_vector(reader, at, "from", REQUIRED, ANY_NUMBER, out->from));
    TRY(read_vector(reader, at, "to", REQUIRED, ANY_NUMBER, out->to));
    TRY(read_integer(reader, at, "segments", REQUIRED, 1, MOST_POINTS - 1, &out->segments));
    if (out->from[0] == out->to[0] && out->from[1] == out->to[1] && out->from[2] == out->to[2])
        return place_fail(reader, at, "from and to are the same point, expected two");
    return VELA_OK;
}

VelaResult read_geometry(const Reader *reader, const Place *body, GeometryDef *geometry)
{
    static const NameTable *const round_keys[] = {
        [GEOMETRY_BALL] = &KEYS_BALL, [GEOMETRY_CYLINDER] = &KEYS_CYLINDER, [GEOMETRY_TORUS] = &KEYS_TORUS};
    const Place at = place_member(body, "geometry");
    TRY(check_object(reader, &at, &KEYS_GEOMETRY));
    const bool has_weld = place_member(&at, "weld").value != NULL;
    const int shapes = cJSON_GetArraySize(at.value) - has_weld;
    if (shapes != 1)
        return place_fail(reader, &at,
                          "found %d keys, expected exactly one of: mesh, box, ball, cylinder, torus, cable, "
                          "sheet, disk",
                          shapes);
    TRY(read_number(reader, &at, "weld", OPTIONAL, POSITIVE, &geometry->weld));
    const cJSON *first = at.value->child;
    const Place shape = place_member(&at, (strcmp(first->string, "weld") == 0 ? first->next : first)->string);
    while (strcmp(KEYS_GEOMETRY.known[geometry->kind], shape.key) != 0)
        ++geometry->kind; // one of them it is: check_object has seen to that
    geometry->mesh = "";
    if (geometry->kind == GEOMETRY_MESH)
        return mesh_path_at(reader, &shape, &geometry->mesh);
    if (geometry->kind == GEOMETRY_BOX)
        return read_box(reader, &shape, geometry);
    const Place weld = place_member(&at, "weld");
    if (geometry->kind == GEOMETRY_CABLE && weld.value)
        return place_fail(reader, &weld,
                          "found with \"cable\", expected only with elements that can share nodes");
    if (geometry->kind == GEOMETRY_CABLE)
        return read_cable(reader, &shape, geometry);
    if (geometry->kind == GEOMETRY_SHEET)
        return read_sheet(reader, &shape, geometry);
    if (geometry->kind == GEOMETRY_DISK)
        return read_disk(reader, &shape, geometry);
    return read_round(reader, &shape, round_keys[geometry->kind], geometry);
}
