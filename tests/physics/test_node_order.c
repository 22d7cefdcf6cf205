// The order of nodes and the groups of Vulkan's coarse space: every node once, free ones first; where joints hold bodies together a group of its own for each
// affine body and for what a joint takes hold of in a soft one, as long as there are not too many; small groups of thin bodies, and as many as are cheap to
// eliminate.
#include "physics_fixture.h"

#include "abi/coarse.h"
#include "model/group_couples.h"
#include "model/group_turns.h"
#include "model/joint_nodes.h"
#include "model/node_order.h"

typedef struct Case {
    const char *name;
    const char *type, *cells; ///< of links of a chain along x, 0.12 m apart
    int links, free_links;    ///< bodies; those of them that no joint holds, behind the others
    const char *joint;        ///< between each two
    int held;                 ///< groups that have what joints hold
    int nodes;                ///< of each of these groups
} Case;

#define BALL "{\"type\": \"ball\", \"at\": [%g, 0, 0], \"compliance\": 1e-8, \"between\": [\"b%d\", \"b%d\"]}"
#define HINGE                                                                                                \
    "{\"type\": \"hinge\", \"at\": [%g, 0, 0], \"axis\": [0, 0, 1], \"compliance\": 1e-8, "                  \
    "\"between\": [\"b%d\", \"b%d\"]}"

static const Case cases[] = {
    {"affine bodies with balls", "affine", "[1, 1, 1]", 12, 0, BALL, 12, 4},
    {"affine bodies with hinges, and some alone", "affine", "[1, 1, 1]", 7, 9, HINGE, 7, 4},
    {"affine bodies without joints", "affine", "[1, 1, 1]", 0, 9, BALL, 0, 4},
    {"soft bodies with balls", "solid", "[4, 4, 4]", 8, 1, BALL, 14, 4},
    {"as many affine bodies as may have groups", "affine", "[1, 1, 1]", COARSE_GROUPS_MOST, 0, BALL,
     COARSE_GROUPS_MOST, 4},
    {"one more", "affine", "[1, 1, 1]", COARSE_GROUPS_MOST + 1, 0, BALL, 0, 4},
    {"too many soft bodies", "solid", "[2, 2, 2]", 60, 0, BALL, 0, 4},
};
enum { CASES = sizeof cases / sizeof *cases };

static char *write_scene(const Case *example)
{
    const int count = example->links + example->free_links;
    const size_t size = 1024 + 512 * (size_t)count;
    char *text = malloc(size);
    size_t used = (size_t)snprintf(
        text, size,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, "
        "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, "
        "\"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, "
        "\"youngs_modulus\": 1e6, \"poissons_ratio\": 0.3}}, \"bodies\": [");
    for (int i = 0; i < count; ++i)
        used += (size_t)snprintf(
            text + used, size - used,
            "%s{\"name\": \"b%d\", \"type\": \"%s\", \"material\": \"m\", \"translate\": [%g, 0, 0], "
            "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": %s}}}",
            i > 0 ? ", " : "", i, example->type, 0.12 * i, example->cells);
    used += (size_t)snprintf(text + used, size - used, "], \"constraints\": [");
    for (int i = 1; i < example->links; ++i) {
        used += (size_t)snprintf(text + used, size - used, "%s", i > 1 ? ", " : "");
        used += (size_t)snprintf(text + used, size - used, example->joint, 0.12 * i - 0.06, i - 1, i);
    }
    used += (size_t)snprintf(text + used, size - used, "]}");
    ck_assert_uint_lt(used, size);
    return text;
}

static void check_order(const Model *model)
{
    const NodeOrder *order = &model->order;
    uint8_t *is_there = calloc((size_t)order->node_count, 1);
    for (int32_t i = 0; i < order->node_count; ++i) {
        const int32_t node = order->nodes[i];
        ck_assert(!is_there[node] && order->places[node] == i);
        ck_assert_int_eq(model->node_is_free[node], i < order->free_count);
        is_there[node] = 1;
    }
    free(is_there);
    ck_assert_int_le(order->group_count, COARSE_GROUPS_MOST);
    ck_assert_int_eq(order->group_starts[0], 0);
    ck_assert_int_eq(order->group_starts[order->group_count], order->free_count);
    for (int32_t g = 0; g < order->group_count; ++g)
        ck_assert_int_lt(order->group_starts[g], order->group_starts[g + 1]);
}

START_TEST(groups_of_joints)
{
    const Case *example = &cases[_i];
    char *text = write_scene(example);
    Simulation simulation;
    simulation_make(threads_context(1), &simulation, "%s", text);
    const Model *model = &simulation.model;
    const NodeOrder *order = &model->order;
    check_order(model);
    JointNodes joints;
    ASSERT_OK(simulation.context, joint_nodes_find(model, &simulation.arena, &joints));
    int held = 0, bodies = 0;
    for (int32_t g = 0; g < order->group_count; ++g) {
        const int32_t first = order->group_starts[g], end = order->group_starts[g + 1],
                      set = joints.set_of[order->nodes[first]];
        bool alike = end - first == example->nodes, is_body = first < order->coupled_count;
        for (int32_t i = first; i < end; ++i)
            alike = alike && (is_body || (set >= 0 && joints.set_of[order->nodes[i]] == set));
        held += alike;
        bodies += alike && is_body;
    }
    printf("%s: %d groups, %d of what joints hold, %d of them bodies\n", example->name, order->group_count,
           held, bodies);
    ck_assert_int_eq(held, example->held);
    ck_assert_int_eq(joints.count, strcmp(example->type, "solid") == 0 ? 2 * (example->links - 1) : 0);
    simulation_stop(&simulation);
    free(text);
}
END_TEST

#define BOX(size, cells, array)                                                                              \
    "{\"material\": \"m\", \"geometry\": {\"box\": {\"size\": " size ", \"cells\": " cells "}}" array "}"
#define ARRAY(count, spacing)                                                                                \
    ", \"array\": {\"count\": " count ", \"spacing\": [" spacing ", " spacing ", " spacing "]}"

static const struct {
    const char *name, *bodies;
    int groups;
} shapes[] = {
    {"a cube", BOX("[0.2, 0.2, 0.2]", "[14, 14, 14]", ""), 32},
    {"a rod", BOX("[0.5, 0.02, 0.02]", "[24, 1, 1]", ""), 4},
    {"rods", BOX("[0.5, 0.02, 0.02]", "[24, 1, 1]", ARRAY("[1, 2, 4]", "0.06")), 33},
    // Most of them have to do with each other.
    {"a bundle of rods", BOX("[0.5, 0.02, 0.02]", "[24, 1, 1]", ARRAY("[1, 4, 4]", "0.022")), 66},
    {"a long rod", BOX("[4, 0.02, 0.02]", "[300, 1, 1]", ""), 50},
    {"a small sheet", BOX("[0.2, 0.01, 0.2]", "[12, 1, 12]", ""), 28},
    {"a sheet", BOX("[0.4, 0.01, 0.4]", "[30, 1, 30]", ""), 64},
    {"a ribbon", BOX("[4, 0.01, 0.05]", "[200, 1, 3]", ""), 128},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

START_TEST(groups_of_shapes)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, "
        "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, "
        "\"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, "
        "\"youngs_modulus\": 1e6, \"poissons_ratio\": 0.3}}, \"contact\": {\"model\": \"barrier\", \"distance\": 1e-3}, \"bodies\": [%s]}",
        shapes[_i].bodies);
    check_order(&simulation.model);
    printf("%s: %d groups\n", shapes[_i].name, simulation.model.order.group_count);
    ck_assert_int_eq(simulation.model.order.group_count, shapes[_i].groups);
    simulation_stop(&simulation);
}
END_TEST

/// Blocks that elimination leaves, against what a path leads to: i and j, j > i, have a block if and only if they are coupled over groups before i
/// alone.
START_TEST(blocks_of_a_factor)
{
    enum { GROUPS = 40 };
    static uint8_t reached[GROUPS][GROUPS];
    uint32_t random = 7u + (uint32_t)_i;
    GroupCouples couples = {.group_count = GROUPS};
    memset(reached, 0, sizeof reached);
    for (int i = 0; i < GROUPS; ++i)
        for (int j = i + 1; j < GROUPS; ++j) {
            random = random * 1664525u + 1013904223u;
            couples.of[i][j] = random >> 24 < 16u * (1u + (uint32_t)_i % 3u) / 2u;
            reached[i][j] = reached[j][i] = couples.of[i][j];
        }
    for (int over = 0; over < GROUPS; ++over)
        for (int i = over + 1; i < GROUPS; ++i)
            for (int j = over + 1; j < GROUPS; ++j)
                if (i != j && reached[i][over] && reached[over][j])
                    reached[i][j] = 1;
    const GroupFactor factor = group_couples_eliminate(&couples);
    int blocks = 0;
    double products = 0;
    for (int i = 0; i < GROUPS; ++i) {
        int own = 0;
        for (int j = i + 1; j < GROUPS; ++j) {
            ck_assert_int_eq(couples.of[i][j], reached[i][j]);
            own += reached[i][j];
        }
        blocks += own;
        products += 0.5 * (own + 1) * (own + 1);
    }
    printf("%d blocks of %d\n", factor.blocks, GROUPS * (GROUPS - 1) / 2);
    ck_assert_int_eq(factor.blocks, blocks);
    ck_assert_double_eq(factor.products, products);
}
END_TEST

/// Graphs of groups: those of a grid have to do with those beside them, diagonally too.
static const struct {
    const char *name;
    int across, along;
    bool is_random;
    int levels; ///< at most
} graphs[] = {
    {"chain", 1, 64, false, 6},
    {"long chain", 1, 128, false, 7},
    {"odd chain", 1, 31, false, 6},
    {"sheet", 8, 8, false, 18},
    {"large sheet", 11, 11, false, 28},
    {"ribbon", 2, 50, false, 12},
    {"chance", 9, 9, true, 64},
    {"one", 1, 1, false, 1},
    {"two", 1, 2, false, 1},
    {"three", 1, 3, false, 2},
};
enum { GRAPHS = sizeof graphs / sizeof *graphs };

static void make_graph(int number, GroupCouples *couples)
{
    const int across = graphs[number].across, groups = across * graphs[number].along;
    *couples = (GroupCouples){.group_count = groups};
    uint32_t state = 1;
    for (int i = 0; i < groups; ++i)
        for (int j = i + 1; j < groups; ++j) {
            const int x = abs(i % across - j % across), y = abs(i / across - j / across);
            state = state * 1664525 + 1013904223;
            couples->of[i][j] = graphs[number].is_random ? state >> 24 < 20 : x <= 1 && y <= 1;
        }
}

/// How many supernodes have to be eliminated one after the other, of couples in that order.
static int count_levels(const GroupCouples *couples)
{
    enum { MOST = COARSE_SUPERNODES_MOST };
    static uint8_t coupled[MOST][MOST];
    const int count = (couples->group_count + COARSE_ELIMINATED - 1) / COARSE_ELIMINATED;
    int levels[MOST] = {0}, most = 0;
    memset(coupled, 0, sizeof coupled);
    for (int i = 0; i < couples->group_count; ++i)
        for (int j = i + 1; j < couples->group_count; ++j)
            if (couples->of[i][j])
                coupled[i / COARSE_ELIMINATED][j / COARSE_ELIMINATED] = 1;
    for (int s = 0; s < count; ++s) {
        for (int a = s + 1; a < count; ++a)
            for (int b = a + 1; b < count && coupled[s][a]; ++b)
                coupled[a][b] |= coupled[s][b];
        for (int before = 0; before < s; ++before)
            if (coupled[before][s] && levels[before] >= levels[s])
                levels[s] = levels[before] + 1;
        most = levels[s] > most ? levels[s] : most;
    }
    return most + 1;
}

START_TEST(turns_of_groups)
{
    GroupCouples couples, turned;
    int32_t turns[COARSE_GROUPS_MOST];
    uint8_t is_there[COARSE_GROUPS_MOST] = {0};
    make_graph(_i, &couples);
    const int32_t groups = couples.group_count, levels = group_turns_find(&couples, turns);
    for (int32_t g = 0; g < groups; ++g) {
        ck_assert(turns[g] >= 0 && turns[g] < groups && !is_there[turns[g]]);
        is_there[turns[g]] = 1;
        if (g % COARSE_ELIMINATED > 0)
            ck_assert_int_eq(turns[g], turns[g - 1] + 1);
        else
            ck_assert_int_eq(turns[g] % COARSE_ELIMINATED, 0);
    }
    group_turns_apply(&couples, turns, &turned);
    for (int32_t i = 0; i < groups; ++i)
        for (int32_t j = i + 1; j < groups; ++j)
            ck_assert_int_eq(couples.of[i][j], turns[i] < turns[j] ? turned.of[turns[i]][turns[j]]
                                                                   : turned.of[turns[j]][turns[i]]);
    printf("%s: %d levels, %d in the order of the groups\n", graphs[_i].name, levels, count_levels(&couples));
    ck_assert_int_eq(levels, count_levels(&turned));
    ck_assert_int_le(levels, graphs[_i].levels);
    ck_assert_int_le(levels, count_levels(&couples));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("order of nodes");
    TCase *tests = tcase_create("joints");
    tcase_add_loop_test(tests, groups_of_joints, 0, CASES);
    suite_add_tcase(suite, tests);
    tests = tcase_create("shapes");
    tcase_add_loop_test(tests, groups_of_shapes, 0, SHAPES);
    tcase_add_loop_test(tests, blocks_of_a_factor, 0, 6);
    tcase_add_loop_test(tests, turns_of_groups, 0, GRAPHS);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
