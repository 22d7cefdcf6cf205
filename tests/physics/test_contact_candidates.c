// The broad phase against all pairs: whatever comes within its range on a motion is among the candidates, with the right
// stiffness and range; nothing comes twice; CCD looks wherever it has to. A list that serves many motions is the one that is made for each.
#include "candidate_items.h"
#include "physics_fixture.h"

#include "device/cpu/contact/candidate_terms.h"

#include <float.h>

enum { MOTIONS = 8, LASTING_MOTIONS = 150, SAMPLES = 5, PAIRS_MOST = 1 << 20 };

static const char scene[] =
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": \"implicit_euler\"},"
    " \"solver\": {\"type\": \"newton\"},"
    " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, "
    "\"poissons_ratio\": 0.3}},"
    " \"bodies\": [{\"name\": \"a\", \"geometry\": {\"box\": {\"size\": [0.3, 0.2, 0.01], \"cells\": [4, 3, 1]}}, "
    "\"material\": \"m\", \"array\": {\"count\": [1, 1, 2], \"spacing\": [0, 0, 0.025]}},"
    " {\"name\": \"b\", \"geometry\": {\"ball\": {\"radius\": 0.05, \"resolution\": 3}}, \"material\": \"m\","
    " \"translate\": [0.05, 0, -0.07], \"pins\": [{\"select\": {\"nearest\": [0.05, 0, -0.12]}}]}],"
    " \"obstacles\": [{\"name\": \"sphere\", \"sphere\": {\"center\": [-0.1, 0, -0.08], \"radius\": 0.06}},"
    " {\"name\": \"floor\", \"plane\": {\"point\": [0, -0.2, 0], \"normal\": [0.1, 1, 0]}}],"
    " \"contact\": {\"model\": \"barrier\", \"distance\": 0.02, \"stiffness\": 100, \"self\": %s}}";

static double random_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

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
    if (candidate.kind == CANDIDATE_EDGE_EDGE && candidate.vertices[2] < candidate.vertices[0])
        for (int k = 0; k < 2; ++k) {
            const int32_t vertex = candidate.vertices[k];
            candidate.vertices[k] = candidate.vertices[k + 2];
            candidate.vertices[k + 2] = vertex;
        }
    else if (candidate.kind == CANDIDATE_EDGE_EDGE && candidate.vertices[2] == candidate.vertices[0] &&
             candidate.vertices[3] < candidate.vertices[1]) {
        const int32_t vertex = candidate.vertices[1];
        candidate.vertices[1] = candidate.vertices[3];
        candidate.vertices[3] = vertex;
    }
    return candidate;
}

static bool share_a_vertex(const int32_t *vertices, int first)
{
    for (int i = 0; i < first; ++i)
        for (int j = first; j < 4; ++j)
            if (vertices[i] == vertices[j])
                return true;
    return false;
}

static int32_t owner_of(const Model *model, int32_t vertex)
{
    int32_t owner = 0;
    while (!(vertex >= model->contact.owners[owner].first_vertex &&
             vertex < model->contact.owners[owner].first_vertex + model->contact.owners[owner].vertex_count))
        ++owner;
    return owner;
}

// Solids' vertices are nodes.
static int32_t node_of(const Model *model, int32_t vertex)
{
    return surface_map_node(&model->surface.map, vertex);
}

// Smallest gap of a pair over samples of the motion.
static double closest_gap(const Candidate *pair, const double *x, const double *p)
{
    double least = INFINITY;
    for (int s = 0; s < SAMPLES; ++s) {
        double at[12];
        for (int i = 0; i < 12; ++i) {
            const size_t k = 3 * (size_t)pair->vertices[i / 3] + (size_t)(i % 3);
            at[i] = x[k] + p[k] * s / (SAMPLES - 1);
        }
        least = fmin(least, candidate_gap(pair, at));
    }
    return least;
}

// The rest-shape rule and the weights of theory.md section 8, written again.
static bool set_expected(const Model *model, Candidate *pair, double area, double separation)
{
    double rest[12];
    pair->barrier = (PairBarrier){model->contact.stiffness * area, 0.02, separation, 0};
    for (int c = 0; c < 4; ++c)
        memcpy(rest + 3 * c, model->rest_positions + 3 * (size_t)node_of(model, pair->vertices[c]),
               3 * sizeof *rest);
    if (pair->owners[0] == pair->owners[1]) {
        const double distance = sqrt(closest_points(rest, candidate_pair(pair)).distance_sq);
        pair->barrier.range = fmin(0.02, 0.9 * distance);
        if (distance == 0)
            return false;
    }
    bool is_free = false;
    for (int c = 0; c < 4; ++c)
        is_free |= model->node_is_free[node_of(model, pair->vertices[c])];
    return is_free && (model->contact.owners[pair->owners[0]].body >= 0 ||
                       model->contact.owners[pair->owners[1]].body >= 0);
}

static bool is_plane_point(const ModelContact *contact, int32_t vertex)
{
    return vertex == contact->planes[0].point || vertex == contact->planes[0].tip;
}

static int32_t all_pairs(const Model *model, bool self, Candidate *pairs)
{
    const ModelContact *contact = &model->contact;
    int32_t count = 0;
    for (int32_t v = 0; v < model->surface.map.vertex_count; ++v)
        for (int32_t t = 0; t < contact->triangle_count && !is_plane_point(contact, v); ++t) {
            const int32_t *corners = contact->triangles[t];
            Candidate pair = {.vertices = {v, corners[0], corners[1], corners[2]},
                              .owners = {owner_of(model, v), owner_of(model, corners[0])},
                              .kind = CANDIDATE_POINT_TRIANGLE};
            const double separation = contact->owners[pair.owners[0]].separation;
            const double area = separation > 0
                                    ? contact->triangle_areas[t]
                                    : fmin(contact->vertex_areas[v] / 4, contact->triangle_areas[t] / 2);
            if (!share_a_vertex(pair.vertices, 1) && (self || pair.owners[0] != pair.owners[1]) &&
                set_expected(model, &pair, area, separation))
                pairs[count++] = pair;
        }
    for (int32_t e = 0; e < contact->edge_count; ++e)
        for (int32_t f = e + 1; f < contact->edge_count; ++f) {
            const int32_t *u = contact->edges[e], *v = contact->edges[f];
            Candidate pair = {.vertices = {u[0], u[1], v[0], v[1]},
                              .owners = {owner_of(model, u[0]), owner_of(model, v[0])},
                              .kind = CANDIDATE_EDGE_EDGE};
            if (!share_a_vertex(pair.vertices, 2) && (self || pair.owners[0] != pair.owners[1]) &&
                set_expected(model, &pair, fmin(contact->edge_areas[e], contact->edge_areas[f]) / 2, 0))
                pairs[count++] = in_order(pair);
        }
    for (int32_t v = 0; v < model->surface.map.vertex_count; ++v) {
        const int32_t node = node_of(model, v);
        const ContactPlane *plane = &contact->planes[0];
        if (node < model->body_node_count && model->node_is_free[node])
            pairs[count++] =
                (Candidate){.vertices = {v, plane->point, plane->tip, v},
                            .owners = {owner_of(model, v), plane->owner},
                            .kind = CANDIDATE_POINT_PLANE,
                            .barrier = {contact->stiffness * contact->vertex_areas[v], 0.02, 0, 0}};
    }
    ck_assert_int_lt(count, PAIRS_MOST);
    qsort(pairs, (size_t)count, sizeof *pairs, compare_vertices);
    return count;
}

// Puts everything to half the contact distance from the plane, from where it leaves, each vertex as fast as it is far along.
static void leave_plane(const Model *model, double *x, double *p)
{
    const ContactPlane *plane = &model->contact.planes[0];
    const int32_t count = model->surface.map.vertex_count;
    double normal[3], least = INFINITY;
    subtract3(x + 3 * (size_t)plane->tip, x + 3 * (size_t)plane->point, normal);
    normalize3(normal);
    for (int pass = 0; pass < 2; ++pass)
        for (int32_t v = 0; v < count; ++v) {
            double offset[3];
            if (is_plane_point(&model->contact, v))
                continue;
            subtract3(x + 3 * (size_t)v, x + 3 * (size_t)plane->point, offset);
            if (pass == 0)
                least = fmin(least, dot3(offset, normal));
            else {
                add_scaled3(x + 3 * (size_t)v, 0.01 - least, normal, x + 3 * (size_t)v);
                for (int k = 0; k < 3; ++k)
                    p[3 * (size_t)v + (size_t)k] = (0.02 + 0.1 * fabs(offset[0])) * normal[k];
            }
        }
}

static void check_sweep(const Candidate *pairs, int32_t pair_count, const Candidate *found,
                        int32_t found_count, const double *x, const double *p, int32_t *near)
{
    Candidate *sorted = malloc((size_t)(found_count + 1) * sizeof *sorted);
    for (int32_t i = 0; i < found_count; ++i)
        sorted[i] = in_order(found[i]);
    qsort(sorted, (size_t)found_count, sizeof *sorted, compare_vertices);
    for (int32_t i = 1; i < found_count; ++i)
        ck_assert_int_ne(compare_vertices(&sorted[i - 1], &sorted[i]), 0);
    for (int32_t i = 0; i < found_count; ++i) {
        const Candidate *pair =
            bsearch(&sorted[i], pairs, (size_t)pair_count, sizeof *pairs, compare_vertices);
        ck_assert_ptr_nonnull(pair);
        ck_assert_double_eq_tol(sorted[i].barrier.stiffness, pair->barrier.stiffness, 1e-12);
        ck_assert_double_eq_tol(sorted[i].barrier.range, pair->barrier.range, 1e-12);
        ck_assert_double_eq(sorted[i].barrier.separation, pair->barrier.separation);
    }
    for (int32_t i = 0; i < pair_count; ++i) {
        const double gap = closest_gap(&pairs[i], x, p);
        if (gap >= pairs[i].barrier.range)
            continue;
        ++*near;
        const Candidate *pair =
            bsearch(&pairs[i], sorted, (size_t)found_count, sizeof *sorted, compare_vertices);
        ck_assert_msg(pair != NULL, "vertices %d %d %d %d come to %g m and are no candidate",
                      pairs[i].vertices[0], pairs[i].vertices[1], pairs[i].vertices[2], pairs[i].vertices[3],
                      gap);
        double from[12], along[12];
        gather_vertices(pair->vertices, x, from);
        gather_vertices(pair->vertices, p, along);
        if (!pair->approaches) // what CCD does not look at must be safe all the way
            ck_assert_double_eq(candidate_safe_part(pair, from, along), 1);
    }
    free(sorted);
}

START_TEST(all_near_pairs_are_found)
{
    const bool self = _i == 0;
    Simulation simulation;
    simulation_make(threads_context(2), &simulation, scene, self ? "true" : "false");
    const Model *model = &simulation.model;
    const SurfaceMap *map = &model->surface.map;
    const size_t n = 3 * (size_t)map->vertex_count;
    static Candidate pairs[PAIRS_MOST];
    double *x = malloc(n * sizeof *x), *p = malloc(n * sizeof *p), *start = malloc(n * sizeof *start);
    CandidateList *list;
    ASSERT_OK(simulation.context,
              candidate_list_create(simulation.context, model, kernels_choose(), 2, &list));
    const int32_t pair_count = all_pairs(model, self, pairs);
    surface_map_apply(map, model->initial_positions, start);
    uint64_t state = 7;
    int32_t near = 0, candidates = 0;
    for (int motion = 0; motion < MOTIONS; ++motion) {
        // From nearly nothing to far beyond the bodies' size, together and each vertex for itself.
        const double size = pow(10, -4 * random_number(&state)), spread = pow(10, -3 * random_number(&state));
        const double common[3] = {random_number(&state) - 0.5, random_number(&state) - 0.5,
                                  random_number(&state) - 0.5};
        for (size_t i = 0; i < n; ++i) {
            const bool of_plane = is_plane_point(&model->contact, (int32_t)(i / 3));
            x[i] = start[i] + (of_plane ? 0 : 0.01 * (random_number(&state) - 0.5));
            p[i] = of_plane ? 0 : size * (common[i % 3] + spread * (random_number(&state) - 0.5));
        }
        if (motion % 4 == 0)
            memset(p, 0, n * sizeof *p);
        if (motion % 4 == 1)
            leave_plane(model, x, p);
        int32_t found_count;
        ASSERT_OK(simulation.context, candidate_list_sweep(list, x, motion % 4 == 0 ? NULL : p));
        const Candidate *found = candidate_list_items(list, &found_count);
        check_sweep(pairs, pair_count, found, found_count, x, p, &near);
        candidates += found_count;
    }
    printf("%s: %d of %d candidates are near, of %d pairs, in %d motions\n",
           self ? "with self" : "without self", near, candidates, pair_count, MOTIONS);
    ck_assert_int_gt(near, 30);
    candidate_list_destroy(list);
    free(start);
    free(p);
    free(x);
    simulation_stop(&simulation);
}
END_TEST

// How far a candidate's energy along `way`, at a point of its motion, is from its energy there, and the slope from what its gradient says, as parts
// of these.
static double error_along(const Candidate *candidate, const double at[12], const double way[12],
                          double energy)
{
    double slope, expected = 0, size = 0, gradient[12];
    const double along = candidate_energy_along(candidate, at, way, &slope);
    if (!isfinite(energy))
        return along == energy && slope == 0 ? 0 : 1;
    if (candidate_gradient(candidate, at, gradient))
        for (int i = 0; i < 12; ++i) {
            expected += gradient[i] * way[i];
            size += fabs(gradient[i] * way[i]);
        }
    return fmax(fabs(along - energy) / fmax(energy, DBL_MIN), fabs(slope - expected) / fmax(size, DBL_MIN));
}

// Energy, J, and least gap, m, of candidates at a part of the way from x to x + p.
static double energy_at(const Candidate *items, int32_t count, const double *x, const double *p, double part,
                        double *least)
{
    double sum = 0, at[12], way[12] = {0}, off = 0;
    *least = INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        gather_vertices(items[i].vertices, x, at);
        if (p)
            gather_vertices(items[i].vertices, p, way);
        for (int k = 0; k < 12; ++k)
            at[k] += part * way[k];
        const double energy = candidate_energy(&items[i], at);
        sum += isfinite(energy) ? energy : 0; // where the motion goes through
        *least = fmin(*least, candidate_gap(&items[i], at));
        off = fmax(off, error_along(&items[i], at, way, energy));
    }
    ck_assert_double_lt(off, 1e-12);
    return sum;
}

static bool is_same(const Candidate *a, const Candidate *b)
{
    return memcmp(a->vertices, b->vertices, sizeof a->vertices) == 0 &&
           memcmp(a->owners, b->owners, sizeof a->owners) == 0 && a->kind == b->kind &&
           a->approaches == b->approaches && a->lasting == b->lasting && a->gap == b->gap &&
           a->pairs == b->pairs && memcmp(&a->barrier, &b->barrier, sizeof a->barrier) == 0;
}

// Lists of one and of two threads that last, and one that begins anew with each motion p from x; and two that join candidates, of which the
// first lasts.
typedef struct Lists {
    Simulation simulation;
    const Model *model;
    size_t n; ///< numbers of positions
    double *x, *p;
    CandidateList *lasting[2], *fresh, *joining[2];
    bool is_limited;
    int32_t all, joined; ///< candidates of sweeps without a limit, and of those that join
} Lists;

static void lists_start(Lists *lists, const char *text, const char *self)
{
    simulation_make(threads_context(2), &lists->simulation, text, self);
    VelaContext *context = lists->simulation.context;
    const Model *model = lists->model = &lists->simulation.model;
    lists->n = 3 * (size_t)model->surface.map.vertex_count;
    lists->x = calloc(lists->n, sizeof *lists->x);
    lists->p = calloc(lists->n, sizeof *lists->p);
    for (int k = 0; k < 2; ++k)
        ASSERT_OK(context,
                  candidate_list_create(context, model, kernels_choose(), k + 1, &lists->lasting[k]));
    ASSERT_OK(context, candidate_list_create(context, model, kernels_choose(), 1, &lists->fresh));
    for (int k = 0; k < 2; ++k) {
        ASSERT_OK(context,
                  candidate_list_create(context, model, kernels_choose(), 2 - k, &lists->joining[k]));
        candidate_list_join(lists->joining[k]);
    }
    surface_map_apply(&model->surface.map, model->initial_positions, lists->x);
}

static void lists_limit(Lists *lists, const uint8_t *moving)
{
    for (int k = 0; k < 2; ++k) {
        candidate_list_limit(lists->lasting[k], moving);
        candidate_list_limit(lists->joining[k], moving);
    }
    candidate_list_limit(lists->fresh, moving);
    lists->is_limited = moving != NULL;
}

static void lists_stop(Lists *lists)
{
    for (int k = 0; k < 2; ++k) {
        candidate_list_destroy(lists->lasting[k]);
        candidate_list_destroy(lists->joining[k]);
    }
    candidate_list_destroy(lists->fresh);
    free(lists->p);
    free(lists->x);
    simulation_stop(&lists->simulation);
}

// Joined candidates stand for all, and have all along the motion the energy and the least gap of all.
static void check_joined(Lists *lists, const double *p)
{
    int32_t count, joined_count, pairs = 0;
    const Candidate *items = candidate_list_items(lists->fresh, &count),
                    *joined = candidate_list_items(lists->joining[1], &joined_count);
    for (int32_t i = 0; i < joined_count; ++i)
        pairs += joined[i].pairs;
    ck_assert_int_eq(pairs, count);
    for (int part = 0; part <= 4; ++part) {
        double least[2];
        const double expected = energy_at(items, count, lists->x, p, 0.25 * part, &least[0]),
                     energy = energy_at(joined, joined_count, lists->x, p, 0.25 * part, &least[1]);
        ck_assert_double_le(fabs(energy - expected), 1e-11 * expected);
        ck_assert(least[0] == least[1] || fabs(least[0] - least[1]) < 1e-12);
    }
    lists->all += count;
    lists->joined += joined_count;
}

// Sweeps those that join; the one that lasts finds what the other does. A small body of which a corner moves counts as one that does.
static void sweep_joining(Lists *lists, const double *p)
{
    VelaContext *context = lists->simulation.context;
    int32_t counts[2];
    const Candidate *items[2];
    candidate_list_forget(lists->joining[1]);
    for (int k = 0; k < 2; ++k) {
        ASSERT_OK(context, candidate_list_sweep(lists->joining[k], lists->x, p));
        items[k] = candidate_list_items(lists->joining[k], &counts[k]);
    }
    ck_assert_int_eq(counts[0], counts[1]);
    for (int32_t i = 0; i < counts[0]; ++i)
        ck_assert(is_same(&items[0][i], &items[1][i]));
    if (!lists->is_limited)
        check_joined(lists, p);
}

// Sweeps all; candidates of the lists that last are those of `fresh`. Returns how often pools were made, which must be the same for both.
static int32_t sweep_all(Lists *lists, const double *p)
{
    VelaContext *context = lists->simulation.context;
    int32_t count, other, fills[2];
    candidate_list_forget(lists->fresh);
    ASSERT_OK(context, candidate_list_sweep(lists->fresh, lists->x, p));
    const Candidate *expected = candidate_list_items(lists->fresh, &count);
    for (int k = 0; k < 2; ++k) {
        fills[k] = -candidate_list_fills(lists->lasting[k]);
        ASSERT_OK(context, candidate_list_sweep(lists->lasting[k], lists->x, p));
        fills[k] += candidate_list_fills(lists->lasting[k]);
        const Candidate *items = candidate_list_items(lists->lasting[k], &other);
        ck_assert_int_eq(other, count);
        for (int32_t i = 0; i < count; ++i)
            ck_assert(is_same(&items[i], &expected[i]));
    }
    ck_assert(count > 0 || lists->is_limited);
    ck_assert_int_eq(fills[0], fills[1]);
    ck_assert_int_eq(candidate_list_renewals(lists->lasting[0]), candidate_list_renewals(lists->lasting[1]));
    sweep_joining(lists, p);
    return fills[0];
}

// Of one list that lasts over many small motions and of one that begins anew with each: the same candidates, bit by bit, for any
// number of threads. Bodies fly, turn and shake; now and then all of it jumps.
START_TEST(list_does_not_depend_on_what_was_before)
{
    Lists lists = {0};
    lists_start(&lists, scene, _i == 0 ? "true" : "false");
    const Model *model = lists.model;
    const size_t n = lists.n;
    double *x = lists.x, *p = lists.p;
    uint64_t state = 11;
    int32_t fills = 0;
    for (int motion = 0; motion < LASTING_MOTIONS; ++motion) {
        const double jump = motion % 37 == 36 ? 20 : 1, size = 1e-3 * jump * random_number(&state),
                     turn = 3e-3 * jump * (random_number(&state) - 0.5);
        for (size_t v = 0; v < n / 3; ++v) {
            const int32_t owner =
                is_plane_point(&model->contact, (int32_t)v) ? 0 : owner_of(model, (int32_t)v);
            const double *at = x + 3 * v;
            for (size_t k = 0; k < 3; ++k)
                p[3 * v + k] =
                    is_plane_point(&model->contact, (int32_t)v)
                        ? 0
                        : size * (random_number(&state) - 0.5) + 2e-4 * jump * (owner % 3 == (int32_t)k);
            p[3 * v] -= owner > 0 ? turn * at[1] : 0;
            p[3 * v + 1] += owner > 0 ? turn * at[0] : 0;
        }
        const double *way = motion % 3 == 0 ? NULL : p;
        fills += sweep_all(&lists, way);
        const double part = random_number(&state) < 0.5 ? 1 : random_number(&state);
        for (size_t i = 0; i < n && way; ++i)
            x[i] += part * p[i];
    }
    printf("%d motions, %d candidates, %d joined, %d pools\n", LASTING_MOTIONS, lists.all, lists.joined,
           fills);
    ck_assert_int_gt(lists.all, 1000);
    ck_assert_int_lt(fills, LASTING_MOTIONS); // two a motion at most
    ck_assert_int_gt(fills, 4);
    lists_stop(&lists);
}
END_TEST

// While motions are large no pool is made, after some that were made in vain; once they are small there are pools, which last.
// The candidates are those of a list that looks for all pairs in every sweep.
START_TEST(pools_are_made_where_they_serve)
{
    const bool self = _i == 0;
    const int frames = self ? 2 : 1;
    Lists lists = {0};
    lists_start(&lists, scene, self ? "true" : "false");
    uint64_t state = 5;
    int32_t fills[3] = {0};
    for (int motion = 0; motion < 60; ++motion) { // large, then small, then large
        const int phase = motion / 20;
        const double size = phase == 1 ? 2e-5 : 0.02;
        for (size_t i = 0; i < lists.n; ++i)
            lists.p[i] = is_plane_point(&lists.model->contact, (int32_t)(i / 3))
                             ? 0
                             : size * (random_number(&state) - 0.5);
        fills[phase] += sweep_all(&lists, lists.p);
    }
    printf("%d, %d and %d pools in 20 motions each\n", fills[0], fills[1], fills[2]);
    ck_assert_int_eq(fills[0], 0);
    ck_assert_int_ge(fills[1], frames);
    ck_assert_int_le(fills[1], 4 * frames);
    ck_assert_int_le(fills[2], 6 * frames);
    lists_stop(&lists);
}
END_TEST

// Boxes whose faces are a little farther apart than d-hat.
static const char apart[] =
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": \"implicit_euler\"},"
    " \"solver\": {\"type\": \"newton\"},"
    " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, "
    "\"poissons_ratio\": 0.3}},"
    " \"bodies\": [{\"name\": \"small\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, "
    "\"material\": \"m\", \"array\": {\"count\": [3, 3, 3], \"spacing\": [0.1202, 0.1202, 0.1202]}}],"
    " \"contact\": {\"model\": \"barrier\", \"distance\": 0.02, \"stiffness\": 100, \"self\": %s}}";

// Of a pair that has moved by some vertices and moves by others both bring it nearer: candidates are those that a list finds which knows no
// way before the motion.
START_TEST(ways_and_motions_of_other_vertices_add_up)
{
    Lists lists = {0};
    lists_start(&lists, apart, "false");
    const size_t n = lists.n;
    double *start = malloc(n * sizeof *start), *x = lists.x, *p = lists.p;
    memcpy(start, x, n * sizeof *x);
    uint64_t state = 9;
    for (size_t i = 0; i < n; ++i)
        p[i] = 1e-3 * (random_number(&state) - 0.5);
    int32_t fills = 0;
    for (int motion = 0; motion < 400; ++motion) {
        fills += sweep_all(&lists, p);
        for (size_t v = 0; v < n / 3; ++v) { // within the margin of the first motions
            const bool has_moved = random_number(&state) < 0.5;
            for (size_t k = 3 * v; k < 3 * v + 3; ++k) {
                const double way = 1e-3 * (random_number(&state) - 0.5);
                x[k] = start[k] + (has_moved ? way : 0);
                p[k] = has_moved ? 0 : way;
            }
        }
    }
    printf("%d candidates, %d joined\n", lists.all, lists.joined);
    ck_assert_int_lt(lists.joined, 0.8 * lists.all);
    ck_assert_int_lt(fills, 100);
    free(start);
    lists_stop(&lists);
}
END_TEST

static const char crowd[] =
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": \"implicit_euler\"},"
    " \"solver\": {\"type\": \"newton\"},"
    " \"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, "
    "\"poissons_ratio\": 0.3}},"
    " \"bodies\": [{\"name\": \"small\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [1, 1, 1]}}, "
    "\"material\": \"m\", \"array\": {\"count\": [4, 3, 3], \"spacing\": [0.105, 0.105, 0.105]}},"
    " {\"name\": \"large\", \"geometry\": {\"box\": {\"size\": [0.3, 0.2, 0.1], \"cells\": [4, 3, 2]}}, "
    "\"material\": \"m\", \"translate\": [0.1, 0.1, -0.105], "
    "\"array\": {\"count\": [1, 1, 3], \"spacing\": [0, 0, 0.52]}}],"
    " \"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, -0.06, 0], \"normal\": [0, 1, 0]}},"
    " {\"name\": \"sphere\", \"sphere\": {\"center\": [-0.2, 0, 0], \"radius\": 0.14}}],"
    " \"contact\": {\"model\": \"barrier\", \"distance\": 0.02, \"stiffness\": 100, \"self\": %s}}";

// All shake a little and some go farther, each time others: their pairs alone are put anew, until some go so far that all are. Now and then
// all but one or two corners stand still, and what has none of them is left out. The candidates are those of a list that looks for all pairs in
// every sweep.
START_TEST(few_that_leave_their_reach_are_put_anew)
{
    const bool self = _i == 0;
    Lists lists = {0};
    lists_start(&lists, crowd, self ? "true" : "false");
    const ModelContact *contact = &lists.model->contact;
    double *x = lists.x, *p = lists.p;
    uint8_t *moving = calloc(lists.n / 3, 1);
    uint64_t state = 3;
    int32_t fills = 0, far_fills = 0, limited = 0;
    for (int motion = 0; motion < 120; ++motion) {
        const bool is_far = motion % 40 == 37;
        const int32_t first = (int32_t)(random_number(&state) * contact->owner_count), others = motion / 40;
        for (int32_t o = 0; o < contact->owner_count; ++o) {
            const ContactOwner *owner = &contact->owners[o];
            const bool goes = motion >= 3 && o >= first && o <= first + others && owner->body >= 0,
                       is_small_one = owner->vertex_count == 8;
            const double size = !goes ? 1e-5 : is_far ? 0.2 : 4e-3 * random_number(&state);
            const double way[3] = {random_number(&state) - 0.5, 0.5 * random_number(&state),
                                   random_number(&state) - 0.5};
            for (int32_t v = owner->first_vertex; v < owner->first_vertex + owner->vertex_count; ++v)
                for (size_t k = 0; k < 3; ++k) // the large ones bend too
                    p[3 * (size_t)v + k] =
                        owner->body < 0
                            ? 0
                            : size * (way[k] + (is_small_one ? 0.1 : 1) * (random_number(&state) - 0.5));
        }
        const int32_t found = sweep_all(&lists, motion % 5 == 4 ? NULL : p);
        if (is_far)
            far_fills += found;
        else
            fills += found;
        const double part = is_far ? 0.1 : random_number(&state);
        for (size_t i = 0; i < lists.n && motion % 5 != 4; ++i)
            x[i] += part * p[i];
        if (motion % 3 != 2)
            continue;
        memset(moving, 0, lists.n / 3);
        memset(p, 0, lists.n * sizeof *p);
        for (int32_t o = first; o <= first + others && o < contact->owner_count; ++o) {
            const size_t corner = (size_t)contact->owners[o].first_vertex;
            moving[corner] = contact->owners[o].body >= 0;
            for (size_t k = 3 * corner; k < 3 * corner + 3 && moving[corner]; ++k)
                p[k] = 4e-3 * (random_number(&state) - 0.5);
        }
        lists_limit(&lists, moving);
        fills += sweep_all(&lists, p);
        int32_t count;
        candidate_list_items(lists.fresh, &count);
        limited += count;
        lists_limit(&lists, NULL);
    }
    const int32_t renewals = candidate_list_renewals(lists.lasting[0]);
    printf(
        "%s: pools made %d times and %d where some went far, put anew in part %d times; %d of what moves\n",
        self ? "with self" : "without self", fills, far_fills, renewals, limited);
    printf("%d candidates, %d joined\n", lists.all, lists.joined);
    ck_assert_int_lt(lists.joined, 0.8 * lists.all);
    ck_assert_int_gt(renewals, 40);
    ck_assert_int_lt(fills, 20);
    ck_assert_int_gt(far_fills, 0);
    ck_assert_int_gt(limited, 1000);
    free(moving);
    lists_stop(&lists);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact candidates");
    TCase *tests = tcase_create("against all pairs");
    tcase_add_loop_test(tests, all_near_pairs_are_found, 0, 2);
    tcase_add_loop_test(tests, list_does_not_depend_on_what_was_before, 0, 2);
    tcase_add_loop_test(tests, pools_are_made_where_they_serve, 0, 2);
    tcase_add_test(tests, ways_and_motions_of_other_vertices_add_up);
    tcase_add_loop_test(tests, few_that_leave_their_reach_are_put_anew, 0, 2);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
