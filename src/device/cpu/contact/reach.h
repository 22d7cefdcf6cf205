/// How far the vertices of surfaces may move before a pool of pairs (candidates.c) has to be made anew, and how far they have. A pool is
/// made around one motion; it allows whatever goes along that motion, and on beyond it, all vertices as far as each other, and each a
/// little off its way. So what moves alike is not taken for what may meet.
///
/// Within one owner (FRAME_OWN) places are those from the mean of the owner's vertices, and motions those relative to its mean motion:
/// a body in free flight does not sweep over itself, and its pool holds however far it flies.
#ifndef DEVICE_CPU_CONTACT_REACH_H
#define DEVICE_CPU_CONTACT_REACH_H

#include "device/cpu/contact/bounding_tree.h"
#include "model/model.h"

/// Boxes in the world, and within one owner, relative to its mean motion.
typedef enum Frame { FRAME_WORLD, FRAME_OWN, FRAME_COUNT } Frame;

/// Of a vertex, m: the way since the reach was set, the motion that comes, and in the fourth lane not less than the length of each.
typedef struct Moved {
    Float4 way, motion;
} Moved;

/// What is known of an owner in a frame.
typedef struct OwnerReach {
    double means[2][3]; ///< mean place and motion, measured last; 0 in the world
    double ahead;       ///< how many times its motion the reach may be around
    double spacing;     ///< mean length of its edges in the rest shape, or d-hat if that is larger, m
    double
        margin; ///< how far a vertex may be off its way where a motion starts and in the motion come off it, together, m
    bool is_new; ///< its reach was set when the last one was
    double products
        [3]; ///< over its vertices: ways, and motions, times the motion that the reach is around; that by itself, m^2
} OwnerReach;

typedef struct Reach {
    const Model *model;
    Frame frame;
    bool is_set;
    double *x;          ///< where it was set, in the frame: 3 a vertex
    Float4 *motion;     ///< the motion that it is around, of every vertex
    Moved *moved;       ///< of every vertex, in the motion that was measured last
    OwnerReach *owners; ///< of every owner
} Reach;

VelaResult reach_create(Arena *arena, const Model *model, Frame frame, Reach *reach);
size_t reach_memory(const Model *model, Frame frame);
/// Measures the motion from x to x + p of all vertices (3 a vertex, m; p NULL: none). Returns whether the reach holds it.
bool reach_measure(Reach *reach, const double *x, const double *p, int threads);
/// Sets the reach around a motion, which it measures.
void reach_set(Reach *reach, const double *x, const double *p, int threads);
/// Sets that of owners anew which keep it from holding the motion measured last, where they are few and do not go far. Returns whether it holds it
/// now; if not, what is set is good for nothing.
bool reach_renew(Reach *reach, const double *x, const double *p, int threads);

/// The owner that a vertex belongs to; for the points of a plane the last one before them.
int32_t owner_of_vertex(const ModelContact *contact, int32_t vertex);
/// Whether owners have a place in the frame.
static inline bool reach_has(const Reach *reach, int32_t owner)
{
    return reach->frame == FRAME_WORLD || reach->model->contact.owners[owner].meets_itself;
}

/// What an owner's boxes are inflated by: half the contact distance and its separation.
static inline double reach_inflation(const Model *model, const ContactOwner *owner)
{
    return 0.5 * model->scene->contact.distance + owner->separation;
}

/// The boxes around all motions of a vertex that are allowed, inflated.
SweptBox reach_allowed(const Reach *reach, int32_t owner, int32_t vertex);
/// Those around a vertex's motion alone, measured last, inflated. What reach_allowed says contains them where the reach holds.
SweptBox reach_swept(const Reach *reach, int32_t owner, int32_t vertex, const double *x, const double *p);
/// By how much primitives of two owners may have come closer, at most, through ways and motions that are allowed, m. `apart`: the largest
/// difference between the motions of a vertex of one and a vertex of the other that the reach is around, m.
double reach_approach(const Reach *reach, const int32_t owners[2], double apart);

#endif
