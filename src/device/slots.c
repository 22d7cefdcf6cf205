#include "device/slots.h"

#define BIT(name) (1u << SLOT_##name)

enum {
    ALWAYS =
        BIT(POSITION) | BIT(VELOCITY) | BIT(NEXT_POSITION) | BIT(NEXT_VELOCITY) | BIT(TARGET) | BIT(STAGE),
    STAGES = BIT(BASE_POSITION) | BIT(BASE_VELOCITY) | BIT(STAGE_VELOCITY),
    TWO_STAGES = STAGES | BIT(FIRST_POSITION) | BIT(FIRST_VELOCITY),
    CONTROL = STAGES | BIT(ACCELERATION) | BIT(SCRATCH_0)
};

uint32_t scene_slots(const SceneDef *scene)
{
    switch (scene->integrator) {
    case INTEGRATOR_IMPLICIT_EULER:
    case INTEGRATOR_IMPLICIT_MIDPOINT:
        return ALWAYS | STAGES;
    case INTEGRATOR_BDF2:
        return ALWAYS | STAGES | BIT(HISTORY_POSITION) | BIT(HISTORY_VELOCITY);
    case INTEGRATOR_TRAPEZOIDAL:
        return ALWAYS | STAGES | BIT(HISTORY_ACCELERATION);
    case INTEGRATOR_TR_BDF2:
        return ALWAYS | TWO_STAGES | BIT(HISTORY_ACCELERATION);
    case INTEGRATOR_SDIRK2:
        return ALWAYS | TWO_STAGES;
    case INTEGRATOR_VARIATIONAL:
        return ALWAYS | STAGES | BIT(ACCELERATION);
    case INTEGRATOR_A1:
    case INTEGRATOR_A_SEARCH:
        return ALWAYS | CONTROL;
    case INTEGRATOR_BLENDING:
        return ALWAYS | STAGES | BIT(SCRATCH_0) | BIT(SCRATCH_1) | BIT(SCRATCH_2) | BIT(SCRATCH_3);
    case INTEGRATOR_RK4:
        return ALWAYS | BIT(ACCELERATION) | BIT(SCRATCH_0) | BIT(SCRATCH_1);
    }
    return (1u << SLOT_COUNT) - 1;
}

int slots_before(uint32_t slots, Slot slot)
{
    int count = 0;
    for (int s = 0; s < (int)slot; ++s)
        count += slots >> s & 1;
    return count;
}
