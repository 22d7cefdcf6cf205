#include "mesh/gmsh.h"

#include "mesh/formats.h"
#include <stdio.h>
#include <string.h>

/// "$MeshFormat 4.1 0 8": version, 0 text or 1 binary, size of the integers; in binary files an int 1
/// follows.
static VelaResult read_format(GmshFile *file, int *version)
{
    Scanner *scanner = &file->scanner;
    if (!scanner_accept(scanner, "$MeshFormat"))
        return scanner_expected(scanner, "$MeshFormat, the start of a Gmsh mesh");
    const char *word;
    Scanner at_version = *scanner;
    const size_t length = scanner_word(scanner, &word);
    if (length == 3 && memcmp(word, "4.1", 3) == 0)
        *version = 4;
    else if ((length == 1 && word[0] == '2') || (length == 3 && word[0] == '2' && word[1] == '.'))
        *version = 2;
    else
        return scanner_expected(&at_version, "version 2.2 or 4.1");
    int64_t binary, size, one;
    int32_t order = 0;
    TRY(scanner_integer(scanner, SCALAR_INT32, "0 for text or 1 for binary", 0, 1, &binary));
    TRY(scanner_integer(scanner, SCALAR_INT32, "8, the size of its numbers in bytes", 8, 8, &size));
    TRY(scanner_end_record(scanner, "the format"));
    if (binary) {
        file->binary = scanner->byte_places = true;
        scanner_next_line(scanner);
        scanner->binary = true;
        if (scanner->end - scanner->cursor >= 4)
            memcpy(&order, scanner->cursor, sizeof order);
        scanner->swap = order == 1 << 24;
        TRY(scanner_integer(scanner, SCALAR_INT32, "the integer 1 in either byte order", 1, 1, &one));
        scanner->binary = false;
    }
    return scanner_expect(scanner, "$EndMeshFormat");
}

/// Lines of: dimension tag "name"
static VelaResult read_physical_names(GmshFile *file)
{
    Scanner *scanner = &file->scanner;
    int64_t count;
    TRY(scanner_count(scanner, SCALAR_INT32, "physical names", 6, &count));
    for (int64_t i = 0; i < count; ++i) {
        int64_t dimension, tag;
        TRY(scanner_integer(scanner, SCALAR_INT32, "the dimension of a physical group", 0, 3, &dimension));
        scanner->in_line = true;
        TRY(scanner_integer(scanner, SCALAR_INT32, "the number of a physical group", INT32_MIN, INT32_MAX,
                            &tag));
        const char *word;
        if (scanner_peek(scanner, &word) == 0 || word[0] != '"')
            return scanner_expected(scanner, "the name of a physical group in double quotes");
        const char *start = word + 1, *line_end = memchr(start, '\n', (size_t)(scanner->end - start));
        const char *limit = line_end ? line_end : scanner->end, *close = limit;
        while (close > start && close[-1] != '"')
            --close;
        if (close == start)
            return scanner_expected(scanner, "a closing double quote on the same line");
        TRY(builder_name_group(&file->builder, (int32_t)dimension, tag < 0 ? -tag : tag, start,
                               (size_t)(close - 1 - start)));
        scanner_advance(scanner, (size_t)(close - scanner->cursor));
        TRY(scanner_end_record(scanner, "the name of a physical group"));
    }
    return VELA_OK;
}

/// Passes over a section vela has no use for, to the end of its "$EndName".
static VelaResult skip_section(GmshFile *file, const char *name, size_t length)
{
    Scanner *scanner = &file->scanner;
    const char *at = scanner->cursor;
    const size_t needed = length + 4; // "\n$End" + name without its $, at least
    while ((size_t)(scanner->end - at) >= needed) {
        const char *newline = memchr(at, '\n', (size_t)(scanner->end - at));
        if (!newline || (size_t)(scanner->end - newline) < needed)
            break;
        at = newline + 1;
        if (memcmp(at, "$End", 4) == 0 && memcmp(at + 4, name + 1, length - 1) == 0) {
            scanner_advance(scanner, (size_t)(at + length + 3 - scanner->cursor));
            return VELA_OK;
        }
    }
    return scanner_fail(scanner, "found no end of the section '%.*s'", length > 40 ? 40 : (int)length, name);
}

typedef struct GmshSection {
    const char *name, *end;
    bool *seen;
    VelaResult (*read[2])(GmshFile *file); ///< version 2, version 4
} GmshSection;

static VelaResult read_section(GmshFile *file, int version)
{
    Scanner *scanner = &file->scanner;
    const GmshSection sections[] = {
        {"$PhysicalNames", "$EndPhysicalNames", NULL, {read_physical_names, read_physical_names}},
        {"$Entities", "$EndEntities", &file->have_entities, {NULL, gmsh4_read_entities}},
        {"$Nodes", "$EndNodes", &file->have_nodes, {gmsh2_read_nodes, gmsh4_read_nodes}},
        {"$Elements", "$EndElements", &file->have_elements, {gmsh2_read_elements, gmsh4_read_elements}},
    };
    for (size_t i = 0; i < sizeof sections / sizeof *sections; ++i) {
        const GmshSection *section = &sections[i];
        if (!section->read[version == 4] || !scanner_accept(scanner, section->name))
            continue;
        if (section->seen && *section->seen)
            return scanner_fail(scanner, "found a second section %s, expected one", section->name);
        if (section->seen == &file->have_elements && !file->have_nodes)
            return scanner_fail(scanner, "found $Elements before $Nodes, expected the nodes first");
        if (section->seen)
            *section->seen = true;
        TRY(section->read[version == 4](file));
        return scanner_expect(scanner, section->end);
    }
    const char *word;
    const size_t length = scanner_peek(scanner, &word);
    if (length < 2 || word[0] != '$')
        return scanner_expected(scanner, "a section such as $Nodes");
    scanner_word(scanner, &word);
    if (length == 20 && memcmp(word, "$PartitionedEntities", length) == 0)
        context_log(scanner->context, VELA_LOG_WARNING,
                    "%s: the mesh is partitioned; physical groups of partitions are not read", scanner->name);
    return skip_section(file, word, length);
}

static VelaResult read_file(GmshFile *file, TetMesh *mesh)
{
    Scanner *scanner = &file->scanner;
    int version = 0;
    TRY(read_format(file, &version));
    const char *word;
    while (scanner_peek(scanner, &word) > 0)
        TRY(read_section(file, version));
    if (!file->have_nodes || !file->have_elements)
        return scanner_fail(scanner, "found no section %s", file->have_nodes ? "$Elements" : "$Nodes");
    return builder_finish(&file->builder, scanner, mesh);
}

VelaResult gmsh_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                      TetMesh *mesh)
{
    GmshFile file = {.scanner = scanner_make(context, name, data, size),
                     .builder = builder_make(context, arena)};
    const VelaResult result = read_file(&file, mesh);
    builder_clear(&file.builder);
    return result;
}
