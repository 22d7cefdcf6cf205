// What follows when a system of constraints is solved. Declare the buffer `control` and side_count before.
#ifndef COMMON_CONSTRAINTS_ENDING_GLSL
#define COMMON_CONSTRAINTS_ENDING_GLSL

#include "abi/control.h"
#include "abi/newton.h"

/// One invocation.
void end_system()
{
    control[CONTROL_STOP] = NEWTON_SOLVED;
    control[ARGUMENTS_SADDLE_FINISH] = control[CONTROL_GROUPS_SADDLE];
    control[ARGUMENTS_AFTER_NODES] = control[CONTROL_GROUPS_NODES];
}

#endif
