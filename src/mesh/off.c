#include "mesh/formats.h"
#include "mesh/surface_builder.h"

/// Counts, then lines of x y z (colours and normals may follow), then lines of: n, n indices (a colour may
/// follow).
static VelaResult read_file(SurfaceBuilder *builder, Reader *reader, TriangleMesh *mesh)
{
    int64_t node_count, face_count, edge_count, corner_count, node;
    if (!reader_accept(reader, "OFF") && !reader_accept(reader, "COFF") && !reader_accept(reader, "NOFF") &&
        !reader_accept(reader, "CNOFF"))
        return reader_expected(reader, "OFF, COFF, NOFF or CNOFF");
    TRY(reader_count(reader, SCALAR_INT64, "vertices", 6, &node_count));
    TRY(reader_count(reader, SCALAR_INT64, "faces", 4, &face_count));
    TRY(reader_integer(reader, SCALAR_INT64, "the number of edges", 0, INT64_MAX, &edge_count));
    TRY(reader_end_record(reader, "the counts"));
    const char *word;
    for (int64_t n = 0; n < node_count; ++n) {
        double point[3];
        reader_peek(reader, &word);
        reader->in_line = true;
        TRY(reader_point(reader, SCALAR_DOUBLE, point));
        reader->in_line = false;
        reader_next_line(reader);
        TRY(surface_add_node(builder, point));
    }
    for (int64_t f = 0; f < face_count; ++f) {
        TRY(reader_integer(reader, SCALAR_INT64, "the number of corners of a face", 0, INT32_MAX,
                           &corner_count));
        reader->in_line = true;
        for (int64_t c = 0; c < corner_count; ++c) {
            TRY(reader_integer(reader, SCALAR_INT64, "a corner of a face", 0, node_count - 1, &node));
            TRY(surface_add_corner(builder, (int32_t)node, reader_place(reader)));
        }
        TRY(surface_end_polygon(builder, reader));
        reader->in_line = false;
        reader_next_line(reader);
    }
    return surface_builder_finish(builder, reader, mesh);
}

VelaResult off_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                     TriangleMesh *mesh)
{
    Reader reader = reader_make(context, name, data, size);
    reader.comment = '#';
    SurfaceBuilder builder = surface_builder_make(context, arena, 0);
    const VelaResult result = read_file(&builder, &reader, mesh);
    surface_builder_clear(&builder);
    return result;
}
