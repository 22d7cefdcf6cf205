#include "device/cpu/contact/barrier_contact.h"

#include "device/cpu/contact/candidate_terms.h"

#include <string.h>

VelaResult barrier_begin(BarrierContact *contact, const double *x, const double *v, const double *base,
                         double slip_time, double time)
{
    contact->slip_time = slip_time;
    if (contact->model->contact.has_friction)
        barrier_vertices(contact, base, contact->from);
    x = barrier_vertices(contact, x, contact->x);
    TRY(barrier_stand(contact, x));
    return barrier_lag_friction(contact, x, v, time);
}

// ---------------------------------------------------------------- the safe part of a motion

VelaResult barrier_sweep(BarrierContact *contact, const double *x, const double *d)
{
    return barrier_sweep_vertices(contact, barrier_vertices(contact, x, contact->x),
                                  barrier_vertices(contact, d, contact->d));
}

// Of the vertices' motion as the sweep left it.
static double safe_part_of_chunk(const BarrierContact *contact, int32_t chunk)
{
    const int32_t first = chunk * CANDIDATES_PER_CHUNK,
                  end = context_goes_on(contact->arena.context)
                            ? barrier_chunk_end(chunk, contact->candidates.count)
                            : first;
    double least = 1, from[12], along[12];
    CandidateWalk walk = candidate_walk_from(&contact->candidates, first);
    for (int32_t i = first; i < end; ++i) {
        const Candidate *candidate = candidate_walk_next(&walk);
        if (!candidate->approaches || !any_moves(contact->moving, candidate->vertices))
            continue;
        gather_vertices(candidate->vertices, contact->x, from);
        gather_vertices(candidate->vertices, contact->d, along);
        least = fmin(least, candidate_safe_part(candidate, from, along));
    }
    return least;
}

VelaResult barrier_safe_part(BarrierContact *contact, double *safe)
{
    const int32_t count = contact->candidates.count, chunks = barrier_chunk_count(count);
    TeamLoop loop;
    team_loop_set(&loop, chunks, 1, contact->threads);
#pragma omp parallel num_threads(contact->threads) if (chunks > 1)
    for (TeamWalk walk = {0}; team_loop_next(&loop, &walk);)
        contact->chunks[walk.first].safe = safe_part_of_chunk(contact, walk.first);
    *safe = 1;
    for (int32_t c = 0; c < chunks; ++c)
        *safe = fmin(*safe, contact->chunks[c].safe);
    return context_breathe(contact->arena.context);
}

// ---------------------------------------------------------------- at any positions

VelaResult barrier_measure(BarrierContact *contact, const double *x, ContactMeasure *measure)
{
    x = barrier_vertices(contact, x, contact->x);
    TRY(barrier_stand(contact, x));
    const int32_t count = contact->candidates.count, chunks = barrier_chunk_count(count);
#pragma omp parallel for schedule(static) num_threads(contact->threads)
    for (int32_t c = 0; c < chunks; ++c) {
        ContactMeasure *own = &contact->chunks[c].measure;
        double at[12];
        *own = (ContactMeasure){.min_distance = INFINITY};
        // The list is of x alone: all are within their range, and their gap is that at x.
        CandidateWalk walk = candidate_walk_from(&contact->candidates, c * CANDIDATES_PER_CHUNK);
        for (int32_t i = c * CANDIDATES_PER_CHUNK; i < barrier_chunk_end(c, count); ++i) {
            const Candidate *candidate = candidate_walk_next(&walk);
            gather_vertices(candidate->vertices, x, at);
            own->energy += candidate_energy_before(candidate, at);
            if (candidate->gap < own->min_distance) {
                own->min_distance = candidate->gap;
                memcpy(own->vertices, candidate->vertices, sizeof own->vertices);
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
    x = barrier_vertices(contact, x, contact->x);
    TRY(barrier_stand(contact, x));
    TRY(barrier_find_active(contact, x));
    const int32_t active = contact->active_count;
    TRY(ARENA_GROW(&contact->growing, contact->gradients, &contact->gradient_capacity, (size_t)active));
#pragma omp parallel for schedule(static) num_threads(contact->threads) if (active > CANDIDATES_PER_CHUNK)
    for (int32_t k = 0; k < active; ++k) {
        const Candidate candidate = barrier_active(contact, k);
        PairGradient *own = &contact->gradients[k];
        double at[12];
        gather_vertices(candidate.vertices, x, at);
        memcpy(own->vertices, candidate.vertices, sizeof own->vertices);
        if (!candidate_gradient(&candidate, at, own->values))
            own->vertices[0] = -1;
    }
    barrier_pull_back(contact, active, gradient);
    return VELA_OK;
}
