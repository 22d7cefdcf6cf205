#include "scene/select.h"

#include "base/matrix3.h"
#include "scene/suggest.h"

static bool inside_box(const SelectDef *select, const double p[3])
{
    for (int i = 0; i < 3; ++i)
        if (!(p[i] >= select->box[0][i] && p[i] <= select->box[1][i]))
            return false;
    return true;
}

static double distance_sq(const double a[3], const double b[3])
{
    double difference[3];
    subtract3(a, b, difference);
    return dot3(difference, difference);
}

static int32_t nearest_node(const double point[3], int32_t node_count, const double *positions)
{
    int32_t best = 0;
    for (int32_t i = 1; i < node_count; ++i)
        if (distance_sq(positions + 3 * (size_t)i, point) < distance_sq(positions + 3 * (size_t)best, point))
            best = i;
    return best;
}

static VelaResult mark_listed(VelaContext *context, const SelectDef *select, int32_t node_count, bool *chosen)
{
    for (int32_t i = 0; i < select->node_count; ++i) {
        const int32_t node = select->nodes[i];
        FAIL_IF(context, node < 0 || node >= node_count, VELA_ERROR_INVALID_INPUT,
                "%s.nodes[%d]: found %d, but the body has %d nodes; expected 0 to %d", select->path, i, node,
                node_count, node_count - 1);
        chosen[node] = true;
    }
    return VELA_OK;
}

static VelaResult mark_group(VelaContext *context, const SelectDef *select, int32_t node_count,
                             int32_t group_count, const NodeGroup *groups, bool *chosen)
{
    const char *nearest = NULL;
    int nearest_distance = 0;
    for (int32_t g = 0; g < group_count; ++g) {
        if (strcmp(groups[g].name, select->group) == 0) {
            for (int32_t i = 0; i < groups[g].node_count; ++i)
                if (groups[g].nodes[i] >= 0 && groups[g].nodes[i] < node_count)
                    chosen[groups[g].nodes[i]] = true;
            return VELA_OK;
        }
        const int distance = suggest_distance(select->group, groups[g].name);
        if (!nearest || distance < nearest_distance) {
            nearest = groups[g].name;
            nearest_distance = distance;
        }
    }
    FAIL_IF(context, !nearest, VELA_ERROR_INVALID_INPUT,
            "%s.group: found \"%.64s\", but the mesh has no named groups", select->path, select->group);
    if (suggest_is_near(select->group, nearest_distance))
        return context_fail(context, VELA_ERROR_INVALID_INPUT,
                            "%s.group: the mesh has no group \"%.64s\"; did you mean \"%.64s\"?",
                            select->path, select->group, nearest);
    return context_fail(context, VELA_ERROR_INVALID_INPUT,
                        "%s.group: the mesh has no group \"%.64s\"; it has %d, among them \"%.64s\"",
                        select->path, select->group, group_count, nearest);
}

static VelaResult mark_nodes(VelaContext *context, const SelectDef *select, int32_t node_count,
                             const double *positions, int32_t group_count, const NodeGroup *groups,
                             bool *chosen)
{
    const double radius_sq = select->radius * select->radius;
    switch (select->kind) {
    case SELECT_ALL:
        memset(chosen, true, (size_t)node_count * sizeof *chosen);
        return VELA_OK;
    case SELECT_BOX:
        for (int32_t i = 0; i < node_count; ++i)
            chosen[i] = inside_box(select, positions + 3 * (size_t)i);
        return VELA_OK;
    case SELECT_SPHERE:
        for (int32_t i = 0; i < node_count; ++i)
            chosen[i] = distance_sq(positions + 3 * (size_t)i, select->center) <= radius_sq;
        return VELA_OK;
    case SELECT_NODES:
        return mark_listed(context, select, node_count, chosen);
    case SELECT_NEAREST:
        if (node_count > 0)
            chosen[nearest_node(select->nearest, node_count, positions)] = true;
        return VELA_OK;
    case SELECT_GROUP:
        return mark_group(context, select, node_count, group_count, groups, chosen);
    }
    return VELA_OK;
}

VelaResult select_nodes(VelaContext *context, const SelectDef *select, int32_t node_count,
                        const double *positions, int32_t group_count, const NodeGroup *groups, Arena *arena,
                        int32_t *count, int32_t **nodes)
{
    *count = 0;
    *nodes = NULL;
    bool *chosen;
    TRY(ARENA_ARRAY(arena, chosen, node_count));
    TRY(mark_nodes(context, select, node_count, positions, group_count, groups, chosen));
    int32_t selected = 0;
    for (int32_t i = 0; i < node_count; ++i)
        selected += chosen[i];
    FAIL_IF(context, selected == 0, VELA_ERROR_INVALID_INPUT,
            "%s: selects none of the body's %d nodes; expected at least one (coordinates are those of the "
            "initial state, after scale, rotate and translate)",
            select->path, node_count);
    TRY(ARENA_ARRAY(arena, *nodes, selected));
    for (int32_t i = 0; i < node_count; ++i)
        if (chosen[i])
            (*nodes)[(*count)++] = i;
    return VELA_OK;
}
