/* Layout of the cases of test_pairs_device.c, pair_ccd.comp and pair_exact_ccd.comp, in numbers per case. Preprocessor only. */
#ifndef TESTS_PAIR_CCD_H
#define TESTS_PAIR_CCD_H

#define PAIR_CCD_X 0    /* positions, the leading parts */
#define PAIR_CCD_LOW 12 /* and what they are more than that */
#define PAIR_CCD_P 24
#define PAIR_CCD_SEPARATION 36
#define PAIR_CCD_LARGEST 37
#define PAIR_CCD_INPUTS 38

#define PAIR_CCD_T 0
#define PAIR_CCD_TURNS 1
#define PAIR_CCD_UNDECIDED 2
#define PAIR_CCD_DISTANCE 3
#define PAIR_CCD_WEIGHTS 4
#define PAIR_CCD_OUTPUTS 8

#define PAIR_EXACT_CCD_T 0
#define PAIR_EXACT_CCD_TURNS 1
#define PAIR_EXACT_CCD_OUTPUTS 2

#endif
