/// The candidates of a list one after the other, for tests that ask for them by number.
#ifndef TESTS_CANDIDATE_ITEMS_H
#define TESTS_CANDIDATE_ITEMS_H

#include "check_main.h"

#include "device/cpu/contact/candidates.h"

/// Valid until the next sweep.
static inline const Candidate *candidate_list_items(CandidateList *list, int32_t *count)
{
    ck_assert_int_eq(candidate_list_gather(list), VELA_OK);
    const CandidateSpans spans = candidate_list_spans(list);
    *count = spans.count;
    return spans.count > 0 ? spans.spans->candidates : NULL;
}

#endif
