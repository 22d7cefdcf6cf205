/* Layout of the cases of test_element_parity.c and element_parity.comp, in numbers per case. Preprocessor only. */
#ifndef TESTS_ELEMENT_PARITY_H
#define TESTS_ELEMENT_PARITY_H

#include "abi/element_kind.h"

#define ELEMENT_PARITY_SHAPE_SIZE ((ELEMENT_CORNERS_MOST - 1) * ELEMENT_COLUMNS_MOST)

#define ELEMENT_PARITY_F 0 /* D x */
#define ELEMENT_PARITY_LOW                                                                                   \
    9 /* what it is more than that, for kinds that want it exactly in single precision */
#define ELEMENT_PARITY_CHANGE 18
#define ELEMENT_PARITY_KAPPA 27
#define ELEMENT_PARITY_LAMBDA 28
#define ELEMENT_PARITY_RHO 29
#define ELEMENT_PARITY_PROJECT 30
#define ELEMENT_PARITY_SHAPES 31
#define ELEMENT_PARITY_INPUTS (31 + ELEMENT_PARITY_SHAPE_SIZE)

#define ELEMENT_PARITY_ENERGY 0
#define ELEMENT_PARITY_STRESS 1
#define ELEMENT_PARITY_SLOPE 10
#define ELEMENT_PARITY_MAGNITUDE 11
#define ELEMENT_PARITY_PROX 12
#define ELEMENT_PARITY_BLOCKS 21 /* of all pairs of corners, row after row */
#define ELEMENT_PARITY_OUTPUTS (21 + 9 * ELEMENT_CORNERS_MOST * ELEMENT_CORNERS_MOST)

#endif
