// Small symmetric systems in exact numbers, by one invocation of a workgroup in shared memory.
#ifndef COMMON_EXACT_SOLVE_GLSL
#define COMMON_EXACT_SOLVE_GLSL

#include "common/exact_math.glsl"

shared Exact solve_matrix[9], solve_right[3]; ///< symmetric, row by row; the right-hand side, then the solution

/// Takes pivot p out of the other rows.
void solve_eliminate(int p)
{
    for (int row = 0; row < 3; ++row) {
        if (row == p)
            continue;
        const Exact factor = exact_negative(exact_divide(solve_matrix[3 * row + p], solve_matrix[4 * p]));
        for (int k = 0; k < 3; ++k)
            solve_matrix[3 * row + k] = exact_add(solve_matrix[3 * row + k], exact_multiply(factor, solve_matrix[3 * p + k]));
        solve_right[row] = exact_add(solve_right[row], exact_multiply(factor, solve_right[p]));
    }
}

/// The solution of a positive semidefinite system; 0 in the unknowns whose pivots are no more than `nothing` of the largest.
void solve_semidefinite(real nothing)
{
    const real largest = max(exact_value(solve_matrix[0]), max(exact_value(solve_matrix[4]), exact_value(solve_matrix[8])));
    uint done = 0u;
    for (int step = 0; step < 3; ++step) {
        int pivot = -1;
        for (int k = 0; k < 3; ++k)
            if ((done >> k & 1u) == 0u && exact_value(solve_matrix[4 * k]) > nothing * largest &&
                (pivot < 0 || exact_value(solve_matrix[4 * k]) > exact_value(solve_matrix[4 * pivot])))
                pivot = k;
        if (pivot < 0)
            break;
        solve_eliminate(pivot);
        done |= 1u << pivot;
    }
    for (int k = 0; k < 3; ++k)
        solve_right[k] = (done >> k & 1u) != 0u ? exact_divide(solve_right[k], solve_matrix[4 * k]) : exact(real(0.0));
}

#endif
