// How groups of nodes move in the coarse space (model/group_motions.h): which are plates and rods, that the CPU path's kernels have the motions that abi/coarse.h
// writes down, and the matrix of them, in states that are turned and bent; what they are worth on thin bodies.
#include "preconditioned.h"

#include "device/cpu/newton/newton.h"
#include "model/group_motions.h"

static void make(Simulation *simulation, double stiffness, const char *bodies)
{
    simulation_make(threads_context(1), simulation,
                    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, "
                    "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, "
                    "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, "
                    "\"youngs_modulus\": %g, \"poissons_ratio\": 0.4}}, \"bodies\": [%s]}",
                    stiffness, bodies);
}

#define BOX(size, cells)                                                                                     \
    "{\"geometry\": {\"box\": {\"size\": [" size "], \"cells\": [" cells "]}}, \"material\": \"m\", "        \
    "\"rotate\": {\"axis\": [1, 2, 3], \"degrees\": 40}}"

#define ROD(z)                                                                                               \
    "{\"geometry\": {\"box\": {\"size\": [0.4, 0.01, 0.01], \"cells\": [40, 1, 1]}}, \"material\": \"m\", "  \
    "\"translate\": [0, 0, " z "]}"
#define BOXES                                                                                                \
    "{\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, \"material\": \"m\", "     \
    "\"array\": {\"count\": [9, 2, 9], \"spacing\": [0.11, 0.11, 0.11]}}"

static const struct {
    const char *name, *bodies;
    int kind;    ///< of all groups, or nearly all
    bool is_one; ///< all nodes are one group
} shapes[] = {
    {"sheet", BOX("1, 0.02, 1", "30, 1, 30"), MOTIONS_PLATE, false},
    {"ribbon", BOX("1, 0.01, 0.1", "100, 1, 10"), MOTIONS_PLATE, false},
    {"sheet of two cells", BOX("1, 0.04, 1", "50, 2, 50"), MOTIONS_PLATE, false},
    {"rod", BOX("1, 0.01, 0.01", "100, 1, 1"), MOTIONS_ROD, false},
    {"rod of two cells by three", BOX("1, 0.02, 0.03", "100, 2, 3"), MOTIONS_ROD, false},
    {"two rods", ROD("0") ", " ROD("0.1"), MOTIONS_AFFINE, true},
    {"rods", ROD("0") ", " ROD("0.1"), MOTIONS_ROD, false},
    {"rod of four cells", BOX("1, 0.04, 0.04", "100, 4, 4"), MOTIONS_AFFINE, false},
    {"cube", BOX("0.2, 0.2, 0.2", "10, 10, 10"), MOTIONS_AFFINE, false},
    {"sheet of four cells", BOX("1, 0.12, 1", "34, 4, 34"), MOTIONS_AFFINE, false},
    {"boxes", BOXES, MOTIONS_AFFINE, false},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

START_TEST(thin_groups_are_plates_and_rods)
{
    Simulation simulation;
    make(&simulation, 1e6, shapes[_i].bodies);
    const Model *model = &simulation.model;
    const NodeOrder *order = &model->order;
    const RowGraph graph = node_groups_graph(model, order);
    const size_t size = 3 * (size_t)order->free_count;
    double *places = calloc(size, sizeof *places), *arms = calloc(size, sizeof *arms);
    GroupMotions *motions = calloc((size_t)order->group_count, sizeof *motions);
    ck_assert(places && arms && motions);
    for (size_t i = 0; i < size; ++i)
        places[i] = model->initial_positions[3 * (size_t)order->nodes[i / 3] + i % 3];
    for (int thin = 1; thin >= 0; --thin) {
        const int32_t one[] = {0, order->free_count}, groups = shapes[_i].is_one ? 1 : order->group_count;
        int counts[3] = {0};
        ASSERT_OK(simulation.context,
                  group_motions_find(simulation.context, &graph, places, thin, groups,
                                     shapes[_i].is_one ? one : order->group_starts, arms, motions));
        for (int32_t g = 0; g < groups; ++g)
            ++counts[motions[g].kind];
        printf("%s: %d groups, %d affine, %d plates, %d rods\n", shapes[_i].name, groups, counts[0],
               counts[1], counts[2]);
        ck_assert_int_ge(counts[thin ? shapes[_i].kind : MOTIONS_AFFINE], thin ? 0.8 * groups : groups);
        for (size_t i = 0; i < size; ++i)
            ck_assert(fabs(arms[i]) <= 1 && arms[i] == (float)arms[i]);
    }
    free(motions);
    free(arms);
    free(places);
    simulation_stop(&simulation);
}
END_TEST

/// Groups of a sheet that are a row of stacks each, along z: rods, whose frame is that of their nodes.
START_TEST(rows_of_a_sheet_are_rods)
{
    enum { WIDTH = 12, ROW = 2 * WIDTH, GROUP = 8, GROUPS = WIDTH * ROW / GROUP };
    Simulation simulation;
    make(&simulation, 1e6, BOX("0.4, 0.02, 0.4", "11, 1, 11"));
    const Model *model = &simulation.model;
    int32_t nodes[WIDTH * ROW], rows[WIDTH * ROW], starts[GROUPS + 1];
    double places[3 * WIDTH * ROW], arms[3 * WIDTH * ROW];
    GroupMotions motions[GROUPS];
    ck_assert_int_eq(model->node_count, WIDTH * ROW);
    for (int32_t row = 0; row < WIDTH * ROW; ++row) {
        nodes[row] = row / ROW + WIDTH * (row % 2 + 2 * (row % ROW / 2)); // x, y and z of the grid
        rows[nodes[row]] = row;
        memcpy(places + 3 * row, model->initial_positions + 3 * nodes[row], 3 * sizeof *places);
    }
    for (int32_t g = 0; g <= GROUPS; ++g)
        starts[g] = GROUP * g;
    RowGraph graph = node_groups_graph(model, &model->order);
    graph.nodes = nodes;
    graph.places = rows;
    ASSERT_OK(simulation.context,
              group_motions_find(simulation.context, &graph, places, true, GROUPS, starts, arms, motions));
    for (int g = 0; g < GROUPS; ++g) {
        double along[3], across[3];
        const double *first = places + 3 * GROUP * g;
        subtract3(first + 3 * (GROUP - 2), first, along);
        subtract3(first + 3, first, across);
        normalize3(along);
        normalize3(across);
        ck_assert_int_eq(motions[g].kind, MOTIONS_ROD);
        ck_assert_double_ge(fabs(dot3(motions[g].frame, along)), 1 - 1e-12);
        ck_assert_double_ge(fabs(dot3(motions[g].frame + 3, across)), 1 - 1e-12);
        for (int i = GROUP * g; i < GROUP * (g + 1); ++i) {
            ck_assert(arms[3 * i] != 0 && arms[3 * i + 1] != 0);
            ck_assert_double_eq(arms[3 * i + 2], 0); // and no rounding
        }
    }
    simulation_stop(&simulation);
}
END_TEST

// ---------------------------------------------------------------- the motions
typedef struct Bent {
    Simulation simulation;
    Arena arena;
    CoarseSpace space;
    double *x, *places; ///< by node; by row
} Bent;

static void turn_by(const double axis[3], double angle, const double v[3], double out[3])
{
    double n[3], across[3];
    memcpy(n, axis, sizeof n);
    normalize3(n);
    cross3(n, v, across);
    for (int k = 0; k < 3; ++k)
        out[k] = cos(angle) * v[k] + sin(angle) * across[k] + (1 - cos(angle)) * dot3(n, v) * n[k];
}

/// The bodies turned by 2 about (2, -1, 1), moved far and `bent` on the way.
static void begin(Bent *bent, const char *bodies, double bend)
{
    make(&bent->simulation, 1e6, bodies);
    const Model *model = &bent->simulation.model;
    CpuDevice *device = (CpuDevice *)bent->simulation.device;
    const int32_t rows = device->newton.matrix.row_count;
    bent->arena = arena_make(bent->simulation.context);
    ASSERT_OK(bent->simulation.context, ARENA_ARRAY(&bent->arena, bent->x, 3 * (size_t)model->node_count));
    ASSERT_OK(bent->simulation.context, ARENA_ARRAY(&bent->arena, bent->places, 3 * (size_t)rows));
    for (int32_t i = 0; i < model->node_count; ++i) {
        double place[3], turned[3];
        memcpy(place, model->initial_positions + 3 * (size_t)i, sizeof place);
        place[1] += bend * place[0] * place[0];
        turn_by((const double[3]){2, -1, 1}, 2, place, turned);
        for (int k = 0; k < 3; ++k)
            bent->x[3 * i + k] = turned[k] + 3;
    }
    for (int32_t i = 0; i < 3 * rows; ++i)
        bent->places[i] = model->initial_positions[3 * model->order.nodes[i / 3] + i % 3];
    ASSERT_OK(bent->simulation.context, device_state_write(bent->simulation.device, SLOT_STAGE, bent->x));
    ASSERT_OK(bent->simulation.context, device_state_write(bent->simulation.device, SLOT_TARGET, bent->x));
    ASSERT_OK(bent->simulation.context,
              device_stage_set(bent->simulation.device, &(Stage){.a = 0.01, .time = 0.01}));
    ASSERT_OK(bent->simulation.context, cpu_newton_assemble(device, true));
    ASSERT_OK(bent->simulation.context,
              coarse_space_create(&bent->arena, &device->newton.matrix, bent->places,
                                  coarse_space_clusters(&device->newton.matrix), &bent->space));
    for (int32_t part = 0; part < device->newton.matrix.part_count; ++part)
        coarse_space_turn(&bent->space, part, bent->x, model->order.nodes);
}

static void end(Bent *bent)
{
    arena_clear(&bent->arena);
    simulation_stop(&bent->simulation);
}

static const Kernels *kernels_of(const Bent *bent)
{
    return ((CpuDevice *)bent->simulation.device)->kernels;
}

/// What motion m of a part moves its rows by, 0 for all others: 3 numbers a row of the matrix.
static void motion_of(Bent *bent, int32_t part, int m, double *y)
{
    CoarseSpace *space = &bent->space;
    memset(y, 0, 3 * (size_t)space->matrix->row_count * sizeof *y);
    memset(space->right, 0, (size_t)space->size * sizeof *space->right);
    for (int32_t c = space->first_cluster[part]; c < space->first_cluster[part + 1]; ++c)
        memset(space->clusters[c].motion, 0, sizeof space->clusters[c].motion);
    space->right[COARSE_MODES * part + m] = 1;
    kernels_of(bent)->coarse_turn(space, part, y, 0, y);
}

static double power(double u, int n)
{
    return n < 0 ? 0 : n == 0 ? 1 : u * power(u, n - 1);
}

/// Motion m as abi/coarse.h has it, along the frame, of f = u^a v^b.
static void along_frame(int kind, int m, const double arm[3], double out[3])
{
    static const int plate[4][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
    const double u = arm[0], v = arm[1], w = arm[2];
    const int row = m / 4, k = m % 4;
    memset(out, 0, 3 * sizeof *out);
    if (kind == MOTIONS_PLATE && row < 2 && k < 3)
        out[row] = power(u, k == 1) * power(v, k == 2);
    else if (kind == MOTIONS_PLATE) {
        const int a = row == 2   ? plate[k][0]
                      : row == 0 ? 2
                                 : 0,
                  b = row == 2   ? plate[k][1]
                      : row == 1 ? 2
                                 : 0;
        out[0] = -w * a * power(u, a - 1) * power(v, b);
        out[1] = -w * b * power(u, a) * power(v, b - 1);
        out[2] = power(u, a) * power(v, b);
    } else if (row == 0 && k < 2)
        out[0] = power(u, k);
    else if (row == 0) {
        out[1] = -w * power(u, k - 2);
        out[2] = v * power(u, k - 2);
    } else {
        out[0] = -arm[row] * k * power(u, k - 1);
        out[row] = power(u, k);
    }
}

static const char *const thin_bodies[] = {
    BOX("1, 0.02, 1", "20, 1, 20"),
    BOX("1, 0.02, 0.02", "50, 1, 1"),
    BOX("1, 0.04, 1", "50, 2, 50"),
};

/// Largest difference between a rigid motion about an axis and the nearest one that the part has, over the largest of the former.
static double rigid_is_off(Bent *bent, int32_t part, const double axis[3], double *columns)
{
    const BlockMatrix *matrix = bent->space.matrix;
    const int32_t first = matrix->part_start[part], rows = matrix->part_start[part + 1] - first;
    const size_t size = 3 * (size_t)matrix->row_count;
    double *rigid = columns + COARSE_MODES * size, largest = 0, off = 0;
    for (int32_t i = 0; i < rows; ++i) {
        const int32_t node = bent->simulation.model.order.nodes[first + i];
        double from[3];
        subtract3(bent->x + 3 * node, bent->x + 3 * bent->simulation.model.order.nodes[first], from);
        cross3(axis, from, rigid + 3 * i);
    }
    for (int32_t i = 0; i < 3 * rows; ++i)
        largest = fmax(largest, fabs(rigid[i]));
    // By Gram-Schmidt, twice.
    for (int m = 0; m < COARSE_MODES; ++m) {
        double *own = columns + (size_t)m * size, length = 0, left = 0;
        motion_of(bent, part, m, own);
        memmove(own, own + 3 * first, 3 * (size_t)rows * sizeof *own);
        for (int32_t i = 0; i < 3 * rows; ++i)
            length += own[i] * own[i];
        for (int pass = 0; pass < 2; ++pass)
            for (int before = 0; before < m; ++before) {
                const double *other = columns + (size_t)before * size;
                double product = 0;
                for (int32_t i = 0; i < 3 * rows; ++i)
                    product += own[i] * other[i];
                for (int32_t i = 0; i < 3 * rows; ++i)
                    own[i] -= product * other[i];
            }
        for (int32_t i = 0; i < 3 * rows; ++i)
            left += own[i] * own[i];
        const double scale = left > 1e-16 * length ? 1 / sqrt(left) : 0;
        double product = 0;
        for (int32_t i = 0; i < 3 * rows; ++i)
            own[i] *= scale;
        for (int32_t i = 0; i < 3 * rows; ++i)
            product += own[i] * rigid[i];
        for (int32_t i = 0; i < 3 * rows; ++i)
            rigid[i] -= product * own[i];
    }
    for (int32_t i = 0; i < 3 * rows; ++i)
        off = fmax(off, fabs(rigid[i]));
    return off / largest;
}

/// As written down; with all rigid motions where the body has only turned.
START_TEST(motions_are_those_written_down)
{
    Bent bent;
    begin(&bent, thin_bodies[_i], 0);
    const BlockMatrix *matrix = bent.space.matrix;
    const size_t size = 3 * (size_t)matrix->row_count;
    double *columns = calloc((COARSE_MODES + 1) * size, sizeof *columns);
    double off = 0, rigid_off = 0;
    int thin = 0;
    ck_assert_ptr_nonnull(columns);
    for (int32_t part = 0; part < matrix->part_count; ++part) {
        const GroupMotions *motions = &bent.space.motions[part];
        for (int k = 0; k < 3; ++k)
            rigid_off = fmax(rigid_off,
                             rigid_is_off(&bent, part, (const double[3]){k == 0, k == 1, k == 2}, columns));
        thin += motions->kind != MOTIONS_AFFINE;
        for (int m = 0; motions->kind != MOTIONS_AFFINE && m < COARSE_MODES; ++m) {
            motion_of(&bent, part, m, columns);
            for (int32_t row = matrix->part_start[part]; row < matrix->part_start[part + 1]; ++row) {
                double arm[3], local[3];
                for (int k = 0; k < 3; ++k)
                    arm[k] = bent.space.arms[3 * row + 1 + k];
                along_frame(motions->kind, m, arm, local);
                for (int k = 0; k < 3; ++k) {
                    const double moved = local[0] * motions->frame[k] + local[1] * motions->frame[3 + k] +
                                         local[2] * motions->frame[6 + k];
                    off = fmax(off, fabs(moved - columns[3 * row + k]));
                }
            }
        }
    }
    printf("%d of %d parts are thin, motions off by %.1e, rigid ones by %.1e\n", thin, matrix->part_count,
           off, rigid_off);
    ck_assert_int_gt(thin, 0);
    ck_assert_double_le(off, 1e-14);
    ck_assert_double_le(rigid_off, 2e-6); // arms are single precision's
    free(columns);
    end(&bent);
}
END_TEST

/// right and the matrix are P^T r and P^T A P, for parts that are coupled too, whichever their kinds.
START_TEST(sums_and_matrix_are_of_the_motions)
{
    Bent bent;
    begin(&bent, thin_bodies[_i], 0.3);
    CoarseSpace *space = &bent.space;
    const Kernels *kernels = kernels_of(&bent);
    const BlockMatrix *matrix = space->matrix;
    const size_t size = 3 * (size_t)matrix->row_count;
    double *p = calloc(size + 1, sizeof *p), *ap = calloc(size + 1, sizeof *ap), *q = calloc(size, sizeof *q);
    double *r = calloc(size, sizeof *r), off[2] = {0}, largest[2] = {0};
    int pairs[3][3] = {{0}};
    ck_assert(p && ap && q && r);
    for (size_t i = 0; i < size; ++i)
        r[i] = sin(1.0 + (double)i);
    for (int32_t part = 0; part < matrix->part_count; ++part)
        kernels->coarse_assemble(space, part);
    for (int32_t part = 0; part < matrix->part_count; part += 5)
        for (int m = 0; m < COARSE_MODES; ++m) {
            motion_of(&bent, part, m, p);
            kernels->multiply(matrix, 0, matrix->row_count, p, ap);
            double sum = 0;
            for (size_t i = 0; i < size; ++i)
                sum += p[i] * r[i];
            kernels->coarse_restrict(space, part, r);
            off[0] = fmax(off[0], fabs(sum - space->right[COARSE_MODES * part + m]));
            largest[0] = fmax(largest[0], fabs(sum));
            for (int32_t other = 0; other <= part; ++other) {
                if (!space->couples[(size_t)matrix->part_count * (size_t)other + (size_t)part])
                    continue;
                ++pairs[space->motions[other].kind][space->motions[part].kind];
                for (int k = 0; k < COARSE_MODES; ++k) {
                    motion_of(&bent, other, k, q);
                    double product = 0;
                    for (size_t i = 0; i < size; ++i)
                        product += q[i] * ap[i];
                    off[1] =
                        fmax(off[1], fabs(product - coarse_block(space, other, part)[COARSE_MODES * k + m]));
                    largest[1] = fmax(largest[1], fabs(product));
                }
            }
        }
    printf(
        "sums off by %.1e, matrix by %.1e; %d pairs of affine parts, %d of plates, %d of rods, %d of both kinds\n",
        off[0] / largest[0], off[1] / largest[1], pairs[0][0] / COARSE_MODES, pairs[1][1] / COARSE_MODES,
        pairs[2][2] / COARSE_MODES, (pairs[0][1] + pairs[1][0]) / COARSE_MODES);
    ck_assert_double_le(off[0], 1e-13 * largest[0]);
    ck_assert_double_le(off[1], 1e-13 * largest[1]);
    ck_assert_int_gt(pairs[_i == 1 ? MOTIONS_ROD : MOTIONS_PLATE][_i == 1 ? MOTIONS_ROD : MOTIONS_PLATE], 0);
    if (_i == 2)
        ck_assert(pairs[0][1] > 0 && pairs[1][0] > 0);
    free(r);
    free(q);
    free(ap);
    free(p);
    end(&bent);
}
END_TEST

// ---------------------------------------------------------------- frames
static void check_frame(const double frame[9])
{
    double across[3];
    for (int k = 0; k < 9; ++k)
        ck_assert_double_le(fabs(dot3(frame + 3 * (k / 3), frame + 3 * (k % 3)) - (k % 4 == 0)), 1e-14);
    cross3(frame, frame + 3, across);
    ck_assert_double_gt(dot3(across, frame + 6), 0.5);
}

/// Turned with the nodes, whatever it was before and whichever arms they have; a line of nodes has any direction across, and what is a point any frame.
START_TEST(frames_turn_along)
{
    enum { NODES = 7 };
    const double axis[3] = {1, -2, 0.5};
    for (int step = 0; step < 40; ++step)
        for (int dimensions = 0; dimensions <= 3; ++dimensions) {
            GroupMotions motions = {.kind = MOTIONS_PLATE, .frame = {NAN, 1, 2, 3}};
            double arms[NODES][3] = {{0}}, products[9] = {0}, inverse[9], sums[3][3] = {{0}}, turned[3];
            for (int k = 0; k < 3; ++k)
                products[4 * k] = 1e-12;
            for (int i = 0; i < NODES; ++i) {
                for (int k = 0; k < dimensions; ++k)
                    arms[i][k] = (k == 0 ? 1 : 0.1) * sin(i * (k + 1) * (k + 2) + k);
                for (int k = 0; k < 9; ++k)
                    products[k] += arms[i][k / 3] * arms[i][k % 3];
                turn_by(axis, 0.3 * step, arms[i], turned);
                for (int k = 0; k < 9; ++k)
                    sums[k / 3][k % 3] += arms[i][k / 3] * turned[k % 3];
            }
            matrix3_inverse(products, inverse);
            memcpy(motions.slopes, inverse, sizeof motions.slopes);
            group_motions_turn((const double(*)[3])sums, &motions);
            check_frame(motions.frame);
            for (int k = 0; k < 3; ++k) {
                turn_by(axis, 0.3 * step, (const double[3]){k == 0, k == 1, k == 2}, turned);
                if (dimensions > 1 || (dimensions == 1 && k == 0))
                    for (int l = 0; l < 3; ++l)
                        ck_assert_double_le(fabs(turned[l] - motions.frame[3 * k + l]), 1e-9);
            }
        }
}
END_TEST

// ---------------------------------------------------------------- what they are worth
/// A stage from the initial state towards one that waves a little.
static void begin_wave(const Simulation *simulation)
{
    const size_t n = 3 * (size_t)simulation->model.node_count;
    double *x = calloc(n, sizeof *x);
    ck_assert_ptr_nonnull(x);
    memcpy(x, simulation->model.initial_positions, n * sizeof *x);
    ASSERT_OK(simulation->context, device_state_write(simulation->device, SLOT_STAGE, x));
    for (size_t i = 0; i < n; i += 3) {
        const double wave = 1e-3 * sin(9 * x[i] + 5 * x[i + 2]);
        for (size_t k = 0; k < 3; ++k)
            x[i + k] += wave;
    }
    ASSERT_OK(simulation->context, device_state_write(simulation->device, SLOT_TARGET, x));
    ASSERT_OK(simulation->context, device_stage_set(simulation->device, &(Stage){.a = 0.01, .time = 0.01}));
    free(x);
}

/// Iterations of the conjugate gradients to a ten thousandth: 33, 33 and 19; without stacks 107, 115 and 21, with affine motions besides 219, 140 and 88.
START_TEST(thin_bodies_take_few_iterations)
{
    static const struct {
        const char *bodies;
        double stiffness;
        int most;
    } solves[] = {
        {BOX("1, 0.01, 1", "20, 1, 20"), 1e7, 45},
        {BOX("1, 0.01, 1", "60, 1, 60"), 1e7, 45},
        {BOX("0.5, 0.008, 0.008", "60, 1, 1"), 1e7, 26},
    };
    Simulation simulation;
    make(&simulation, solves[_i].stiffness, solves[_i].bodies);
    begin_wave(&simulation);
    CpuDevice *device = (CpuDevice *)simulation.device;
    NewtonData *newton = &device->newton;
    newton->linear.alternative = INT32_MAX;
    const NewtonSettings settings = {.linear_tolerance = 1e-4, .linear_max_iterations = 5000};
    NewtonDirection direction = {0};
    LinearReport report;
    ASSERT_OK(simulation.context, cpu_newton_assemble(device, true));
    preconditioner_update(newton->linear.preconditioner, device->slots[SLOT_STAGE], false);
    cpu_newton_right(device, &direction);
    ASSERT_OK(simulation.context, conjugate_gradients(&newton->linear, &settings, newton->solution, &report));
    printf("%d iterations\n", report.iterations);
    ck_assert_int_le(report.iterations, solves[_i].most);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("group motions");
    TCase *tests = tcase_create("motions");
    tcase_add_loop_test(tests, thin_groups_are_plates_and_rods, 0, SHAPES);
    tcase_add_test(tests, rows_of_a_sheet_are_rods);
    tcase_add_loop_test(tests, motions_are_those_written_down, 0, 3);
    tcase_add_loop_test(tests, sums_and_matrix_are_of_the_motions, 0, 3);
    tcase_add_test(tests, frames_turn_along);
    tcase_add_loop_test(tests, thin_bodies_take_few_iterations, 0, 3);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
