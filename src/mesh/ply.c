#include "mesh/formats.h"
#include "mesh/surface_builder.h"

#include <string.h>

typedef enum PlyRole { ROLE_PASSED_OVER, ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS } PlyRole;

typedef struct PlyProperty {
    PlyRole role;
    bool list;
    ScalarType count_type, type;
} PlyProperty;

enum { PROPERTIES_MAX = 64, ELEMENTS_MAX = 16 };

typedef struct PlyElement {
    bool is_vertex, is_face;
    int64_t count;
    int32_t property_count;
    PlyProperty properties[PROPERTIES_MAX];
} PlyElement;

typedef struct PlyFile {
    Scanner scanner;
    SurfaceBuilder builder;
    bool binary;
    int32_t element_count;
    PlyElement *elements; ///< ELEMENTS_MAX
} PlyFile;

// ---------------------------------------------------------------- header

static VelaResult read_type(Scanner *scanner, ScalarType *type)
{
    static const struct {
        const char *names[2];
        ScalarType type;
    } types[] = {
        {{"char", "int8"}, SCALAR_INT8},      {{"uchar", "uint8"}, SCALAR_UINT8},
        {{"short", "int16"}, SCALAR_INT16},   {{"ushort", "uint16"}, SCALAR_UINT16},
        {{"int", "int32"}, SCALAR_INT32},     {{"uint", "uint32"}, SCALAR_UINT32},
        {{"float", "float32"}, SCALAR_FLOAT}, {{"double", "float64"}, SCALAR_DOUBLE},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (scanner_accept(scanner, types[i].names[0]) || scanner_accept(scanner, types[i].names[1])) {
            *type = types[i].type;
            return VELA_OK;
        }
    return scanner_expected(scanner, "a PLY number type such as float, uchar or int");
}

static VelaResult read_format(PlyFile *file)
{
    Scanner *scanner = &file->scanner;
    TRY(scanner_expect(scanner, "ply"));
    TRY(scanner_expect(scanner, "format"));
    const bool little = scanner_accept(scanner, "binary_little_endian");
    const bool big = !little && scanner_accept(scanner, "binary_big_endian");
    if (little || big) {
        file->binary = scanner->byte_places = true;
        scanner->swap = big;
    } else if (!scanner_accept(scanner, "ascii")) {
        return scanner_expected(scanner, "ascii, binary_little_endian or binary_big_endian");
    }
    TRY(scanner_expect(scanner, "1.0"));
    return scanner_end_record(scanner, "the format");
}

static VelaResult read_element(PlyFile *file)
{
    Scanner *scanner = &file->scanner;
    if (file->element_count == ELEMENTS_MAX)
        return scanner_fail(scanner, "found more than %d kinds of elements, expected fewer", ELEMENTS_MAX);
    PlyElement *element = &file->elements[file->element_count];
    const char *word;
    element->is_vertex = scanner_accept(scanner, "vertex");
    element->is_face = !element->is_vertex && scanner_accept(scanner, "face");
    if (!element->is_vertex && !element->is_face && scanner_word(scanner, &word) == 0)
        return scanner_expected(scanner, "the name of an element");
    for (int32_t e = 0; e < file->element_count; ++e)
        if ((element->is_vertex && file->elements[e].is_vertex) ||
            (element->is_face && file->elements[e].is_face))
            return scanner_fail(scanner, "found a second element of this name, expected one");
    // Text elements without properties are empty lines; nothing else is smaller than a byte.
    TRY(scanner_count(scanner, SCALAR_INT64, "elements", 1, &element->count));
    ++file->element_count;
    return scanner_end_record(scanner, "the number of elements");
}

static PlyRole property_role(const PlyElement *element, bool list, const char *name, size_t length)
{
    static const char *const corners[] = {"vertex_indices", "vertex_index"};
    if (element->is_vertex && !list && length == 1 && *name >= 'x' && *name <= 'z')
        return (PlyRole)(ROLE_X + (*name - 'x'));
    for (int i = 0; i < 2 && element->is_face && list; ++i)
        if (length == strlen(corners[i]) && memcmp(name, corners[i], length) == 0)
            return ROLE_CORNERS;
    return ROLE_PASSED_OVER;
}

static VelaResult read_property(PlyFile *file)
{
    Scanner *scanner = &file->scanner;
    if (file->element_count == 0)
        return scanner_fail(scanner, "found a property before the first element");
    PlyElement *element = &file->elements[file->element_count - 1];
    if (element->property_count == PROPERTIES_MAX)
        return scanner_fail(scanner, "found more than %d properties of an element, expected fewer",
                            PROPERTIES_MAX);
    PlyProperty property = {0};
    property.list = scanner_accept(scanner, "list");
    if (property.list)
        TRY(read_type(scanner, &property.count_type));
    if (property.list && (property.count_type == SCALAR_FLOAT || property.count_type == SCALAR_DOUBLE))
        return scanner_fail(scanner,
                            "found a list counted by floating point numbers, expected an integer type");
    TRY(read_type(scanner, &property.type));
    const char *word;
    const size_t length = scanner_word(scanner, &word);
    if (length == 0)
        return scanner_expected(scanner, "the name of a property");
    property.role = property_role(element, property.list, word, length);
    for (int32_t p = 0; p < element->property_count; ++p)
        if (property.role != ROLE_PASSED_OVER && element->properties[p].role == property.role)
            return scanner_fail(scanner, "found property %.*s a second time, expected it once",
                                length > 32 ? 32 : (int)length, word);
    if (property.role == ROLE_CORNERS && (property.type == SCALAR_FLOAT || property.type == SCALAR_DOUBLE))
        return scanner_fail(scanner,
                            "found vertex indices that are floating point numbers, expected an integer type");
    element->properties[element->property_count++] = property;
    return scanner_end_record(scanner, "a property");
}

static VelaResult read_header(PlyFile *file)
{
    Scanner *scanner = &file->scanner;
    TRY(read_format(file));
    while (!scanner_accept(scanner, "end_header")) {
        const char *word;
        scanner_peek(scanner, &word);
        scanner->in_line = true;
        if (scanner_accept(scanner, "comment") || scanner_accept(scanner, "obj_info"))
            scanner->in_line = false, scanner_next_line(scanner);
        else if (scanner_accept(scanner, "element"))
            TRY(read_element(file));
        else if (scanner_accept(scanner, "property"))
            TRY(read_property(file));
        else
            return scanner_expected(scanner, "element, property, comment or end_header");
    }
    for (int32_t e = 0; e < file->element_count; ++e) {
        const PlyElement *element = &file->elements[e];
        int roles = 0;
        for (int32_t p = 0; p < element->property_count; ++p)
            roles |= 1 << element->properties[p].role;
        const int xyz = 1 << ROLE_X | 1 << ROLE_Y | 1 << ROLE_Z;
        if ((element->is_vertex && (roles & xyz) != xyz) ||
            (element->is_face && !(roles & 1 << ROLE_CORNERS)))
            return scanner_fail(scanner, "found no properties %s, expected them in the header",
                                element->is_vertex ? "x, y and z of the vertices"
                                                   : "vertex_indices of the faces");
    }
    TRY(scanner_end_record(scanner, "end_header"));
    scanner_next_line(scanner);
    return VELA_OK;
}

// ---------------------------------------------------------------- data

static VelaResult read_list(PlyFile *file, const PlyProperty *property)
{
    Scanner *scanner = &file->scanner;
    int64_t count, node;
    double passed;
    TRY(scanner_integer(scanner, property->count_type, "the length of a list", 0, INT32_MAX, &count));
    TRY(scanner_check_count(scanner, "values of a list", count,
                            scanner->binary ? (int64_t)scalar_size(property->type) : 2));
    for (int64_t i = 0; i < count; ++i) {
        if (property->role != ROLE_CORNERS) {
            TRY(scanner_real(scanner, property->type, "a value of a list", &passed));
            continue;
        }
        TRY(scanner_integer(scanner, property->type, "a corner of a face", 0, INT32_MAX, &node));
        TRY(surface_add_corner(&file->builder, (int32_t)node, scanner_place(scanner)));
    }
    return property->role == ROLE_CORNERS ? surface_end_polygon(&file->builder, scanner) : VELA_OK;
}

/// One element, on a line of its own in text.
static VelaResult read_one(PlyFile *file, const PlyElement *element)
{
    Scanner *scanner = &file->scanner;
    double point[3] = {0}, passed;
    const char *word;
    if (!scanner->binary)
        scanner_peek(scanner, &word);
    scanner->in_line = true;
    for (int32_t p = 0; p < element->property_count; ++p) {
        const PlyProperty *property = &element->properties[p];
        if (property->list)
            TRY(read_list(file, property));
        else if (property->role == ROLE_PASSED_OVER)
            TRY(scanner_real(scanner, property->type, "a property", &passed));
        else
            TRY(scanner_coordinate(scanner, property->type, property->role - ROLE_X, point));
    }
    if (!scanner->binary)
        TRY(scanner_end_record(scanner, "an element"));
    scanner->in_line = false;
    return element->is_vertex ? surface_add_node(&file->builder, point) : VELA_OK;
}

static VelaResult read_elements(PlyFile *file)
{
    Scanner *scanner = &file->scanner;
    scanner->binary = file->binary;
    for (int32_t e = 0; e < file->element_count; ++e) {
        const PlyElement *element = &file->elements[e];
        for (int64_t i = 0; i < element->count && element->property_count > 0; ++i)
            TRY(read_one(file, element));
    }
    return VELA_OK;
}

VelaResult ply_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                     TriangleMesh *mesh)
{
    PlyFile file = {.scanner = scanner_make(context, name, data, size),
                    .builder = surface_builder_make(context, arena, 0)};
    VelaResult result = ARENA_ARRAY(&file.builder.scratch, file.elements, ELEMENTS_MAX);
    if (result == VELA_OK)
        result = read_header(&file);
    if (result == VELA_OK)
        result = read_elements(&file);
    if (result == VELA_OK)
        result = surface_builder_finish(&file.builder, &file.scanner, mesh);
    surface_builder_clear(&file.builder);
    return result;
}
