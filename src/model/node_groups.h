/// Groups of free nodes that are neighbours in space, for the coarse space of a preconditioner: each moves as one (model/group_motions.h).
/// Both devices have the same ones.
#ifndef MODEL_NODE_GROUPS_H
#define MODEL_NODE_GROUPS_H

#include "abi/coarse.h"
#include "model/model.h"

/// Usual numbers: a group has so many nodes, of a body as thick as it is long a cube of four; and so many groups are enough.
enum { NODES_PER_GROUP = 64, GROUPS_USUAL = 32 };

/// Where group `group` of group_count begins, of as many rows each. None of the mass blocks, the first coupled_count rows, is cut in two.
static inline int32_t node_groups_start(int32_t row_count, int32_t coupled_count, int32_t group_count,
                                        int32_t group)
{
    const int32_t start = group_count > 0 ? (int32_t)((int64_t)row_count * group / group_count) : 0;
    return start < coupled_count ? start / BODY_NODES * BODY_NODES : start;
}

/// Which rows of a matrix have blocks with which others. Borrowed.
typedef struct RowGraph {
    int32_t row_count;               ///< free nodes
    int32_t coupled_count;           ///< the first of them, in fours that one body has (NodeOrder)
    const int32_t *starts, *columns; ///< of every node; columns that are no rows are not looked at
    const int32_t *nodes, *places; ///< of every row its node, of every node its row; NULL: they are the same
    const int32_t *stack_of;       ///< of every node (NodeOrder); NULL: there are no stacks
    const uint8_t *stack_moves;    ///< likewise
} RowGraph;

static inline int32_t row_graph_node(const RowGraph *graph, int32_t row)
{
    return graph->nodes ? graph->nodes[row] : row;
}

/// At least row_count: it is none.
static inline int32_t row_graph_row(const RowGraph *graph, int32_t node)
{
    return graph->places ? graph->places[node] : node;
}

/// Whether a row is of the same stack as the one before.
static inline bool row_graph_is_stacked(const RowGraph *graph, int32_t row)
{
    return graph->stack_of && row > 0 && row < graph->row_count &&
           graph->stack_of[row_graph_node(graph, row)] == graph->stack_of[row_graph_node(graph, row - 1)];
}

/// The first row of the stack that the row is in.
static inline int32_t row_graph_stack(const RowGraph *graph, int32_t row)
{
    while (row_graph_is_stacked(graph, row))
        --row;
    return row;
}

/// The matrix of a model, whose rows are the places of `order`.
RowGraph node_groups_graph(const Model *model, const NodeOrder *order);

/// How many groups the rows from first_row on should have where `wanted` are enough for what coheres: what touches does not move alike, so every body, small ones
/// too, has its own, if there are at most `limit` then.
int32_t node_groups_count(const RowGraph *graph, int32_t first_row, int32_t wanted, int32_t limit);

/// Groups of the rows from first_row on. Where there are enough for every body to have its own, of as many rows each within a body; else as
/// many of each as node_groups_start says, but where a body begins less than half a group away they begin with that. No stack is cut in two, nor a mass block.
/// Group g has the rows starts[g] to starts[g + 1], of group_count + 1.
void node_groups_cut(const RowGraph *graph, int32_t first_row, int32_t group_count, int32_t *starts);

/// Arms of a group's nodes: the three coordinates from the group's centre over its radius, in [-1, 1], of the digits that single
/// precision has. `places`: where the nodes stand at first; both count x 3.
void node_groups_arms(const double *places, int32_t count, double *arms);

#endif
