#include "mesh/gmsh.h"

VelaResult gmsh2_read_nodes(GmshFile *file)
{
    Scanner *scanner = &file->scanner;
    int64_t count;
    TRY(scanner_count(scanner, SCALAR_INT32, "nodes", file->binary ? 28 : 8, &count));
    TRY(scanner_end_record(scanner, "the number of nodes"));
    gmsh_start_data(file);
    for (int64_t n = 0; n < count; ++n) {
        int64_t id;
        double point[3];
        TRY(scanner_integer(scanner, SCALAR_INT32, "a node id", 0, INT32_MAX, &id));
        const int64_t place = scanner_place(scanner);
        scanner->in_line = true;
        TRY(scanner_point(scanner, SCALAR_DOUBLE, point));
        if (!scanner->binary)
            TRY(scanner_end_record(scanner, "a node's coordinates"));
        scanner->in_line = false;
        TRY(builder_add_node(&file->builder, id, point, place));
    }
    scanner->binary = false;
    return builder_index_nodes(&file->builder, scanner);
}

/// What follows an element's id: its tags, of which the first is the physical group, and its nodes.
static VelaResult read_element(GmshFile *file, const GmshElementType *type, int64_t tag_count, int64_t place)
{
    Scanner *scanner = &file->scanner;
    MeshBuilder *builder = &file->builder;
    int64_t physical = 0;
    for (int64_t i = 0; i < tag_count; ++i) {
        int64_t tag;
        TRY(scanner_integer(scanner, SCALAR_INT32, "a tag of an element", INT32_MIN, INT32_MAX, &tag));
        physical = i == 0 ? tag : physical;
    }
    const int64_t first = (int64_t)builder->element_node_count;
    TRY(builder_read_element(builder, scanner, SCALAR_INT32, type->name, type->node_count,
                             type->dimension == 3, place));
    if (physical == 0)
        return VELA_OK;
    return builder_add_to_group(builder, scanner, type->dimension, physical < 0 ? -physical : physical, first,
                                type->node_count);
}

/// Lines of: id type tag-count tags… nodes…
static VelaResult read_text_elements(GmshFile *file, int64_t count)
{
    Scanner *scanner = &file->scanner;
    for (int64_t e = 0; e < count; ++e) {
        int64_t id, type_number, tag_count;
        TRY(scanner_integer(scanner, SCALAR_INT32, "an element id", 0, INT32_MAX, &id));
        const int64_t place = scanner_place(scanner);
        scanner->in_line = true;
        TRY(scanner_integer(scanner, SCALAR_INT32, "an element type", 0, INT32_MAX, &type_number));
        const GmshElementType *type;
        TRY(gmsh_element_type(file, type_number, &type));
        TRY(scanner_integer(scanner, SCALAR_INT32, "the number of an element's tags", 0, INT32_MAX,
                            &tag_count));
        const int64_t words = scanner_words_on_line(scanner);
        if (words != tag_count + type->node_count)
            return scanner_fail(
                scanner,
                "found %lld numbers after the tag count %lld of element %lld, expected %lld: the "
                "announced tags and the %d nodes of a %s",
                (long long)words, (long long)tag_count, (long long)id,
                (long long)(tag_count + type->node_count), type->node_count, type->name);
        TRY(read_element(file, type, tag_count, place));
        scanner->in_line = false;
    }
    return VELA_OK;
}

/// Blocks of: type, number of elements, tag count; then for every element id, tags, nodes.
static VelaResult read_binary_elements(GmshFile *file, int64_t count)
{
    Scanner *scanner = &file->scanner;
    int64_t block;
    for (int64_t e = 0; e < count; e += block) {
        int64_t type_number, tag_count;
        TRY(scanner_integer(scanner, SCALAR_INT32, "an element type", 0, INT32_MAX, &type_number));
        const GmshElementType *type;
        TRY(gmsh_element_type(file, type_number, &type));
        TRY(scanner_integer(scanner, SCALAR_INT32, "the number of elements in a block", 1, count - e,
                            &block));
        TRY(scanner_integer(scanner, SCALAR_INT32, "the number of an element's tags", 0, INT32_MAX,
                            &tag_count));
        TRY(scanner_check_count(scanner, "elements of a block", block,
                                4 * (1 + tag_count + type->node_count)));
        for (int64_t i = 0; i < block; ++i) {
            int64_t id;
            const int64_t place = scanner_place(scanner);
            TRY(scanner_integer(scanner, SCALAR_INT32, "an element id", 0, INT32_MAX, &id));
            TRY(read_element(file, type, tag_count, place));
        }
    }
    return VELA_OK;
}

VelaResult gmsh2_read_elements(GmshFile *file)
{
    Scanner *scanner = &file->scanner;
    int64_t count;
    TRY(scanner_count(scanner, SCALAR_INT32, "elements", 8, &count));
    TRY(scanner_end_record(scanner, "the number of elements"));
    gmsh_start_data(file);
    TRY(file->binary ? read_binary_elements(file, count) : read_text_elements(file, count));
    scanner->binary = false;
    return VELA_OK;
}
