#include "device/cpu/linear/matrix_parts.h"

#include "model/group_couples.h"

#include <string.h>

/// Multiplications that a factor may take, for each of the matrix's numbers: those of half of a usual solve's products of matrix and
/// vector.
enum { PRODUCTS_PER_FACTOR = 20 };

/// Those that it may take where bodies get parts of their own: contact's blocks, which are not counted, are many more, and what bodies that
/// touch do together takes as many iterations more without (bench/README.md, "A group to each body").
enum { PRODUCTS_OF_BODIES = 1000 };

/// Parts of fewer nodes would have hardly more than two clusters.
enum { NODES_PER_PART = 48 };

/// Of fewer nodes a sparse factor of the whole matrix takes next to no time.
enum { JOINT_PARTS_LEAST = 500 };

// Whether a factor of the coarse matrix is worth it.
static bool is_worth_it(const Model *model, int32_t products_most, int32_t parts, const int32_t *starts)
{
    GroupCouples couples;
    group_couples_find(model, &model->order, parts, starts, &couples);
    const double products =
        group_couples_eliminate(&couples).products * COARSE_MODES * COARSE_MODES * COARSE_MODES;
    return products <= products_most * 9.0 * model->row_start[model->node_count];
}

// What joints hold are parts of their own where that is worth it, each beside the others that are near it, so that threads still have as much to do.
static bool has_joint_parts(const Model *model)
{
    const NodeOrder *order = &model->order;
    return order->joint_group_count > 0 && order->free_count >= JOINT_PARTS_LEAST &&
           is_worth_it(model, PRODUCTS_PER_FACTOR, order->group_count, order->group_starts);
}

static int32_t count_parts(const Model *model)
{
    const int32_t rows = model->order.free_count, usual = (rows + NODES_PER_GROUP - 1) / NODES_PER_GROUP,
                  least = usual < GROUPS_USUAL ? usual : GROUPS_USUAL;
    for (int32_t parts = rows / NODES_PER_PART < PARTS_MOST ? rows / NODES_PER_PART : PARTS_MOST;
         parts > least; parts = parts * 4 / 5) {
        int32_t starts[PARTS_MOST + 1];
        for (int32_t part = 0; part <= parts; ++part)
            starts[part] = node_groups_start(rows, 0, parts, part);
        if (is_worth_it(model, PRODUCTS_PER_FACTOR, parts, starts))
            return parts;
    }
    return least;
}

int32_t matrix_parts_cut(const Model *model, int32_t starts[PARTS_MOST + 1])
{
    const NodeOrder *order = &model->order;
    if (has_joint_parts(model)) {
        memcpy(starts, order->group_starts, ((size_t)order->group_count + 1) * sizeof *starts);
        return order->group_count;
    }
    const RowGraph graph = node_groups_graph(model, order);
    const int32_t parts = count_parts(model), more = node_groups_count(&graph, 0, parts, PARTS_MOST);
    node_groups_cut(&graph, 0, more, starts);
    if (more == parts || is_worth_it(model, PRODUCTS_OF_BODIES, more, starts))
        return more;
    node_groups_cut(&graph, 0, parts, starts);
    return parts;
}

int32_t matrix_part_count(const Model *model)
{
    int32_t starts[PARTS_MOST + 1];
    return matrix_parts_cut(model, starts);
}
