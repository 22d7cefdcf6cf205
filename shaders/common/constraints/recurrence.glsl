// The recurrence of MINRES (Paige and Saunders 1975; src/device/cpu/constraints/minres.c): Lanczos's vectors make the matrix tridiagonal, rotations
// make that triangular. Every workgroup computes it from the state before and the sums of the last dispatches; one keeps it. Declare the buffers
// `control` and `scalars` and parity before.
#ifndef COMMON_CONSTRAINTS_RECURRENCE_GLSL
#define COMMON_CONSTRAINTS_RECURRENCE_GLSL

#include "abi/control.h"
#include "abi/saddle.h"
#include "abi/scalars.h"
#include "common/real.glsl"

/// Beside the largest value of the preconditioned matrix, |K r|/|r| of this size says that what is left of r is out of its reach. And how far a
/// residual is followed before the true one is looked at: in single precision it is rounding from there on.
#ifdef VELA_F64
#define UNREACHABLE 1e-9lf
#define FOLLOWED 0.0lf
#else
#define UNREACHABLE 1e-6
#define FOLLOWED 1e-5
#endif

/// step = (direction - last last_step - before step_before)/size, solution += way step.
struct Move {
    real before, last, size, way;
};

struct Recurrence {
    real values[MINRES_STATE];
    Move move;
    bool moves;   ///< an iteration is complete
    bool goes_on; ///< another one follows
    bool bad;     ///< not finite
};

bool is_number(real a)
{
    return abs(a) < real(3e38);
}

real kept(uint which, uint value)
{
    return scalars[SCALAR_MINRES + MINRES_STATE * which + value];
}

/// Where MINRES begins with a residual of this norm: whether it does.
Recurrence recurrence_begin(real norm)
{
    const bool first = control[CONTROL_SADDLE_FRESH] != 0u;
    const real whole = first ? norm : scalars[SCALAR_CG_FIRST];
    Recurrence next;
    for (int k = 0; k < MINRES_STATE; ++k)
        next.values[k] = real(0.0);
    next.values[MINRES_NORM] = next.values[MINRES_LEFT] = norm;
    next.values[MINRES_COSINE] = real(-1.0);
    next.moves = false;
    next.bad = !is_number(norm);
    next.goes_on = norm > scalars[SCALAR_CG_REDUCTION] * whole && control[CONTROL_CG_ITERATION] < control[CONTROL_CG_LIMIT] &&
                   (first || norm <= real(0.5) * scalars[SCALAR_MINRES_LAST]);
    return next;
}

/// Completes an iteration: `norm` is that of the new residual.
Recurrence recurrence_advance(real norm)
{
    const uint last = 1u - parity;
    const real cosine = kept(last, MINRES_COSINE), sine = kept(last, MINRES_SINE), beside = kept(last, MINRES_NEXT),
               diagonal = scalars[SCALAR_MINRES_DIAGONAL], left = kept(last, MINRES_LEFT);
    const real rest = sine * beside - cosine * diagonal, after = -cosine * norm;
    const real size = sqrt(rest * rest + norm * norm), reach = sqrt(rest * rest + after * after),
               largest = max(kept(last, MINRES_LARGEST), size);
    Recurrence next;
    next.values[MINRES_NORM] = norm;
    next.values[MINRES_FACTOR] = norm / kept(last, MINRES_NORM);
    next.values[MINRES_NEXT] = after;
    next.values[MINRES_AFTER] = sine * norm;
    next.values[MINRES_LARGEST] = largest;
    next.values[MINRES_COSINE] = rest / size;
    next.values[MINRES_SINE] = norm / size;
    next.values[MINRES_LEFT] = left * (norm / size);
    next.move = Move(kept(last, MINRES_AFTER), cosine * beside + sine * diagonal, size, rest / size * left);
    next.bad = !is_number(size);
    next.moves = !next.bad && reach > real(UNREACHABLE) * largest;
    next.goes_on = next.moves && norm > real(0.0) && next.values[MINRES_LEFT] > scalars[SCALAR_CG_TARGET] &&
                   control[CONTROL_CG_ITERATION] < control[CONTROL_CG_LIMIT];
    return next;
}

#endif
