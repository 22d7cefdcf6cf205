// Barrier contact of bodies whose collision surface is not their nodes: coarse boxes of eight nodes under skins, finer surfaces
// whose vertices are weighted sums of up to four of them. Derivatives by finite differences, the matrix against a dense sum,
// the same bytes for any number of threads, and a box that comes to rest on its surface, not on its nodes.
#include "candidate_items.h"
#include "candidate_matrix.h"
#include "physics_fixture.h"
#include "skin_fixture.h"

#include "device/cpu/contact/barrier_contact.h"
#include "sim/verify.h"

enum { UNKNOWNS_MOST = 160 };

#define SKIN(name) "\"skin\": {\"mesh\": \"" BINARY_DIR "/surface_contact_" name ".obj\", \"contact\": true}"

static double random_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

// Loads a scene with its skins.
static void load_with_skins(VelaContext *context, const char *text, Simulation *simulation)
{
    write_cube_skin(BINARY_DIR "/surface_contact_tight.obj", 0.09, 4);
    write_cube_skin(BINARY_DIR "/surface_contact_inner.obj", 0.085, 5);
    write_cube_skin(BINARY_DIR "/surface_contact_fine.obj", 0.09, 6);
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    ASSERT_OK(context, scene_parse(context, BINARY_DIR "/scene.json", text, strlen(text), 0, NULL,
                                   &simulation->arena, &simulation->scene));
    ASSERT_OK(context, model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    ck_assert_int_eq(simulation->model.surface.map.most, 4);
}

// ---------------------------------------------------------------- derivatives

#define MATERIAL                                                                                             \
    "\"materials\": {\"m\": {\"model\": \"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, "       \
    "\"poissons_ratio\": 0.3}}"

// Two boxes under skins, one on the other, and a solid beside the lower one, all near the floor or each other. The corners of
// the lower skin are nodes.
static const char *pile(const char *friction)
{
    static char text[2048];
    snprintf(
        text, sizeof text,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"integrator\": {\"type\": "
        "\"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, " MATERIAL ", \"bodies\": ["
        "{\"name\": \"lower\", \"geometry\": {\"box\": {\"size\": [0.18, 0.18, 0.18], \"cells\": [1, 1, 1]}}, "
        "\"material\": \"m\", \"translate\": [0, 0.098, 0], " SKIN(
            "tight") "},"
                     "{\"name\": \"upper\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [1, 1, 1]}}, "
                     "\"material\": \"m\", \"translate\": [0.013, 0.279, 0.007], " SKIN(
                         "inner") "},"
                                  "{\"name\": \"beside\", \"geometry\": {\"box\": {\"size\": [0.1, 0.1, 0.1], \"cells\": [2, 2, 2]}}, "
                                  "\"material\": \"m\", \"translate\": [0.148, 0.06, 0.004]}],"
                                  "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0.02, 1, 0]}}],"
                                  "\"contact\": {\"model\": \"barrier\", \"distance\": 0.02, \"stiffness\": 1000, \"self\": true, "
                                  "\"friction_speed\": 1, \"friction\": %s}}",
        friction);
    return text;
}

/// A pile at shaken positions x, the contact there, and what the linear solver is given of it.
typedef struct Shaken {
    Simulation simulation;
    double *x, *base, *gradient;
    int32_t unknowns;
    BarrierContact *contact;
    CornerForces forces;
    CpuElements elements;
    BlockMatrix matrix;
} Shaken;

static void shake(Shaken *shaken, int threads, const char *friction, bool project)
{
    Simulation *simulation = &shaken->simulation;
    VelaContext *context = threads_context(threads);
    load_with_skins(context, pile(friction), simulation);
    const Model *model = &simulation->model;
    Arena *arena = &simulation->arena;
    shaken->unknowns = 3 * model->node_count;
    ck_assert_int_le(shaken->unknowns, UNKNOWNS_MOST);
    ASSERT_OK(context, ARENA_ARRAY(arena, shaken->x, shaken->unknowns));
    ASSERT_OK(context, ARENA_ARRAY(arena, shaken->base, shaken->unknowns));
    ASSERT_OK(context, ARENA_ARRAY(arena, shaken->gradient, shaken->unknowns));
    uint64_t state = 1;
    for (int i = 0; i < shaken->unknowns; ++i) {
        const bool moves = i < 3 * model->body_node_count;
        shaken->x[i] = model->initial_positions[i] + (moves ? 0.004 * random_number(&state) : 0);
        shaken->base[i] = shaken->x[i] - (moves ? 0.003 * random_number(&state) : 0);
    }
    ASSERT_OK(context, corner_forces_build(model, arena, &shaken->forces));
    ASSERT_OK(context, cpu_elements_build(context, model, &shaken->forces, NULL, arena, &shaken->elements));
    ASSERT_OK(context, block_matrix_build(context, model, arena, &shaken->elements, &shaken->matrix));
    ASSERT_OK(context, barrier_create(context, model, kernels_choose(), threads, &shaken->contact));
    ContactMeasure measure;
    ASSERT_OK(context, barrier_measure(shaken->contact, shaken->x, &measure));
    ck_assert(measure.min_distance > 0 && isfinite(measure.energy));
    ASSERT_OK(context, barrier_begin(shaken->contact, shaken->x, shaken->x, shaken->base, 0.01, 0.01));
    ASSERT_OK(context, barrier_linearize(shaken->contact, shaken->x, shaken->simulation.model.order.places,
                                         project, &shaken->matrix, shaken->gradient));
}

static void shaken_stop(Shaken *shaken)
{
    barrier_destroy(shaken->contact);
    simulation_stop(&shaken->simulation);
}

// The matrix of contact and the gradient, by node: `dense` has a row of UNKNOWNS_MOST for every unknown.
static void expand(const Shaken *shaken, double (*dense)[UNKNOWNS_MOST], double *gradient)
{
    const BlockMatrix *matrix = &shaken->matrix;
    const ChangingBlocks *changing = &matrix->changing;
    const int32_t *node_of = shaken->simulation.model.order.nodes;
    memset(dense, 0, UNKNOWNS_MOST * sizeof *dense);
    for (int32_t row = 0; row < matrix->row_count; ++row)
        for (int32_t p = changing->row_start[row] - 1; p < changing->row_end[row]; ++p) {
            const bool on_diagonal = p < changing->row_start[row];
            const int32_t column = on_diagonal ? row : changing->columns[p];
            const double *block =
                on_diagonal ? matrix->values + 9 * (size_t)matrix->diagonal[row] : changing->values[p];
            if (p > changing->row_start[row])
                ck_assert_int_lt(changing->columns[p - 1], column);
            ck_assert(on_diagonal || column != row);
            for (int i = 0; i < 9; ++i)
                dense[3 * node_of[row] + i % 3][3 * node_of[column] + i / 3] = block[i];
        }
    for (int32_t place = 0; place < matrix->column_count; ++place)
        memcpy(gradient + 3 * node_of[place], shaken->gradient + 3 * (size_t)place, 3 * sizeof *gradient);
}

// Gradient of energy and friction at x as forces take it.
static void evaluate_gradient(const Shaken *shaken, const double *x, double *gradient)
{
    memset(gradient, 0, (size_t)shaken->unknowns * sizeof *gradient);
    ASSERT_OK(shaken->simulation.context, barrier_gradient(shaken->contact, x, gradient));
    ASSERT_OK(shaken->simulation.context, barrier_friction_gradient(shaken->contact, x, gradient));
}

// d/dx_k by four points.
static const double POINTS[4] = {-2, -1, 1, 2}, FACTORS[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

START_TEST(gradient_by_differences)
{
    const double h = 2e-6;
    static double dense[UNKNOWNS_MOST][UNKNOWNS_MOST];
    Shaken shaken = {0};
    shake(&shaken, 1, "0", false);
    double gradient[UNKNOWNS_MOST], expanded[UNKNOWNS_MOST], largest = 0, worst = 0;
    evaluate_gradient(&shaken, shaken.x, gradient);
    expand(&shaken, dense, expanded);
    for (int k = 0; k < shaken.unknowns; ++k)
        largest = fmax(largest, fabs(gradient[k]));
    for (int k = 0; k < 3 * shaken.simulation.model.body_node_count; ++k) {
        const double at = shaken.x[k];
        double slope = 0;
        for (int point = 0; point < 4; ++point) {
            ContactMeasure measure;
            shaken.x[k] = at + POINTS[point] * h;
            ASSERT_OK(shaken.simulation.context, barrier_measure(shaken.contact, shaken.x, &measure));
            slope += FACTORS[point] * measure.energy / h;
        }
        shaken.x[k] = at;
        worst = fmax(worst, fabs(slope - gradient[k]) / largest);
        ck_assert_double_eq_tol(expanded[k], gradient[k], 1e-12 * largest);
    }
    printf("gradient: largest %.3g N, differences within %.1e of it\n", largest, worst);
    ck_assert_double_gt(largest, 1);
    ck_assert_double_lt(worst, 1e-6);
    shaken_stop(&shaken);
}
END_TEST

START_TEST(hessian_by_differences)
{
    const double h = 1e-7;
    static double dense[UNKNOWNS_MOST][UNKNOWNS_MOST];
    Shaken shaken = {0};
    shake(&shaken, 1, _i == 0 ? "0" : "0.3", false);
    double gradient[UNKNOWNS_MOST], there[UNKNOWNS_MOST], largest = 0, worst = 0;
    expand(&shaken, dense, gradient);
    evaluate_gradient(&shaken, shaken.x, there);
    double force = 0;
    for (int k = 0; k < shaken.unknowns; ++k)
        force = fmax(force, fabs(there[k]));
    ck_assert_double_lt(largest_difference(gradient, there, (size_t)shaken.unknowns), 1e-12 * force);
    for (int k = 0; k < shaken.unknowns; ++k)
        for (int l = 0; l < shaken.unknowns; ++l)
            largest = fmax(largest, fabs(dense[k][l]));
    const int moving = 3 * shaken.simulation.model.body_node_count;
    for (int k = 0; k < moving; ++k) {
        const double at = shaken.x[k];
        double slope[UNKNOWNS_MOST] = {0};
        for (int point = 0; point < 4; ++point) {
            shaken.x[k] = at + POINTS[point] * h;
            evaluate_gradient(&shaken, shaken.x, there);
            for (int l = 0; l < moving; ++l)
                slope[l] += FACTORS[point] * there[l] / h;
        }
        shaken.x[k] = at;
        for (int l = 0; l < moving; ++l)
            worst = fmax(worst, fabs(slope[l] - dense[l][k]) / largest);
    }
    printf("Hessian%s: largest %.3g N/m, differences within %.1e of it\n", _i == 0 ? "" : " with friction",
           largest, worst);
    ck_assert_double_lt(worst, 1e-6);
    shaken_stop(&shaken);
}
END_TEST

// What friction takes from a motion is its gradient times the motion: on all nodes, and on those that nothing holds.
START_TEST(loss_is_what_friction_takes)
{
    Shaken shaken = {0};
    shake(&shaken, 1, "0.3", true);
    const Model *model = &shaken.simulation.model;
    double gradient[UNKNOWNS_MOST] = {0}, end[UNKNOWNS_MOST], all = 0, on_free = 0;
    uint64_t state = 9;
    barrier_friction_gradient(shaken.contact, shaken.x, gradient);
    for (int i = 0; i < shaken.unknowns; ++i) { // the floor moves too
        end[i] = shaken.base[i] + 0.01 * random_number(&state);
        const double taken = gradient[i] * (end[i] - shaken.base[i]);
        all += taken;
        on_free += model->node_is_free[i / 3] ? taken : 0;
    }
    const DissipationLoss loss = barrier_friction_loss(shaken.contact, shaken.x, shaken.base, end, 0.01);
    printf("friction takes %.6g J, of the bodies %.6g J\n", loss.all, loss.free);
    ck_assert_double_eq_tol(loss.all / all, 1, 1e-10);
    ck_assert_double_eq_tol(loss.free / on_free, 1, 1e-10);
    ck_assert_double_gt(fabs(all - on_free), 1e-3 * fabs(all));
    shaken_stop(&shaken);
}
END_TEST

// What a pair adds, written out: for two of its vertices and two of their nodes the product of both weights times the block.
static void add_reference(const SurfaceMap *map, const Candidate *pair, const double hessian[144],
                          double (*dense)[UNKNOWNS_MOST])
{
    for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) {
            const int32_t v = pair->vertices[i / 3], u = pair->vertices[j / 3];
            for (int32_t a = map->starts[v]; a < map->starts[v + 1]; ++a)
                for (int32_t b = map->starts[u]; b < map->starts[u + 1]; ++b)
                    dense[3 * map->nodes[a] + i % 3][3 * map->nodes[b] + j % 3] +=
                        map->weights[a] * map->weights[b] * hessian[12 * i + j];
        }
}

START_TEST(matrix_is_the_dense_sum)
{
    static double dense[UNKNOWNS_MOST][UNKNOWNS_MOST], expected[UNKNOWNS_MOST][UNKNOWNS_MOST];
    Shaken shaken = {0};
    shake(&shaken, 2, "0", _i == 1);
    const Model *model = &shaken.simulation.model;
    const SurfaceMap *map = &model->surface.map;
    VelaContext *context = shaken.simulation.context;
    double gradient[UNKNOWNS_MOST], *vertices;
    ASSERT_OK(context, ARENA_ARRAY(&shaken.simulation.arena, vertices, 3 * (size_t)map->vertex_count));
    surface_map_apply(map, shaken.x, vertices);
    expand(&shaken, dense, gradient);
    CandidateList *list;
    ASSERT_OK(context, candidate_list_create(context, model, kernels_choose(), 1, &list));
    ASSERT_OK(context, candidate_list_sweep(list, vertices, NULL));
    int32_t count, mixed = 0, active[3] = {0};
    const Candidate *items = candidate_list_items(list, &count);
    memset(expected, 0, sizeof expected);
    for (int32_t k = 0; k < count; ++k) {
        double x[12], own[12], hessian[144];
        gather_vertices(items[k].vertices, vertices, x);
        if (candidate_gap(&items[k], x) >= items[k].barrier.range)
            continue;
        candidate_matrix(&items[k], x, _i == 1, own, hessian);
        add_reference(map, &items[k], hessian, expected);
        ++active[items[k].kind == CANDIDATE_POINT_PLANE ? 2 : items[k].kind == CANDIDATE_EDGE_EDGE];
        mixed += items[k].owners[0] + items[k].owners[1] == 2; // the lower box and the solid beside it
    }
    double largest = 0, worst = 0;
    for (int k = 0; k < 3 * model->body_node_count; ++k)
        for (int l = 0; l < shaken.unknowns; ++l) {
            largest = fmax(largest, fabs(expected[k][l]));
            worst = fmax(worst, fabs(dense[k][l] - expected[k][l]));
            ck_assert(l >= 3 * model->body_node_count || dense[k][l] == dense[l][k]);
        }
    printf("%d pairs of points and triangles, %d of edges, %d of points and the plane; matrix within %.1e\n",
           active[0], active[1], active[2], worst / largest);
    ck_assert(active[0] > 20 && active[1] > 20 && active[2] > 5 && mixed > 5);
    ck_assert_double_lt(worst, 1e-13 * largest);
    candidate_list_destroy(list);
    shaken_stop(&shaken);
}
END_TEST

START_TEST(threads_change_nothing)
{
    Shaken one = {0}, two = {0};
    shake(&one, 1, "0.3", true);
    shake(&two, 2, "0.3", true);
    const ChangingBlocks *a = &one.matrix.changing, *b = &two.matrix.changing;
    const size_t unknowns = (size_t)one.unknowns;
    ck_assert_mem_eq(one.gradient, two.gradient, unknowns * sizeof(double));
    ck_assert_mem_eq(one.matrix.values, two.matrix.values,
                     9 * (size_t)one.matrix.row_start[one.matrix.row_count] * sizeof(double));
    for (int32_t row = 0; row < one.matrix.row_count; ++row) {
        const int32_t count = a->row_end[row] - a->row_start[row];
        ck_assert_int_eq(count, b->row_end[row] - b->row_start[row]);
        ck_assert_mem_eq(a->columns + a->row_start[row], b->columns + b->row_start[row],
                         (size_t)count * sizeof *a->columns);
        ck_assert_mem_eq(a->values + a->row_start[row], b->values + b->row_start[row],
                         (size_t)count * sizeof *a->values);
    }
    shaken_stop(&one);
    shaken_stop(&two);
}
END_TEST

// The upper box lifts off: what is known of the motion leaves out only what is beyond its range.
START_TEST(what_is_beyond_is_not_active)
{
    Shaken known = {0}, unknown = {0};
    shake(&known, 2, "0", true);
    shake(&unknown, 2, "0", true);
    VelaContext *context = known.simulation.context;
    const Model *model = &known.simulation.model;
    const int32_t first = model->bodies[1].first_node, end = first + model->bodies[1].node_count;
    double d[UNKNOWNS_MOST] = {0}, at[UNKNOWNS_MOST];
    uint64_t state = 3;
    for (int i = 0; i < 3 * model->body_node_count; ++i)
        d[i] = (i % 3 == 1 && i / 3 >= first && i / 3 < end ? 0.02 : 0) + 0.001 * random_number(&state);
    ASSERT_OK(context, barrier_sweep(known.contact, known.x, d));
    ASSERT_OK(unknown.simulation.context, barrier_sweep(unknown.contact, known.x, d));
    int32_t beyond[5] = {0};
    for (int t = 0; t < 5; ++t) {
        const double part = 0.25 * t;
        for (int i = 0; i < known.unknowns; ++i)
            at[i] = known.x[i] + part * d[i];
        const double *vertices = barrier_vertices(known.contact, at, known.contact->x);
        CandidateWalk walk = candidate_walk_from(&known.contact->candidates, 0);
        for (int32_t i = 0; i < known.contact->candidates.count; ++i)
            beyond[t] += candidate_is_beyond(candidate_walk_next(&walk), part);
        barrier_move_on(known.contact, part);
        barrier_move_on(unknown.contact, -1);
        ASSERT_OK(context, barrier_find_active(known.contact, vertices));
        ASSERT_OK(unknown.simulation.context, barrier_find_active(unknown.contact, vertices));
        ck_assert_int_gt(known.contact->active_count, 0);
        ck_assert_int_eq(known.contact->active_count, unknown.contact->active_count);
        ck_assert_int_eq(known.contact->within_count, unknown.contact->within_count);
        for (int32_t k = 0; k < known.contact->active_count; ++k) {
            const Candidate a = barrier_active(known.contact, k), b = barrier_active(unknown.contact, k);
            ck_assert_mem_eq(a.vertices, b.vertices, sizeof a.vertices);
            ck_assert_double_eq(a.barrier.stiffness, b.barrier.stiffness);
        }
    }
    printf("beyond at quarters of the way: %d %d %d %d %d of %d, active at its end %d\n", beyond[0],
           beyond[1], beyond[2], beyond[3], beyond[4], known.contact->candidates.count,
           known.contact->active_count);
    ck_assert_int_gt(beyond[4], beyond[0] + 100);
    shaken_stop(&known);
    shaken_stop(&unknown);
}
END_TEST

// Downward: the filter stops before anything touches, and trials on the way agree with energies and gradients.
START_TEST(trials_and_filter)
{
    Shaken shaken = {0};
    shake(&shaken, 2, "0", true);
    VelaContext *context = shaken.simulation.context;
    double d[UNKNOWNS_MOST] = {0}, at[UNKNOWNS_MOST], gradient[UNKNOWNS_MOST];
    for (int i = 1; i < 3 * shaken.simulation.model.body_node_count; i += 3)
        d[i] = -0.05 - 0.05 * shaken.x[i];
    ASSERT_OK(context, barrier_sweep(shaken.contact, shaken.x, d));
    double safe;
    ASSERT_OK(context, barrier_safe_part(shaken.contact, &safe));
    ck_assert(safe > 0.01 && safe < 1);
    const double steps[] = {0.5 * safe, safe, 1};
    ContactTrial trials[3];
    ContactMeasure start, measure;
    barrier_trials(shaken.contact, shaken.x, d, 1, 3, steps, trials);
    ASSERT_OK(context, barrier_measure(shaken.contact, shaken.x, &start));
    ck_assert_double_eq(trials[2].difference, INFINITY);
    for (int t = 0; t < 2; ++t) {
        for (int i = 0; i < shaken.unknowns; ++i)
            at[i] = shaken.x[i] + steps[t] * d[i];
        ASSERT_OK(context, barrier_measure(shaken.contact, at, &measure));
        evaluate_gradient(&shaken, at, gradient);
        double slope = 0;
        for (int i = 0; i < shaken.unknowns; ++i)
            slope += gradient[i] * d[i];
        printf("a part of %.3f: energy %+.6g J, slope %.6g J, gap %.3g m\n", steps[t], trials[t].difference,
               trials[t].slope, measure.min_distance);
        ck_assert_double_gt(measure.min_distance, 0);
        ck_assert_double_eq_tol(trials[t].difference / (measure.energy - start.energy), 1, 1e-9);
        ck_assert_double_eq_tol(trials[t].slope / slope, 1, 1e-9);
    }
    shaken_stop(&shaken);
}
END_TEST

// ---------------------------------------------------------------- motion

// A box of eight nodes falls onto a sloping floor with friction: what rests is its surface, 1 cm inside of the nodes.
START_TEST(rests_on_its_surface)
{
    const double range = 2e-3;
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"version\": 1, \"time\": {\"step\": 0.005, \"duration\": 1}, \"gravity\": [-0.5, -9.8, 0], "
        "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\"}, " MATERIAL
        ", \"bodies\": [{\"name\": \"box\", \"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [1, 1, "
        "1]}}, \"material\": \"m\", \"translate\": [0, 0.1, 0], " SKIN(
            "fine") "}],"
                    "\"obstacles\": [{\"name\": \"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}}],"
                    "\"contact\": {\"model\": \"barrier\", \"distance\": %g, \"friction\": 0.5}}",
        range);
    Simulation simulation;
    load_with_skins(threads_context(2), text, &simulation);
    VelaContext *context = simulation.context;
    Verification verification;
    ASSERT_OK(context, simulation_start(&simulation, &(DeviceChoice){"cpu", NULL}));
    ASSERT_OK(context, verification_create(&simulation, &verification));
    double lowest = INFINITY, gap = INFINITY;
    for (int step = 0; step < 200; ++step) {
        const StepReport report = step_once(&simulation);
        ASSERT_OK(context, verification_check(&verification));
        gap = fmin(gap, report.end.min_distance);
        ck_assert_double_gt(report.end.min_distance, 0);
    }
    const double *x = slot_values(&simulation, SLOT_POSITION), *v = slot_values(&simulation, SLOT_VELOCITY);
    double fastest = 0;
    for (int i = 0; i < 8; ++i) {
        lowest = fmin(lowest, x[3 * i + 1]);
        fastest = fmax(fastest, norm3(v + 3 * i));
    }
    printf("at rest: lowest node %.4f m above the floor, gap %.3g m, at most %.1e m/s\n", lowest,
           simulation.diagnosis.min_distance, fastest);
    ck_assert(simulation.diagnosis.min_distance > 0 && simulation.diagnosis.min_distance < range);
    ck_assert(lowest > -0.012 && lowest < -0.006); // the surface's bottom is 1 cm above the nodes
    ck_assert_double_lt(fastest, 2e-3);
    // A surface pushed through the floor is seen, and named.
    double *pushed = slot_values(&simulation, SLOT_POSITION);
    for (int i = 0; i < 8; ++i)
        pushed[3 * i + 1] -= range;
    ASSERT_OK(context, device_state_write(simulation.device, SLOT_POSITION, pushed));
    ck_assert_int_eq(verification_check(&verification), VELA_ERROR_VERIFICATION);
    ck_assert_msg(strstr(vela_context_message(context), "vertex ") != NULL, "%s",
                  vela_context_message(context));
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact of surfaces over coarse bodies");
    TCase *tests = tcase_create("skins");
    tcase_add_test(tests, gradient_by_differences);
    tcase_add_loop_test(tests, hessian_by_differences, 0, 2);
    tcase_add_test(tests, loss_is_what_friction_takes);
    tcase_add_loop_test(tests, matrix_is_the_dense_sum, 0, 2);
    tcase_add_test(tests, threads_change_nothing);
    tcase_add_test(tests, what_is_beyond_is_not_active);
    tcase_add_test(tests, trials_and_filter);
    tcase_add_test(tests, rests_on_its_surface);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
