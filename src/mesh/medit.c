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
static VelaResult read_reference(MeshBuilder *builder, Scanner *scanner, int32_t dimension, int32_t count)
{
    int64_t reference;
    TRY(scanner_integer(scanner, SCALAR_INT64, "a reference number", INT32_MIN, INT32_MAX, &reference));
    TRY(scanner_end_record(scanner, "a reference number"));
    if (reference == 0)
        return VELA_OK;
    return builder_add_to_group(builder, scanner, dimension, reference,
                                (int64_t)builder->element_node_count - count, count);
}

static VelaResult read_vertices(MeshBuilder *builder, Scanner *scanner)
{
    int64_t count;
    if (builder->node_count > 0)
        return scanner_fail(scanner, "found a second section Vertices, expected one");
    TRY(scanner_count(scanner, SCALAR_INT64, "vertices", 8, &count));
    int64_t *references;
    TRY(ARENA_ARRAY(&builder->scratch, references, count));
    for (int64_t n = 0; n < count; ++n) {
        const char *word;
        double point[3];
        scanner_peek(scanner, &word);
        scanner->in_line = true;
        TRY(scanner_point(scanner, SCALAR_DOUBLE, point));
        TRY(scanner_integer(scanner, SCALAR_INT64, "a reference number", INT32_MIN, INT32_MAX,
                            &references[n]));
        TRY(scanner_end_record(scanner, "a vertex"));
        TRY(builder_add_node(builder, n + 1, point, scanner_place(scanner)));
    }
    TRY(builder_index_nodes(builder, scanner));
    return builder_group_nodes(builder, scanner, references);
}

static VelaResult read_elements(MeshBuilder *builder, Scanner *scanner, const MeditKeyword *keyword)
{
    int64_t count;
    if (builder->node_count == 0)
        return scanner_fail(scanner, "found %s before Vertices, expected the vertices first", keyword->name);
    TRY(scanner_count(scanner, SCALAR_INT64, keyword->name, 2 * (keyword->node_count + 1), &count));
    for (int64_t e = 0; e < count; ++e) {
        const char *word;
        scanner_peek(scanner, &word);
        scanner->in_line = true;
        TRY(builder_read_element(builder, scanner, SCALAR_INT64, keyword->element, keyword->node_count,
                                 keyword->dimension == 3, scanner_place(scanner)));
        TRY(read_reference(builder, scanner, keyword->dimension, keyword->node_count));
    }
    return VELA_OK;
}

static VelaResult read_keyword(MeshBuilder *builder, Scanner *scanner)
{
    const char *word;
    size_t length = scanner_peek(scanner, &word);
    if (!isalpha((unsigned char)word[0]))
        return scanner_expected(scanner, "a keyword such as Vertices or Tetrahedra");
    scanner_word(scanner, &word);
    if (word_is(word, length, "Vertices"))
        return read_vertices(builder, scanner);
    if (word_is(word, length, "Dimension")) {
        int64_t dimension;
        return scanner_integer(scanner, SCALAR_INT64, "dimension 3", 3, 3, &dimension);
    }
    for (size_t i = 0; i < sizeof ELEMENTS / sizeof *ELEMENTS; ++i)
        if (word_is(word, length, ELEMENTS[i].name))
            return read_elements(builder, scanner, &ELEMENTS[i]);
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; ++i)
        if (word_is(word, length, REFUSED[i]) && !scanner_accept(scanner, "0"))
            return scanner_fail(scanner, "found %s, expected first-order tetrahedra only", REFUSED[i]);
    // Corners, ridges, normals and the like: numbers up to the next keyword.
    while ((length = scanner_peek(scanner, &word)) > 0 && !isalpha((unsigned char)word[0]))
        scanner_word(scanner, &word);
    return VELA_OK;
}

static VelaResult read_file(MeshBuilder *builder, Scanner *scanner, TetMesh *mesh)
{
    const char *word;
    int64_t version;
    TRY(scanner_expect(scanner, "MeshVersionFormatted"));
    TRY(scanner_integer(scanner, SCALAR_INT64, "format version 1 to 4", 1, 4, &version));
    while (scanner_peek(scanner, &word) > 0 && !scanner_accept(scanner, "End"))
        TRY(read_keyword(builder, scanner));
    return builder_finish(builder, scanner, mesh);
}

VelaResult medit_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                       TetMesh *mesh)
{
    Scanner scanner = scanner_make(context, name, data, size);
    scanner.comment = '#';
    MeshBuilder builder = builder_make(context, arena);
    const VelaResult result = read_file(&builder, &scanner, mesh);
    builder_clear(&builder);
    return result;
}
