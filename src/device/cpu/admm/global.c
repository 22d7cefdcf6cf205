// The constant matrix, factored. Penalty planes whose normals are parallel or perpendicular to one another (one plane, a
// box) leave the system separable: in a frame along the normals, A is one scalar matrix for each axis, and
// axes without planes share a factor. Other normals couple x, y and z, and A is factored as a whole; so it is where pins hold nodes
// in part.
#include "device/cpu/admm/global.h"

#include "base/matrix3.h"
#include "device/cpu/linear/cholesky.h"
#include "device/cpu/linear/factor_solve.h"
#include "device/cpu/linear/ordering.h"
#include "model/matrix.h"
#include "physics/contact/plane_penalty.h"

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

/// The scalar or the coupled matrix as it was assembled last.
typedef struct System {
    SymmetricRows rows; ///< start NULL: there is no room for it yet
    CholeskyPlan plan;  ///< order NULL: there is none yet
} System;

struct GlobalStep {
    VelaContext *context;
    const Model *model;
    GlobalWeights weights;
    int threads;
    Arena arena;
    double *values; ///< of the current assembly, as the rows of the model's node graph
    int32_t free_count;
    int32_t *free_index; ///< of every node, -1: not free
    int32_t *free_nodes; ///< its inverse
    /// The graph of the free nodes, themselves included, and where each of its entries is in the model's.
    int32_t *graph_start, *graph_columns, *graph_entries;
    int32_t *order; ///< of elimination: the free node at each place
    uint8_t *on_surface;
    System scalar, coupled;
    double *right; ///< 4 for every unknown of the largest factor
    const Kernels *kernels;
    FactorSet sets[FACTORS_KEPT];
    int64_t uses;
    FactorSet *current;
};

static VelaResult allocate(GlobalStep *global)
{
    const Model *model = global->model;
    const size_t nodes = (size_t)model->node_count, entries = (size_t)model->row_start[nodes];
    Arena *arena = &global->arena;
    TRY(ARENA_ARRAY(arena, global->values, entries));
    TRY(ARENA_ARRAY(arena, global->free_index, nodes));
    TRY(ARENA_ARRAY(arena, global->free_nodes, nodes));
    TRY(ARENA_ARRAY(arena, global->graph_start, nodes + 1));
    TRY(ARENA_ARRAY(arena, global->graph_columns, entries));
    TRY(ARENA_ARRAY(arena, global->graph_entries, entries));
    TRY(ARENA_ARRAY(arena, global->order, nodes));
    TRY(ARENA_ARRAY(arena, global->on_surface, nodes));
    return ARENA_ARRAY(arena, global->right, 12 * nodes);
}

VelaResult global_create(VelaContext *context, const Model *model, const GlobalWeights *weights, int threads,
                         GlobalStep **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    GlobalStep *global;
    TRY(ARENA_ARRAY(&arena, global, 1));
    *global = (GlobalStep){.context = context,
                           .model = model,
                           .weights = *weights,
                           .threads = threads,
                           .kernels = kernels_choose(),
                           .arena = arena};
    VelaResult result;
    TRY_GOTO(result, allocate(global), failed);
    for (int32_t i = 0; i < model->node_count; ++i)
        if (model->node_is_free[i]) {
            global->free_nodes[global->free_count] = i;
            global->free_index[i] = global->free_count++;
        } else {
            global->free_index[i] = -1;
        }
    int32_t next = 0;
    for (int32_t i = 0; i < global->free_count; ++i) {
        const int32_t row = global->free_nodes[i];
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p)
            if (global->free_index[model->columns[p]] >= 0) {
                global->graph_columns[next] = global->free_index[model->columns[p]];
                global->graph_entries[next++] = p;
            }
        global->graph_start[i + 1] = next;
    }
    for (int32_t i = 0; model->penalty_count > 0 && i < model_surface_vertices(model); ++i)
        global->on_surface[surface_map_node(&model->surface.map, i)] = 1;
    TRY_GOTO(
        result,
        ordering_find(context, global->free_count, global->graph_start, global->graph_columns, global->order),
        failed);
    *out = global;
    return VELA_OK;
failed:
    arena = global->arena;
    arena_clear(&arena);
    return result;
}

void global_destroy(GlobalStep *global)
{
    if (!global)
        return;
    for (int i = 0; i < FACTORS_KEPT; ++i)
        for (int k = 0; k < 3; ++k)
            factor_destroy(global->sets[i].factors[k]);
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

// Room for the rows of a matrix.
static VelaResult make_room(GlobalStep *global, int32_t count, size_t entries, SymmetricRows *rows)
{
    if (rows->start)
        return VELA_OK;
    rows->count = count;
    TRY(ARENA_ARRAY(&global->arena, rows->columns, entries));
    TRY(ARENA_ARRAY(&global->arena, rows->values, entries));
    return ARENA_ARRAY(&global->arena, rows->start, (size_t)count + 1);
}

// The diagonal's share that does not come from elements, but for penalty contact.
static double node_diagonal(const GlobalStep *global, int32_t node)
{
    return global->weights.diagonal ? global->weights.diagonal[node] : 0;
}

// The matrix over the free nodes; `weight` is added to the diagonal of surface nodes.
static VelaResult build_scalar(GlobalStep *global, double a, AxisWeight weight)
{
    SymmetricRows *rows = &global->scalar.rows;
    const int32_t count = global->free_count, *start = global->graph_start;
    TRY(make_room(global, count, (size_t)start[count], rows));
    for (int32_t i = 0; i < count; ++i) {
        const int32_t node = global->free_nodes[i];
        for (int32_t p = start[i]; p < start[i + 1]; ++p) {
            double value = global->values[global->graph_entries[p]];
            if (global->graph_columns[p] == i && global->on_surface[node])
                value += node_weight(global->model, a, node, weight.across, weight.along);
            if (global->graph_columns[p] == i)
                value += node_diagonal(global, node);
            rows->columns[p] = global->graph_columns[p];
            rows->values[p] = value;
        }
        rows->start[i + 1] = start[i + 1];
    }
    return VELA_OK;
}

/// What penalty contact adds to the block of a surface node: `across` plane_penalty_weight + `along` m/a^2.
typedef struct BlockWeight {
    double across[9], along[9];
} BlockWeight;

// A node's own block, symmetric: its scalar, `push` at surface nodes, and where a pin holds a part,
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

// P_row P_column, column by column: what couples two nodes, but for their scalar. The transpose of P_column P_row.
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

// The block in the row of free node i and the column of free node j, row by row, where the scalar matrix has `scalar`.
static void system_block(const GlobalStep *global, double a, int32_t i, int32_t j, double scalar,
                         const BlockWeight *push, double block[9])
{
    const int32_t row = global->free_nodes[i], column = global->free_nodes[j];
    double lower[9];
    if (i == j) {
        diagonal_block(global, a, row, scalar, push, block);
        return;
    }
    coupling_block(global->model, i > j ? row : column, i > j ? column : row, lower);
    for (int k = 0; k < 9; ++k) // both triangles have the very same numbers
        block[k] = scalar * (i > j ? lower[3 * (k % 3) + k / 3] : lower[k]);
}

// The same with 3x3 blocks: what penalty contact adds at surface nodes, and what partial pins hold left out by projection, as in Newton's method
// (newton/partial_pins.h). Numbers that P makes 0 are no entries.
static VelaResult build_coupled(GlobalStep *global, double a, const PenaltyShape *shapes)
{
    const Model *model = global->model;
    const BlockWeight push = block_weight(global, shapes);
    const int32_t count = global->free_count, *start = global->graph_start, *columns = global->graph_columns;
    SymmetricRows *rows = &global->coupled.rows;
    size_t entries = 6 * (size_t)count; // of the nodes' own blocks, beside what is counted below
    for (int32_t i = 0; i < count; ++i)
        for (int32_t p = start[i]; p < start[i + 1]; ++p)
            entries += model_partial_pin(model, global->free_nodes[i]) ||
                               model_partial_pin(model, global->free_nodes[columns[p]])
                           ? 9
                           : 3;
    TRY(make_room(global, 3 * count, entries, rows));
    int64_t next = 0;
    for (int32_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            for (int32_t p = start[i]; p < start[i + 1]; ++p) {
                const int32_t j = columns[p];
                double block[9], scalar = global->values[global->graph_entries[p]];
                if (i == j)
                    scalar += node_diagonal(global, global->free_nodes[i]);
                system_block(global, a, i, j, scalar, &push, block);
                for (int l = 0; l < 3; ++l) {
                    if (i != j && block[3 * k + l] == 0)
                        continue;
                    rows->columns[next] = 3 * j + l;
                    rows->values[next++] = block[3 * k + l];
                }
            }
            rows->start[3 * i + k + 1] = next;
        }
    }
    return VELA_OK;
}

// The elimination of a matrix of `size` unknowns a node.
static VelaResult make_plan(GlobalStep *global, int size, System *system)
{
    if (system->plan.order)
        return VELA_OK;
    const int32_t count = system->rows.count;
    Arena scratch = arena_make(global->context);
    int32_t *order;
    VelaResult result = ARENA_ARRAY(&scratch, order, count);
    for (int32_t k = 0; result == VELA_OK && k < count; ++k)
        order[k] = size * global->order[k / size] + k % size;
    CholeskyPlan plan;
    if (result == VELA_OK)
        result = cholesky_plan(&system->rows, order, &global->arena, &plan);
    if (result == VELA_OK)
        system->plan = plan;
    arena_clear(&scratch);
    return result;
}

// Factors the matrix that has been built.
static VelaResult factorize(GlobalStep *global, int size, System *system, Factor **factor)
{
    factor_destroy(*factor);
    *factor = NULL;
    TRY(make_plan(global, size, system));
    const VelaResult result = cholesky_factor(global->context, &system->plan, &system->rows, global->kernels,
                                              global->threads, factor);
    FAIL_IF(global->context, result == VELA_ERROR_NOT_CONVERGED, VELA_ERROR_NOT_CONVERGED,
            "factoring the global matrix failed: a material's stiffness or density is beyond what double "
            "precision can hold");
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
        TRY(build_coupled(global, key->a, shapes));
        TRY(factorize(global, 3, &global->coupled, &set->factors[0]));
    } else {
        AxisWeight weights[3];
        for (int k = 0; k < 3; ++k) {
            weights[k] = axis_weight(global, shapes, set->frame + 3 * k);
            set->factor_of_axis[k] = k;
            for (int j = k - 1; j >= 0; --j)
                if (weights[j].across == weights[k].across && weights[j].along == weights[k].along)
                    set->factor_of_axis[k] = set->factor_of_axis[j];
            if (set->factor_of_axis[k] != k)
                continue;
            TRY(build_scalar(global, key->a, weights[k]));
            TRY(factorize(global, 1, &global->scalar, &set->factors[k]));
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

void global_solve(GlobalStep *global, const double *right, double *delta)
{
    memset(delta, 0, 3 * (size_t)global->model->node_count * sizeof *delta);
    if (global->free_count == 0)
        return;
    if (global->current->coupled) {
        solve_coupled(global, right, delta);
        return;
    }
    for (int f = 0; f < 3; ++f)
        if (global->current->factor_of_axis[f] == f)
            solve_axes(global, f, right, delta);
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
