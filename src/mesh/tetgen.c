#include "mesh/builder.h"
#include "mesh/formats.h"

/// Attributes behind the coordinates or nodes of a record; vela has no use for them.
static VelaResult pass_attributes(Scanner *scanner, int64_t count)
{
    double attribute;
    for (int64_t i = 0; i < count; ++i)
        TRY(scanner_real(scanner, SCALAR_DOUBLE, "an attribute", &attribute));
    return VELA_OK;
}

/// .node: count, dimension 3, attributes, markers 0 or 1; then lines of: index x y z attributes… marker
static VelaResult read_nodes(MeshBuilder *builder, Scanner *scanner)
{
    int64_t count, dimension, attributes, marked, index, first = 0, *markers;
    TRY(scanner_count(scanner, SCALAR_INT64, "nodes", 8, &count));
    scanner->in_line = true;
    TRY(scanner_integer(scanner, SCALAR_INT64, "dimension 3", 3, 3, &dimension));
    TRY(scanner_integer(scanner, SCALAR_INT64, "the number of attributes", 0, INT32_MAX, &attributes));
    TRY(scanner_integer(scanner, SCALAR_INT64, "0 or 1 boundary markers", 0, 1, &marked));
    TRY(scanner_end_record(scanner, "the header"));
    TRY(ARENA_ARRAY(&builder->scratch, markers, count));
    for (int64_t n = 0; n < count; ++n) {
        double point[3];
        TRY(scanner_integer(scanner, SCALAR_INT64, "a node index, ascending by one from 0 or 1",
                            n == 0 ? 0 : first + n, n == 0 ? 1 : first + n, &index));
        first = n == 0 ? index : first;
        scanner->in_line = true;
        TRY(scanner_point(scanner, SCALAR_DOUBLE, point));
        TRY(pass_attributes(scanner, attributes));
        if (marked)
            TRY(scanner_integer(scanner, SCALAR_INT64, "a boundary marker", INT32_MIN, INT32_MAX,
                                &markers[n]));
        TRY(scanner_end_record(scanner, "a node"));
        TRY(builder_add_node(builder, index, point, scanner_place(scanner)));
    }
    TRY(builder_index_nodes(builder, scanner));
    return builder_group_nodes(builder, scanner, markers);
}

/// .ele: count, nodes per tetrahedron, attributes; then lines of: index nodes… attributes…
static VelaResult read_elements(MeshBuilder *builder, Scanner *scanner)
{
    int64_t count, corners, attributes, index;
    TRY(scanner_count(scanner, SCALAR_INT64, "tetrahedra", 10, &count));
    scanner->in_line = true;
    TRY(scanner_integer(scanner, SCALAR_INT64, "the nodes per tetrahedron", 1, INT32_MAX, &corners));
    if (corners != 4)
        return scanner_fail(scanner, "found %lld nodes per tetrahedron%s, expected 4 (first order)",
                            (long long)corners, corners == 10 ? " (second order)" : "");
    TRY(scanner_integer(scanner, SCALAR_INT64, "the number of attributes", 0, INT32_MAX, &attributes));
    TRY(scanner_end_record(scanner, "the header"));
    for (int64_t e = 0; e < count; ++e) {
        TRY(scanner_integer(scanner, SCALAR_INT64, "a tetrahedron's index", 0, INT64_MAX, &index));
        scanner->in_line = true;
        TRY(builder_read_element(builder, scanner, SCALAR_INT64, "tetrahedron", 4, true,
                                 scanner_place(scanner)));
        TRY(pass_attributes(scanner, attributes));
        TRY(scanner_end_record(scanner, "a tetrahedron"));
    }
    return VELA_OK;
}

VelaResult tetgen_parse(VelaContext *context, const char *node_name, const char *node_data, size_t node_size,
                        const char *element_name, const char *element_data, size_t element_size, Arena *arena,
                        TetMesh *mesh)
{
    Scanner nodes = scanner_make(context, node_name, node_data, node_size);
    Scanner elements = scanner_make(context, element_name, element_data, element_size);
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
