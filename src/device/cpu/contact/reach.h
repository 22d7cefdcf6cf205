/// How far the vertices of surfaces may move before a pool of pairs (candidates.c) has to be made anew, and how far they have. A pool is
/// made around one motion; for every vertex it allows ways within a box around that motion, a little larger than it.
///
/// Within one owner (FRAME_OWN) places are those from the mean of the owner's vertices, and motions those relative to its mean motion:
/// a body in free flight does not sweep over itself, and its pool holds however far it flies.
#ifndef DEVICE_CPU_CONTACT_REACH_H
#define DEVICE_CPU_CONTACT_REACH_H

#include "device/cpu/contact/bounding_tree.h"
#include "model/model.h"

/// Boxes in the world, and within one owner, relative to its mean motion.
typedef enum Frame { FRAME_WORLD, FRAME_OWN, FRAME_COUNT } Frame;

/// Of a vertex, m: the way since the reach was set, the motion that comes, and not less than the sum of their lengths.
typedef struct Moved {
    Float4 way, motion;
    float length;
} Moved;

typedef struct Reach {
    const Model *model;
    Frame frame;
    bool is_set;
    double *x;             ///< where it was set, in the frame: 3 a vertex
    Box *limits;           ///< ways that are allowed, of every vertex
    float *most;           ///< of every owner: largest Moved.length that is allowed
    Moved *moved;          ///< of every vertex, in the motion that was measured last
    double (*means)[2][3]; ///< of every owner: mean place and motion, measured last; 0 in the world
    double *
        spacings; ///< of every owner: mean length of its edges in the rest shape, or d-hat if that is larger, m
} Reach;

VelaResult reach_create(Arena *arena, const Model *model, Frame frame, Reach *reach);
size_t reach_memory(const Model *model, Frame frame);
/// Measures the motion from x to x + p of all vertices (3 a vertex, m; p NULL: none). Returns whether the reach holds it.
bool reach_measure(Reach *reach, const double *x, const double *p, int threads);
/// Sets the reach around a motion, which it measures.
void reach_set(Reach *reach, const double *x, const double *p, int threads);

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

/// The box around all motions of a vertex that are allowed, inflated.
Box reach_allowed(const Reach *reach, int32_t owner, int32_t vertex);
/// The box around a vertex's motion alone, measured last, inflated. reach_allowed contains it where the reach holds.
Box reach_swept(const Reach *reach, int32_t owner, int32_t vertex, const double *x, const double *p);

#endif
