// Prescribed motions against closed forms.
#include "scene_fixture.h"

#include "base/matrix3.h"

#define PI 3.14159265358979323846
static const double START[3] = {0.3, -0.7, 1.9};

static void expect_point(const double found[3], double x, double y, double z, double tolerance)
{
    ck_assert_double_eq_tol(found[0], x, tolerance);
    ck_assert_double_eq_tol(found[1], y, tolerance);
    ck_assert_double_eq_tol(found[2], z, tolerance);
}

START_TEST(no_motion_is_rest)
{
    const Motion motion = {0};
    double p[3], d[3];
    motion_apply(&motion, 3, START, p);
    motion_rotate(&motion, 3, START, d);
    ck_assert_mem_eq(p, START, sizeof p);
    ck_assert_mem_eq(d, START, sizeof d);
}
END_TEST

START_TEST(translations_are_linear_and_held)
{
    Keyframe keyframes[] = {{.time = 1, .translate = {1, 0, 0}},
                            {.time = 3, .translate = {5, 2, 0}},
                            {.time = 4, .translate = {5, 2, 8}}};
    const Motion motion = {.keyframe_count = 3, .keyframes = keyframes};
    static const double rows[][4] = {{-5, 1, 0, 0},   {0, 1, 0, 0},     {1, 1, 0, 0},
                                     {2, 3, 1, 0},    {2.5, 4, 1.5, 0}, {3, 5, 2, 0},
                                     {3.25, 5, 2, 2}, {4, 5, 2, 8},     {1e9, 5, 2, 8}};
    for (int i = 0; i < 9; ++i) {
        double p[3], d[3];
        motion_apply(&motion, rows[i][0], START, p);
        expect_point(p, START[0] + rows[i][1], START[1] + rows[i][2], START[2] + rows[i][3], 1e-15);
        motion_rotate(&motion, rows[i][0], START, d);
        ck_assert_mem_eq(d, START, sizeof d);
    }
}
END_TEST

// About the line through (2, 0, 0) along z: x - 2 = r cos, y = r sin.
START_TEST(one_axis_turns_many_times)
{
    Keyframe keyframes[] = {
        {.time = 0},
        {.time = 2, .has_rotation = true, .axis = {0, 0, 1}, .degrees = 1080, .about = {2, 0, 0}}};
    const Motion motion = {.keyframe_count = 2, .keyframes = keyframes};
    const double radius = hypot(START[0] - 2, START[1]), phase = atan2(START[1], START[0] - 2);
    for (double time = 0; time <= 2.5; time += 0.0625) {
        const double angle = phase + fmin(time, 2) / 2 * 6 * PI;
        double p[3], d[3];
        motion_apply(&motion, time, START, p);
        expect_point(p, 2 + radius * cos(angle), radius * sin(angle), START[2], 1e-14);
        motion_rotate(&motion, time, (double[]){1, 0, 0}, d);
        expect_point(d, cos(angle - phase), sin(angle - phase), 0, 1e-14);
    }
}
END_TEST

START_TEST(turning_back_to_no_rotation)
{
    // 90 degrees about x, then about nothing: the way back is about x as well; then on to 90 about y.
    Keyframe keyframes[] = {{.time = 0, .has_rotation = true, .axis = {1, 0, 0}, .degrees = 90},
                            {.time = 1},
                            {.time = 2, .has_rotation = true, .axis = {0, 1, 0}, .degrees = 90}};
    const Motion motion = {.keyframe_count = 3, .keyframes = keyframes};
    const double y[3] = {0, 1, 0}, z[3] = {0, 0, 1}, half = sqrt(0.5);
    double d[3];
    motion_rotate(&motion, 0, y, d);
    expect_point(d, 0, 0, 1, 1e-15);
    motion_rotate(&motion, 0.5, y, d);
    expect_point(d, 0, half, half, 1e-15);
    motion_rotate(&motion, 1, y, d);
    expect_point(d, 0, 1, 0, 1e-15);
    motion_rotate(&motion, 1.5, z, d);
    expect_point(d, half, 0, half, 1e-15);
}
END_TEST

START_TEST(zero_degrees_take_the_other_axis)
{
    Keyframe keyframes[] = {{.time = 0, .has_rotation = true, .axis = {1, 0, 0}, .degrees = 0},
                            {.time = 1, .has_rotation = true, .axis = {0, 0, 1}, .degrees = 720}};
    const Motion motion = {.keyframe_count = 2, .keyframes = keyframes};
    double d[3];
    motion_rotate(&motion, 0.125, (double[]){1, 0, 0}, d);
    expect_point(d, 0, 1, 0, 1e-15);
}
END_TEST

START_TEST(opposite_axes_are_one_line)
{
    Keyframe keyframes[] = {{.time = 0, .has_rotation = true, .axis = {0, 0, 1}, .degrees = 300},
                            {.time = 1, .has_rotation = true, .axis = {0, 0, -1}, .degrees = 300}};
    const Motion motion = {.keyframe_count = 2, .keyframes = keyframes};
    for (double time = 0; time <= 1; time += 0.125) {
        const double angle = (300 - 600 * time) * PI / 180;
        double d[3];
        motion_rotate(&motion, time, (double[]){1, 0, 0}, d);
        expect_point(d, cos(angle), sin(angle), 0, 1e-14);
    }
}
END_TEST

// From A to B, the way between turns about one fixed axis at a steady rate: R(w) = A (A^T B)^w.
START_TEST(different_axes_take_the_arc)
{
    Keyframe keyframes[] = {{.time = 0, .has_rotation = true, .axis = {1, 0, 0}, .degrees = 90},
                            {.time = 1, .has_rotation = true, .axis = {0, 1, 0}, .degrees = 90}};
    const Motion motion = {.keyframe_count = 2, .keyframes = keyframes};
    double a[9], b[9], transposed[9], between[9], part[9], expected[9];
    matrix3_rotation(keyframes[0].axis, PI / 2, a);
    matrix3_rotation(keyframes[1].axis, PI / 2, b);
    matrix3_transpose(a, transposed);
    matrix3_multiply(transposed, b, between);
    const double angle = acos((between[0] + between[4] + between[8] - 1) / 2);
    double axis[3] = {between[7] - between[5], between[2] - between[6], between[3] - between[1]};
    normalize3(axis);
    for (double w = 0; w <= 1; w += 0.0625) {
        matrix3_rotation(axis, w * angle, part);
        matrix3_multiply(a, part, expected);
        double found[3], wanted[3];
        motion_rotate(&motion, w, START, found);
        matrix3_apply(expected, START, wanted);
        expect_point(found, wanted[0], wanted[1], wanted[2], 1e-14);
    }
}
END_TEST

START_TEST(rotation_comes_before_translation)
{
    Keyframe keyframes[] = {{.time = 0,
                             .translate = {10, 0, 0},
                             .has_rotation = true,
                             .axis = {0, 0, 1},
                             .degrees = 90,
                             .about = {1, 1, 0}}};
    const Motion motion = {.keyframe_count = 1, .keyframes = keyframes};
    double p[3];
    motion_apply(&motion, 7, (double[]){2, 1, 5}, p);
    expect_point(p, 11, 2, 5, 1e-14);
}
END_TEST

START_TEST(spin_is_steady)
{
    const Motion motion = {
        .spin = true, .spin_axis = {0, 1, 0}, .spin_about = {1, 5, -1}, .spin_speed = -2.5};
    const double x = START[0] - 1, z = START[2] + 1, radius = hypot(x, z), phase = atan2(-z, x);
    for (double time = 0; time <= 20; time += 0.5) {
        const double angle = phase - 2.5 * time;
        double p[3], d[3];
        motion_apply(&motion, time, START, p);
        expect_point(p, 1 + radius * cos(angle), START[1], -1 - radius * sin(angle), 1e-12);
        motion_rotate(&motion, time, (double[]){0, 0, 1}, d);
        expect_point(d, sin(-2.5 * time), 0, cos(-2.5 * time), 1e-12);
    }
    double p[3];
    motion_apply(&motion, 0, START, p);
    ck_assert_mem_eq(p, START, sizeof p);
}
END_TEST

START_TEST(in_and_out_may_be_the_same)
{
    const Motion motion = {.spin = true, .spin_axis = {0, 0, 1}, .spin_speed = PI / 2};
    double p[3] = {1, 0, 0};
    motion_apply(&motion, 1, p, p);
    expect_point(p, 0, 1, 0, 1e-15);
    motion_rotate(&motion, 1, p, p);
    expect_point(p, -1, 0, 0, 1e-15);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scene motion");
    TCase *tests = tcase_create("motion");
    tcase_add_test(tests, no_motion_is_rest);
    tcase_add_test(tests, translations_are_linear_and_held);
    tcase_add_test(tests, one_axis_turns_many_times);
    tcase_add_test(tests, turning_back_to_no_rotation);
    tcase_add_test(tests, zero_degrees_take_the_other_axis);
    tcase_add_test(tests, opposite_axes_are_one_line);
    tcase_add_test(tests, different_axes_take_the_arc);
    tcase_add_test(tests, rotation_comes_before_translation);
    tcase_add_test(tests, spin_is_steady);
    tcase_add_test(tests, in_and_out_may_be_the_same);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
