// Newton's method for the stage objective on the CPU path (theory.md sections 2, 3 and 11): the sum of all terms
// (device/cpu/terms). Fixed nodes take part through the elements and contact only. Vectors of the linear solve are in the order
// of NodeOrder, free nodes first.
#include "device/cpu/newton/newton.h"

#include "device/cpu/linear/stack_blocks.h"
#include "device/cpu/newton/partial_pins.h"
#include "device/cpu/newton/patch.h"
#include "device/cpu/newton/turn.h"
#include "device/cpu/terms/terms.h"

#include "base/matrix3.h"

#include <string.h>

VelaResult cpu_newton_create(CpuDevice *device, Arena *arena)
{
    const Model *model = device->base.model;
    VelaContext *context = device->base.context;
    NewtonData *newton = &device->newton;
    const size_t n = 3 * (size_t)model->node_count;
    TRY(block_matrix_build(context, model, arena, &device->elements, &newton->matrix));
    newton->linear = (ConjugateGradients){.context = context,
                                          .kernels = device->kernels,
                                          .matrix = &newton->matrix,
                                          .threads = device->node_threads,
                                          .alternative = INT32_MAX};
    TRY(conjugate_gradients_allocate(arena, &newton->linear));
    TRY(ARENA_ARRAY(arena, newton->direction, n));
    TRY(ARENA_ARRAY(arena, newton->gradient, n));
    TRY(ARENA_ARRAY(arena, newton->solution, n + 1));
    if (model->partial_pin_count > 0)
        TRY(ARENA_ARRAY(arena, newton->right, n));
    TRY(ARENA_ARRAY(arena, newton->trial_sums, device->elements.chunk_count + device->node_chunks));
    TRY(ARENA_ARRAY(arena, newton->bounds, device->elements.chunk_count));
    // `gradient` serves as room for the places of the matrix's rows.
    for (int32_t i = 0; i < model->node_count; ++i)
        memcpy(newton->gradient + 3 * (size_t)i, model->initial_positions + 3 * (size_t)model->order.nodes[i],
               3 * sizeof(double));
    TRY(preconditioner_create(context, model->scene->solver.preconditioner, device->kernels, &newton->matrix,
                              newton->gradient, model->order.nodes, device->node_threads,
                              &newton->linear.preconditioner));
    TRY(cpu_patch_create(device, arena));
    return model->scene->solver.preconditioner == PRECONDITIONER_TWO_LEVEL
               ? direct_solver_create(context, device->kernels, &newton->matrix, device->threads,
                                      &newton->direct)
               : VELA_OK;
}

size_t cpu_newton_memory(const Model *model)
{
    const size_t blocks = (size_t)model->row_start[model->node_count];
    size_t pairs = 0, batch = 0;
    int32_t pieces = 0;
    for (int32_t b = 0; b < model->body_count; ++b)
        pieces += model->bodies[b].copy_count * model->bodies[b].piece_count;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const size_t each = (size_t)element_pairs(&element_kinds[kind]);
        const size_t most = model->groups[kind].count > 0 ? each * BUNDLES_PER_BATCH * LANE_COUNT : 0;
        pairs += each * (size_t)model->groups[kind].count;
        batch = most > batch ? most : batch;
    }
    return 2 * 4 * pairs + (9 * 8 + 2 * 4) * blocks + 9 * 8 * (pairs < batch ? pairs : batch) +
           (7 * 3 * 8 + 9 * 8 + 9) * (size_t)model->node_count +
           rounded_matrix_memory((size_t)model->node_count, blocks) + cpu_patch_memory(model) +
           (model->scene->solver.preconditioner == PRECONDITIONER_TWO_LEVEL
                ? coarse_space_memory(model->node_count, matrix_part_count(model), pieces) +
                      stack_blocks_memory(model->node_count, matrix_part_count(model)) +
                      direct_solver_memory(model->node_count, blocks)
                : 0);
}

void cpu_newton_destroy(CpuDevice *device)
{
    direct_solver_destroy(device->newton.direct);
    cpu_patch_destroy(device);
    preconditioner_destroy(device->newton.linear.preconditioner);
}

// ---------------------------------------------------------------- gradient and matrix

VelaResult cpu_newton_assemble(CpuDevice *device, bool project)
{
    NewtonData *newton = &device->newton;
    BlockMatrix *matrix = &newton->matrix;
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
    const NewtonPatch *patch = newton->moving_chunks ? newton->patch : NULL;
    if (patch)
        block_matrix_clear_rows(matrix, patch->count, patch->rows);
    else
        block_matrix_clear(matrix, device->node_threads);
    memset(newton->gradient, 0, 3 * (size_t)device->base.model->order.node_count * sizeof *newton->gradient);
    for (int t = 0; t < count; ++t)
        if (terms[t]->linearize)
            TRY(terms[t]->linearize(device, project));
    const double start = cpu_clock();
    if (patch)
        block_matrix_mirror_rows(matrix, patch->count, patch->rows);
    else
        block_matrix_mirror(matrix, device->node_threads);
    cpu_timing_add(device->timings, PHASE_ASSEMBLY, start);
    for (int t = 0; t < count; ++t)
        if (terms[t]->linearize_changing)
            TRY(terms[t]->linearize_changing(device, project));
    return VELA_OK;
}

void cpu_newton_multiply(const CpuDevice *device, const double *x, double *y)
{
    const BlockMatrix *matrix = &device->newton.matrix;
    device->kernels->multiply(matrix, 0, matrix->row_count, x, y);
}

// The solution becomes the way of what is held, and 0 elsewhere.
static void put_pins(CpuDevice *device, NewtonDirection *direction)
{
    const Model *model = device->base.model;
    const double *x = device->slots[SLOT_STAGE], *target = device->slots[SLOT_TARGET];
    NewtonData *newton = &device->newton;
    for (int32_t p = 0; p < model->pin_count; ++p)
        for (int k = 0; k < 3; ++k) {
            const int32_t node = model->pin_nodes[p];
            const size_t at = 3 * (size_t)node + (size_t)k;
            newton->solution[3 * (size_t)model->order.places[node] + (size_t)k] = target[at] - x[at];
            direction->pin_gap = fmax(direction->pin_gap, fabs(target[at] - x[at]));
        }
    direction->pin_gap = fmax(direction->pin_gap, cpu_partial_pins_way(device));
}

void cpu_newton_right(CpuDevice *device, NewtonDirection *direction)
{
    NewtonData *newton = &device->newton;
    ConjugateGradients *linear = &newton->linear;
    const size_t n = 3 * (size_t)device->base.model->order.free_count;
    memset(newton->solution, 0, n * sizeof *newton->solution);
    if (!newton->moving_chunks) // all around a patch stands still
        put_pins(device, direction);
    if (direction->pin_gap > 0)
        cpu_newton_multiply(device, newton->solution, linear->residual);
    else
        memset(linear->residual, 0, n * sizeof *linear->residual);
    for (size_t i = 0; i < n; ++i)
        linear->residual[i] = -newton->gradient[i] - linear->residual[i];
    cpu_partial_pins_project(device);
    if (newton->right)
        memcpy(newton->right, linear->residual, n * sizeof *newton->right);
}

// The right-hand side once more, and the solution 0, for a solve that begins again.
static void reset_right(CpuDevice *device)
{
    NewtonData *newton = &device->newton;
    const size_t bytes = 3 * (size_t)device->base.model->order.free_count * sizeof *newton->right;
    NewtonDirection again = {0};
    if (!newton->right) {
        cpu_newton_right(device, &again);
        return;
    }
    // The matrix is projected by now: it tells no more what held components pull.
    memcpy(newton->linear.residual, newton->right, bytes);
    memset(newton->solution, 0, bytes);
}

/// How much of the solution or the direction is taken.
typedef struct NewtonWay {
    CpuDevice *device;
    double part;
} NewtonWay;

static void put_range(void *data, int32_t first, int32_t end)
{
    const NewtonWay *way = data;
    const NodeOrder *order = &way->device->base.model->order;
    NewtonData *newton = &way->device->newton;
    for (int32_t i = first; i < end; ++i)
        for (int k = 0; k < 3; ++k)
            newton->direction[3 * (size_t)order->nodes[i] + (size_t)k] =
                way->part * newton->solution[3 * (size_t)i + (size_t)k];
}

// `part` of the solution, in the model's order.
static void put_direction(CpuDevice *device, double part)
{
    NewtonWay way = {device, part};
    team_ranges(device->node_threads, device->base.model->order.node_count, TEAM_LIGHT_LEAST, put_range,
                &way);
}

void cpu_newton_keep(CpuDevice *device, NewtonDirection *direction)
{
    const NodeOrder *order = &device->base.model->order;
    NewtonData *newton = &device->newton;
    if (!newton->moving_chunks)
        cpu_partial_pins_direction(device);
    put_direction(device, 1);
    newton->part = 1;
    newton->bound_part = 0;
    for (int32_t c = 0; c < device->node_chunks; ++c) {
        double slope = 0;
        for (int32_t i = c * NODES_PER_CHUNK; i < chunk_end(c, NODES_PER_CHUNK, order->node_count); ++i) {
            const int32_t node = order->nodes[i];
            const double *d = newton->solution + 3 * (size_t)i;
            slope += dot3(newton->gradient + 3 * (size_t)i, d);
            for (int k = 0; k < 3; ++k) {
                direction->largest = fmax(direction->largest, fabs(d[k]));
                if (!isfinite(d[k]) && (direction->bad_node < 0 || node < direction->bad_node))
                    direction->bad_node = node;
            }
        }
        direction->slope += slope;
    }
    newton->largest = direction->largest;
    newton->is_beyond = false;
    direction->turn = affine_turn_angle(device->base.model, device->slots[SLOT_STAGE], newton->direction);
}

// Whether the matrix's pattern makes a factor worth no more iterations than it may be. A stage's patterns differ little: what was refused
// is looked at again only for more than twice as many.
static bool takes_factor(NewtonData *newton)
{
    const double most = newton->direct_most;
    if (!newton->direct || direct_solver_worth(newton->direct) > most || most <= 2 * newton->direct_refused)
        return false;
    if (direct_solver_analyse(newton->direct, most) <= most)
        return true;
    newton->direct_refused = most;
    return false;
}

// False where there is no factor, or none of a projected matrix, to rounding.
static bool solve_directly(CpuDevice *device, bool project, LinearReport *report)
{
    NewtonData *newton = &device->newton;
    const size_t n = 3 * (size_t)device->base.model->order.free_count;
    if (!takes_factor(newton))
        return false;
    *report = (LinearReport){.iterations = 1, .is_exact = true};
    if (!direct_solver_solve(newton->direct, newton->linear.residual, newton->solution)) {
        memset(newton->solution, 0, n * sizeof *newton->solution);
        report->indefinite = true;
        return !project;
    }
    double product = 0;
    for (size_t i = 0; i < n; ++i)
        product += newton->linear.residual[i] * newton->solution[i];
    report->norm = sqrt(fmax(product, 0));
    return true;
}

void cpu_newton_begin_stage(CpuDevice *device)
{
    device->newton.direct_most = device->newton.direct ? direct_solver_least(device->newton.direct) : 0;
    device->newton.direct_refused = 0;
    device->newton.looks_beyond = false;
}

// By conjugate gradients, which give up where a factor takes clearly less than they seem to have left.
static VelaResult solve_by_iterations(CpuDevice *device, const NewtonSettings *settings, LinearReport *report)
{
    NewtonData *newton = &device->newton;
    ConjugateGradients *linear = &newton->linear;
    TRY(preconditioner_update(linear->preconditioner, device->slots[SLOT_STAGE], true));
    linear->alternative = INT32_MAX;
    if (newton->direct)
        linear->alternative = (int32_t)fmax(direct_solver_worth(newton->direct),
                                            fmax(newton->direct_most, 2 * newton->direct_refused));
    TRY(conjugate_gradients(linear, settings, newton->solution, report));
    if (!report->is_slow)
        return VELA_OK;
    const LinearReport in_vain = *report;
    // What is left is told too roughly for a factor that is worth far more than was thought.
    newton->direct_most = fmin(conjugate_gradients_clearly(report->left), 2.0 * linear->alternative);
    reset_right(device);
    newton->by_factor = solve_directly(device, settings->project, report);
    if (!newton->by_factor) {
        linear->alternative = INT32_MAX;
        TRY(conjugate_gradients(linear, settings, newton->solution, report));
    }
    report->iterations += in_vain.iterations;
    report->norm = in_vain.norm;
    return VELA_OK;
}

// By a factor where that takes no longer than iterations take at least, or than they took in this stage. What was before the stage plays no
// part, so that a run that is resumed goes on as it would have.
static VelaResult solve_linear(CpuDevice *device, const NewtonSettings *settings, LinearReport *report)
{
    NewtonData *newton = &device->newton;
    newton->by_factor = solve_directly(device, settings->project, report);
    if (newton->by_factor)
        return VELA_OK;
    TRY(solve_by_iterations(device, settings, report));
    if (newton->direct && !newton->by_factor)
        newton->direct_most =
            fmax(newton->direct_most, report->iterations + direct_solver_preparation(newton->direct));
    return VELA_OK;
}

// Of all nodes, or of the patch's alone.
static VelaResult find_direction(CpuDevice *device, const NewtonSettings *settings,
                                 NewtonDirection *direction)
{
    NewtonData *newton = &device->newton;
    LinearReport report;
    TRY(cpu_newton_assemble(device, settings->project));
    if (device->barrier)
        direction->contact_pairs = device->barrier->within_count;
    const double start = cpu_clock();
    cpu_newton_right(device, direction);
    if (settings->patch)
        TRY(patch_solver_solve(newton->patch->solver, settings, newton->linear.residual, newton->solution,
                               &report));
    else
        TRY(solve_linear(device, settings, &report));
    direction->gradient = report.norm;
    direction->linear_iterations = report.iterations;
    direction->linear_residual = report.residual;
    direction->is_exact = report.is_exact;
    direction->indefinite = report.indefinite;
    cpu_newton_keep(device, direction);
    cpu_timing_add(device->timings, PHASE_LINEAR, start);
    return VELA_OK;
}

VelaResult cpu_newton_direction(Device *base, const NewtonSettings *settings, NewtonDirection *direction)
{
    CpuDevice *device = (CpuDevice *)base;
    NewtonData *newton = &device->newton;
    *direction = (NewtonDirection){.bad_node = -1, .contact_pairs = -1};
    if (newton->patch)
        newton->patch->is_under_way = settings->patch;
    if (settings->patch)
        cpu_patch_enter(device);
    const VelaResult result = find_direction(device, settings, direction);
    if (settings->patch)
        cpu_patch_leave(device);
    else if (result == VELA_OK && !newton->by_factor)
        direction->patch_nodes = cpu_patch_choose(device, direction->largest);
    return result;
}

VelaResult cpu_newton_way(Device *base, double part, bool turned)
{
    CpuDevice *device = (CpuDevice *)base;
    put_direction(device, part);
    device->newton.part = turned ? 0 : part;
    device->newton.is_beyond |= part > 1;
    if (turned)
        affine_turn(base->model, device->slots[SLOT_STAGE], device->newton.direction, device->node_threads);
    return VELA_OK;
}

// ---------------------------------------------------------------- trials

// How many times the direction the way is that is looked at first. Where the last step went on beyond its direction this one mostly does,
// and on motions within contact's range twice as long a way has hardly more candidates.
static double way_ahead(const CpuDevice *device)
{
    enum { BEYOND = 2 };
    const NewtonData *newton = &device->newton;
    return device->barrier && newton->part == 1 && newton->looks_beyond &&
                   newton->largest <= device->base.model->scene->contact.distance
               ? BEYOND
               : 1;
}

// What is admissible of a straight way says it of shorter ones, and candidates of the one are those of the others.
static VelaResult find_longest(CpuDevice *device)
{
    NewtonData *newton = &device->newton;
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int count = cpu_terms(device, terms);
    if (newton->part > 0 && newton->part <= newton->bound_part) {
        newton->longest = fmin(1, newton->bound_longest * newton->bound_part / newton->part);
        return VELA_OK;
    }
    const double ahead = way_ahead(device);
    if (ahead > 1)
        put_direction(device, ahead);
    newton->bound_longest = 1;
    for (int t = 0; t < count; ++t)
        if (terms[t]->bound)
            TRY(terms[t]->bound(device, &newton->bound_longest));
    if (ahead > 1)
        put_direction(device, 1);
    newton->bound_part = ahead * newton->part;
    newton->longest = fmin(1, ahead * newton->bound_longest);
    return VELA_OK;
}

static VelaResult try_steps(CpuDevice *device, int32_t halvings, NewtonTrials *trials)
{
    NewtonData *newton = &device->newton;
    double steps[NEWTON_TRIALS];
    if (halvings == 0)
        TRY(find_longest(device));
    // Hardly ever is a second step length needed, or one below the half, and each costs the elements a decomposition and contact a look at all.
    const int count = halvings < 2 ? 1 : NEWTON_TRIALS;
    for (int i = 0; i < count; ++i)
        steps[i] = ldexp(newton->longest, -(halvings + i));
    TrialSums all = {0};
    const CpuTerm *terms[CPU_TERMS_MOST];
    const int term_count = cpu_terms(device, terms);
    for (int t = 0; t < term_count; ++t)
        if (terms[t]->try_steps)
            terms[t]->try_steps(device, count, steps, &all);
    *trials = (NewtonTrials){.count = count, .longest = newton->longest, .contact_work = all.contact_work};
    for (int i = 0; i < count; ++i) {
        trials->difference[i] = all.difference[i];
        trials->slope[i] = all.slope[i];
        if (isfinite(all.difference[i]))
            trials->noise[i] = 0x1p-53 * NEWTON_ROUNDING * all.magnitude[i];
    }
    return context_breathe(device->base.context);
}

VelaResult cpu_newton_trials(Device *base, int32_t halvings, NewtonTrials *trials)
{
    CpuDevice *device = (CpuDevice *)base;
    const bool of_patch = device->newton.patch && device->newton.patch->is_under_way;
    if (of_patch)
        cpu_patch_enter(device);
    const VelaResult result = try_steps(device, halvings, trials);
    if (of_patch)
        cpu_patch_leave(device);
    return result;
}

static void go_range(void *data, int32_t first, int32_t end)
{
    const NewtonWay *way = data;
    double *x = way->device->slots[SLOT_STAGE];
    for (size_t i = 3 * (size_t)first; i < 3 * (size_t)end; ++i)
        x[i] += way->part * way->device->newton.direction[i];
}

VelaResult cpu_newton_accept(Device *base, double step)
{
    CpuDevice *device = (CpuDevice *)base;
    double *x = device->slots[SLOT_STAGE];
    NewtonWay way = {device, step};
    const bool of_patch = device->newton.patch && device->newton.patch->is_under_way;
    device->newton.looks_beyond = device->newton.is_beyond;
    team_ranges(device->node_threads, base->model->node_count, TEAM_LIGHT_LEAST, go_range, &way);
    if (device->barrier)
        barrier_move_on(device->barrier, step * newton_part_of_bound(&device->newton));
    if (step != 1 || of_patch)
        return VELA_OK;
    for (int32_t p = 0; p < base->model->pin_count; ++p) {
        const size_t i = 3 * (size_t)base->model->pin_nodes[p];
        memcpy(x + i, device->slots[SLOT_TARGET] + i, 3 * sizeof *x);
    }
    cpu_partial_pins_arrive(device);
    return VELA_OK;
}
