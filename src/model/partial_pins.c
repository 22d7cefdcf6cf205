#include "model/partial_pins.h"

#include <math.h>
#include <string.h>

/// Directions of two frames are told apart down to this: their rotations are rounded.
static const double SAME = 1e-12;

bool partial_pin_add(PartialPin *partial, const double direction[3], const Motion *motion, int32_t pin)
{
    for (int32_t k = 0; k < partial->count; ++k) {
        const double cosine = fabs(dot3(partial->directions[k], direction));
        if (cosine > 1 - SAME)
            return true;
        if (cosine > SAME)
            return false;
    }
    memcpy(partial->directions[partial->count], direction, 3 * sizeof *direction);
    partial->motions[partial->count] = motion;
    partial->pins[partial->count++] = pin;
    for (int k = 0; k < 9; ++k)
        partial->held[k] += direction[k / 3] * direction[k % 3];
    return true;
}

void partial_pin_place(const PartialPin *pin, double time, double place[3])
{
    add_scaled3(pin->base, 1, pin->offset, place);
    for (int32_t k = 0; k < pin->count; ++k) {
        double moved[3], way[3];
        motion_apply(pin->motions[k], time, pin->base, moved);
        subtract3(moved, pin->base, way);
        add_scaled3(place, dot3(pin->directions[k], way), pin->directions[k], place);
    }
}
