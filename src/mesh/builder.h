/// Collects nodes, elements and groups as the reader of a format finds them, and makes the mesh of them.
#ifndef MESH_BUILDER_H
#define MESH_BUILDER_H

#include "mesh/check.h"
#include "mesh/mesh.h"
#include "mesh/scanner.h"

/// Some elements of a group: their nodes in MeshBuilder.element_nodes.
typedef struct GroupPart {
    int32_t dimension;
    int64_t tag;
    int64_t first, count;
    const char *name;
} GroupPart;

typedef struct GroupName {
    int32_t dimension;
    int64_t tag;
    const char *name;
} GroupName;

typedef struct MeshBuilder {
    VelaContext *context;
    Arena *arena;  ///< of the mesh
    Arena scratch; ///< of everything else
    size_t node_count, node_capacity, id_capacity, node_place_capacity;
    double *nodes;
    int64_t *ids; ///< the file's own
    int64_t *node_places;
    int64_t first_id, id_range; ///< index = id - first_id where `direct`, else id_table[id - first_id] where
                                ///< that is not NULL
    bool direct;
    int32_t *id_table;
    struct NodeId *sorted_ids; ///< where ids are too sparse for a table
    size_t tet_count, tet_capacity, tet_place_capacity;
    int32_t *tets; ///< tet_count x 4 (or triangle_count x 3)
    int64_t *tet_places;
    size_t element_node_count, element_node_capacity;
    int32_t *element_nodes;
    size_t part_count, part_capacity;
    GroupPart *parts;
    int64_t part_cost; ///< sum of their counts
    size_t name_count, name_capacity;
    GroupName *names;
} MeshBuilder;

MeshBuilder builder_make(VelaContext *context, Arena *arena);
/// Frees what is not the mesh.
void builder_clear(MeshBuilder *builder);

/// Adds a node with its id in the file, at the scanner's place `place`.
VelaResult builder_add_node(MeshBuilder *builder, int64_t id, const double point[3], int64_t place);
/// After the last node: refuses ids that occur twice, prepares the look-up.
VelaResult builder_index_nodes(MeshBuilder *builder, const Scanner *scanner);
/// Reads `count` node ids (of `type`) of one element and adds them; `what`: "tetrahedron". A tet is added to
/// the mesh. Refuses ids without node, and a node that occurs twice.
VelaResult builder_read_element(MeshBuilder *builder, Scanner *scanner, ScalarType type, const char *what,
                                int32_t count, bool is_tet, int64_t place);
/// Puts the element nodes from `first` to the present end into the group (`dimension`, `tag`).
VelaResult builder_add_to_group(MeshBuilder *builder, const Scanner *scanner, int32_t dimension, int64_t tag,
                                int64_t first, int64_t count);
/// Puts every node whose reference number is not 0 into the group of that number. `references`: one a node.
VelaResult builder_group_nodes(MeshBuilder *builder, const Scanner *scanner, const int64_t *references);
VelaResult builder_name_group(MeshBuilder *builder, int32_t dimension, int64_t tag, const char *name,
                              size_t length);
/// Makes the mesh, checks it (mesh_check_tets) and builds its groups.
VelaResult builder_finish(MeshBuilder *builder, const Scanner *scanner, TetMesh *mesh);

#endif
