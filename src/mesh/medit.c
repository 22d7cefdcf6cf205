#define _POSIX_C_SOURCE 200809L
#include "mesh/builder.h"
#include "mesh/formats.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

typedef struct MeditKeyword {
    const char *name, *element;
    int32_t dimension, node_count;
} MeditKeyword;

// Elements that are read; the first three only serve groups.
static const MeditKeyword ELEMENTS[] = {
    {"Edges", "edge", 1, 2},
    {"Triangles", "triangle", 2, 3},
    {"Quadrilaterals", "quadrilateral", 2, 4},
    {"Tetrahedra", "tetrahedron", 3, 4},
};
static const char *const REFUSED[] = {"Hexahedra",   "Prisms",   "Pyramids",  "TetrahedraP2",
                                      "HexahedraQ2", "PrismsP2", "PyramidsP2"};

static bool word_is(const char *word, size_t length, const char *name)
{
    return length == strlen(name) && strncasecmp(word, name, length) == 0;
}

/// Puts the last `count` nodes read into the group of a reference number; 0 is none.
static VelaResult read_reference(MeshBuilder *builder, Reader *reader, int32_t dimension, int32_t count)
{
    int64_t reference;
    TRY(reader_integer(reader, SCALAR_INT64, "a reference number", INT32_MIN, INT32_MAX, &reference));
    TRY(reader_end_record(reader, "a reference number"));
    if (reference == 0)
        return VELA_OK;
    return builder_add_to_group(builder, reader, dimension, reference,
                                (int64_t)builder->element_node_count - count, count);
}

static VelaResult read_vertices(MeshBuilder *builder, Reader *reader)
{
    int64_t count;
    if (builder->node_count > 0)
        return reader_fail(reader, "found a second section Vertices, expected one");
    TRY(reader_count(reader, SCALAR_INT64, "vertices", 8, &count));
    int64_t *references;
    TRY(ARENA_ARRAY(&builder->scratch, references, count));
    for (int64_t n = 0; n < count; ++n) {
        const char *word;
        double point[3];
        reader_peek(reader, &word);
        reader->in_line = true;
        TRY(reader_point(reader, SCALAR_DOUBLE, point));
        TRY(reader_integer(reader, SCALAR_INT64, "a reference number", INT32_MIN, INT32_MAX, &references[n]));
        TRY(reader_end_record(reader, "a vertex"));
        TRY(builder_add_node(builder, n + 1, point, reader_place(reader)));
    }
    TRY(builder_index_nodes(builder, reader));
    return builder_group_nodes(builder, reader, references);
}

static VelaResult read_elements(MeshBuilder *builder, Reader *reader, const MeditKeyword *keyword)
{
    int64_t count;
    if (builder->node_count == 0)
        return reader_fail(reader, "found %s before Vertices, expected the vertices first", keyword->name);
    TRY(reader_count(reader, SCALAR_INT64, keyword->name, 2 * (keyword->node_count + 1), &count));
    for (int64_t e = 0; e < count; ++e) {
        const char *word;
        reader_peek(reader, &word);
        reader->in_line = true;
        TRY(builder_read_element(builder, reader, SCALAR_INT64, keyword->element, keyword->node_count,
                                 keyword->dimension == 3, reader_place(reader)));
        TRY(read_reference(builder, reader, keyword->dimension, keyword->node_count));
    }
    return VELA_OK;
}

static VelaResult read_keyword(MeshBuilder *builder, Reader *reader)
{
    const char *word;
    size_t length = reader_peek(reader, &word);
    if (!isalpha((unsigned char)word[0]))
        return reader_expected(reader, "a keyword such as Vertices or Tetrahedra");
    reader_word(reader, &word);
    if (word_is(word, length, "Vertices"))
        return read_vertices(builder, reader);
    if (word_is(word, length, "Dimension")) {
        int64_t dimension;
        return reader_integer(reader, SCALAR_INT64, "dimension 3", 3, 3, &dimension);
    }
    for (size_t i = 0; i < sizeof ELEMENTS / sizeof *ELEMENTS; ++i)
        if (word_is(word, length, ELEMENTS[i].name))
            return read_elements(builder, reader, &ELEMENTS[i]);
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; ++i)
        if (word_is(word, length, REFUSED[i]) && !reader_accept(reader, "0"))
            return reader_fail(reader, "found %s, expected first-order tetrahedra only", REFUSED[i]);
    // Corners, ridges, normals and the like: numbers up to the next keyword.
    while ((length = reader_peek(reader, &word)) > 0 && !isalpha((unsigned char)word[0]))
        reader_word(reader, &word);
    return VELA_OK;
}

static VelaResult read_file(MeshBuilder *builder, Reader *reader, TetMesh *mesh)
{
    const char *word;
    int64_t version;
    TRY(reader_expect(reader, "MeshVersionFormatted"));
    TRY(reader_integer(reader, SCALAR_INT64, "format version 1 to 4", 1, 4, &version));
    while (reader_peek(reader, &word) > 0 && !reader_accept(reader, "End"))
        TRY(read_keyword(builder, reader));
    return builder_finish(builder, reader, mesh);
}

VelaResult medit_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                       TetMesh *mesh)
{
    Reader reader = reader_make(context, name, data, size);
    reader.comment = '#';
    MeshBuilder builder = builder_make(context, arena);
    const VelaResult result = read_file(&builder, &reader, mesh);
    builder_clear(&builder);
    return result;
}
