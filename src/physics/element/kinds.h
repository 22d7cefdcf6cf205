/// The kinds of element, and what each is described by: a header physics/element/<prefix>.h with a type for what it makes of D x
/// before anything else (<Prefix>Local), and these functions, eight elements at a time, densities and stresses in Pa. D x, 3 x
/// columns, is called F; SIZE is 3 columns. Where elements have a number of their own that psi is measured from (ElementGroup.rests), the
/// type begins with it, as Lanes: whoever decomposes sets it.
///
///     void <prefix>_decompose(int count, const Lanes (*F)[SIZE], Local *local)      of one bundle of eight or of two side by side
///     Lanes <prefix>_density(material, local)                                      psi, 0 at rest
///     void <prefix>_stress(material, local, Lanes P[SIZE])                         P = dpsi/dF
///     void <prefix>_slope(material, local, const Lanes D[SIZE], Lanes *slope, Lanes *magnitude)
///                         P : D, and the size of |P| |F|, from which a difference of energies is rounded
///     double <prefix>_stiffness(material)                                          of psi at rest, Pa: ADMM's weight is w times it
///     void <prefix>_prox(material, local, Lanes volume, Lanes rho, Lanes Z[SIZE])
///                         argmin w psi(Z) + rho/2 |Z - F|^2, for ADMM
///     void <prefix>_hessian(material, local, int part, const Pack G[], Pack volume, bool project, Pack K[][9])
///                         blocks of the pairs of corners (element_pair), projected or true, of one pack
///     Lanes <prefix>_stretch(local)                                                the largest principal stretch, to be shown
///     Lanes <prefix>_determinant(local), Pack <prefix>_bound(F, D, wanted)         only where it can invert: largest t <= 1
///                         with det(F + t D) >= det(F)/10 on all of [0, t]
#ifndef PHYSICS_ELEMENT_KINDS_H
#define PHYSICS_ELEMENT_KINDS_H

#include "abi/element_kind.h"
#include "physics/element/affine.h"
#include "physics/element/bend.h"
#include "physics/element/hinge.h"
#include "physics/element/joint.h"
#include "physics/element/link.h"
#include "physics/element/membrane.h"
#include "physics/element/plate.h"
#include "physics/element/pressure.h"
#include "physics/element/quadratic_hinge.h"
#include "physics/element/segment.h"
#include "physics/element/tet.h"

/// X(number, prefix, Local, corners, columns, data, name of one for messages), one a kind;
/// data: as in abi/element_kind.h.
#define ELEMENT_KINDS(X)                                                                                     \
    X(ELEMENT_TET, tet, TetLocal, 4, 3, TET_DATA, "tetrahedron")                                             \
    X(ELEMENT_SEGMENT, segment, SegmentLocal, 2, 1, SEGMENT_DATA, "segment")                                 \
    X(ELEMENT_BEND, bend, BendLocal, 3, 2, BEND_DATA, "bend")                                                \
    X(ELEMENT_AFFINE, affine, AffineLocal, 4, 3, AFFINE_DATA, "affine body")                                 \
    X(ELEMENT_PRESSURE, pressure, PressureLocal, 4, 3, PRESSURE_DATA, "volume under pressure")               \
    X(ELEMENT_MEMBRANE, membrane, MembraneLocal, 3, 2, MEMBRANE_DATA, "triangle")                            \
    X(ELEMENT_HINGE, hinge, HingeLocal, 4, 3, HINGE_DATA, "hinge")                                           \
    X(ELEMENT_QUADRATIC_HINGE, quadratic_hinge, QuadraticHingeLocal, 4, 1, QUADRATIC_HINGE_DATA, "hinge")    \
    X(ELEMENT_PLATE, plate, PlateLocal, 12, 3, PLATE_DATA, "plate")                                          \
    X(ELEMENT_LINK, link, LinkLocal, 8, 1, LINK_DATA, "link")                                                \
    X(ELEMENT_JOINT, joint, JointLocal, 12, 3, JOINT_DATA, "joint")

#endif
