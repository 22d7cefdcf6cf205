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

VelaResult barrier_lag_friction(BarrierContact *contact, const double *x, const double *v, double time)
{
    const ContactDef *def = &contact->model->scene->contact;
    const ModelContact *surfaces = &contact->model->contact;
    contact->friction_count = 0;
    contact->law =
        friction_law(def->friction_model == FRICTION_SEMI_IMPLICIT, def->friction_speed, contact->slip_time);
    if (!surfaces->has_friction)
        return VELA_OK;
    find_turns(contact, time - contact->slip_time, time);
    TRY(barrier_find_active(contact, x));
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
        gather_vertices(candidate->vertices, x, at);
        memcpy(friction->vertices, candidate->vertices, sizeof friction->vertices);
        friction->coefficient = coefficient * candidate_force(candidate, at, friction->weights, r);
        if (friction->coefficient == 0)
            continue;
        tangent_basis(r, friction->tangents);
        memset(friction->drift, 0, sizeof friction->drift);
        find_drift(contact, candidate, at, r, friction->drift);
        if (def->friction_model == FRICTION_SEMI_IMPLICIT)
            friction->coefficient /=
                fmax(slip_speed(&contact->model->surface.map, friction, v, contact->slip_time),
                     def->friction_speed);
        ++contact->friction_count;
    }
    return VELA_OK;
}

void barrier_friction_gradient(const BarrierContact *contact, const double *x, double *gradient)
{
    if (contact->friction_count == 0)
        return;
    x = barrier_vertices(contact, x, contact->x);
    const double *from = barrier_vertices(contact, contact->base, contact->from);
    for (int32_t k = 0; k < contact->friction_count; ++k) {
        const FrictionContact *friction = &contact->friction[k];
        double at[12], base[12], own[12];
        gather_vertices(friction->vertices, x, at);
        gather_vertices(friction->vertices, from, base);
        friction_gradient(friction, &contact->law, at, base, own);
        for (int c = 0; c < 4; ++c)
            surface_map_pull_back(&contact->model->surface.map, friction->vertices[c], own + 3 * c, gradient);
    }
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

DissipationLoss barrier_friction_loss(const BarrierContact *contact, const double *x, const double *x0,
                                      const double *x1, double duration)
{
    DissipationLoss loss = {0};
    if (contact->friction_count == 0)
        return loss;
    x = barrier_vertices(contact, x, contact->x);
    const double *from = barrier_vertices(contact, contact->base, contact->from);
    for (int32_t k = 0; k < contact->friction_count; ++k) {
        const FrictionContact *friction = &contact->friction[k];
        double at[12], base[12], pull[3];
        gather_vertices(friction->vertices, x, at);
        gather_vertices(friction->vertices, from, base);
        friction_pull(friction, &contact->law, at, base, pull);
        loss.all += dot3(pull, friction->drift) * (duration / contact->slip_time);
        for (int c = 0; c < 4; ++c)
            add_loss(contact->model, friction->vertices[c], friction->weights[c], pull, x0, x1, &loss);
    }
    return loss;
}

// `from`: the vertices where the slip is measured from.
static void try_contact(const BarrierContact *contact, const FrictionContact *friction, const double *x,
                        const double *d, const double *from, int count, const double *steps,
                        ContactTrial *trials)
{
    double at[12], base[12], along[12], there[12], gradient[12];
    gather_vertices(friction->vertices, x, at);
    gather_vertices(friction->vertices, d, along);
    gather_vertices(friction->vertices, from, base);
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

void barrier_try_friction(const BarrierContact *contact, const double *x, const double *d, int count,
                          const double *steps, ContactTrial *trials)
{
    if (contact->friction_count == 0)
        return;
    const double *from = barrier_vertices(contact, contact->base, contact->from);
    for (int32_t k = 0; k < contact->friction_count; ++k)
        try_contact(contact, &contact->friction[k], x, d, from, count, steps, trials);
}
