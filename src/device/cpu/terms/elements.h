/// The elements of the CPU path: sorted by material and packed eight to a block, so that every array below is
/// read in order and every operation fills a vector register.
#ifndef DEVICE_CPU_TERMS_ELEMENTS_H
#define DEVICE_CPU_TERMS_ELEMENTS_H

#include "base/lanes.h"
#include "model/model.h"

enum { HISTORY_MOST = 8 };

/// Pairs of corners of a tet, each once: 00 11 22 33 01 02 03 12 13 23.
enum { MATRIX_PAIRS = 10 };

/// Eight floats: the history of Anderson acceleration needs no more precision than that.
typedef float FloatLanes __attribute__((vector_size(8 * sizeof(float))));

typedef struct BlockMaterial {
    int32_t energy_model;
    double kappa, lambda; ///< Pa
    bool never_inverts;   ///< Model.never_inverts
} BlockMaterial;

/// Lane l of block b is one element. The last block of a material repeats its last element in the lanes that
/// are left over; those have `valid` 0 and write their corner forces to a slot nobody reads. Matrices are
/// row-major.
typedef struct ElementBlocks {
    int32_t count;
    int32_t tet_count;
    int32_t (*nodes)[4][LANE_COUNT]; ///< node of every corner
    int32_t (
        *slots)[4][LANE_COUNT];  ///< where the corner's force goes: its place in the model's incidence list
    int32_t (*tets)[LANE_COUNT]; ///< the model's tet, -1 in left-over lanes
    Lanes (*gradients)[9];       ///< G_1, G_2, G_3, 1/m
    Lanes *volumes;              ///< m^3
    Lanes *valid;                ///< 1 or 0
    BlockMaterial *materials;

    // ADMM on the stage's solution x = xt + delta (theory.md section 5, Douglas-Rachford form).
    Lanes *penalties;      ///< rho, J
    Lanes (*target)[9];    ///< D xt
    Lanes (*state)[9];     ///< S
    Lanes (*projected)[9]; ///< Z = U P
    Lanes (*residual)[9];  ///< D x - Z
    Lanes (*image)[9];     ///< S + residual: the plain iteration's next S
    FloatLanes (*residual_differences[HISTORY_MOST])[9];
    FloatLanes (*image_differences[HISTORY_MOST])[9];

    // Newton's method.
    Lanes *densities; ///< energy density at the iterate, above rest, Pa
    int32_t (*matrix_slots)[MATRIX_PAIRS]
                           [LANE_COUNT]; ///< where a pair's block goes: twice its place in the list of
                                         ///< BlockMatrix, and 1 if it is transposed there

    // Corner forces lie node by node, nodes and elements along a curve through space: what is written together is near.
    double *corner_forces; ///< (4 tet_count + 1) x 3
    int32_t node_count, free_count;
    int32_t *node_order; ///< the nodes in the order of their corner forces, free ones first
    int32_t *place_of;   ///< its inverse
    int32_t *
        slot_start; ///< node_count + 1: corner forces of node_order[i] are slot_start[i] to slot_start[i + 1]
} ElementBlocks;

VelaResult element_blocks_build(VelaContext *context, const Model *model, Arena *arena,
                                ElementBlocks *blocks);

#endif
