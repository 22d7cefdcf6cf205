// pins with their selectors, and motions
#include "scene/sections.h"

#include "base/matrix3.h"

#include <string.h>

enum { MOST_PINS = 1000, MOST_NODES = 1000000, MOST_KEYFRAMES = 100000 };

// ---------------------------------------------------------------- selectors

static VelaResult read_select_box(const Reader *reader, const Place *at, SelectDef *select)
{
    int count, i = 0;
    TRY(check_list(reader, at, 2, 2, "corners: [[min x, y, z], [max x, y, z]]", &count));
    for (const cJSON *item = at->value->child; item; item = item->next, ++i) {
        const Place corner = place_item(at, i, item);
        TRY(vector_at(reader, &corner, ANY_NUMBER, select->box[i]));
    }
    for (i = 0; i < 3; ++i)
        if (select->box[0][i] > select->box[1][i])
            return place_fail(reader, at,
                              "found minimum %.15g above maximum %.15g along %c, expected [[min], [max]]",
                              select->box[0][i], select->box[1][i], "xyz"[i]);
    return VELA_OK;
}

static VelaResult read_select_nodes(const Reader *reader, const Place *at, SelectDef *select)
{
    int i = 0;
    TRY(check_list(reader, at, 1, MOST_NODES, "node indices", &select->node_count));
    TRY(ARENA_ARRAY(reader->arena, select->nodes, select->node_count));
    for (const cJSON *item = at->value->child; item; item = item->next, ++i) {
        const Place node = place_item(at, i, item);
        TRY(integer_at(reader, &node, 0, INT32_MAX, &select->nodes[i]));
    }
    return VELA_OK;
}

static VelaResult read_select_value(const Reader *reader, const Place *at, SelectDef *select)
{
    switch (select->kind) {
    case SELECT_ALL:
        return cJSON_IsTrue(at->value) ? VELA_OK : place_expected(reader, at, "true");
    case SELECT_BOX:
        return read_select_box(reader, at, select);
    case SELECT_SPHERE:
        TRY(check_object(reader, at, &KEYS_SPHERE));
        TRY(read_vector(reader, at, "center", REQUIRED, ANY_NUMBER, select->center));
        return read_number(reader, at, "radius", REQUIRED, POSITIVE, &select->radius);
    case SELECT_NODES:
        return read_select_nodes(reader, at, select);
    case SELECT_NEAREST:
        return vector_at(reader, at, ANY_NUMBER, select->nearest);
    case SELECT_GROUP:
        return string_at(reader, at, &select->group);
    }
    return VELA_OK;
}

VelaResult read_select(const Reader *reader, const Place *pin, SelectDef *select)
{
    const Place at = place_member(pin, "select");
    TRY(place_keep_path(reader, &at, &select->path));
    if (cJSON_IsString(at.value) && strcmp(at.value->valuestring, "all") == 0)
        return VELA_OK; // SELECT_ALL is 0
    if (!cJSON_IsObject(at.value))
        return place_expected(reader, &at,
                              "\"all\" or an object with one of: box, sphere, nodes, nearest, group");
    TRY(check_object(reader, &at, &KEYS_SELECT));
    if (cJSON_GetArraySize(at.value) != 1)
        return place_fail(reader, &at,
                          "found %d keys, expected exactly one of: box, sphere, nodes, nearest, group, all",
                          cJSON_GetArraySize(at.value));
    const Place value = place_member(&at, at.value->child->string);
    while (strcmp(KEYS_SELECT.known[select->kind], value.key) != 0)
        ++select->kind; // one of them it is: check_object has seen to that
    return read_select_value(reader, &value, select);
}

/// Which of x, y, z stand in the word, each once; at least one.
static VelaResult read_axes(const Reader *reader, const Place *pin, unsigned *axes)
{
    const char *word = NULL;
    const Place at = place_member(pin, "axes");
    *axes = AXES_ALL;
    if (!at.value)
        return VELA_OK;
    TRY(string_at(reader, &at, &word));
    *axes = 0;
    for (const char *c = word; *c; ++c) {
        const unsigned axis = *c >= 'x' && *c <= 'z' ? 1u << (*c - 'x') : *axes;
        if (axis & *axes || axis == 0)
            return place_fail(reader, &at, "found \"%.32s\", expected one or more of x, y, z, each once",
                              word);
        *axes |= axis;
    }
    return *axes ? VELA_OK
                 : place_fail(reader, &at, "found \"\", expected one or more of x, y, z, each once");
}

void pin_axis(const PinDef *pin, int k, double axis[3])
{
    double turn[9];
    matrix3_rotation(pin->frame_axis, pin->frame_degrees * (3.14159265358979323846 / 180), turn);
    for (int i = 0; i < 3; ++i)
        axis[i] = pin->frame_degrees == 0 ? (double)(i == k) : turn[3 * i + k];
}

VelaResult read_pins(const Reader *reader, const Place *body, BodyDef *out)
{
    const Place pins = place_member(body, "pins");
    if (!pins.value)
        return VELA_OK;
    int i = 0;
    TRY(check_list(reader, &pins, 0, MOST_PINS, "pins", &out->pin_count));
    TRY(ARENA_ARRAY(reader->arena, out->pins, out->pin_count));
    for (const cJSON *item = pins.value->child; item; item = item->next, ++i) {
        const Place pin = place_item(&pins, i, item);
        TRY(check_object(reader, &pin, &KEYS_PIN));
        TRY(read_select(reader, &pin, &out->pins[i].select));
        TRY(read_motion(reader, &pin, &out->pins[i].motion));
        TRY(read_axes(reader, &pin, &out->pins[i].axes));
        out->pins[i].frame_axis[1] = 1;
        TRY(read_turn(reader, &pin, &KEYS_FRAME, out->pins[i].frame_axis, &out->pins[i].frame_degrees));
        const Place axes = place_member(&pin, "axes");
        if (out->type == BODY_AFFINE && out->pins[i].axes != AXES_ALL)
            return place_fail(reader, &axes,
                              "found with type \"affine\", expected none: a pin holds the whole body");
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- motions

static VelaResult read_keyframe(const Reader *reader, const Place *at, Keyframe *keyframe)
{
    if (cJSON_IsObject(at->value) && place_member(at, "spin").value)
        return place_fail(reader, at,
                          "found \"spin\" in a keyframe, expected either keyframes or {\"spin\": ...}");
    TRY(check_object(reader, at, &KEYS_KEYFRAME));
    TRY(read_number(reader, at, "time", REQUIRED, ANY_NUMBER, &keyframe->time));
    TRY(read_vector(reader, at, "translate", OPTIONAL, ANY_NUMBER, keyframe->translate));
    const Place rotate = place_member(at, "rotate");
    if (!rotate.value)
        return VELA_OK;
    keyframe->has_rotation = true;
    TRY(check_object(reader, &rotate, &KEYS_KEYFRAME_ROTATE));
    TRY(read_direction(reader, &rotate, "axis", REQUIRED, keyframe->axis));
    TRY(read_number(reader, &rotate, "degrees", REQUIRED, ANY_NUMBER, &keyframe->degrees));
    return read_vector(reader, &rotate, "about", OPTIONAL, ANY_NUMBER, keyframe->about);
}

static VelaResult read_keyframes(const Reader *reader, const Place *at, Motion *motion)
{
    int i = 0;
    TRY(check_list(reader, at, 1, MOST_KEYFRAMES, "keyframes", &motion->keyframe_count));
    TRY(ARENA_ARRAY(reader->arena, motion->keyframes, motion->keyframe_count));
    for (const cJSON *item = at->value->child; item; item = item->next, ++i) {
        const Place keyframe = place_item(at, i, item);
        TRY(read_keyframe(reader, &keyframe, &motion->keyframes[i]));
        if (i > 0)
            TRY(check_ascending(reader, &keyframe, motion->keyframes[i - 1].time, motion->keyframes[i].time));
    }
    return VELA_OK;
}

VelaResult read_turn(const Reader *reader, const Place *body, const NameTable *keys, double axis[3],
                     double *degrees)
{
    const Place turn = place_member(body, keys->where);
    if (!turn.value)
        return VELA_OK;
    TRY(check_object(reader, &turn, keys));
    TRY(read_direction(reader, &turn, "axis", REQUIRED, axis));
    return read_number(reader, &turn, "degrees", REQUIRED, ANY_NUMBER, degrees);
}

VelaResult read_motion(const Reader *reader, const Place *owner, Motion *motion)
{
    const Place at = place_member(owner, "motion");
    if (!at.value)
        return VELA_OK;
    if (cJSON_IsArray(at.value))
        return read_keyframes(reader, &at, motion);
    if (!cJSON_IsObject(at.value))
        return place_expected(reader, &at, "a list of keyframes or {\"spin\": {axis, about, speed}}");
    if (place_member(&at, "keyframes").value)
        return place_fail(reader, &at,
                          "found the key \"keyframes\", expected either a list of keyframes or "
                          "{\"spin\": ...}; the two do not go together");
    TRY(check_object(reader, &at, &KEYS_MOTION));
    const Place spin = place_member(&at, "spin");
    TRY(check_object(reader, &spin, &KEYS_SPIN));
    motion->spin = true;
    TRY(read_direction(reader, &spin, "axis", REQUIRED, motion->spin_axis));
    TRY(read_vector(reader, &spin, "about", OPTIONAL, ANY_NUMBER, motion->spin_about));
    return read_number(reader, &spin, "speed", REQUIRED, ANY_NUMBER, &motion->spin_speed);
}
