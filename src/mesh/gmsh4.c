#include "mesh/gmsh.h"

#include <stdlib.h>

// ---------------------------------------------------------------- $Entities

/// One entity: tag, its point or its bounding box, its physical tags, and but for points the tags of its
/// boundary.
static VelaResult read_entity(GmshFile *file, int32_t dimension)
{
    Scanner *scanner = &file->scanner;
    int64_t tag, count, physical;
    double extent;
    TRY(scanner_integer(scanner, SCALAR_INT32, "the tag of an entity", INT32_MIN, INT32_MAX, &tag));
    for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i)
        TRY(scanner_real(scanner, SCALAR_DOUBLE, "the extent of an entity", &extent));
    TRY(scanner_count(scanner, SCALAR_UINT64, "physical tags", scanner->binary ? 4 : 2, &count));
    GmshEntity entity = {dimension, tag, file->physical_count, (size_t)count};
    Arena *scratch = &file->builder.scratch;
    TRY(ARENA_GROW(scratch, file->physical_tags, &file->physical_capacity,
                   file->physical_count + (size_t)count));
    for (int64_t i = 0; i < count; ++i) {
        TRY(scanner_integer(scanner, SCALAR_INT32, "a physical tag", INT32_MIN, INT32_MAX, &physical));
        file->physical_tags[file->physical_count++] = physical < 0 ? -physical : physical;
    }
    TRY(ARENA_GROW(scratch, file->entities, &file->entity_capacity, file->entity_count + 1));
    file->entities[file->entity_count++] = entity;
    if (dimension == 0)
        return VELA_OK;
    TRY(scanner_count(scanner, SCALAR_UINT64, "bounding entities", scanner->binary ? 4 : 2, &count));
    for (int64_t i = 0; i < count; ++i)
        TRY(scanner_integer(scanner, SCALAR_INT32, "the tag of a bounding entity", INT32_MIN, INT32_MAX,
                            &tag));
    return VELA_OK;
}

static int entity_compare(const void *left, const void *right)
{
    const GmshEntity *a = left, *b = right;
    if (a->dimension != b->dimension)
        return a->dimension < b->dimension ? -1 : 1;
    return a->tag < b->tag ? -1 : a->tag > b->tag;
}

VelaResult gmsh4_read_entities(GmshFile *file)
{
    static const char *const names[4] = {"point entities", "curve entities", "surface entities",
                                         "volume entities"};
    Scanner *scanner = &file->scanner;
    if (file->have_elements)
        return scanner_fail(scanner, "found $Entities after $Elements, expected the entities first");
    gmsh_start_data(file);
    int64_t counts[4];
    for (int d = 0; d < 4; ++d)
        TRY(scanner_count(scanner, SCALAR_UINT64, names[d], scanner->binary ? 36 : 10, &counts[d]));
    for (int32_t d = 0; d < 4; ++d)
        for (int64_t i = 0; i < counts[d]; ++i)
            TRY(read_entity(file, d));
    if (file->entity_count > 0)
        qsort(file->entities, file->entity_count, sizeof *file->entities, entity_compare);
    scanner->binary = false;
    return VELA_OK;
}

// ---------------------------------------------------------------- $Nodes

typedef struct NodeBlock {
    int64_t dimension, tag, parametric, count;
} NodeBlock;

/// First all ids of the block, then all coordinates. `ids` and `places` have room for the block.
static VelaResult read_node_block(GmshFile *file, const NodeBlock *block, int64_t *ids, int64_t *places)
{
    Scanner *scanner = &file->scanner;
    for (int64_t n = 0; n < block->count; ++n) {
        TRY(scanner_integer(scanner, SCALAR_UINT64, "a node id", 0, INT64_MAX / 2, &ids[n]));
        places[n] = scanner_place(scanner);
    }
    for (int64_t n = 0; n < block->count; ++n) {
        double point[3], parameter;
        const char *word;
        if (!scanner->binary)
            scanner_peek(scanner, &word); // to the line of the coordinates
        scanner->in_line = true;
        TRY(scanner_point(scanner, SCALAR_DOUBLE, point));
        for (int64_t p = 0; block->parametric && p < block->dimension; ++p)
            TRY(scanner_real(scanner, SCALAR_DOUBLE, "a parametric coordinate", &parameter));
        if (!scanner->binary)
            TRY(scanner_end_record(scanner, "a node's coordinates"));
        scanner->in_line = false;
        TRY(builder_add_node(&file->builder, ids[n], point, places[n]));
    }
    return VELA_OK;
}

VelaResult gmsh4_read_nodes(GmshFile *file)
{
    Scanner *scanner = &file->scanner;
    gmsh_start_data(file);
    int64_t block_count, node_count, id;
    TRY(scanner_count(scanner, SCALAR_UINT64, "node blocks", scanner->binary ? 20 : 8, &block_count));
    TRY(scanner_count(scanner, SCALAR_UINT64, "nodes", scanner->binary ? 32 : 8, &node_count));
    TRY(scanner_integer(scanner, SCALAR_UINT64, "the smallest node id", 0, INT64_MAX, &id));
    TRY(scanner_integer(scanner, SCALAR_UINT64, "the largest node id", 0, INT64_MAX, &id));
    int64_t left = node_count, *ids, *places;
    TRY(ARENA_ARRAY(&file->builder.scratch, ids, node_count));
    TRY(ARENA_ARRAY(&file->builder.scratch, places, node_count));
    for (int64_t b = 0; b < block_count; ++b) {
        NodeBlock block;
        TRY(scanner_integer(scanner, SCALAR_INT32, "the dimension of an entity", 0, 3, &block.dimension));
        TRY(scanner_integer(scanner, SCALAR_INT32, "the tag of an entity", INT32_MIN, INT32_MAX, &block.tag));
        TRY(scanner_integer(scanner, SCALAR_INT32, "0 or 1 (parametric)", 0, 1, &block.parametric));
        TRY(scanner_integer(scanner, SCALAR_UINT64, "the number of nodes in a block", 0, left, &block.count));
        TRY(read_node_block(file, &block, ids, places));
        left -= block.count;
    }
    if (left > 0)
        return scanner_fail(scanner, "found %lld nodes in %lld blocks, expected %lld",
                            (long long)(node_count - left), (long long)block_count, (long long)node_count);
    scanner->binary = false;
    return builder_index_nodes(&file->builder, scanner);
}

// ---------------------------------------------------------------- $Elements

typedef struct ElementBlock {
    int32_t dimension;
    int64_t entity_tag, first, count; ///< nodes of its elements in MeshBuilder.element_nodes
} ElementBlock;

static VelaResult read_element_block(GmshFile *file, int64_t left, ElementBlock *block, int64_t *count)
{
    Scanner *scanner = &file->scanner;
    int64_t dimension, type_number, id;
    TRY(scanner_integer(scanner, SCALAR_INT32, "the dimension of an entity", 0, 3, &dimension));
    TRY(scanner_integer(scanner, SCALAR_INT32, "the tag of an entity", INT32_MIN, INT32_MAX,
                        &block->entity_tag));
    TRY(scanner_integer(scanner, SCALAR_INT32, "an element type", 0, INT32_MAX, &type_number));
    const GmshElementType *type;
    TRY(gmsh_element_type(file, type_number, &type));
    TRY(scanner_integer(scanner, SCALAR_UINT64, "the number of elements in a block", 0, left, count));
    block->dimension = (int32_t)dimension;
    block->first = (int64_t)file->builder.element_node_count;
    for (int64_t e = 0; e < *count; ++e) {
        int64_t place = scanner_place(scanner);
        TRY(scanner_integer(scanner, SCALAR_UINT64, "an element id", 0, INT64_MAX, &id));
        place = scanner->binary ? place : scanner_place(scanner);
        scanner->in_line = true;
        TRY(builder_read_element(&file->builder, scanner, SCALAR_UINT64, type->name, type->node_count,
                                 type->dimension == 3, place));
        if (!scanner->binary)
            TRY(scanner_end_record(scanner, "an element's nodes"));
        scanner->in_line = false;
    }
    block->count = (int64_t)file->builder.element_node_count - block->first;
    return VELA_OK;
}

/// Elements are in the physical groups of the entity they are listed under.
static VelaResult add_to_groups(GmshFile *file, const ElementBlock *block)
{
    const GmshEntity key = {.dimension = block->dimension, .tag = block->entity_tag};
    const GmshEntity *entity =
        file->entity_count > 0 ? bsearch(&key, file->entities, file->entity_count, sizeof key, entity_compare)
                               : NULL;
    for (size_t i = 0; entity && i < entity->count; ++i)
        TRY(builder_add_to_group(&file->builder, &file->scanner, block->dimension,
                                 file->physical_tags[entity->first + i], block->first, block->count));
    return VELA_OK;
}

VelaResult gmsh4_read_elements(GmshFile *file)
{
    Scanner *scanner = &file->scanner;
    gmsh_start_data(file);
    int64_t block_count, element_count, id;
    TRY(scanner_count(scanner, SCALAR_UINT64, "element blocks", scanner->binary ? 20 : 8, &block_count));
    TRY(scanner_count(scanner, SCALAR_UINT64, "elements", scanner->binary ? 16 : 4, &element_count));
    TRY(scanner_integer(scanner, SCALAR_UINT64, "the smallest element id", 0, INT64_MAX, &id));
    TRY(scanner_integer(scanner, SCALAR_UINT64, "the largest element id", 0, INT64_MAX, &id));
    ElementBlock *blocks;
    TRY(ARENA_ARRAY(&file->builder.scratch, blocks, block_count));
    int64_t left = element_count, count;
    for (int64_t b = 0; b < block_count; ++b, left -= count)
        TRY(read_element_block(file, left, &blocks[b], &count));
    if (left > 0)
        return scanner_fail(scanner, "found %lld elements in %lld blocks, expected %lld",
                            (long long)(element_count - left), (long long)block_count,
                            (long long)element_count);
    scanner->binary = false;
    for (int64_t b = 0; b < block_count; ++b)
        TRY(add_to_groups(file, &blocks[b]));
    return VELA_OK;
}
