// Strain rate damping; twin of src/physics/dissipation/strain_rate.h. There it is made of F itself, here of the stretches: with
// F = U diag(s) V^T and X = U^T F' V the strain's rate is sym(diag(s) X) in the axes V.
#ifndef COMMON_PHYSICS_DISSIPATION_STRAIN_RATE_GLSL
#define COMMON_PHYSICS_DISSIPATION_STRAIN_RATE_GLSL

#include "common/elements/principal_form.glsl"

/// shear sum ((s_i x_ik + s_k x_ki)/2)^2 + bulk/2 (sum s_i x_ii)^2
void strain_rate_form(real s[ELEMENT_COLUMNS], real shear, real bulk, out real form[FORM_SIZE])
{
    for (int k = 0; k < FORM_SIZE; ++k)
        form[k] = real(0.0);
    for (int i = 0; i < ELEMENT_COLUMNS; ++i)
        form[i] = (real(2.0) * shear + bulk) * s[i] * s[i];
    for (int pair = 0; pair < FORM_PAIRS; ++pair) {
        const real a = s[form_first(pair)], b = s[form_second(pair)];
        form[FORM_MIXED + pair] = bulk * a * b;
        form[FORM_SHEAR + 3 * pair] = shear * a * a;
        form[FORM_SHEAR + 3 * pair + 1] = shear * b * b;
        form[FORM_SHEAR + 3 * pair + 2] = shear * a * b;
    }
}

#endif
