// The kind of element that a kernel is compiled for: cmake/shaders.cmake defines ELEMENT_KIND, once for every kind there is. The
// kind's file has
//
//     ELEMENT_CORNERS, ELEMENT_COLUMNS   nodes an element, columns of D x = sum over a > 0 of (x_a - x_0) G_a, as in element_kinds
//     ELEMENT_CAN_INVERT                 1 where D x has a determinant that may have to stay positive
//     ELEMENT_EXACT                      1 where element_decompose wants D x as exact numbers (common/real.glsl): strains far below the
//                                        rounding of D x count
//     ELEMENT_HESSIAN, ELEMENT_AXES      reals a Hessian is described by, and the axes these stand in
//     ELEMENT_DATA                       the kind's number of abi/element_kind.h: both and 1
//     ElementLocal                       what it makes of D x before anything else
//
// and these functions, energies in J (D x is called F, the material's numbers are times the volume w):
//
//     void element_decompose(F, out local)
//     real element_energy(material, local)                               w psi above rest
//     void element_stress(material, local, out P)                        P = w dpsi/dF
//     void element_slope(material, local, change, out slope, out magnitude)
//                                                      P : change, and the size of |P| |F|, to which a difference is rounded
//     void element_prox(material, local, rho, out Z)                     argmin w psi(Z) + rho/2 |Z - F|^2
//     void element_axes(at, local, g), void element_hessian(material, local, project, out hessian)
//                                                      the axes go to element_data_set(at) on
//     void element_block(at, a, b, out block)                            the 3x3 block of two corners from what these two left:
//                                                      element_data(at) on is the Hessian, then the axes
//     real element_determinant(local), real element_bound(F, change)     only where it can invert
//
// Kinds that have all of damping (DAMPED_KINDS of abi/damping.h) leave a form in their principal axes as well
// (common/elements/principal_form.glsl), and FORM_AXES reals of axes behind it, U in rows of FORM_STRIDE and V^T G_1, V^T G_2, ...:
//
//     void element_stretches(local, out s)                               principal stretches
//     void element_dyad(local, k, out m)                                 u_k v_k^T
//     void element_stretch_move(local, k, way)                           the same axes, one stretch longer
//     void element_form(hessian, out form)                               the numbers of element_hessian as a form
//     void element_form_axes(at, local, g), void element_form_block(at, a, b, out block)
//                                                      as element_axes and element_block
//     void element_form_turn(local, out u, out v)        U in rows of FORM_STRIDE, V row by row
#ifndef COMMON_ELEMENTS_KIND_GLSL
#define COMMON_ELEMENTS_KIND_GLSL

#include "abi/elements.h"
#include "abi/kernel.h"
#include "common/real.glsl"

// Of materials that have one, or the formula of a constraint (abi/constraint.h): each has pipelines of its own.
layout(constant_id = SPEC_FIRST_OWN) const int ENERGY_MODEL = 0;

struct ElementMaterial {
    real kappa, lambda; ///< times w, J; lambda is the element's rest where it has one
};

/// One number of Newton's data: only newton_blocks has it, only newton_elements sets it.
real element_data(uint at);
void element_data_set(uint at, real value);

#if ELEMENT_KIND == ELEMENT_TET
#include "common/physics/element/tet.glsl"
#elif ELEMENT_KIND == ELEMENT_SEGMENT
#include "common/physics/element/segment.glsl"
#elif ELEMENT_KIND == ELEMENT_BEND
#include "common/physics/element/bend.glsl"
#elif ELEMENT_KIND == ELEMENT_AFFINE
#include "common/physics/element/affine.glsl"
#elif ELEMENT_KIND == ELEMENT_PRESSURE
#include "common/physics/element/pressure.glsl"
#elif ELEMENT_KIND == ELEMENT_MEMBRANE
#include "common/physics/element/membrane.glsl"
#elif ELEMENT_KIND == ELEMENT_HINGE
#include "common/physics/element/hinge.glsl"
#elif ELEMENT_KIND == ELEMENT_QUADRATIC_HINGE
#include "common/physics/element/quadratic_hinge.glsl"
#elif ELEMENT_KIND == ELEMENT_PLATE
#include "common/physics/element/plate.glsl"
#elif ELEMENT_KIND == ELEMENT_LINK
#include "common/physics/element/link.glsl"
#elif ELEMENT_KIND == ELEMENT_JOINT
#include "common/physics/element/joint.glsl"
#else
#error "no GLSL for this kind of element"
#endif

#if ELEMENT_HESSIAN + ELEMENT_AXES + 1 != ELEMENT_DATA
#error "the kind's number in abi/element_kind.h is not what its file writes"
#endif

/// Numbers of D x, and of G_1, G_2, ...
#define ELEMENT_SIZE (3 * ELEMENT_COLUMNS)
#define ELEMENT_SHAPES ((ELEMENT_CORNERS - 1) * ELEMENT_COLUMNS)

/// What element_decompose wants D x in.
#if ELEMENT_EXACT
#define ElementReal Exact
#else
#define ElementReal real
#endif

// In double precision exact numbers are reals.
#if ELEMENT_EXACT && !defined(VELA_F64)
#define ELEMENT_FLOAT_FLOAT
/// Of a D x that is known to single precision only: ADMM's.
void element_decompose(real f[ELEMENT_SIZE], out ElementLocal local)
{
    Exact exact_f[ELEMENT_SIZE];
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        exact_f[k] = exact(f[k]);
    element_decompose(exact_f, local);
}
#endif

#endif
