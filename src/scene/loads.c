// loads of bodies
#include "scene/sections.h"

enum { MOST_LOADS = 1000, MOST_KEYS = 100000 };

// A force, or a pressure in the first component.
static VelaResult read_load_value(const Reader *reader, const Place *at, bool is_pressure, double value[3])
{
    return is_pressure ? number_at(reader, at, ANY_NUMBER, value) : vector_at(reader, at, ANY_NUMBER, value);
}

static bool is_keyframes(const Place *at)
{
    return cJSON_IsArray(at->value) && cJSON_IsObject(at->value->child);
}

static VelaResult read_load_keys(const Reader *reader, const Place *at, LoadDef *load)
{
    int i = 0;
    TRY(check_list(reader, at, 1, MOST_KEYS, "keyframes", &load->key_count));
    TRY(ARENA_ARRAY(reader->arena, load->keys, load->key_count));
    for (const cJSON *item = at->value->child; item; item = item->next, ++i) {
        const Place key = place_item(at, i, item);
        TRY(check_object(reader, &key, &KEYS_LOAD_KEYFRAME));
        TRY(read_number(reader, &key, "time", REQUIRED, ANY_NUMBER, &load->keys[i].time));
        const Place value = place_member(&key, "value");
        if (!value.value)
            return place_fail(reader, &key, "found no \"value\", expected one");
        TRY(read_load_value(reader, &value, load->is_pressure, load->keys[i].value));
        if (i > 0)
            TRY(check_ascending(reader, &key, load->keys[i - 1].time, load->keys[i].time));
    }
    return VELA_OK;
}

// A pressure acts on all of a closed surface.
static VelaResult check_pressure(const Reader *reader, const Place *at, const SceneDef *scene,
                                 const BodyDef *body)
{
    const Place pressure = place_member(at, "pressure"), select = place_member(at, "select");
    if (select.value)
        return place_fail(reader, &select,
                          "found beside \"pressure\", expected none: a pressure acts on the whole surface");
    if (body->type == BODY_CABLE)
        return place_fail(reader, &pressure,
                          "found with type \"cable\", expected a body with a closed surface: \"solid\", "
                          "\"affine\" or \"shell\"");
    if (scene->solver.type == SOLVER_ADMM && !scene_is_explicit(scene))
        return place_fail(
            reader, &pressure,
            "found with solver \"admm\", which takes forces only, expected \"solver\": {\"type\": \"newton\"}");
    return VELA_OK;
}

static VelaResult read_load(const Reader *reader, const Place *at, const SceneDef *scene, const BodyDef *body,
                            LoadDef *load)
{
    TRY(check_object(reader, at, &KEYS_LOAD));
    const Place force = place_member(at, "force"), pressure = place_member(at, "pressure");
    if (!force.value == !pressure.value)
        return place_fail(reader, at, "found %s, expected exactly one of: force, pressure",
                          force.value ? "both force and pressure" : "neither force nor pressure");
    load->is_pressure = pressure.value != NULL;
    if (load->is_pressure)
        TRY(check_pressure(reader, at, scene, body));
    else
        TRY(read_select(reader, at, &load->select));
    const Place *value = load->is_pressure ? &pressure : &force;
    if (is_keyframes(value))
        return read_load_keys(reader, value, load);
    load->key_count = 1;
    TRY(ARENA_ARRAY(reader->arena, load->keys, 1));
    return read_load_value(reader, value, load->is_pressure, load->keys[0].value);
}

VelaResult read_loads(const Reader *reader, const Place *body, const SceneDef *scene, BodyDef *out)
{
    const Place loads = place_member(body, "loads");
    if (!loads.value)
        return VELA_OK;
    int i = 0;
    TRY(check_list(reader, &loads, 0, MOST_LOADS, "loads", &out->load_count));
    TRY(ARENA_ARRAY(reader->arena, out->loads, out->load_count));
    for (const cJSON *item = loads.value->child; item; item = item->next, ++i) {
        const Place at = place_item(&loads, i, item);
        TRY(read_load(reader, &at, scene, out, &out->loads[i]));
    }
    return VELA_OK;
}

void load_value(const LoadDef *load, double time, double value[3])
{
    const LoadKey *keys = load->keys;
    int32_t next = 0;
    while (next < load->key_count && keys[next].time <= time)
        ++next;
    const LoadKey *from = &keys[next > 0 ? next - 1 : 0],
                  *to = &keys[next < load->key_count ? next : load->key_count - 1];
    const double part = to->time > from->time ? (time - from->time) / (to->time - from->time) : 0;
    for (int k = 0; k < 3; ++k)
        value[k] = part > 0 ? (1 - part) * from->value[k] + part * to->value[k] : from->value[k];
}
