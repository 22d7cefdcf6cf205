// The default camera: every corner of the motion's box is in the image, for many boxes and shapes of image.
#include "check_main.h"
#include "render/camera.h"

#include <math.h>

static uint64_t random_state;

static double random_unit(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) * 0x1p-53;
}

// Largest |x|, |y| over the corners in normalised device coordinates; checks the depths.
static void corners_measure(const RenderCamera *camera, double aspect, const double min[3],
                            const double max[3], double reach[2])
{
    reach[0] = reach[1] = 0;
    for (int corner = 0; corner < 8; ++corner) {
        double p[3], ndc[3];
        for (int i = 0; i < 3; ++i)
            p[i] = corner >> i & 1 ? max[i] : min[i];
        ck_assert(render_camera_project(camera, aspect, p, ndc));
        ck_assert_double_ge(ndc[2], 0);
        ck_assert_double_le(ndc[2], 1);
        reach[0] = fmax(reach[0], fabs(ndc[0]));
        reach[1] = fmax(reach[1], fabs(ndc[1]));
    }
}

START_TEST(boxes_fit)
{
    static const double ASPECTS[] = {16.0 / 9, 4.0 / 3, 1, 0.5, 3};
    static const double FIELDS[] = {10, 36, 60, 100};
    for (int trial = 0; trial < 400; ++trial) {
        const double aspect = ASPECTS[trial % 5], fov = FIELDS[trial / 5 % 4];
        double min[3], max[3], reach[2];
        const double scale = exp(12 * random_unit() - 6);
        for (int i = 0; i < 3; ++i) {
            min[i] = 5 * scale * (random_unit() - 0.5);
            max[i] = min[i] + scale * (trial % 7 == i ? 0 : exp(4 * random_unit() - 3));
        }
        const RenderCamera camera = render_camera_frame(min, max, aspect, fov);
        corners_measure(&camera, aspect, min, max, reach);
        ck_assert_msg(reach[0] <= 0.93 && reach[1] <= 0.93, "trial %d: corners reach %g, %g", trial, reach[0],
                      reach[1]);
        // Close enough: one direction is used up, unless a very wide lens would have to stand inside the box.
        ck_assert_msg(fmax(reach[0], reach[1]) >= (fov <= 60 ? 0.85 : 0.3),
                      "trial %d: corners reach only %g, %g", trial, reach[0], reach[1]);
        // From above.
        ck_assert_double_gt(camera.eye[1] - camera.target[1], 0);
    }
}
END_TEST

START_TEST(point_has_a_view)
{
    const double point[3] = {3, -2, 7};
    const RenderCamera camera = render_camera_frame(point, point, 1.5, 40);
    double ndc[3];
    ck_assert(render_camera_project(&camera, 1.5, point, ndc));
    ck_assert_double_le(fabs(ndc[0]), 0.95);
    ck_assert_double_le(fabs(ndc[1]), 0.95);
    ck_assert_double_gt(camera.near, 0);
    ck_assert_double_gt(camera.far, camera.near);
}
END_TEST

START_TEST(matrix_is_the_projection)
{
    const double min[3] = {-1, 0, -0.5}, max[3] = {2, 1.5, 0.25}, origin[3] = {0.5, 0.7, -0.1};
    const RenderCamera camera = render_camera_frame(min, max, 1.6, 36);
    float m[16];
    render_camera_matrix(&camera, 1.6, origin, m);
    for (int trial = 0; trial < 100; ++trial) {
        double p[3], ndc[3], clip[4];
        for (int i = 0; i < 3; ++i)
            p[i] = min[i] + random_unit() * (max[i] - min[i]);
        ck_assert(render_camera_project(&camera, 1.6, p, ndc));
        for (int r = 0; r < 4; ++r) {
            clip[r] = (double)m[12 + r];
            for (int i = 0; i < 3; ++i)
                clip[r] += (double)m[4 * i + r] * (p[i] - origin[i]);
        }
        for (int r = 0; r < 3; ++r)
            ck_assert_double_le(fabs(clip[r] / clip[3] - ndc[r]), 1e-5);
    }
    // Up in the world is up in the image, where y grows downwards.
    double low[3], high[3];
    ck_assert(render_camera_project(&camera, 1.6, (double[3]){0.5, 0, 0}, low));
    ck_assert(render_camera_project(&camera, 1.6, (double[3]){0.5, 1, 0}, high));
    ck_assert_double_lt(high[1], low[1]);
    ck_assert(!render_camera_project(
        &camera, 1.6, (double[3]){camera.eye[0] * 2, camera.eye[1] * 2, camera.eye[2] * 2}, low));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("render camera");
    TCase *tests = tcase_create("camera");
    tcase_add_test(tests, boxes_fit);
    tcase_add_test(tests, point_has_a_view);
    tcase_add_test(tests, matrix_is_the_projection);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
