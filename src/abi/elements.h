/* Elements on the device. Buffers hold the elements of one kind behind those of the other; number k of element e of a kind of
 * n elements is at first + k n + e, so that neighbours read neighbours. Read by the C compiler and by the shader compiler:
 * preprocessor only. */
#ifndef ABI_ELEMENTS_H
#define ABI_ELEMENTS_H

#include "abi/element_kind.h"

/* A bit of the arguments of kernels that look at energies: shape gradients of single precision are sums of two numbers, the second ones
 * behind the first ones of their kind. */
#define ELEMENT_SHAPES_OF_TWO 0x80000000u

/* Parameters: sections of one real for each element of all kinds. */
#define PARAMETER_KAPPA 0   /* w kappa, J */
#define PARAMETER_LAMBDA 1  /* w lambda, J; of elements with a rest that */
#define PARAMETER_PENALTY 2 /* rho at scale 1, J */
#define PARAMETER_COUNT 3

/* ADMM's numbers: sections of as many reals as the D x of all elements have, row-major. */
#define LOCAL_IMAGE 0     /* S + (J - Z), the plain iteration's next S */
#define LOCAL_STATE 1     /* S */
#define LOCAL_PROJECTED 2 /* Z */
#define LOCAL_GRADIENT 3  /* J = D x */
#define LOCAL_RESIDUAL 4  /* J - Z */
#define LOCAL_SECTIONS 5

#endif
