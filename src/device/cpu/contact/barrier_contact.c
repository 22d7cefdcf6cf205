#include "device/cpu/contact/barrier_contact.h"

#include "device/cpu/contact/candidate_terms.h"

#include <string.h>

VelaResult barrier_begin(BarrierContact *contact, const double *x, const double *v, const double *base,
                         double slip_time, double time)
{
    contact->base = base;
    contact->slip_time = slip_time;
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

VelaResult barrier_safe_part(BarrierContact *contact, double *safe)
{
    const int32_t count = contact->candidates.count, chunks = barrier_chunk_count(count);
    const double *x = contact->x, *d = contact->d; // as the sweep left them
#pragma omp parallel for schedule(dynamic, barrier_chunks_at_once(chunks)) num_threads(contact->threads)
    for (int32_t c = 0; c < chunks; ++c) {
        double least = 1, from[12], along[12];
        const int32_t end = context_goes_on(contact->arena.context) ? barrier_chunk_end(c, count) : 0;
        CandidateWalk walk = candidate_walk_from(&contact->candidates, c * CANDIDATES_PER_CHUNK);
        for (int32_t i = c * CANDIDATES_PER_CHUNK; i < end; ++i) {
            const Candidate *candidate = candidate_walk_next(&walk);
            if (!candidate->approaches || !any_moves(contact->moving, candidate->vertices))
                continue;
            gather_vertices(candidate->vertices, x, from);
            gather_vertices(candidate->vertices, d, along);
            least = fmin(least, candidate_safe_part(candidate, from, along));
        }
        contact->chunks[c].safe = least;
    }
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
