/// A list of candidates as it lies where the tasks of a sweep have found it: spans of them, in the order of the list.
#ifndef DEVICE_CPU_CONTACT_CANDIDATE_SPANS_H
#define DEVICE_CPU_CONTACT_CANDIDATE_SPANS_H

#include "device/cpu/contact/candidate.h"

#include <stddef.h>

/// Candidates that lie one after the other; there is one at least.
typedef struct CandidateSpan {
    Candidate *candidates;
    size_t first; ///< number of the first in the list
    size_t count;
} CandidateSpan;

typedef struct CandidateSpans {
    const CandidateSpan *spans;
    size_t span_count;
    int32_t count; ///< of candidates
} CandidateSpans;

/// Where a walk over a list is.
typedef struct CandidateWalk {
    const CandidateSpan *span;
    const Candidate *next, *end; ///< in the span
} CandidateWalk;

/// From candidate number `first` on, below the list's count.
static inline CandidateWalk candidate_walk_from(const CandidateSpans *list, int32_t first)
{
    size_t low = 0, high = list->span_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (list->spans[middle].first <= (size_t)first)
            low = middle;
        else
            high = middle;
    }
    const CandidateSpan *span = &list->spans[low];
    return (CandidateWalk){span, span->candidates + ((size_t)first - span->first),
                           span->candidates + span->count};
}

/// The next one; there has to be one.
static inline const Candidate *candidate_walk_next(CandidateWalk *walk)
{
    if (walk->next == walk->end) {
        ++walk->span;
        walk->next = walk->span->candidates;
        walk->end = walk->next + walk->span->count;
    }
    return walk->next++;
}

#endif
