#define _POSIX_C_SOURCE 200809L
#include "mesh/builder.h"
#include "mesh/formats.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct VtkFile {
    Scanner scanner;
    MeshBuilder builder;
    bool binary;
    bool offsets; ///< version 5: CELLS are offsets and connectivity
    bool have_points, have_cells, have_types;
    int64_t cell_count;
    int64_t *corner_counts; ///< nodes of every cell
    int64_t *first_corners; ///< in MeshBuilder.element_nodes
    Scanner connectivity;   ///< where the node indices start; read once the cell types are known
    ScalarType index_type;
} VtkFile;

static const struct {
    const char *name;
    int32_t dimension;
    bool taken;
} CELL_TYPES[] = {
    {"empty cell", 0, false},
    {"vertex", 0, true},
    {"poly-vertex", 0, true},
    {"line", 1, true},
    {"poly-line", 1, true},
    {"triangle", 2, true},
    {"triangle strip", 2, true},
    {"polygon", 2, true},
    {"pixel", 2, true},
    {"quad", 2, true},
    {"tetrahedron", 3, true},
    {"voxel", 3, false},
    {"hexahedron", 3, false},
    {"wedge", 3, false},
    {"pyramid", 3, false},
    {"pentagonal prism", 3, false},
    {"hexagonal prism", 3, false},
    {NULL, 0, false},
    {NULL, 0, false},
    {NULL, 0, false},
    {NULL, 0, false},
    {"second-order edge", 1, false},
    {"second-order triangle", 2, false},
    {"second-order quad", 2, false},
    {"second-order tetrahedron", 3, false},
    {"second-order hexahedron", 3, false},
};
enum { CELL_TETRAHEDRON = 10, CELL_TYPE_COUNT = sizeof CELL_TYPES / sizeof *CELL_TYPES };

static VelaResult read_type(Scanner *scanner, ScalarType *type)
{
    static const struct {
        const char *name;
        ScalarType type;
    } types[] = {
        {"float", SCALAR_FLOAT},         {"double", SCALAR_DOUBLE},         {"int", SCALAR_INT32},
        {"vtktypeint64", SCALAR_INT64},  {"vtktypeuint64", SCALAR_UINT64},  {"vtkIdType", SCALAR_INT32},
        {"long", SCALAR_INT64},          {"unsigned_long", SCALAR_UINT64},  {"unsigned_int", SCALAR_UINT32},
        {"short", SCALAR_INT16},         {"unsigned_short", SCALAR_UINT16}, {"char", SCALAR_INT8},
        {"unsigned_char", SCALAR_UINT8},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (scanner_accept(scanner, types[i].name)) {
            *type = types[i].type;
            return VELA_OK;
        }
    return scanner_expected(scanner, "a number type such as float, double or int");
}

static VelaResult start_data(VtkFile *file)
{
    TRY(scanner_end_record(&file->scanner, "the announcement of data"));
    if (file->binary) {
        scanner_next_line(&file->scanner);
        file->scanner.binary = true;
    }
    return VELA_OK;
}

static VelaResult read_header(VtkFile *file)
{
    Scanner *scanner = &file->scanner;
    const char *magic = "# vtk DataFile Version ";
    if ((size_t)(scanner->end - scanner->cursor) < strlen(magic) ||
        memcmp(scanner->cursor, magic, strlen(magic)) != 0)
        return scanner_expected(scanner, "'# vtk DataFile Version', the start of a legacy VTK file");
    scanner_advance(scanner, strlen(magic));
    double version;
    TRY(scanner_real(scanner, SCALAR_DOUBLE, "the version", &version));
    if (version < 1 || version >= 6)
        return scanner_fail(scanner, "found version %g, expected 1 to 5", version);
    file->offsets = version >= 5;
    scanner_next_line(scanner);
    scanner_next_line(scanner); // the title
    file->binary = scanner_accept(scanner, "BINARY");
    if (!file->binary && !scanner_accept(scanner, "ASCII"))
        return scanner_expected(scanner, "ASCII or BINARY");
    scanner->swap = true; // the format is big-endian
    scanner->byte_places = file->binary;
    TRY(scanner_expect(scanner, "DATASET"));
    return scanner_expect(scanner, "UNSTRUCTURED_GRID");
}

static VelaResult read_points(VtkFile *file)
{
    Scanner *scanner = &file->scanner;
    ScalarType type = SCALAR_DOUBLE;
    int64_t count;
    if (file->have_points)
        return scanner_fail(scanner, "found a second section POINTS, expected one");
    file->have_points = true;
    TRY(scanner_count(scanner, SCALAR_INT64, "points", 6, &count));
    TRY(read_type(scanner, &type));
    TRY(start_data(file));
    for (int64_t n = 0; n < count; ++n) {
        double point[3];
        TRY(scanner_point(scanner, type, point));
        TRY(builder_add_node(&file->builder, n, point, scanner_place(scanner)));
    }
    scanner->binary = false;
    return builder_index_nodes(&file->builder, scanner);
}

/// Before version 5: every cell as its number of nodes and their indices; `total` numbers in all.
static VelaResult read_plain_cells(VtkFile *file, int64_t total)
{
    Scanner *scanner = &file->scanner;
    TRY(start_data(file));
    file->connectivity = *scanner;
    file->index_type = SCALAR_INT32;
    int64_t seen = 0, index;
    for (int64_t c = 0; c < file->cell_count; ++c) {
        if (seen >= total)
            return scanner_fail(
                scanner, "found %lld numbers in %lld of %lld cells, expected more than the announced %lld",
                (long long)seen, (long long)c, (long long)file->cell_count, (long long)total);
        TRY(scanner_integer(scanner, SCALAR_INT32, "the number of a cell's nodes", 0, total - seen - 1,
                            &file->corner_counts[c]));
        for (int64_t i = 0; i < file->corner_counts[c]; ++i)
            TRY(scanner_integer(scanner, SCALAR_INT32, "a node of a cell", 0, INT32_MAX, &index));
        seen += 1 + file->corner_counts[c];
    }
    if (seen != total)
        return scanner_fail(scanner, "found %lld numbers in CELLS, expected the announced %lld",
                            (long long)seen, (long long)total);
    return VELA_OK;
}

/// From version 5 on: OFFSETS, of every cell and of the end, then CONNECTIVITY, the `total` indices.
static VelaResult read_offset_cells(VtkFile *file, int64_t total)
{
    Scanner *scanner = &file->scanner;
    ScalarType type = SCALAR_DOUBLE;
    int64_t last = 0, offset;
    TRY(scanner_expect(scanner, "OFFSETS"));
    TRY(read_type(scanner, &type));
    TRY(start_data(file));
    for (int64_t c = 0; c <= file->cell_count; ++c) {
        TRY(scanner_integer(scanner, type, "the offset of a cell", last, c == 0 ? 0 : total, &offset));
        if (c > 0)
            file->corner_counts[c - 1] = offset - last;
        last = offset;
    }
    if (last != total)
        return scanner_fail(scanner,
                            "found the last offset %lld, expected %lld, the size of the connectivity",
                            (long long)last, (long long)total);
    scanner->binary = false;
    TRY(scanner_expect(scanner, "CONNECTIVITY"));
    TRY(read_type(scanner, &file->index_type));
    TRY(start_data(file));
    file->connectivity = *scanner;
    for (int64_t i = 0; i < total; ++i)
        TRY(scanner_integer(scanner, file->index_type, "a node of a cell", 0, INT32_MAX, &offset));
    return VELA_OK;
}

static VelaResult read_cells(VtkFile *file)
{
    Scanner *scanner = &file->scanner;
    int64_t count, total;
    if (file->have_cells || !file->have_points)
        return scanner_fail(scanner, "found CELLS %s, expected them once, after POINTS",
                            file->have_cells ? "a second time" : "before POINTS");
    file->have_cells = true;
    TRY(scanner_count(scanner, SCALAR_INT64, "cells", 2, &count));
    TRY(scanner_count(scanner, SCALAR_INT64, "numbers of cells", 2, &total));
    if (file->offsets && count == 0)
        return scanner_fail(scanner, "found no offsets of cells, expected at least one");
    file->cell_count = file->offsets ? count - 1 : count;
    TRY(ARENA_ARRAY(&file->builder.scratch, file->corner_counts, file->cell_count));
    TRY(ARENA_ARRAY(&file->builder.scratch, file->first_corners, file->cell_count));
    TRY(file->offsets ? read_offset_cells(file, total) : read_plain_cells(file, total));
    scanner->binary = false;
    return VELA_OK;
}

/// Goes through the connectivity again, now that the type of each cell is known.
static VelaResult add_cell(VtkFile *file, int64_t cell, int64_t type)
{
    Scanner *scanner = &file->scanner;
    if (type >= CELL_TYPE_COUNT || !CELL_TYPES[type].taken)
        return scanner_fail(scanner,
                            "found cell %lld of type %lld (%s), expected tetrahedra (10), or cells of lower "
                            "dimension for groups",
                            (long long)cell, (long long)type,
                            type < CELL_TYPE_COUNT && CELL_TYPES[type].name ? CELL_TYPES[type].name
                                                                            : "no known kind");
    Scanner *corners = &file->connectivity;
    int64_t count = file->corner_counts[cell];
    if (!file->offsets)
        TRY(scanner_integer(corners, file->index_type, "the number of a cell's nodes", 0, INT32_MAX, &count));
    if (type == CELL_TETRAHEDRON && count != 4)
        return scanner_fail(corners, "found tetrahedron with %lld nodes (cell %lld), expected 4",
                            (long long)count, (long long)cell);
    file->first_corners[cell] = (int64_t)file->builder.element_node_count;
    return builder_read_element(&file->builder, corners, file->index_type, CELL_TYPES[type].name,
                                (int32_t)count, type == CELL_TETRAHEDRON, scanner_place(corners));
}

static VelaResult read_cell_types(VtkFile *file)
{
    Scanner *scanner = &file->scanner;
    int64_t count, type;
    if (!file->have_cells || file->have_types)
        return scanner_fail(scanner, "found CELL_TYPES %s, expected them once, after CELLS",
                            file->have_types ? "a second time" : "before CELLS");
    file->have_types = true;
    TRY(scanner_integer(scanner, SCALAR_INT64, "the number of cell types, that of the cells",
                        file->cell_count, file->cell_count, &count));
    TRY(start_data(file));
    for (int64_t c = 0; c < count; ++c) {
        TRY(scanner_integer(scanner, SCALAR_INT32, "a cell type", 0, INT32_MAX, &type));
        TRY(add_cell(file, c, type));
    }
    scanner->binary = false;
    return VELA_OK;
}

/// Groups from the first data of the cells, where these are integers: "SCALARS name type [1]", "LOOKUP_TABLE
/// name".
static VelaResult read_cell_groups(VtkFile *file)
{
    Scanner *scanner = &file->scanner;
    int64_t count, value;
    const char *word;
    TRY(scanner_integer(scanner, SCALAR_INT64, "the number of cell data, that of the cells", file->cell_count,
                        file->cell_count, &count));
    if (!scanner_accept(scanner, "SCALARS"))
        return VELA_OK;
    scanner_word(scanner, &word);
    ScalarType type = SCALAR_DOUBLE;
    TRY(read_type(scanner, &type));
    scanner->in_line = true;
    scanner_accept(scanner, "1");
    const bool several = scanner_peek(scanner, &word) > 0;
    scanner->in_line = false;
    if (several || type == SCALAR_FLOAT || type == SCALAR_DOUBLE || !scanner_accept(scanner, "LOOKUP_TABLE"))
        return VELA_OK;
    scanner_word(scanner, &word);
    TRY(start_data(file));
    for (int64_t c = 0; c < count; ++c) {
        TRY(scanner_integer(scanner, type, "the value of a cell", INT32_MIN, INT32_MAX, &value));
        if (value != 0)
            TRY(builder_add_to_group(&file->builder, scanner, 3, value, file->first_corners[c],
                                     file->corner_counts[c]));
    }
    scanner->binary = false;
    return VELA_OK;
}

/// FIELD name count, then arrays of: name, components, tuples, type, data.
static VelaResult skip_field(VtkFile *file)
{
    Scanner *scanner = &file->scanner;
    const char *word;
    int64_t count, components, tuples;
    double value;
    scanner_word(scanner, &word);
    TRY(scanner_count(scanner, SCALAR_INT64, "arrays", 8, &count));
    for (int64_t a = 0; a < count; ++a) {
        ScalarType type = SCALAR_DOUBLE;
        scanner_word(scanner, &word);
        TRY(scanner_count(scanner, SCALAR_INT64, "components", 1, &components));
        TRY(scanner_count(scanner, SCALAR_INT64, "tuples", 1, &tuples));
        TRY(read_type(scanner, &type));
        TRY(start_data(file));
        TRY(scanner_check_count(scanner, "values", components * tuples, 1));
        for (int64_t i = 0; i < components * tuples; ++i)
            TRY(scanner_real(scanner, type, "a value of a field", &value));
        scanner->binary = false;
    }
    return VELA_OK;
}

/// Lines up to the first blank one.
static void skip_metadata(Scanner *scanner)
{
    do
        scanner_next_line(scanner);
    while (scanner->cursor < scanner->end && scanner_words_on_line(scanner) > 0);
}

static VelaResult read_sections(VtkFile *file)
{
    Scanner *scanner = &file->scanner;
    const char *word;
    while (scanner_peek(scanner, &word) > 0) {
        if (scanner_accept(scanner, "POINTS"))
            TRY(read_points(file));
        else if (scanner_accept(scanner, "CELLS"))
            TRY(read_cells(file));
        else if (scanner_accept(scanner, "CELL_TYPES"))
            TRY(read_cell_types(file));
        else if (scanner_accept(scanner, "FIELD"))
            TRY(skip_field(file));
        else if (scanner_accept(scanner, "METADATA"))
            skip_metadata(scanner);
        else if (file->have_types && scanner_accept(scanner, "CELL_DATA"))
            return read_cell_groups(file);
        else if (file->have_types)
            return VELA_OK; // data of points or cells
        else
            return scanner_expected(scanner, "POINTS, CELLS or CELL_TYPES");
    }
    return VELA_OK;
}

VelaResult vtk_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                     TetMesh *mesh)
{
    VtkFile file = {.scanner = scanner_make(context, name, data, size),
                    .builder = builder_make(context, arena)};
    VelaResult result = read_header(&file);
    if (result == VELA_OK)
        result = read_sections(&file);
    if (result == VELA_OK && !file.have_types)
        result = scanner_fail(&file.scanner, "found no section %s",
                              !file.have_points  ? "POINTS"
                              : !file.have_cells ? "CELLS"
                                                 : "CELL_TYPES");
    if (result == VELA_OK)
        result = builder_finish(&file.builder, &file.scanner, mesh);
    builder_clear(&file.builder);
    return result;
}
