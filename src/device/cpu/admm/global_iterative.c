// The global step by conjugate gradients with a 3x3 block Jacobi preconditioner, for builds without CHOLMOD.
#ifndef VELA_HAVE_CHOLMOD

#include "device/cpu/admm/global.h"

#include "base/matrix3.h"
#include "model/matrix.h"
#include "physics/contact/plane_penalty.h"

enum { CHUNK = 1024, ITERATIONS_MOST = 10000 };

struct GlobalStep {
    VelaContext *context;
    const Model *model;
    GlobalWeights weights;
    int threads;
    Arena arena;
    GlobalKey key;
    /// What penalty contact adds at surface nodes: across plane_penalty_weight + along m/a^2.
    double across[9], along[9];
    double *values; ///< scalar part, rows of the model's node graph
    double (*inverse_blocks)[9];
    uint8_t *on_surface;
    double *residual, *direction, *preconditioned, *product,
        *partial; ///< node_count x 3, and one sum a chunk
};

VelaResult global_create(VelaContext *context, const Model *model, const GlobalWeights *weights, int threads,
                         GlobalStep **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    GlobalStep *global;
    const size_t n = (size_t)model->node_count;
    TRY(ARENA_ARRAY(&arena, global, 1));
    *global = (GlobalStep){.context = context, .model = model, .weights = *weights, .threads = threads};
    VelaResult result;
    TRY_GOTO(result, ARENA_ARRAY(&arena, global->values, model->row_start[n]), failed);
    TRY_GOTO(result, ARENA_ARRAY(&arena, global->inverse_blocks, n), failed);
    TRY_GOTO(result, ARENA_ARRAY(&arena, global->on_surface, n), failed);
    TRY_GOTO(result, ARENA_ARRAY(&arena, global->residual, 3 * n), failed);
    TRY_GOTO(result, ARENA_ARRAY(&arena, global->direction, 3 * n), failed);
    TRY_GOTO(result, ARENA_ARRAY(&arena, global->preconditioned, 3 * n), failed);
    TRY_GOTO(result, ARENA_ARRAY(&arena, global->product, 3 * n), failed);
    TRY_GOTO(result, ARENA_ARRAY(&arena, global->partial, n / CHUNK + 1), failed);
    for (int32_t i = 0; model->penalty_count > 0 && i < model_surface_vertices(model); ++i)
        global->on_surface[surface_map_node(&model->surface.map, i)] = 1;
    global->arena = arena;
    *out = global;
    return VELA_OK;
failed:
    arena_clear(&arena);
    return result;
}

void global_destroy(GlobalStep *global)
{
    if (!global)
        return;
    Arena arena = global->arena;
    arena_clear(&arena);
}

// P block P + its size Q: what a preconditioner needs, so that residuals without held components keep none.
static void hold_diagonal(const PartialPin *pin, double block[9])
{
    const double size = (block[0] + block[4] + block[8]) / 3;
    double left[9], free_part[9];
    if (!pin)
        return;
    for (int k = 0; k < 9; ++k)
        free_part[k] = (k % 4 == 0) - pin->held[k];
    matrix3_multiply(free_part, block, left);
    matrix3_multiply(left, free_part, block);
    for (int k = 0; k < 9; ++k)
        block[k] += size * pin->held[k];
}

// The sums of n n^T and, with friction, 1 - n n^T over the planes, and of 1 over the spheres.
static void add_weights(const Model *model, const PenaltyShape *shapes, double across[9], double along[9])
{
    for (int32_t o = 0; o < model->penalty_count; ++o)
        for (int k = 0; k < 9; ++k) {
            const double *n = shapes[o].normal, unit = k % 4 == 0;
            across[k] += penalty_is_sphere(&shapes[o]) ? unit : n[k / 3] * n[k % 3];
            if (!penalty_is_sphere(&shapes[o]) && model->penalty_obstacles[o].rubs)
                along[k] += unit - n[k / 3] * n[k % 3];
        }
}

// The block that penalty contact adds at a surface node, N/m.
static void contact_block(const GlobalStep *global, int32_t node, double block[9])
{
    const double inertia = global->model->masses[node] / (global->key.a * global->key.a),
                 weight = plane_penalty_weight(global->model->scene->contact.stiffness, inertia);
    for (int k = 0; k < 9; ++k)
        block[k] = weight * global->across[k] + inertia * global->along[k];
}

VelaResult global_prepare(GlobalStep *global, const GlobalKey *key, const PenaltyShape *shapes)
{
    const Model *model = global->model;
    double across[9] = {0}, along[9] = {0};
    add_weights(model, shapes, across, along);
    if (global->key.a == key->a && global->key.penalty_scale == key->penalty_scale &&
        global->key.weights == key->weights && memcmp(across, global->across, sizeof across) == 0 &&
        memcmp(along, global->along, sizeof along) == 0)
        return VELA_OK;
    global->key = *key;
    memcpy(global->across, across, sizeof across);
    memcpy(global->along, along, sizeof along);
#pragma omp parallel for schedule(static) num_threads(global->threads)
    for (int32_t row = 0; row < model->node_count; ++row) {
        model_matrix_row(model, global->weights.penalties, key->a, key->penalty_scale, row, global->values);
        for (int32_t p = model->row_start[row]; global->weights.coupling && p < model->row_start[row + 1];
             ++p)
            global->values[p] += global->weights.coupling[p];
        for (int32_t p = model->row_start[row]; global->weights.diagonal && p < model->row_start[row + 1];
             ++p)
            global->values[p] += model->columns[p] == row ? global->weights.diagonal[row] : 0;
    }
    for (int32_t row = 0; row < model->node_count; ++row) {
        if (!model->node_is_free[row])
            continue;
        double diagonal[9] = {0}, push[9] = {0};
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p)
            if (model->columns[p] == row)
                diagonal[0] = diagonal[4] = diagonal[8] = global->values[p];
        if (global->on_surface[row])
            contact_block(global, row, push);
        for (int k = 0; k < 9; ++k)
            diagonal[k] += push[k];
        hold_diagonal(model_partial_pin(model, row), diagonal);
        matrix3_inverse(diagonal, global->inverse_blocks[row]);
    }
    return VELA_OK;
}

static double dot(const GlobalStep *global, const double *a, const double *b)
{
    const int32_t n = global->model->node_count, chunks = (n + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(static) num_threads(global->threads)
    for (int32_t c = 0; c < chunks; ++c) {
        const size_t end = 3 * (size_t)((c + 1) * CHUNK < n ? (c + 1) * CHUNK : n);
        double sum = 0;
        for (size_t i = 3 * (size_t)c * CHUNK; i < end; ++i)
            sum += a[i] * b[i];
        global->partial[c] = sum;
    }
    double sum = 0;
    for (int32_t c = 0; c < chunks; ++c)
        sum += global->partial[c];
    return sum;
}

// product = A x over the free rows.
static void multiply(const GlobalStep *global, const double *x, double *product)
{
    const Model *model = global->model;
#pragma omp parallel for schedule(static) num_threads(global->threads)
    for (int32_t row = 0; row < model->node_count; ++row) {
        double sum[3] = {0};
        if (model->node_is_free[row]) {
            for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p)
                add_scaled3(sum, global->values[p], x + 3 * (size_t)model->columns[p], sum);
            if (global->on_surface[row]) {
                double block[9], pushed[3];
                contact_block(global, row, block);
                matrix3_apply(block, x + 3 * (size_t)row, pushed);
                add_scaled3(sum, 1, pushed, sum);
            }
        }
        memcpy(product + 3 * (size_t)row, sum, sizeof sum);
    }
    model_release(model, product);
}

static void precondition(const GlobalStep *global, const double *residual, double *out)
{
    const int32_t n = global->model->node_count;
#pragma omp parallel for schedule(static) num_threads(global->threads)
    for (int32_t i = 0; i < n; ++i)
        matrix3_apply(global->inverse_blocks[i], residual + 3 * (size_t)i, out + 3 * (size_t)i);
}

// a += s b
static void add_scaled(const GlobalStep *global, double s, const double *b, double *a)
{
    const size_t n = 3 * (size_t)global->model->node_count;
#pragma omp parallel for schedule(static) num_threads(global->threads)
    for (size_t i = 0; i < n; ++i)
        a[i] += s * b[i];
}

VelaResult global_solve(GlobalStep *global, const double *right, double tolerance, double *delta,
                        int32_t *iterations)
{
    const Model *model = global->model;
    const size_t n = 3 * (size_t)model->node_count;
    double *residual = global->residual, *direction = global->direction, *z = global->preconditioned;
    for (int32_t i = 0; i < model->node_count; ++i)
        for (int k = 0; k < 3 && !model->node_is_free[i]; ++k)
            delta[3 * (size_t)i + k] = 0;
    model_release(model, delta);
    multiply(global, delta, global->product);
    for (size_t i = 0; i < n; ++i)
        residual[i] = model->node_is_free[i / 3] ? right[i] - global->product[i] : 0;
    model_release(model, residual);
    precondition(global, residual, z);
    memcpy(direction, z, n * sizeof *direction);
    double rz = dot(global, residual, z);
    precondition(global, right, global->product);
    model_release(model, global->product);
    double scale = 0;
    for (size_t i = 0; i < n; ++i)
        scale += model->node_is_free[i / 3] ? right[i] * global->product[i] : 0;
    const double target = tolerance * tolerance * scale;
    for (int32_t k = 0; k < ITERATIONS_MOST && rz > target; ++k, ++*iterations) {
        multiply(global, direction, global->product);
        const double curvature = dot(global, direction, global->product);
        if (!(curvature > 0))
            break; // rounding has eaten the direction
        const double alpha = rz / curvature;
        add_scaled(global, alpha, direction, delta);
        add_scaled(global, -alpha, global->product, residual);
        precondition(global, residual, z);
        const double next = dot(global, residual, z), beta = next / rz;
        rz = next;
#pragma omp parallel for schedule(static) num_threads(global->threads)
        for (size_t i = 0; i < n; ++i)
            direction[i] = z[i] + beta * direction[i];
    }
    model_release(model, delta);
    return VELA_OK;
}

size_t global_factor_bytes(const GlobalStep *global)
{
    (void)global;
    return 0;
}

#else
typedef int global_iterative_is_empty;
#endif
