#include "model/node_order.h"

#include "base/matrix3.h"
#include "model/group_turns.h"
#include "model/joint_nodes.h"
#include "model/locality.h"
#include "model/node_groups.h"
#include "model/node_stacks.h"
#include "model/principal_axes.h"

#include <math.h>
#include <string.h>

/// More groups than GROUPS_USUAL only for thin bodies, for what joints hold, and where each would have more nodes than this, up to the second number: every
/// two groups are a dispatch for a new matrix.
enum { NODES_PER_GROUP_MOST = 512, LARGE_GROUPS_MOST = 64 };

/// Nodes of the groups that thin bodies have: of NODES_PER_GROUP they would be long, and bend in more ways than their motions do.
enum { NODES_PER_PLATE = 12, NODES_PER_ROD = 24 };

/// How many groups there may be: the first of these that take no more to eliminate than as many as the last one says would, all of which have to do with each other.
static const int32_t limits[] = {COARSE_GROUPS_MOST, 64};
enum { LIMITS = sizeof limits / sizeof *limits };

// The free mass blocks along a curve through their first nodes, those that joints hold first: *held of them. Marks their nodes.
static VelaResult order_blocks(VelaContext *context, const Model *model, Arena *scratch,
                               const JointNodes *joints, uint8_t *is_coupled, NodeOrder *order, int32_t *held)
{
    double *places;
    int32_t *curve;
    TRY(ARENA_ARRAY(scratch, places, 3 * (size_t)model->mass_block_count));
    TRY(ARENA_ARRAY(scratch, curve, model->mass_block_count));
    for (int32_t b = 0; b < model->mass_block_count; ++b)
        memcpy(places + 3 * (size_t)b, model->initial_positions + 3 * (size_t)model->mass_blocks[b].nodes[0],
               3 * sizeof *places);
    TRY(locality_order(context, places, model->mass_block_count, curve));
    for (int is_held = 1; is_held >= 0; --is_held) {
        for (int32_t b = 0; b < model->mass_block_count; ++b) {
            const int32_t *nodes = model->mass_blocks[curve[b]].nodes;
            const bool is_next = model->node_is_free[nodes[0]] && joints->block_is_held[curve[b]] == is_held;
            for (int k = 0; k < BODY_NODES && is_next; ++k) {
                is_coupled[nodes[k]] = 1;
                order->nodes[order->coupled_count++] = nodes[k];
            }
        }
        *held = is_held ? order->coupled_count / BODY_NODES : *held;
    }
    return VELA_OK;
}

static VelaResult find_components(const Model *model, Arena *scratch, NodeComponents *components)
{
    uint8_t *is_found;
    int32_t end = 0;
    TRY(ARENA_ARRAY(scratch, is_found, model->node_count));
    TRY(ARENA_ARRAY(scratch, components->nodes, model->node_count));
    TRY(ARENA_ARRAY(scratch, components->starts, model->node_count + 1));
    components->count = 0;
    for (int32_t seed = 0; seed < model->node_count; ++seed) {
        int32_t *nodes = components->nodes, next = end;
        if (is_found[seed])
            continue;
        components->starts[components->count++] = end;
        is_found[seed] = 1;
        for (nodes[end++] = seed; next < end; ++next)
            for (int32_t p = model->row_start[nodes[next]]; p < model->row_start[nodes[next] + 1]; ++p) {
                const int32_t other = model->columns[p];
                if (!is_found[other])
                    nodes[end++] = other;
                is_found[other] = 1;
            }
    }
    components->starts[components->count] = end;
    return VELA_OK;
}

/// What the nodes of a component are ordered by, with room for all nodes.
typedef struct Stacking {
    NodeStacks found;
    int32_t *numbers; ///< of every node that a stack begins with: which of its component's it is
    int32_t *starts;  ///< of every stack: where its nodes are, and where the last one's end
    int32_t *curve;   ///< stacks
    double *centers;  ///< of stacks, count x 3, m
} Stacking;

static VelaResult create_stacking(const Model *model, Arena *scratch, Stacking *stacking)
{
    const size_t n = (size_t)model->node_count;
    TRY(ARENA_ARRAY(scratch, stacking->numbers, n));
    TRY(ARENA_ARRAY(scratch, stacking->starts, n + 1));
    TRY(ARENA_ARRAY(scratch, stacking->curve, n));
    return ARENA_ARRAY(scratch, stacking->centers, 3 * n);
}

// The stacks of a component: their numbers, sizes in starts, and centres. Returns how many there are.
static int32_t number_stacks(const Model *model, int32_t count, const int32_t *nodes, Stacking *stacking)
{
    int32_t stacks = 0;
    for (int32_t i = 0; i < count; ++i)
        if (stacking->found.stack_of[nodes[i]] == nodes[i]) {
            memset(stacking->centers + 3 * (size_t)stacks, 0, 3 * sizeof *stacking->centers);
            stacking->starts[stacks] = 0;
            stacking->numbers[nodes[i]] = stacks++;
        }
    for (int32_t i = 0; i < count; ++i) {
        const int32_t stack = stacking->numbers[stacking->found.stack_of[nodes[i]]];
        double *center = stacking->centers + 3 * (size_t)stack;
        ++stacking->starts[stack];
        add_scaled3(center, 1, model->initial_positions + 3 * (size_t)nodes[i], center);
    }
    for (int32_t stack = 0; stack < stacks; ++stack)
        for (size_t k = 0; k < 3; ++k)
            stacking->centers[3 * (size_t)stack + k] /= stacking->starts[stack];
    return stacks;
}

// A component's nodes along a curve through its stacks, those of a stack one behind the other.
static VelaResult order_component(VelaContext *context, const Model *model, int32_t count,
                                  const int32_t *nodes, Stacking *stacking, int32_t *curve)
{
    int32_t next = 0;
    const int32_t stacks = number_stacks(model, count, nodes, stacking);
    TRY(locality_order(context, stacking->centers, stacks, stacking->curve));
    for (int32_t k = 0; k < stacks; ++k) {
        int32_t *start = &stacking->starts[stacking->curve[k]];
        const int32_t size = *start;
        *start = next;
        next += size;
    }
    for (int32_t i = 0; i < count; ++i)
        curve[stacking->starts[stacking->numbers[stacking->found.stack_of[nodes[i]]]]++] = nodes[i];
    return VELA_OK;
}

// The nodes of one component behind those of another, components along a curve through their centres: bodies that touch do not move
// alike, so few groups should have nodes of several.
static VelaResult order_components(VelaContext *context, const Model *model, Arena *arena, Arena *scratch,
                                   Stacking *stacking, int32_t *curve)
{
    NodeComponents components;
    int32_t *order;
    double *centers;
    TRY(find_components(model, scratch, &components));
    TRY(node_stacks_find(model, &components, arena, scratch, &stacking->found));
    TRY(ARENA_ARRAY(scratch, order, components.count));
    TRY(ARENA_ARRAY(scratch, centers, 3 * (size_t)components.count));
    for (int32_t c = 0; c < components.count; ++c)
        points_mean(model->initial_positions, components.starts[c + 1] - components.starts[c],
                    components.nodes + components.starts[c], centers + 3 * (size_t)c);
    TRY(locality_order(context, centers, components.count, order));
    for (int32_t k = 0; k < components.count; ++k) {
        const int32_t first = components.starts[order[k]], size = components.starts[order[k] + 1] - first;
        TRY(order_component(context, model, size, components.nodes + first, stacking, curve));
        curve += size;
    }
    return VELA_OK;
}

// The free mass blocks' nodes first, then the other free ones, then the rest.
static VelaResult order_nodes(VelaContext *context, const Model *model, Arena *arena, Arena *scratch,
                              const JointNodes *joints, NodeOrder *order, int32_t *held_bodies)
{
    uint8_t *is_coupled;
    int32_t *curve;
    Stacking stacking;
    TRY(ARENA_ARRAY(scratch, curve, model->node_count));
    TRY(ARENA_ARRAY(scratch, is_coupled, model->node_count));
    TRY(order_blocks(context, model, scratch, joints, is_coupled, order, held_bodies));
    TRY(create_stacking(model, scratch, &stacking));
    TRY(order_components(context, model, arena, scratch, &stacking, curve));
    order->stack_of = stacking.found.any ? stacking.found.stack_of : NULL;
    order->stack_moves = stacking.found.any ? stacking.found.stack_moves : NULL;
    int32_t place = order->coupled_count;
    for (int is_free = 1; is_free >= 0; --is_free) {
        for (int32_t i = 0; i < model->node_count; ++i)
            if (model->node_is_free[curve[i]] == is_free && !is_coupled[curve[i]])
                order->nodes[place++] = curve[i];
        order->free_count = is_free ? place : order->free_count;
    }
    return VELA_OK;
}

/// How thick and wide a group is beside its length.
typedef struct Extents {
    double thickness, width;
} Extents;

// The roots of the least and of the second of its nodes' principal moments over the largest.
static Extents group_extents(const Model *model, const NodeOrder *order, int32_t first, int32_t end)
{
    PrincipalAxes axes;
    principal_axes(model->initial_positions, end - first, order->nodes + first, &axes);
    const double *extents = axes.extents;
    return extents[0] > 0 ? (Extents){sqrt(extents[2] / extents[0]), sqrt(extents[1] / extents[0])}
                          : (Extents){1, 1};
}

/// Groups of a body as thick as it is long have 0.33 to 0.8 in the mean, those of a sheet two cells thick 0.28, one cell 0.07 to 0.22, of a rod 0.04 to 0.17.
static const double THIN = 0.25;

// How many nodes groups have where those of the usual size would be far longer than thick; else 0.
static int32_t thin_nodes(const Model *model, const NodeOrder *order)
{
    const int32_t count = order->free_count - order->coupled_count,
                  groups = (count + NODES_PER_GROUP - 1) / NODES_PER_GROUP;
    Extents mean = {0};
    for (int32_t g = 0; g < groups; ++g) {
        const int32_t first = order->coupled_count + node_groups_start(count, 0, groups, g),
                      end = order->coupled_count + node_groups_start(count, 0, groups, g + 1);
        const Extents extents = group_extents(model, order, first, end);
        mean.thickness += extents.thickness / groups;
        mean.width += extents.width / groups;
    }
    return mean.thickness >= THIN ? 0 : mean.width < THIN ? NODES_PER_ROD : NODES_PER_PLATE;
}

// Groups of `count` nodes.
static int32_t groups_count(const Model *model, const NodeOrder *order, int32_t limit, int32_t count)
{
    const int32_t usual = (count + NODES_PER_GROUP - 1) / NODES_PER_GROUP,
                  large = count / NODES_PER_GROUP_MOST, nodes = thin_nodes(model, order),
                  thin = nodes > 0 ? count / nodes : 0;
    int32_t groups = usual < GROUPS_USUAL ? usual : GROUPS_USUAL;
    groups = large > groups ? (large < LARGE_GROUPS_MOST ? large : LARGE_GROUPS_MOST) : groups;
    if (order->free_count - order->coupled_count > NODES_PER_GROUP / 2 && thin > groups)
        groups = thin;
    return groups < limit ? groups : limit;
}

/// How many groups there are of what.
typedef struct GroupCounts {
    int32_t bodies; ///< the first ones, four nodes each
    int32_t joints; ///< a set each
    int32_t others;
} GroupCounts;

// An affine body moves by affine maps alone, and so do the few nodes of a body that a joint takes hold of: with groups of their own the coarse space has
// all that joints do to them. Where these would be too many, or leave the other nodes too few, they are as all others.
static GroupCounts count_groups(const Model *model, const NodeOrder *order, int32_t limit,
                                const JointNodes *joints, int32_t held_bodies)
{
    GroupCounts counts = {0};
    for (int with_joints = 1; with_joints >= 0; --with_joints)
        for (int with_bodies = 1; with_bodies >= 0; --with_bodies) {
            counts.bodies = with_bodies ? held_bodies : 0;
            counts.joints = with_joints ? joints->count : 0;
            const int32_t nodes = order->free_count - BODY_NODES * counts.bodies -
                                  (with_joints ? joints->node_count : 0),
                          wanted = groups_count(model, order, limit, nodes),
                          room = limit - counts.bodies - counts.joints;
            counts.others = wanted < room ? wanted : room;
            if (room >= (wanted < GROUPS_USUAL ? wanted : GROUPS_USUAL))
                return counts;
        }
    return counts;
}

/// Where the joints' sets belong among the other nodes.
typedef struct JointPlaces {
    int32_t *sets;   ///< in the order of their first nodes
    int32_t *before; ///< how many others each has before it
} JointPlaces;

// Takes the joints' nodes out of `count` nodes; returns how many others there are, which stay in their order.
static VelaResult take_joints(Arena *scratch, const JointNodes *joints, int32_t count, int32_t *nodes,
                              JointPlaces *places, int32_t *others)
{
    uint8_t *is_found;
    int32_t found = 0;
    TRY(ARENA_ARRAY(scratch, is_found, joints->count));
    TRY(ARENA_ARRAY(scratch, places->sets, joints->count));
    TRY(ARENA_ARRAY(scratch, places->before, joints->count));
    *others = 0;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t set = joints->set_of[nodes[i]];
        if (set < 0) {
            nodes[(*others)++] = nodes[i];
        } else if (!is_found[set]) {
            is_found[set] = 1;
            places->sets[found] = set;
            places->before[found++] = *others;
        }
    }
    return VELA_OK;
}

static void begin_group(NodeOrder *order, int32_t place)
{
    order->group_starts[order->group_count++] = place;
}

// Groups of the `count` others, whose first one is at `first`, as they were cut at `starts`; behind each the joints' that belong there.
static void join_groups(const GroupCounts *counts, const JointNodes *sets, const JointPlaces *joints,
                        const int32_t *others, const int32_t *starts, NodeOrder *order)
{
    const int32_t first = starts[0];
    int32_t place = first, next = 0;
    for (int32_t g = 0; g <= counts->others; ++g) {
        const int32_t end = starts[g < counts->others ? g + 1 : g];
        if (g < counts->others)
            begin_group(order, place);
        for (int32_t i = starts[g]; i < end; ++i)
            order->nodes[place++] = others[i - first];
        for (; next < counts->joints && joints->before[next] <= end - first; ++next) {
            const int32_t set = joints->sets[next];
            begin_group(order, place);
            for (int32_t n = sets->starts[set]; n < sets->starts[set + 1]; ++n)
                order->nodes[place++] = sets->nodes[n];
        }
    }
}

static void find_places(NodeOrder *order)
{
    for (int32_t i = 0; i < order->node_count; ++i)
        order->places[order->nodes[i]] = i;
}

// Groups within `limit`, of nodes in their order, which joints' are moved in.
static VelaResult build_groups(const Model *model, int32_t limit, const JointNodes *joints,
                               int32_t held_bodies, Arena *arena, Arena *scratch, NodeOrder *order)
{
    GroupCounts counts = count_groups(model, order, limit, joints, held_bodies);
    const int32_t first = BODY_NODES * counts.bodies, count = order->free_count - first;
    int32_t *others, *starts, other_count = count;
    JointPlaces places = {0};
    TRY(ARENA_ARRAY(scratch, others, count));
    TRY(ARENA_ARRAY(scratch, starts, limit + 1));
    TRY(ARENA_ARRAY(arena, order->group_starts, limit + 1));
    order->group_count = 0;
    memcpy(others, order->nodes + first, (size_t)count * sizeof *others);
    if (counts.joints > 0) {
        TRY(take_joints(scratch, joints, count, others, &places, &other_count));
        memcpy(order->nodes + first, others, (size_t)other_count * sizeof *others);
        memcpy(order->nodes + first + other_count, joints->nodes,
               (size_t)(count - other_count) * sizeof *others);
    }
    find_places(order);
    for (int32_t b = 0; b < counts.bodies; ++b)
        begin_group(order, BODY_NODES * b);
    RowGraph graph = node_groups_graph(model, order);
    graph.row_count = first + other_count;
    counts.others = node_groups_count(&graph, first, counts.others, limit - counts.bodies - counts.joints);
    node_groups_cut(&graph, first, counts.others, starts);
    join_groups(&counts, joints, &places, others, starts, order);
    order->group_starts[order->group_count] = order->free_count;
    order->joint_group_count = counts.bodies + counts.joints;
    find_places(order);
    return VELA_OK;
}

// Finds the groups' turns. Returns whether there are not too many groups: eliminating one from those that it has to do with takes what they have of all
// groups before (compute/coarse_eliminate).
static bool find_turns(const Model *model, NodeOrder *order)
{
    const int32_t usual = limits[LIMITS - 1];
    GroupCouples couples, turned;
    group_couples_find(model, order, order->group_count, order->group_starts, &couples);
    order->turn_levels = group_turns_find(&couples, order->group_turns);
    group_turns_apply(&couples, order->group_turns, &turned);
    return order->group_count <= usual ||
           (int64_t)order->group_count * group_couples_eliminate(&turned).blocks <=
               (int64_t)usual * usual * (usual - 1) / 2;
}

static VelaResult find_groups(const Model *model, const JointNodes *joints, int32_t held_bodies, Arena *arena,
                              Arena *scratch, NodeOrder *order)
{
    int32_t *nodes;
    const size_t bytes = (size_t)order->node_count * sizeof *nodes;
    TRY(ARENA_ARRAY(arena, order->group_turns, COARSE_GROUPS_MOST));
    TRY(ARENA_ARRAY(scratch, nodes, order->node_count));
    memcpy(nodes, order->nodes, bytes);
    for (int limit = 0; limit < LIMITS; ++limit) {
        memcpy(order->nodes, nodes, bytes);
        TRY(build_groups(model, limits[limit], joints, held_bodies, arena, scratch, order));
        if (find_turns(model, order))
            break;
    }
    return VELA_OK;
}

static VelaResult build(VelaContext *context, const Model *model, Arena *arena, Arena *scratch,
                        NodeOrder *order)
{
    JointNodes joints;
    int32_t held_bodies = 0;
    TRY(joint_nodes_find(model, scratch, &joints));
    TRY(order_nodes(context, model, arena, scratch, &joints, order, &held_bodies));
    return find_groups(model, &joints, held_bodies, arena, scratch, order);
}

VelaResult node_order_build(VelaContext *context, const Model *model, Arena *arena, NodeOrder *order)
{
    *order = (NodeOrder){.node_count = model->node_count};
    TRY(ARENA_ARRAY(arena, order->nodes, model->node_count));
    TRY(ARENA_ARRAY(arena, order->places, model->node_count));
    Arena scratch = arena_make(context);
    const VelaResult result = build(context, model, arena, &scratch, order);
    arena_clear(&scratch);
    return result;
}
