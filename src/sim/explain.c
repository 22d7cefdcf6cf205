#include "sim/explain.h"

#include "model/describe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 160, LONGEST_TEXT = 1024 };

// The pinned node that is farthest from its place, -1 where all are there; `gap` in m.
static int32_t find_late(const Model *model, const double *target, const double *x, double *gap)
{
    int32_t late = -1;
    *gap = 0;
    for (int32_t p = 0; p < model->pin_count; ++p)
        for (int k = 0; k < 3; ++k) {
            const size_t i = 3 * (size_t)model->pin_nodes[p] + (size_t)k;
            const double distance = fabs(target[i] - x[i]);
            if (distance > *gap)
                *gap = distance, late = model->pin_nodes[p];
        }
    for (int32_t p = 0; p < model->partial_pin_count; ++p) {
        const PartialPin *pin = &model->partial_pins[p];
        double way[3];
        subtract3(target + 3 * (size_t)pin->node, x + 3 * (size_t)pin->node, way);
        partial_pin_held(pin, way, way);
        if (norm3(way) > *gap)
            *gap = norm3(way), late = pin->node;
    }
    return late;
}

static VelaResult describe(Simulation *simulation, Arena *arena, char text[LONGEST_TEXT])
{
    const Model *model = &simulation->model;
    double *target, *x, gap;
    int length = 0;
    char first[LONGEST_NAME], last[LONGEST_NAME];
    TRY(ARENA_ARRAY(arena, target, 3 * (size_t)model->node_count));
    TRY(ARENA_ARRAY(arena, x, 3 * (size_t)model->node_count));
    TRY(device_state_read(simulation->device, SLOT_TARGET, target));
    TRY(device_state_read(simulation->device, SLOT_STAGE, x));
    const int32_t late = find_late(model, target, x, &gap);
    if (late >= 0) {
        model_describe_node(model, late, first, sizeof first);
        length = snprintf(text, LONGEST_TEXT, "; %s is held up %.3g m from its place", first, gap);
    }
    Diagnosis state;
    TRY(device_diagnose(simulation->device, SLOT_STAGE, SLOT_VELOCITY,
                        simulation_time(simulation) + simulation->scene.step, &state));
    if (!isfinite(state.min_distance))
        return VELA_OK;
    model_describe_pair(model, state.closest, first, last, sizeof first);
    length +=
        snprintf(text + length, LONGEST_TEXT - (size_t)length,
                 "; nearest to each other are %s and %s, %.3g m apart", first, last, state.min_distance);
    if (late >= 0)
        snprintf(text + length, LONGEST_TEXT - (size_t)length, ": what is between may have no room left");
    return VELA_OK;
}

VelaResult explain_failure(Simulation *simulation, VelaResult result)
{
    VelaContext *context = simulation->context;
    if (result != VELA_ERROR_NOT_CONVERGED || simulation->scene.contact.model != CONTACT_BARRIER)
        return result;
    char message[sizeof context->message], text[LONGEST_TEXT] = "";
    memcpy(message, context->message, sizeof message);
    Arena arena = arena_make(context);
    if (describe(simulation, &arena, text) != VELA_OK)
        text[0] = 0; // the failure itself is what counts
    arena_clear(&arena);
    return context_fail(context, result, "%s%s", message, text);
}
