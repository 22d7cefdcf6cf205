/* Layout of the cases of test_contact_parity.c and pair_parity.comp, in numbers per case. Preprocessor only. */
#ifndef TESTS_PAIR_PARITY_H
#define TESTS_PAIR_PARITY_H

#define PAIR_PARITY_X 0    /* positions, the leading parts */
#define PAIR_PARITY_LOW 12 /* and what they are more than that */
#define PAIR_PARITY_STEP 24
#define PAIR_PARITY_STIFFNESS 36
#define PAIR_PARITY_RANGE 37
#define PAIR_PARITY_SEPARATION 38
#define PAIR_PARITY_THRESHOLD 39
#define PAIR_PARITY_KIND 40
#define PAIR_PARITY_INPUTS 41

#define PAIR_PARITY_DISTANCE 0
#define PAIR_PARITY_WEIGHTS 1
#define PAIR_PARITY_D_GRADIENT 5 /* of the squared distance */
#define PAIR_PARITY_ENERGY 17
#define PAIR_PARITY_FORCE 18
#define PAIR_PARITY_MOLLIFIER 19
#define PAIR_PARITY_GRADIENT 20
#define PAIR_PARITY_HESSIAN 32 /* blocks, row after row */
#define PAIR_PARITY_COMPARED 176
#define PAIR_PARITY_FEATURES 176
#define PAIR_PARITY_CHANGE 177
#define PAIR_PARITY_SLOPE 178
#define PAIR_PARITY_MAGNITUDE 179
#define PAIR_PARITY_PRODUCT 180 /* Hessian times step */
#define PAIR_PARITY_OUTPUTS 192

#endif
