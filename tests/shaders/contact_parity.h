/* Layout of the cases of test_contact_parity.c and contact_parity.comp, in numbers per case. Preprocessor only. */
#ifndef TESTS_CONTACT_PARITY_H
#define TESTS_CONTACT_PARITY_H

#define CONTACT_PARITY_GAP 0
#define CONTACT_PARITY_RANGE 1
#define CONTACT_PARITY_RISE 2
#define CONTACT_PARITY_SEPARATION 3
#define CONTACT_PARITY_X 4    /* vertex, point and tip of a plane, the leading parts */
#define CONTACT_PARITY_LOW 16 /* and what they are more than that */
#define CONTACT_PARITY_STEP 28
#define CONTACT_PARITY_NORMAL 40
#define CONTACT_PARITY_WEIGHTS 43
#define CONTACT_PARITY_MOTION 47
#define CONTACT_PARITY_FURTHER 59
#define CONTACT_PARITY_COEFFICIENT 71
#define CONTACT_PARITY_SCALE 72
#define CONTACT_PARITY_SEMI_IMPLICIT 73
#define CONTACT_PARITY_DUAL 74
#define CONTACT_PARITY_SLIP 76
#define CONTACT_PARITY_INPUTS 78

#define CONTACT_PARITY_BARRIER 0 /* b, b', b'', the change of b */
#define CONTACT_PARITY_PLANE_GAP 4
#define CONTACT_PARITY_PLANE_NORMAL 5
#define CONTACT_PARITY_PLANE_ENERGY 8
#define CONTACT_PARITY_PLANE_FORCE 9
#define CONTACT_PARITY_PLANE_GRADIENT 10
#define CONTACT_PARITY_PLANE_BLOCK 13
#define CONTACT_PARITY_PLANE_CHANGE 22 /* and slope, magnitude */
#define CONTACT_PARITY_FRICTION 25     /* energy, loss, change, slope, magnitude */
#define CONTACT_PARITY_FRICTION_GRADIENT 30
#define CONTACT_PARITY_FRICTION_BLOCK 42
#define CONTACT_PARITY_TANGENTS 51
#define CONTACT_PARITY_FOLLOWED 57
#define CONTACT_PARITY_OUTPUTS 59

#endif
