#include "device/cpu/linear/coarse_factor.h"

#include <omp.h>
#include <string.h>

/// Halves are made where what has to be done one after the other, in parts, becomes less than this share of all.
static const double HALVES_MOST = 0.75;

/// Fewer parts behind the halves are one thread's: it takes longer to see what others have written than to do it.
enum { SHARED_REST_LEAST = 4 };

// ---------------------------------------------------------------- the order

/// Where the parts are cut into halves.
typedef struct Cut {
    int32_t part;        ///< the first of the second half; 0: they are not
    bool upper;          ///< what couples them is of the second half, otherwise of the first
    int32_t *low, *high; ///< of every part, the first and the last one that it is coupled to, itself included
} Cut;

static void find_reach(const CoarseSpace *space, const Cut *cut)
{
    const int32_t parts = space->matrix->part_count;
    for (int32_t part = 0; part < parts; ++part)
        cut->low[part] = cut->high[part] = part;
    for (int32_t part = 0; part < parts; ++part)
        for (int32_t other = part + 1; other < parts; ++other)
            if (coarse_couples(space, part, other)) {
                cut->high[part] = other;
                cut->low[other] = part < cut->low[other] ? part : cut->low[other];
            }
}

static int32_t largest(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// The cut that leaves the least to be done one after the other: the larger half, and what comes behind both.
static void find_cut(const CoarseSpace *space, Cut *cut)
{
    const int32_t parts = space->matrix->part_count;
    int32_t above[PARTS_MOST + 2] = {0}, below[PARTS_MOST + 2] = {0}; // changes from cut to cut
    find_reach(space, cut);
    for (int32_t part = 0; part < parts; ++part) {
        ++above[cut->low[part] + 1];
        --above[part + 1];
        ++below[part + 1];
        --below[cut->high[part] + 1];
    }
    int32_t least = (int32_t)(HALVES_MOST * parts) + 1;
    cut->part = 0;
    for (int32_t part = 1, upper = 0, lower = 0; part < parts; ++part) {
        upper += above[part]; // parts from here on that are coupled to one before, and the other way round
        lower += below[part];
        const bool is_upper = upper <= lower;
        const int32_t left = is_upper ? largest(part, parts - part - upper) + upper
                                      : largest(part - lower, parts - part) + lower;
        if (left < least) {
            least = left;
            cut->part = part;
            cut->upper = is_upper;
        }
    }
}

static bool is_behind(const Cut *cut, int32_t part)
{
    return cut->part == 0 || (cut->upper ? part >= cut->part && cut->low[part] < cut->part
                                         : part < cut->part && cut->high[part] >= cut->part);
}

// Halves are eliminated towards each other, for neighbours follow one another.
static void set_order(CoarseOrder *order, const Cut *cut, int32_t parts)
{
    int32_t next = 0;
    for (int32_t part = 0; part < cut->part; ++part)
        if (!is_behind(cut, part))
            order->parts[next++] = part;
    order->ends[0] = next;
    for (int32_t part = parts; part-- > cut->part;)
        if (!is_behind(cut, part))
            order->parts[next++] = part;
    order->ends[1] = next;
    for (int32_t part = 0; part < parts; ++part)
        if (is_behind(cut, part))
            order->parts[next++] = part;
    for (int32_t turn = 0; turn < parts; ++turn)
        order->turns[order->parts[turn]] = turn;
}

/// What a pair of parts has where its block stands in the factor: in the rows of the part whose turn comes first.
enum {
    COUPLED = 1,
    COUPLED_ACROSS, ///< its block stands the other way round as yet
    FILLED_IN       ///< has none as yet, it is 0
};

static uint8_t *pair_of(const CoarseSpace *space, int32_t part, int32_t other)
{
    return space->couples + (size_t)space->matrix->part_count * (size_t)part + (size_t)other;
}

// The parts behind each that it is coupled to. Eliminating it couples them with each other.
static void find_later(CoarseSpace *space)
{
    const CoarseOrder *order = &space->order;
    const int32_t parts = space->matrix->part_count;
    for (int32_t part = 0; part < parts; ++part)
        for (int32_t other = part + 1; other < parts; ++other)
            if (order->turns[part] > order->turns[other] && coarse_couples(space, part, other))
                *pair_of(space, other, part) = COUPLED_ACROSS;
    for (int32_t turn = 0; turn < parts; ++turn) {
        const int32_t part = order->parts[turn];
        int32_t *later = space->later + (size_t)parts * (size_t)part, count = 0;
        for (int32_t behind = turn + 1; behind < parts; ++behind)
            if (coarse_couples(space, part, order->parts[behind]))
                later[count++] = order->parts[behind];
        for (int32_t a = 0; a < count; ++a)
            for (int32_t b = a + 1; b < count; ++b)
                if (!coarse_couples(space, later[a], later[b]))
                    *pair_of(space, later[a], later[b]) = FILLED_IN;
        space->later_count[part] = count;
    }
}

static void find_order(CoarseSpace *space)
{
    int32_t low[PARTS_MOST], high[PARTS_MOST];
    Cut cut = {.low = low, .high = high};
    find_cut(space, &cut);
    set_order(&space->order, &cut, space->matrix->part_count);
    find_later(space);
}

// The blocks that a part's rows have in the factor, as they are in the matrix.
static void begin_rows(CoarseSpace *space, int32_t part)
{
    for (int32_t p = 0; p < space->later_count[part]; ++p) {
        const int32_t other = coarse_later(space, part)[p];
        const uint8_t pair = *pair_of(space, part, other);
        const double *across = coarse_block(space, other, part);
        double *block = coarse_block(space, part, other);
        for (int k = 0; k < COARSE_MODES && pair != COUPLED; ++k)
            for (int l = 0; l < COARSE_MODES; ++l)
                block[COARSE_MODES * k + l] = pair == COUPLED_ACROSS ? across[COARSE_MODES * l + k] : 0;
    }
}

// ---------------------------------------------------------------- the factor

static void factor_half(const Kernels *kernels, CoarseSpace *space, int half)
{
    const CoarseOrder *order = &space->order;
    const int32_t first = half == 0 ? 0 : order->ends[0];
    for (int32_t turn = first; turn < order->ends[half]; ++turn)
        begin_rows(space, order->parts[turn]);
    for (int32_t turn = first; turn < order->ends[half]; ++turn) {
        const int32_t part = order->parts[turn], *later = coarse_later(space, part);
        kernels->coarse_factor_part(space, part);
        for (int32_t p = 0; p < space->later_count[part] && order->turns[later[p]] < order->ends[half]; ++p)
            kernels->coarse_take_part(space, part, p);
    }
}

// A thread takes a part, which is factored, from those of its own that are behind it and behind both halves.
static void take_part(const Kernels *kernels, CoarseSpace *space, int32_t part, int owners)
{
    const CoarseOrder *order = &space->order;
    const int32_t *later = coarse_later(space, part);
    for (int32_t p = 0; p < space->later_count[part]; ++p) {
        const int32_t turn = order->turns[later[p]];
        if (turn >= order->ends[1] && turn % owners == omp_get_thread_num())
            kernels->coarse_take_part(space, part, p);
    }
}

// Each part's rows are one thread's, which factors it as soon as it can.
static void factor_rest(const Kernels *kernels, CoarseSpace *space, Team *team)
{
    const CoarseOrder *order = &space->order;
    const int32_t parts = space->matrix->part_count;
    const int thread = omp_get_thread_num(),
              owners = parts - order->ends[1] < SHARED_REST_LEAST ? 1 : omp_get_num_threads();
    for (int32_t turn = order->ends[1]; turn < parts; ++turn)
        if (turn % owners == thread)
            begin_rows(space, order->parts[turn]);
    for (int32_t turn = 0; turn < order->ends[1]; ++turn)
        take_part(kernels, space, order->parts[turn], owners);
    for (int32_t turn = order->ends[1]; turn < parts; ++turn) {
        if (turn % owners == thread)
            kernels->coarse_factor_part(space, order->parts[turn]);
        if (owners > 1)
            team_wait(team);
        take_part(kernels, space, order->parts[turn], owners);
    }
}

void coarse_factor(const Kernels *kernels, CoarseSpace *space, Team *team)
{
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    if (thread == 0)
        find_order(space);
    team_wait(team);
    for (int half = 0; half < 2; ++half)
        if (half % threads == thread)
            factor_half(kernels, space, half);
    team_wait(team);
    factor_rest(kernels, space, team);
}

// ---------------------------------------------------------------- solving

// Whether each half is a thread's.
static bool is_shared(const CoarseSpace *space)
{
    return omp_get_num_threads() > 1 && space->order.ends[0] > 0;
}

static void begin_second(const Kernels *kernels, CoarseSpace *space)
{
    const int32_t *ends = space->order.ends;
    memset(space->carry, 0, (size_t)space->size * sizeof *space->carry);
    space->products[1] = kernels->coarse_forward(space, ends[0], ends[1], space->carry);
}

static void solve_rest(const Kernels *kernels, CoarseSpace *space)
{
    const CoarseOrder *order = &space->order;
    const int32_t parts = space->matrix->part_count;
    for (int32_t turn = order->ends[1]; turn < parts; ++turn)
        for (int k = 0; k < COARSE_MODES; ++k)
            space->right[COARSE_MODES * order->parts[turn] + k] +=
                space->carry[COARSE_MODES * order->parts[turn] + k];
    space->products[2] = kernels->coarse_forward(space, order->ends[1], parts, space->right);
    kernels->coarse_backward(space, order->ends[1], parts);
}

void coarse_begin_solve(const Kernels *kernels, CoarseSpace *space)
{
    const int32_t *ends = space->order.ends;
    const bool shared = is_shared(space);
    if (omp_get_thread_num() == (shared ? 1 : 0)) {
        begin_second(kernels, space);
        if (shared)
            team_signal(&space->second);
    }
    if (omp_get_thread_num() > 0)
        return;
    space->products[0] = kernels->coarse_forward(space, 0, ends[0], space->right);
    if (shared)
        team_await(&space->second, team_signals(&space->rest) + 1);
    solve_rest(kernels, space);
    if (shared)
        team_signal(&space->rest);
    kernels->coarse_backward(space, 0, ends[0]);
    if (!shared)
        kernels->coarse_backward(space, ends[0], ends[1]);
}

void coarse_end_solve(const Kernels *kernels, CoarseSpace *space)
{
    if (!is_shared(space) || omp_get_thread_num() != 1)
        return;
    team_await(&space->rest, team_signals(&space->second));
    kernels->coarse_backward(space, space->order.ends[0], space->order.ends[1]);
}

double coarse_product(const CoarseSpace *space)
{
    return space->products[0] + space->products[1] + space->products[2];
}
