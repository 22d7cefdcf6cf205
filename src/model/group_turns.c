#include "model/group_turns.h"

#include <math.h>
#include <string.h>

/// Groups that are eliminated together; sets of them are a bit each.
typedef struct Supernodes {
    int32_t count;
    uint64_t coupled[COARSE_SUPERNODES_MOST];
    int32_t order[COARSE_SUPERNODES_MOST]; ///< found so far
    int32_t found;
} Supernodes;

_Static_assert(COARSE_SUPERNODES_MOST == 64, "a set is a word");

static bool has(uint64_t set, int32_t supernode)
{
    return set >> supernode & 1;
}

static int32_t size(uint64_t set)
{
    int32_t count = 0;
    for (; set != 0; set &= set - 1)
        ++count;
    return count;
}

static int32_t first_of(uint64_t set)
{
    int32_t supernode = 0;
    while (!has(set, supernode))
        ++supernode;
    return supernode;
}

static void couple(const GroupCouples *couples, Supernodes *supernodes)
{
    supernodes->count = (couples->group_count + COARSE_ELIMINATED - 1) / COARSE_ELIMINATED;
    for (int32_t i = 0; i < couples->group_count; ++i)
        for (int32_t j = i + 1; j < couples->group_count; ++j) {
            const int32_t a = i / COARSE_ELIMINATED, b = j / COARSE_ELIMINATED;
            if (couples->of[i][j] && a != b) {
                supernodes->coupled[a] |= 1ULL << b;
                supernodes->coupled[b] |= 1ULL << a;
            }
        }
}

/// Those of a set that any of `from` is coupled to.
static uint64_t neighbours(const Supernodes *supernodes, uint64_t from, uint64_t set)
{
    uint64_t found = 0;
    for (int32_t s = 0; s < supernodes->count; ++s)
        found |= has(from, s) ? supernodes->coupled[s] : 0;
    return found & set;
}

/// Levels of a set by their distance from its supernode `start`; those that hang together with it. Returns their number.
static int32_t find_levels(const Supernodes *supernodes, uint64_t set, int32_t start,
                           uint64_t levels[COARSE_SUPERNODES_MOST])
{
    uint64_t next = 1ULL << start, left = set;
    int32_t count = 0;
    for (; next != 0; next = neighbours(supernodes, next, left)) {
        levels[count++] = next;
        left &= ~next;
    }
    return count;
}

static void append(Supernodes *supernodes, uint64_t set)
{
    for (; set != 0; set &= set - 1)
        supernodes->order[supernodes->found++] = first_of(set);
}

/// The level that parts the others best: it is one supernode after the other, and a side takes about twice the root of its size.
static int32_t choose_level(const uint64_t *levels, int32_t count)
{
    int32_t best = 1, all = 0, below = size(levels[0]);
    double least = INFINITY;
    for (int32_t k = 0; k < count; ++k)
        all += size(levels[k]);
    for (int32_t k = 1; k < count - 1; below += size(levels[k++])) {
        const int32_t own = size(levels[k]), above = all - below - own;
        const double depth = own + 2 * sqrt(below > above ? below : above);
        if (depth < least) {
            least = depth;
            best = k;
        }
    }
    return best;
}

static void dissect(Supernodes *supernodes, uint64_t set)
{
    while (set != 0) {
        uint64_t levels[COARSE_SUPERNODES_MOST], sides[2] = {0}, separator;
        // From one of its far ends.
        int32_t count = find_levels(supernodes, set, first_of(set), levels);
        count = find_levels(supernodes, set, first_of(levels[count - 1]), levels);
        const int32_t level = choose_level(levels, count);
        uint64_t component = 0;
        for (int32_t k = 0; k < count; ++k) {
            component |= levels[k];
            sides[k > level] |= k != level ? levels[k] : 0;
        }
        set &= ~component;
        if (count < 3) {
            append(supernodes, component);
            continue;
        }
        // What has to do with one side alone belongs to that.
        separator = neighbours(supernodes, sides[1], levels[level]);
        sides[0] |= levels[level] & ~separator;
        dissect(supernodes, sides[0]);
        dissect(supernodes, sides[1]);
        append(supernodes, separator);
    }
}

/// One after the other, each behind all that it is coupled to by then.
static int32_t count_levels(const Supernodes *supernodes)
{
    uint64_t coupled[COARSE_SUPERNODES_MOST], left = 0;
    int32_t levels[COARSE_SUPERNODES_MOST] = {0}, most = 0;
    memcpy(coupled, supernodes->coupled, sizeof coupled);
    for (int32_t s = 0; s < supernodes->count; ++s)
        left |= 1ULL << s;
    for (int32_t k = 0; k < supernodes->count; ++k) {
        const int32_t own = supernodes->order[k];
        left &= ~(1ULL << own);
        const uint64_t behind = coupled[own] & left;
        for (int32_t s = 0; s < supernodes->count; ++s)
            if (has(behind, s)) {
                coupled[s] |= behind;
                levels[s] = levels[own] + 1 > levels[s] ? levels[own] + 1 : levels[s];
            }
        most = levels[own] > most ? levels[own] : most;
    }
    return supernodes->count > 0 ? most + 1 : 0;
}

int32_t group_turns_find(const GroupCouples *couples, int32_t turns[COARSE_GROUPS_MOST])
{
    Supernodes supernodes = {0};
    couple(couples, &supernodes);
    // A last one of a single group stays the last, so that all others have their places in twos.
    const int32_t whole = couples->group_count / COARSE_ELIMINATED;
    uint64_t set = 0;
    for (int32_t s = 0; s < whole; ++s)
        set |= 1ULL << s;
    dissect(&supernodes, set);
    if (whole < supernodes.count)
        append(&supernodes, 1ULL << whole);
    for (int32_t k = 0; k < supernodes.count; ++k)
        for (int32_t own = 0; own < COARSE_ELIMINATED; ++own) {
            const int32_t group = COARSE_ELIMINATED * supernodes.order[k] + own;
            if (group < couples->group_count)
                turns[group] = COARSE_ELIMINATED * k + own;
        }
    return count_levels(&supernodes);
}

void group_turns_apply(const GroupCouples *couples, const int32_t *turns, GroupCouples *turned)
{
    memset(turned, 0, sizeof *turned);
    turned->group_count = couples->group_count;
    for (int32_t i = 0; i < couples->group_count; ++i)
        for (int32_t j = i + 1; j < couples->group_count; ++j)
            if (couples->of[i][j]) {
                const bool ascends = turns[i] < turns[j];
                turned->of[ascends ? turns[i] : turns[j]][ascends ? turns[j] : turns[i]] = 1;
            }
}
