// The two-level preconditioner of ADMM's global solves on the Vulkan device: its coarse matrix against P^T A P from the model's matrix, what
// its start makes of a residual against the same in double precision, and that steps end where block Jacobi ends them, after fewer iterations
// of the conjugate gradients on a slender bar.
#include "parity/lockstep_fixture.h"
#include "parity/shared_gpu.h"
#include "parity/vulkan_fixture.h"
#include "physics/physics_fixture.h"

#include "device/vulkan/exact.h"
#include "device/vulkan/linear/coarse.h"
#include "device/vulkan/linear/preconditioner.h"
#include "device/vulkan/recording.h"
#include "gpu/transfer.h"
#include "model/build.h"
#include "model/matrix.h"
#include "model/node_groups.h"
#include "model/surface_map.h"
#include "physics/contact/plane_penalty.h"
#include "scene/parse.h"

static VelaContext *context;

typedef struct Case {
    const char *name, *body; ///< geometry and pins
    const char *rest;        ///< contact and obstacles
    double normal[3];        ///< of the plane, 0 without one
    bool rubs;
} Case;

#define BAR                                                                                                  \
    "\"geometry\": {\"box\": {\"size\": [1, 0.05, 0.05], \"cells\": [40, 2, 2]}}, "                          \
    "\"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.4999, 1, 1]]}}]"

static const Case cases[] = {
    {"bar", BAR, "", {0}, false},
    {"cube on a tilted plane",
     "\"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [6, 5, 6]}}, \"translate\": [0, 0.11, 0]",
     ", \"contact\": {\"model\": \"penalty\", \"stiffness\": 500}, \"obstacles\": [{\"plane\": {\"point\": [0, 0, 0], \"normal\": "
     "[3, 4, 0]}}]",
     {0.6, 0.8, 0},
     false},
    {"cube that rubs",
     "\"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [6, 5, 6]}}, \"translate\": [0, 0.11, 0]",
     ", \"contact\": {\"model\": \"penalty\", \"stiffness\": 500}, \"obstacles\": [{\"friction\": 0.4, \"plane\": {\"point\": [0, 0, 0], "
     "\"normal\": [0, 1, 0]}}]",
     {0, 1, 0},
     true},
    {"slide",
     "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [12, 3, 3]}}, \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], "
     "[-0.1999, 1, 1]]}, \"axes\": \"x\", \"frame\": {\"axis\": [0, 0, 1], \"degrees\": 40}}]",
     "",
     {0},
     false},
};
enum { CASES = sizeof cases / sizeof *cases, BAR_CASE = 0, SLIDE_CASE = 3 };

#define STEP 0.01 /* s */

/// `preconditioner`: of the scene, or NULL; `step`: s.
static void start(const Case *example, const char *preconditioner, double step, const DeviceChoice *choice,
                  Simulation *simulation)
{
    char text[1 << 12], linear[100] = "";
    if (preconditioner)
        snprintf(linear, sizeof linear, ", \"linear\": {\"preconditioner\": \"%s\"}", preconditioner);
    const int length = snprintf(
        text, sizeof text,
        "{\"version\": 1, \"time\": {\"step\": %g, \"duration\": 1}, \"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": "
        "\"admm\", \"tolerance\": %s, \"max_iterations\": 3000%s}, \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": "
        "1000, \"youngs_modulus\": 5e5, \"poissons_ratio\": 0.4}}, \"bodies\": [{\"type\": \"solid\", \"material\": \"m\", %s}]%s}",
        step, choice->precision && strcmp(choice->precision, "f32") == 0 ? "1e-6" : "1e-8", linear,
        example->body, example->rest);
    ck_assert_int_lt(length, (int)sizeof text);
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    ASSERT_OK(context, scene_parse(context, "preconditioner", text, (size_t)length, 0, NULL,
                                   &simulation->arena, &simulation->scene));
    ASSERT_OK(context, model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    ASSERT_OK(context, shared_gpu_start(simulation, choice));
}

// ---------------------------------------------------------------- the coarse matrix

/// A dense square of `size` by `size`.
typedef struct Dense {
    size_t size;
    double *values;
} Dense;

/// 1 - Q of a node.
static void free_projection(const Model *model, int32_t node, double out[9])
{
    const PartialPin *pin = model_partial_pin(model, node);
    for (int k = 0; k < 9; ++k)
        out[k] = (k % 4 == 0) - (pin ? pin->held[k] : 0);
}

/// The block of ADMM's matrix between two nodes that are neighbours, `value` being its scalar part.
static void global_block(const Case *example, const Model *model, const bool *on_surface, int32_t row,
                         int32_t column, double value, double out[9])
{
    double block[9] = {value, 0, 0, 0, value, 0, 0, 0, value}, left[9], sides[2][9];
    const double inertia = model->masses[row] / (STEP * STEP), *n = example->normal,
                 weight = plane_penalty_weight(model->scene->contact.stiffness, inertia);
    for (int k = 0; k < 9 && row == column && on_surface[row] && model->penalty_count > 0; ++k)
        block[k] += weight * n[k / 3] * n[k % 3] +
                    (example->rubs ? inertia * ((k % 4 == 0) - n[k / 3] * n[k % 3]) : 0);
    free_projection(model, row, sides[0]);
    free_projection(model, column, sides[1]);
    matrix3_multiply(sides[0], block, left);
    matrix3_multiply(left, sides[1], out);
}

/// Arms of every free node by its place, 1 and three coordinates, and its group.
static double *find_arms(const Model *model, int32_t *group_of)
{
    const NodeOrder *order = &model->order;
    const int32_t count = order->free_count, groups = order->group_count;
    double *places = calloc(3 * (size_t)count, sizeof *places),
           *arms = calloc(3 * (size_t)count, sizeof *arms),
           *all = calloc(4 * (size_t)model->node_count, sizeof *all);
    for (int32_t i = 0; i < count; ++i)
        memcpy(places + 3 * i, model->initial_positions + 3 * order->nodes[i], 3 * sizeof *places);
    for (int32_t g = 0; g < groups; ++g) {
        const int32_t first = order->group_starts[g], end = order->group_starts[g + 1];
        node_groups_arms(places + 3 * first, end - first, arms + 3 * first);
        for (int32_t i = first; i < end; ++i) {
            group_of[order->nodes[i]] = order->group_turns[g];
            all[4 * order->nodes[i]] = 1;
            memcpy(all + 4 * order->nodes[i] + 1, arms + 3 * i, 3 * sizeof *arms);
        }
    }
    free(places);
    free(arms);
    return all;
}

/// P^T A P of the stage that the device is in; `diagonal`, node_count x 9, gets A's blocks on the diagonal.
static Dense coarse_reference(const Case *example, const VulkanDevice *device, const int32_t *group_of,
                              const double *arms, double *diagonal)
{
    const Model *model = device->base.model;
    const Dense coarse = {.size = COARSE_MODES * (size_t)model->order.group_count,
                          .values = calloc(COARSE_MODES * COARSE_MODES * (size_t)model->order.group_count *
                                               (size_t)model->order.group_count,
                                           sizeof(double))};
    double *values = calloc((size_t)model->row_start[model->node_count], sizeof *values),
           *penalties = calloc((size_t)model->element_count, sizeof *penalties);
    bool *on_surface = calloc((size_t)model->node_count, sizeof *on_surface);
    model_element_penalties(model, 0, penalties);
    for (int32_t v = 0; v < model_surface_vertices(model); ++v)
        on_surface[surface_map_node(&model->surface.map, v)] = true;
    for (int32_t row = 0; row < model->node_count; ++row) {
        if (!model->node_is_free[row])
            continue;
        model_matrix_row(model, penalties, STEP, device->penalty_scale, row, values);
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p) {
            const int32_t column = model->columns[p];
            double block[9];
            if (!model->node_is_free[column])
                continue;
            global_block(example, model, on_surface, row, column, values[p], block);
            if (row == column)
                memcpy(diagonal + 9 * row, block, sizeof block);
            for (size_t k = 0; k < 12; ++k)
                for (size_t l = 0; l < 12; ++l)
                    coarse.values[((size_t)(12 * group_of[row]) + k) * coarse.size +
                                  (size_t)(12 * group_of[column]) + l] += block[3 * (k / 4) + l / 4] *
                                                                          arms[4 * row + (int32_t)k % 4] *
                                                                          arms[4 * column + (int32_t)l % 4];
        }
    }
    free(values);
    free(penalties);
    free(on_surface);
    return coarse;
}

/// z += R A^-1 R^T r over the coarse space by elimination; motions without a pivot of their own are left out.
static void add_coarse(const Model *model, Dense coarse, const int32_t *group_of, const double *arms,
                       const double *r, double *z)
{
    const size_t size = coarse.size;
    double *b = calloc(size, sizeof *b), *a = coarse.values, *before = calloc(size, sizeof *before);
    for (int32_t i = 0; i < model->node_count; ++i)
        for (size_t k = 0; k < 12 && model->node_is_free[i]; ++k)
            b[(size_t)(12 * group_of[i]) + k] += r[3 * (size_t)i + k / 4] * arms[4 * (size_t)i + k % 4];
    for (size_t i = 0; i < size; ++i)
        before[i] = a[i * size + i];
    for (size_t j = 0; j < size; ++j) {
        const bool sound = a[j * size + j] > 1e-5 * before[j];
        for (size_t i = 0; i < size; ++i) {
            const double factor = sound && i != j ? a[i * size + j] / a[j * size + j] : 0;
            for (size_t l = j; l < size && factor != 0; ++l)
                a[i * size + l] -= factor * a[j * size + l];
            b[i] -= factor * b[j];
        }
        if (!sound)
            before[j] = 0;
    }
    for (size_t i = 0; i < size; ++i)
        b[i] = before[i] > 0 ? b[i] / a[i * size + i] : 0;
    for (int32_t i = 0; i < model->node_count; ++i) {
        double moved[3] = {0}, projection[9], way[3];
        for (size_t k = 0; k < 12 && model->node_is_free[i]; ++k)
            moved[k / 4] += b[(size_t)(12 * group_of[i]) + k] * arms[4 * (size_t)i + k % 4];
        free_projection(model, i, projection);
        matrix3_apply(projection, moved, way);
        add_scaled3(z + 3 * (size_t)i, 1, way, z + 3 * (size_t)i);
    }
    free(b);
    free(before);
}

/// z = D^-1 r of the blocks on the diagonal, held as the device does.
static void solve_blocks(const Model *model, const double *diagonal, const double *r, double *z)
{
    for (int32_t i = 0; i < model->node_count; ++i) {
        double block[9], inverse[9];
        const PartialPin *pin = model_partial_pin(model, i);
        if (!model->node_is_free[i])
            continue;
        memcpy(block, diagonal + 9 * i, sizeof block);
        for (int k = 0; k < 9 && pin; ++k)
            block[k] += (diagonal[9 * i] + diagonal[9 * i + 4] + diagonal[9 * i + 8]) / 2 * pin->held[k];
        matrix3_inverse(block, inverse);
        matrix3_apply(inverse, r + 3 * (size_t)i, z + 3 * (size_t)i);
    }
}

static double *download(VulkanDevice *device, BufferName name, uint64_t first, size_t count)
{
    const size_t real = real_size(device->f64);
    char *packed = calloc(count, real);
    double *values = calloc(count, sizeof *values);
    ASSERT_OK(context,
              gpu_download(device->gpu, vulkan_buffer(device, name), first * real, packed, count * real));
    for (size_t i = 0; i < count; ++i)
        values[i] = real_load(device->f64, packed, i);
    free(packed);
    return values;
}

/// The device where a stage of the start begins, with a residual of noise in the free directions.
static double *begin_stage(VulkanDevice *device)
{
    const Model *model = device->base.model;
    const size_t size = 3 * (size_t)model->node_count, real = real_size(device->f64);
    const AdmmSettings settings = {.tolerance = 1e-6};
    ASSERT_OK(context, device_state_write(&device->base, SLOT_STAGE, model->initial_positions));
    ASSERT_OK(context, device_state_write(&device->base, SLOT_TARGET, model->initial_positions));
    ASSERT_OK(context, device_stage_set(&device->base, &(Stage){.a = STEP, .time = 0, .ahead = STEP}));
    ASSERT_OK(context, device_admm_begin(&device->base, &settings));
    double *r = calloc(size, sizeof *r);
    char *packed = calloc(size, real);
    uint32_t random = 7;
    for (int32_t i = 0; i < model->node_count; ++i) {
        double noise[3], projection[9];
        for (int k = 0; k < 3; ++k) {
            random = random * 1664525u + 1013904223u;
            noise[k] = model->node_is_free[i] ? (double)(random >> 8) / 8388608 - 0.5 : 0;
        }
        free_projection(model, i, projection);
        matrix3_apply(projection, noise, r + 3 * (size_t)i);
    }
    for (size_t i = 0; i < size; ++i)
        real_store(device->f64, packed, i, r[i]);
    ASSERT_OK(context, vulkan_finish(device));
    ASSERT_OK(context,
              gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_RESIDUAL), 0, packed, size * real));
    free(packed);
    return r;
}

static void compare_matrix(VulkanDevice *device, Dense expected, double allowed)
{
    ASSERT_OK(context, coarse_assemble(device));
    ASSERT_OK(context, vulkan_finish(device));
    double *found = download(device, BUFFER_COARSE_MATRIX, 0, expected.size * expected.size), off = 0,
           largest = 0;
    for (size_t i = 0; i < expected.size; ++i)
        for (size_t j = i / 12 * 12; j < expected.size; ++j) {
            off = fmax(off, fabs(found[i * expected.size + j] - expected.values[i * expected.size + j]));
            largest = fmax(largest, fabs(expected.values[i * expected.size + j]));
        }
    printf("  coarse matrix of %zu motions off by %.1e\n", expected.size, off / largest);
    ck_assert_double_gt(largest, 0);
    ck_assert_double_le(off, allowed * largest);
    free(found);
}

static void compare_start(VulkanDevice *device, const double *r, const double *expected, double allowed)
{
    const size_t size = 3 * (size_t)device->node_count, products = vulkan_linear_push(device).product_count;
    ASSERT_OK(context, vulkan_preconditioner_begin(device));
    ASSERT_OK(context, vulkan_finish(device));
    double *z = download(device, BUFFER_DIRECTION, 0, size),
           *sums = download(device, BUFFER_PARTIALS, SUM_RZ * SUM_GROUPS_MOST, products), off = 0,
           largest = 0, dot = 0, rz = 0;
    for (size_t i = 0; i < size; ++i) {
        off = fmax(off, fabs(z[i] - expected[i]));
        largest = fmax(largest, fabs(expected[i]));
        dot += r[i] * expected[i];
    }
    for (size_t i = 0; i < products; ++i)
        rz += sums[i];
    printf("  z off by %.1e, r.z by %.1e\n", off / largest, fabs(rz / dot - 1));
    ck_assert_double_le(off, allowed * largest);
    ck_assert_double_le(fabs(rz - dot), allowed * dot);
    free(z);
    free(sums);
}

START_TEST(same_coarse_space)
{
    const Case *example = &cases[_i / 2];
    const bool f64 = _i % 2 == 1;
    Simulation simulation;
    start(example, "two_level", STEP, &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"}, &simulation);
    VulkanDevice *device = (VulkanDevice *)simulation.device;
    const Model *model = &simulation.model;
    int32_t *group_of = calloc((size_t)model->node_count, sizeof *group_of);
    double *arms = find_arms(model, group_of),
           *diagonal = calloc(9 * (size_t)model->node_count, sizeof *diagonal),
           *z = calloc(3 * (size_t)model->node_count, sizeof *z), *r = begin_stage(device);
    Dense coarse = coarse_reference(example, device, group_of, arms, diagonal);
    printf("%s, %s:\n", example->name, f64 ? "f64" : "f32");
    ck_assert_uint_gt(device->coarse.group_count, 1);
    solve_blocks(model, diagonal, r, z);
    double *copy = calloc(coarse.size * coarse.size, sizeof *copy);
    memcpy(copy, coarse.values, coarse.size * coarse.size * sizeof *copy);
    add_coarse(model, (Dense){coarse.size, copy}, group_of, arms, r, z);
    compare_start(device, r, z, f64 ? 1e-10 : 1e-4);
    compare_matrix(device, coarse, f64 ? 1e-13 : 1e-6);
    free(copy);
    free(coarse.values);
    free(group_of);
    free(arms);
    free(diagonal);
    free(z);
    free(r);
    simulation_destroy(&simulation);
}
END_TEST

// ---------------------------------------------------------------- whole steps

typedef struct Run {
    Simulation simulation;
    int64_t iterations, linear;
    double *x;
} Run;

static void run(const Case *example, const char *preconditioner, bool f64, Run *run)
{
    enum { STEPS = 1 };
    StepReport report;
    start(example, preconditioner, STEP, &(DeviceChoice){"vulkan", f64 ? "f64" : "f32"}, &run->simulation);
    run->iterations = run->linear = 0;
    for (int step = 0; step < STEPS; ++step) {
        ASSERT_OK(context, simulation_step(&run->simulation, &report));
        ck_assert(report.solver.stop == STOP_CONVERGED || report.solver.stop == STOP_ROUNDING);
        run->iterations += report.solver.iterations;
        run->linear += report.solver.linear_iterations;
    }
    run->x = slot_values(&run->simulation, SLOT_POSITION);
}

/// Both end within the solver's tolerance of the same positions.
START_TEST(same_steps)
{
    const Case *example = &cases[_i / 2];
    const bool f64 = _i % 2 == 1;
    static const char *const names[2] = {"two_level", "block_jacobi"};
    Run runs[2];
    double off = 0;
    for (int k = 0; k < 2; ++k)
        run(example, names[k], f64, &runs[k]);
    for (size_t i = 0; i < 3 * (size_t)runs[0].simulation.model.node_count; ++i)
        off = fmax(off, fabs(runs[0].x[i] - runs[1].x[i]));
    printf("%s, %s: positions off by %.1e m; iterations %lld and %lld, of the linear solver %lld and %lld\n",
           example->name, f64 ? "f64" : "f32", off, (long long)runs[0].iterations,
           (long long)runs[1].iterations, (long long)runs[0].linear, (long long)runs[1].linear);
    ck_assert_double_le(off, f64 ? 1e-9 : 5e-6);
    // The bar is far longer than thick.
    if (_i / 2 == BAR_CASE)
        ck_assert_int_lt(3 * runs[0].linear, runs[1].linear);
    for (int k = 0; k < 2; ++k)
        simulation_destroy(&runs[k].simulation);
}
END_TEST

/// Also where more than masses, elements and planes are in the matrix, and where a pin slides.
START_TEST(same_as_on_the_cpu)
{
    static const char *const solvers[2] = {
        "{\"type\": \"admm\", \"tolerance\": 1e-6, \"max_iterations\": 3000, "
        "\"linear\": {\"preconditioner\": \"two_level\"}}",
        "{\"type\": \"admm\", \"tolerance\": 1e-10, \"max_iterations\": 3000, "
        "\"linear\": {\"preconditioner\": \"two_level\"}}"};
    static const LockstepCase examples[] = {
        {"damped, less rigid motions, in air",
         "{\"version\": 1, \"time\": {\"step\": 0.005, \"duration\": 1}, \"air\": {\"drag\": 1.5, \"wind\": [1, 0, 0]}, "
         "\"integrator\": {\"type\": \"implicit_midpoint\"}, \"materials\": {\"m\": {\"model\": \"stvk\", \"density\": 1000, "
         "\"youngs_modulus\": 5e5, \"poissons_ratio\": 0.3, \"damping\": [{\"type\": \"rayleigh\", \"time\": 0.002, \"mass\": 4, "
         "\"correction\": \"rigid_velocity\"}, {\"type\": \"strain_rate\", \"shear\": 300, \"bulk\": 150}]}}, \"bodies\": "
         "[{\"type\": \"solid\", \"material\": \"m\", \"velocity\": [1, 2, 0], \"angular_velocity\": [0, 0, 40], \"geometry\": "
         "{\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [12, 3, 3]}}}]}",
         2},
        {"slides and rubs, tr_bdf2",
         "{\"version\": 1, \"time\": {\"step\": 0.005, \"duration\": 1}, \"integrator\": {\"type\": \"tr_bdf2\"}, \"materials\": "
         "{\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 5e5, \"poissons_ratio\": 0.3}}, \"bodies\": "
         "[{\"type\": \"solid\", \"material\": \"m\", \"velocity\": [1, -1, 0], \"translate\": [0, 0.051, 0], \"geometry\": {\"box\": "
         "{\"size\": [0.4, 0.1, 0.1], \"cells\": [12, 3, 3]}}, \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.1999, 1, 1]]}, "
         "\"axes\": \"y\", \"frame\": {\"axis\": [0, 0, 1], \"degrees\": 20}}]}], \"contact\": {\"model\": \"penalty\", "
         "\"stiffness\": 500}, \"obstacles\": [{\"friction\": 0.4, \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}]}",
         3},
    };
    const bool f64 = _i % 2 == 1;
    lockstep(context, &examples[_i / 2], solvers[f64], f64 ? "f64" : "f32", f64 ? 1e-9 : 1e-5);
}
END_TEST

/// A run that goes on from a state has the bytes of the one that was there, whatever its solves were cut into and its coarse matrix was made for
/// before.
START_TEST(same_bytes)
{
    Simulation runs[2];
    StepReport report;
    for (int k = 0; k < 2; ++k) {
        start(&cases[BAR_CASE], "two_level", STEP, &(DeviceChoice){"vulkan", "f32"}, &runs[k]);
        runs[k].scene.solver.max_iterations = 4; // bytes are compared wherever a step ends
    }
    const size_t size = simulation_state_size(&runs[0]);
    double *states = calloc(2 * size, sizeof *states);
    for (int step = 0; step < 2; ++step) {
        ASSERT_OK(context, device_admm_scale_penalty(runs[0].device, 2));
        ASSERT_OK(context, simulation_step(&runs[0], &report));
    }
    ASSERT_OK(context, simulation_state_read(&runs[0], states));
    ASSERT_OK(context, simulation_state_write(&runs[1], states, runs[0].step));
    for (int k = 0; k < 2; ++k) {
        ASSERT_OK(context, simulation_step(&runs[k], &report));
        ASSERT_OK(context, simulation_state_read(&runs[k], states + (size_t)k * size));
        ck_assert_int_gt(report.solver.linear_iterations, 0);
    }
    ck_assert_mem_eq(states, states + size, size * sizeof *states);
    free(states);
    for (int k = 0; k < 2; ++k)
        simulation_destroy(&runs[k]);
}
END_TEST

/// Where the scene says nothing: stiff bodies of many nodes have the coarse space.
START_TEST(choice_by_the_model)
{
    static const struct {
        int example;
        double step;
        bool two_level;
    } choices[] = {{BAR_CASE, STEP, true}, {BAR_CASE, 0.1 * STEP, false}, {SLIDE_CASE, STEP, false}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; ++i) {
        Simulation simulation;
        start(&cases[choices[i].example], NULL, choices[i].step, &(DeviceChoice){"vulkan", "f32"},
              &simulation);
        ck_assert_int_eq(((const VulkanDevice *)simulation.device)->two_level, choices[i].two_level);
        simulation_destroy(&simulation);
    }
}
END_TEST

Suite *admm_preconditioner_suite(const VulkanTest *vulkan)
{
    context = vulkan->context;
    Suite *suite = suite_create("ADMM's preconditioner on Vulkan");
    TCase *tests = tcase_create("parity");
    tcase_set_timeout(tests, 300);
    // In the coarse space a case has the other precision than in steps, of which the bar's are slow in double precision.
    for (int i = 0; i < 2 * CASES; ++i) {
        if (vulkan_test_runs(vulkan, i / 2 + 1, i % 2 == 1))
            tcase_add_loop_test(tests, same_coarse_space, i, i + 1);
        if (vulkan_test_runs(vulkan, i / 2, i % 2 == 1))
            tcase_add_loop_test(tests, same_steps, i, i + 1);
    }
    for (int i = 0; i < 4; ++i)
        if (vulkan_test_runs(vulkan, i / 2, i % 2 == 1))
            tcase_add_loop_test(tests, same_as_on_the_cpu, i, i + 1);
    tcase_add_test(tests, same_bytes);
    tcase_add_test(tests, choice_by_the_model);
    suite_add_tcase(suite, tests);
    return suite;
}
