#include "mesh/formats.h"
#include "mesh/surface_builder.h"

#include <string.h>

/// Whether a keyword is one that says nothing about vertices and faces.
static bool is_passed_over(const char *word, size_t length)
{
    static const char *const names[] = {
        "vt",     "vn", "vp", "g",     "o",        "s",        "mg",  "usemtl",     "mtllib",    "usemap",
        "maplib", "l",  "p",  "bevel", "c_interp", "d_interp", "lod", "shadow_obj", "trace_obj",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (length == strlen(names[i]) && memcmp(word, names[i], length) == 0)
            return true;
    return false;
}

/// One corner, "vertex", "vertex/texture", "vertex//normal" or all three; negative ones count back from the
/// last.
static VelaResult read_corner(SurfaceBuilder *builder, Reader *reader)
{
    const char *word;
    const size_t length = reader_peek(reader, &word);
    const char *slash = memchr(word, '/', length);
    Reader vertex = *reader;
    if (slash) // the number before the slash, as a file of its own
        vertex.end = slash;
    const int64_t count = (int64_t)builder->node_count;
    int64_t index;
    TRY(reader_integer(&vertex, SCALAR_INT64,
                       "a vertex of a face, from 1 or, from the last one back, from -1",
                       -count < -INT32_MAX ? -INT32_MAX : -count, INT32_MAX, &index));
    if (index == 0)
        return reader_expected(reader, "a vertex of a face, from 1 or, from the last one back, from -1");
    reader_word(reader, &word);
    return surface_add_corner(builder, (int32_t)(index > 0 ? index - 1 : count + index),
                              reader_place(reader));
}

static VelaResult read_line(SurfaceBuilder *builder, Reader *reader)
{
    const char *word;
    const size_t length = reader_peek(reader, &word);
    reader->in_line = true;
    if (reader_accept(reader, "v")) {
        double point[3];
        TRY(reader_point(reader, SCALAR_DOUBLE, point)); // a weight or a colour may follow
        TRY(surface_add_node(builder, point));
    } else if (reader_accept(reader, "f")) {
        while (reader_peek(reader, &word) > 0)
            TRY(read_corner(builder, reader));
        TRY(surface_end_polygon(builder, reader));
    } else if (!is_passed_over(word, length)) {
        return reader_expected(reader,
                               "a line of an OBJ file that starts with v, f or another keyword of polygons");
    }
    reader->in_line = false;
    reader_next_line(reader);
    return VELA_OK;
}

VelaResult obj_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                     TriangleMesh *mesh)
{
    Reader reader = reader_make(context, name, data, size);
    reader.comment = '#';
    SurfaceBuilder builder = surface_builder_make(context, arena, 1);
    VelaResult result = VELA_OK;
    const char *word;
    while (result == VELA_OK && reader_peek(&reader, &word) > 0)
        result = read_line(&builder, &reader);
    if (result == VELA_OK)
        result = surface_builder_finish(&builder, &reader, mesh);
    surface_builder_clear(&builder);
    return result;
}
