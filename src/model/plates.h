/// Bending of flat shells by the plate's energy: what an element of kind ELEMENT_PLATE is made of (theory.md section 3, "Plate
/// bending").
///
/// The curvatures of a triangle are those of Morley's, the parabola with the triangle's corners and with given slopes across the middles
/// of its edges. A slope is common to the two triangles of an edge: a sum over their corners and their other neighbours', eight nodes at
/// most, that is exact for parabolas. So functions are a part of Morley's space, which has no motion without energy but rigid
/// ones, and one that holds all parabolas: it converges on any mesh that is not degenerate. At the border no moment acts across: there
/// the slope is the one with the least energy.
#ifndef MODEL_PLATES_H
#define MODEL_PLATES_H

#include "mesh/mesh.h"

enum { PLATE_CORNERS = 12, PLATE_SHAPE = 33 };

/// A triangle's corners and the nodes around, some of them more than once, with no weight then; G_1, G_2, ...
typedef struct PlateShape {
    int32_t nodes[PLATE_CORNERS];
    double shape[PLATE_SHAPE];
} PlateShape;

/// One a triangle. No edge may have more than two triangles.
VelaResult plates_make(VelaContext *context, const double *nodes, int32_t node_count, int32_t triangle_count,
                       const int32_t *triangles, double poissons_ratio, Arena *arena, PlateShape **plates);

#endif
