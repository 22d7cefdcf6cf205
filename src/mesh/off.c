#include "mesh/formats.h"
#include "mesh/surface_builder.h"

/// Counts, then lines of x y z (colours and normals may follow), then lines of: n, n indices (a colour may
/// follow).
static VelaResult read_file(SurfaceBuilder *builder, Scanner *scanner, TriangleMesh *mesh)
{
    int64_t node_count, face_count, edge_count, corner_count, node;
    if (!scanner_accept(scanner, "OFF") && !scanner_accept(scanner, "COFF") &&
        !scanner_accept(scanner, "NOFF") && !scanner_accept(scanner, "CNOFF"))
        return scanner_expected(scanner, "OFF, COFF, NOFF or CNOFF");
    TRY(scanner_count(scanner, SCALAR_INT64, "vertices", 6, &node_count));
    TRY(scanner_count(scanner, SCALAR_INT64, "faces", 4, &face_count));
    TRY(scanner_integer(scanner, SCALAR_INT64, "the number of edges", 0, INT64_MAX, &edge_count));
    TRY(scanner_end_record(scanner, "the counts"));
    const char *word;
    for (int64_t n = 0; n < node_count; ++n) {
        double point[3];
        scanner_peek(scanner, &word);
        scanner->in_line = true;
        TRY(scanner_point(scanner, SCALAR_DOUBLE, point));
        scanner->in_line = false;
        scanner_next_line(scanner);
        TRY(surface_add_node(builder, point));
    }
    for (int64_t f = 0; f < face_count; ++f) {
        TRY(scanner_integer(scanner, SCALAR_INT64, "the number of corners of a face", 0, INT32_MAX,
                            &corner_count));
        scanner->in_line = true;
        for (int64_t c = 0; c < corner_count; ++c) {
            TRY(scanner_integer(scanner, SCALAR_INT64, "a corner of a face", 0, node_count - 1, &node));
            TRY(surface_add_corner(builder, (int32_t)node, scanner_place(scanner)));
        }
        TRY(surface_end_polygon(builder, scanner));
        scanner->in_line = false;
        scanner_next_line(scanner);
    }
    return surface_builder_finish(builder, scanner, mesh);
}

VelaResult off_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                     TriangleMesh *mesh)
{
    Scanner scanner = scanner_make(context, name, data, size);
    scanner.comment = '#';
    SurfaceBuilder builder = surface_builder_make(context, arena, 0);
    const VelaResult result = read_file(&builder, &scanner, mesh);
    surface_builder_clear(&builder);
    return result;
}
