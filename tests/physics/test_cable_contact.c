// Cables in contact: thin bars whose surface is their axis, among small boxes, a ball, a sphere and a plane, all with separations.
// Candidates against all pairs, derivatives of a vertex and a segment by differences, collision detection, two parallel cables
// that stay apart, verification, memory of many bodies, and the same bytes for any number of threads.
#include "candidate_items.h"
#include "candidate_matrix.h"
#include "physics_fixture.h"

#include "device/cpu/contact/barrier_contact.h"
#include "device/cpu/cpu.h"
#include "model/contact_build.h"
#include "sim/verify.h"

#define RANGE 0.01
enum { CELLS = 6, PAIRS_MOST = 1 << 19, MOTIONS = 12, SAMPLES = 5 };

static double random_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

// ---------------------------------------------------------------- bars become cables

// The axis of a bar along x: a vertex in the middle of the four nodes of every cross-section.
static void add_axis(const Model *model, int32_t first, int32_t count, ModelSurface *surface)
{
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = first; i < first + count; ++i) {
        low = fmin(low, model->rest_positions[3 * (size_t)i]);
        high = fmax(high, model->rest_positions[3 * (size_t)i]);
    }
    for (int cut = 0; cut <= CELLS; ++cut) {
        static const double quarter[4] = {0.25, 0.25, 0.25, 0.25};
        int32_t nodes[4], found = 0;
        for (int32_t i = first; i < first + count && found < 4; ++i)
            if (fabs(model->rest_positions[3 * (size_t)i] - (low + (high - low) * cut / CELLS)) < 1e-9)
                nodes[found++] = i;
        ck_assert_int_eq(found, 4);
        if (cut > 0) { // in either direction
            surface->segments[surface->segment_count][cut % 2] = surface->map.vertex_count - 1;
            surface->segments[surface->segment_count++][1 - cut % 2] = surface->map.vertex_count;
        }
        surface_map_add(&surface->map, 4, nodes, quarter, model->node_is_free);
    }
}

// Loads a scene, whose obstacles are no meshes; bodies named "cable..." become cables of this radius, the others have the
// thickness `solid`.
static void load(VelaContext *context, const char *text, double radius, double solid, Simulation *simulation)
{
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    Arena *arena = &simulation->arena;
    Model *model = &simulation->model;
    ASSERT_OK(context, scene_parse(context, BINARY_DIR "/scene.json", text, strlen(text), 0, NULL, arena,
                                   &simulation->scene));
    ASSERT_OK(context, model_build(context, &simulation->scene, arena, model));
    const ModelSurface old = model->surface;
    ModelSurface *surface = &model->surface;
    const int32_t vertices = old.map.vertex_count, bodies = model->body_count;
    ASSERT_OK(context, surface_map_create(arena, vertices, 4 * vertices, &surface->map));
    ASSERT_OK(context, ARENA_ARRAY(arena, surface->first_vertices, bodies + 1));
    ASSERT_OK(context, ARENA_ARRAY(arena, surface->first_triangles, bodies + 1));
    ASSERT_OK(context, ARENA_ARRAY(arena, surface->first_segments, bodies + 1));
    ASSERT_OK(context, ARENA_ARRAY(arena, surface->triangles, old.triangle_count));
    ASSERT_OK(context, ARENA_ARRAY(arena, surface->segments, vertices));
    surface->triangle_count = 0;
    for (int32_t b = 0; b <= bodies; ++b) {
        surface->first_vertices[b] = surface->map.vertex_count;
        surface->first_triangles[b] = surface->triangle_count;
        surface->first_segments[b] = surface->segment_count;
        if (b == bodies)
            break;
        BodyDef *def = &simulation->scene.bodies[b];
        def->contact_thickness = solid;
        if (strncmp(def->name, "cable", 5) == 0) {
            const int32_t copies = def->array_count[0] * def->array_count[1] * def->array_count[2],
                          count = model->bodies[b].node_count / copies;
            def->type = BODY_CABLE, def->radius = radius, def->contact_thickness = 2 * radius;
            for (int32_t copy = 0; copy < copies; ++copy)
                add_axis(model, model->bodies[b].first_node + copy * count, count, surface);
            continue;
        }
        const int32_t shift = surface->map.vertex_count - old.first_vertices[b];
        for (int32_t v = old.first_vertices[b]; v < old.first_vertices[b + 1]; ++v)
            surface_map_add(&surface->map, 1, &old.map.nodes[v], &(double){1}, model->node_is_free);
        for (int32_t t = old.first_triangles[b]; t < old.first_triangles[b + 1];
             ++t, ++surface->triangle_count)
            for (int k = 0; k < 3; ++k)
                surface->triangles[surface->triangle_count][k] = old.triangles[t][k] + shift;
    }
    for (int32_t node = model->body_node_count; node < model->node_count; ++node)
        surface_map_add(&surface->map, 1, &node, &(double){1}, model->node_is_free);
    model->contact = (ModelContact){0};
    ASSERT_OK(context, model_build_contact(context, arena, model->obstacle_surfaces, model));
}

#define HEAD                                                                                                 \
    "{\"version\": 1, \"time\": {\"step\": 0.005, \"duration\": 1}, \"integrator\": {\"type\": "             \
    "\"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, \"materials\": {\"m\": {\"model\": "           \
    "\"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, "
#define BAR                                                                                                  \
    "\"geometry\": {\"box\": {\"size\": [0.3, 0.01, 0.01], \"cells\": [6, 1, 1]}}, \"material\": \"m\""

static const char crowd[] = HEAD
    "\"bodies\": [{\"name\": \"cables\", " BAR
    ", \"array\": {\"count\": [1, 2, 1], \"spacing\": [1, 0.03, 1]}},"
    "{\"name\": \"boxes\", \"geometry\": {\"box\": {\"size\": [0.03, 0.03, 0.03], \"cells\": [1, 1, 1]}}, "
    "\"material\": \"m\", \"translate\": [-0.1, -0.1, 0], \"array\": {\"count\": [3, 2, 2], \"spacing\": "
    "[0.05, 0.05, 0.05]}},"
    "{\"name\": \"cable across\", " BAR ", \"translate\": [0, 0.01, 0.05]},"
    "{\"name\": \"ball\", \"geometry\": {\"ball\": {\"radius\": 0.05, \"resolution\": 4}}, \"material\": \"m\", "
    "\"translate\": [0.05, 0.11, 0]}],"
    "\"obstacles\": [{\"name\": \"sphere\", \"sphere\": {\"center\": [-0.1, 0.1, 0], \"radius\": 0.04}},"
    "{\"name\": \"floor\", \"plane\": {\"point\": [0, -0.15, 0], \"normal\": [0.1, 1, 0]}}],"
    "\"contact\": {\"model\": \"barrier\", \"distance\": 0.01, \"stiffness\": 100, \"friction\": 0.3}}";

// ---------------------------------------------------------------- candidates

static int compare_vertices(const void *a, const void *b)
{
    const Candidate *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return memcmp(x->vertices, y->vertices, sizeof x->vertices);
}

// Edges may come in either order of the pair.
static Candidate in_order(Candidate candidate)
{
    const int32_t *v = candidate.vertices;
    if (candidate.kind == CANDIDATE_EDGE_EDGE && (v[2] < v[0] || (v[2] == v[0] && v[3] < v[1])))
        memcpy(candidate.vertices, (int32_t[]){v[2], v[3], v[0], v[1]}, sizeof candidate.vertices);
    return candidate;
}

static int32_t owner_at(const ModelContact *contact, int32_t vertex)
{
    for (int32_t o = 0; o < contact->owner_count; ++o)
        if (vertex >= contact->owners[o].first_vertex &&
            vertex < contact->owners[o].first_vertex + contact->owners[o].vertex_count)
            return o;
    return -1;
}

// theory.md section 8, written again: weights, separation and what the rest shape excludes. False: no pair.
static bool complete(const Model *model, const double *rest, double area, Candidate *pair)
{
    const ModelContact *contact = &model->contact;
    const int first = pair->kind == CANDIDATE_EDGE_EDGE ? 2 : 1;
    bool is_free = false;
    for (int c = 0; c < 4; ++c)
        is_free |= model->surface.map.is_free[pair->vertices[c]] != 0;
    for (int a = 0; a < first; ++a)
        for (int b = first; b < 4; ++b)
            if (pair->vertices[a] == pair->vertices[b])
                return false;
    pair->owners[0] = owner_at(contact, pair->vertices[0]);
    pair->owners[1] = owner_at(contact, pair->vertices[3]);
    if (!is_free || pair->owners[0] < 0)
        return false;
    const ContactOwner *a = &contact->owners[pair->owners[0]], *b = &contact->owners[pair->owners[1]];
    double xi = a->separation + b->separation, range = RANGE;
    if (a == b) {
        double x[12];
        gather_vertices(pair->vertices, rest, x);
        const double distance = sqrt(closest_points(x, candidate_pair(pair)).distance_sq);
        if (distance == 0)
            return false;
        xi = fmin(xi, distance / 2);
        range = fmin(range, 0.9 * (distance - xi));
    }
    pair->barrier = (PairBarrier){.stiffness = contact->stiffness * area, .range = range, .separation = xi};
    return a->body >= 0 || b->body >= 0;
}

static int32_t all_pairs(const Model *model, const double *rest, Candidate *pairs)
{
    const ModelContact *contact = &model->contact;
    int32_t count = 0;
    for (int32_t v = 0; v < model->surface.map.vertex_count; ++v) {
        const bool point =
            v == model->surface.map.vertex_count - 3; // the sphere's centre, then the plane's points
        for (int32_t t = 0; t < contact->triangle_count; ++t) {
            const int32_t *c = contact->triangles[t];
            Candidate pair = {.kind = CANDIDATE_POINT_TRIANGLE, .vertices = {v, c[0], c[1], c[2]}};
            const double area = contact->triangle_areas[t];
            if (complete(model, rest, point ? area : fmin(contact->vertex_areas[v] / 4, area / 2), &pair))
                pairs[count++] = pair;
        }
        for (int32_t e = 0; e < contact->edge_count; ++e) {
            const int32_t *u = contact->edges[e];
            Candidate pair = {.kind = CANDIDATE_POINT_EDGE, .vertices = {v, u[0], u[1], u[1]}};
            const double area = contact->edge_areas[e];
            if (contact->owners[owner_at(contact, u[0])].is_cable &&
                complete(model, rest, point ? area : fmin(contact->vertex_areas[v], area) / 2, &pair))
                pairs[count++] = pair;
        }
    }
    for (int32_t e = 0; e < contact->edge_count; ++e)
        for (int32_t f = e + 1; f < contact->edge_count; ++f) {
            const int32_t *u = contact->edges[e], *v = contact->edges[f];
            Candidate pair = {.kind = CANDIDATE_EDGE_EDGE, .vertices = {u[0], u[1], v[0], v[1]}};
            if (complete(model, rest, fmin(contact->edge_areas[e], contact->edge_areas[f]) / 2, &pair))
                pairs[count++] = in_order(pair);
        }
    ck_assert_int_lt(count, PAIRS_MOST);
    qsort(pairs, (size_t)count, sizeof *pairs, compare_vertices);
    return count;
}

static double closest_gap(const Candidate *pair, const double *x, const double *p)
{
    double least = INFINITY, at[12];
    for (int s = 0; s < SAMPLES; ++s) {
        for (int i = 0; i < 12; ++i) {
            const size_t k = 3 * (size_t)pair->vertices[i / 3] + (size_t)(i % 3);
            at[i] = x[k] + p[k] * s / (SAMPLES - 1);
        }
        least = fmin(least, candidate_gap(pair, at));
    }
    return least;
}

// Every candidate is a pair with its barrier, every pair that comes near is a candidate.
static void check_sweep(const Candidate *pairs, int32_t pair_count, CandidateList *list, const double *x,
                        const double *p, int32_t near[4])
{
    int32_t count, planes = 0;
    const Candidate *items = candidate_list_items(list, &count);
    Candidate *sorted = malloc((size_t)(count + 1) * sizeof *sorted);
    for (int32_t i = 0; i < count; ++i)
        sorted[i] = in_order(items[i]);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_vertices);
    for (int32_t i = 0; i < count; ++i) {
        if (i > 0)
            ck_assert_int_ne(compare_vertices(&sorted[i - 1], &sorted[i]), 0);
        if (sorted[i].kind == CANDIDATE_POINT_PLANE) {
            ++planes;
            continue;
        }
        const Candidate *pair =
            bsearch(&sorted[i], pairs, (size_t)pair_count, sizeof *pairs, compare_vertices);
        ck_assert_ptr_nonnull(pair);
        ck_assert_double_eq_tol(sorted[i].barrier.stiffness / pair->barrier.stiffness, 1, 1e-12);
        ck_assert_double_eq_tol(sorted[i].barrier.range, pair->barrier.range, 1e-15);
        ck_assert_double_eq_tol(sorted[i].barrier.separation, pair->barrier.separation, 1e-15);
    }
    near[CANDIDATE_POINT_PLANE] += planes;
    for (int32_t i = 0; i < pair_count; ++i) {
        if (closest_gap(&pairs[i], x, p) >= pairs[i].barrier.range)
            continue;
        ++near[pairs[i].kind];
        const Candidate *found = bsearch(&pairs[i], sorted, (size_t)count, sizeof *sorted, compare_vertices);
        ck_assert_ptr_nonnull(found);
        double from[12], along[12];
        gather_vertices(found->vertices, x, from);
        gather_vertices(found->vertices, p, along);
        if (!found->approaches)
            ck_assert_double_eq(candidate_safe_part(found, from, along), 1);
    }
    free(sorted);
}

// Also of cables thicker than their segments are long, whose rest shape lowers separation and range. Owners move by
// themselves too, up to far beyond where they were when the tree over them was sorted.
START_TEST(all_near_pairs_are_found)
{
    VelaContext *context = threads_context(2);
    Simulation simulation;
    load(context, crowd, _i == 0 ? 0.004 : 0.03, 0.002, &simulation);
    const Model *model = &simulation.model;
    const ModelContact *contact = &model->contact;
    const int32_t vertices = model->surface.map.vertex_count, plane = contact->planes[0].point;
    const size_t n = 3 * (size_t)vertices;
    static Candidate pairs[PAIRS_MOST];
    double *rest = malloc(n * sizeof *rest), *x = malloc(n * sizeof *x), *p = malloc(n * sizeof *p);
    surface_map_apply(&model->surface.map, model->rest_positions, rest);
    const int32_t pair_count = all_pairs(model, rest, pairs);
    CandidateList *lists[2];
    for (int k = 0; k < 2; ++k)
        ASSERT_OK(context, candidate_list_create(context, model, kernels_choose(), k + 1, &lists[k]));
    uint64_t state = 11;
    int32_t near[4] = {0};
    for (int motion = 0; motion < MOTIONS; ++motion) {
        const double away = motion % 2 ? 0.02 : 0.3, size = pow(10, -3 * (random_number(&state) + 0.5));
        for (int32_t o = 0, v = 0; v < vertices; ++o)
            for (double start[3] = {random_number(&state), random_number(&state), random_number(&state)},
                        way[3] = {random_number(&state), random_number(&state), random_number(&state)};
                 v < vertices && (owner_at(contact, v) == o || o >= contact->owner_count - 1); ++v)
                for (int k = 0; k < 3; ++k) {
                    const size_t i = 3 * (size_t)v + (size_t)k;
                    const bool still = v >= plane;
                    x[i] = rest[i] + (still ? 0 : away * start[k] + 0.01 * random_number(&state));
                    p[i] = still || motion % 5 == 0 ? 0 : size * (way[k] + 0.1 * random_number(&state));
                }
        int32_t counts[2];
        for (int k = 0; k < 2; ++k)
            ASSERT_OK(context, candidate_list_sweep(lists[k], x, motion % 5 == 0 ? NULL : p));
        check_sweep(pairs, pair_count, lists[0], x, p, near);
        const Candidate *one = candidate_list_items(lists[0], &counts[0]),
                        *two = candidate_list_items(lists[1], &counts[1]);
        ck_assert_int_eq(counts[0], counts[1]);
        for (int32_t i = 0; i < counts[0]; ++i) {
            ck_assert_int_eq(compare_vertices(&one[i], &two[i]), 0);
            ck_assert(one[i].gap == two[i].gap && one[i].barrier.range == two[i].barrier.range);
        }
    }
    printf(
        "of %d pairs near in %d motions: %d vertex-triangle, %d edge-edge, %d vertex-segment; %d of planes\n",
        pair_count, MOTIONS, near[0], near[1], near[2], near[3]);
    for (int kind = 0; kind < 4; ++kind)
        ck_assert_int_gt(near[kind], 30);
    for (int k = 0; k < 2; ++k)
        candidate_list_destroy(lists[k]);
    free(rest), free(x), free(p);
    simulation_stop(&simulation);
}
END_TEST

START_TEST(areas_are_those_of_the_cables)
{
    VelaContext *context = threads_context(1);
    Simulation simulation;
    load(context, crowd, 0.004, 0.002, &simulation);
    const ModelContact *contact = &simulation.model.contact;
    int cables = 0;
    for (int32_t o = 0; o < contact->owner_count; ++o) {
        const ContactOwner *owner = &contact->owners[o];
        double vertices = 0, edges = 0;
        for (int32_t v = 0; v < owner->vertex_count; ++v)
            vertices += contact->vertex_areas[owner->first_vertex + v];
        for (int32_t e = 0; e < owner->edge_count; ++e)
            edges += contact->edge_areas[owner->first_edge + e];
        ck_assert_double_eq_tol(vertices, edges, 1e-12);
        if (!owner->is_cable)
            continue;
        ++cables;
        ck_assert_int_eq(owner->edge_count, CELLS);
        ck_assert_double_eq_tol(edges, 2 * 0.004 * 0.3, 1e-12);
        ck_assert_double_eq(owner->separation, 0.004);
        // A_v = r (l_1 + l_2), half of it at an end
        ck_assert_double_eq_tol(contact->vertex_areas[owner->first_vertex], 0.004 * 0.05, 1e-12);
        ck_assert_double_eq_tol(contact->vertex_areas[owner->first_vertex + 1], 0.004 * 0.1, 1e-12);
    }
    ck_assert_int_eq(cables, 3);
    simulation_stop(&simulation);
}
END_TEST

// ---------------------------------------------------------------- one vertex and one segment

/// A vertex at a gap from a segment, 9 unknowns: beside it or off one of its ends.
static Candidate random_pair(uint64_t *state, double x[12])
{
    const Candidate pair = {.kind = CANDIDATE_POINT_EDGE,
                            .vertices = {0, 1, 2, 2},
                            .barrier = {.stiffness = 3, .range = 0.1, .separation = 0.05}};
    for (int i = 0; i < 9; ++i)
        x[i] = random_number(state);
    memcpy(x + 9, x + 6, 3 * sizeof *x);
    double n[3];
    const ClosestPoints closest = closest_points(x, PAIR_POINT_TRIANGLE);
    memcpy(n, closest.r, sizeof n);
    const double wanted = 0.05 + 0.1 * (0.52 + 0.9 * random_number(state)), distance = norm3(n);
    for (int k = 0; k < 3; ++k) // along r the closest point stays
        x[k] += (wanted / distance - 1) * n[k];
    return pair;
}

// x with the 9 unknowns moved along one of them.
static void moved(const double x[12], int unknown, double way, double out[12])
{
    memcpy(out, x, 12 * sizeof *out);
    out[unknown] += way;
    if (unknown >= 6)
        out[unknown + 3] += way;
}

static void fold(const double values[12], double out[9])
{
    for (int i = 0; i < 9; ++i)
        out[i] = values[i] + (i >= 6 ? values[i + 3] : 0);
}

START_TEST(derivatives_by_differences)
{
    const double h = 1e-6;
    uint64_t state = 3;
    int beside = 0;
    for (int sample = 0; sample < 400; ++sample) {
        double x[12], there[12], gradient[12], hessian[144], own[9], size = 0;
        const Candidate pair = random_pair(&state, x);
        candidate_matrix(&pair, x, false, gradient, hessian);
        fold(gradient, own);
        for (int i = 0; i < 144; ++i)
            size = fmax(size, fabs(hessian[i]));
        beside += __builtin_popcount((unsigned)closest_points(x, PAIR_POINT_TRIANGLE).active) == 3;
        for (int i = 0; i < 9; ++i) {
            double ahead[12], behind[12], slope[9], column[9];
            moved(x, i, h, there);
            const double rise = candidate_energy(&pair, there);
            ck_assert(candidate_gradient(&pair, there, ahead));
            moved(x, i, -h, there);
            ck_assert_double_eq_tol(own[i], (rise - candidate_energy(&pair, there)) / (2 * h), 1e-6 * size);
            ck_assert(candidate_gradient(&pair, there, behind));
            for (int k = 0; k < 12; ++k)
                ahead[k] -= behind[k];
            fold(ahead, slope);
            for (int k = 0; k < 12; ++k)
                behind[k] = hessian[12 * k + i] + (i >= 6 ? hessian[12 * k + i + 3] : 0);
            fold(behind, column);
            for (int k = 0; k < 9; ++k)
                ck_assert_double_eq_tol(column[k], slope[k] / (2 * h), 1e-5 * size);
        }
        // The barrier of the distance less the separation, without a mollifier.
        const double gap = sqrt(closest_points(x, PAIR_POINT_TRIANGLE).distance_sq) - 0.05;
        ck_assert_double_eq_tol(candidate_gap(&pair, x), gap, 1e-15);
        ck_assert_double_eq_tol(candidate_energy(&pair, x), 3 * barrier(gap, 0.1), 1e-12);
    }
    printf("%d of 400 vertices beside their segment\n", beside);
    ck_assert_int_gt(beside, 50);
    ck_assert_int_lt(beside, 350);
}
END_TEST

START_TEST(the_gap_never_closes)
{
    uint64_t state = 17;
    int stopped = 0;
    for (int sample = 0; sample < 2000; ++sample) {
        double x[12], p[12], at[12];
        const Candidate pair = random_pair(&state, x);
        for (int i = 0; i < 9; ++i)
            p[i] = 2 * random_number(&state);
        memcpy(p + 9, p + 6, 3 * sizeof *p);
        const double safe = candidate_safe_part(&pair, x, p), before = candidate_gap(&pair, x);
        ck_assert_double_gt(safe, 0);
        stopped += safe < 1;
        for (int s = 0; s <= 50; ++s) {
            for (int i = 0; i < 12; ++i)
                at[i] = x[i] + safe * s / 50 * p[i];
            ck_assert_double_gt(candidate_gap(&pair, at), 0.099 * before);
        }
    }
    printf("%d of 2000 motions stopped\n", stopped);
    ck_assert_int_gt(stopped, 300);
}
END_TEST

// ---------------------------------------------------------------- steps

// The upper of two parallel cables, exactly above the lower one, falls on it.
static const char two[] =
    HEAD "\"bodies\": [{\"name\": \"cable below\", " BAR ", \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], "
         "[-0.14, 1, 1]]}}, {\"select\": {\"box\": [[0.14, -1, -1], [1, 1, 1]]}}]},"
         "{\"name\": \"cable above\", " BAR ", \"translate\": [0, 0.02, 0], \"velocity\": [0.1, -1, 0]}],"
         "\"contact\": {\"model\": \"barrier\", \"distance\": 0.002, \"friction\": 0.3}}";

static double *fall(int threads, int steps, Simulation *simulation, double *least)
{
    VelaContext *context = threads_context(threads);
    load(context, two, 0.004, 0, simulation);
    ASSERT_OK(context, simulation_start(simulation, &(DeviceChoice){"cpu", NULL}));
    *least = INFINITY;
    int touching = 0;
    for (int step = 0; step < steps; ++step) {
        const StepReport report = step_once(simulation);
        *least = fmin(*least, report.end.min_distance);
        touching += report.end.contact > 0;
    }
    ck_assert_int_gt(touching, 2);
    return slot_values(simulation, SLOT_POSITION);
}

START_TEST(parallel_cables_stay_apart)
{
    Simulation simulation;
    double least, lowest = INFINITY, axis[3];
    const double *x = fall(2, 20, &simulation, &least);
    const SurfaceMap *map = &simulation.model.surface.map;
    for (int32_t v = 0; v <= CELLS; ++v) {
        double below[3];
        surface_map_vertex(map, CELLS + 1 + v, x, axis);
        surface_map_vertex(map, v, x, below);
        lowest = fmin(lowest, axis[1] - below[1]);
    }
    printf("axes at least %.4g m apart in height, gap at least %.3g m\n", lowest, least);
    ck_assert_double_gt(least, 0);
    ck_assert_double_lt(least, 0.002);
    ck_assert_double_gt(lowest, 0.0079); // twice the radius
    Simulation other;
    const double *y = fall(1, 20, &other, &least);
    ck_assert_mem_eq(x, y, 3 * (size_t)simulation.model.node_count * sizeof *x);
    simulation_stop(&simulation);
    simulation_stop(&other);
}
END_TEST

START_TEST(a_pierced_body_is_named)
{
    Simulation simulation;
    VelaContext *context = threads_context(2);
    load(context, crowd, 0.004, 0.002, &simulation);
    ASSERT_OK(context, simulation_start(&simulation, &(DeviceChoice){"cpu", NULL}));
    Verification verification;
    ASSERT_OK(context, verification_create(&simulation, &verification));
    ASSERT_OK(context, verification_check(&verification));
    const ModelBody *ball = &simulation.model.bodies[3];
    double *x = slot_values(&simulation, SLOT_POSITION);
    for (int32_t i = ball->first_node; i < ball->first_node + ball->node_count; ++i)
        x[3 * i + 1] -= 0.08; // onto the upper cable
    ASSERT_OK(context, device_state_write(simulation.device, SLOT_POSITION, x));
    ck_assert_int_eq(verification_check(&verification), VELA_ERROR_VERIFICATION);
    const char *message = vela_context_message(context);
    ck_assert_msg(strstr(message, "segment (") && strstr(message, "ball"), "%s", message);
    simulation_stop(&simulation);
}
END_TEST

// ---------------------------------------------------------------- many bodies

START_TEST(memory_of_many_bodies_is_planned)
{
    Simulation simulation;
    simulation_make(threads_context(1), &simulation,
                    HEAD
                    "\"bodies\": [{\"geometry\": {\"box\": {\"size\": [0.01, 0.01, 0.01], \"cells\": [1, 1, "
                    "1]}}, \"material\": \"m\", \"array\": {\"count\": [15, 10, 10], \"spacing\": [0.02, "
                    "0.02, 0.02]}}], \"contact\": {\"model\": \"barrier\", \"distance\": 1e-3}}");
    device_destroy(simulation.device);
    const size_t before = simulation.context->memory_used, planned = cpu_device_memory(&simulation.model);
    ASSERT_OK(simulation.context,
              cpu_device_create(simulation.context, &simulation.model, &simulation.device));
    const double used = (double)(simulation.context->memory_used - before);
    printf("1500 boxes: %.2f MB planned, %.2f MB used\n", 1e-6 * (double)planned, 1e-6 * used);
    ck_assert_double_le(fabs((double)planned / used - 1), 0.05);
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cables in contact");
    TCase *tests = tcase_create("cables");
    tcase_add_loop_test(tests, all_near_pairs_are_found, 0, 2);
    tcase_add_test(tests, areas_are_those_of_the_cables);
    tcase_add_test(tests, derivatives_by_differences);
    tcase_add_test(tests, the_gap_never_closes);
    tcase_add_test(tests, parallel_cables_stay_apart);
    tcase_add_test(tests, a_pierced_body_is_named);
    tcase_add_test(tests, memory_of_many_bodies_is_planned);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
