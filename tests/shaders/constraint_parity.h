/* Layout of the cases of test_constraint_parity.c and constraint_parity.comp, in numbers per case. Preprocessor only. */
#ifndef TESTS_CONSTRAINT_PARITY_H
#define TESTS_CONSTRAINT_PARITY_H

#include "abi/constraint.h"

#define PARITY_COLUMNS 0
#define PARITY_REST 9
#define PARITY_LAMBDA 10
#define PARITY_CLAMP 16
#define PARITY_INPUTS 17

#define PARITY_VALUES 0
#define PARITY_SLOPES CONSTRAINT_ROWS_MOST /* row by row, column by column */
#define PARITY_STIFFNESS                                                                                     \
    (PARITY_SLOPES + 3 * CONSTRAINT_ROWS_MOST * CONSTRAINT_COLUMNS_MOST) /* 00 11 22 01 02 12 */
#define PARITY_OUTPUTS (PARITY_STIFFNESS + 6)

#endif
