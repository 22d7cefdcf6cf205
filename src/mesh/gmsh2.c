#include "mesh/gmsh.h"

VelaResult gmsh2_read_nodes(GmshFile *file)
{
    Reader *reader = &file->reader;
    int64_t count;
    TRY(reader_count(reader, SCALAR_INT32, "nodes", file->binary ? 28 : 8, &count));
    TRY(reader_end_record(reader, "the number of nodes"));
    gmsh_start_data(file);
    for (int64_t n = 0; n < count; ++n) {
        int64_t id;
        double point[3];
        TRY(reader_integer(reader, SCALAR_INT32, "a node id", 0, INT32_MAX, &id));
        const int64_t place = reader_place(reader);
        reader->in_line = true;
        TRY(reader_point(reader, SCALAR_DOUBLE, point));
        if (!reader->binary)
            TRY(reader_end_record(reader, "a node's coordinates"));
        reader->in_line = false;
        TRY(builder_add_node(&file->builder, id, point, place));
    }
    reader->binary = false;
    return builder_index_nodes(&file->builder, reader);
}

/// What follows an element's id: its tags, of which the first is the physical group, and its nodes.
static VelaResult read_element(GmshFile *file, const GmshElementType *type, int64_t tag_count, int64_t place)
{
    Reader *reader = &file->reader;
    MeshBuilder *builder = &file->builder;
    int64_t physical = 0;
    for (int64_t i = 0; i < tag_count; ++i) {
        int64_t tag;
        TRY(reader_integer(reader, SCALAR_INT32, "a tag of an element", INT32_MIN, INT32_MAX, &tag));
        physical = i == 0 ? tag : physical;
    }
    const int64_t first = (int64_t)builder->element_node_count;
    TRY(builder_read_element(builder, reader, SCALAR_INT32, type->name, type->node_count,
                             type->dimension == 3, place));
    if (physical == 0)
        return VELA_OK;
    return builder_add_to_group(builder, reader, type->dimension, physical < 0 ? -physical : physical, first,
                                type->node_count);
}

/// Lines of: id type tag-count tags… nodes…
static VelaResult read_text_elements(GmshFile *file, int64_t count)
{
    Reader *reader = &file->reader;
    for (int64_t e = 0; e < count; ++e) {
        int64_t id, type_number, tag_count;
        TRY(reader_integer(reader, SCALAR_INT32, "an element id", 0, INT32_MAX, &id));
        const int64_t place = reader_place(reader);
        reader->in_line = true;
        TRY(reader_integer(reader, SCALAR_INT32, "an element type", 0, INT32_MAX, &type_number));
        const GmshElementType *type;
        TRY(gmsh_element_type(file, type_number, &type));
        TRY(reader_integer(reader, SCALAR_INT32, "the number of an element's tags", 0, INT32_MAX,
                           &tag_count));
        const int64_t words = reader_words_on_line(reader);
        if (words != tag_count + type->node_count)
            return reader_fail(
                reader,
                "found %lld numbers after the tag count %lld of element %lld, expected %lld: the "
                "announced tags and the %d nodes of a %s",
                (long long)words, (long long)tag_count, (long long)id,
                (long long)(tag_count + type->node_count), type->node_count, type->name);
        TRY(read_element(file, type, tag_count, place));
        reader->in_line = false;
    }
    return VELA_OK;
}

/// Blocks of: type, number of elements, tag count; then for every element id, tags, nodes.
static VelaResult read_binary_elements(GmshFile *file, int64_t count)
{
    Reader *reader = &file->reader;
    int64_t block;
    for (int64_t e = 0; e < count; e += block) {
        int64_t type_number, tag_count;
        TRY(reader_integer(reader, SCALAR_INT32, "an element type", 0, INT32_MAX, &type_number));
        const GmshElementType *type;
        TRY(gmsh_element_type(file, type_number, &type));
        TRY(reader_integer(reader, SCALAR_INT32, "the number of elements in a block", 1, count - e, &block));
        TRY(reader_integer(reader, SCALAR_INT32, "the number of an element's tags", 0, INT32_MAX,
                           &tag_count));
        TRY(reader_check_count(reader, "elements of a block", block, 4 * (1 + tag_count + type->node_count)));
        for (int64_t i = 0; i < block; ++i) {
            int64_t id;
            const int64_t place = reader_place(reader);
            TRY(reader_integer(reader, SCALAR_INT32, "an element id", 0, INT32_MAX, &id));
            TRY(read_element(file, type, tag_count, place));
        }
    }
    return VELA_OK;
}

VelaResult gmsh2_read_elements(GmshFile *file)
{
    Reader *reader = &file->reader;
    int64_t count;
    TRY(reader_count(reader, SCALAR_INT32, "elements", 8, &count));
    TRY(reader_end_record(reader, "the number of elements"));
    gmsh_start_data(file);
    TRY(file->binary ? read_binary_elements(file, count) : read_text_elements(file, count));
    reader->binary = false;
    return VELA_OK;
}
