// Colour spaces, the tone curve and the colour map.
#include "check_main.h"
#include "render/color.h"

#include <math.h>

START_TEST(oklab_round_trip)
{
    for (int i = 0; i < 11 * 11 * 11; ++i) {
        const double rgb[3] = {i % 11 * 0.1, i / 11 % 11 * 0.1, i / 121 * 0.1};
        double oklab[3], back[3];
        color_oklab_from_linear(rgb, oklab);
        color_linear_from_oklab(oklab, back);
        for (int c = 0; c < 3; ++c)
            ck_assert_double_le(fabs(back[c] - rgb[c]), 1e-6);
    }
    // Grey has no hue, white has lightness one.
    double oklab[3];
    color_oklab_from_linear((double[3]){1, 1, 1}, oklab);
    ck_assert_double_le(fabs(oklab[0] - 1) + fabs(oklab[1]) + fabs(oklab[2]), 1e-6);
}
END_TEST

START_TEST(srgb_round_trip)
{
    for (int i = 0; i <= 255; ++i)
        ck_assert_double_le(fabs(255 * color_srgb_encode(color_srgb_decode(i / 255.0)) - i), 1e-9);
    ck_assert_double_eq(color_srgb_encode(-1), 0);
    ck_assert_double_eq(color_srgb_encode(2), 1);
    ck_assert_double_eq(color_srgb_encode(NAN), 0);
    ck_assert_double_le(fabs(color_srgb_encode(0.18) - 0.4613561), 1e-6); // IEC 61966-2-1
}
END_TEST

START_TEST(tone_curve_is_filmic)
{
    ck_assert_double_eq(color_tone_curve(0), 0);
    ck_assert_double_eq(color_tone_curve(-1), 0);
    double previous = 0, steepest = 0, previous_slope = 0;
    bool falling = false;
    for (int i = 1; i <= 20000; ++i) {
        const double x = exp(i * 1e-3 - 10), y = color_tone_curve(x), slope = y - previous;
        ck_assert_double_gt(y, previous);
        ck_assert_double_lt(y, 1);
        // Over log exposure the slope rises to one maximum (toe) and falls again (shoulder).
        if (i > 2) {
            ck_assert(!(falling && slope > previous_slope + 1e-15));
            falling = falling || slope < previous_slope;
        }
        steepest = fmax(steepest, slope);
        previous = y;
        previous_slope = slope;
    }
    ck_assert(falling);
    ck_assert_double_gt(previous, 0.99);
}
END_TEST

START_TEST(tone_inverse_inverts)
{
    for (int i = 0; i <= 93; ++i)
        ck_assert_double_le(fabs(color_tone_curve(color_tone_inverse(i * 0.01)) - i * 0.01), 1e-12);
    ck_assert_double_eq(color_tone_inverse(1), color_tone_inverse(0.93));
    ck_assert_double_eq(color_tone_inverse(-1), 0);
}
END_TEST

START_TEST(map_is_perceptually_uniform)
{
    double map[COLOR_MAP_SIZE][3], previous[3] = {0}, shortest = 1, longest = 0;
    color_map_build(map);
    for (int i = 0; i < COLOR_MAP_SIZE; ++i) {
        double oklab[3];
        for (int c = 0; c < 3; ++c)
            ck_assert_msg(map[i][c] > 0 && map[i][c] < 1, "entry %d leaves the gamut", i);
        color_oklab_from_linear(map[i], oklab);
        if (i > 0) {
            ck_assert_msg(oklab[0] > previous[0], "lightness falls at entry %d", i);
            const double step = sqrt(pow(oklab[0] - previous[0], 2) + pow(oklab[1] - previous[1], 2) +
                                     pow(oklab[2] - previous[2], 2));
            shortest = fmin(shortest, step);
            longest = fmax(longest, step);
        } else {
            ck_assert_double_lt(oklab[0], 0.35);
        }
        for (int c = 0; c < 3; ++c)
            previous[c] = oklab[c];
    }
    ck_assert_double_gt(previous[0], 0.85);
    ck_assert_msg(longest <= 1.02 * shortest, "steps between %g and %g", shortest, longest);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("render color");
    TCase *tests = tcase_create("color");
    tcase_add_test(tests, oklab_round_trip);
    tcase_add_test(tests, srgb_round_trip);
    tcase_add_test(tests, tone_curve_is_filmic);
    tcase_add_test(tests, tone_inverse_inverts);
    tcase_add_test(tests, map_is_perceptually_uniform);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
