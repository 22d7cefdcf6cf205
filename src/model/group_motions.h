/// How groups of nodes (model/node_groups.h) move in the coarse space of a preconditioner, twelve motions each (abi/coarse.h): by affine maps, or,
/// where a group is a piece of something thin, as plates and rods bend. To turn by itself is little for such a piece; what pulls back neighbours that turn by
/// themselves and stay straight is mostly the kink between them. Both devices have the same ones.
#ifndef MODEL_GROUP_MOTIONS_H
#define MODEL_GROUP_MOTIONS_H

#include "model/node_groups.h"

/// Of a group.
typedef struct GroupMotions {
    int32_t kind;        ///< MOTIONS_AFFINE, MOTIONS_PLATE or MOTIONS_ROD
    double frame[9];     ///< unit vectors, one behind the other, that arms are along at first
    double slopes[2][3]; ///< rows of (sum a a^T)^-1, a the nodes' arms
} GroupMotions;

/// Finds the kinds of all groups' motions, from the first row of the first group on, and their nodes' arms, in [-1, 1] and of the digits that single precision has. A
/// group of one piece is a rod or a plate if its nodes and those near them are: so a slice across a thick body is none.
/// `places`: where the rows of the graph stand at first, m; `arms`: as large, 3 a row. `thin`: whether there are plates and rods at all.
VelaResult group_motions_find(VelaContext *context, const RowGraph *graph, const double *places, bool thin,
                              int32_t group_count, const int32_t *starts, double *arms,
                              GroupMotions *motions);

/// Turns the frame of a plate's or rod's group along with its nodes. `sums`: what each arm of its nodes times where they stand, m from anywhere, adds up to. Across a rod of
/// one line of nodes any two directions do. What the frame was before plays no part, so that a run that is resumed goes on as it would have.
/// Twin: shaders/compute/coarse_frames.comp.
void group_motions_turn(const double sums[3][3], GroupMotions *motions);

#endif
