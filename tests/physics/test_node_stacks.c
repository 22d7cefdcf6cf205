// Stacks of nodes (model/node_stacks.h): which bodies have them and what is in one; that none is cut in two by what groups, clusters and parts of a matrix are; the level of
// the preconditioner that they are.
#include "preconditioned.h"

#include "device/cpu/linear/stack_blocks.h"
#include "device/cpu/newton/newton.h"
#include "device/vulkan/linear/coarse_stripes.h"
#include "model/node_stacks.h"

static void make(Simulation *simulation, const char *bodies)
{
    simulation_make(threads_context(1), simulation,
                    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, "
                    "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, "
                    "\"contact\": {\"model\": \"barrier\", \"distance\": 0.004}, "
                    "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, "
                    "\"youngs_modulus\": 1e6, \"poissons_ratio\": 0.4}}, \"bodies\": [%s]}",
                    bodies);
}

#define BOX_AT(place, size, cells, more)                                                                     \
    "{\"geometry\": {\"box\": {\"size\": [" size "], \"cells\": [" cells "]}}, \"material\": \"m\", "        \
    "\"rotate\": {\"axis\": [1, 2, 3], \"degrees\": 40}, \"translate\": [" place "]" more "}"
#define BOX(size, cells) BOX_AT("0, 0, 0", size, cells, "")

static const struct {
    const char *name, *bodies;
    int nodes;   ///< of a stack
    int stacked; ///< nodes that are in one
    bool order;  ///< alone is what they serve
} shapes[] = {
    {"sheet", BOX("1, 0.02, 1", "20, 1, 20"), 2, 882, false},
    {"sheet of two flat cells", BOX("1, 0.04, 1", "20, 2, 20"), 3, 1323, false},
    {"sheet of four flat cells", BOX("1, 0.1, 1", "20, 4, 20"), 5, 2205, false},
    {"sheet of two cubes", BOX("1, 0.1, 1", "20, 2, 20"), 3, 1323, true},
    {"sheet of two high cells", BOX("1, 0.1, 1", "30, 2, 30"), 3, 2883, true},
    {"sheet of seven cubes", BOX("1, 0.14, 1", "50, 7, 50"), 8, 20808, true},
    {"sheet of eight cubes", BOX("1, 0.16, 1", "50, 8, 50"), 0, 0, false},
    {"ribbon", BOX("1, 0.01, 0.1", "100, 1, 10"), 2, 2222, true},
    {"rod of long cells", BOX("1, 0.02, 0.02", "20, 1, 1"), 4, 84, false},
    {"rod of cubes", BOX("1, 0.02, 0.02", "50, 1, 1"), 4, 204, false},
    {"rod of two by one", BOX("1, 0.04, 0.02", "50, 2, 1"), 6, 306, false},
    {"rod of two by two", BOX("1, 0.04, 0.04", "50, 2, 2"), 0, 0, false},
    {"cube", BOX("0.2, 0.2, 0.2", "8, 8, 8"), 0, 0, false},
    {"thick body of flat cells", BOX("0.2, 0.2, 0.2", "4, 16, 4"), 0, 0, false},
    {"thick body of long cells", BOX("0.8, 0.2, 0.2", "8, 8, 8"), 0, 0, false},
    {"cube and a sheet",
     BOX("0.2, 0.2, 0.2", "8, 8, 8") ", " BOX_AT("0, 1, 0", "0.2, 0.01, 0.2", "8, 2, 8", ""), 3, 243, false},
    {"affine bodies",
     "{\"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [0.1, 0.01, 0.1], \"cells\": [1, 1, 1]}}, \"material\": \"m\"}",
     0, 0, false},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/// Nodes of a stack that are free have places one behind the other, in one group and one part.
static void check_places(const Simulation *simulation, int32_t count, const int32_t *nodes)
{
    const NodeOrder *order = &simulation->model.order;
    const BlockMatrix *matrix = &((CpuDevice *)simulation->device)->newton.matrix;
    int32_t low = order->node_count, high = -1, free_nodes = 0;
    for (int32_t i = 0; i < count; ++i)
        if (simulation->model.node_is_free[nodes[i]]) {
            const int32_t place = order->places[nodes[i]];
            low = place < low ? place : low;
            high = place > high ? place : high;
            ++free_nodes;
        }
    ck_assert(free_nodes == 0 || high - low == free_nodes - 1);
    for (int32_t g = 0; g < order->group_count; ++g)
        ck_assert(order->group_starts[g] <= low || order->group_starts[g] > high);
    for (int32_t part = 0; part < matrix->part_count; ++part)
        ck_assert(matrix->part_start[part] <= low || matrix->part_start[part] > high);
}

START_TEST(thin_bodies_have_stacks)
{
    Simulation simulation;
    make(&simulation, shapes[_i].bodies);
    const Model *model = &simulation.model;
    const int32_t *stack_of = model->order.stack_of;
    int32_t stacked = 0;
    ck_assert_int_eq(stack_of != NULL, shapes[_i].nodes > 0);
    for (int32_t lowest = 0; stack_of && lowest < model->node_count; ++lowest) {
        int32_t nodes[STACK_NODES_MOST], count = 0;
        for (int32_t i = lowest; i < model->node_count && stack_of[lowest] == lowest; ++i)
            if (stack_of[i] == lowest) {
                ck_assert_int_lt(count, STACK_NODES_MOST);
                nodes[count++] = i;
            }
        if (count < 2)
            continue;
        stacked += count;
        for (int32_t i = 0; i < count; ++i)
            ck_assert_int_eq(model->order.stack_moves[nodes[i]], !shapes[_i].order);
        ck_assert_int_eq(count, shapes[_i].nodes);
        check_places(&simulation, count, nodes);
    }
    printf("%s: %d of %d nodes are in stacks of %d\n", shapes[_i].name, stacked, model->node_count,
           shapes[_i].nodes);
    ck_assert_int_eq(stacked, shapes[_i].stacked);
    simulation_stop(&simulation);
}
END_TEST

/// Where a body begins near a group's bound a group begins, wherever the stack at that bound does.
START_TEST(groups_begin_with_bodies)
{
    enum { SECTION = 4, BODY = 25 * SECTION, BODIES = 8 };
    Simulation simulation;
    make(
        &simulation,
        "{\"geometry\": {\"box\": {\"size\": [0.5, 0.008, 0.008], \"cells\": [24, 1, 1]}}, \"material\": \"m\", "
        "\"array\": {\"count\": [1, 2, 4], \"spacing\": [1, 0.1, 0.1]}}");
    const NodeOrder *order = &simulation.model.order;
    const int32_t count = order->free_count, groups = order->group_count;
    int begun = 0;
    ck_assert_int_eq(count, BODY * BODIES);
    for (int32_t g = 1; g < groups; ++g) {
        const int32_t wanted = node_groups_start(count, 0, groups, g),
                      body = (wanted + BODY / 2) / BODY * BODY, start = order->group_starts[g];
        ck_assert_int_eq(start % SECTION, 0);
        if (abs(body - wanted) >= count / groups / 2)
            continue;
        bool begins = false;
        for (int32_t other = 0; other <= groups; ++other)
            begins |= order->group_starts[other] == body;
        ck_assert(begins);
        ++begun;
    }
    printf("%d groups begin with bodies\n", begun);
    ck_assert_int_ge(begun, 4);
    simulation_stop(&simulation);
}
END_TEST

// ---------------------------------------------------------------- the Vulkan device's table
/// Every place has the word of its stack, which is all of it that is free.
START_TEST(words_tell_stacks)
{
    Simulation simulation;
    make(&simulation, _i == 0 ? BOX("0.6, 0.03, 0.5", "18, 2, 15")
                              : BOX_AT("0, 0, 0", "0.6, 0.03, 0.5", "18, 2, 15",
                                       ", \"pins\": [{\"select\": {\"nodes\": [19, 20, 21, 38, 39, 40]}}]"));
    const Model *model = &simulation.model;
    const NodeOrder *order = &model->order;
    Arena arena = arena_make(simulation.context);
    CoarseCounts counts = {.group_count = (uint32_t)order->group_count, .has_stacks = true};
    uint32_t *table, *cluster_of, seen = 0, singles = 0;
    coarse_stripes_count(model, 4, &counts);
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, table, coarse_stripes_words(model, &counts)));
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, cluster_of, model->node_count));
    coarse_stripes_fill(model, &counts, table, cluster_of);
    const uint32_t *words = table + coarse_stacks_word(&counts);
    ck_assert_uint_gt(counts.stack_count, 0);
    for (int32_t place = 0; place < order->free_count; ++place) {
        const uint32_t mask = STACK_NODES_MOST - 1, word = words[place], count = 1 + (word & mask),
                       row = word >> STACK_ROW_BITS & mask;
        const int32_t stack = order->stack_of[order->nodes[place]];
        uint32_t alike = 0;
        for (int32_t other = 0; other < order->free_count; ++other)
            alike += order->stack_of[order->nodes[other]] == stack;
        ck_assert_uint_eq(count, alike);
        singles += alike == 1;
        if (word == 0)
            continue;
        ck_assert_int_eq(order->stack_of[order->nodes[place - (int32_t)row]], stack);
        ck_assert_uint_eq(cluster_of[order->nodes[place - (int32_t)row]], cluster_of[order->nodes[place]]);
        ck_assert_uint_eq(word >> 2 * STACK_ROW_BITS, seen - (row > 0));
        seen += row == 0;
    }
    printf("%u stacks, %u nodes alone\n", seen, singles);
    ck_assert_uint_eq(seen, counts.stack_count);
    ck_assert_int_eq(singles > 0, _i == 1);
    arena_clear(&arena);
    simulation_stop(&simulation);
}
END_TEST

// ---------------------------------------------------------------- the level
/// A state of two sheets that nearly touch, with the matrix of it.
static void begin_state(Simulation *simulation)
{
    make(
        simulation,
        "{\"geometry\": {\"box\": {\"size\": [0.3, 0.02, 0.3], \"cells\": [9, 2, 9]}}, \"material\": \"m\"}, "
        "{\"geometry\": {\"box\": {\"size\": [0.3, 0.02, 0.3], \"cells\": [9, 2, 9]}}, \"material\": \"m\", "
        "\"translate\": [0.0045, 0.0222, 0.001]}");
    const Model *model = &simulation->model;
    CpuDevice *device = (CpuDevice *)simulation->device;
    double *x = calloc(3 * (size_t)model->node_count, sizeof *x);
    ck_assert_ptr_nonnull(x);
    for (int32_t i = 0; i < 3 * model->node_count; ++i)
        x[i] = model->initial_positions[i] + 1e-4 * sin(1.7 * i);
    ASSERT_OK(simulation->context, device_state_write(simulation->device, SLOT_STAGE, x));
    ASSERT_OK(simulation->context, device_state_write(simulation->device, SLOT_TARGET, x));
    ASSERT_OK(simulation->context, device_stage_set(simulation->device, &(Stage){.a = 0.01, .time = 0.01}));
    NewtonDirection direction = {0};
    const NewtonSettings settings = {.linear_tolerance = 1e-3, .linear_max_iterations = 1, .project = true};
    ASSERT_OK(simulation->context, device_newton_direction(simulation->device, &settings, &direction));
    printf("%d pairs\n", direction.contact_pairs);
    ck_assert_int_gt(direction.contact_pairs, 10);
    ck_assert_ptr_nonnull(device->newton.matrix.changing.row_start);
    free(x);
}

/// A stack's block is N^T A N, contact's part included, and what it moves by N (N^T A N)^-1 N^T r.
START_TEST(blocks_are_of_the_motions)
{
    Simulation simulation;
    begin_state(&simulation);
    CpuDevice *device = (CpuDevice *)simulation.device;
    const BlockMatrix *matrix = &device->newton.matrix;
    const size_t size = 3 * (size_t)matrix->column_count;
    Arena arena = arena_make(simulation.context);
    StackBlocks stacks;
    double *p, *ap, *r, *y, off = 0, largest = 0;
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, p, size + 1));
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, ap, size + 1));
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, r, size + 1));
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, y, size + 1));
    ASSERT_OK(simulation.context, stack_blocks_create(&arena, matrix, &stacks));
    for (size_t i = 0; i < size; ++i)
        r[i] = cos(3.1 * (double)i);
    const int32_t count = stacks.starts[matrix->part_count];
    ck_assert_int_eq(count, 200);
    for (int32_t b = 0; b < count; ++b) {
        StackBlock *block = &stacks.blocks[b];
        double sum[9];
        stack_block_sum(matrix, block, sum);
        for (int axis = 0; axis < 3; ++axis) {
            memset(p, 0, size * sizeof *p);
            for (int32_t row = block->first; row < block->end; ++row)
                p[3 * row + axis] = 1;
            device->kernels->multiply(matrix, 0, matrix->row_count, p, ap);
            for (int other = 0; other < 3; ++other) {
                double product = 0;
                for (int32_t row = block->first; row < block->end; ++row)
                    product += ap[3 * row + other];
                off = fmax(off, fabs(product - sum[3 * axis + other]));
                largest = fmax(largest, fabs(product));
            }
        }
        matrix3_inverse(sum, block->inverse);
    }
    printf("%d blocks off by %.1e\n", count, off / largest);
    ck_assert_double_le(off, 1e-14 * largest);
    double product = 0, own = 0;
    for (int32_t part = 0; part < matrix->part_count; ++part) {
        product += stack_blocks_solve(&stacks, part, r);
        stack_blocks_move(&stacks, part, y);
    }
    for (int32_t b = 0; b < count; ++b) {
        const StackBlock *block = &stacks.blocks[b];
        double sum[3] = {0}, block_sum[9], back[3];
        for (int32_t row = block->first; row < block->end; ++row)
            add_scaled3(sum, 1, r + 3 * row, sum);
        stack_block_sum(matrix, block, block_sum);
        for (int32_t row = block->first; row < block->end; ++row) {
            matrix3_apply(block_sum, y + 3 * row, back);
            for (int k = 0; k < 3; ++k)
                ck_assert_double_eq_tol(back[k], sum[k], 1e-10);
        }
        own += dot3(sum, y + 3 * block->first);
    }
    ck_assert_double_eq_tol(product, own, 1e-12 * own);
    arena_clear(&arena);
    simulation_stop(&simulation);
}
END_TEST

START_TEST(preconditioner_is_symmetric)
{
    Simulation simulation;
    begin_state(&simulation);
    check_symmetric_and_positive(&simulation);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("node stacks");
    TCase *tests = tcase_create("stacks");
    tcase_add_loop_test(tests, thin_bodies_have_stacks, 0, SHAPES);
    tcase_add_test(tests, groups_begin_with_bodies);
    tcase_add_loop_test(tests, words_tell_stacks, 0, 2);
    tcase_add_test(tests, blocks_are_of_the_motions);
    tcase_add_test(tests, preconditioner_is_symmetric);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
