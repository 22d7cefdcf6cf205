// The global step by CHOLMOD. Penalty planes whose normals are parallel or perpendicular to one another (one plane, a
// box) leave the system separable: in a frame along the normals, A is one scalar matrix for each axis, and
// axes without planes share a factor. Other normals couple x, y and z, and A is factored as a whole; so it is where pins hold nodes
// in part.
#ifdef VELA_HAVE_CHOLMOD

#include "device/cpu/admm/global.h"

#include "base/matrix3.h"
#include "device/cpu/linear/factor_solve.h"
#include "model/matrix.h"
#include "physics/contact/plane_penalty.h"

#include <cholmod.h>

enum { FACTORS_KEPT = 8, PLANES_KEYED = 16 };

typedef struct FactorSet {
    GlobalKey key;
    double normals[PLANES_KEYED][3]; ///< of planes; 0 of spheres, which are alike wherever they are
    bool coupled;
    double frame[9];           ///< rows: the axes
    int32_t factor_of_axis[3]; ///< index into factors
    Factor *factors[3];        ///< NULL where not needed
    int64_t last_used;
} FactorSet;

struct GlobalStep {
    VelaContext *context;
    const Model *model;
    GlobalWeights weights;
    int threads;
    Arena arena;
    cholmod_common common;
    double *values; ///< of the current assembly
    int32_t free_count;
    int32_t *free_index; ///< of every node, -1: not free
    int32_t *free_nodes; ///< its inverse
    uint8_t *on_surface;
    cholmod_factor *analysed, *analysed_coupled; ///< symbolic
    double *right;                               ///< 4 for every unknown of the largest factor
    const Kernels *kernels;
    FactorSet sets[FACTORS_KEPT];
    int64_t uses;
    FactorSet *current;
};

static VelaResult cholmod_trouble(GlobalStep *global, const char *what)
{
    if (global->common.status == CHOLMOD_OUT_OF_MEMORY)
        return context_fail(global->context, VELA_ERROR_OUT_OF_MEMORY,
                            "out of memory while %s the global matrix", what);
    return context_fail(
        global->context, VELA_ERROR_NOT_CONVERGED,
        "%s the global matrix failed (CHOLMOD status %d): a material's stiffness or density is beyond "
        "what double precision can hold",
        what, global->common.status);
}

VelaResult global_create(VelaContext *context, const Model *model, const GlobalWeights *weights, int threads,
                         GlobalStep **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    GlobalStep *global;
    TRY(ARENA_ARRAY(&arena, global, 1));
    *global = (GlobalStep){.context = context, .model = model, .weights = *weights, .threads = threads};
    VelaResult result = ARENA_ARRAY(&arena, global->values, model->row_start[model->node_count]);
    if (result == VELA_OK)
        result = ARENA_ARRAY(&arena, global->free_index, model->node_count);
    if (result == VELA_OK)
        result = ARENA_ARRAY(&arena, global->free_nodes, model->node_count);
    if (result == VELA_OK)
        result = ARENA_ARRAY(&arena, global->on_surface, model->node_count);
    if (result == VELA_OK)
        result = ARENA_ARRAY(&arena, global->right, 12 * (size_t)model->node_count);
    if (result != VELA_OK) {
        arena_clear(&arena);
        return result;
    }
    for (int32_t i = 0; i < model->node_count; ++i)
        if (model->node_is_free[i]) {
            global->free_nodes[global->free_count] = i;
            global->free_index[i] = global->free_count++;
        } else {
            global->free_index[i] = -1;
        }
    for (int32_t i = 0; model->penalty_count > 0 && i < model_surface_vertices(model); ++i)
        global->on_surface[surface_map_node(&model->surface.map, i)] = 1;
    cholmod_start(&global->common);
    global->common.print = 0;
    // Nested dissection fills 3-D meshes least; the simplicial factor needs no BLAS, whose sums may depend on threads.
    global->common.supernodal = CHOLMOD_SIMPLICIAL;
    global->common.nmethods = 2;
    global->common.method[0].ordering = CHOLMOD_METIS;
    global->common.method[1].ordering = CHOLMOD_AMD;
    global->kernels = kernels_choose();
    global->arena = arena;
    *out = global;
    return VELA_OK;
}

void global_destroy(GlobalStep *global)
{
    if (!global)
        return;
    cholmod_common *common = &global->common;
    for (int i = 0; i < FACTORS_KEPT; ++i)
        for (int k = 0; k < 3; ++k)
            factor_destroy(global->sets[i].factors[k]);
    cholmod_free_factor(&global->analysed, common);
    cholmod_free_factor(&global->analysed_coupled, common);
    cholmod_finish(common);
    Arena arena = global->arena;
    arena_clear(&arena);
}

/// What penalty contact adds to the diagonal along an axis at a surface node: `across` plane_penalty_weight + `along` m/a^2.
typedef struct AxisWeight {
    double across, along;
} AxisWeight;

// Sums over the planes of (axis.n)^2, with friction of 1 - (axis.n)^2, and of 1 over the spheres.
static AxisWeight axis_weight(const GlobalStep *global, const PenaltyShape *shapes, const double axis[3])
{
    const Model *model = global->model;
    AxisWeight weight = {0};
    for (int32_t o = 0; o < model->penalty_count; ++o) {
        if (penalty_is_sphere(&shapes[o])) {
            weight.across += 1;
            continue;
        }
        const double c = dot3(axis, shapes[o].normal);
        weight.across += c * c;
        if (model->penalty_obstacles[o].rubs)
            weight.along += fmax(1 - c * c, 0);
    }
    return weight;
}

// What a surface node gets, N/m.
static double node_weight(const Model *model, double a, int32_t node, double across, double along)
{
    const double inertia = model->masses[node] / (a * a);
    return across * plane_penalty_weight(model->scene->contact.stiffness, inertia) + along * inertia;
}

// Rows of `frame` become axes such that every plane's normal lies along one of them; false where there is no such
// frame.
static bool find_frame(int32_t count, const PenaltyShape *shapes, double frame[9])
{
    const double parallel = 1 - 1e-14;
    int axes = 0;
    for (int32_t p = 0; p < count; ++p) {
        bool known = penalty_is_sphere(&shapes[p]);
        for (int k = 0; k < axes && !known; ++k) {
            const double c = fabs(dot3(shapes[p].normal, frame + 3 * k));
            known = c >= parallel;
            if (!known && c > 1e-14)
                return false;
        }
        if (!known)
            memcpy(frame + 3 * axes++, shapes[p].normal, 3 * sizeof(double));
    }
    for (; axes < 3; ++axes) {
        // The coordinate axis that is farthest from those there are, made perpendicular to them.
        double best[3] = {0}, best_length = -1;
        for (int k = 0; k < 3; ++k) {
            double candidate[3] = {k == 0, k == 1, k == 2};
            for (int j = 0; j < axes; ++j)
                add_scaled3(candidate, -dot3(candidate, frame + 3 * j), frame + 3 * j, candidate);
            const double length = normalize3(candidate);
            if (length > best_length + 1e-9) {
                best_length = length;
                memcpy(best, candidate, sizeof best);
            }
        }
        memcpy(frame + 3 * axes, best, sizeof best);
    }
    return true;
}

// Lower triangle over the free nodes; `weight` is added to the diagonal of surface nodes.
static cholmod_sparse *build_scalar(GlobalStep *global, double a, AxisWeight weight)
{
    const Model *model = global->model;
    size_t entries = 0;
    for (int32_t row = 0; row < model->node_count; ++row)
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p)
            entries += global->free_index[row] >= 0 && global->free_index[model->columns[p]] >= 0 &&
                       model->columns[p] >= row;
    const size_t n = (size_t)global->free_count;
    cholmod_sparse *matrix = cholmod_allocate_sparse(n, n, entries, 1, 1, -1, CHOLMOD_REAL, &global->common);
    if (!matrix)
        return NULL;
    int *start = matrix->p, *index = matrix->i, next = 0;
    double *value = matrix->x;
    for (int32_t row = 0; row < model->node_count; ++row) {
        if (global->free_index[row] < 0)
            continue;
        start[global->free_index[row]] = next;
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p) {
            const int32_t column = model->columns[p];
            if (column < row || global->free_index[column] < 0)
                continue;
            index[next] = global->free_index[column];
            value[next] = global->values[p];
            if (column == row && global->on_surface[row])
                value[next] += node_weight(model, a, row, weight.across, weight.along);
            if (column == row && global->weights.diagonal)
                value[next] += global->weights.diagonal[row];
            ++next;
        }
    }
    start[n] = next;
    return matrix;
}

/// What penalty contact adds to the block of a surface node: `across` plane_penalty_weight + `along` m/a^2.
typedef struct BlockWeight {
    double across[9], along[9];
} BlockWeight;

// The lower triangle of a node's own block, column by column: its scalar, `push` at surface nodes, and where a pin holds a part,
// P block P + scalar Q.
static void diagonal_block(const GlobalStep *global, double a, int32_t node, double scalar,
                           const BlockWeight *push, double block[9])
{
    const PartialPin *pin = model_partial_pin(global->model, node);
    for (int k = 0; k < 9; ++k)
        block[k] =
            (k % 4 == 0 ? scalar : 0) +
            (global->on_surface[node] ? node_weight(global->model, a, node, push->across[k], push->along[k])
                                      : 0);
    if (!pin)
        return;
    for (int k = 0; k < 3; ++k)
        partial_pin_release(pin, block + 3 * k);
    for (int k = 0; k < 3; ++k) { // symmetric only when both sides are done
        double line[3] = {block[k], block[3 + k], block[6 + k]};
        partial_pin_release(pin, line);
        for (int j = 0; j < 3; ++j)
            block[3 * j + k] = line[j] + scalar * pin->held[3 * j + k];
    }
}

// P_row P_column, column by column: what couples two nodes, but for their scalar.
static void coupling_block(const Model *model, int32_t row, int32_t column, double block[9])
{
    const PartialPin *pins[2] = {model_partial_pin(model, column), model_partial_pin(model, row)};
    for (int k = 0; k < 9; ++k)
        block[k] = k % 4 == 0;
    for (int k = 0; k < 3; ++k)
        for (int p = 0; p < 2; ++p)
            if (pins[p])
                partial_pin_release(pins[p], block + 3 * k);
}

// The sums of n n^T and, with friction, 1 - n n^T over the planes, and of 1 over the spheres.
static BlockWeight block_weight(const GlobalStep *global, const PenaltyShape *shapes)
{
    const Model *model = global->model;
    BlockWeight weight = {{0}, {0}};
    for (int32_t o = 0; o < model->penalty_count; ++o)
        for (int k = 0; k < 9; ++k) {
            const double *n = shapes[o].normal, unit = k % 4 == 0;
            weight.across[k] += penalty_is_sphere(&shapes[o]) ? unit : n[k / 3] * n[k % 3];
            if (!penalty_is_sphere(&shapes[o]) && model->penalty_obstacles[o].rubs)
                weight.along[k] += unit - n[k / 3] * n[k % 3];
        }
    return weight;
}

// The same with 3x3 blocks: what penalty contact adds at surface nodes, and what partial pins hold left out by projection, as in Newton's method
// (newton/partial_pins.h). Numbers that P makes 0 are no entries.
static cholmod_sparse *build_coupled(GlobalStep *global, double a, const PenaltyShape *shapes)
{
    const Model *model = global->model;
    const BlockWeight push = block_weight(global, shapes);
    cholmod_sparse *scalar = build_scalar(global, a, (AxisWeight){0});
    if (!scalar)
        return NULL;
    const size_t n = scalar->ncol;
    const int *scalar_start = scalar->p, *scalar_index = scalar->i;
    const double *scalar_value = scalar->x;
    double block[9];
    size_t entries = 6 * n;
    for (int32_t node = 0; node < model->node_count; ++node)
        for (int32_t p = global->free_index[node] < 0 ? 0 : scalar_start[global->free_index[node]];
             global->free_index[node] >= 0 && p < scalar_start[global->free_index[node] + 1]; ++p)
            entries += model_partial_pin(model, node) ||
                               model_partial_pin(model, global->free_nodes[scalar_index[p]])
                           ? 9
                           : 3;
    cholmod_sparse *matrix =
        cholmod_allocate_sparse(3 * n, 3 * n, entries, 1, 1, -1, CHOLMOD_REAL, &global->common);
    if (matrix) {
        int *start = matrix->p, *index = matrix->i, next = 0;
        double *value = matrix->x;
        for (int column = 0; column < (int)n; ++column)
            for (int k = 0; k < 3; ++k) {
                const int32_t node = global->free_nodes[column];
                start[3 * column + k] = next;
                for (int32_t p = scalar_start[column]; p < scalar_start[column + 1]; ++p) {
                    const int row = scalar_index[p];
                    if (row == column)
                        diagonal_block(global, a, node, scalar_value[p], &push, block);
                    else
                        coupling_block(model, global->free_nodes[row], node, block);
                    for (int j = row == column ? k : 0; j < 3; ++j) {
                        if (row != column && block[3 * k + j] == 0)
                            continue;
                        index[next] = 3 * row + j;
                        value[next++] = (row == column ? 1 : scalar_value[p]) * block[3 * k + j];
                    }
                }
            }
        start[3 * n] = next;
    }
    cholmod_free_sparse(&scalar, &global->common);
    return matrix;
}

// CHOLMOD allocates by itself: its copy of the factor must fit into what the context's limit leaves, and ours beside it.
static bool factor_fits(const GlobalStep *global, const cholmod_factor *analysed)
{
    const size_t limit = global->context->memory_limit, used = global->context->memory_used;
    const int *column_counts = analysed->ColCount;
    size_t entries = 0;
    for (size_t j = 0; j < analysed->n; ++j)
        entries += (size_t)column_counts[j];
    return limit == 0 || (used < limit && 2 * entries * (sizeof(double) + sizeof(int)) <= limit - used);
}

// Factors `matrix` (and frees it) with the ordering of `analysed`, which is made from the first one.
static VelaResult factorize(GlobalStep *global, cholmod_sparse *matrix, cholmod_factor **analysed,
                            Factor **factor)
{
    factor_destroy(*factor);
    *factor = NULL;
    if (!matrix)
        return cholmod_trouble(global, "building");
    if (!*analysed)
        *analysed = cholmod_analyze(matrix, &global->common);
    const bool fits = !*analysed || factor_fits(global, *analysed);
    cholmod_factor *numeric = *analysed && fits ? cholmod_copy_factor(*analysed, &global->common) : NULL;
    VelaResult result;
    if (!fits)
        result =
            context_fail(global->context, VELA_ERROR_OUT_OF_MEMORY,
                         "out of memory: the factor of the global matrix is beyond the limit of %zu bytes",
                         global->context->memory_limit);
    else if (!numeric || !cholmod_factorize(matrix, numeric, &global->common) ||
             global->common.status != CHOLMOD_OK)
        result = cholmod_trouble(global, "factoring");
    else
        result = factor_create(global->context, (int32_t)numeric->n, numeric->p, numeric->nz, numeric->i,
                               numeric->x, numeric->Perm, factor);
    cholmod_free_factor(&numeric, &global->common);
    cholmod_free_sparse(&matrix, &global->common);
    return result;
}

static VelaResult fill_set(GlobalStep *global, FactorSet *set, const GlobalKey *key,
                           const PenaltyShape *shapes)
{
    const Model *model = global->model;
    set->key = (GlobalKey){0}; // not found again should this fail
#pragma omp parallel for schedule(static) num_threads(global->threads)
    for (int32_t row = 0; row < model->node_count; ++row) {
        model_matrix_row(model, global->weights.penalties, key->a, key->penalty_scale, row, global->values);
        for (int32_t p = model->row_start[row]; global->weights.coupling && p < model->row_start[row + 1];
             ++p)
            global->values[p] += global->weights.coupling[p];
    }
    set->coupled = model->partial_pin_count > 0 || !find_frame(model->penalty_count, shapes, set->frame);
    if (set->coupled) {
        TRY(factorize(global, build_coupled(global, key->a, shapes), &global->analysed_coupled,
                      &set->factors[0]));
    } else {
        AxisWeight weights[3];
        for (int k = 0; k < 3; ++k) {
            weights[k] = axis_weight(global, shapes, set->frame + 3 * k);
            set->factor_of_axis[k] = k;
            for (int j = k - 1; j >= 0; --j)
                if (weights[j].across == weights[k].across && weights[j].along == weights[k].along)
                    set->factor_of_axis[k] = set->factor_of_axis[j];
            if (set->factor_of_axis[k] == k)
                TRY(factorize(global, build_scalar(global, key->a, weights[k]), &global->analysed,
                              &set->factors[k]));
        }
    }
    set->key = *key;
    for (int32_t p = 0; p < model->penalty_count && p < PLANES_KEYED; ++p)
        memcpy(set->normals[p], shapes[p].normal, sizeof set->normals[p]);
    return VELA_OK;
}

static bool set_matches(const GlobalStep *global, const FactorSet *set, const GlobalKey *key,
                        const PenaltyShape *shapes)
{
    if (set->key.a != key->a || set->key.penalty_scale != key->penalty_scale ||
        set->key.weights != key->weights)
        return false;
    for (int32_t p = 0; p < global->model->penalty_count; ++p)
        if (p >= PLANES_KEYED || memcmp(set->normals[p], shapes[p].normal, sizeof set->normals[p]) != 0)
            return false;
    return true;
}

VelaResult global_prepare(GlobalStep *global, const GlobalKey *key, const PenaltyShape *shapes)
{
    global->current = NULL;
    if (global->free_count == 0)
        return VELA_OK;
    FactorSet *oldest = &global->sets[0];
    for (int i = 0; i < FACTORS_KEPT; ++i) {
        FactorSet *set = &global->sets[i];
        if (set_matches(global, set, key, shapes)) {
            global->current = set;
            break;
        }
        if (set->last_used < oldest->last_used)
            oldest = set;
    }
    if (!global->current) {
        TRY(fill_set(global, oldest, key, shapes));
        global->current = oldest;
    }
    global->current->last_used = ++global->uses;
    return VELA_OK;
}

static void solve_coupled(GlobalStep *global, const double *right, double *delta)
{
    double *b = global->right;
    for (int32_t i = 0; i < global->model->node_count; ++i)
        for (int k = 0; k < 3 && global->free_index[i] >= 0; ++k)
            b[4 * (3 * (size_t)global->free_index[i] + (size_t)k)] = right[3 * (size_t)i + (size_t)k];
    for (int32_t p = 0; p < global->model->partial_pin_count; ++p) {
        const PartialPin *pin = &global->model->partial_pins[p];
        double force[3];
        memcpy(force, right + 3 * (size_t)pin->node, sizeof force);
        partial_pin_release(pin, force);
        for (int k = 0; k < 3; ++k)
            b[4 * (3 * (size_t)global->free_index[pin->node] + (size_t)k)] = force[k];
    }
    factor_solve(global->current->factors[0], global->kernels, global->threads, 1, b);
    for (int32_t i = 0; i < global->model->node_count; ++i)
        for (int k = 0; k < 3 && global->free_index[i] >= 0; ++k)
            delta[3 * (size_t)i + (size_t)k] = b[4 * (3 * (size_t)global->free_index[i] + (size_t)k)];
    model_release(global->model, delta);
}

// All axes that share factor `f` in one solve with as many right-hand sides.
static void solve_axes(GlobalStep *global, int f, const double *right, double *delta)
{
    const FactorSet *set = global->current;
    int axes[3], count = 0;
    for (int k = 0; k < 3; ++k)
        if (set->factor_of_axis[k] == f)
            axes[count++] = k;
    double *b = global->right;
    for (int32_t i = 0; i < global->model->node_count; ++i)
        for (int k = 0; k < count && global->free_index[i] >= 0; ++k)
            b[4 * (size_t)global->free_index[i] + (size_t)k] =
                dot3(set->frame + 3 * axes[k], right + 3 * (size_t)i);
    factor_solve(set->factors[f], global->kernels, global->threads, count, b);
    for (int32_t i = 0; i < global->model->node_count; ++i)
        for (int k = 0; k < count && global->free_index[i] >= 0; ++k)
            add_scaled3(delta + 3 * (size_t)i, b[4 * (size_t)global->free_index[i] + (size_t)k],
                        set->frame + 3 * axes[k], delta + 3 * (size_t)i);
}

VelaResult global_solve(GlobalStep *global, const double *right, double tolerance, double *delta,
                        int32_t *iterations)
{
    (void)tolerance;
    (void)iterations;
    if (global->free_count == 0)
        return VELA_OK;
    if (global->current->coupled) {
        solve_coupled(global, right, delta);
        return VELA_OK;
    }
    memset(delta, 0, 3 * (size_t)global->model->node_count * sizeof *delta);
    for (int f = 0; f < 3; ++f)
        if (global->current->factor_of_axis[f] == f)
            solve_axes(global, f, right, delta);
    return VELA_OK;
}

size_t global_factor_bytes(const GlobalStep *global)
{
    size_t bytes = 0;
    for (int i = 0; i < FACTORS_KEPT; ++i)
        for (int k = 0; k < 3; ++k) {
            if (global->sets[i].factors[k])
                bytes += factor_bytes(global->sets[i].factors[k]);
        }
    return bytes;
}

#else
typedef int global_direct_is_empty;
#endif
