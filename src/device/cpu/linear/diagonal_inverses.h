/// The inverses of the diagonal blocks of Newton's matrix, which conjugate gradients read in every iteration.
#ifndef DEVICE_CPU_LINEAR_DIAGONAL_INVERSES_H
#define DEVICE_CPU_LINEAR_DIAGONAL_INVERSES_H

#include <stdbool.h>

/// Of a symmetric block: its first column, then (1,1), (2,1) and (2,2).
enum { PACKED_NUMBERS = 6 };

/// One of each for every row. Single precision makes an inverse another preconditioner, as long as it stays positive definite: a third of what
/// there is to read.
typedef struct DiagonalInverses {
    double (*exact)[9];              ///< symmetric
    float (*packed)[PACKED_NUMBERS]; ///< the same, or a first number of 0: too ill-conditioned to be rounded
} DiagonalInverses;

/// A block's product of trace and inverse's trace, an upper bound of its condition number: up to here rounding changes the inverse by a thousandth in
/// any direction.
#define WELL_CONDITIONED 1e4
/// Sizes of inverses of which single precision has all digits.
#define LEAST_PACKED 1e-30
#define LARGEST_PACKED 1e30

/// `inverse`: of the block, both symmetric.
static inline void diagonal_inverse_pack(const double block[9], const double inverse[9],
                                         float packed[PACKED_NUMBERS])
{
    static const int places[PACKED_NUMBERS] = {0, 1, 2, 4, 5, 8};
    const double size = inverse[0] + inverse[4] + inverse[8],
                 condition = size * (block[0] + block[4] + block[8]);
    const bool is_packed =
        condition > 0 && condition < WELL_CONDITIONED && size > LEAST_PACKED && size < LARGEST_PACKED;
    for (int k = 0; k < PACKED_NUMBERS; ++k)
        packed[k] = is_packed ? (float)inverse[places[k]] : 0;
}

#endif
