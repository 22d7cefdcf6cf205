#include "device/cpu/contact/owner_pairs.h"

#include "model/locality.h"

#include <stdlib.h>

/// Walks that have become this much longer make the tree be sorted anew.
#define DEGRADED 1.5

VelaResult owner_pairs_create(const ModelContact *contact, Arena *arena, OwnerPairs *pairs)
{
    *pairs = (OwnerPairs){.contact = contact};
    TRY(ARENA_ARRAY(arena, pairs->order, contact->owner_count));
    TRY(ARENA_ARRAY(arena, pairs->centers, 3 * (size_t)contact->owner_count));
    return bounding_tree_create(arena, contact->owner_count, pairs->order, &pairs->tree);
}

size_t owner_pairs_memory(const ModelContact *contact)
{
    return bounding_tree_memory(contact->owner_count) +
           (sizeof(int32_t) + 3 * sizeof(double)) * (size_t)contact->owner_count;
}

static VelaResult sort_owners(VelaContext *context, const SweptBox *boxes, OwnerPairs *pairs)
{
    for (int32_t o = 0; o < pairs->tree.count; ++o)
        for (int k = 0; k < 3; ++k) { // planes have no box
            const double center = 0.5 * ((double)boxes[o].start.low[k] + (double)boxes[o].start.high[k]);
            pairs->centers[3 * (size_t)o + (size_t)k] = isfinite(center) ? center : 0;
        }
    pairs->is_sorted = true;
    pairs->steps_sorted = 0;
    return locality_order(context, pairs->centers, pairs->tree.count, pairs->order);
}

VelaResult owner_pairs_refit(VelaContext *context, const SweptBox *boxes, OwnerPairs *pairs)
{
    BoundingTree *tree = &pairs->tree;
    if (!pairs->is_sorted)
        TRY(sort_owners(context, boxes, pairs));
    for (int32_t i = 0; i < tree->count; ++i)
        bounding_tree_set(tree, i, &boxes[pairs->order[i]]);
    bounding_tree_refit_leaves(tree, 0, tree->leaf_count);
    bounding_tree_finish(tree);
    return VELA_OK;
}

static int compare_owners(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

VelaResult owner_pairs_find(const OwnerPairs *pairs, const SweptBox *boxes, int32_t owner, Arena *arena,
                            int32_t **partners, size_t *count, size_t *capacity, int64_t *steps)
{
    const BoundingTree *tree = &pairs->tree;
    const SweptBox *box = &boxes[owner];
    const size_t first = *count;
    if (pairs->contact->owners[owner].body < 0)
        return VELA_OK; // behind obstacles there are only obstacles
    for (int32_t leaf = bounding_tree_next_leaf(tree, 0, box, steps); leaf < tree->leaf_count;
         leaf = bounding_tree_next_leaf(tree, leaf + 1, box, steps)) {
        const int32_t end =
            TREE_LEAF_SIZE * (leaf + 1) < tree->count ? TREE_LEAF_SIZE * (leaf + 1) : tree->count;
        for (int32_t i = TREE_LEAF_SIZE * leaf; i < end; ++i) {
            if (tree->order[i] <= owner || !swept_boxes_meet(box, &boxes[tree->order[i]]) ||
                !model_contact_may_meet(pairs->contact, owner, tree->order[i]))
                continue;
            TRY(ARENA_GROW(arena, *partners, capacity, *count + 1));
            (*partners)[(*count)++] = tree->order[i];
        }
    }
    if (*count > first + 1)
        qsort(*partners + first, *count - first, sizeof **partners, compare_owners);
    return VELA_OK;
}

void owner_pairs_note(OwnerPairs *pairs, int64_t steps, int64_t found)
{
    const double each = (double)steps / (double)(pairs->tree.count + found + 1);
    if (pairs->steps_sorted == 0)
        pairs->steps_sorted = each;
    pairs->is_sorted = each <= DEGRADED * pairs->steps_sorted;
}
