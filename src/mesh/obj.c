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
static VelaResult read_corner(SurfaceBuilder *builder, Scanner *scanner)
{
    const char *word;
    const size_t length = scanner_peek(scanner, &word);
    const char *slash = memchr(word, '/', length);
    Scanner vertex = *scanner;
    if (slash) // the number before the slash, as a file of its own
        vertex.end = slash;
    const int64_t count = (int64_t)builder->node_count;
    int64_t index;
    TRY(scanner_integer(&vertex, SCALAR_INT64,
                        "a vertex of a face, from 1 or, from the last one back, from -1",
                        -count < -INT32_MAX ? -INT32_MAX : -count, INT32_MAX, &index));
    if (index == 0)
        return scanner_expected(scanner, "a vertex of a face, from 1 or, from the last one back, from -1");
    scanner_word(scanner, &word);
    return surface_add_corner(builder, (int32_t)(index > 0 ? index - 1 : count + index),
                              scanner_place(scanner));
}

static VelaResult read_line(SurfaceBuilder *builder, Scanner *scanner)
{
    const char *word;
    const size_t length = scanner_peek(scanner, &word);
    scanner->in_line = true;
    if (scanner_accept(scanner, "v")) {
        double point[3];
        TRY(scanner_point(scanner, SCALAR_DOUBLE, point)); // a weight or a colour may follow
        TRY(surface_add_node(builder, point));
    } else if (scanner_accept(scanner, "f")) {
        while (scanner_peek(scanner, &word) > 0)
            TRY(read_corner(builder, scanner));
        TRY(surface_end_polygon(builder, scanner));
    } else if (!is_passed_over(word, length)) {
        return scanner_expected(scanner,
                                "a line of an OBJ file that starts with v, f or another keyword of polygons");
    }
    scanner->in_line = false;
    scanner_next_line(scanner);
    return VELA_OK;
}

VelaResult obj_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                     TriangleMesh *mesh)
{
    Scanner scanner = scanner_make(context, name, data, size);
    scanner.comment = '#';
    SurfaceBuilder builder = surface_builder_make(context, arena, 1);
    VelaResult result = VELA_OK;
    const char *word;
    while (result == VELA_OK && scanner_peek(&scanner, &word) > 0)
        result = read_line(&builder, &scanner);
    if (result == VELA_OK)
        result = surface_builder_finish(&builder, &scanner, mesh);
    surface_builder_clear(&builder);
    return result;
}
