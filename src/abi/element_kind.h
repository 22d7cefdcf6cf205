/* Numbers of the kinds of element. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_ELEMENT_KIND_H
#define ABI_ELEMENT_KIND_H

#define ELEMENT_TET 0
#define ELEMENT_SEGMENT 1
#define ELEMENT_BEND 2
#define ELEMENT_AFFINE 3
#define ELEMENT_PRESSURE 4
#define ELEMENT_MEMBRANE 5
#define ELEMENT_HINGE 6
#define ELEMENT_QUADRATIC_HINGE 7
#define ELEMENT_PLATE 8
#define ELEMENT_LINK 9
#define ELEMENT_JOINT 10
#define ELEMENT_KIND_COUNT 11

/* What the device keeps of an element of a kind for Newton's matrix and trials, in reals, element by element: the numbers of its
 * Hessian, the axes these stand in, and at last w (psi - psi at rest), J. */
#define TET_DATA 34    /* 12 numbers of energy_hessian times the volume; U; V^T G_a, a = 0 .. 3 */
#define SEGMENT_DATA 7 /* second derivatives along and across times the volume; the axis, G_1 */
#define BEND_DATA                                                                                            \
    24 /* 8 numbers in the axes of the two edges, times the volume; these axes over the lengths; G_1, G_2 */
#define AFFINE_DATA 34         /* as of a tetrahedron */
#define PRESSURE_DATA 34       /* likewise */
#define MEMBRANE_DATA 21       /* 7 numbers of its Hessian times the volume; U; V^T G_1, V^T G_2 */
#define HINGE_DATA 27          /* w kappa, the moment, whether it is projected; 23 numbers of its axes */
#define QUADRATIC_HINGE_DATA 5 /* w kappa; G_1, G_2, G_3 */
#define PLATE_DATA 35          /* w kappa; G_1 .. G_11 */
#define LINK_DATA 13           /* second derivatives along and across; the axis; G_1 .. G_7 */
#define JOINT_DATA 79          /* 45 numbers of its Hessian, which is symmetric; G_1 .. G_11 */

/* Limits of every kind: nodes an element, columns of its D x. */
#define ELEMENT_CORNERS_MOST 12
#define ELEMENT_COLUMNS_MOST 3

#endif
