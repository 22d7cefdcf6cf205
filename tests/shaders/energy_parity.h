/* Layout of the cases of test_energy_parity.c and energy_parity.comp, in numbers per case. Preprocessor only. */
#ifndef TESTS_ENERGY_PARITY_H
#define TESTS_ENERGY_PARITY_H

#define PARITY_F 0
#define PARITY_VALUES 9
#define PARITY_Q 12
#define PARITY_KAPPA 15
#define PARITY_LAMBDA 16
#define PARITY_RHO 17
#define PARITY_ARGUMENT 18
#define PARITY_SHAPES 19 /* of two corners, in the basis of V */
#define PARITY_INPUTS 25

#define PARITY_U 0
#define PARITY_S 9
#define PARITY_V 12
#define PARITY_DENSITY 21
#define PARITY_ABOVE_REST 22
#define PARITY_STRESS 23
#define PARITY_HESSIAN 26
#define PARITY_PROX 38
#define PARITY_LOG 41
#define PARITY_EXP 42
#define PARITY_BLOCK 43
#define PARITY_PIOLA 52
#define PARITY_OUTPUTS 61

#endif
