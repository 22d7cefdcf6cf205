#include "device/cpu/constraints/front.h"

#include <math.h>
#include <stdbool.h>

/// Beside the size that it has had, a node's pivot of this size is rounding.
static const double NOTHING = 0x1p-50;

/// So many pivots are taken together: their columns stay in the cache while the rest is brought up to date.
enum { PANEL = 32 };

// column -= factor other, `count` numbers.
static void subtract(int32_t count, double factor, const double *restrict other, double *restrict column)
{
    for (int32_t i = 0; i < count; ++i)
        column[i] -= factor * other[i];
}

// The same of four others at once.
static void subtract_four(int32_t count, const double factors[4], const double *restrict a,
                          const double *restrict b, const double *restrict c, const double *restrict d,
                          double *restrict column)
{
    for (int32_t i = 0; i < count; ++i)
        column[i] -= (factors[0] * a[i] + factors[1] * b[i]) + (factors[2] * c[i] + factors[3] * d[i]);
}

// Columns from `first` of the panel lose what the pivots start .. end - 1 take from them: L D L^T.
static void update(int32_t size, int32_t start, int32_t end, int32_t first, int32_t last, double *matrix,
                   const double *pivots)
{
    for (int32_t j = first; j < last; ++j) {
        double *column = matrix + (int64_t)j * size + j;
        int32_t k = start;
        for (; k + 4 <= end; k += 4) {
            const double *from[4];
            double factors[4];
            for (int q = 0; q < 4; ++q) {
                from[q] = matrix + (int64_t)(k + q) * size + j;
                factors[q] = pivots[k + q - start] * from[q][0];
            }
            subtract_four(size - j, factors, from[0], from[1], from[2], from[3], column);
        }
        for (; k < end; ++k) {
            const double *from = matrix + (int64_t)k * size + j;
            subtract(size - j, pivots[k - start] * from[0], from, column);
        }
    }
}

static void keep_most(int32_t size, int32_t first, const double *matrix, double *most)
{
    for (int32_t i = first; i < size; ++i)
        most[i] = fmax(most[i], fabs(matrix[(int64_t)i * size + i]));
}

void front_eliminate(int32_t size, int32_t own, int32_t nodes, double dependent, double *matrix, double *most,
                     double *inverses)
{
    double pivots[PANEL];
    keep_most(size, 0, matrix, most);
    // No panel has both nodes and constraints: what nodes give the diagonals of constraints adds up, what other constraints take from
    // them comes after it.
    for (int32_t start = 0, end; start < own; start = end) {
        const int32_t stop = start < nodes ? nodes : own;
        end = start + PANEL < stop ? start + PANEL : stop;
        for (int32_t k = start; k < end; ++k) {
            double *column = matrix + (int64_t)k * size;
            update(size, start, k, k, k + 1, matrix, pivots);
            const double pivot = column[k];
            const bool good = k < nodes ? fabs(pivot) > NOTHING * most[k] : pivot < -dependent * most[k];
            pivots[k - start] = good ? pivot : 0;
            inverses[k] = good ? 1 / pivot : 0;
            for (int32_t i = k + 1; i < size; ++i)
                column[i] *= inverses[k];
        }
        update(size, start, end, end, size, matrix, pivots);
        keep_most(size, end, matrix, most);
    }
}
