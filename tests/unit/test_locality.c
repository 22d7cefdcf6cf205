// The order of points along a curve (model/locality.h): every point once; what follows one another is in one piece, of grids of any proportions, wherever they point.
#include "check_main.h"

#include "model/locality.h"

#include <math.h>
#include <string.h>

typedef struct Grid {
    const char *name;
    int counts[3];
    double spacing[3];
    double pieces; ///< how far runs of 48 points reach beside blocks of 48, at most, in the mean
} Grid;

static const Grid grids[] = {
    {"cube", {12, 12, 12}, {1, 1, 1}, 1.5},
    {"rod", {200, 2, 2}, {1, 1, 1}, 1.05},
    {"rod of flat cells", {300, 2, 2}, {0.3, 1, 1}, 1.05},
    {"thick rod", {100, 4, 4}, {1, 1, 1}, 1.3},
    {"sheet", {41, 2, 41}, {1, 1, 1}, 1.5},
    {"thick sheet", {31, 5, 37}, {1, 1, 1}, 1.5},
    {"cloth", {40, 1, 50}, {1, 1, 1}, 1.5},
    {"ribbon", {200, 2, 5}, {1, 1, 1}, 1.3},
    {"rope", {500, 1, 1}, {1, 1, 1}, 1.05},
};
enum { GRIDS = sizeof grids / sizeof *grids, RUN = 48 };

static const double turns[][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                  {0, 0, 1, 1, 0, 0, 0, 1, 0},
                                  {0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6}};
enum { TURNS = sizeof turns / sizeof *turns };

static int grid_size(const Grid *grid)
{
    return grid->counts[0] * grid->counts[1] * grid->counts[2];
}

// The grid's points, turned.
static double *make_points(const Grid *grid, const double *turn)
{
    double *points = malloc(3 * (size_t)grid_size(grid) * sizeof *points), *next = points;
    ck_assert_ptr_nonnull(points);
    for (int i = 0; i < grid->counts[0]; ++i)
        for (int j = 0; j < grid->counts[1]; ++j)
            for (int k = 0; k < grid->counts[2]; ++k) {
                const double x[3] = {i * grid->spacing[0], j * grid->spacing[1], k * grid->spacing[2]};
                for (int row = 0; row < 3; ++row)
                    *next++ = turn[3 * row] * x[0] + turn[3 * row + 1] * x[1] + turn[3 * row + 2] * x[2];
            }
    return points;
}

static void check_permutation(const int32_t *order, int count)
{
    uint8_t *is_there = calloc((size_t)count + 1, 1);
    for (int i = 0; i < count; ++i) {
        ck_assert(order[i] >= 0 && order[i] < count && !is_there[order[i]]);
        is_there[order[i]] = 1;
    }
    free(is_there);
}

// How far points of a run are from their centre: the root of the mean square.
static double run_radius(const double *points, const int32_t *run)
{
    double center[3] = {0}, sum = 0;
    for (int i = 0; i < RUN; ++i)
        for (int k = 0; k < 3; ++k)
            center[k] += points[3 * (size_t)run[i] + (size_t)k] / RUN;
    for (int i = 0; i < RUN; ++i)
        for (int k = 0; k < 3; ++k)
            sum += pow(points[3 * (size_t)run[i] + (size_t)k] - center[k], 2) / RUN;
    return sqrt(sum);
}

// The same of a block of the grid that is as little longer than thick as RUN points allow.
static double block_radius(const Grid *grid)
{
    double lengths[3], left = RUN * grid->spacing[0] * grid->spacing[1] * grid->spacing[2], sum = 0;
    bool is_whole[3] = {false, false, false};
    int open = 3;
    for (int pass = 0; pass < 3; ++pass)
        for (int k = 0; k < 3; ++k) {
            const double all = grid->counts[k] * grid->spacing[k];
            if (!is_whole[k] && all < pow(left, 1.0 / open)) {
                is_whole[k] = true;
                lengths[k] = all;
                left /= all;
                --open;
            }
        }
    for (int k = 0; k < 3; ++k) {
        const double length = is_whole[k] ? lengths[k] : pow(left, 1.0 / open);
        sum += (length * length - grid->spacing[k] * grid->spacing[k]) / 12;
    }
    return sqrt(sum);
}

START_TEST(runs_are_in_one_piece)
{
    const Grid *grid = &grids[_i / TURNS];
    const int count = grid_size(grid);
    double *points = make_points(grid, turns[_i % TURNS]), radius = 0;
    int32_t *order = malloc((size_t)count * sizeof *order);
    VelaContext *context = test_context();
    ck_assert_int_eq(locality_order(context, points, count, order), VELA_OK);
    check_permutation(order, count);
    for (int first = 0; first + RUN <= count; first += RUN)
        radius += run_radius(points, order + first) / (count / RUN);
    printf("%s, turn %d: runs reach %.2f as far as blocks\n", grid->name, _i % TURNS,
           radius / block_radius(grid));
    ck_assert_double_le(radius, grid->pieces * block_radius(grid));
    vela_context_destroy(context);
    free(points);
    free(order);
}
END_TEST

START_TEST(points_without_extent)
{
    enum { MOST = 100 };
    double points[3 * MOST];
    int32_t order[MOST];
    VelaContext *context = test_context();
    for (int k = 0; k < 3; ++k)
        for (int count = 0; count <= MOST; count = 2 * count + 1) {
            for (int i = 0; i < 3 * MOST; ++i)
                points[i] = k == 0 ? 0 : k == 1 ? 1e30 * (i % 3) : i < 3 * MOST / 2 ? -1e-30 : 1e30;
            ck_assert_int_eq(locality_order(context, points, count, order), VELA_OK);
            check_permutation(order, count);
        }
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("locality");
    TCase *tests = tcase_create("curves");
    tcase_add_loop_test(tests, runs_are_in_one_piece, 0, GRIDS * TURNS);
    tcase_add_test(tests, points_without_extent);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
