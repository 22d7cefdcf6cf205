#include "model/mass_drag.h"

static double coefficient_of(const DampingList *list, DampingSide side)
{
    double coefficient = 0;
    for (const Damping *entry = damping_first(list); entry != damping_end(list); ++entry)
        coefficient += damping_side(entry) == side ? entry->mass : 0;
    return coefficient;
}

VelaResult model_mass_drag(const Model *model, DampingSide side, Arena *arena, double *drag)
{
    double *volumes;
    TRY(ARENA_ARRAY(arena, volumes, model->node_count));
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        if (kind != ELEMENT_TET && kind != ELEMENT_SEGMENT && kind != ELEMENT_MEMBRANE)
            continue;
        for (int32_t e = 0; e < group->count; ++e) {
            const double coefficient = coefficient_of(model->materials[group->materials[e]].damping, side);
            for (int32_t c = 0; c < group->kind->corners; ++c) {
                const int32_t node = group->nodes[group->kind->corners * e + c];
                drag[node] += coefficient * group->volumes[e];
                volumes[node] += group->volumes[e];
            }
        }
    }
    for (int32_t i = 0; i < model->node_count; ++i)
        drag[i] = volumes[i] > 0 ? model->masses[i] * drag[i] / volumes[i] : 0;
    return VELA_OK;
}
