#include "mesh/builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Elements may be in so many groups on average; more is refused, for it would let a small file fill the
// memory.
enum { GROUPS_PER_ELEMENT = 64, GROUP_ALLOWANCE = 1 << 16 };

typedef struct NodeId {
    int64_t id;
    int32_t index;
} NodeId;

MeshBuilder builder_make(VelaContext *context, Arena *arena)
{
    return (MeshBuilder){.context = context, .arena = arena, .scratch = arena_make(context)};
}

void builder_clear(MeshBuilder *builder)
{
    arena_clear(&builder->scratch);
}

// ---------------------------------------------------------------- nodes

VelaResult builder_add_node(MeshBuilder *builder, int64_t id, const double point[3], int64_t place)
{
    const size_t n = builder->node_count;
    TRY(arena_grow(&builder->scratch, (void **)&builder->nodes, &builder->node_capacity, n + 1,
                   3 * sizeof(double)));
    TRY(ARENA_GROW(&builder->scratch, builder->ids, &builder->id_capacity, n + 1));
    TRY(ARENA_GROW(&builder->scratch, builder->node_places, &builder->node_place_capacity, n + 1));
    memcpy(builder->nodes + 3 * n, point, 3 * sizeof(double));
    builder->ids[n] = id;
    builder->node_places[n] = place;
    ++builder->node_count;
    return VELA_OK;
}

static int node_id_compare(const void *left, const void *right)
{
    const NodeId *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static VelaResult fail_twice(const MeshBuilder *builder, const Scanner *scanner, int32_t first,
                             int32_t second)
{
    char first_place[32], second_place[32];
    return context_fail(builder->context, VELA_ERROR_INVALID_INPUT,
                        "%s: %s: found node id %lld a second time, expected it only at %s", scanner->name,
                        place_text(scanner->byte_places, builder->node_places[second], second_place),
                        (long long)builder->ids[second],
                        place_text(scanner->byte_places, builder->node_places[first], first_place));
}

static VelaResult make_id_table(MeshBuilder *builder, const Scanner *scanner)
{
    TRY(ARENA_ARRAY(&builder->scratch, builder->id_table, builder->id_range));
    for (size_t n = 0; n < builder->node_count; ++n) {
        int32_t *entry = &builder->id_table[builder->ids[n] - builder->first_id]; // index + 1; 0: none
        if (*entry != 0)
            return fail_twice(builder, scanner, *entry - 1, (int32_t)n);
        *entry = (int32_t)n + 1;
    }
    return VELA_OK;
}

static VelaResult sort_ids(MeshBuilder *builder, const Scanner *scanner)
{
    NodeId *sorted;
    TRY(ARENA_ARRAY(&builder->scratch, sorted, builder->node_count));
    for (size_t n = 0; n < builder->node_count; ++n)
        sorted[n] = (NodeId){builder->ids[n], (int32_t)n};
    qsort(sorted, builder->node_count, sizeof *sorted, node_id_compare);
    for (size_t n = 1; n < builder->node_count; ++n)
        if (sorted[n].id == sorted[n - 1].id)
            return fail_twice(builder, scanner, sorted[n - 1].index, sorted[n].index);
    builder->sorted_ids = sorted;
    return VELA_OK;
}

VelaResult builder_index_nodes(MeshBuilder *builder, const Scanner *scanner)
{
    const size_t count = builder->node_count;
    if (count == 0)
        return scanner_fail(scanner, "found no nodes, expected at least 4");
    int64_t smallest = builder->ids[0], largest = builder->ids[0];
    builder->direct = true;
    for (size_t n = 0; n < count; ++n) {
        const int64_t id = builder->ids[n];
        smallest = id < smallest ? id : smallest;
        largest = id > largest ? id : largest;
        builder->direct = builder->direct && id == builder->ids[0] + (int64_t)n;
    }
    builder->first_id = smallest;
    builder->id_range = largest - smallest + 1;
    if (builder->direct)
        return VELA_OK;
    if (builder->id_range <= 8 * (int64_t)count + 1024)
        return make_id_table(builder, scanner);
    return sort_ids(builder, scanner);
}

/// Index of the node, -1 if there is none.
static int32_t find_node(const MeshBuilder *builder, int64_t id)
{
    if (id < builder->first_id || id - builder->first_id >= builder->id_range)
        return -1;
    if (builder->direct)
        return (int32_t)(id - builder->first_id);
    if (builder->id_table)
        return builder->id_table[id - builder->first_id] - 1;
    size_t low = 0, high = builder->node_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (builder->sorted_ids[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return builder->sorted_ids[low].id == id ? builder->sorted_ids[low].index : -1;
}

// ---------------------------------------------------------------- elements

static VelaResult add_tet(MeshBuilder *builder, const Scanner *scanner, const int32_t tet[4], int64_t place)
{
    for (int a = 0; a < 4; ++a)
        for (int b = a + 1; b < 4; ++b)
            if (tet[a] == tet[b])
                return scanner_fail(
                    scanner,
                    "found tetrahedron %zu (counted from 0) with node %lld twice, expected four "
                    "different nodes",
                    builder->tet_count, (long long)builder->ids[tet[a]]);
    const size_t t = builder->tet_count;
    if (t == INT32_MAX)
        return scanner_fail(scanner, "found more than %d tetrahedra", INT32_MAX);
    TRY(arena_grow(&builder->scratch, (void **)&builder->tets, &builder->tet_capacity, t + 1,
                   4 * sizeof(int32_t)));
    TRY(ARENA_GROW(&builder->scratch, builder->tet_places, &builder->tet_place_capacity, t + 1));
    memcpy(builder->tets + 4 * t, tet, 4 * sizeof(int32_t));
    builder->tet_places[t] = place;
    ++builder->tet_count;
    return VELA_OK;
}

VelaResult builder_read_element(MeshBuilder *builder, Scanner *scanner, ScalarType type, const char *what,
                                int32_t count, bool is_tet, int64_t place)
{
    const size_t first = builder->element_node_count;
    TRY(ARENA_GROW(&builder->scratch, builder->element_nodes, &builder->element_node_capacity,
                   first + (size_t)count));
    const int64_t last_id = builder->first_id + builder->id_range - 1;
    for (int32_t n = 0; n < count; ++n) {
        const char *start = scanner->cursor;
        int64_t id;
        const bool is_read = scanner_integer(scanner, type, what, builder->first_id, last_id, &id) == VELA_OK;
        const int32_t node = is_read ? find_node(builder, id) : -1;
        if (node < 0) {
            // Read once more for a message that names the corner, which no other reading should pay for.
            char expected[96];
            snprintf(expected, sizeof expected, "node %d of %d of a %s", n + 1, count, what);
            scanner->cursor = start;
            TRY(scanner_integer(scanner, type, expected, builder->first_id, last_id, &id));
            return scanner_fail(scanner, "found node id %lld, which no node has, expected %s", (long long)id,
                                expected);
        }
        builder->element_nodes[first + (size_t)n] = node;
    }
    builder->element_node_count += (size_t)count;
    return is_tet ? add_tet(builder, scanner, builder->element_nodes + first, place) : VELA_OK;
}

// ---------------------------------------------------------------- groups

VelaResult builder_add_to_group(MeshBuilder *builder, const Scanner *scanner, int32_t dimension, int64_t tag,
                                int64_t first, int64_t count)
{
    GroupPart *last = builder->part_count > 0 ? &builder->parts[builder->part_count - 1] : NULL;
    builder->part_cost += count + 1;
    if (last && last->dimension == dimension && last->tag == tag && last->first + last->count == first) {
        last->count += count;
        return VELA_OK;
    }
    if (builder->part_cost > GROUPS_PER_ELEMENT * (int64_t)builder->element_node_count + GROUP_ALLOWANCE)
        return scanner_fail(scanner,
                            "found elements that are in more than %d groups on average, expected fewer",
                            GROUPS_PER_ELEMENT);
    TRY(ARENA_GROW(&builder->scratch, builder->parts, &builder->part_capacity, builder->part_count + 1));
    builder->parts[builder->part_count++] = (GroupPart){dimension, tag, first, count, NULL};
    return VELA_OK;
}

VelaResult builder_group_nodes(MeshBuilder *builder, const Scanner *scanner, const int64_t *references)
{
    for (size_t n = 0; n < builder->node_count; ++n) {
        if (references[n] == 0)
            continue;
        const size_t first = builder->element_node_count;
        TRY(ARENA_GROW(&builder->scratch, builder->element_nodes, &builder->element_node_capacity,
                       first + 1));
        builder->element_nodes[builder->element_node_count++] = (int32_t)n;
        TRY(builder_add_to_group(builder, scanner, 0, references[n], (int64_t)first, 1));
    }
    return VELA_OK;
}

VelaResult builder_name_group(MeshBuilder *builder, int32_t dimension, int64_t tag, const char *name,
                              size_t length)
{
    char *copy;
    TRY(arena_string(builder->arena, name, length, &copy));
    TRY(ARENA_GROW(&builder->scratch, builder->names, &builder->name_capacity, builder->name_count + 1));
    builder->names[builder->name_count++] = (GroupName){dimension, tag, copy};
    // A part without nodes, so that a group that has no elements is still known by its name.
    TRY(ARENA_GROW(&builder->scratch, builder->parts, &builder->part_capacity, builder->part_count + 1));
    builder->parts[builder->part_count++] = (GroupPart){dimension, tag, 0, 0, NULL};
    return VELA_OK;
}

static int group_name_compare(const void *left, const void *right)
{
    const GroupName *a = left, *b = right;
    if (a->dimension != b->dimension)
        return a->dimension < b->dimension ? -1 : 1;
    return a->tag < b->tag ? -1 : a->tag > b->tag;
}

static int part_compare(const void *left, const void *right)
{
    const GroupPart *a = left, *b = right;
    const int order = strcmp(a->name, b->name);
    return order != 0 ? order : (a->first < b->first ? -1 : a->first > b->first);
}

static int node_compare(const void *left, const void *right)
{
    const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return a < b ? -1 : a > b;
}

/// Gives every part its group's name: the file's, else its number.
static VelaResult name_parts(MeshBuilder *builder)
{
    if (builder->name_count > 0)
        qsort(builder->names, builder->name_count, sizeof *builder->names, group_name_compare);
    for (size_t p = 0; p < builder->part_count; ++p) {
        GroupPart *part = &builder->parts[p];
        const GroupName key = {part->dimension, part->tag, NULL};
        const GroupName *named = builder->name_count > 0 ? bsearch(&key, builder->names, builder->name_count,
                                                                   sizeof key, group_name_compare)
                                                         : NULL;
        if (named) {
            part->name = named->name;
            continue;
        }
        char number[24], *copy;
        const int length = snprintf(number, sizeof number, "%lld", (long long)part->tag);
        TRY(arena_string(builder->arena, number, (size_t)length, &copy));
        part->name = copy;
    }
    return VELA_OK;
}

/// One group from the parts of its name: every node once, ascending.
static VelaResult make_group(MeshBuilder *builder, const GroupPart *parts, size_t part_count, int32_t stamp,
                             int32_t *stamps, NodeGroup *group)
{
    int64_t total = 0;
    for (size_t p = 0; p < part_count; ++p)
        total += parts[p].count;
    const ArenaMark mark = arena_mark(&builder->scratch);
    int32_t *found, count = 0;
    TRY(ARENA_ARRAY(&builder->scratch, found, total));
    for (size_t p = 0; p < part_count; ++p)
        for (int64_t i = 0; i < parts[p].count; ++i) {
            const int32_t node = builder->element_nodes[parts[p].first + i];
            if (stamps[node] != stamp)
                found[count++] = node;
            stamps[node] = stamp;
        }
    qsort(found, (size_t)count, sizeof *found, node_compare);
    *group = (NodeGroup){.name = parts[0].name, .node_count = count};
    TRY(ARENA_ARRAY(builder->arena, group->nodes, count));
    memcpy(group->nodes, found, (size_t)count * sizeof *found);
    arena_release(&builder->scratch, mark);
    return VELA_OK;
}

static VelaResult make_groups(MeshBuilder *builder, TetMesh *mesh)
{
    const size_t count = builder->part_count;
    if (count == 0)
        return VELA_OK;
    TRY(name_parts(builder));
    qsort(builder->parts, count, sizeof *builder->parts, part_compare);
    int32_t *stamps;
    TRY(ARENA_ARRAY(&builder->scratch, stamps, builder->node_count));
    size_t group_count = 1;
    for (size_t p = 1; p < count; ++p)
        group_count += strcmp(builder->parts[p].name, builder->parts[p - 1].name) != 0;
    TRY(ARENA_ARRAY(builder->arena, mesh->groups, group_count));
    for (size_t p = 0, end; p < count; p = end) {
        for (end = p + 1; end < count && strcmp(builder->parts[end].name, builder->parts[p].name) == 0;)
            ++end;
        TRY(make_group(builder, builder->parts + p, end - p, mesh->group_count + 1, stamps,
                       &mesh->groups[mesh->group_count]));
        ++mesh->group_count;
    }
    return VELA_OK;
}

VelaResult builder_finish(MeshBuilder *builder, const Scanner *scanner, TetMesh *mesh)
{
    FAIL_IF(builder->context, builder->tet_count == 0, VELA_ERROR_INVALID_INPUT,
            "%s: found no tetrahedra, expected at least one", scanner->name);
    *mesh = (TetMesh){.node_count = (int32_t)builder->node_count, .tet_count = (int32_t)builder->tet_count};
    TRY(ARENA_ARRAY(builder->arena, mesh->nodes, 3 * builder->node_count));
    TRY(ARENA_ARRAY(builder->arena, mesh->tets, 4 * builder->tet_count));
    memcpy(mesh->nodes, builder->nodes, 3 * builder->node_count * sizeof *mesh->nodes);
    memcpy(mesh->tets, builder->tets, 4 * builder->tet_count * sizeof *mesh->tets);
    const MeshPlaces places = {scanner->name, scanner->byte_places, builder->ids, builder->tet_places};
    TRY(mesh_check_tets(builder->context, &places, mesh));
    return make_groups(builder, mesh);
}
