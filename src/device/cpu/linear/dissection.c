#include "device/cpu/linear/dissection.h"

#include <string.h>

/// Sets of so many nodes are not cut any more.
enum { SET_SMALL = 16 };

/// What is under way. `set_of` tells which set a node is still in, by a number that every cut gives anew; -1: it has been placed.
typedef struct Cutting {
    const int32_t *row_start, *columns;
    int32_t count, set_count;
    int32_t *set_of, *level;
    int32_t *waiting; ///< sets without a parent so far
    int32_t waiting_count;
    Dissection *out;
} Cutting;

// Nodes of a set in the order of their distance from `first`, as `order`; returns how many can be reached. *far: a last one.
static int32_t sweep(Cutting *cutting, int32_t first, int32_t *order)
{
    const int32_t set = cutting->set_of[first];
    int32_t reached = 1;
    order[0] = first;
    cutting->level[first] = 0;
    cutting->set_of[first] = cutting->set_count;
    for (int32_t done = 0; done < reached; ++done)
        for (int32_t p = cutting->row_start[order[done]]; p < cutting->row_start[order[done] + 1]; ++p) {
            const int32_t other = cutting->columns[p];
            if (other >= cutting->count || cutting->set_of[other] != set)
                continue;
            cutting->set_of[other] = cutting->set_count;
            cutting->level[other] = cutting->level[order[done]] + 1;
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

// The level to cut at: the smallest one that leaves a third on either side, or else the one in the middle.
static int32_t choose_level(const Cutting *cutting, const int32_t *order, int32_t count)
{
    int32_t best = cutting->level[order[count / 2]], best_size = count + 1;
    for (int32_t first = 0, end; first < count; first = end) {
        const int32_t level = cutting->level[order[first]];
        end = first;
        while (end < count && cutting->level[order[end]] == level)
            ++end;
        if (3 * first >= count && 3 * (count - end) >= count && end - first < best_size) {
            best = level;
            best_size = end - first;
        }
    }
    return best;
}

// Whether a node of a level has a neighbour in the next one; the others need not be in the separator.
static bool leads_on(const Cutting *cutting, int32_t node)
{
    for (int32_t p = cutting->row_start[node]; p < cutting->row_start[node + 1]; ++p) {
        const int32_t other = cutting->columns[p];
        if (other < cutting->count && cutting->set_of[other] == cutting->set_of[node] &&
            cutting->level[other] > cutting->level[node])
            return true;
    }
    return false;
}

// Sorts connected nodes into below, separator, above; returns where the latter two begin.
static void split(Cutting *cutting, int32_t *nodes, int32_t count, int32_t *room, int32_t starts[2])
{
    const int32_t at = choose_level(cutting, nodes, count);
    int32_t sizes[3] = {0};
    for (int part = 0; part < 3; ++part)
        for (int32_t k = 0; k < count; ++k) {
            const int32_t level = cutting->level[nodes[k]];
            const bool separates = level == at && leads_on(cutting, nodes[k]);
            if (part == (level > at ? 2 : separates ? 1 : 0)) {
                room[sizes[0] + sizes[1] + sizes[2]] = nodes[k];
                ++sizes[part];
            }
        }
    memcpy(nodes, room, (size_t)count * sizeof *nodes);
    starts[0] = sizes[0];
    starts[1] = sizes[0] + sizes[1];
}

// Cuts a set of nodes, connected or not; `room` is as large.
static void cut(Cutting *cutting, int32_t *nodes, int32_t count, int32_t *room)
{
    while (count > 0) {
        const int32_t waiting = cutting->waiting_count;
        int32_t reached = sweep(cutting, nodes[0], room);
        // The rest behind what is connected; twice more from the far end, which makes levels small.
        int32_t rest = 0;
        for (int32_t k = 0; k < count; ++k)
            if (cutting->set_of[nodes[k]] != cutting->set_count - 1)
                nodes[rest++] = nodes[k];
        memmove(nodes + reached, nodes, (size_t)rest * sizeof *nodes);
        for (int turn = 0; turn < 2 && reached > SET_SMALL; ++turn)
            reached = sweep(cutting, room[reached - 1], nodes),
            memcpy(room, nodes, (size_t)reached * sizeof *room);
        memcpy(nodes, room, (size_t)reached * sizeof *nodes);
        int32_t starts[2] = {0, reached};
        if (reached > SET_SMALL)
            split(cutting, nodes, reached, room, starts);
        if (starts[0] > 0 && starts[1] > starts[0] && starts[1] < reached) {
            for (int32_t k = 0; k < reached; ++k) // both halves apart from one another and from the separator
                cutting->set_of[nodes[k]] = cutting->set_count + (k >= starts[0]) + (k >= starts[1]);
            cutting->set_count += 3;
            cut(cutting, nodes, starts[0], room);
            cut(cutting, nodes + starts[1], reached - starts[1], room);
            place(cutting, nodes + starts[0], starts[1] - starts[0], waiting);
        } else
            place(cutting, nodes, reached, waiting);
        nodes += reached;
        count -= reached;
        // What is left is told from what has been placed by its number alone.
    }
}

VelaResult dissection_create(VelaContext *context, int32_t count, const int32_t *row_start,
                             const int32_t *columns, Arena *arena, Dissection *dissection)
{
    Arena scratch = arena_make(context);
    Cutting cutting = {
        .row_start = row_start, .columns = columns, .count = count, .out = dissection, .set_count = 1};
    int32_t *nodes, *room;
    VelaResult result;
    *dissection = (Dissection){0};
    TRY(ARENA_ARRAY(arena, dissection->parent, count));
    TRY(ARENA_ARRAY(arena, dissection->start, count + 1));
    TRY(ARENA_ARRAY(arena, dissection->nodes, count));
    TRY_GOTO(result, ARENA_ARRAY(&scratch, cutting.set_of, count), done);
    TRY_GOTO(result, ARENA_ARRAY(&scratch, cutting.level, count), done);
    TRY_GOTO(result, ARENA_ARRAY(&scratch, cutting.waiting, count), done);
    TRY_GOTO(result, ARENA_ARRAY(&scratch, nodes, count), done);
    TRY_GOTO(result, ARENA_ARRAY(&scratch, room, count), done);
    for (int32_t i = 0; i < count; ++i)
        nodes[i] = i;
    cut(&cutting, nodes, count, room);
done:
    arena_clear(&scratch);
    return result;
}
