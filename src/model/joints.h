/// Where the scene's constraints take hold: the two ends of those that have two (model/constraints.h), found from their nodes.
#ifndef MODEL_JOINTS_H
#define MODEL_JOINTS_H

#include "model/model.h"

/// The nodes of a constraint whose column is the difference of two points, by end.
typedef struct ConstraintSides {
    int32_t bodies[2]; ///< -1: the world
    int32_t copies[2];
    uint8_t side[CONSTRAINT_NODES_MOST]; ///< of every node: the end it belongs to
} ConstraintSides;

/// Whether it holds two points together: an attachment, or what a ball or a hinge turns about.
bool constraint_is_joint(const Model *model, const ModelConstraint *constraint);
/// Whether it is a distance of the scene's.
bool constraint_is_distance(const ModelConstraint *constraint);
/// Of a joint or a distance.
void constraint_sides(const Model *model, const ModelConstraint *constraint, ConstraintSides *sides);
/// The two points at positions x of all nodes (3 each), m.
void constraint_points(const ModelConstraint *constraint, const ConstraintSides *sides, const double *x,
                       double points[2][3]);

#endif
