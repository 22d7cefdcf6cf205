/* Numbers of the kinds of constraint. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_CONSTRAINT_H
#define ABI_CONSTRAINT_H

#define CONSTRAINT_KIND_LENGTH 0 /* 1 column, 1 row: |y| - rest, m */
#define CONSTRAINT_KIND_POINT 1  /* 1 column, 3 rows: y, m */
#define CONSTRAINT_KIND_AXIS 2   /* 3 columns t_1, t_2, e, 2 rows: t_k.e, m */
#define CONSTRAINT_KIND_TURN                                                                                 \
    3 /* 3 columns t_1, t_2, a, 1 row: angle of a from t_1 towards t_2, less `rest`, rad */
#define CONSTRAINT_KIND_ANGLE 4    /* 2 columns, 1 row: the angle between them, less `rest`, rad */
#define CONSTRAINT_KIND_SOLID 5    /* 3 columns, the deformation gradient, 6 rows: Green's strain */
#define CONSTRAINT_KIND_MEMBRANE 6 /* 2 columns, 3 rows: likewise */
#define CONSTRAINT_KIND_COUNT 7

/* Constraints with compliance as elements: the formula of an ELEMENT_LINK or an ELEMENT_JOINT, which stands in the place of its
 * energy model. Modulo 3 it is the side; an inequality counts where it is not met. */
#define FORMULA_BOTH 0
#define FORMULA_AT_MOST 1
#define FORMULA_AT_LEAST 2
#define FORMULA_SIDES 3
#define JOINT_AXIS 0
#define JOINT_TURN_AT_MOST 1
#define JOINT_TURN_AT_LEAST 2
#define JOINT_ANGLE 3
#define JOINT_ANGLE_AT_MOST 4
#define JOINT_ANGLE_AT_LEAST 5

#define CONSTRAINT_ROWS_MOST 6
#define CONSTRAINT_COLUMNS_MOST 3
#define CONSTRAINT_NODES_MOST 12

#endif
