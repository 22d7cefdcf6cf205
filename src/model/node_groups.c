#include "model/node_groups.h"

#include <math.h>
#include <stdlib.h>

// In the order of the rows bodies lie one behind the other, so one begins where no row before has a column from there on.
void node_groups_cut(const RowGraph *graph, int32_t first_row, int32_t group_count, int32_t *starts)
{
    const int32_t count = graph->row_count - first_row,
                  coupled = graph->coupled_count > first_row ? graph->coupled_count - first_row : 0,
                  most = group_count > 0 ? count / group_count / 2 : 0;
    int32_t reached = first_row, group = 1, best = -1;
    for (int32_t g = 0; g <= group_count; ++g)
        starts[g] = first_row + node_groups_start(count, coupled, group_count, g);
    for (int32_t row = first_row; row < graph->row_count && group < group_count; ++row) {
        const int32_t wanted = starts[group], node = row_graph_node(graph, row);
        if (row > reached && abs(row - wanted) < most && (best < 0 || abs(row - wanted) < abs(best - wanted)))
            best = row;
        for (int32_t p = graph->starts[node]; p < graph->starts[node + 1]; ++p) {
            const int32_t column = row_graph_row(graph, graph->columns[p]);
            reached = column < graph->row_count && column > reached ? column : reached;
        }
        if (row - wanted < most)
            continue;
        if (best > starts[group - 1])
            starts[group] = best;
        best = -1;
        ++group;
    }
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
