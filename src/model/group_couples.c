#include "model/group_couples.h"

#include <math.h>
#include <string.h>

typedef struct Box {
    double low[3], high[3];
} Box;

static void add_couple(GroupCouples *couples, int32_t a, int32_t b)
{
    couples->of[a < b ? a : b][a < b ? b : a] = 1;
}

static int32_t group_of(const int32_t *starts, int32_t groups, int64_t place)
{
    int32_t group =
        (int32_t)(((place + 1) * groups - 1) / starts[groups]); // of groups with as many nodes each
    while (place < starts[group])
        --group;
    while (place >= starts[group + 1])
        ++group;
    return group;
}

static void add_neighbours(const Model *model, const NodeOrder *order, const int32_t *starts,
                           GroupCouples *couples)
{
    const int32_t groups = couples->group_count;
    for (int32_t i = 0; i < order->free_count; ++i) {
        const int32_t node = order->nodes[i], group = group_of(starts, groups, i);
        for (int32_t p = model->row_start[node]; p < model->row_start[node + 1]; ++p) {
            const int32_t j = order->places[model->columns[p]];
            if (j > i && j < order->free_count)
                add_couple(couples, group, group_of(starts, groups, j));
        }
    }
}

static Box find_box(const Model *model, const NodeOrder *order, int32_t first, int32_t end)
{
    Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = first; i < end; ++i)
        for (size_t k = 0; k < 3; ++k) {
            const double x = model->initial_positions[3 * (size_t)order->nodes[i] + k];
            box.low[k] = fmin(box.low[k], x);
            box.high[k] = fmax(box.high[k], x);
        }
    return box;
}

static bool are_near(const Box *box, const Box *other)
{
    bool near = true;
    for (int k = 0; k < 3; ++k) {
        const double room = 0.25 * (box->high[k] - box->low[k] + other->high[k] - other->low[k]);
        near = near && box->low[k] - room <= other->high[k] && other->low[k] - room <= box->high[k];
    }
    return near;
}

static void add_near_ones(const Model *model, const NodeOrder *order, const int32_t *starts,
                          GroupCouples *couples)
{
    Box boxes[COARSE_GROUPS_MOST];
    for (int32_t group = 0; group < couples->group_count; ++group) {
        boxes[group] = find_box(model, order, starts[group], starts[group + 1]);
        for (int32_t other = 0; other < group; ++other)
            if (are_near(&boxes[group], &boxes[other]))
                add_couple(couples, group, other);
    }
}

void group_couples_find(const Model *model, const NodeOrder *order, int32_t group_count,
                        const int32_t *starts, GroupCouples *couples)
{
    memset(couples, 0, sizeof *couples);
    couples->group_count = group_count;
    add_neighbours(model, order, starts, couples);
    if (model->scene->contact.model == CONTACT_BARRIER)
        add_near_ones(model, order, starts, couples);
}

GroupFactor group_couples_eliminate(GroupCouples *couples)
{
    GroupFactor factor = {0};
    for (int32_t i = 0; i < couples->group_count; ++i) {
        int32_t later[COARSE_GROUPS_MOST], count = 0;
        for (int32_t j = i + 1; j < couples->group_count; ++j)
            if (couples->of[i][j])
                later[count++] = j;
        for (int32_t a = 0; a < count; ++a)
            for (int32_t b = a + 1; b < count; ++b)
                couples->of[later[a]][later[b]] = 1;
        factor.products += 0.5 * (count + 1) * (count + 1);
        factor.blocks += count;
    }
    return factor;
}
