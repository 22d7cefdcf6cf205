// Which blocks of Newton's matrix one row reads for two on Vulkan, on the host alone: a product that reads, hands on and sums as
// compute/newton_apply does is that of the whole matrix, and limits hold where rows have more than they may hand on.
#include "physics_fixture.h"

#include "abi/coarse.h"
#include "abi/linear.h"
#include "device/vulkan/linear/coarse.h"
#include "device/vulkan/linear/handed_blocks.h"
#include "device/vulkan/linear/matrix.h"

#include <math.h>

#define BOX(cells, more)                                                                                     \
    "{\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": " cells "}}, \"material\": \"m\"" more  \
    "}"

static const struct {
    const char *name, *bodies;
    double read; ///< at most such a part of the entries
} cases[] = {
    {"box", BOX("[12, 12, 12]", ""), 0.75},
    {"small boxes", BOX("[1, 1, 1]", ", \"array\": {\"count\": [9, 9, 9], \"spacing\": [0.3, 0.3, 0.3]}"),
     0.65},
    {"box that is held",
     BOX("[9, 9, 9]", ", \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.03, 1, 1]]}}]"), 0.8},
    {"sheet", BOX("[40, 40, 1]", ""), 0.8},
    {"affine bodies beside a box",
     BOX("[4, 4, 4]", "") ", {\"type\": \"affine\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], "
                          "\"cells\": [1, 1, 1]}}, \"material\": \"m\", \"translate\": [1, 0, 0], \"array\": "
                          "{\"count\": [9, 5, 1], \"spacing\": [0.3, 0.3, 0.3]}}",
     0.8},
};
enum { CASES = sizeof cases / sizeof *cases };

static const char scene[] =
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, "
    "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\", \"linear\": "
    "{\"preconditioner\": \"two_level\"}}, \"materials\": {\"m\": {\"model\": \"neo_hookean\", "
    "\"density\": 1000, \"youngs_modulus\": 1e6, \"poissons_ratio\": 0.4}}, \"bodies\": [%s]}";

/// A word of a row.
typedef struct RowWord {
    uint32_t read, hands_on, count, first;
} RowWord;

static RowWord decode(uint32_t word)
{
    const uint32_t behind = word >> HANDED_READ_BITS, last = behind >> HANDED_ON_BITS;
    return (RowWord){word & HANDED_READ_MOST, behind & ((1U << HANDED_ON_BITS) - 1),
                     last & ((1U << HANDED_COUNT_BITS) - 1), last >> HANDED_COUNT_BITS};
}

/// Any number, the same for (a, b) and (b, a).
static double value(int32_t a, int32_t b)
{
    return sin(1 + 0.7 * (a + b)) + cos(0.3 * fabs((double)a - b));
}

static const uint32_t *words_of(const GlobalMatrix *matrix, int32_t place)
{
    return matrix->handed + (ptrdiff_t)SLICE_ROWS * HANDED_WORDS * (place / SLICE_ROWS) + place % SLICE_ROWS;
}

/// What a row has of its own, and hands on in `shared`. Returns how many of its entries are read.
static uint32_t multiply_row(const Model *model, const GlobalMatrix *matrix, int32_t place, double *product,
                             double shared[HANDED_MOST])
{
    const int32_t row = model->order.nodes[place];
    const uint32_t *words = words_of(matrix, place);
    const RowWord word = decode(words[0]);
    uint32_t seen = 0;
    for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p) {
        const int32_t column = model->columns[p];
        const uint32_t number = (matrix->entries[p] - matrix->slice_start[place / SLICE_ROWS]) / SLICE_ROWS;
        ck_assert_uint_eq(matrix->entries[p] % SLICE_ROWS, (uint32_t)place % SLICE_ROWS);
        ck_assert_int_eq(number == 0, column == row);
        if (number >= word.read && word.read < HANDED_READ_MOST)
            continue;
        ++seen;
        product[row] += value(row, column) * sin(column);
        if (number == 0 || number > word.hands_on)
            continue;
        const uint32_t pair = words[SLICE_ROWS * (1 + (number - 1) / 2)],
                       to = number % 2 == 1 ? pair & 0xffff : pair >> 16;
        ck_assert_uint_lt(to, HANDED_MOST);
        ck_assert(isnan(shared[to])); // nobody else hands anything on there
        shared[to] = value(row, column) * sin(row);
    }
    if (word.read < HANDED_READ_MOST)
        ck_assert_uint_eq(seen, word.read);
    return seen;
}

START_TEST(product_is_that_of_the_matrix)
{
    Simulation simulation;
    simulation_make(threads_context(1), &simulation, scene, cases[_i].bodies);
    const Model *model = &simulation.model;
    Arena arena = arena_make(simulation.context);
    GlobalMatrix matrix;
    CoarseTable table;
    double *product, read = 0, entries = 0;
    ck_assert(coarse_hands_blocks_on(model));
    ASSERT_OK(simulation.context, coarse_table_make(model, &arena, &table));
    ASSERT_OK(simulation.context, matrix_layout(model, &table, &arena, &matrix));
    ASSERT_OK(simulation.context, ARENA_ARRAY(&arena, product, model->node_count));
    ck_assert_ptr_nonnull(matrix.handed);
    for (uint32_t s = 0; s < coarse_stripe_count(&table.counts); ++s) {
        double shared[HANDED_MOST];
        for (int i = 0; i < HANDED_MOST; ++i)
            shared[i] = NAN;
        const int32_t first = (int32_t)table.words[STRIPE_WORDS * s + STRIPE_FIRST],
                      end = (int32_t)table.words[STRIPE_WORDS * s + STRIPE_END];
        for (int32_t place = first; place < end; ++place)
            read += multiply_row(model, &matrix, place, product, shared);
        for (int32_t place = first; place < end; ++place) {
            const RowWord word = decode(words_of(&matrix, place)[0]);
            for (uint32_t i = word.first; i < word.first + word.count; ++i)
                product[model->order.nodes[place]] += shared[i];
        }
    }
    for (int32_t place = 0; place < model->order.free_count; ++place) {
        const int32_t row = model->order.nodes[place];
        double whole = 0;
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p)
            whole += value(row, model->columns[p]) * sin(model->columns[p]);
        ck_assert_double_eq_tol(product[row], whole, 1e-12);
        entries += model->row_start[row + 1] - model->row_start[row];
    }
    printf("%s: %.0f of %.0f entries are read, %.2f\n", cases[_i].name, read, entries, read / entries);
    ck_assert_double_le(read, cases[_i].read * entries);
    arena_clear(&arena);
    simulation_stop(&simulation);
}
END_TEST

enum { STRIPE = 64, LEAVES = 5000 };

/// A graph of nodes in their own order: the first STRIPE of them all have blocks of each other, or the first one has blocks of all.
static void make_graph(Model *model, Arena *arena, bool is_hub)
{
    const int32_t nodes = is_hub ? LEAVES : STRIPE, entries = is_hub ? 3 * LEAVES : STRIPE * STRIPE;
    VelaContext *context = arena->context;
    *model = (Model){.node_count = nodes};
    model->order.node_count = model->order.free_count = nodes;
    ASSERT_OK(context, ARENA_ARRAY(arena, model->row_start, nodes + 1));
    ASSERT_OK(context, ARENA_ARRAY(arena, model->columns, entries));
    ASSERT_OK(context, ARENA_ARRAY(arena, model->order.nodes, nodes));
    ASSERT_OK(context, ARENA_ARRAY(arena, model->order.places, nodes));
    int32_t count = 0;
    for (int32_t i = 0; i < nodes; ++i) {
        model->order.nodes[i] = model->order.places[i] = i;
        model->row_start[i] = count;
        for (int32_t j = 0; j < nodes; ++j)
            if (!is_hub || i == 0 || j == 0 || i == j)
                model->columns[count++] = j;
    }
    model->row_start[nodes] = count;
}

START_TEST(limits_hold)
{
    VelaContext *context = threads_context(1);
    Arena arena = arena_make(context);
    Model model;
    HandedBlocks handed;
    make_graph(&model, &arena, _i == 1);
    const uint32_t stripe[STRIPE_WORDS] = {[STRIPE_END] = STRIPE};
    ASSERT_OK(context, handed_blocks_find(&model, stripe, 1, &arena, &handed));
    uint32_t handed_on = 0, given = 0;
    for (int32_t row = 0; row < STRIPE; ++row) {
        const RowWord word = decode(handed.words[row]);
        const uint32_t length = (uint32_t)(model.row_start[row + 1] - model.row_start[row]);
        ck_assert_uint_le(word.hands_on, HANDED_OF_ROW_MOST);
        ck_assert_uint_le(word.count, HANDED_TO_ROW_MOST);
        ck_assert_uint_eq(word.first, given);
        ck_assert_uint_eq(word.read, length > HANDED_READ_MOST ? HANDED_READ_MOST : length - word.count);
        handed_on += word.hands_on;
        given += word.count;
    }
    ck_assert_uint_eq(handed_on, given);
    ck_assert_uint_le(given, HANDED_MOST);
    printf("%u blocks are handed on\n", given);
    if (_i == 0) {
        ck_assert_uint_eq(given, HANDED_MOST);
    } else {
        // The hub is too long to be handed anything, and hands on what it may.
        ck_assert_uint_eq(given, HANDED_OF_ROW_MOST);
        ck_assert_uint_eq(decode(handed.words[0]).count, 0);
        ck_assert_uint_eq(decode(handed.words[0]).hands_on, HANDED_OF_ROW_MOST);
    }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("handed blocks");
    TCase *tests = tcase_create("handed blocks");
    tcase_add_loop_test(tests, product_is_that_of_the_matrix, 0, CASES);
    tcase_add_loop_test(tests, limits_hold, 0, 2);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
