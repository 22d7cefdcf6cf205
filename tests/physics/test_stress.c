// Stress and strain of elements in closed form: homogeneous deformations under every energy, a rotation, cables, affine bodies; and the
// traction that a force on a bar brings.
#include "physics_fixture.h"

#include "api/stress.h"

#include <math.h>

static void find(Simulation *simulation, float **stress, float **strain)
{
    const size_t count = (size_t)simulation->model.element_count;
    ASSERT_OK(simulation->context, ARENA_ARRAY(&simulation->arena, *stress, STRESS_COMPONENTS * count));
    ASSERT_OK(simulation->context, ARENA_ARRAY(&simulation->arena, *strain, PRINCIPAL_STRAINS * count));
    stress_find(&simulation->model, slot_values(simulation, SLOT_POSITION), 2, *stress, *strain);
}

#define BLOCK                                                                                                \
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"materials\": {\"m\": {\"model\":"       \
    " \"%s\", \"density\": 1000, %s}}, \"bodies\": [{\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1],"    \
    " \"cells\": [2, 1, 1]}}, \"material\": \"m\"}]}"

/// Stretched and turned: Cauchy stress is R diag(psi_i s_i/J) R^T by the derivatives of the energy in its stretches.
START_TEST(homogeneous_stress)
{
    Simulation simulation;
    simulation_make(threads_context(1), &simulation, BLOCK, model_name(_i), stiffness_text(_i, 5e4, 1e5));
    const double s[3] = {1.3, 1.05, 0.9}, axis[3] = {0.6, 0, 0.8}, eps = 1e-6;
    const ModelMaterial *material = &simulation.model.materials[0];
    double turn[9], F[9], principal[3], expected[9] = {0};
    matrix3_rotation(axis, 0.7, turn);
    for (int k = 0; k < 9; ++k)
        F[k] = turn[k] * s[k % 3];
    for (int k = 0; k < 3; ++k) {
        double density[2];
        for (int side = 0; side < 2; ++side) {
            Lanes sigma[3] = {lanes_set(s[0]), lanes_set(s[1]), lanes_set(s[2])};
            sigma[k] += side == 0 ? -eps : eps;
            density[side] = energy_density_above_rest(_i, sigma, lanes_set(material->formula.kappa),
                                                      lanes_set(material->formula.lambda))[0];
        }
        principal[k] = (density[1] - density[0]) / (2 * eps) * s[k] / (s[0] * s[1] * s[2]);
    }
    for (int k = 0; k < 9; ++k)
        for (int m = 0; m < 3; ++m)
            expected[k] += turn[3 * (k / 3) + m] * principal[m] * turn[3 * (k % 3) + m];
    double *x = slot_values(&simulation, SLOT_POSITION), largest = 0;
    for (size_t i = 0; i < 3 * (size_t)simulation.model.node_count; i += 3)
        matrix3_apply(F, simulation.model.rest_positions + i, x + i);
    ASSERT_OK(simulation.context, device_state_write(simulation.device, SLOT_POSITION, x));
    float *stress, *strain;
    find(&simulation, &stress, &strain);
    static const int at[STRESS_COMPONENTS] = {0, 4, 8, 1, 2, 5};
    for (int k = 0; k < 9; ++k)
        largest = fmax(largest, fabs(expected[k]));
    for (int32_t e = 0; e < simulation.model.element_count; ++e) {
        for (int k = 0; k < STRESS_COMPONENTS; ++k)
            ck_assert_double_eq_tol((double)stress[STRESS_COMPONENTS * e + k], expected[at[k]],
                                    1e-6 * largest);
        for (int k = 0; k < PRINCIPAL_STRAINS; ++k)
            ck_assert_double_eq_tol((double)strain[PRINCIPAL_STRAINS * e + k], s[k] - 1, 1e-6);
        const double mises =
            sqrt(0.5 * (pow(principal[0] - principal[1], 2) + pow(principal[1] - principal[2], 2) +
                        pow(principal[2] - principal[0], 2)));
        ck_assert_double_eq_tol(frame_von_mises(stress + STRESS_COMPONENTS * e), mises, 1e-5 * largest);
    }
    simulation_stop(&simulation);
}
END_TEST

/// A cable stretched along a diagonal: E (l/l_0 - 1) t t^T. An affine body at rest has none, its stretched one what its shape has.
START_TEST(cables_and_affine_bodies)
{
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"materials\": {\"m\": {\"model\":"
        " \"arap\", \"density\": 1000, \"youngs_modulus\": 2e6, \"poissons_ratio\": 0.3}}, \"bodies\": ["
        "{\"type\": \"cable\", \"radius\": 0.01, \"rest_scale\": 0.8, \"bending_modulus\": 1e5, \"material\":"
        " \"m\", \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": [3, 4, 0], \"segments\": 4}}},"
        "{\"type\": \"affine\", \"stiffness\": 1e6, \"material\": \"m\", \"geometry\": {\"box\": {\"size\":"
        " [0.3, 0.2, 0.1], \"cells\": [1, 1, 1]}}}]}");
    double *x = slot_values(&simulation, SLOT_POSITION);
    const Model *model = &simulation.model;
    for (int32_t i = model->bodies[1].first_node; i < model->node_count; ++i)
        x[3 * i] *= 1.01;
    ASSERT_OK(simulation.context, device_state_write(simulation.device, SLOT_POSITION, x));
    float *stress, *strain;
    find(&simulation, &stress, &strain);
    const double tension = 2e6 * 0.25, t[3] = {0.6, 0.8, 0};
    const double wanted[STRESS_COMPONENTS] = {t[0] * t[0], t[1] * t[1], 0, t[0] * t[1], 0, 0};
    for (int32_t e = model->groups[ELEMENT_SEGMENT].first_element, n = 0; n < 4; ++n, ++e) {
        for (int k = 0; k < STRESS_COMPONENTS; ++k)
            ck_assert_double_eq_tol((double)stress[STRESS_COMPONENTS * e + k], tension * wanted[k], 0.1);
        ck_assert_double_eq_tol((double)strain[PRINCIPAL_STRAINS * e], 0.25, 1e-6);
        ck_assert_double_eq_tol(frame_von_mises(stress + STRESS_COMPONENTS * e), tension, 0.1);
    }
    const int32_t a = model->groups[ELEMENT_AFFINE].first_element;
    // 4 kappa s (s^2 - 1) s/J
    ck_assert_double_eq_tol((double)stress[STRESS_COMPONENTS * a], 4e6 * 1.01 * (1.01 * 1.01 - 1), 1);
    ck_assert_double_eq_tol((double)stress[STRESS_COMPONENTS * a + 1], 0, 1);
    ck_assert_double_eq_tol((double)strain[PRINCIPAL_STRAINS * a], 0.01, 1e-6);
    simulation_stop(&simulation);
}
END_TEST

/// A sheet stretched in its plane and turned, bent by none: Cauchy stress is R diag(psi_i s_i/(s_0 s_1 s_2)) R^T with psi_i by differences of
/// the energy, there is none across, and the change of thickness is what the solid's energy is least at.
START_TEST(shells)
{
    static const char *const models[] = {"stvk", "neo_hookean"};
    const double s[2] = {1.2, 0.95}, axis[3] = {0.6, 0, 0.8}, E = 1e5, nu = 0.3, eps = 1e-5, thickness = 0.01;
    const double mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
    Simulation simulation;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, \"materials\": {\"m\": {\"model\": \"%s\", "
        "\"density\": 1000, \"youngs_modulus\": %g, \"poissons_ratio\": %g}}, \"solver\": {\"type\": \"newton\"}, "
        "\"bodies\": [{\"type\": \"shell\", \"thickness\": %g, \"bending\": \"none\", \"material\": \"m\", "
        "\"geometry\": {\"sheet\": {\"size\": [0.5, 0.4], \"cells\": [3, 2]}}}]}",
        models[_i], E, nu, thickness);
    const Model *model = &simulation.model;
    double turn[9], energies[5], *x = slot_values(&simulation, SLOT_POSITION), expected[9] = {0},
                                 principal[3];
    matrix3_rotation(axis, 0.7, turn);
    for (int c = 0; c < 5; ++c) { // the last one is the state itself
        const double a[3] = {s[0] + (c == 0   ? -eps
                                     : c == 1 ? eps
                                              : 0),
                             1,
                             s[1] + (c == 2   ? -eps
                                     : c == 3 ? eps
                                              : 0)};
        for (size_t i = 0; i < 3 * (size_t)model->node_count; i += 3) {
            double place[3];
            for (int k = 0; k < 3; ++k)
                place[k] = a[k] * model->rest_positions[i + (size_t)k];
            matrix3_apply(turn, place, x + i);
        }
        ASSERT_OK(simulation.context, device_state_write(simulation.device, SLOT_POSITION, x));
        ASSERT_OK(simulation.context,
                  device_diagnose(simulation.device, SLOT_POSITION, SLOT_VELOCITY, 0, &simulation.diagnosis));
        energies[c] = simulation.diagnosis.elastic;
    }
    double third = sqrt(1 - lambda / (lambda + 2 * mu) * (s[0] * s[0] + s[1] * s[1] - 2));
    if (_i == 1) {
        double low = 0.5, high = 1.5;
        for (int k = 0; k < 100; ++k) {
            third = 0.5 * (low + high);
            *(mu * (third * third - 1) + lambda * log(s[0] * s[1] * third) < 0 ? &low : &high) = third;
        }
    }
    const double volume = 0.5 * 0.4 * thickness;
    principal[0] = (energies[1] - energies[0]) / (2 * eps * volume) / (s[1] * third);
    principal[1] = 0;
    principal[2] = (energies[3] - energies[2]) / (2 * eps * volume) / (s[0] * third);
    for (int k = 0; k < 9; ++k)
        for (int m = 0; m < 3; ++m)
            expected[k] += turn[3 * (k / 3) + m] * principal[m] * turn[3 * (k % 3) + m];
    float *stress, *strain;
    find(&simulation, &stress, &strain);
    static const int at[STRESS_COMPONENTS] = {0, 4, 8, 1, 2, 5};
    for (int32_t e = model->groups[ELEMENT_MEMBRANE].first_element, n = 0; n < 12; ++n, ++e) {
        for (int k = 0; k < STRESS_COMPONENTS; ++k)
            ck_assert_double_eq_tol((double)stress[STRESS_COMPONENTS * e + k], expected[at[k]], 1e-6 * E);
        const double strains[PRINCIPAL_STRAINS] = {s[0] - 1, s[1] - 1, third - 1};
        for (int k = 0; k < PRINCIPAL_STRAINS; ++k)
            ck_assert_double_eq_tol((double)strain[PRINCIPAL_STRAINS * e + k], strains[k], 1e-6);
    }
    simulation_stop(&simulation);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("stress");
    TCase *tests = tcase_create("stress");
    tcase_add_loop_test(tests, homogeneous_stress, 0, ENERGY_MODEL_COUNT);
    tcase_add_test(tests, cables_and_affine_bodies);
    tcase_add_loop_test(tests, shells, 0, 2);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
