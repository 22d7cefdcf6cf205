// Velocities of corners as the argument says (abi/damping.h). Declare the buffers `slots` and `element_nodes` before.
#ifndef COMMON_ELEMENTS_CORNER_VELOCITY_GLSL
#define COMMON_ELEMENTS_CORNER_VELOCITY_GLSL

#include "abi/damping.h"
#include "common/elements/push.glsl"

/// The way of a node from one slot to the other, or the velocity in a slot.
Exact3 way_of(uint node, uint from, uint to)
{
    const Exact3 end = slots[to * node_count + node];
    if (from == DAMPING_NO_SLOT)
        return end;
    return exact3_subtract(end, slots[from * node_count + node]);
}

/// That of a corner.
Exact3 velocity_of(uint e, uint c)
{
    return way_of(element_nodes[corner_place(e, c)], argument >> DAMPING_FROM_SHIFT & 0xffu, argument & 0xffu);
}

#endif
