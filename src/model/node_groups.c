#include "model/node_groups.h"

#include "base/matrix3.h"
#include "model/locality.h"

VelaResult node_groups_order(VelaContext *context, const Model *model, int32_t *order, int32_t *free_count)
{
    Arena scratch = arena_make(context);
    int32_t *curve, place = 0;
    VelaResult result;
    TRY_GOTO(result, ARENA_ARRAY(&scratch, curve, model->node_count), done);
    TRY_GOTO(result, locality_order(context, model->initial_positions, model->node_count, curve), done);
    for (int is_free = 1; is_free >= 0; --is_free) {
        for (int32_t i = 0; i < model->node_count; ++i)
            if (model->node_is_free[curve[i]] == is_free)
                order[place++] = curve[i];
        *free_count = is_free ? place : *free_count;
    }
done:
    arena_clear(&scratch);
    return result;
}

void node_groups_arms(const double *places, int32_t count, double *arms)
{
    double center[3] = {0}, radius = 0;
    for (int32_t i = 0; i < count; ++i)
        add_scaled3(center, 1.0 / count, places + 3 * (size_t)i, center);
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        radius = fmax(radius, fabs(places[i] - center[i % 3]));
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        arms[i] = radius > 0 ? (places[i] - center[i % 3]) / radius : 0;
}
