// Selectors on a 3 x 3 x 3 grid of nodes, and the suggestions for misspelt names.
#include "scene_fixture.h"

#include "scene/select.h"
#include "scene/suggest.h"

enum { NODES = 27 };
static double grid[3 * NODES];
static int32_t left[] = {0, 3, 6}, right[] = {2, 5};
static const NodeGroup groups[] = {{"left end", 3, left}, {"right end", 2, right}};
static Reading reading;

static void start(void)
{
    reading_start(&reading);
    for (int i = 0; i < NODES; ++i) {
        grid[3 * i] = i % 3;
        grid[3 * i + 1] = i / 3 % 3;
        grid[3 * i + 2] = i / 9;
    }
}

static void stop(void)
{
    reading_end(&reading);
}

static void expect_nodes(SelectDef select, int32_t count, const int32_t *expected)
{
    int32_t found_count, *found;
    select.path = "bodies[0].pins[1].select";
    ASSERT_OK(reading.context, select_nodes(reading.context, &select, NODES, grid, 2, groups, &reading.arena,
                                            &found_count, &found));
    ck_assert_int_eq(found_count, count);
    for (int32_t i = 0; i < count; ++i)
        ck_assert_int_eq(found[i], expected[i]);
}

static void expect_failure(SelectDef select, int32_t group_count, const char *message)
{
    int32_t count, *nodes;
    select.path = "bodies[0].pins[1].select";
    ck_assert_int_eq(select_nodes(reading.context, &select, NODES, grid, group_count, groups, &reading.arena,
                                  &count, &nodes),
                     VELA_ERROR_INVALID_INPUT);
    ck_assert_msg(strstr(vela_context_message(reading.context), message) != NULL, "'%s' lacks '%s'",
                  vela_context_message(reading.context), message);
}

START_TEST(all_nodes)
{
    int32_t every[NODES];
    for (int32_t i = 0; i < NODES; ++i)
        every[i] = i;
    expect_nodes((SelectDef){.kind = SELECT_ALL}, NODES, every);
}
END_TEST

START_TEST(box_with_its_boundary)
{
    expect_nodes((SelectDef){.kind = SELECT_BOX, .box = {{1, 2, 0}, {9, 9, 0}}}, 2, (int32_t[]){7, 8});
    expect_failure((SelectDef){.kind = SELECT_BOX, .box = {{0.1, 0, 0}, {0.9, 2, 2}}}, 2,
                   "bodies[0].pins[1].select: selects none of the body's 27 nodes; expected at least one");
}
END_TEST

START_TEST(sphere_with_its_boundary)
{
    expect_nodes((SelectDef){.kind = SELECT_SPHERE, .center = {1, 1, 1}, .radius = 1}, 7,
                 (int32_t[]){4, 10, 12, 13, 14, 16, 22});
    expect_failure((SelectDef){.kind = SELECT_SPHERE, .center = {5, 1, 1}, .radius = 1}, 2, "selects none");
}
END_TEST

START_TEST(listed_nodes_once_and_in_order)
{
    expect_nodes((SelectDef){.kind = SELECT_NODES, .node_count = 4, .nodes = (int32_t[]){26, 3, 3, 0}}, 3,
                 (int32_t[]){0, 3, 26});
    expect_failure(
        (SelectDef){.kind = SELECT_NODES, .node_count = 2, .nodes = (int32_t[]){1, 27}}, 2,
        "bodies[0].pins[1].select.nodes[1]: found 27, but the body has 27 nodes; expected 0 to 26");
}
END_TEST

START_TEST(nearest_node)
{
    expect_nodes((SelectDef){.kind = SELECT_NEAREST, .nearest = {9, 1.2, -3}}, 1, (int32_t[]){5});
    // The lowest index among equals.
    expect_nodes((SelectDef){.kind = SELECT_NEAREST, .nearest = {0.5, 0.5, 0.5}}, 1, (int32_t[]){0});
}
END_TEST

START_TEST(named_groups)
{
    expect_nodes((SelectDef){.kind = SELECT_GROUP, .group = "right end"}, 2, right);
    expect_failure((SelectDef){.kind = SELECT_GROUP, .group = "lefd end"}, 2,
                   "select.group: the mesh has no group \"lefd end\"; did you mean \"left end\"?");
    expect_failure((SelectDef){.kind = SELECT_GROUP, .group = "top"}, 2,
                   "the mesh has no group \"top\"; it has 2, among them \"left end\"");
    expect_failure((SelectDef){.kind = SELECT_GROUP, .group = "top"}, 0, "but the mesh has no named groups");
}
END_TEST

START_TEST(no_nodes_at_all)
{
    int32_t count, *nodes;
    const SelectDef select = {.kind = SELECT_ALL, .path = "here"};
    ck_assert_int_eq(select_nodes(reading.context, &select, 0, NULL, 0, NULL, &reading.arena, &count, &nodes),
                     VELA_ERROR_INVALID_INPUT);
    const SelectDef nearest = {.kind = SELECT_NEAREST, .path = "here"};
    ck_assert_int_eq(
        select_nodes(reading.context, &nearest, 0, NULL, 0, NULL, &reading.arena, &count, &nodes),
        VELA_ERROR_INVALID_INPUT);
}
END_TEST

START_TEST(distances_between_names)
{
    static const struct {
        const char *a, *b;
        int distance;
    } rows[] = {{"", "", 0},
                {"abc", "", 3},
                {"kitten", "sitting", 3},
                {"step", "stpe", 1},
                {"Gravity", "gravity", 0},
                {"duration", "duratoin", 1},
                {"ab", "ba", 1},
                {"flaw", "lawn", 2}};
    for (int i = 0; i < 8; ++i) {
        ck_assert_int_eq(suggest_distance(rows[i].a, rows[i].b), rows[i].distance);
        ck_assert_int_eq(suggest_distance(rows[i].b, rows[i].a), rows[i].distance);
    }
    char longest[200];
    memset(longest, 'x', sizeof longest);
    longest[199] = 0;
    ck_assert_int_eq(suggest_distance(longest, longest), 64);
    longest[63] = 0;
    ck_assert_int_eq(suggest_distance(longest, longest), 0);
    const char *const names[] = {"translate", "rotate", NULL};
    ck_assert_str_eq(suggest_name("rotat", names), "rotate");
    ck_assert_ptr_null(suggest_name("mass", names));
    ck_assert_ptr_null(suggest_name("", names));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scene selectors");
    TCase *tests = tcase_create("selectors");
    tcase_add_checked_fixture(tests, start, stop);
    tcase_add_test(tests, all_nodes);
    tcase_add_test(tests, box_with_its_boundary);
    tcase_add_test(tests, sphere_with_its_boundary);
    tcase_add_test(tests, listed_nodes_once_and_in_order);
    tcase_add_test(tests, nearest_node);
    tcase_add_test(tests, named_groups);
    tcase_add_test(tests, no_nodes_at_all);
    tcase_add_test(tests, distances_between_names);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
