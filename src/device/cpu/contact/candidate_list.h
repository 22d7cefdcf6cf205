/// What the files of the broad phase (candidates.h) share: the list, and the tasks that a sweep is made of.
#ifndef DEVICE_CPU_CONTACT_CANDIDATE_LIST_H
#define DEVICE_CPU_CONTACT_CANDIDATE_LIST_H

#include "base/team.h"
#include "device/cpu/contact/candidate_spans.h"
#include "device/cpu/contact/joined_candidates.h"
#include "device/cpu/contact/owner_pairs.h"
#include "device/cpu/contact/owner_trees.h"
#include "device/cpu/contact/pair_pool.h"

/// What a task looks at.
typedef enum TaskKind {
    TASK_POINT_TRIANGLE, ///< leaves of vertices of one owner against all triangles of another
    TASK_EDGE_EDGE,
    TASK_POINT_EDGE,
    TASK_SMALL, ///< all of a small owner against all of some small ones
    TASK_POOL,  ///< pairs of a pool
    TASK_PLANE  ///< vertices against a plane
} TaskKind;

typedef struct Task {
    TaskKind kind;
    Frame frame;
    int32_t owners[2]; ///< of TASK_SMALL the first alone; of TASK_PLANE the plane's index
    int32_t maker;     ///< of TASK_SMALL: the thread that has the partners
    size_t first, end; ///< leaves, places in the partners, pairs, or vertices
    int runner;        ///< the thread that did it, and where what it found is
    size_t found, count;
    size_t asked, looked; ///< of TASK_POOL: pairs of which a vertex may move, and those that were looked at
    size_t vain;          ///< of the latter those that are no candidates
} Task;

/// What one thread found in a sweep.
typedef struct Found {
    Arena arena;
    void *results; ///< candidates, or pairs of a pool
    PoolPair
        waiting[POOL_PAIRS_MOST]; ///< until there are as many as are looked at together, or the task ends
    int waiting_count;
    int32_t *partners;
    Task *tasks;
    size_t count, bytes; ///< how many, and room for them
    size_t partner_count, task_count, partner_capacity, task_capacity;
    int64_t steps, partners_met; ///< of the walks through the tree over owners
    VelaResult result;
    SmallTrees *room; ///< for two owners
    JoiningRoom *joining;
} Found;

static inline Candidate *found_candidates(const Found *found)
{
    return found->results;
}

static inline PoolPair *found_pairs(const Found *found)
{
    return found->results;
}

/// Where the tasks of an owner are.
typedef struct OwnerTasks {
    int thread;
    size_t first, count; ///< among the thread's
} OwnerTasks;

typedef struct CandidateList {
    VelaContext *context;
    const Model *model;
    const Kernels *kernels;
    int threads;
    Arena arena;   ///< what lives as long as the list
    Arena growing; ///< tasks and candidates
    double *rest;  ///< the vertices in the rest shape
    OwnerTrees trees;
    OwnerPairs pairs;
    OwnerTasks *owner_tasks; ///< of every owner
    Task *tasks;
    FoundPairs *found_pairs; ///< of every task
    size_t task_count, task_capacity, found_pairs_capacity;
    PairPool pools[FRAME_COUNT];
    int32_t fills, renewals; ///< of pools
    bool joins;
    const uint8_t *moving; ///< as candidate_list_limit says: NULL or `marks`
    uint8_t
        *marks; ///< of every vertex; small owners have all or none, for what is joined moves or not as one
    uint8_t *owner_moves; ///< of every owner: whether one of its vertices is marked there
    bool is_limited;      ///< the list has no others; they are aside
    Found *found;         ///< one a thread
    CandidateSpan *spans; ///< in what the threads have found, or one in `gathered`
    Candidate *gathered, *aside;
    size_t count, span_count, aside_count, span_capacity, gathered_capacity, aside_capacity;
} CandidateList;

static inline bool candidate_owner_is_small(const CandidateList *list, int32_t owner)
{
    return list->trees.large[owner] < 0;
}

/// Runs a task; what it finds is with the thread that does. x NULL: the pairs of a pool are found, else the candidates of the motion from x to x + p.
void candidate_task_run(CandidateList *list, Task *task, const double *x, const double *p);

#endif
