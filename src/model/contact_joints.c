#include "model/contact_joints.h"

#include "geometry/closest_points.h"
#include "model/joints.h"

#include <stdlib.h>

// ---------------------------------------------------------------- joints

/// For every body the number among the owners of its first copy.
static VelaResult number_owners(const SceneDef *scene, Arena *arena, int32_t **first_owners)
{
    int32_t owner = 0;
    TRY(ARENA_ARRAY(arena, *first_owners, scene->body_count));
    for (int32_t b = 0; b < scene->body_count; ++b) {
        const int32_t *count = scene->bodies[b].array_count;
        (*first_owners)[b] = owner;
        owner += count[0] * count[1] * count[2];
    }
    return VELA_OK;
}

/// False: one of the points is the world's.
static bool find_joint(const Model *model, const int32_t *first_owners, const ModelConstraint *constraint,
                       ContactJoint *joint)
{
    ConstraintSides sides;
    constraint_sides(model, constraint, &sides);
    for (int side = 0; side < 2; ++side) {
        if (sides.bodies[side] < 0)
            return false;
        joint->owners[side] = first_owners[sides.bodies[side]] + sides.copies[side];
    }
    constraint_points(constraint, &sides, model->initial_positions, joint->points);
    return true;
}

VelaResult contact_joints_find(const Model *model, Arena *arena, int32_t *count, ContactJoint **joints)
{
    int32_t *first_owners;
    *count = 0;
    TRY(number_owners(model->scene, arena, &first_owners));
    TRY(ARENA_ARRAY(arena, *joints, model->constraint_count));
    for (int32_t c = 0; c < model->constraint_count; ++c)
        if (constraint_is_joint(model, &model->constraints[c]) &&
            find_joint(model, first_owners, &model->constraints[c], &(*joints)[*count]))
            ++*count;
    return VELA_OK;
}

// ---------------------------------------------------------------- zones

/// A primitive in a zone; primitives are numbered by kind and number.
typedef struct Member {
    int32_t part, index, zone;
} Member;

typedef struct MemberList {
    Arena *arena;
    size_t count, capacity;
    Member *members;
} MemberList;

static int compare_members(const void *a, const void *b)
{
    const Member *x = a, *y = b;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return (x->zone > y->zone) - (x->zone < y->zone);
}

static bool reaches(const double point[3], const int32_t corners[3], const double *x, double reach)
{
    double pair[12];
    memcpy(pair, point, 3 * sizeof *pair);
    for (int k = 0; k < 3; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (int c = 0; c < 3; ++c) {
            const double at = pair[3 * (c + 1) + k] = x[3 * (size_t)corners[c] + (size_t)k];
            low = fmin(low, at), high = fmax(high, at);
        }
        if (low > point[k] + reach || high < point[k] - reach)
            return false;
    }
    return closest_points(pair, PAIR_POINT_TRIANGLE).distance_sq <= reach * reach;
}

/// `x`: places of all vertices. What a zone has a vertex or an edge of is in it too, whatever rounding makes of equal distances.
static VelaResult add_zone(const ModelContact *contact, const double *x, int32_t zone,
                           const ContactJoint *joint, double clearance, MemberList *list)
{
    const ContactOwner *owner = &contact->owners[joint->owners[zone % 2]];
    const int32_t firsts[SURFACE_PART_COUNT] = {owner->first_vertex, owner->first_edge,
                                                owner->first_triangle},
                  counts[SURFACE_PART_COUNT] = {owner->vertex_count, owner->edge_count,
                                                owner->triangle_count};
    for (SurfacePart part = SURFACE_VERTEX; part < SURFACE_PART_COUNT; ++part)
        for (int32_t i = firsts[part]; i < firsts[part] + counts[part]; ++i) {
            int32_t corners[3];
            model_contact_corners(contact, part, i, corners);
            if (!reaches(joint->points[zone % 2], corners, x, clearance * (1 + 1e-12 * (int)part)))
                continue;
            TRY(ARENA_GROW(list->arena, list->members, &list->capacity, list->count + 1));
            list->members[list->count++] = (Member){(int32_t)part, i, zone};
        }
    return VELA_OK;
}

/// The members' lists, one behind the other.
static VelaResult set_zones(const Model *model, Arena *arena, const MemberList *list,
                            ContactExclusions *exclusions)
{
    const int32_t counts[SURFACE_PART_COUNT] = {model->surface.map.vertex_count, model->contact.edge_count,
                                                model->contact.triangle_count};
    FAIL_IF(arena->context, list->count > INT32_MAX / 4, VELA_ERROR_OUT_OF_MEMORY,
            "out of memory: %zu vertices, edges and triangles around joints, expected at most %d",
            list->count, INT32_MAX / 4);
    for (SurfacePart part = SURFACE_VERTEX; part < SURFACE_PART_COUNT; ++part)
        TRY(ARENA_ARRAY(arena, exclusions->first_zones[part], counts[part]));
    TRY(ARENA_ARRAY(arena, exclusions->zones, 2 * list->count + 1));
    exclusions->zones[exclusions->zone_count++] = -1;
    for (size_t m = 0; m < list->count; ++m) {
        const Member *member = &list->members[m];
        const bool is_first = m == 0 || member[-1].part != member->part || member[-1].index != member->index,
                   is_last = m + 1 == list->count || member[1].part != member->part ||
                             member[1].index != member->index;
        if (is_first)
            exclusions->first_zones[member->part][member->index] = exclusions->zone_count;
        exclusions->zones[exclusions->zone_count++] = member->zone;
        if (is_last)
            exclusions->zones[exclusions->zone_count++] = -1;
    }
    return VELA_OK;
}

VelaResult contact_joints_exclude(VelaContext *context, Arena *arena, int32_t count,
                                  const ContactJoint *joints, Model *model)
{
    const ModelContact *contact = &model->contact;
    const ContactDef *def = &model->scene->contact;
    Arena scratch = arena_make(context);
    MemberList list = {.arena = &scratch};
    double *x;
    VelaResult result;
    model->contact.exclusions.zone_count = 0;
    if (count == 0)
        return VELA_OK;
    TRY_GOTO(result, ARENA_ARRAY(&scratch, x, 3 * (size_t)model->surface.map.vertex_count), done);
    TRY_GOTO(result, ARENA_ARRAY(arena, model->contact.exclusions.zone_owners, 2 * (size_t)count), done);
    surface_map_apply(&model->surface.map, model->initial_positions, x);
    for (int32_t j = 0; j < count; ++j) {
        const double usual = 2 * def->distance + contact->owners[joints[j].owners[0]].separation +
                             contact->owners[joints[j].owners[1]].separation,
                     clearance = def->clearance >= 0 ? def->clearance : usual;
        for (int side = 0; side < 2; ++side) {
            model->contact.exclusions.zone_owners[2 * j + side] = joints[j].owners[side];
            TRY_GOTO(result, add_zone(contact, x, 2 * j + side, &joints[j], clearance, &list), done);
        }
    }
    if (list.count > 0)
        qsort(list.members, list.count, sizeof *list.members, compare_members);
    result = set_zones(model, arena, &list, &model->contact.exclusions);
done:
    arena_clear(&scratch);
    return result;
}
