/* Diagnosis on the device: compute/diagnose_nodes and diagnose_elements leave sections of SUM_GROUPS_MOST exact numbers, one
 * for every workgroup. Read by the C compiler and by the shader compiler: preprocessor only. */
#ifndef ABI_DIAGNOSIS_H
#define ABI_DIAGNOSIS_H

#include "abi/sums.h"

#define DIAGNOSE_KINETIC 0
#define DIAGNOSE_GRAVITATIONAL 1
#define DIAGNOSE_CONTACT 2
#define DIAGNOSE_MOMENTUM 3
#define DIAGNOSE_ANGULAR 6
#define DIAGNOSE_CENTER 9
#define DIAGNOSE_MASS 12
#define DIAGNOSE_NODE_SUMS 13
#define DIAGNOSE_ELASTIC 13
#define DIAGNOSE_CONSTRAINT 14 /* energy */
#define DIAGNOSE_SUMS 15
#define DIAGNOSE_GAP 15         /* smallest */
#define DIAGNOSE_DETERMINANT 16 /* smallest */
#define DIAGNOSE_UNMET 17       /* minus the largest error of a hard constraint: the smallest is sought */
#define DIAGNOSE_SECTIONS 18
/* Lowest indices, 0xffffffff: none. */
#define DIAGNOSE_BAD_NODE 0
#define DIAGNOSE_INVERTED 1
#define DIAGNOSE_INFINITE 2 /* lowest element of infinite energy */
#define DIAGNOSE_INDICES 3
/* What sections of smallest values hold before, as bytes: a large number, float-float or double. */
#define SMALLEST_BEFORE 0x7f7f7f7f

#endif
