#include "model/node_clusters.h"

// The end of the rows from `first` on that no block couples to others, if these are `most` or fewer, before `end`: of a small body. Else
// `first`, as for affine bodies and for fewer nodes than an affine map has.
static int32_t small_body_end(const RowGraph *graph, int32_t first, int32_t end, int32_t most)
{
    int32_t last = first;
    end = first + most < end ? first + most : end;
    if (first < graph->coupled_count)
        return first;
    for (int32_t row = first; row <= last; ++row) {
        const int32_t node = row_graph_node(graph, row);
        for (int32_t p = graph->starts[node]; p < graph->starts[node + 1]; ++p) {
            const int32_t column = row_graph_row(graph, graph->columns[p]);
            if (column >= graph->row_count)
                continue;
            if (column < first || column >= end)
                return first;
            last = column > last ? column : last;
        }
    }
    return last - first >= COARSE_MODES / 3 - 1 ? last + 1 : first;
}

int32_t node_cluster_end(const RowGraph *graph, ClusterRule rule, int32_t first, int32_t group_end)
{
    int32_t end = small_body_end(graph, first, group_end, rule.small_body);
    if (end > first)
        return end;
    for (end = first + 1; end < group_end && end < first + rule.nodes; ++end)
        if (small_body_end(graph, end, group_end, rule.small_body) > end)
            break;
    const int32_t stack = end < group_end ? row_graph_stack(graph, end) : end;
    return stack > first ? stack : end;
}

bool node_cluster_is_solved(const RowGraph *graph, int32_t first, int32_t group_size)
{
    return group_size >= CLUSTERED_GROUP_LEAST && first >= graph->coupled_count;
}
