#include "device/cpu/contact/bounding_tree.h"

void bounding_tree_shape(int32_t count, BoundingTree *tree)
{
    *tree = (BoundingTree){
        .count = count, .leaf_count = (count + TREE_LEAF_SIZE - 1) / TREE_LEAF_SIZE, .first_leaf = 1};
    while (tree->first_leaf < tree->leaf_count)
        tree->first_leaf *= 2;
}

VelaResult bounding_tree_create(Arena *arena, int32_t count, const int32_t *order, BoundingTree *tree)
{
    bounding_tree_shape(count, tree);
    tree->order = order;
    TRY(ARENA_ARRAY(arena, tree->boxes, count));
    TRY(ARENA_ARRAY(arena, tree->nodes, 2 * (size_t)tree->first_leaf));
    bounding_tree_clear(tree);
    return VELA_OK;
}

size_t bounding_tree_memory(int32_t count)
{
    BoundingTree tree;
    bounding_tree_shape(count, &tree);
    return sizeof(Box) * ((size_t)count + 2 * (size_t)tree.first_leaf);
}

void bounding_tree_clear(BoundingTree *tree)
{
    for (int32_t i = tree->first_leaf + tree->leaf_count; i < 2 * tree->first_leaf; ++i)
        tree->nodes[i] = box_empty();
}

void bounding_tree_refit_leaves(BoundingTree *tree, int32_t first, int32_t end)
{
    for (int32_t leaf = first; leaf < end; ++leaf) {
        Box box = box_empty();
        const int32_t last =
            TREE_LEAF_SIZE * (leaf + 1) < tree->count ? TREE_LEAF_SIZE * (leaf + 1) : tree->count;
        for (int32_t i = TREE_LEAF_SIZE * leaf; i < last; ++i)
            box_join(&box, &tree->boxes[i]);
        tree->nodes[tree->first_leaf + leaf] = box;
    }
}

void bounding_tree_finish(BoundingTree *tree)
{
    for (int32_t node = tree->first_leaf - 1; node >= 1; --node) {
        tree->nodes[node] = tree->nodes[2 * node];
        box_join(&tree->nodes[node], &tree->nodes[2 * node + 1]);
    }
}
