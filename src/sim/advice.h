/// What a scene makes one expect without simulating it: sizes, and what `vela run` and `vela check` warn about.
#ifndef SIM_ADVICE_H
#define SIM_ADVICE_H

#include "model/model.h"

/// Of the bodies in their initial state, and of their elements in the rest shape.
typedef struct ModelMeasures {
    double low[3], high[3];                        ///< m
    double shortest_edge, mean_edge, longest_edge; ///< m; of every element once
    int64_t pieces;                                ///< parts that share no node, copies counted one by one
} ModelMeasures;

ModelMeasures advice_measure(const Model *model);
/// Warnings that belong to a run: bodies in several pieces, a contact distance too large for the mesh.
void advice_warn(VelaContext *context, const Model *model);
/// What `vela check` says beyond that, for it is a matter of judgement: meshes and materials that bend too stiffly.
/// VELA_ERROR_OUT_OF_MEMORY.
VelaResult advice_warn_locking(VelaContext *context, const Model *model);

#endif
