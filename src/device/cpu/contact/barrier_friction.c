#include "device/cpu/contact/barrier_friction.h"

#include "device/cpu/contact/candidate_terms.h"
#include "geometry/tangent.h"

#include <string.h>

// Tangential speed of a contact, m/s; its slip within the step if all goes on as it does.
static double slip_speed(const SurfaceMap *map, const FrictionContact *friction, const double *v, double step)
{
    static const double start[12];
    double way[12], u[2];
    for (int c = 0; c < 4; ++c)
        surface_map_vertex(map, friction->vertices[c], v, way + 3 * c);
    for (int i = 0; i < 12; ++i)
        way[i] *= step;
    return friction_slip(friction, way, start, u) / step;
}

// 1 - Q^T of the planes and spheres, Q being how far they turn from `from` to `to`: their vertices do not show it.
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

// How a turning plane or sphere moves where it is touched, seen from the other side of the contact and beyond what its
// vertex does. `r` as candidate_force gives it, `x` the contact's vertices.
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

// What rubs at a candidate within its range; false: nothing.
static bool lag_contact(const BarrierContact *contact, const Candidate *candidate, const double *x,
                        const double *v, FrictionContact *friction)
{
    const ContactDef *def = &contact->model->scene->contact;
    const double coefficient =
        model_contact_friction(&contact->model->contact, candidate->owners[0], candidate->owners[1]);
    double at[12], r[3] = {0};
    if (coefficient == 0)
        return false;
    gather_vertices(candidate->vertices, x, at);
    *friction = (FrictionContact){.dual = {FRICTION_UNKNOWN}};
    memcpy(friction->vertices, candidate->vertices, sizeof friction->vertices);
    friction->coefficient = coefficient * candidate_force(candidate, at, friction->weights, r);
    if (friction->coefficient == 0)
        return false;
    tangent_basis(r, friction->tangents);
    find_drift(contact, candidate, at, r, friction->drift);
    if (def->friction_model == FRICTION_SEMI_IMPLICIT)
        friction->coefficient /= fmax(
            slip_speed(&contact->model->surface.map, friction, v, contact->slip_time), def->friction_speed);
    return true;
}

VelaResult barrier_lag_friction(BarrierContact *contact, const double *x, const double *v, double time)
{
    const ContactDef *def = &contact->model->scene->contact;
    contact->friction_count = 0;
    contact->law =
        friction_law(def->friction_model == FRICTION_SEMI_IMPLICIT, def->friction_speed, contact->slip_time);
    if (!contact->model->contact.has_friction)
        return VELA_OK;
    find_turns(contact, time - contact->slip_time, time);
    TRY(barrier_find_active(contact, x));
    TRY(ARENA_GROW(&contact->growing, contact->friction, &contact->friction_capacity,
                   (size_t)contact->active_count));
    const int32_t count = contact->active_count;
    if (count == 0)
        return VELA_OK;
    const int parts = barrier_part_count(contact, count);
    TeamLoop loop;
    team_loop_set(&loop, parts, 1, contact->threads);
#pragma omp parallel num_threads(contact->threads) if (parts > 1)
    for (TeamWalk walk = {0}; team_loop_next(&loop, &walk);) {
        const int t = walk.first;
        const int32_t first = barrier_part_first(count, t, parts),
                      end = barrier_part_first(count, t + 1, parts);
        int32_t next = first;
        for (int32_t k = first; k < end; ++k) {
            const Candidate candidate = barrier_active(contact, k);
            next += lag_contact(contact, &candidate, x, v, &contact->friction[next]);
        }
        contact->active_parts[t] = (ActivePart){.first = first, .count = next - first};
    }
    for (int t = 0; t < parts; ++t) {
        const ActivePart *part = &contact->active_parts[t];
        memmove(contact->friction + contact->friction_count, contact->friction + part->first,
                (size_t)part->count * sizeof *contact->friction);
        contact->friction_count += part->count;
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- what rubs, one after the other

/// Where a contact is and where its slip is measured from.
typedef struct Slip {
    double at[12], base[12];
} Slip;

// `x` and `from`: all vertices.
static Slip find_slip(const FrictionContact *friction, const double *x, const double *from)
{
    Slip slip;
    gather_vertices(friction->vertices, x, slip.at);
    gather_vertices(friction->vertices, from, slip.base);
    return slip;
}

VelaResult barrier_friction_gradient(BarrierContact *contact, const double *x, double *gradient)
{
    const int32_t count = contact->friction_count;
    if (count == 0)
        return VELA_OK;
    TRY(ARENA_GROW(&contact->growing, contact->gradients, &contact->gradient_capacity, (size_t)count));
    x = barrier_vertices(contact, x, contact->x);
#pragma omp parallel for schedule(static) num_threads(contact->threads) if (count > CANDIDATES_PER_CHUNK)
    for (int32_t k = 0; k < count; ++k) {
        const FrictionContact *friction = &contact->friction[k];
        const Slip slip = find_slip(friction, x, contact->from);
        PairGradient *own = &contact->gradients[k];
        memcpy(own->vertices, friction->vertices, sizeof own->vertices);
        friction_gradient(friction, &contact->law, slip.at, slip.base, own->values);
    }
    barrier_pull_back(contact, count, gradient);
    return VELA_OK;
}

// Adds what a pull (N) on a vertex takes while its nodes move from x0 to x1.
static void add_loss(const Model *model, int32_t vertex, double weight, const double pull[3],
                     const double *x0, const double *x1, DissipationLoss *loss)
{
    const SurfaceMap *map = &model->surface.map;
    for (int32_t i = map->starts[vertex]; i < map->starts[vertex + 1]; ++i)
        for (int k = 0; k < 3; ++k) {
            const size_t at = 3 * (size_t)map->nodes[i] + (size_t)k;
            const double taken = weight * pull[k] * (map->weights[i] * (x1[at] - x0[at]));
            loss->all += taken;
            loss->free += model->node_is_free[map->nodes[i]] ? taken : 0;
        }
}

// Of one contact, whose slip is measured from `from`, while the nodes move from x0 to x1.
static void add_contact_loss(const BarrierContact *contact, const FrictionContact *friction, const double *x,
                             const double *from, const double *x0, const double *x1, double duration,
                             DissipationLoss *loss)
{
    const Slip slip = find_slip(friction, x, from);
    double pull[3];
    friction_pull(friction, &contact->law, slip.at, slip.base, pull);
    loss->all += dot3(pull, friction->drift) * (duration / contact->slip_time);
    for (int c = 0; c < 4; ++c)
        add_loss(contact->model, friction->vertices[c], friction->weights[c], pull, x0, x1, loss);
}

DissipationLoss barrier_friction_loss(const BarrierContact *contact, const double *x, const double *x0,
                                      const double *x1, double duration)
{
    DissipationLoss loss = {0};
    const int32_t count = contact->friction_count, chunks = barrier_chunk_count(count);
    if (count == 0)
        return loss;
    x = barrier_vertices(contact, x, contact->x);
#pragma omp parallel for schedule(static) num_threads(contact->threads) if (chunks > 1)
    for (int32_t c = 0; c < chunks; ++c) {
        DissipationLoss *own = &contact->chunks[c].loss;
        *own = (DissipationLoss){0};
        for (int32_t k = c * CANDIDATES_PER_CHUNK; k < barrier_chunk_end(c, count); ++k)
            add_contact_loss(contact, &contact->friction[k], x, contact->from, x0, x1, duration, own);
    }
    for (int32_t c = 0; c < chunks; ++c) {
        loss.all += contact->chunks[c].loss.all;
        loss.free += contact->chunks[c].loss.free;
    }
    return loss;
}

// `from`: the vertices where the slip is measured from.
static void try_contact(const BarrierContact *contact, const FrictionContact *friction, const double *x,
                        const double *d, const double *from, int count, const double *steps,
                        ContactTrial *trials)
{
    const Slip slip = find_slip(friction, x, from);
    double along[12], there[12], gradient[12];
    gather_vertices(friction->vertices, d, along);
    const double before = friction_energy(friction, &contact->law, slip.at, slip.base);
    for (int t = 0; t < count; ++t) {
        for (int i = 0; i < 12; ++i)
            there[i] = slip.at[i] + steps[t] * along[i];
        const double after = friction_energy(friction, &contact->law, there, slip.base);
        trials[t].difference += after - before;
        trials[t].magnitude += after + before;
        friction_gradient(friction, &contact->law, there, slip.base, gradient);
        for (int i = 0; i < 12; ++i)
            trials[t].slope += gradient[i] * along[i];
    }
}

void barrier_try_friction(const BarrierContact *contact, const double *x, const double *d, int count,
                          const double *steps, ContactTrial *trials)
{
    const int32_t contacts = contact->friction_count, chunks = barrier_chunk_count(contacts);
    if (contacts == 0)
        return;
#pragma omp parallel for schedule(static) num_threads(contact->threads) if (chunks > 1)
    for (int32_t c = 0; c < chunks; ++c) {
        ContactTrial *sums = contact->chunks[c].trials;
        memset(sums, 0, sizeof contact->chunks[c].trials);
        for (int32_t k = c * CANDIDATES_PER_CHUNK; k < barrier_chunk_end(c, contacts); ++k)
            if (any_moves(contact->moving, contact->friction[k].vertices))
                try_contact(contact, &contact->friction[k], x, d, contact->from, count, steps, sums);
    }
    for (int32_t c = 0; c < chunks; ++c)
        for (int t = 0; t < count; ++t)
            contact_trial_add(&trials[t], &contact->chunks[c].trials[t]);
}
