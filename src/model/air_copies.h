/// Copies of positions that ADMM has for the air (theory.md sections 6 and 7): one of every vertex that moves, and how much they weigh, for every
/// device.
#ifndef MODEL_AIR_COPIES_H
#define MODEL_AIR_COPIES_H

#include "model/model.h"

/// Whether there are any: where ADMM solves stages in air.
bool model_has_air_copies(const Model *model);
/// Whether vertices under the air are sums of several nodes.
bool model_air_couples_nodes(const Model *model);

/// Fills `shares`, one a vertex of bodies' surfaces: the trace of its drag matrix B at rest, N s/m.
void model_air_shares(const Model *model, double *shares);
/// The root of the mean share of surface, m: what residuals are small against.
double model_air_length(const Model *model, const double *shares);
/// Fills `weights`, N/m: the share over `time`, s, or the root of that and of the vertex's inertia m/`a`^2 where that is less; 0 of vertices
/// that do not move.
void model_air_weights(const Model *model, const double *shares, double a, double time, double *weights);
/// Adds what the global matrix sees of them to its diagonal, node_count numbers, or where vertices are sums of several nodes to `coupling`, its
/// entries as in Model.columns.
void model_air_matrix(const Model *model, const double *weights, double *diagonal, double *coupling);

#endif
