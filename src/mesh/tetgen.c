#include "mesh/builder.h"
#include "mesh/formats.h"

/// Attributes behind the coordinates or nodes of a record; vela has no use for them.
static VelaResult pass_attributes(Reader *reader, int64_t count)
{
    double attribute;
    for (int64_t i = 0; i < count; ++i)
        TRY(reader_real(reader, SCALAR_DOUBLE, "an attribute", &attribute));
    return VELA_OK;
}

/// .node: count, dimension 3, attributes, markers 0 or 1; then lines of: index x y z attributes… marker
static VelaResult read_nodes(MeshBuilder *builder, Reader *reader)
{
    int64_t count, dimension, attributes, marked, index, first = 0, *markers;
    TRY(reader_count(reader, SCALAR_INT64, "nodes", 8, &count));
    reader->in_line = true;
    TRY(reader_integer(reader, SCALAR_INT64, "dimension 3", 3, 3, &dimension));
    TRY(reader_integer(reader, SCALAR_INT64, "the number of attributes", 0, INT32_MAX, &attributes));
    TRY(reader_integer(reader, SCALAR_INT64, "0 or 1 boundary markers", 0, 1, &marked));
    TRY(reader_end_record(reader, "the header"));
    TRY(ARENA_ARRAY(&builder->scratch, markers, count));
    for (int64_t n = 0; n < count; ++n) {
        double point[3];
        TRY(reader_integer(reader, SCALAR_INT64, "a node index, ascending by one from 0 or 1",
                           n == 0 ? 0 : first + n, n == 0 ? 1 : first + n, &index));
        first = n == 0 ? index : first;
        reader->in_line = true;
        TRY(reader_point(reader, SCALAR_DOUBLE, point));
        TRY(pass_attributes(reader, attributes));
        if (marked)
            TRY(reader_integer(reader, SCALAR_INT64, "a boundary marker", INT32_MIN, INT32_MAX, &markers[n]));
        TRY(reader_end_record(reader, "a node"));
        TRY(builder_add_node(builder, index, point, reader_place(reader)));
    }
    TRY(builder_index_nodes(builder, reader));
    return builder_group_nodes(builder, reader, markers);
}

/// .ele: count, nodes per tetrahedron, attributes; then lines of: index nodes… attributes…
static VelaResult read_elements(MeshBuilder *builder, Reader *reader)
{
    int64_t count, corners, attributes, index;
    TRY(reader_count(reader, SCALAR_INT64, "tetrahedra", 10, &count));
    reader->in_line = true;
    TRY(reader_integer(reader, SCALAR_INT64, "the nodes per tetrahedron", 1, INT32_MAX, &corners));
    if (corners != 4)
        return reader_fail(reader, "found %lld nodes per tetrahedron%s, expected 4 (first order)",
                           (long long)corners, corners == 10 ? " (second order)" : "");
    TRY(reader_integer(reader, SCALAR_INT64, "the number of attributes", 0, INT32_MAX, &attributes));
    TRY(reader_end_record(reader, "the header"));
    for (int64_t e = 0; e < count; ++e) {
        TRY(reader_integer(reader, SCALAR_INT64, "a tetrahedron's index", 0, INT64_MAX, &index));
        reader->in_line = true;
        TRY(builder_read_element(builder, reader, SCALAR_INT64, "tetrahedron", 4, true,
                                 reader_place(reader)));
        TRY(pass_attributes(reader, attributes));
        TRY(reader_end_record(reader, "a tetrahedron"));
    }
    return VELA_OK;
}

VelaResult tetgen_parse(VelaContext *context, const char *node_name, const char *node_data, size_t node_size,
                        const char *element_name, const char *element_data, size_t element_size, Arena *arena,
                        TetMesh *mesh)
{
    Reader nodes = reader_make(context, node_name, node_data, node_size);
    Reader elements = reader_make(context, element_name, element_data, element_size);
    nodes.comment = elements.comment = '#';
    MeshBuilder builder = builder_make(context, arena);
    VelaResult result = read_nodes(&builder, &nodes);
    if (result == VELA_OK)
        result = read_elements(&builder, &elements);
    if (result == VELA_OK)
        result = builder_finish(&builder, &elements, mesh);
    builder_clear(&builder);
    return result;
}
