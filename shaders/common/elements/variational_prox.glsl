// ADMM's local problem of variational damping; twin of src/device/cpu/terms/variational_kernels.h. From F_k = U diag(s) V^T where the step starts
// the copy has the way m, and the step's end lies at F_k + m/alpha: psi sees no rotations, so with x = U^T m V it is that of
// Y = 1 + x C, C = diag(1/(alpha s)). To be minimised is c w psi(Y) + rho/2 |x - x_s|^2, in Y with a weight rho (alpha s_j)^2 of each column. The
// columns' weights are at most the largest of them: taking that one for all, from a Y with what the others lack in the linear part, gives a
// prox of the energy itself (element_prox), whose value is not below that of the problem and the same at Y. So it descends, without steps to be tried
// and values that single precision could not tell apart, and where no stretch differs from another it is there at once.
#ifndef COMMON_ELEMENTS_VARIATIONAL_PROX_GLSL
#define COMMON_ELEMENTS_VARIATIONAL_PROX_GLSL

#include "common/elements/copy_axes.glsl"
#include "common/real_math.glsl"

#if (DAMPED_KINDS >> ELEMENT_KIND & 1) != 0
#define ELEMENT_HAS_VARIATIONAL 1

#ifdef VELA_F64
#define VARIATIONAL_ITERATIONS 1000
#define VARIATIONAL_STEP 1e-15lf
#define VARIATIONAL_NEARLY 1e-12lf
#else
#define VARIATIONAL_ITERATIONS 200
#define VARIATIONAL_STEP 1e-7
#define VARIATIONAL_NEARLY 1e-5
#endif

/// c w/w of the step, and its material.
ElementMaterial step_material(ElementMaterial material, real alpha, real duration)
{
    const real factor = element_data(ELEMENT_COLUMNS) * (alpha * alpha / ((real(1.0) - alpha) * duration));
    return ElementMaterial(factor * material.kappa, factor * material.lambda);
}

#if ELEMENT_COLUMNS == 1

/// The same in closed form: Y becomes shorter or longer along itself. How far it is from a length of 1 follows from the way.
void variational_prox(ElementMaterial material, real alpha, real duration, real rho, real last[3], inout real m[3])
{
    const ElementMaterial own = step_material(material, alpha, duration);
    if (!(own.kappa > real(0.0)))
        return;
    const real scale = real(1.0) / (alpha * element_data(0u)), weight = rho / (scale * scale);
    const real3 axis = real3(shape_axis(0, 0), shape_axis(1, 0), shape_axis(2, 0)), way = scale * real3(m[0], m[1], m[2]),
                end = axis + way;
    const real size = length(end), excess = dot(way, real(2.0) * axis + way) / (size + real(1.0));
    if (!(size > real(0.0)))
        return;
    const real3 lost = own.kappa / (own.kappa + weight) * (excess / size) * end / scale;
    for (int i = 0; i < 3; ++i)
        m[i] -= lost[i];
}

#else

/// `last`: the Z of the iteration before, where it starts; m: S, then Z, both less D xp.
void variational_prox(ElementMaterial material, real alpha, real duration, real rho, real last[ELEMENT_SIZE],
                      inout real m[ELEMENT_SIZE])
{
    const ElementMaterial own = step_material(material, alpha, duration);
    if (!(own.kappa > real(0.0)))
        return;
    real inverse[ELEMENT_COLUMNS], share[ELEMENT_COLUMNS], most = real(0.0), wanted[ELEMENT_SIZE], y[ELEMENT_SIZE];
    for (int j = 0; j < ELEMENT_COLUMNS; ++j) {
        inverse[j] = alpha * element_data(uint(j));
        most = max(most, inverse[j]);
    }
    to_axes(m, wanted);
    to_axes(last, y);
    for (int j = 0; j < ELEMENT_COLUMNS; ++j) {
        share[j] = inverse[j] * inverse[j] / (most * most);
        for (int i = 0; i < 3; ++i) {
            const int k = ELEMENT_COLUMNS * i + j;
            wanted[k] = wanted[k] / inverse[j] + (i == j ? real(1.0) : real(0.0));
            y[k] = y[k] / inverse[j] + (i == j ? real(1.0) : real(0.0));
        }
    }
    real before = real_infinity();
    for (int iteration = 0; iteration < VARIATIONAL_ITERATIONS; ++iteration) {
        real f[ELEMENT_SIZE], next[ELEMENT_SIZE], size = real(1.0), moved = real(0.0);
        for (int k = 0; k < ELEMENT_SIZE; ++k)
            f[k] = y[k] + share[k % ELEMENT_COLUMNS] * (wanted[k] - y[k]);
        ElementLocal local;
        element_decompose(f, local);
        element_prox(own, local, rho * most * most, next);
        for (int k = 0; k < ELEMENT_SIZE; ++k) {
            moved = max(moved, abs(next[k] - y[k]));
            size = max(size, abs(next[k]));
            y[k] = next[k];
        }
        // Steps become shorter, until they are rounding's.
        if (!(moved > real(VARIATIONAL_STEP) * size) || (moved < real(VARIATIONAL_NEARLY) * size && moved >= before))
            break;
        before = moved;
    }
    for (int k = 0; k < ELEMENT_SIZE; ++k)
        wanted[k] = (y[k] - (k / ELEMENT_COLUMNS == k % ELEMENT_COLUMNS ? real(1.0) : real(0.0))) *
                    inverse[k % ELEMENT_COLUMNS];
    from_axes(wanted, m);
}

#endif
#else
#define ELEMENT_HAS_VARIATIONAL 0
#endif

#endif
