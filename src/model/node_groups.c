#include "model/node_groups.h"

#include <math.h>
#include <stdlib.h>

/// Groups with so many times the rows that they have in the mean would be too large.
static const double UNEVEN_MOST = 2;

/// The pieces of a matrix' rows that have no blocks of each other, one after the other.
typedef struct Pieces {
    const RowGraph *graph;
    int32_t row;     ///< the next one
    int32_t reached; ///< the last row that a row before has a block of
} Pieces;

// Goes on by a row; returns whether a piece begins with it. In the order of the rows bodies lie one behind the other.
static bool begins_piece(Pieces *pieces)
{
    const RowGraph *graph = pieces->graph;
    const int32_t row = pieces->row++, node = row_graph_node(graph, row);
    const bool begins = row > pieces->reached;
    for (int32_t p = graph->starts[node]; p < graph->starts[node + 1]; ++p) {
        const int32_t column = row_graph_row(graph, graph->columns[p]);
        pieces->reached = column < graph->row_count && column > pieces->reached ? column : pieces->reached;
    }
    pieces->reached = row > pieces->reached ? row : pieces->reached;
    return begins;
}

// The end of the body that begins with the next row. Mass blocks are as one: each is solved for whole, and needs no group.
static int32_t body_end(Pieces *pieces)
{
    const RowGraph *graph = pieces->graph;
    for (begins_piece(pieces); pieces->row < graph->row_count;) {
        Pieces ahead = *pieces;
        if (begins_piece(&ahead) && pieces->row >= graph->coupled_count)
            break;
        *pieces = ahead;
    }
    return pieces->row;
}

static Pieces pieces_from(const RowGraph *graph, int32_t first_row)
{
    return (Pieces){.graph = graph, .row = first_row, .reached = first_row - 1};
}

// Groups of a body, at least one, of `rows` each or nearly.
static int32_t body_groups(int32_t body_rows, double rows)
{
    const int32_t groups = (int32_t)(body_rows / rows + 0.5);
    return groups > 1 ? groups : 1;
}

// Those of all bodies.
static int32_t groups_of_size(const RowGraph *graph, int32_t first_row, double rows)
{
    Pieces pieces = pieces_from(graph, first_row);
    int32_t groups = 0;
    for (int32_t first = first_row; first < graph->row_count; first = pieces.row)
        groups += body_groups(body_end(&pieces) - first, rows);
    return groups;
}

int32_t node_groups_count(const RowGraph *graph, int32_t first_row, int32_t wanted, int32_t limit)
{
    const int32_t rows = graph->row_count - first_row;
    if (wanted < 1 || rows < 1)
        return wanted;
    const int32_t groups = groups_of_size(graph, first_row, (double)rows / wanted);
    return groups > wanted && groups <= limit ? groups : wanted;
}
/// Bodies' rows, and how many groups each has.
typedef struct Shares {
    int32_t count, starts[COARSE_GROUPS_MOST + 1], groups[COARSE_GROUPS_MOST];
} Shares;

// The largest groups come first to be made smaller. False where there are more bodies than groups, or groups that would be much larger than others.
static bool share_groups(const RowGraph *graph, int32_t first_row, int32_t group_count, Shares *shares)
{
    Pieces pieces = pieces_from(graph, first_row);
    shares->count = 0;
    for (int32_t first = first_row; first < graph->row_count; first = pieces.row) {
        if (shares->count == group_count)
            return false;
        shares->groups[shares->count] = 1;
        shares->starts[shares->count++] = first;
        body_end(&pieces);
    }
    shares->starts[shares->count] = graph->row_count;
    for (int32_t given = shares->count;; ++given) {
        double most = 0;
        int32_t largest = 0;
        for (int32_t s = 0; s < shares->count; ++s) {
            const double rows = (double)(shares->starts[s + 1] - shares->starts[s]) / shares->groups[s];
            largest = rows > most ? s : largest;
            most = fmax(most, rows);
        }
        if (given == group_count)
            return most * group_count <= UNEVEN_MOST * (graph->row_count - first_row);
        ++shares->groups[largest];
    }
}

// Of a body none of the mass blocks is cut in two.
static void cut_bodies(const RowGraph *graph, const Shares *shares, int32_t *starts)
{
    for (int32_t s = 0; s < shares->count; ++s) {
        const int32_t first = shares->starts[s], count = shares->starts[s + 1] - first;
        for (int32_t g = 0; g < shares->groups[s]; ++g)
            *starts++ = first + node_groups_start(count, graph->coupled_count - first, shares->groups[s], g);
    }
    *starts = graph->row_count;
}

// Groups of as many rows each, or nearly.
static void cut_rows(const RowGraph *graph, int32_t first_row, int32_t group_count, int32_t *starts)
{
    const int32_t count = graph->row_count - first_row,
                  coupled = graph->coupled_count > first_row ? graph->coupled_count - first_row : 0,
                  most = group_count > 0 ? count / group_count / 2 : 0;
    Pieces pieces = pieces_from(graph, first_row);
    int32_t group = 1, best = -1;
    for (int32_t g = 0; g <= group_count; ++g)
        starts[g] = first_row + node_groups_start(count, coupled, group_count, g);
    for (int32_t row = first_row; row < graph->row_count && group < group_count; ++row) {
        const int32_t wanted = starts[group];
        if (begins_piece(&pieces) && row > first_row && abs(row - wanted) < most &&
            (best < 0 || abs(row - wanted) < abs(best - wanted)))
            best = row;
        if (row - wanted < most)
            continue;
        if (best > starts[group - 1])
            starts[group] = best;
        best = -1;
        ++group;
    }
}

void node_groups_cut(const RowGraph *graph, int32_t first_row, int32_t group_count, int32_t *starts)
{
    Shares shares;
    if (group_count > 0 && share_groups(graph, first_row, group_count, &shares))
        cut_bodies(graph, &shares, starts);
    else
        cut_rows(graph, first_row, group_count, starts);
    for (int32_t g = 0; g <= group_count; ++g)
        starts[g] = row_graph_stack(graph, starts[g]);
}

RowGraph node_groups_graph(const Model *model, const NodeOrder *order)
{
    return (RowGraph){.row_count = order->free_count,
                      .coupled_count = order->coupled_count,
                      .starts = model->row_start,
                      .columns = model->columns,
                      .nodes = order->nodes,
                      .places = order->places,
                      .stack_of = order->stack_of,
                      .stack_moves = order->stack_moves};
}

void node_groups_arms(const double *places, int32_t count, double *arms)
{
    double center[3] = {0}, radius = 0;
    for (int32_t i = 0; i < count; ++i)
        add_scaled3(center, 1.0 / count, places + 3 * (size_t)i, center);
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        radius = fmax(radius, fabs(places[i] - center[i % 3]));
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        arms[i] = radius > 0 ? (float)((places[i] - center[i % 3]) / radius) : 0;
}
