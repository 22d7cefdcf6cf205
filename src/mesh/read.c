#define _POSIX_C_SOURCE 200809L
#include "base/file.h"
#include "mesh/formats.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *ending;
    MeshFormat format;
} ENDINGS[] = {
    {".msh", MESH_FORMAT_GMSH},   {".mesh", MESH_FORMAT_MEDIT}, {".node", MESH_FORMAT_TETGEN},
    {".ele", MESH_FORMAT_TETGEN}, {".vtk", MESH_FORMAT_VTK},    {".obj", MESH_FORMAT_OBJ},
    {".ply", MESH_FORMAT_PLY},    {".stl", MESH_FORMAT_STL},    {".off", MESH_FORMAT_OFF},
};

static const char *path_ending(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot : "";
}

MeshFormat mesh_format(const char *path)
{
    const char *ending = path_ending(path);
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; ++i)
        if (strcasecmp(ending, ENDINGS[i].ending) == 0)
            return ENDINGS[i].format;
    return MESH_FORMAT_UNKNOWN;
}

VelaResult mesh_parse_tets(VelaContext *context, MeshFormat format, const MeshSource *sources, Arena *arena,
                           TetMesh *mesh)
{
    const MeshSource *source = &sources[0];
    *mesh = (TetMesh){0};
    switch (format) {
    case MESH_FORMAT_GMSH:
        return gmsh_parse(context, source->name, source->data, source->size, arena, mesh);
    case MESH_FORMAT_MEDIT:
        return medit_parse(context, source->name, source->data, source->size, arena, mesh);
    case MESH_FORMAT_VTK:
        return vtk_parse(context, source->name, source->data, source->size, arena, mesh);
    case MESH_FORMAT_TETGEN:
        return tetgen_parse(context, source[0].name, source[0].data, source[0].size, source[1].name,
                            source[1].data, source[1].size, arena, mesh);
    case MESH_FORMAT_OBJ:
    case MESH_FORMAT_PLY:
    case MESH_FORMAT_STL:
    case MESH_FORMAT_OFF:
        return context_fail(
            context, VELA_ERROR_INVALID_INPUT,
            "%s: found a surface, expected a tetrahedral mesh (.msh, .mesh, .node/.ele, .vtk)", source->name);
    case MESH_FORMAT_UNKNOWN:
        break;
    }
    return context_fail(context, VELA_ERROR_INVALID_INPUT,
                        "%s: found the ending '%s', expected .msh, .mesh, .node, .ele or .vtk", source->name,
                        path_ending(source->name));
}

VelaResult mesh_parse_triangles(VelaContext *context, MeshFormat format, const MeshSource *source,
                                Arena *arena, TriangleMesh *mesh)
{
    *mesh = (TriangleMesh){0};
    switch (format) {
    case MESH_FORMAT_OBJ:
        return obj_parse(context, source->name, source->data, source->size, arena, mesh);
    case MESH_FORMAT_PLY:
        return ply_parse(context, source->name, source->data, source->size, arena, mesh);
    case MESH_FORMAT_STL:
        return stl_parse(context, source->name, source->data, source->size, arena, mesh);
    case MESH_FORMAT_OFF:
        return off_parse(context, source->name, source->data, source->size, arena, mesh);
    case MESH_FORMAT_GMSH:
    case MESH_FORMAT_MEDIT:
    case MESH_FORMAT_TETGEN:
    case MESH_FORMAT_VTK:
        return context_fail(context, VELA_ERROR_INVALID_INPUT,
                            "%s: found a tetrahedral mesh, expected a surface (.obj, .ply, .stl, .off)",
                            source->name);
    case MESH_FORMAT_UNKNOWN:
        break;
    }
    return context_fail(context, VELA_ERROR_INVALID_INPUT,
                        "%s: found the ending '%s', expected .obj, .ply, .stl or .off", source->name,
                        path_ending(source->name));
}

static VelaResult read_source(VelaContext *context, const char *path, Arena *scratch, MeshSource *source)
{
    char *data;
    source->name = path;
    TRY(file_read(context, path, scratch, &data, &source->size));
    source->data = data;
    return VELA_OK;
}

/// Both files of a TetGen pair, whichever was named.
static VelaResult read_tetgen_sources(VelaContext *context, const char *path, Arena *scratch,
                                      MeshSource sources[2])
{
    static const char *const endings[2] = {".node", ".ele"};
    const size_t stem = strlen(path) - strlen(path_ending(path));
    const int given = strcasecmp(path_ending(path), ".ele") == 0;
    TRY(read_source(context, path, scratch, &sources[given]));
    char *other;
    TRY(ARENA_ARRAY(scratch, other, stem + 6));
    memcpy(other, path, stem);
    strcpy(other + stem, endings[!given]);
    const VelaResult result = read_source(context, other, scratch, &sources[!given]);
    return result == VELA_OK ? VELA_OK
                             : context_fail_prefix(context, result, "%s needs its other half", path);
}

VelaResult mesh_read_tets(VelaContext *context, const char *path, Arena *arena, TetMesh *mesh)
{
    *mesh = (TetMesh){0};
    MeshSource sources[2] = {{.name = path, .data = ""}, {.name = path, .data = ""}};
    const MeshFormat format = mesh_format(path);
    Arena scratch = arena_make(context);
    VelaResult result = VELA_OK;
    if (format == MESH_FORMAT_TETGEN)
        result = read_tetgen_sources(context, path, &scratch, sources);
    else if (format != MESH_FORMAT_UNKNOWN)
        result = read_source(context, path, &scratch, &sources[0]);
    if (result == VELA_OK)
        result = mesh_parse_tets(context, format, sources, arena, mesh);
    arena_clear(&scratch);
    return result;
}

VelaResult mesh_read_triangles(VelaContext *context, const char *path, Arena *arena, TriangleMesh *mesh)
{
    *mesh = (TriangleMesh){0};
    MeshSource source = {.name = path, .data = ""};
    const MeshFormat format = mesh_format(path);
    Arena scratch = arena_make(context);
    VelaResult result = VELA_OK;
    if (format != MESH_FORMAT_UNKNOWN)
        result = read_source(context, path, &scratch, &source);
    if (result == VELA_OK)
        result = mesh_parse_triangles(context, format, &source, arena, mesh);
    arena_clear(&scratch);
    return result;
}
