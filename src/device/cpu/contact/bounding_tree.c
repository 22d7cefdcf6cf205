#include "device/cpu/contact/bounding_tree.h"

void bounding_tree_shape(int32_t count, BoundingTree *tree)
{
    *tree = (BoundingTree){.count = count, .leaf_count = (count + TREE_LEAF_SIZE - 1) / TREE_LEAF_SIZE};
    int32_t quads = tree->leaf_count;
    do {
        tree->first[tree->levels + 1] = tree->first[tree->levels] + quads;
        ++tree->levels;
        quads = quads > TREE_LEAF_SIZE ? (quads + TREE_LEAF_SIZE - 1) / TREE_LEAF_SIZE : 1;
    } while (tree->levels < 2 || tree->first[tree->levels] - tree->first[tree->levels - 1] > 1);
}

VelaResult bounding_tree_create(Arena *arena, int32_t count, const int32_t *order, BoundingTree *tree)
{
    bounding_tree_shape(count, tree);
    tree->order = order;
    TRY(ARENA_ARRAY(arena, tree->quads, tree->first[tree->levels]));
    bounding_tree_clear(tree);
    return VELA_OK;
}

size_t bounding_tree_memory(int32_t count)
{
    BoundingTree tree;
    bounding_tree_shape(count, &tree);
    return sizeof(SweptQuad) * (size_t)tree.first[tree.levels];
}

void bounding_tree_clear(BoundingTree *tree)
{
    const SweptBox nothing = swept_box_empty();
    for (int32_t level = 0; level < tree->levels; ++level)
        if (tree->first[level + 1] > 0)
            tree->quads[tree->first[level + 1] - 1] = swept_quad_of(&nothing);
}

// Boxes around the quads `first` to `end` of a level.
static void refit(BoundingTree *tree, int32_t level, int32_t first, int32_t end)
{
    const SweptQuad *from = &tree->quads[tree->first[level]];
    SweptQuad *to = &tree->quads[tree->first[level + 1]];
    for (int32_t i = first; i < end; ++i) {
        const SweptBox box = quad_join(&from[i]);
        quad_set_lane(&to[i / TREE_LEAF_SIZE], i % TREE_LEAF_SIZE, &box);
    }
}

void bounding_tree_refit_leaves(BoundingTree *tree, int32_t first, int32_t end)
{
    refit(tree, 0, first, end);
}

void bounding_tree_finish(BoundingTree *tree)
{
    for (int32_t level = 1; level + 1 < tree->levels; ++level)
        refit(tree, level, 0, tree->first[level + 1] - tree->first[level]);
}
