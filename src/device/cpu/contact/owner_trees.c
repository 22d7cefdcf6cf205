#include "device/cpu/contact/owner_trees.h"

#include "base/matrix3.h"
#include "base/team.h"
#include "model/locality.h"

#include <string.h>

// LEAVES_PER_PIECE: a multiple of 4, so that no two pieces meet in a quad above their leaves.
enum { LEAVES_PER_PIECE = 64, VERTICES_PER_PIECE = 256 };

// ---------------------------------------------------------------- owners' primitives

static int32_t first_primitive(const ContactOwner *owner, Primitive primitive)
{
    return primitive == PRIMITIVE_VERTEX ? owner->first_vertex
           : primitive == PRIMITIVE_EDGE ? owner->first_edge
                                         : owner->first_triangle;
}

// The vertices of a primitive of an owner, primitive + 1; `own`: room for the first.
static const int32_t *primitive_vertices(const ModelContact *contact, const ContactOwner *owner,
                                         Primitive primitive, int32_t index, int32_t *own)
{
    *own = owner->first_vertex + index;
    return primitive == PRIMITIVE_VERTEX ? own
           : primitive == PRIMITIVE_EDGE ? contact->edges[owner->first_edge + index]
                                         : contact->triangles[owner->first_triangle + index];
}

static bool is_small(const ContactOwner *owner)
{
    return owner->vertex_count <= SMALL_OWNER && owner->edge_count <= SMALL_OWNER &&
           owner->triangle_count <= SMALL_OWNER;
}

static int frame_count(const ContactOwner *owner)
{
    return owner->meets_itself ? FRAME_COUNT : 1;
}

// ---------------------------------------------------------------- creation

static int32_t leaves_of(const ContactOwner *owner, Primitive primitive)
{
    return (owner_primitive_count(owner, primitive) + TREE_LEAF_SIZE - 1) / TREE_LEAF_SIZE;
}

// The vertices of an owner's primitives, in the order of its trees.
static void set_corners(const ModelContact *contact, int32_t o, Primitive primitive, OwnerTrees *trees)
{
    const ContactOwner *owner = &contact->owners[o];
    const int32_t *order = trees->order[primitive] + first_primitive(owner, primitive),
                  count = owner_primitive_count(owner, primitive);
    LeafCorners *corners = trees->corners[primitive] + trees->first_leaf[primitive][o];
    for (int32_t i = 0; i < TREE_LEAF_SIZE * leaves_of(owner, primitive); ++i) {
        int32_t own;
        const int32_t *vertices =
            i < count ? primitive_vertices(contact, owner, primitive, order[i], &own) : NULL;
        for (int k = 0; k < 3; ++k)
            corners[i / TREE_LEAF_SIZE].of[k][i % TREE_LEAF_SIZE] =
                vertices ? vertices[k <= (int)primitive ? k : (int)primitive] : -1;
    }
}

// Sorts an owner's primitives along x.
static VelaResult sort_primitives(VelaContext *context, const Model *model, int32_t o, const double *x,
                                  double *centers, OwnerTrees *trees)
{
    const ContactOwner *owner = &model->contact.owners[o];
    for (Primitive p = PRIMITIVE_VERTEX; p <= PRIMITIVE_TRIANGLE; ++p) {
        const int32_t count = owner_primitive_count(owner, p);
        for (int32_t i = 0; i < count; ++i) {
            int32_t own;
            const int32_t *vertices = primitive_vertices(&model->contact, owner, p, i, &own);
            double *center = centers + 3 * (size_t)i;
            memset(center, 0, 3 * sizeof *center);
            for (int c = 0; c <= (int)p; ++c)
                add_scaled3(center, 1.0 / ((int)p + 1), x + 3 * (size_t)vertices[c], center);
        }
        TRY(locality_order(context, centers, count, trees->order[p] + first_primitive(owner, p)));
        set_corners(&model->contact, o, p, trees);
    }
    return VELA_OK;
}

static VelaResult sort_all(VelaContext *context, const Model *model, OwnerTrees *trees)
{
    const ModelContact *contact = &model->contact;
    Arena scratch = arena_make(context);
    double *x, *centers;
    int32_t most = 0;
    VelaResult result;
    for (int32_t o = 0; o < contact->owner_count; ++o)
        for (Primitive p = PRIMITIVE_VERTEX; p <= PRIMITIVE_TRIANGLE; ++p) {
            const int32_t count = owner_primitive_count(&contact->owners[o], p);
            most = count > most ? count : most;
        }
    TRY_GOTO(result, ARENA_ARRAY(&scratch, x, 3 * (size_t)model->surface.map.vertex_count), done);
    TRY_GOTO(result, ARENA_ARRAY(&scratch, centers, 3 * (size_t)most), done);
    surface_map_apply(&model->surface.map, model->initial_positions, x);
    for (int32_t o = 0; result == VELA_OK && o < contact->owner_count; ++o)
        result = sort_primitives(context, model, o, x, centers, trees);
done:
    arena_clear(&scratch);
    return result;
}

static int32_t count_pieces(const ContactOwner *owner)
{
    int32_t pieces = 0;
    for (Primitive p = PRIMITIVE_VERTEX; p <= PRIMITIVE_TRIANGLE; ++p) {
        const int32_t size = TREE_LEAF_SIZE * LEAVES_PER_PIECE;
        pieces += frame_count(owner) * ((owner_primitive_count(owner, p) + size - 1) / size);
    }
    return pieces;
}

static VelaResult create_large(const Model *model, int32_t o, Arena *arena, OwnerTrees *trees)
{
    const ContactOwner *owner = &model->contact.owners[o];
    const int32_t index = trees->large[o] = trees->large_count++;
    for (int f = 0; f < frame_count(owner); ++f)
        for (Primitive p = PRIMITIVE_VERTEX; p <= PRIMITIVE_TRIANGLE; ++p) {
            BoundingTree *tree = &trees->trees[index][f][p];
            TRY(bounding_tree_create(arena, owner_primitive_count(owner, p),
                                     trees->order[p] + first_primitive(owner, p), tree));
            tree->corners = trees->corners[p] + trees->first_leaf[p][o];
            for (int32_t leaf = 0; leaf < tree->leaf_count; leaf += LEAVES_PER_PIECE)
                trees->pieces[trees->piece_count++] = (RefitPiece){o, p, (Frame)f, leaf};
        }
    return VELA_OK;
}

static VelaResult create_corners(const ModelContact *contact, Arena *arena, OwnerTrees *trees)
{
    int32_t leaves[PRIMITIVES] = {0};
    for (Primitive p = PRIMITIVE_VERTEX; p <= PRIMITIVE_TRIANGLE; ++p) {
        TRY(ARENA_ARRAY(arena, trees->first_leaf[p], contact->owner_count));
        for (int32_t o = 0; o < contact->owner_count; ++o) {
            trees->first_leaf[p][o] = leaves[p];
            leaves[p] += leaves_of(&contact->owners[o], p);
        }
    }
    for (Primitive p = PRIMITIVE_VERTEX; p <= PRIMITIVE_TRIANGLE; ++p)
        TRY(ARENA_ARRAY(arena, trees->corners[p], leaves[p]));
    return VELA_OK;
}

VelaResult owner_trees_create(VelaContext *context, const Model *model, Arena *arena, OwnerTrees *trees)
{
    const ModelContact *contact = &model->contact;
    *trees = (OwnerTrees){.model = model};
    int32_t large = 0, pieces = 0;
    for (int32_t o = 0; o < contact->owner_count; ++o)
        if (!is_small(&contact->owners[o])) {
            ++large;
            pieces += count_pieces(&contact->owners[o]);
        }
    const size_t vertices = (size_t)model->surface.map.vertex_count;
    TRY(ARENA_ARRAY(arena, trees->order[PRIMITIVE_VERTEX], vertices));
    TRY(ARENA_ARRAY(arena, trees->order[PRIMITIVE_EDGE], contact->edge_count));
    TRY(ARENA_ARRAY(arena, trees->order[PRIMITIVE_TRIANGLE], contact->triangle_count));
    TRY(create_corners(contact, arena, trees));
    TRY(ARENA_ARRAY(arena, trees->vertex_boxes[FRAME_WORLD], vertices));
    if (model->scene->contact.self)
        TRY(ARENA_ARRAY(arena, trees->vertex_boxes[FRAME_OWN], vertices));
    TRY(ARENA_ARRAY(arena, trees->boxes, contact->owner_count));
    TRY(ARENA_ARRAY(arena, trees->large, contact->owner_count));
    TRY(ARENA_ARRAY(arena, trees->trees, large));
    TRY(ARENA_ARRAY(arena, trees->pieces, pieces));
    for (int32_t o = 0; o < contact->owner_count; ++o) {
        trees->large[o] = -1;
        if (!is_small(&contact->owners[o]))
            TRY(create_large(model, o, arena, trees));
    }
    return sort_all(context, model, trees);
}

size_t owner_trees_memory(const Model *model)
{
    const ModelContact *contact = &model->contact;
    const size_t vertices = (size_t)model->surface.map.vertex_count;
    size_t bytes = (vertices + (size_t)contact->edge_count + (size_t)contact->triangle_count) * 4 +
                   vertices * sizeof(SweptBox) * (model->scene->contact.self ? FRAME_COUNT : 1) +
                   (size_t)contact->owner_count * (sizeof(SweptBox) + (1 + PRIMITIVES) * sizeof(int32_t));
    for (int32_t o = 0; o < contact->owner_count; ++o) {
        const ContactOwner *owner = &contact->owners[o];
        for (Primitive p = PRIMITIVE_VERTEX; p <= PRIMITIVE_TRIANGLE; ++p)
            bytes += sizeof(LeafCorners) * (size_t)leaves_of(owner, p);
        if (is_small(owner))
            continue;
        bytes += sizeof(BoundingTree) * FRAME_COUNT * PRIMITIVES +
                 sizeof(RefitPiece) * (size_t)count_pieces(owner);
        for (Primitive p = PRIMITIVE_VERTEX; p <= PRIMITIVE_TRIANGLE; ++p)
            bytes += (size_t)frame_count(owner) * bounding_tree_memory(owner_primitive_count(owner, p));
    }
    return bytes;
}

// ---------------------------------------------------------------- boxes

static void set_vertex_boxes(OwnerTrees *trees, const Reach *reach, const double *x, const double *p,
                             int32_t first, int32_t end)
{
    const ModelContact *contact = &trees->model->contact;
    for (int32_t o = owner_of_vertex(contact, first); o < contact->owner_count; ++o) {
        const ContactOwner *owner = &contact->owners[o];
        const int32_t last =
            owner->first_vertex + owner->vertex_count < end ? owner->first_vertex + owner->vertex_count : end;
        if (owner->first_vertex >= end)
            break;
        for (int32_t v = owner->first_vertex > first ? owner->first_vertex : first;
             v < last && reach_has(reach, o); ++v)
            trees->vertex_boxes[reach->frame][v] =
                x ? reach_swept(reach, o, v, x, p) : reach_allowed(reach, o, v);
    }
}

// A primitive's box is that around its vertices' boxes.
static void refit_leaves(const OwnerTrees *trees, Primitive primitive, Frame frame, int32_t first,
                         int32_t end, BoundingTree *tree)
{
    const int32_t last = TREE_LEAF_SIZE * end < tree->count ? TREE_LEAF_SIZE * end : tree->count;
    for (int32_t i = TREE_LEAF_SIZE * first; i < last; ++i) {
        int32_t corners[3];
        owner_trees_corners(tree, i, corners);
        SweptBox box = trees->vertex_boxes[frame][corners[0]];
        for (int c = 1; c <= (int)primitive; ++c)
            swept_box_join(&box, &trees->vertex_boxes[frame][corners[c]]);
        bounding_tree_set(tree, i, &box);
    }
    bounding_tree_refit_leaves(tree, first, end);
}

static void refit_piece(OwnerTrees *trees, const RefitPiece *piece)
{
    BoundingTree *tree = &trees->trees[trees->large[piece->owner]][piece->frame][piece->primitive];
    const int32_t end = piece->first_leaf + LEAVES_PER_PIECE;
    refit_leaves(trees, piece->primitive, piece->frame, piece->first_leaf,
                 end < tree->leaf_count ? end : tree->leaf_count, tree);
}

// The box around an owner; its vertices' boxes are there, and of a large one the leaves of its trees.
static void finish_owner(OwnerTrees *trees, int32_t o)
{
    const ContactOwner *owner = &trees->model->contact.owners[o];
    SweptBox box = swept_box_empty();
    if (trees->large[o] >= 0)
        box = bounding_tree_root(&trees->trees[trees->large[o]][FRAME_WORLD][PRIMITIVE_VERTEX]);
    else
        for (int32_t v = owner->first_vertex; v < owner->first_vertex + owner->vertex_count; ++v)
            swept_box_join(&box, &trees->vertex_boxes[FRAME_WORLD][v]);
    trees->boxes[o] = box;
}

void owner_trees_refit(OwnerTrees *trees, const Reach *reach, const double *x, const double *p, int threads)
{
    const Model *model = trees->model;
    const int32_t owners = model->contact.owner_count, vertices = model->surface.map.vertex_count,
                  large = PRIMITIVES * trees->large_count;
    Team team = {0};
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static) nowait
        for (int32_t first = 0; first < vertices; first += VERTICES_PER_PIECE)
            set_vertex_boxes(trees, reach, x, p, first,
                             first + VERTICES_PER_PIECE < vertices ? first + VERTICES_PER_PIECE : vertices);
        team_wait(&team);
#pragma omp for schedule(dynamic, 4) nowait
        for (int32_t i = 0; i < trees->piece_count; ++i)
            if (trees->pieces[i].frame == reach->frame)
                refit_piece(trees, &trees->pieces[i]);
        team_wait(&team);
#pragma omp for schedule(dynamic) nowait
        for (int32_t i = 0; i < large; ++i) {
            BoundingTree *tree = &trees->trees[i / PRIMITIVES][reach->frame][i % PRIMITIVES];
            if (tree->quads) // there is none relative to the mean motion of what is not held against itself
                bounding_tree_finish(tree);
        }
        team_wait(&team);
#pragma omp for schedule(static) nowait
        for (int32_t o = 0; o < owners; ++o)
            if (reach->frame == FRAME_WORLD)
                finish_owner(trees, o);
    }
}

const BoundingTree *owner_trees_get(const OwnerTrees *trees, int32_t o, Frame frame, SmallTrees *room)
{
    if (trees->large[o] >= 0)
        return trees->trees[trees->large[o]][frame];
    const ContactOwner *owner = &trees->model->contact.owners[o];
    for (Primitive p = PRIMITIVE_VERTEX; p <= PRIMITIVE_TRIANGLE; ++p) {
        BoundingTree *tree = &room->trees[p];
        bounding_tree_shape(owner_primitive_count(owner, p), tree);
        tree->order = trees->order[p] + first_primitive(owner, p);
        tree->corners = trees->corners[p] + trees->first_leaf[p][o];
        tree->quads = room->quads[p];
        bounding_tree_clear(tree);
        refit_leaves(trees, p, frame, 0, tree->leaf_count, tree);
        bounding_tree_finish(tree);
    }
    return room->trees;
}
