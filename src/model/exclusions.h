/// What barrier contact leaves out, in a form that both devices look up in a few steps: things that never see each other (entries of
/// contact.pairs with "contact": false), and what lies around the joints of two bodies.
///
/// Things: bodies and obstacles are numbered by collision groups. Group 0 has all that no entry names; two groups see each other unless
/// their bit is set.
///
/// Joints: a joint has two zones, 2 j and 2 j + 1, one for each of the two points that it holds together: the vertices, edges and triangles of
/// the point's owner that have a point within the clearance of it in the initial state. A pair of which one primitive is in one zone and
/// the other in the other is none. So what touches at the joint does not push, however large the primitives there are; and a primitive
/// that stays out of the zone is held against all of the other body, with its vertices and edges, so that nothing passes through beside
/// the joint. It is the rule by which neighbours on a surface, which share a vertex, are not held against each other.
#ifndef MODEL_EXCLUSIONS_H
#define MODEL_EXCLUSIONS_H

#include "scene/scene.h"

/// What collides, by the number of its vertices.
typedef enum SurfacePart { SURFACE_VERTEX, SURFACE_EDGE, SURFACE_TRIANGLE, SURFACE_PART_COUNT } SurfacePart;

/// All zero: nothing is left out.
typedef struct ContactExclusions {
    int32_t group_count; ///< 0: everything sees everything
    int32_t row_words;   ///< of a group's row of bits
    int32_t *groups;     ///< of the scene's bodies, then of its obstacles
    uint32_t *
        blocked; ///< group_count x row_words: bit b of row a says that a and b do not see each other; symmetric
    int32_t zone_count;   ///< words of `zones`; 0: there are no joints
    int32_t *zones;       ///< lists of the numbers of zones, each ended by -1; the first is empty
    int32_t *zone_owners; ///< of every zone: the owner that has it
    int32_t *first_zones
        [SURFACE_PART_COUNT]; ///< of every vertex, edge and triangle of ModelContact: where its list starts
} ContactExclusions;

/// Collision group of a body, or of an obstacle (`body` -1).
static inline int32_t exclusions_group(const ContactExclusions *exclusions, const SceneDef *scene,
                                       int32_t body, int32_t obstacle)
{
    return exclusions->group_count == 0 ? 0
                                        : exclusions->groups[body >= 0 ? body : scene->body_count + obstacle];
}

/// Whether what is in two collision groups may make contact.
static inline bool exclusions_may_meet(const ContactExclusions *exclusions, int32_t group, int32_t other)
{
    return exclusions->group_count == 0 ||
           (exclusions->blocked[(size_t)group * (size_t)exclusions->row_words + (size_t)(other / 32)] >>
                (other % 32) &
            1) == 0;
}

/// The zones of a vertex, an edge or a triangle, ended by -1.
static inline const int32_t *exclusions_zones(const ContactExclusions *exclusions, SurfacePart part,
                                              int32_t index)
{
    return exclusions->zones + exclusions->first_zones[part][index];
}

/// Whether two lists have the two zones of one joint.
static inline bool exclusions_lists_join(const int32_t *zones, const int32_t *others)
{
    for (; *zones >= 0; ++zones)
        for (const int32_t *other = others; *other >= 0; ++other)
            if ((*zones ^ 1) == *other)
                return true;
    return false;
}

/// Whether two primitives are in the two zones of one joint.
static inline bool exclusions_are_joined(const ContactExclusions *exclusions, SurfacePart part, int32_t index,
                                         SurfacePart other_part, int32_t other_index)
{
    return exclusions->zone_count > 0 &&
           exclusions_lists_join(exclusions_zones(exclusions, part, index),
                                 exclusions_zones(exclusions, other_part, other_index));
}

/// Collision groups by the scene's contact.pairs, as scene_may_touch says; no joints.
VelaResult exclusions_build(VelaContext *context, const SceneDef *scene, Arena *arena,
                            ContactExclusions *exclusions);

#endif
