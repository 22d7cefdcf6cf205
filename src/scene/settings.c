// time, render, output
#include "base/png.h"
#include "scene/sections.h"

#include <math.h>

enum { MOST_STEPS = 1000000000, SMALLEST_IMAGE = 16, LARGEST_IMAGE = 16384 };

VelaResult read_time(const Reader *reader, const Place *root, SceneDef *scene)
{
    const Place time = place_member(root, "time");
    TRY(check_object(reader, &time, &KEYS_TIME));
    scene->frame_every = 1;
    TRY(read_number(reader, &time, "step", REQUIRED, POSITIVE, &scene->step));
    TRY(read_number(reader, &time, "duration", REQUIRED, NOT_NEGATIVE, &scene->duration));
    TRY(read_integer(reader, &time, "frame_every", OPTIONAL, 1, MOST_STEPS, &scene->frame_every));
    const double steps = scene->duration / scene->step;
    static const double LONG = 1e6; // s: a duration beyond is at fault, not the step
    const Place duration = place_member(&time, "duration"), step = place_member(&time, "step");
    if (!(steps <= MOST_STEPS))
        return place_fail(
            reader, scene->duration > LONG ? &duration : &step,
            "found a duration of %.15g s in steps of %.15g s, which are %.6g, expected at most %d steps",
            scene->duration, scene->step, steps, MOST_STEPS);
    scene->step_count = llround(steps);
    if (scene->duration > 0 && scene->step_count == 0)
        return place_fail(
            reader, &duration,
            "found %.15g s, less than half a step of %.15g s, expected at least one step, or 0 for "
            "the initial state alone",
            scene->duration, scene->step);
    return VELA_OK;
}

static VelaResult read_camera(const Reader *reader, const Place *render, SceneDef *scene)
{
    static const Range angle = {1, 170, "an angle of 1 to 170 degrees"};
    const Place camera = place_member(render, "camera");
    if (!camera.value)
        return VELA_OK;
    TRY(check_object(reader, &camera, &KEYS_CAMERA));
    scene->has_camera = true;
    TRY(read_vector(reader, &camera, "eye", REQUIRED, ANY_NUMBER, scene->eye));
    TRY(read_vector(reader, &camera, "target", REQUIRED, ANY_NUMBER, scene->target));
    TRY(read_number(reader, &camera, "fov_degrees", OPTIONAL, angle, &scene->fov_degrees));
    if (scene->eye[0] == scene->target[0] && scene->eye[1] == scene->target[1] &&
        scene->eye[2] == scene->target[2])
        return place_fail(reader, &camera, "eye and target are the same point, expected two");
    return VELA_OK;
}

/// Two numbers, ascending.
static VelaResult read_color_range(const Reader *reader, const Place *render, SceneDef *scene)
{
    const Place at = place_member(render, "color_range");
    int count, i = 0;
    if (!at.value)
        return VELA_OK;
    TRY(check_list(reader, &at, 2, 2, "numbers: [least, most]", &count));
    for (const cJSON *item = at.value->child; item; item = item->next, ++i) {
        const Place end = place_item(&at, i, item);
        TRY(number_at(reader, &end, ANY_NUMBER, &scene->color_range[i]));
    }
    if (!(scene->color_range[0] < scene->color_range[1]))
        return place_fail(reader, &at, "found %.15g up to %.15g, expected [least, most]",
                          scene->color_range[0], scene->color_range[1]);
    if (scene->color_by == COLOR_BY_BODY)
        return place_fail(reader, &at, "found with \"color_by\": \"body\", which has none, expected another");
    scene->has_color_range = true;
    return VELA_OK;
}

VelaResult read_render(const Reader *reader, const Place *root, SceneDef *scene)
{
    scene->image_size[0] = 1280;
    scene->image_size[1] = 720;
    scene->fov_degrees = 40;
    scene->color_by = COLOR_BY_BODY;
    const Place render = place_member(root, "render");
    if (!render.value)
        return VELA_OK;
    int color_by = COLOR_BY_BODY;
    TRY(check_object(reader, &render, &KEYS_RENDER));
    TRY(read_integers(reader, &render, "size", OPTIONAL, SMALLEST_IMAGE, LARGEST_IMAGE, 2,
                      scene->image_size));
    const Place size = place_member(&render, "size");
    if (!png_can_hold(scene->image_size[0], scene->image_size[1], 3))
        return place_fail(reader, &size, "%d x %d pixels, expected at most %d million in all",
                          scene->image_size[0], scene->image_size[1], PNG_LARGEST / 3 / 1000000);
    TRY(read_camera(reader, &render, scene));
    TRY(read_word(reader, &render, "color_by", OPTIONAL, &WORDS_COLOR_BY, &color_by));
    scene->color_by = (ColorBy)color_by;
    TRY(read_flag(reader, &render, "joints", OPTIONAL, &scene->draw_joints));
    return read_color_range(reader, &render, scene);
}

VelaResult read_output(const Reader *reader, const Place *root, SceneDef *scene)
{
    scene->images = true;
    scene->checkpoint_every = 60;
    scene->stress = scene->color_by >= COLOR_BY_STRESS && scene->color_by <= COLOR_BY_THICKNESS;
    const Place output = place_member(root, "output");
    if (!output.value)
        return VELA_OK;
    int images = 1;
    TRY(check_object(reader, &output, &KEYS_OUTPUT));
    TRY(read_word(reader, &output, "images", OPTIONAL, &WORDS_IMAGES, &images));
    TRY(read_integer(reader, &output, "checkpoint_every", OPTIONAL, 1, MOST_STEPS, &scene->checkpoint_every));
    bool stress = scene->stress;
    TRY(read_flag(reader, &output, "stress", OPTIONAL, &stress));
    scene->stress = scene->stress || stress;
    scene->images = images == 1;
    return VELA_OK;
}
