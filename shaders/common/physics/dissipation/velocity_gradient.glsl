// The correction that makes any damping of a solid blind to rotations; twin of src/physics/dissipation/velocity_gradient.h. There it is a
// product of 9x9 matrices. In the axes of F = U diag(s) V^T the corrected rate of X = U^T F' V is (x_ik + x_ki s_k/s_i)/2: pairs do not
// mix.
#ifndef COMMON_PHYSICS_DISSIPATION_VELOCITY_GRADIENT_GLSL
#define COMMON_PHYSICS_DISSIPATION_VELOCITY_GRADIENT_GLSL

#include "common/elements/principal_form.glsl"

#define VELOCITY_GRADIENT_FLAT 1e-9

/// Whether F has no inverse to speak of: then nothing is corrected.
bool velocity_gradient_is_flat(real a, real b, real c)
{
    const real square = a * a + b * b + c * c;
    return abs(a * b * c) <= real(VELOCITY_GRADIENT_FLAT) * square * sqrt(square);
}

/// The form of the corrected rate.
void velocity_gradient_correct(real s[3], inout real form[FORM_SIZE])
{
    if (velocity_gradient_is_flat(s[0], s[1], s[2]))
        return;
    for (int pair = 0; pair < 3; ++pair) {
        const int at = FORM_SHEAR + 3 * pair;
        const real r = s[form_second(pair)] / s[form_first(pair)], inverse = real(1.0) / r;
        const real ahead = form[at], behind = form[at + 1], both = real(2.0) * form[at + 2];
        form[at] = real(0.25) * (ahead + inverse * (both + inverse * behind));
        form[at + 1] = real(0.25) * (r * (r * ahead + both) + behind);
        form[at + 2] = real(0.25) * (r * ahead + both + inverse * behind);
    }
}

#endif
