#include "device/cpu/linear/dissection.h"

#include "device/cpu/linear/separator.h"

#include <string.h>

/// Sets of so many nodes are not cut any more.
enum { SET_SMALL = 16 };

/// What is under way. `set_of` tells which set a node is still in, by a number that every cut gives anew; -1: it has been placed.
typedef struct Cutting {
    const int32_t *row_start, *columns;
    int32_t count, set_count;
    int32_t *set_of, *place; ///< place: in the set that is being cut
    int32_t *waiting;        ///< sets without a parent so far
    int32_t waiting_count;
    Dissection *out;
    Arena scratch;
} Cutting;

// Nodes of a set that can be reached from `first`, as `order`; returns how many there are.
static int32_t sweep(Cutting *cutting, int32_t first, int32_t *order)
{
    const int32_t set = cutting->set_of[first];
    int32_t reached = 1;
    order[0] = first;
    cutting->set_of[first] = cutting->set_count;
    for (int32_t done = 0; done < reached; ++done)
        for (int32_t p = cutting->row_start[order[done]]; p < cutting->row_start[order[done] + 1]; ++p) {
            const int32_t other = cutting->columns[p];
            if (other >= cutting->count || cutting->set_of[other] != set)
                continue;
            cutting->set_of[other] = cutting->set_count;
            order[reached++] = other;
        }
    ++cutting->set_count;
    return reached;
}

// Makes a set of the nodes, whose children are all that wait since `waiting`.
static void place(Cutting *cutting, const int32_t *nodes, int32_t count, int32_t waiting)
{
    Dissection *out = cutting->out;
    for (int32_t k = waiting; k < cutting->waiting_count; ++k)
        out->parent[cutting->waiting[k]] = out->count;
    cutting->waiting_count = waiting;
    cutting->waiting[cutting->waiting_count++] = out->count;
    memcpy(out->nodes + out->start[out->count], nodes, (size_t)count * sizeof *nodes);
    for (int32_t k = 0; k < count; ++k)
        cutting->set_of[nodes[k]] = -1;
    out->parent[out->count] = -1;
    out->start[out->count + 1] = out->start[out->count] + count;
    ++out->count;
}

// The edges between the nodes of a set, numbered as in `nodes`.
static VelaResult extract(Cutting *cutting, const int32_t *nodes, int32_t count, WeightedGraph *graph)
{
    Arena *scratch = &cutting->scratch;
    const int32_t set = cutting->set_of[nodes[0]];
    size_t edges = 0;
    for (int32_t k = 0; k < count; ++k) {
        cutting->place[nodes[k]] = k;
        edges += (size_t)(cutting->row_start[nodes[k] + 1] - cutting->row_start[nodes[k]]);
    }
    *graph = (WeightedGraph){.count = count};
    TRY(ARENA_ARRAY(scratch, graph->row_start, count + 1));
    TRY(ARENA_ARRAY(scratch, graph->node_weights, count));
    TRY(ARENA_ARRAY(scratch, graph->columns, edges));
    TRY(ARENA_ARRAY(scratch, graph->edge_weights, edges));
    int32_t next = 0;
    for (int32_t k = 0; k < count; ++k) {
        for (int32_t p = cutting->row_start[nodes[k]]; p < cutting->row_start[nodes[k] + 1]; ++p) {
            const int32_t other = cutting->columns[p];
            if (other >= cutting->count || other == nodes[k] || cutting->set_of[other] != set)
                continue;
            graph->edge_weights[next] = 1;
            graph->columns[next++] = cutting->place[other];
        }
        graph->node_weights[k] = 1;
        graph->row_start[k + 1] = next;
    }
    return VELA_OK;
}

// Sorts connected nodes into below, separator, above; starts: where the latter two begin.
static VelaResult split(Cutting *cutting, int32_t *nodes, int32_t count, int32_t *room, int32_t starts[2])
{
    static const uint8_t order[PART_COUNT] = {SIDE_BELOW, SEPARATOR, SIDE_ABOVE};
    WeightedGraph graph;
    uint8_t *parts;
    TRY(extract(cutting, nodes, count, &graph));
    TRY(ARENA_ARRAY(&cutting->scratch, parts, count));
    TRY(separator_find(&graph, &cutting->scratch, parts));
    int32_t next = 0;
    for (int k = 0; k < PART_COUNT; ++k) {
        if (k > 0)
            starts[k - 1] = next;
        for (int32_t i = 0; i < count; ++i)
            if (parts[i] == order[k])
                room[next++] = nodes[i];
    }
    memcpy(nodes, room, (size_t)count * sizeof *nodes);
    return VELA_OK;
}

// Cuts a set of nodes, connected or not; `room` is as large.
static VelaResult cut(Cutting *cutting, int32_t *nodes, int32_t count, int32_t *room)
{
    while (count > 0) {
        const int32_t waiting = cutting->waiting_count;
        const int32_t reached = sweep(cutting, nodes[0], room);
        int32_t rest = 0; // behind what is connected
        for (int32_t k = 0; k < count; ++k)
            if (cutting->set_of[nodes[k]] != cutting->set_count - 1)
                nodes[rest++] = nodes[k];
        memmove(nodes + reached, nodes, (size_t)rest * sizeof *nodes);
        memcpy(nodes, room, (size_t)reached * sizeof *nodes);
        int32_t starts[2] = {0, reached};
        if (reached > SET_SMALL) {
            const ArenaMark mark = arena_mark(&cutting->scratch);
            TRY(split(cutting, nodes, reached, room, starts));
            arena_release(&cutting->scratch, mark);
        }
        if (starts[0] > 0 && starts[1] > starts[0] && starts[1] < reached) {
            for (int32_t k = 0; k < reached; ++k) // both halves apart from one another and from the separator
                cutting->set_of[nodes[k]] = cutting->set_count + (k >= starts[0]) + (k >= starts[1]);
            cutting->set_count += 3;
            TRY(cut(cutting, nodes, starts[0], room));
            TRY(cut(cutting, nodes + starts[1], reached - starts[1], room));
            place(cutting, nodes + starts[0], starts[1] - starts[0], waiting);
        } else
            place(cutting, nodes, reached, waiting);
        nodes += reached;
        count -= reached;
        // What is left is told from what has been placed by its number alone.
    }
    return VELA_OK;
}

VelaResult dissection_create(VelaContext *context, int32_t count, const int32_t *row_start,
                             const int32_t *columns, Arena *arena, Dissection *dissection)
{
    Cutting cutting = {.row_start = row_start,
                       .columns = columns,
                       .count = count,
                       .out = dissection,
                       .set_count = 1,
                       .scratch = arena_make(context)};
    Arena *scratch = &cutting.scratch;
    int32_t *nodes, *room;
    VelaResult result;
    *dissection = (Dissection){0};
    TRY(ARENA_ARRAY(arena, dissection->parent, count));
    TRY(ARENA_ARRAY(arena, dissection->start, count + 1));
    TRY(ARENA_ARRAY(arena, dissection->nodes, count));
    TRY_GOTO(result, ARENA_ARRAY(scratch, cutting.set_of, count), done);
    TRY_GOTO(result, ARENA_ARRAY(scratch, cutting.place, count), done);
    TRY_GOTO(result, ARENA_ARRAY(scratch, cutting.waiting, count), done);
    TRY_GOTO(result, ARENA_ARRAY(scratch, nodes, count), done);
    TRY_GOTO(result, ARENA_ARRAY(scratch, room, count), done);
    for (int32_t i = 0; i < count; ++i)
        nodes[i] = i;
    result = cut(&cutting, nodes, count, room);
done:
    arena_clear(scratch);
    return result;
}
