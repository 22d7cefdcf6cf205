#define _POSIX_C_SOURCE 200809L
#include "mesh/formats.h"
#include "mesh/surface_builder.h"

#include <string.h>
#include <strings.h>

// Binary: 80 bytes of anything, the number of facets, then facets of normal, 3 vertices (12 floats) and 2
// bytes.
enum { HEADER_BYTES = 80, FACET_BYTES = 50 };

typedef struct StlFile {
    Scanner scanner;
    SurfaceBuilder builder;
    size_t slot_count; ///< of the table that finds equal vertices: a power of two, 0 at first
    int32_t *slots;    ///< vertex + 1; 0: free
} StlFile;

static size_t hash_point(const double point[3])
{
    uint64_t hash = 1469598103934665603u;
    for (int axis = 0; axis < 3; ++axis) {
        uint64_t bits;
        memcpy(&bits, &point[axis], sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return (size_t)hash;
}

/// The slot of a point: where it is, or the free one where it belongs.
static size_t find_slot(const StlFile *file, const double point[3])
{
    size_t slot = hash_point(point) & (file->slot_count - 1);
    while (file->slots[slot] != 0 &&
           memcmp(file->builder.nodes + 3 * (size_t)(file->slots[slot] - 1), point, 3 * sizeof(double)) != 0)
        slot = (slot + 1) & (file->slot_count - 1);
    return slot;
}

static VelaResult grow_table(StlFile *file)
{
    file->slot_count = file->slot_count ? 2 * file->slot_count : 256;
    TRY(ARENA_ARRAY(&file->builder.scratch, file->slots, file->slot_count));
    for (size_t n = 0; n < file->builder.node_count; ++n)
        file->slots[find_slot(file, file->builder.nodes + 3 * n)] = (int32_t)n + 1;
    return VELA_OK;
}

static VelaResult read_vertex(StlFile *file)
{
    double point[3];
    TRY(scanner_point(&file->scanner, SCALAR_FLOAT, point));
    for (int axis = 0; axis < 3; ++axis)
        point[axis] += 0.0; // -0 becomes 0
    if (2 * file->builder.node_count >= file->slot_count)
        TRY(grow_table(file));
    const size_t slot = find_slot(file, point);
    if (file->slots[slot] == 0) {
        TRY(surface_add_node(&file->builder, point));
        file->slots[slot] = (int32_t)file->builder.node_count;
    }
    return surface_add_corner(&file->builder, file->slots[slot] - 1, scanner_place(&file->scanner));
}

static VelaResult read_binary(StlFile *file)
{
    Scanner *scanner = &file->scanner;
    int64_t count;
    scanner->binary = scanner->byte_places = true;
    scanner->cursor = scanner->begin + HEADER_BYTES;
    TRY(scanner_count(scanner, SCALAR_UINT32, "facets", FACET_BYTES, &count));
    for (int64_t f = 0; f < count; ++f) {
        scanner->cursor += 3 * sizeof(float); // the normal; often wrong, not used
        for (int i = 0; i < 3; ++i)
            TRY(read_vertex(file));
        TRY(surface_end_polygon(&file->builder, scanner));
        scanner->cursor += 2; // the count covers it, as the normal
    }
    return VELA_OK;
}

/// solid name, facets of: facet normal x y z, outer loop, three times vertex x y z, endloop, endfacet;
/// endsolid name
static VelaResult read_text(StlFile *file)
{
    Scanner *scanner = &file->scanner;
    const char *word;
    while (scanner_peek(scanner, &word) > 0) {
        TRY(scanner_expect(scanner, "solid"));
        scanner_next_line(scanner);
        while (!scanner_accept(scanner, "endsolid")) {
            if (!scanner_accept(scanner, "facet"))
                return scanner_expected(scanner, "facet or endsolid");
            TRY(scanner_expect(scanner, "normal"));
            for (int i = 0; i < 3; ++i)
                if (scanner_word(scanner, &word) == 0) // often nan; not used
                    return scanner_expected(scanner, "a normal");
            TRY(scanner_expect(scanner, "outer"));
            TRY(scanner_expect(scanner, "loop"));
            for (int i = 0; i < 3; ++i) {
                TRY(scanner_expect(scanner, "vertex"));
                TRY(read_vertex(file));
            }
            TRY(scanner_expect(scanner, "endloop"));
            TRY(scanner_expect(scanner, "endfacet"));
            TRY(surface_end_polygon(&file->builder, scanner));
        }
        scanner_next_line(scanner);
    }
    return VELA_OK;
}

/// Binary files may start with "solid" too; their size tells, and that they have zero bytes.
static bool is_binary(const char *data, size_t size)
{
    if (size < HEADER_BYTES + 4)
        return false;
    uint64_t count = 0;
    for (int i = 3; i >= 0; --i)
        count = count << 8 | (unsigned char)data[HEADER_BYTES + i];
    return size == HEADER_BYTES + 4 + FACET_BYTES * count || strncasecmp(data, "solid", 5) != 0 ||
           memchr(data, 0, size) != NULL;
}

VelaResult stl_parse(VelaContext *context, const char *name, const char *data, size_t size, Arena *arena,
                     TriangleMesh *mesh)
{
    StlFile file = {.scanner = scanner_make(context, name, data, size),
                    .builder = surface_builder_make(context, arena, 0)};
    VelaResult result = is_binary(data, size) ? read_binary(&file) : read_text(&file);
    if (result == VELA_OK)
        result = surface_builder_finish(&file.builder, &file.scanner, mesh);
    surface_builder_clear(&file.builder);
    return result;
}
