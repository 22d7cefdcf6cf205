#include "device/cpu/terms/planes.h"

#include "base/matrix3.h"
#include "physics/contact/plane_penalty.h"

// A plane pushes on the vertices of bodies' surfaces.
static double gap_of(const CpuDevice *device, int32_t plane, int32_t vertex, const double *x)
{
    double place[3];
    surface_map_vertex(&device->base.model->surface.map, vertex, x, place);
    return dot3(device->normals[plane], place) - device->offsets[plane];
}

static double motion_of(const CpuDevice *device, int32_t plane, int32_t vertex, const double *d)
{
    double motion[3];
    surface_map_vertex(&device->base.model->surface.map, vertex, d, motion);
    return dot3(device->normals[plane], motion);
}

// Calls are few: a plane pushes on what has sunk in.
static VelaResult add_gradient(CpuDevice *device, const double *x, double *gradient)
{
    const Model *model = device->base.model;
    const double stiffness = model->scene->contact.stiffness;
    for (int32_t p = 0; p < model->plane_count; ++p)
        for (int32_t v = 0; v < model_surface_vertices(model); ++v) {
            const double slope = plane_penalty_slope(stiffness, gap_of(device, p, v, x));
            const double *n = device->normals[p];
            if (slope != 0)
                surface_map_pull_back(&model->surface.map, v,
                                      (const double[3]){slope * n[0], slope * n[1], slope * n[2]}, gradient);
        }
    return VELA_OK;
}

static VelaResult diagnose(CpuDevice *device, const double *x, Diagnosis *diagnosis)
{
    const Model *model = device->base.model;
    for (int32_t p = 0; p < model->plane_count; ++p)
        for (int32_t v = 0; v < model_surface_vertices(model); ++v) {
            if (!model->surface.map.is_free[v])
                continue;
            const double gap = gap_of(device, p, v, x);
            diagnosis->min_distance = gap < diagnosis->min_distance ? gap : diagnosis->min_distance;
            diagnosis->contact += plane_penalty_energy(model->scene->contact.stiffness, gap);
        }
    return VELA_OK;
}

// ---------------------------------------------------------------- Newton's method

// The gradient of a vertex and the block weight_a weight_b k n n^T of every two of its free nodes, which lie in one element:
// their block is in the fixed pattern. Those below the diagonal are filled from the ones above.
static void push_vertex(CpuDevice *device, int32_t plane, int32_t vertex, double slope, double curvature)
{
    const SurfaceMap *map = &device->base.model->surface.map;
    const double *n = device->normals[plane];
    NewtonData *newton = &device->newton;
    for (int32_t a = map->starts[vertex]; a < map->starts[vertex + 1]; ++a) {
        const int32_t row = device->base.model->order.places[map->nodes[a]];
        if (row >= device->base.model->order.free_count)
            continue;
        double *gradient = newton->gradient + 3 * (size_t)row;
        add_scaled3(gradient, map->weights[a] * slope, n, gradient);
        for (int32_t b = map->starts[vertex]; b < map->starts[vertex + 1]; ++b) {
            const int32_t column = device->base.model->order.places[map->nodes[b]];
            if (column < row || column >= device->base.model->order.free_count)
                continue;
            const int32_t block = column == row ? newton->matrix.diagonal[row]
                                                : block_matrix_find(&newton->matrix, row, column);
            const double weight = map->weights[a] * map->weights[b] * curvature;
            double *values = newton->matrix.values + 9 * (size_t)block;
            for (int k = 0; k < 9; ++k)
                values[k] += weight * (n[k / 3] * n[k % 3]);
        }
    }
}

static VelaResult linearize(CpuDevice *device, bool project)
{
    (void)project; // positive semidefinite as it is
    const Model *model = device->base.model;
    const double stiffness = model->scene->contact.stiffness;
    for (int32_t p = 0; p < model->plane_count; ++p)
        for (int32_t v = 0; v < model_surface_vertices(model); ++v) {
            const double gap = gap_of(device, p, v, device->slots[SLOT_STAGE]);
            if (gap < 0)
                push_vertex(device, p, v, plane_penalty_slope(stiffness, gap),
                            plane_penalty_curvature(stiffness, gap));
        }
    return VELA_OK;
}

static void try_steps(CpuDevice *device, int count, const double steps[NEWTON_TRIALS], TrialSums *sums)
{
    const Model *model = device->base.model;
    const double stiffness = model->scene->contact.stiffness;
    for (int32_t p = 0; p < model->plane_count; ++p)
        for (int32_t v = 0; v < model_surface_vertices(model); ++v) {
            if (!model->surface.map.is_free[v])
                continue;
            const double gap = gap_of(device, p, v, device->slots[SLOT_STAGE]);
            const double along = motion_of(device, p, v, device->newton.direction);
            for (int t = 0; t < count; ++t) {
                double magnitude;
                const double change = plane_penalty_change(stiffness, gap, steps[t] * along, &magnitude);
                trial_add(sums, t, change, plane_penalty_slope(stiffness, gap + steps[t] * along) * along,
                          magnitude);
            }
        }
}

// ---------------------------------------------------------------- ADMM

VelaResult planes_admm_create(const Model *model, Arena *arena, PlaneSplit *split)
{
    const SolverDef *solver = &model->scene->solver;
    split->count = (size_t)model->plane_count * (size_t)model_surface_vertices(model);
    double **arrays[] = {&split->target,   &split->state, &split->projected,
                         &split->residual, &split->image, &split->multiplier};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i)
        TRY(ARENA_ARRAY(arena, *arrays[i], split->count));
    for (int32_t j = 0; j < (solver->anderson ? solver->depth : 0); ++j) {
        TRY(ARENA_ARRAY(arena, split->residual_differences[j], split->count));
        TRY(ARENA_ARRAY(arena, split->image_differences[j], split->count));
    }
    return VELA_OK;
}

size_t planes_admm_memory(const Model *model)
{
    const SolverDef *solver = &model->scene->solver;
    const size_t depth = solver->anderson ? (size_t)solver->depth : 0;
    return 8 * (6 + 2 * depth) * (size_t)model->plane_count * (size_t)model_surface_vertices(model);
}

// Entry i of the split: a vertex, which is a node where ADMM solves, and a plane.
static int32_t vertex_of(const Model *model, size_t i)
{
    return (int32_t)(i % (size_t)model_surface_vertices(model));
}

static int32_t node_of(const Model *model, size_t i)
{
    return surface_map_node(&model->surface.map, vertex_of(model, i));
}

static int32_t plane_of(const Model *model, size_t i)
{
    return (int32_t)(i / (size_t)model_surface_vertices(model));
}

static void admm_begin(CpuDevice *device)
{
    const Model *model = device->base.model;
    PlaneSplit *split = &device->admm.planes;
    for (size_t i = 0; i < split->count; ++i) {
        split->target[i] =
            gap_of(device, plane_of(model, i), vertex_of(model, i), device->slots[SLOT_TARGET]);
        split->image[i] = split->target[i] + split->multiplier[i] / model->scene->contact.stiffness;
    }
}

static void admm_project(CpuDevice *device)
{
    PlaneSplit *split = &device->admm.planes;
    const Mixing *mixing = &device->admm.mixing;
#pragma omp for schedule(static) nowait
    for (size_t i = 0; i < split->count; ++i) {
        double s = split->image[i];
        for (int32_t j = 0; j < mixing->depth; ++j)
            s -= mixing->weights[j] * split->image_differences[j][i];
        split->state[i] = s;
        // A step starts with y' = the target's gap, whatever the multiplier (theory.md section 5, "Start").
        split->projected[i] = device->admm.first_iteration ? split->target[i] : plane_penalty_prox(s);
    }
}

static void admm_add_right(CpuDevice *device)
{
    const Model *model = device->base.model;
    const PlaneSplit *split = &device->admm.planes;
    for (size_t i = 0; i < split->count; ++i) {
        double *right = device->admm.right + 3 * (size_t)node_of(model, i);
        const double push = model->scene->contact.stiffness * ((split->projected[i] - split->state[i]) +
                                                               (split->projected[i] - split->target[i]));
        add_scaled3(right, push, device->normals[plane_of(model, i)], right);
    }
}

static void admm_residual(CpuDevice *device, int32_t newest, int32_t depth, ResidualSums *sums,
                          AdmmReport *report)
{
    const Model *model = device->base.model;
    PlaneSplit *split = &device->admm.planes;
    const double k = model->scene->contact.stiffness, tolerance = device->admm.settings.tolerance;
    double residual_sq = 0, gap_sq = 0, projected_sq = 0;
    for (size_t i = 0; i < split->count; ++i) {
        const int32_t node = node_of(model, i);
        if (!model->node_is_free[node])
            continue;
        const double moved = dot3(device->normals[plane_of(model, i)], device->admm.delta + 3 * (size_t)node);
        const double gap = split->target[i] + moved;
        const double residual = (split->target[i] - split->projected[i]) + moved;
        const double image = split->state[i] + residual;
        if (newest >= 0) {
            split->residual_differences[newest][i] = residual - split->residual[i];
            split->image_differences[newest][i] = image - split->image[i];
        }
        split->residual[i] = residual;
        split->image[i] = image;
        residual_sq += residual * residual;
        gap_sq += gap * gap;
        projected_sq += split->projected[i] * split->projected[i];
        for (int32_t j = 0; j < depth; ++j) {
            const double difference = split->residual_differences[j][i];
            sums->newest[j] += k * difference * split->residual_differences[newest][i];
            sums->current[j] += k * difference * residual;
        }
    }
    sums->weighted_sq += k * residual_sq;
    const double bound =
        tolerance * sqrt((double)split->count) + tolerance * sqrt(fmax(gap_sq, projected_sq));
    report->converged = report->converged && residual_sq <= bound * bound;
}

static void admm_scatter(CpuDevice *device, double a, double b, double c, double *forces)
{
    const Model *model = device->base.model;
    const PlaneSplit *split = &device->admm.planes;
    for (size_t i = 0; i < split->count; ++i) {
        double *force = forces + 3 * (size_t)node_of(model, i);
        const double push = model->scene->contact.stiffness *
                            (a * split->state[i] + b * split->projected[i] + c * split->residual[i]);
        add_scaled3(force, push, device->normals[plane_of(model, i)], force);
    }
}

static void admm_end(CpuDevice *device)
{
    PlaneSplit *split = &device->admm.planes;
    const double k = device->base.model->scene->contact.stiffness;
    for (size_t i = 0; i < split->count; ++i)
        split->multiplier[i] = k * (split->state[i] - split->projected[i] + split->residual[i]);
}

const CpuTerm cpu_planes_term = {
    .add_gradient = add_gradient,
    .diagnose = diagnose,
    .linearize = linearize,
    .try_steps = try_steps,
    .admm_begin = admm_begin,
    .admm_project = admm_project,
    .admm_add_right = admm_add_right,
    .admm_residual = admm_residual,
    .admm_scatter = admm_scatter,
    .admm_end = admm_end,
};
