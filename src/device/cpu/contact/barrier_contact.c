#include "device/cpu/contact/barrier_contact.h"

#include "device/cpu/contact/candidate_terms.h"
#include "geometry/tangent.h"
#include "physics/contact/friction.h"

#include <string.h>

/// A candidate within its range: gradient and Hessian of its energy in its 12 coordinates.
typedef struct ActivePair {
    int32_t places[4]; ///< of NodeOrder; -1 where the vertex takes no part
    double gradient[12];
    double hessian[144];
} ActivePair;

/// A block of an active pair's Hessian in the row of one of its corners.
typedef struct RowEntry {
    int32_t column;
    int32_t block; ///< 16 pair + 4 row's corner + column's corner
} RowEntry;

/// What is found for a chunk of candidates; chunks are summed in their order, whatever the number of threads.
typedef struct Chunk {
    double safe;
    ContactTrial trials[NEWTON_TRIALS];
    ContactMeasure measure;
    int32_t active_count;
} Chunk;

struct BarrierContact {
    const Model *model;
    int threads;
    Arena arena;   ///< what has a fixed size
    Arena growing; ///< what grows with the number of pairs
    CandidateList *list;
    double *still; ///< the list is that of these positions without motion, if `is_still`
    bool is_still;
    Chunk *chunks;
    int32_t *active;   ///< candidates within their range, ascending
    ActivePair *pairs; ///< of the active candidates, then of friction
    int32_t active_count, pair_count;
    FrictionContact *friction; ///< of the stage
    int32_t friction_count;
    FrictionLaw law;
    double slip_time; ///< what passes while the stage slips, s
    double *turns; ///< owner_count x 9: what a turning plane or sphere turns back over the stage; 0: others
    const double *base;    ///< where the stage's slip is measured from
    int32_t *corner_start; ///< node_count + 1: the corners of active pairs at each place
    int32_t *corners;      ///< 4 pair + corner
    int32_t *row_start, *row_end, *columns;
    RowEntry *entries;
    double (*values)[9];
    size_t chunk_capacity, active_capacity, friction_capacity, pair_capacity, corner_capacity,
        column_capacity, entry_capacity, value_capacity;
};

VelaResult barrier_create(VelaContext *context, const Model *model, int threads, BarrierContact **out)
{
    *out = NULL;
    Arena arena = arena_make(context);
    BarrierContact *contact;
    TRY(ARENA_ARRAY(&arena, contact, 1));
    *contact = (BarrierContact){.model = model, .threads = threads, .growing = arena_make(context)};
    VelaResult result;
    TRY_GOTO(result, ARENA_ARRAY(&arena, contact->still, 3 * (size_t)model->node_count), failed);
    TRY_GOTO(result, ARENA_ARRAY(&arena, contact->corner_start, model->node_count + 1), failed);
    TRY_GOTO(result, ARENA_ARRAY(&arena, contact->row_start, model->node_count + 1), failed);
    TRY_GOTO(result, ARENA_ARRAY(&arena, contact->row_end, model->node_count + 1), failed);
    TRY_GOTO(result, ARENA_ARRAY(&arena, contact->turns, 9 * (size_t)model->contact.owner_count), failed);
    TRY_GOTO(result, candidate_list_create(context, model, threads, &contact->list), failed);
    contact->arena = arena;
    *out = contact;
    return VELA_OK;
failed:
    arena_clear(&arena);
    return result;
}

void barrier_destroy(BarrierContact *contact)
{
    if (!contact)
        return;
    candidate_list_destroy(contact->list);
    arena_clear(&contact->growing);
    Arena arena = contact->arena;
    arena_clear(&arena);
}

size_t barrier_memory(const Model *model)
{
    return candidate_list_memory(model) + 36 * (size_t)model->node_count;
}

// ---------------------------------------------------------------- chunks

static int32_t chunk_count(const BarrierContact *contact)
{
    int32_t count;
    candidate_list_items(contact->list, &count);
    return (count + CANDIDATES_PER_CHUNK - 1) / CANDIDATES_PER_CHUNK;
}

static int32_t chunk_end(int32_t chunk, int32_t count)
{
    const int32_t end = (chunk + 1) * CANDIDATES_PER_CHUNK;
    return end < count ? end : count;
}

static VelaResult sweep(BarrierContact *contact, const double *x, const double *d)
{
    TRY(candidate_list_sweep(contact->list, x, d));
    contact->is_still = d == NULL;
    if (!d)
        memcpy(contact->still, x, 3 * (size_t)contact->model->node_count * sizeof *x);
    return ARENA_GROW(&contact->growing, contact->chunks, &contact->chunk_capacity,
                      (size_t)chunk_count(contact));
}

// Candidates at x alone, unless they are there already.
static VelaResult stand(BarrierContact *contact, const double *x)
{
    const size_t bytes = 3 * (size_t)contact->model->node_count * sizeof *x;
    if (contact->is_still && memcmp(contact->still, x, bytes) == 0)
        return VELA_OK;
    return sweep(contact, x, NULL);
}

// ---------------------------------------------------------------- the safe part of a motion

VelaResult barrier_sweep(BarrierContact *contact, const double *x, const double *d)
{
    return sweep(contact, x, d);
}

double barrier_safe_part(BarrierContact *contact, const double *x, const double *d)
{
    int32_t count;
    const Candidate *items = candidate_list_items(contact->list, &count);
    const int32_t chunks = chunk_count(contact);
#pragma omp parallel for schedule(dynamic, 4) num_threads(contact->threads)
    for (int32_t c = 0; c < chunks; ++c) {
        double least = 1, from[12], along[12];
        for (int32_t i = c * CANDIDATES_PER_CHUNK; i < chunk_end(c, count); ++i) {
            const Candidate *candidate = &items[i];
            if (!candidate->approaches)
                continue;
            gather_nodes(candidate->nodes, x, from);
            gather_nodes(candidate->nodes, d, along);
            least = fmin(least, candidate_safe_part(candidate, from, along));
        }
        contact->chunks[c].safe = least;
    }
    double safe = 1;
    for (int32_t c = 0; c < chunks; ++c)
        safe = fmin(safe, contact->chunks[c].safe);
    return safe;
}

// ---------------------------------------------------------------- gradient and Hessian

// Candidates within their range, in order.
static VelaResult find_active(BarrierContact *contact, const double *x)
{
    int32_t count;
    const Candidate *items = candidate_list_items(contact->list, &count);
    const int32_t chunks = chunk_count(contact);
    TRY(ARENA_GROW(&contact->growing, contact->active, &contact->active_capacity, (size_t)count));
#pragma omp parallel for schedule(static) num_threads(contact->threads)
    for (int32_t c = 0; c < chunks; ++c) {
        int32_t next = c * CANDIDATES_PER_CHUNK;
        double at[12];
        for (int32_t i = next; i < chunk_end(c, count); ++i) {
            gather_nodes(items[i].nodes, x, at);
            if (candidate_gap(&items[i], at) < items[i].barrier.range)
                contact->active[next++] = i;
        }
        contact->chunks[c].active_count = next - c * CANDIDATES_PER_CHUNK;
    }
    contact->active_count = 0;
    for (int32_t c = 0; c < chunks; ++c) {
        memmove(contact->active + contact->active_count, contact->active + c * CANDIDATES_PER_CHUNK,
                (size_t)contact->chunks[c].active_count * sizeof *contact->active);
        contact->active_count += contact->chunks[c].active_count;
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- friction

// Tangential speed of a contact, m/s; its slip within the step if all goes on as it does.
static double slip_speed(const FrictionContact *friction, const double *v, double step)
{
    static const double start[12];
    double way[12], u[2];
    gather_nodes(friction->nodes, v, way);
    for (int i = 0; i < 12; ++i)
        way[i] *= step;
    return friction_slip(friction, way, start, u) / step;
}

// 1 - Q^T of the planes and spheres, Q being how far they turn from `from` to `to`: their nodes do not show it.
static void find_turns(BarrierContact *contact, double from, double to)
{
    const Model *model = contact->model;
    memset(contact->turns, 0, 9 * (size_t)model->contact.owner_count * sizeof *contact->turns);
    for (int32_t o = 0; o < model->contact.owner_count; ++o) {
        const ContactOwner *owner = &model->contact.owners[o];
        double turn[9];
        if (owner->obstacle < 0 || owner->triangle_count > 0 ||
            !motion_turn(&model->scene->obstacles[owner->obstacle].motion, from, to, turn))
            continue;
        for (int i = 0; i < 9; ++i)
            contact->turns[9 * (size_t)o + (size_t)i] = (i % 4 == 0) - turn[3 * (i % 3) + i / 3];
    }
}

// How a turning plane or sphere moves where it is touched, seen from the other side of the contact and beyond what its node
// does. `r` as candidate_force gives it, `x` the contact's nodes.
static void find_drift(const BarrierContact *contact, const Candidate *candidate, const double x[12],
                       const double r[3], double drift[3])
{
    const bool is_plane = candidate->kind == CANDIDATE_POINT_PLANE;
    for (int side = 0; side < 2; ++side) {
        const int32_t owner = candidate->owners[side];
        double arm[3], turned[3];
        if (is_plane) { // the foot of the vertex, from the plane's point
            subtract3(x, x + 3, arm);
            add_scaled3(arm, -dot3(arm, r), r, arm);
        } else
            for (int axis = 0; axis < 3; ++axis)
                arm[axis] = (side == 0 ? -1 : 1) * contact->model->contact.owners[owner].separation *
                            r[axis] / norm3(r);
        matrix3_apply(contact->turns + 9 * (size_t)owner, arm, turned);
        add_scaled3(drift, side == 0 ? 1 : -1, turned, drift);
    }
}

// The contacts that rub at x.
static VelaResult lag_friction(BarrierContact *contact, const double *x, const double *v)
{
    const ContactDef *def = &contact->model->scene->contact;
    const ModelContact *surfaces = &contact->model->contact;
    contact->friction_count = 0;
    if (!surfaces->has_friction)
        return VELA_OK;
    TRY(find_active(contact, x));
    TRY(ARENA_GROW(&contact->growing, contact->friction, &contact->friction_capacity,
                   (size_t)contact->active_count));
    int32_t count;
    const Candidate *items = candidate_list_items(contact->list, &count);
    for (int32_t k = 0; k < contact->active_count; ++k) {
        const Candidate *candidate = &items[contact->active[k]];
        const double coefficient =
            model_contact_friction(surfaces, candidate->owners[0], candidate->owners[1]);
        if (coefficient == 0)
            continue;
        FrictionContact *friction = &contact->friction[contact->friction_count];
        double at[12], r[3] = {0};
        gather_nodes(candidate->nodes, x, at);
        memcpy(friction->nodes, candidate->nodes, sizeof friction->nodes);
        friction->coefficient = coefficient * candidate_force(candidate, at, friction->weights, r);
        if (friction->coefficient == 0)
            continue;
        tangent_basis(r, friction->tangents);
        memset(friction->drift, 0, sizeof friction->drift);
        find_drift(contact, candidate, at, r, friction->drift);
        if (def->friction_model == FRICTION_SEMI_IMPLICIT)
            friction->coefficient /= fmax(slip_speed(friction, v, contact->slip_time), def->friction_speed);
        ++contact->friction_count;
    }
    return VELA_OK;
}

VelaResult barrier_begin(BarrierContact *contact, const double *x, const double *v, const double *base,
                         double slip_time, double time)
{
    const ContactDef *def = &contact->model->scene->contact;
    contact->base = base;
    contact->slip_time = slip_time;
    find_turns(contact, time - slip_time, time);
    contact->law =
        friction_law(def->friction_model == FRICTION_SEMI_IMPLICIT, def->friction_speed, slip_time);
    TRY(stand(contact, x));
    return lag_friction(contact, x, v);
}

void barrier_friction_gradient(const BarrierContact *contact, const double *x, double *gradient)
{
    for (int32_t k = 0; k < contact->friction_count; ++k) {
        const FrictionContact *friction = &contact->friction[k];
        double at[12], base[12], own[12];
        gather_nodes(friction->nodes, x, at);
        gather_nodes(friction->nodes, contact->base, base);
        friction_gradient(friction, &contact->law, at, base, own);
        for (int i = 0; i < 12; ++i)
            gradient[3 * (size_t)friction->nodes[i / 3] + (size_t)(i % 3)] += own[i];
    }
}

DissipationLoss barrier_friction_loss(const BarrierContact *contact, const double *x, const double *x0,
                                      const double *x1, double duration)
{
    DissipationLoss loss = {0};
    for (int32_t k = 0; k < contact->friction_count; ++k) {
        const FrictionContact *friction = &contact->friction[k];
        double at[12], base[12], from[12], to[12], pull[3];
        gather_nodes(friction->nodes, x, at);
        gather_nodes(friction->nodes, contact->base, base);
        gather_nodes(friction->nodes, x0, from);
        gather_nodes(friction->nodes, x1, to);
        friction_pull(friction, &contact->law, at, base, pull);
        loss.all += dot3(pull, friction->drift) * (duration / contact->slip_time);
        for (int i = 0; i < 12; ++i) {
            const double taken = friction->weights[i / 3] * pull[i % 3] * (to[i] - from[i]);
            loss.all += taken;
            loss.free += contact->model->node_is_free[friction->nodes[i / 3]] ? taken : 0;
        }
    }
    return loss;
}

// ---------------------------------------------------------------- the matrix

// Whether a vertex takes part: its whole row of the Hessian is 0 where it does not.
static bool takes_part(const ActivePair *pair, int corner)
{
    for (int k = 36 * corner; k < 36 * (corner + 1); ++k)
        if (pair->hessian[k] != 0)
            return true;
    return false;
}

// Derivatives of one pair, an active candidate or friction; its nodes.
static const int32_t *compute_pair(const BarrierContact *contact, int32_t k, const double *x, bool project,
                                   ActivePair *pair)
{
    double at[12], base[12];
    int32_t count;
    if (k >= contact->active_count) {
        const FrictionContact *friction = &contact->friction[k - contact->active_count];
        gather_nodes(friction->nodes, x, at);
        gather_nodes(friction->nodes, contact->base, base);
        friction_hessian(friction, &contact->law, at, base, pair->gradient, pair->hessian);
        return friction->nodes;
    }
    const Candidate *candidate = &candidate_list_items(contact->list, &count)[contact->active[k]];
    gather_nodes(candidate->nodes, x, at);
    candidate_hessian(candidate, at, project, pair->gradient, pair->hessian);
    return candidate->nodes;
}

static VelaResult compute_pairs(BarrierContact *contact, const double *x, const int32_t *places, bool project)
{
    contact->pair_count = contact->active_count + contact->friction_count;
    TRY(ARENA_GROW(&contact->growing, contact->pairs, &contact->pair_capacity, (size_t)contact->pair_count));
#pragma omp parallel for schedule(dynamic, 16) num_threads(contact->threads)
    for (int32_t k = 0; k < contact->pair_count; ++k) {
        ActivePair *pair = &contact->pairs[k];
        const int32_t *nodes = compute_pair(contact, k, x, project, pair);
        for (int c = 0; c < 4; ++c)
            pair->places[c] = takes_part(pair, c) ? places[nodes[c]] : -1;
    }
    return VELA_OK;
}

// Sorts the corners of the active pairs by place, those of one place in the order of the pairs.
static VelaResult sort_corners(BarrierContact *contact)
{
    int32_t *start = contact->corner_start, *next = contact->row_end;
    const int32_t places = contact->model->node_count, corners = 4 * contact->pair_count;
    TRY(ARENA_GROW(&contact->growing, contact->corners, &contact->corner_capacity, (size_t)corners));
    memset(start, 0, ((size_t)places + 1) * sizeof *start);
    for (int32_t k = 0; k < corners; ++k)
        if (contact->pairs[k / 4].places[k % 4] >= 0)
            ++start[contact->pairs[k / 4].places[k % 4] + 1];
    for (int32_t i = 0; i < places; ++i)
        start[i + 1] += start[i];
    memcpy(next, start, (size_t)places * sizeof *next);
    for (int32_t k = 0; k < corners; ++k) {
        const int32_t place = contact->pairs[k / 4].places[k % 4];
        if (place >= 0)
            contact->corners[next[place]++] = k;
    }
    return VELA_OK;
}

// Adds what the corners of one place sum to.
static void add_gradient(const BarrierContact *contact, int32_t place, double *gradient)
{
    for (int32_t p = contact->corner_start[place]; p < contact->corner_start[place + 1]; ++p) {
        const int32_t k = contact->corners[p];
        add_scaled3(gradient, 1, contact->pairs[k / 4].gradient + 3 * (k % 4), gradient);
    }
}

// The entries of a row, sorted by column, those of one column in the order of the pairs; returns their number.
static int32_t collect_row(const BarrierContact *contact, int32_t row, double *diagonal, RowEntry *entries)
{
    int32_t count = 0;
    for (int32_t p = contact->corner_start[row]; p < contact->corner_start[row + 1]; ++p) {
        const int32_t k = contact->corners[p] / 4, corner = contact->corners[p] % 4;
        const ActivePair *pair = &contact->pairs[k];
        for (int other = 0; other < 4; ++other) {
            if (pair->places[other] == row)
                for (int i = 0; i < 9; ++i)
                    diagonal[i] += pair->hessian[12 * (3 * corner + i % 3) + 3 * other + i / 3];
            if (pair->places[other] < 0 || pair->places[other] == row)
                continue;
            const RowEntry entry = {pair->places[other], 16 * k + 4 * corner + other};
            int32_t at = count++;
            for (; at > 0 && entries[at - 1].column > entry.column; --at)
                entries[at] = entries[at - 1];
            entries[at] = entry;
        }
    }
    return count;
}

// Sums a row's entries to its blocks.
static void sum_row(BarrierContact *contact, int32_t row, const RowEntry *entries, int32_t count)
{
    int32_t block = contact->row_start[row] - 1;
    for (int32_t e = 0; e < count; ++e) {
        if (e == 0 || entries[e].column != entries[e - 1].column) {
            contact->columns[++block] = entries[e].column;
            memset(contact->values[block], 0, sizeof *contact->values);
        }
        const ActivePair *pair = &contact->pairs[entries[e].block / 16];
        const int corner = entries[e].block / 4 % 4, other = entries[e].block % 4;
        for (int i = 0; i < 9; ++i)
            contact->values[block][i] += pair->hessian[12 * (3 * corner + i % 3) + 3 * other + i / 3];
    }
    contact->row_end[row] = block + 1;
}

static VelaResult build_blocks(BarrierContact *contact, BlockMatrix *matrix)
{
    // A corner has at most three others.
    const size_t most = 3 * (size_t)contact->corner_start[contact->model->node_count];
    TRY(ARENA_GROW(&contact->growing, contact->entries, &contact->entry_capacity, most));
    TRY(ARENA_GROW(&contact->growing, contact->columns, &contact->column_capacity, most));
    TRY(ARENA_GROW(&contact->growing, contact->values, &contact->value_capacity, most));
#pragma omp parallel for schedule(dynamic, 64) num_threads(contact->threads)
    for (int32_t row = 0; row < matrix->row_count; ++row) {
        contact->row_start[row] = 3 * contact->corner_start[row];
        RowEntry *entries = contact->entries + contact->row_start[row];
        const int32_t count =
            collect_row(contact, row, matrix->values + 9 * (size_t)matrix->diagonal[row], entries);
        sum_row(contact, row, entries, count);
    }
    matrix->changing =
        (ChangingBlocks){contact->row_start, contact->row_end, contact->columns, contact->values};
    return VELA_OK;
}

VelaResult barrier_linearize(BarrierContact *contact, const double *x, const int32_t *places, bool project,
                             BlockMatrix *matrix, double *gradient)
{
    TRY(find_active(contact, x));
    matrix->changing = (ChangingBlocks){0};
    TRY(compute_pairs(contact, x, places, project));
    if (contact->pair_count == 0)
        return VELA_OK;
    TRY(sort_corners(contact));
#pragma omp parallel for schedule(static) num_threads(contact->threads)
    for (int32_t place = 0; place < contact->model->node_count; ++place)
        add_gradient(contact, place, gradient + 3 * (size_t)place);
    return build_blocks(contact, matrix);
}

// ---------------------------------------------------------------- trials

// How the energy at x + s d differs from `before`, that at x.
static void try_pair(const Candidate *candidate, const double x[12], const double d[12], double s,
                     double before, ContactTrial *trial)
{
    double there[12], slope;
    for (int i = 0; i < 12; ++i)
        there[i] = x[i] + s * d[i];
    const double after = candidate_energy_along(candidate, there, d, &slope);
    trial->difference += after - before;
    trial->slope += slope;
    trial->magnitude += isfinite(after) ? after + before : 0;
}

static void try_friction(const BarrierContact *contact, const FrictionContact *friction, const double *x,
                         const double *d, int count, const double *steps, ContactTrial *trials)
{
    double at[12], base[12], along[12], there[12], gradient[12];
    gather_nodes(friction->nodes, x, at);
    gather_nodes(friction->nodes, d, along);
    gather_nodes(friction->nodes, contact->base, base);
    const double before = friction_energy(friction, &contact->law, at, base);
    for (int t = 0; t < count; ++t) {
        for (int i = 0; i < 12; ++i)
            there[i] = at[i] + steps[t] * along[i];
        const double after = friction_energy(friction, &contact->law, there, base);
        trials[t].difference += after - before;
        trials[t].magnitude += after + before;
        friction_gradient(friction, &contact->law, there, base, gradient);
        for (int i = 0; i < 12; ++i)
            trials[t].slope += gradient[i] * along[i];
    }
}

void barrier_trials(BarrierContact *contact, const double *x, const double *d, int count, const double *steps,
                    ContactTrial *trials)
{
    int32_t candidates;
    const Candidate *items = candidate_list_items(contact->list, &candidates);
    const int32_t chunks = chunk_count(contact);
#pragma omp parallel for schedule(dynamic, 4) num_threads(contact->threads)
    for (int32_t c = 0; c < chunks; ++c) {
        ContactTrial *sums = contact->chunks[c].trials;
        double from[12], along[12];
        memset(sums, 0, sizeof contact->chunks[c].trials);
        for (int32_t i = c * CANDIDATES_PER_CHUNK; i < chunk_end(c, candidates); ++i) {
            gather_nodes(items[i].nodes, x, from);
            gather_nodes(items[i].nodes, d, along);
            const double before =
                items[i].gap < items[i].barrier.range ? candidate_energy(&items[i], from) : 0;
            for (int t = 0; t < count; ++t)
                try_pair(&items[i], from, along, steps[t], before, &sums[t]);
        }
    }
    memset(trials, 0, (size_t)count * sizeof *trials);
    for (int32_t k = 0; k < contact->friction_count; ++k)
        try_friction(contact, &contact->friction[k], x, d, count, steps, trials);
    for (int32_t c = 0; c < chunks; ++c)
        for (int t = 0; t < count; ++t) {
            trials[t].difference += contact->chunks[c].trials[t].difference;
            trials[t].slope += contact->chunks[c].trials[t].slope;
            trials[t].magnitude += contact->chunks[c].trials[t].magnitude;
        }
}

// ---------------------------------------------------------------- at any positions

VelaResult barrier_measure(BarrierContact *contact, const double *x, ContactMeasure *measure)
{
    TRY(stand(contact, x));
    int32_t count;
    const Candidate *items = candidate_list_items(contact->list, &count);
    const int32_t chunks = chunk_count(contact);
#pragma omp parallel for schedule(static) num_threads(contact->threads)
    for (int32_t c = 0; c < chunks; ++c) {
        ContactMeasure *own = &contact->chunks[c].measure;
        double at[12];
        *own = (ContactMeasure){.min_distance = INFINITY};
        for (int32_t i = c * CANDIDATES_PER_CHUNK; i < chunk_end(c, count); ++i) {
            gather_nodes(items[i].nodes, x, at);
            own->energy += candidate_energy(&items[i], at);
            const double gap = candidate_gap(&items[i], at);
            if (gap < own->min_distance) {
                own->min_distance = gap;
                memcpy(own->nodes, items[i].nodes, sizeof own->nodes);
            }
        }
    }
    *measure = (ContactMeasure){.min_distance = INFINITY};
    for (int32_t c = 0; c < chunks; ++c) {
        const ContactMeasure *own = &contact->chunks[c].measure;
        const double energy = measure->energy + own->energy;
        if (own->min_distance < measure->min_distance)
            *measure = *own;
        measure->energy = energy;
    }
    return VELA_OK;
}

VelaResult barrier_gradient(BarrierContact *contact, const double *x, double *gradient)
{
    TRY(stand(contact, x));
    TRY(find_active(contact, x));
    int32_t count;
    const Candidate *items = candidate_list_items(contact->list, &count);
    for (int32_t k = 0; k < contact->active_count; ++k) {
        const Candidate *candidate = &items[contact->active[k]];
        double at[12], own[12];
        gather_nodes(candidate->nodes, x, at);
        if (!candidate_gradient(candidate, at, own))
            continue;
        for (int i = 0; i < 12; ++i)
            gradient[3 * (size_t)candidate->nodes[i / 3] + (size_t)(i % 3)] += own[i];
    }
    return VELA_OK;
}
