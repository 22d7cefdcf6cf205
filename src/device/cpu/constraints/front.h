/// Elimination of unknowns from one dense front of a sparse symmetric factor (saddle_factor.h).
#ifndef DEVICE_CPU_CONSTRAINTS_FRONT_H
#define DEVICE_CPU_CONSTRAINTS_FRONT_H

#include <stdint.h>

/// Eliminates the first `own` of `size` unknowns from a symmetric matrix, of which the lower triangle is there, column by column with
/// `size` numbers each: its first columns become L, without the diagonal 1, the rest the Schur complement. The first `nodes` pivots may have
/// either sign, those behind them, constraints', are negative; `inverses` gets 1/D. most[i], size: the largest size that the
/// diagonal entry i has had so far, kept up to date. A constraint whose pivot is not below -dependent times that depends on those before it:
/// its column and 1/D are 0. So are those of a node's pivot that is rounding.
void front_eliminate(int32_t size, int32_t own, int32_t nodes, double dependent, double *matrix, double *most,
                     double *inverses);

#endif
