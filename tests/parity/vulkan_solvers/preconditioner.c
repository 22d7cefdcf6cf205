// The preconditioners of Newton's linear solve on the Vulkan device against what they are of the CPU path's matrix: z = P^-1 r for
// fixed residuals, where both have the matrix of the same state; symmetry, and r.z as it enters the conjugate gradients. And how many
// iterations they need on a bar.
//
// What may differ in single precision (u = 2^-24): the matrix is off by some u of its largest numbers, so the inverse of a
// diagonal block or of the coarse matrix by u times its condition, which is a few thousand for the blocks and scenes here.
#include "parity/shared_gpu.h"
#include "parity/vulkan_fixture.h"
#include "physics/physics_fixture.h"
#include "without_factor.h"

#include "device/cpu/cpu.h"
#include "device/cpu/cpu_device.h"
#include "device/cpu/linear/coarse_factor.h"
#include "device/cpu/linear/stack_blocks.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/linear/coarse_stripes.h"
#include "device/vulkan/linear/preconditioner.h"
#include "device/vulkan/recording.h"
#include "gpu/transfer.h"
#include "model/build.h"
#include "scene/parse.h"

static VelaContext *context;

typedef struct Case {
    const char *name, *body; ///< geometry and pins
    int groups, chunks;      ///< of the coarse space
    bool touch;              ///< under barrier contact
    int levels;              ///< of the coarse matrix' elimination, at most; 0: not asked
} Case;

static const Case cases[] = {
    {"cube",
     "\"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [13, 12, 13]}}, "
     "\"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.099, 1, 1]]}}]",
     32, 2, false, 0},
    // The free nodes of a group are in one plane, not along an axis: three of its motions repeat the others. It is thin,
    // so groups are small.
    {"tilted sheet",
     "\"geometry\": {\"box\": {\"size\": [0.4, 0.05, 0.3], \"cells\": [16, 1, 12]}}, "
     "\"rotate\": {\"axis\": [1, 2, 3], \"degrees\": 40}, \"pins\": [{\"select\": \"all\"}]",
     18, 1, false, 0},
    {"one free node",
     "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}}, "
     "\"pins\": [{\"select\": \"all\"}]",
     1, 1, false, 0},
    // 65 nodes of a group, and as many in two chunks: bounds between a body's four are moved.
    {"affine bodies",
     "\"stiffness\": 1e4, \"geometry\": {\"box\": {\"size\": [0.02, 0.02, 0.02], \"cells\": [1, 1, 1]}}, "
     "\"array\": {\"count\": [13, 8, 5], \"spacing\": [0.03, 0.03, 0.03]}",
     32, 2, false, 0},
    // Groups of bodies' nodes, of both, and of the cube's alone; a cluster begins with a body and is not solved.
    {"cube and affine bodies",
     "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [5, 5, 5]}}}, "
     "{\"type\": \"affine\", \"material\": \"m\", \"stiffness\": 1e4, \"translate\": [0, 0.2, 0], "
     "\"geometry\": {\"box\": {\"size\": [0.02, 0.02, 0.02], \"cells\": [1, 1, 1]}}, "
     "\"array\": {\"count\": [15, 1, 1], \"spacing\": [0.03, 0.03, 0.03]}",
     5, 1, false, 0},
    // Contact's blocks, within nodes, clusters and groups and between them. Turned such that no edges are nearly parallel, of which Vulkan's
    // Hessians are others (docs/architecture.md): a corner in the middle of a face.
    {"cubes that touch",
     "\"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [6, 6, 6]}}}, "
     "{\"type\": \"solid\", \"material\": \"m\", \"translate\": [0.01, 0.252, 0.02], \"rotate\": {\"axis\": [1, 2, 3], "
     "\"degrees\": 40}, \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [6, 6, 6]}}",
     12, 1, true, 0},
    // Clusters of bodies, more and fewer to a stripe than teams, and what groups' bounds leave of them.
    {"crowd of boxes",
     "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, "
     "\"array\": {\"count\": [6, 5, 5], \"spacing\": [0.104, 0.104, 0.104]}",
     19, 1, false, 0},
    {"crowd of larger bodies",
     "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}}, "
     "\"array\": {\"count\": [6, 5, 5], \"spacing\": [0.13, 0.13, 0.13]}",
     32, 3, false, 0},
    // A group to each, of few rows and of more.
    {"some boxes",
     "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, "
     "\"array\": {\"count\": [5, 4, 1], \"spacing\": [0.13, 0.13, 0.13]}}, "
     "{\"type\": \"solid\", \"material\": \"m\", \"translate\": [0, 0, 0.5], \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], "
     "\"cells\": [3, 3, 3]}}",
     21, 1, false, 0},
    // What a joint takes hold of in each body, groups of four nodes between those of 64.
    {"soft bodies with a joint",
     "\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [5, 5, 5]}}}, "
     "{\"type\": \"solid\", \"name\": \"b\", \"material\": \"m\", \"translate\": [0.12, 0, 0], "
     "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [5, 5, 5]}}}], "
     "\"constraints\": [{\"type\": \"ball\", \"at\": [0.06, 0, 0], \"between\": [\"a\", \"b\"], \"compliance\": 1e-6",
     10, 1, false, 0},
    // Groups of a body's four nodes each.
    {"affine bodies with a joint",
     "\"stiffness\": 1e4, \"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}}, "
     "{\"type\": \"affine\", \"name\": \"b\", \"material\": \"m\", \"stiffness\": 1e4, \"translate\": [0.12, 0, 0], "
     "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}}], "
     "\"constraints\": [{\"type\": \"hinge\", \"at\": [0.06, 0, 0], \"axis\": [0, 0, 1], \"between\": [\"a\", \"b\"], "
     "\"compliance\": 1e-6",
     2, 1, false, 0},
    // As many groups as there may be: chains that have nothing to do with each other.
    {"rods",
     "\"geometry\": {\"box\": {\"size\": [0.5, 0.03, 0.03], \"cells\": [24, 1, 1]}}, "
     "\"array\": {\"count\": [1, 8, 4], \"spacing\": [1, 0.06, 0.06]}",
     128, 1, false, 4},
    // More supernodes than a word has bits, chains that contact couples to what is eliminated later. Turned as above.
    {"rods that are touched",
     "\"geometry\": {\"box\": {\"size\": [0.5, 0.03, 0.03], \"cells\": [25, 1, 1]}}, "
     "\"array\": {\"count\": [1, 1, 13], \"spacing\": [1, 1, 0.2]}}, "
     "{\"type\": \"solid\", \"material\": \"m\", \"translate\": [0.01, 0.061, -0.027], \"rotate\": {\"axis\": [1, 2, 3], "
     "\"degrees\": 40}, \"geometry\": {\"box\": {\"size\": [0.06, 0.06, 0.06], \"cells\": [2, 2, 2]}}, "
     "\"array\": {\"count\": [1, 1, 13], \"spacing\": [1, 1, 0.2]}",
     70, 1, true, 28},
    // A line of nodes tells nothing about two directions of its groups' frames.
    {"cable",
     "\"geometry\": {\"box\": {\"size\": [0.05, 0.05, 0.05], \"cells\": [1, 1, 1]}}}, "
     "{\"type\": \"cable\", \"material\": \"m\", \"radius\": 0.01, \"bending_modulus\": 1e6, \"translate\": [0.1, 0.1, 0.1], "
     "\"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": [2, 1, 0.6], \"segments\": 90}}",
     5, 1, false, 0},
    // Stacks of three nodes, four to a group; one row of them is a rod.
    {"sheet of flat cells",
     "\"geometry\": {\"box\": {\"size\": [0.6, 0.03, 0.5], \"cells\": [18, 2, 15]}}, "
     "\"rotate\": {\"axis\": [1, 2, 3], \"degrees\": 40}, \"pins\": [{\"select\": {\"box\": [[-9, -9, -9], [-0.299, 9, 9]]}}]",
     74, 1, false, 0},
    // And some that contact holds to others, by one of their nodes; and a body without any.
    {"sheet of flat cells that is touched",
     "\"geometry\": {\"box\": {\"size\": [0.4, 0.036, 0.4], \"cells\": [8, 2, 8]}}}, "
     "{\"type\": \"solid\", \"material\": \"m\", \"translate\": [0.01, 0.17, 0.02], \"rotate\": {\"axis\": [1, 2, 3], "
     "\"degrees\": 40}, \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [6, 6, 6]}}",
     10, 1, true, 0},
    // Of four, across long cells.
    {"rod of long cells", "\"geometry\": {\"box\": {\"size\": [1, 0.02, 0.02], \"cells\": [20, 1, 1]}}", 3, 1,
     false, 0},
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct Pair {
    Simulation cpu, gpu;
    CpuDevice *on_cpu;
    VulkanDevice *on_gpu;
    bool f64;
    size_t size; ///< numbers of a node vector
} Pair;

static double random_of(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608 - 1;
}

static void start(const char *text, const char *preconditioner, const DeviceChoice *choice,
                  Simulation *simulation)
{
    char override[64];
    const char *overrides[] = {override};
    snprintf(override, sizeof override, "solver.linear.preconditioner=%s", preconditioner);
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    ASSERT_OK(context, scene_parse(context, "preconditioner", text, strlen(text), 1, overrides,
                                   &simulation->arena, &simulation->scene));
    ASSERT_OK(context, model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    ASSERT_OK(context, shared_gpu_start(simulation, choice));
}

/// Every linear solve ends at the scene's tolerance: one that follows the gradient depends on the solve before, and more so on the
/// rounding in it.
static size_t write_scene(char *text, size_t size, const char *body, bool touch)
{
    return (size_t)snprintf(
        text, size,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": "
        "\"implicit_euler\"}, \"solver\": {\"type\": \"newton\", \"tolerance\": 4.2e-3, \"linear\": {\"tolerance\": 2e-3}}, "
        "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, "
        "\"youngs_modulus\": 5e5, \"poissons_ratio\": 0.4}}, "
        "%s\"bodies\": [{\"type\": \"%s\", \"material\": \"m\", %s}]}",
        touch ? "\"contact\": {\"model\": \"barrier\", \"distance\": 0.02}, " : "",
        strncmp(body, "\"stiffness\"", 11) == 0 ? "affine" : "solid", body);
}

/// Both devices with the matrix of the same deformed stage, and what their preconditioners make of it.
static void begin_pair(Pair *pair, const char *body, bool touch, const char *preconditioner, bool f64)
{
    char text[1 << 13];
    ck_assert_uint_lt(write_scene(text, sizeof text, body, touch), sizeof text);
    start(text, preconditioner, &(DeviceChoice){"cpu", NULL}, &pair->cpu);
    start(text, preconditioner, &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"}, &pair->gpu);
    pair->on_cpu = (CpuDevice *)pair->cpu.device;
    pair->on_gpu = (VulkanDevice *)pair->gpu.device;
    pair->f64 = f64;
    pair->size = 3 * (size_t)pair->cpu.model.node_count;
    const NewtonSettings settings = {.linear_tolerance = 1e-3, .linear_max_iterations = 1, .project = true};
    NewtonDirection direction;
    uint32_t random = 3;
    double *x = calloc(pair->size, sizeof *x);
    for (size_t i = 0; i < pair->size; ++i)
        x[i] = pair->cpu.model.initial_positions[i] + 1e-4 * random_of(&random);
    Simulation *const both[2] = {&pair->cpu, &pair->gpu};
    for (int k = 0; k < 2; ++k) {
        ASSERT_OK(context, device_state_write(both[k]->device, SLOT_STAGE, x));
        ASSERT_OK(context, device_state_write(both[k]->device, SLOT_TARGET, x));
        ASSERT_OK(context, device_stage_set(both[k]->device, &(Stage){.a = 0.01, .time = 0}));
        ASSERT_OK(context, device_newton_direction(both[k]->device, &settings, &direction));
        ck_assert_int_ge(direction.contact_pairs, touch ? 10 : -1); // or the case says nothing of contact
        ck_assert_int_eq(direction.contact_pairs >= 0, touch);
    }
    free(x);
}

static void end_pair(Pair *pair)
{
    simulation_destroy(&pair->gpu);
    simulation_destroy(&pair->cpu);
}

/// Rows of the matrix that the preconditioner solves for as one.
typedef struct Rows {
    int32_t rows[CONTACT_GROUP_ROWS];
    int count;
    bool by_contact; ///< only contact's blocks are between them
} Rows;

enum { ROWS_SIZE = CONTACT_GROUP_SIZE };

/// Adds what blocks of row number `row` have of all of them; `diagonal_only`: on the diagonal.
static void add_row(double block[ROWS_SIZE][ROWS_SIZE + 1], const Rows *rows, int row, bool diagonal_only,
                    const int32_t *columns, const double *values, int32_t blocks)
{
    for (int32_t p = 0; p < blocks; ++p)
        for (int other = 0; other < rows->count; ++other)
            for (int k = 0; k < 9; ++k)
                if (columns[p] == rows->rows[other] && (!diagonal_only || other == row))
                    block[3 * row + k % 3][3 * other + k / 3] += values[9 * (size_t)p + (size_t)k];
}

/// out = B^-1 r of the block B that rows of the matrix have, by Gaussian elimination.
static void solve_rows(const BlockMatrix *matrix, const Rows *rows, const double *r, double *out)
{
    const ChangingBlocks *changing = &matrix->changing;
    double block[ROWS_SIZE][ROWS_SIZE + 1] = {{0}};
    const int size = 3 * rows->count;
    for (int i = 0; i < rows->count; ++i) {
        const int32_t row = rows->rows[i], start = matrix->row_start[row];
        add_row(block, rows, i, rows->by_contact, matrix->columns + start, matrix->values + 9 * (size_t)start,
                matrix->row_start[row + 1] - start);
        if (changing->row_start)
            add_row(block, rows, i, false, changing->columns + changing->row_start[row],
                    changing->values[changing->row_start[row]],
                    changing->row_end[row] - changing->row_start[row]);
        for (int k = 0; k < 3; ++k)
            block[3 * i + k][size] = r[3 * row + k];
    }
    for (int j = 0; j < size; ++j)
        for (int i = 0; i < size; ++i)
            for (int l = size; i != j && l >= j; --l)
                block[i][l] -= block[i][j] / block[j][j] * block[j][l];
    for (int i = 0; i < size; ++i)
        out[3 * rows->rows[i / 3] + i % 3] = block[i][size] / block[i][i];
}

static int ascending(const void *a, const void *b)
{
    return *(const int32_t *)a - *(const int32_t *)b;
}

/// Which of the matrix's rows are in the Vulkan device's group number `at`.
static Rows read_group(const Pair *pair, uint32_t at)
{
    uint32_t nodes[CONTACT_GROUP_ROWS];
    Rows group = {.by_contact = true};
    ASSERT_OK(context, gpu_download(pair->on_gpu->gpu, vulkan_buffer(pair->on_gpu, BUFFER_CONTACT_GROUPS),
                                    (uint64_t)at * sizeof nodes, nodes, sizeof nodes));
    for (; group.count < CONTACT_GROUP_ROWS && nodes[group.count] != NO_CHOICE; ++group.count)
        group.rows[group.count] = pair->cpu.model.order.places[nodes[group.count]];
    ck_assert_int_ge(group.count, 2);
    qsort(group.rows, (size_t)group.count, sizeof *group.rows, ascending);
    return group;
}

/// What contact holds together by the Vulkan device's groups, from the CPU path's matrix, in the place of the rows' own blocks. Returns what that
/// adds to r.z.
static double solve_groups(const Pair *pair, const BlockMatrix *matrix, const double *r, double *z)
{
    uint32_t count = 0;
    double sum = 0;
    bool *seen = calloc((size_t)matrix->row_count, sizeof *seen);
    if (pair->on_gpu->coarse.contact_workgroups > 0)
        ASSERT_OK(context, gpu_download(pair->on_gpu->gpu, vulkan_buffer(pair->on_gpu, BUFFER_PAIR_CONTROL),
                                        4 * PAIR_GROUPS, &count, sizeof count));
    ck_assert_int_eq(count > 1, matrix->changing.row_start != NULL); // or the case says nothing of them
    for (uint32_t g = 0; g < count; ++g) {
        const Rows group = read_group(pair, g);
        for (int n = 0; n < group.count; ++n) {
            ck_assert(!seen[group.rows[n]] && group.rows[n] >= matrix->coupled_count);
            seen[group.rows[n]] = true;
            for (int k = 0; k < 3; ++k)
                sum -= r[3 * group.rows[n] + k] * z[3 * group.rows[n] + k];
        }
        solve_rows(matrix, &group, r, z);
        for (int n = 0; n < group.count; ++n)
            for (int k = 0; k < 3; ++k)
                sum += r[3 * group.rows[n] + k] * z[3 * group.rows[n] + k];
    }
    free(seen);
    return sum;
}

/// Adds what stacks move by, of the rows that the groups of `matrix` have. Returns what that adds to r.z.
static double solve_stacks(Arena *arena, const BlockMatrix *matrix, const double *r, double *z)
{
    StackBlocks stacks;
    double sum = 0;
    ASSERT_OK(context, stack_blocks_create(arena, matrix, &stacks));
    for (int32_t part = 0; stacks.starts && part < matrix->part_count; ++part) {
        for (int32_t b = stacks.starts[part]; b < stacks.starts[part + 1]; ++b) {
            double block[9];
            stack_block_sum(matrix, &stacks.blocks[b], block);
            matrix3_inverse(block, stacks.blocks[b].inverse);
        }
        sum += stack_blocks_solve(&stacks, part, r);
        stack_blocks_move(&stacks, part, z);
    }
    return sum;
}

/// P^-1 r from the CPU path's matrix, in double precision: blocks of nodes or of bodies by elimination, of what contact holds together, of stacks, and the coarse
/// space with the groups and clusters that Vulkan has.
static double reference(const Pair *pair, int32_t groups, const double *r, double *z)
{
    const Model *model = &pair->cpu.model;
    const Kernels *kernels = pair->on_cpu->kernels;
    BlockMatrix matrix = pair->on_cpu->newton.matrix;
    Arena arena = arena_make(context);
    CoarseSpace space;
    double *places, sum = 0;
    for (int32_t i = 0; i < matrix.row_count;) {
        Rows rows = {.count = i < matrix.coupled_count ? 4 : 1};
        for (int n = 0; n < rows.count; ++n)
            rows.rows[n] = i++;
        solve_rows(&matrix, &rows, r, z);
    }
    for (int32_t i = 0; i < 3 * matrix.row_count; ++i)
        sum += r[i] * z[i];
    if (groups == 0)
        return sum;
    sum += solve_groups(pair, &matrix, r, z);
    matrix.part_count = groups;
    ASSERT_OK(context, ARENA_ARRAY(&arena, matrix.part_start, groups + 1));
    ASSERT_OK(context, ARENA_ARRAY(&arena, places, 3 * (size_t)matrix.row_count));
    memcpy(matrix.part_start, model->order.group_starts, ((size_t)groups + 1) * sizeof *matrix.part_start);
    sum += solve_stacks(&arena, &matrix, r, z);
    for (int32_t i = 0; i < matrix.row_count; ++i)
        memcpy(places + 3 * (size_t)i, model->initial_positions + 3 * (size_t)model->order.nodes[i],
               3 * sizeof *places);
    ASSERT_OK(context, coarse_space_create(&arena, &matrix, places, coarse_stripes_rule(), &space));
    for (int32_t g = 0; g < groups; ++g)
        coarse_space_turn(&space, g, pair->on_cpu->slots[SLOT_STAGE], model->order.nodes);
    for (int32_t g = 0; g < groups; ++g)
        kernels->coarse_assemble(&space, g);
    coarse_factor(kernels, &space, &(Team){0});
    for (int32_t g = 0; g < groups; ++g)
        sum += kernels->coarse_restrict(&space, g, r);
    coarse_begin_solve(kernels, &space);
    coarse_end_solve(kernels, &space);
    sum += coarse_product(&space);
    for (int32_t g = 0; g < groups; ++g)
        kernels->coarse_turn(&space, g, z, 0, z);
    arena_clear(&arena);
    return sum;
}

/// r and z in the model's order. Returns r.z.
static double apply_on_cpu(const Pair *pair, int32_t groups, const double *r, double *z)
{
    const NodeOrder *order = &pair->cpu.model.order;
    double *right = calloc(pair->size, sizeof *right), *left = calloc(pair->size, sizeof *left);
    for (size_t i = 0; i < pair->size; ++i)
        right[i] = r[3 * (size_t)order->nodes[i / 3] + i % 3];
    const double sum = reference(pair, groups, right, left);
    for (size_t i = 0; i < pair->size; ++i)
        z[3 * (size_t)order->nodes[i / 3] + i % 3] = left[i];
    free(right);
    free(left);
    return sum;
}

/// The same on the Vulkan device.
static double apply_on_gpu(const Pair *pair, const double *r, double *z)
{
    VulkanDevice *device = pair->on_gpu;
    const size_t real = real_size(pair->f64);
    const uint32_t products = vulkan_linear_push(device).product_count;
    void *packed = calloc(pair->size + SUM_GROUPS_MOST, real);
    for (size_t i = 0; i < pair->size; ++i)
        real_store(pair->f64, packed, i, r[i]);
    ASSERT_OK(context,
              gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_RESIDUAL), 0, packed, pair->size * real));
    ASSERT_OK(context, vulkan_preconditioner_begin(device));
    ASSERT_OK(context, vulkan_finish(device));
    ASSERT_OK(context, gpu_download(device->gpu, vulkan_buffer(device, BUFFER_DIRECTION), 0, packed,
                                    pair->size * real));
    for (size_t i = 0; i < pair->size; ++i)
        z[i] = real_load(pair->f64, packed, i);
    ASSERT_OK(context, gpu_download(device->gpu, vulkan_buffer(device, BUFFER_PARTIALS),
                                    SUM_RZ * SUM_GROUPS_MOST * real, packed, products * real));
    double sum = 0;
    for (size_t i = 0; i < products; ++i)
        sum += real_load(pair->f64, packed, i);
    free(packed);
    return sum;
}

static double dot(const double *a, const double *b, size_t size)
{
    double sum = 0;
    for (size_t i = 0; i < size; ++i)
        sum += a[i] * b[i];
    return sum;
}

/// A residual of the free nodes: noise, or the same everywhere, which the coarse space takes on.
static void fill_residual(const Pair *pair, bool smooth, double *r)
{
    uint32_t random = 11;
    for (size_t i = 0; i < pair->size; ++i)
        r[i] = !pair->cpu.model.node_is_free[i / 3] ? 0 : smooth ? 1 - (double)(i % 3) : random_of(&random);
}

static void compare(const Pair *pair, int32_t groups, const char *name, double allowed)
{
    enum { KINDS = 2 };
    double *r[KINDS], *z[KINDS], *expected = calloc(pair->size, sizeof *expected);
    for (int k = 0; k < KINDS; ++k) {
        r[k] = calloc(pair->size, sizeof **r);
        z[k] = calloc(pair->size, sizeof **z);
        fill_residual(pair, k == 1, r[k]);
        const double sums[2] = {apply_on_cpu(pair, groups, r[k], expected), apply_on_gpu(pair, r[k], z[k])};
        double largest = 0, off = 0;
        for (size_t i = 0; i < pair->size; ++i) {
            largest = fmax(largest, fabs(expected[i]));
            off = fmax(off, fabs(expected[i] - z[k][i]));
        }
        printf("%s, %s, %s residual: z off by %.1e, r.z by %.1e, by %.1e from its own\n", name,
               pair->f64 ? "double" : "float", k == 1 ? "smooth" : "rough", off / largest,
               fabs(sums[1] / sums[0] - 1), fabs(sums[1] / dot(r[k], z[k], pair->size) - 1));
        ck_assert_double_gt(sums[1], 0);
        ck_assert_double_le(off, allowed * largest);
        ck_assert_double_le(fabs(sums[1] - sums[0]), allowed * sums[0]);
        ck_assert_double_le(fabs(sums[1] - dot(r[k], z[k], pair->size)), allowed * sums[1]);
    }
    // Symmetric to rounding whatever the inverse is worth.
    const double mixed = dot(r[0], z[1], pair->size),
                 size = sqrt(dot(r[0], z[0], pair->size) * dot(r[1], z[1], pair->size));
    printf("  symmetric to %.1e\n", fabs(mixed - dot(r[1], z[0], pair->size)) / size);
    ck_assert_double_le(fabs(mixed - dot(r[1], z[0], pair->size)), (pair->f64 ? 1e-13 : 1e-5) * size);
    for (int k = 0; k < KINDS; ++k) {
        free(r[k]);
        free(z[k]);
    }
    free(expected);
}

/// The body of a case; the sheet's pins are those of its nodes that have j = 0.
static const char *body_of(const Case *example)
{
    static char text[1 << 12];
    const char *all = strstr(example->body, "\"all\"");
    if (!all)
        return example->body;
    const bool sheet = strstr(example->body, "16, 1, 12") != NULL;
    size_t used =
        (size_t)snprintf(text, sizeof text, "%.*s{\"nodes\": [0", (int)(all - example->body), example->body);
    for (int node = 1; node < (sheet ? 17 * 2 * 13 : 27); ++node)
        if (sheet ? node / 17 % 2 == 0 : node != 13)
            used += (size_t)snprintf(text + used, sizeof text - used, ", %d", node);
    used += (size_t)snprintf(text + used, sizeof text - used, "]}%s", all + strlen("\"all\""));
    ck_assert_uint_lt(used, sizeof text);
    return text;
}

/// Dispatches of the coarse matrix' elimination that have work.
static int count_levels(VulkanDevice *device)
{
    const int supernodes = ((int)device->coarse.group_count + COARSE_ELIMINATED - 1) / COARSE_ELIMINATED;
    uint32_t arguments[3 * COARSE_SUPERNODES_MOST];
    int levels = 0;
    ASSERT_OK(context, gpu_download(device->gpu, vulkan_buffer(device, BUFFER_COARSE_PLAN),
                                    4 * COARSE_PLAN_ARGUMENTS, arguments, sizeof arguments));
    for (int level = 0; level < COARSE_SUPERNODES_MOST; ++level) {
        levels += arguments[3 * level] > 0;
        ck_assert(level < supernodes || arguments[3 * level] == 0);
        ck_assert(level == 0 || arguments[3 * level] == 0 || arguments[3 * level - 3] > 0);
    }
    printf("  %d of %d levels\n", levels, supernodes);
    return levels;
}

START_TEST(same_preconditioner)
{
    const Case *example = &cases[_i / 4];
    const bool f64 = _i % 2 == 1, two_level = _i / 2 % 2 == 0;
    Pair pair;
    char name[64];
    snprintf(name, sizeof name, "%s, %s", example->name, two_level ? "two_level" : "block_jacobi");
    begin_pair(&pair, body_of(example), example->touch, two_level ? "two_level" : "block_jacobi", f64);
    ck_assert_uint_eq(pair.on_gpu->coarse.group_count, two_level ? (uint32_t)example->groups : 0);
    ck_assert_uint_eq(pair.on_gpu->coarse.chunks_per_group, two_level ? (uint32_t)example->chunks : 0);
    // Blocks of three numbers are solved more exactly than larger ones.
    const bool small = !two_level && pair.cpu.model.order.coupled_count == 0;
    compare(&pair, two_level ? example->groups : 0, name, f64 ? 1e-12 : small ? 1e-5 : 1e-4);
    if (two_level && example->levels > 0)
        ck_assert_int_le(count_levels(pair.on_gpu), example->levels);
    end_pair(&pair);
}
END_TEST

/// A step of a bar on both devices, and with both preconditioners: few iterations with two_level, as on the CPU path.
START_TEST(fewer_iterations)
{
    static const char bar[] = "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [24, 6, 6]}}, "
                              "\"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.1999, 1, 1]]}}]";
    static const char *const names[2] = {"two_level", "block_jacobi"};
    int32_t iterations[2];
    char text[1 << 12];
    write_scene(text, sizeof text, bar, false);
    for (int k = 0; k < 2; ++k) {
        Simulation simulation[2];
        StepReport report[2];
        double *x[2], off = 0;
        for (int device = 0; device < 2; ++device) {
            start(text, names[k], &(DeviceChoice){device == 0 ? "cpu" : "vulkan", device == 0 ? NULL : "f32"},
                  &simulation[device]);
            ASSERT_OK(context, simulation_step(&simulation[device], &report[device]));
            x[device] = slot_values(&simulation[device], SLOT_POSITION);
        }
        for (size_t i = 0; i < 3 * (size_t)simulation[0].model.node_count; ++i)
            off = fmax(off, fabs(x[0][i] - x[1][i]));
        iterations[k] = report[1].solver.linear_iterations;
        printf("%s: %d linear iterations, %d on the CPU; positions off by %.1e m\n", names[k], iterations[k],
               report[0].solver.linear_iterations, off);
        ck_assert_int_le(abs(iterations[k] - report[0].solver.linear_iterations), 1 + iterations[k] / 20);
        ck_assert_double_le(off, 1e-6);
        for (int device = 0; device < 2; ++device)
            simulation_destroy(&simulation[device]);
    }
    ck_assert_int_lt(4 * iterations[0], iterations[1]);
}
END_TEST

/// Of one direction, near the start of a scene.
static int32_t direction_iterations(const char *text, const char *preconditioner, bool on_gpu,
                                    uint32_t *stripes_per_chunk)
{
    const NewtonSettings settings = {
        .linear_tolerance = 1e-3, .linear_max_iterations = 5000, .project = true};
    Simulation simulation;
    NewtonDirection direction;
    start(text, preconditioner, &(DeviceChoice){on_gpu ? "vulkan" : "cpu", on_gpu ? "f32" : NULL},
          &simulation);
    if (!on_gpu)
        leave_out_factor(simulation.device);
    stage_begin_near(&simulation);
    ASSERT_OK(context, device_newton_direction(simulation.device, &settings, &direction));
    if (on_gpu)
        *stripes_per_chunk = ((const VulkanDevice *)simulation.device)->coarse.stripes_per_chunk;
    simulation_destroy(&simulation);
    return direction.linear_iterations;
}

/// Boxes that touch all around: corners in eights, which contact holds together.
START_TEST(crowds_of_boxes)
{
    static const char boxes[] = "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, "
                                "\"array\": {\"count\": [3, 3, 3], \"spacing\": [0.104, 0.104, 0.104]}";
    static const char *const names[2] = {"two_level", "block_jacobi"};
    int32_t iterations[2][2];
    uint32_t stripes;
    char text[1 << 12];
    write_scene(text, sizeof text, boxes, true);
    for (int k = 0; k < 2; ++k)
        for (int device = 0; device < 2; ++device)
            iterations[k][device] = direction_iterations(text, names[k], device == 1, &stripes);
    printf("%d linear iterations, %d on the CPU; %d and %d with block_jacobi\n", iterations[0][1],
           iterations[0][0], iterations[1][1], iterations[1][0]);
    ck_assert_int_lt(2 * iterations[0][1], iterations[1][1]);
    ck_assert_int_lt(2 * iterations[0][1], 3 * iterations[0][0]);
}
END_TEST

/// A chain of bodies whose joints are stiffer by far than they are: as many iterations as without joints, or none to speak of.
START_TEST(chains_of_joints)
{
    static const struct {
        const char *type, *cells;
        int count, most;
    } chains[2] = {{"affine", "[1, 1, 1]", 12, 8}, {"solid", "[4, 4, 4]", 6, 60}};
    const int count = chains[_i].count;
    char text[1 << 13];
    size_t used = (size_t)snprintf(
        text, sizeof text,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": "
        "\"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, \"materials\": {\"m\": {\"model\": \"neo_hookean\", "
        "\"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, \"bodies\": [");
    for (int i = 0; i < count; ++i)
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "%s{\"name\": \"b%d\", \"type\": \"%s\", \"material\": \"m\", \"translate\": [%g, 0, 0], "
            "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": %s}}}",
            i > 0 ? ", " : "", i, chains[_i].type, 0.12 * i, chains[_i].cells);
    for (int i = 1; i < count; ++i)
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "%s{\"type\": \"ball\", \"at\": [%g, 0, 0], \"between\": [\"b%d\", \"b%d\"], \"compliance\": 1e-8}",
            i > 1 ? ", " : "], \"constraints\": [", 0.12 * i - 0.06, i - 1, i);
    used += (size_t)snprintf(text + used, sizeof text - used, "]}");
    ck_assert_uint_lt(used, sizeof text);
    uint32_t stripes;
    const int32_t iterations = direction_iterations(text, "two_level", true, &stripes),
                  on_cpu = direction_iterations(text, "two_level", false, &stripes),
                  others = direction_iterations(text, "block_jacobi", true, &stripes);
    printf("%s bodies: %d linear iterations, %d on the CPU; %d with block_jacobi\n", chains[_i].type,
           iterations, on_cpu, others);
    ck_assert_int_le(iterations, chains[_i].most);
    ck_assert_int_le(on_cpu, chains[_i].most);
    ck_assert_int_lt(4 * iterations, others);
}
END_TEST

/// More rows than the stripes of all chunks have at once.
START_TEST(chunks_of_several_stripes)
{
    static const char boxes[] = "\"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, "
                                "\"array\": {\"count\": [21, 20, 20], \"spacing\": [0.12, 0.12, 0.12]}";
    uint32_t stripes = 0;
    char text[1 << 12];
    write_scene(text, sizeof text, boxes, false);
    const int32_t on_cpu = direction_iterations(text, "two_level", false, NULL),
                  on_gpu = direction_iterations(text, "two_level", true, &stripes);
    printf("%d linear iterations, %d on the CPU; %u stripes a chunk\n", on_gpu, on_cpu, stripes);
    ck_assert_uint_gt(stripes, 1);
    ck_assert_int_le(abs(on_gpu - on_cpu), 1 + on_cpu / 20);
}
END_TEST

Suite *preconditioner_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("preconditioners on Vulkan against the CPU");
    TCase *tests = tcase_create("parity");
    // Each case has both preconditioners, one of them in double precision; of its neighbour it is the other one.
    for (int i = 0; i < 4 * CASES; ++i)
        if (vulkan_test_runs(vulkan, i / 4 + i / 2 % 2, i % 2 == 1))
            tcase_add_loop_test(tests, same_preconditioner, i, i + 1);
    if (vulkan_test_repeats(vulkan, 0)) { // long ones
        tcase_add_test(tests, fewer_iterations);
        tcase_add_test(tests, chunks_of_several_stripes);
    }
    tcase_add_test(tests, crowds_of_boxes);
    tcase_add_loop_test(tests, chains_of_joints, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
