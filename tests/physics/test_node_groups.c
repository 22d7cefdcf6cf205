// Groups of nodes (model/node_groups.h) of several bodies, on both devices: each body has its own where that is asked for, and bounds are bodies'.
#include "preconditioned.h"

#include "device/cpu/linear/matrix_parts.h"
#include "model/node_groups.h"

#define BOX(place, size, cells, more)                                                                        \
    "{\"geometry\": {\"box\": {\"size\": [" size "], \"cells\": [" cells                                     \
    "]}}, \"material\": \"m\", \"translate\": [" place "]" more "}"
#define MANY(count) ", \"array\": {\"count\": [" count "], \"spacing\": [0.0211, 0.0211, 0.0211]}"

static const struct {
    const char *name, *bodies;
    int body_count;
    bool on_gpu, on_cpu; ///< whether each has a group of its own
} cases[] = {
    {"small boxes", BOX("0, 0, 0", "0.02, 0.02, 0.02", "1, 1, 1", MANY("4, 5, 2")), 40, true, true},
    {"small boxes and a large one",
     BOX("0, 0, 0", "0.02, 0.02, 0.02", "1, 1, 1", MANY("4, 5, 1")) ", " BOX("0, 0, 1", "0.2, 0.2, 0.2",
                                                                             "12, 12, 12", ""),
     21, true, true},
    {"more than all that touch may be, on a GPU",
     BOX("0, 0, 0", "0.02, 0.02, 0.02", "3, 3, 3", MANY("5, 5, 4")), 100, false, true},
    {"more than groups", BOX("0, 0, 0", "0.02, 0.02, 0.02", "2, 2, 2", MANY("6, 5, 5")), 150, false, false},
    {"so small that their factor would cost more",
     BOX("0, 0, 0", "0.02, 0.02, 0.02", "1, 1, 1", MANY("5, 5, 5")), 125, false, false},
};
enum { CASES = sizeof cases / sizeof *cases };

static const double spacing = 0.0211;

// A number for each: boxes are in a lattice, the large one above.
static int32_t body_of(const Model *model, int32_t node)
{
    const double *x = model->initial_positions + 3 * (size_t)node;
    int32_t number = 0;
    for (int k = 0; k < 3; ++k)
        number = 32 * number + (int32_t)floor(x[k] / spacing + 0.5);
    return x[2] > 0.5 ? -1 : number;
}

// Groups that have nodes of more than one body.
static int mixed_groups(const Model *model, int32_t count, const int32_t *starts)
{
    int mixed = 0;
    ck_assert_int_eq(starts[0], 0);
    ck_assert_int_eq(starts[count], model->order.free_count);
    for (int32_t g = 0; g < count; ++g) {
        bool is_mixed = false;
        ck_assert_int_lt(starts[g], starts[g + 1]);
        for (int32_t place = starts[g]; place < starts[g + 1]; ++place)
            is_mixed |=
                body_of(model, model->order.nodes[place]) != body_of(model, model->order.nodes[starts[g]]);
        mixed += is_mixed;
    }
    return mixed;
}

START_TEST(bodies_have_groups)
{
    int32_t starts[PARTS_MOST + 1];
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"solver\": {\"type\": \"newton\"}, "
        "\"contact\": {\"model\": \"barrier\", \"distance\": 0.004}, \"materials\": {\"m\": {\"model\": "
        "\"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e6, \"poissons_ratio\": 0.4}}, "
        "\"bodies\": [%s]}",
        cases[_i].bodies);
    const Model *model = &simulation.model;
    const int32_t parts = matrix_parts_cut(model, starts);
    const int on_gpu = mixed_groups(model, model->order.group_count, model->order.group_starts),
              on_cpu = mixed_groups(model, parts, starts);
    printf("%s: %d groups on a GPU, %d of several bodies; %d and %d on the CPU path\n", cases[_i].name,
           model->order.group_count, on_gpu, parts, on_cpu);
    ck_assert_int_eq(on_gpu == 0, cases[_i].on_gpu);
    ck_assert_int_eq(on_cpu == 0, cases[_i].on_cpu);
    // Where there are too many bodies, bounds are theirs all the same.
    ck_assert_int_ge(on_gpu == 0 ? model->order.group_count : 2 * model->order.group_count,
                     on_gpu == 0 ? cases[_i].body_count : on_gpu);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("groups of nodes");
    TCase *tests = tcase_create("groups");
    tcase_add_loop_test(tests, bodies_have_groups, 0, CASES);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
