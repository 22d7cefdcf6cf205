#include "model/node_groups.h"

#include "base/matrix3.h"
#include "model/locality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The free mass blocks along a curve through their first nodes; marks their nodes.
static VelaResult order_blocks(VelaContext *context, const Model *model, Arena *scratch, uint8_t *is_coupled,
                               int32_t *order, int32_t *count)
{
    double *places;
    int32_t *curve;
    TRY(ARENA_ARRAY(scratch, places, 3 * (size_t)model->mass_block_count));
    TRY(ARENA_ARRAY(scratch, curve, model->mass_block_count));
    for (int32_t b = 0; b < model->mass_block_count; ++b)
        memcpy(places + 3 * (size_t)b, model->initial_positions + 3 * (size_t)model->mass_blocks[b].nodes[0],
               3 * sizeof *places);
    TRY(locality_order(context, places, model->mass_block_count, curve));
    for (int32_t b = 0; b < model->mass_block_count; ++b) {
        const int32_t *nodes = model->mass_blocks[curve[b]].nodes;
        for (int k = 0; k < 4 && model->node_is_free[nodes[0]]; ++k) {
            is_coupled[nodes[k]] = 1;
            order[(*count)++] = nodes[k];
        }
    }
    return VELA_OK;
}

// Nodes that hang together by elements, one component behind the other; `start`: where each begins and the last one ends.
static int32_t find_components(const Model *model, int32_t *is_found, int32_t *nodes, int32_t *start)
{
    int32_t count = 0, end = 0;
    for (int32_t seed = 0; seed < model->node_count; ++seed) {
        if (is_found[seed])
            continue;
        start[count++] = end;
        is_found[seed] = 1;
        nodes[end++] = seed;
        for (int32_t next = start[count - 1]; next < end; ++next)
            for (int32_t p = model->row_start[nodes[next]]; p < model->row_start[nodes[next] + 1]; ++p) {
                const int32_t other = model->columns[p];
                if (!is_found[other])
                    nodes[end++] = other;
                is_found[other] = 1;
            }
    }
    start[count] = end;
    return count;
}

// The nodes of one component behind those of another, components along a curve through their centres: bodies that touch do not move
// alike, so few groups should have nodes of several.
static VelaResult order_components(VelaContext *context, const Model *model, Arena *scratch, int32_t *curve)
{
    const size_t n = (size_t)model->node_count;
    int32_t *is_found, *nodes, *start, *order, *within, next = 0;
    double *centers, *places;
    TRY(ARENA_ARRAY(scratch, is_found, n));
    TRY(ARENA_ARRAY(scratch, nodes, n));
    TRY(ARENA_ARRAY(scratch, start, n + 1));
    TRY(ARENA_ARRAY(scratch, order, n));
    TRY(ARENA_ARRAY(scratch, within, n));
    TRY(ARENA_ARRAY(scratch, centers, 3 * n));
    TRY(ARENA_ARRAY(scratch, places, 3 * n));
    const int32_t count = find_components(model, is_found, nodes, start);
    for (int32_t c = 0; c < count; ++c)
        for (int32_t i = start[c]; i < start[c + 1]; ++i)
            add_scaled3(centers + 3 * (size_t)c, 1.0 / (start[c + 1] - start[c]),
                        model->initial_positions + 3 * (size_t)nodes[i], centers + 3 * (size_t)c);
    TRY(locality_order(context, centers, count, order));
    for (int32_t c = 0; c < count; ++c) {
        const int32_t *own = nodes + start[order[c]], size = start[order[c] + 1] - start[order[c]];
        for (int32_t i = 0; i < size; ++i)
            memcpy(places + 3 * (size_t)i, model->initial_positions + 3 * (size_t)own[i], 3 * sizeof *places);
        TRY(locality_order(context, places, size, within));
        for (int32_t i = 0; i < size; ++i)
            curve[next++] = own[within[i]];
    }
    return VELA_OK;
}

// The free mass blocks' nodes first, then the other free ones, then the rest.
static VelaResult order_nodes(VelaContext *context, const Model *model, Arena *scratch, NodeOrder *order)
{
    uint8_t *is_coupled;
    int32_t *curve;
    TRY(ARENA_ARRAY(scratch, curve, model->node_count));
    TRY(ARENA_ARRAY(scratch, is_coupled, model->node_count));
    TRY(order_blocks(context, model, scratch, is_coupled, order->nodes, &order->coupled_count));
    TRY(order_components(context, model, scratch, curve));
    int32_t place = order->coupled_count;
    for (int is_free = 1; is_free >= 0; --is_free) {
        for (int32_t i = 0; i < model->node_count; ++i)
            if (model->node_is_free[curve[i]] == is_free && !is_coupled[curve[i]])
                order->nodes[place++] = curve[i];
        order->free_count = is_free ? place : order->free_count;
    }
    return VELA_OK;
}

// In the order of the rows bodies lie one behind the other, so one begins where no row before has a column from there on.
void node_groups_cut(const RowGraph *graph, int32_t group_count, int32_t *starts)
{
    const int32_t most = group_count > 0 ? graph->row_count / group_count / 2 : 0;
    int32_t reached = 0, group = 1, best = -1;
    for (int32_t g = 0; g <= group_count; ++g)
        starts[g] = node_groups_start(graph->row_count, graph->coupled_count, group_count, g);
    for (int32_t row = 0; row < graph->row_count && group < group_count; ++row) {
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
}

RowGraph node_groups_graph(const Model *model, const NodeOrder *order)
{
    return (RowGraph){.row_count = order->free_count,
                      .coupled_count = order->coupled_count,
                      .starts = model->row_start,
                      .columns = model->columns,
                      .nodes = order->nodes,
                      .places = order->places};
}

// How far a group's nodes are from their centre: the root of the mean square.
static double group_radius(const Model *model, const NodeOrder *order, int32_t first, int32_t end)
{
    double center[3] = {0}, sum = 0;
    for (int32_t i = first; i < end; ++i)
        add_scaled3(center, 1.0 / (end - first), model->initial_positions + 3 * (size_t)order->nodes[i],
                    center);
    for (int32_t i = first; i < end; ++i)
        for (size_t k = 0; k < 3; ++k) {
            const double arm = model->initial_positions[3 * (size_t)order->nodes[i] + k] - center[k];
            sum += arm * arm / (end - first);
        }
    return sqrt(sum);
}

// The mean of the squared distances between neighbours among the nodes without coupled masses.
static double edge_length_sq(const Model *model, const NodeOrder *order)
{
    double sum = 0;
    int64_t count = 0;
    for (int32_t i = order->coupled_count; i < order->free_count; ++i) {
        const int32_t row = order->nodes[i];
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p)
            for (size_t k = 0; k < 3; ++k) {
                const double edge = model->initial_positions[3 * (size_t)row + k] -
                                    model->initial_positions[3 * (size_t)model->columns[p] + k];
                sum += edge * edge;
                count += k == 0 && model->columns[p] != row;
            }
    }
    return count > 0 ? sum / (double)count : 0;
}

// Whether groups of the usual size reach further than those of a body as thick as it is long, which have a radius of gyration of
// 1.6 to 2.0 edges: those of a sheet one cell thick have 2.2 to 2.5, of a rod 2.4 to 8. The mean, for a few groups with nodes of two bodies
// may be long.
static bool is_thin(const Model *model, const NodeOrder *order)
{
    const int32_t count = order->free_count - order->coupled_count,
                  groups = (count + NODES_PER_GROUP - 1) / NODES_PER_GROUP;
    double radius = 0;
    for (int32_t g = 0; g < groups; ++g) {
        const int32_t first = order->coupled_count + node_groups_start(count, 0, groups, g),
                      end = order->coupled_count + node_groups_start(count, 0, groups, g + 1);
        radius += group_radius(model, order, first, end) / groups;
    }
    return radius > 2.1 * sqrt(edge_length_sq(model, order));
}

static int32_t groups_count(const Model *model, const NodeOrder *order)
{
    const int32_t usual = (order->free_count + NODES_PER_GROUP - 1) / NODES_PER_GROUP,
                  large = order->free_count / NODES_PER_GROUP_MOST,
                  thin = order->free_count / NODES_PER_THIN_GROUP;
    int32_t groups = usual < GROUPS_USUAL ? usual : GROUPS_USUAL;
    groups = large > groups ? large : groups;
    if (order->free_count - order->coupled_count > NODES_PER_GROUP / 2 && thin > groups &&
        is_thin(model, order))
        groups = thin;
    return groups < COARSE_GROUPS_MOST ? groups : COARSE_GROUPS_MOST;
}

VelaResult node_order_build(VelaContext *context, const Model *model, Arena *arena, NodeOrder *order)
{
    *order = (NodeOrder){.node_count = model->node_count};
    TRY(ARENA_ARRAY(arena, order->nodes, model->node_count));
    TRY(ARENA_ARRAY(arena, order->places, model->node_count));
    Arena scratch = arena_make(context);
    const VelaResult result = order_nodes(context, model, &scratch, order);
    arena_clear(&scratch);
    TRY(result);
    for (int32_t i = 0; i < model->node_count; ++i)
        order->places[order->nodes[i]] = i;
    order->group_count = groups_count(model, order);
    TRY(ARENA_ARRAY(arena, order->group_starts, order->group_count + 1));
    const RowGraph graph = node_groups_graph(model, order);
    node_groups_cut(&graph, order->group_count, order->group_starts);
    return VELA_OK;
}

void node_groups_arms(const double *places, int32_t count, double *arms)
{
    double center[3] = {0}, radius = 0;
    for (int32_t i = 0; i < count; ++i)
        add_scaled3(center, 1.0 / count, places + 3 * (size_t)i, center);
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        radius = fmax(radius, fabs(places[i] - center[i % 3]));
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        arms[i] = radius > 0 ? (places[i] - center[i % 3]) / radius : 0;
}
