#include "device/cpu/linear/matrix_parts.h"

#include <math.h>
#include <string.h>

/// Multiplications that a factor may take, for each of the matrix's numbers: those of half of a usual solve's products of matrix and
/// vector.
enum { PRODUCTS_PER_FACTOR = 15 };

/// Of fewer nodes a sparse factor of the whole matrix takes next to no time.
enum { JOINT_PARTS_LEAST = 500 };

_Static_assert(COARSE_GROUPS_MOST <= PARTS_MOST, "Vulkan's groups are parts where joints hold bodies");

typedef struct Couples {
    uint8_t of[PARTS_MOST][PARTS_MOST]; ///< [i][j], j > i: whether the parts have to do with each other
} Couples;

static void add_couple(Couples *couples, int32_t a, int32_t b)
{
    couples->of[a < b ? a : b][a < b ? b : a] = 1;
}

static int32_t part_of(const int32_t *starts, int32_t parts, int64_t row)
{
    int32_t part = (int32_t)(((row + 1) * parts - 1) / starts[parts]); // of parts with as many rows each
    while (row < starts[part])
        --part;
    while (row >= starts[part + 1])
        ++part;
    return part;
}

// Parts that share an edge of the mesh.
static void add_neighbours(const Model *model, int32_t parts, const int32_t *starts, Couples *couples)
{
    const NodeOrder *order = &model->order;
    for (int32_t i = 0; i < order->free_count; ++i) {
        const int32_t node = order->nodes[i], part = part_of(starts, parts, i);
        for (int32_t p = model->row_start[node]; p < model->row_start[node + 1]; ++p) {
            const int32_t j = order->places[model->columns[p]];
            if (j > i && j < order->free_count)
                add_couple(couples, part, part_of(starts, parts, j));
        }
    }
}

// Parts that may come into contact: whose boxes come as close as half their size.
static void add_near_ones(const Model *model, int32_t parts, const int32_t *starts, Couples *couples)
{
    const NodeOrder *order = &model->order;
    double boxes[PARTS_MOST][2][3];
    for (int32_t part = 0; part < parts; ++part) {
        const int32_t first = starts[part], end = starts[part + 1];
        for (int k = 0; k < 3; ++k) {
            boxes[part][0][k] = INFINITY;
            boxes[part][1][k] = -INFINITY;
        }
        for (int32_t i = first; i < end; ++i)
            for (int k = 0; k < 3; ++k) {
                const double x = model->initial_positions[3 * (size_t)order->nodes[i] + (size_t)k];
                boxes[part][0][k] = fmin(boxes[part][0][k], x);
                boxes[part][1][k] = fmax(boxes[part][1][k], x);
            }
        for (int32_t other = 0; other < part; ++other) {
            bool near = true;
            for (int k = 0; k < 3; ++k) {
                const double room =
                    0.25 * (boxes[part][1][k] - boxes[part][0][k] + boxes[other][1][k] - boxes[other][0][k]);
                near = near && boxes[part][0][k] - room <= boxes[other][1][k] &&
                       boxes[other][0][k] - room <= boxes[part][1][k];
            }
            if (near)
                add_couple(couples, part, other);
        }
    }
}

// Multiplications of a factor of 12x12 blocks.
static double factor_cost(Couples *couples, int32_t parts)
{
    double blocks = 0;
    for (int32_t i = 0; i < parts; ++i) {
        int32_t later[PARTS_MOST], count = 0;
        for (int32_t j = i + 1; j < parts; ++j)
            if (couples->of[i][j])
                later[count++] = j;
        for (int32_t a = 0; a < count; ++a)
            for (int32_t b = a + 1; b < count; ++b)
                couples->of[later[a]][later[b]] = 1;
        blocks += 0.5 * (count + 1) * (count + 1);
    }
    return blocks * COARSE_MODES * COARSE_MODES * COARSE_MODES;
}

// Whether a factor of the coarse matrix is worth it.
static bool is_worth_it(const Model *model, int32_t parts, const int32_t *starts)
{
    Couples couples = {0};
    add_neighbours(model, parts, starts, &couples);
    if (model->scene->contact.model == CONTACT_BARRIER)
        add_near_ones(model, parts, starts, &couples);
    return factor_cost(&couples, parts) <= PRODUCTS_PER_FACTOR * 9.0 * model->row_start[model->node_count];
}

// What joints hold are parts of their own where that is worth it, each beside the others that are near it, so that threads still have as much to do.
static bool has_joint_parts(const Model *model)
{
    const NodeOrder *order = &model->order;
    return order->joint_group_count > 0 && order->free_count >= JOINT_PARTS_LEAST &&
           is_worth_it(model, order->group_count, order->group_starts);
}

static int32_t count_parts(const Model *model)
{
    const int32_t rows = model->order.free_count, usual = (rows + NODES_PER_GROUP - 1) / NODES_PER_GROUP,
                  least = usual < GROUPS_USUAL ? usual : GROUPS_USUAL;
    for (int32_t parts = rows / NODES_PER_GROUP < PARTS_MOST ? rows / NODES_PER_GROUP : PARTS_MOST;
         parts > least; parts = parts * 4 / 5) {
        int32_t starts[PARTS_MOST + 1];
        for (int32_t part = 0; part <= parts; ++part)
            starts[part] = node_groups_start(rows, 0, parts, part);
        if (is_worth_it(model, parts, starts))
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
    const int32_t parts = count_parts(model);
    node_groups_cut(&graph, 0, parts, starts);
    return parts;
}

int32_t matrix_part_count(const Model *model)
{
    int32_t starts[PARTS_MOST + 1];
    return matrix_parts_cut(model, starts);
}
