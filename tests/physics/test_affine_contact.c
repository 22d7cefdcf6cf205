// Affine bodies in contact against very stiff solids of the same shape: how a tilted box lands, tips and bounces, and the pace at
// which a row of dominoes falls.
#include "physics_fixture.h"

static const char *const kinds[2] = {"\"type\": \"affine\"", "\"type\": \"solid\""};

/// E = 1e9 Pa for the solid; the affine body's stiffness is the default one.
static const char material[] =
    "\"materials\": {\"m\": {\"model\": \"arap\", \"density\": 1000, \"youngs_modulus\": 1e9, "
    "\"poissons_ratio\": 0.3, \"friction\": 0.4}}";

typedef struct Landing {
    double time;    ///< of the first contact, s
    double speed;   ///< upwards at the end, m/s
    double height;  ///< of the centre at the end, m
    double spin[3]; ///< angular momentum at the end, kg m^2/s
} Landing;

static Landing land(const char *kind)
{
    Simulation simulation;
    Landing landing = {0};
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.0005, \"duration\": 1}, \"integrator\": {\"type\": \"bdf2\"}, "
        "\"solver\": {\"type\": \"newton\"}, %s, \"bodies\": [{%s, \"geometry\": {\"box\": {\"size\": "
        "[0.1, 0.06, 0.08], \"cells\": [5, 5, 5]}}, \"material\": \"m\", \"rotate\": {\"axis\": [1, 0.3, 2], "
        "\"degrees\": 25}, \"translate\": [0, 0.075, 0], \"velocity\": [0, -1, 0]}], \"obstacles\": [{\"name\": "
        "\"floor\", \"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}, \"friction\": 0.4}], "
        "\"contact\": {\"model\": \"barrier\", \"distance\": 1e-2, \"stiffness\": 1e3}}",
        material, kind);
    for (int n = 1; n <= 120; ++n) {
        step_once(&simulation);
        if (landing.time == 0 && simulation.diagnosis.contact > 0)
            landing.time = 0.0005 * n;
    }
    const Diagnosis *state = &simulation.diagnosis;
    landing.speed = state->linear_momentum[1] / 0.48;
    landing.height = state->center[1];
    memcpy(landing.spin, state->angular_momentum, sizeof landing.spin);
    simulation_stop(&simulation);
    return landing;
}

START_TEST(a_box_lands_as_a_stiff_solid_does)
{
    Landing found[2];
    for (int i = 0; i < 2; ++i) {
        found[i] = land(kinds[i]);
        printf("landing (%s): at %.3f s, then %.4f m/s up at %.5f m, turning %.3e %.3e %.3e\n", kinds[i],
               found[i].time, found[i].speed, found[i].height, found[i].spin[0], found[i].spin[1],
               found[i].spin[2]);
    }
    const Landing *affine = &found[0], *solid = &found[1];
    double difference[3];
    subtract3(affine->spin, solid->spin, difference);
    // Masses in the nodes give the solid 8 % more inertia: 1 + 2/25.
    ck_assert_double_eq(affine->time, solid->time);
    ck_assert_double_eq_tol(affine->speed, solid->speed, 0.06);
    ck_assert_double_eq_tol(affine->height, solid->height, 5e-4);
    ck_assert_double_le(norm3(difference), 0.25 * norm3(solid->spin));
}
END_TEST

static double fall(const char *kind)
{
    Simulation simulation;
    double first = 0, last = 0;
    simulation_make(
        threads_context(1), &simulation,
        "{\"version\": 1, \"time\": {\"step\": 0.005, \"duration\": 1}, \"integrator\": {\"type\": \"bdf2\"}, "
        "\"solver\": {\"type\": \"newton\", \"tolerance\": 1e-4}, %s, \"bodies\": [{%s, \"geometry\": {\"box\": {\"size\": "
        "[0.008, 0.048, 0.024], \"cells\": [2, 6, 3]}}, \"material\": \"m\", \"translate\": [0, 0.0248, 0], "
        "\"angular_velocity\": [0, 0, -5], \"velocity\": [0.12, 0, 0]}, {%s, \"geometry\": {\"box\": {\"size\": "
        "[0.008, 0.048, 0.024], \"cells\": [2, 6, 3]}}, \"material\": \"m\", \"translate\": [0.024, 0.0248, 0], "
        "\"array\": {\"count\": [3, 1, 1], \"spacing\": [0.024, 0, 0]}}], \"obstacles\": [{\"name\": \"floor\", "
        "\"plane\": {\"point\": [0, 0, 0], \"normal\": [0, 1, 0]}, \"friction\": 0.4}], \"contact\": {\"model\": "
        "\"barrier\", \"distance\": 8e-4, \"stiffness\": 1e4}}",
        material, kind, kind);
    const int32_t each = simulation.model.bodies[0].node_count, counted = each == 4 ? 1 : each;
    for (int n = 1; n <= 120 && last == 0; ++n) {
        step_once(&simulation);
        // The centre: an affine body's first node, the mean of a solid's.
        const double *x = slot_values(&simulation, SLOT_POSITION), *rest = simulation.model.rest_positions;
        double moved[2] = {0};
        for (int32_t i = 0; i < counted; ++i) {
            moved[0] += (rest[3 * i + 1] - x[3 * i + 1]) / counted;
            moved[1] += (rest[3 * (3 * each + i) + 1] - x[3 * (3 * each + i) + 1]) / counted;
        }
        if (first == 0 && moved[0] > 0.004)
            first = 0.005 * n;
        if (moved[1] > 0.004)
            last = 0.005 * n;
    }
    ck_assert_double_gt(first, 0);
    ck_assert_double_gt(last, first);
    simulation_stop(&simulation);
    return last - first;
}

START_TEST(dominoes_fall_at_the_pace_of_stiff_solids)
{
    const double affine = fall(kinds[0]), solid = fall(kinds[1]);
    printf("dominoes: the last falls %.3f s after the first, of stiff solids %.3f s\n", affine, solid);
    ck_assert_double_eq_tol(affine, solid, 0.011);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("affine contact");
    TCase *contact = tcase_create("affine bodies in contact");
    tcase_add_test(contact, dominoes_fall_at_the_pace_of_stiff_solids);
    tcase_add_test(contact, a_box_lands_as_a_stiff_solid_does);
    suite_add_tcase(suite, contact);
    return test_run(suite);
}
