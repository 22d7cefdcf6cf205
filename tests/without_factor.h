/// Conjugate gradients alone on the CPU path: matrices as small as those of tests would be factored.
#ifndef TESTS_WITHOUT_FACTOR_H
#define TESTS_WITHOUT_FACTOR_H

#include "device/cpu/cpu_device.h"

/// The device's directions are found without a sparse factor from here on.
static inline void leave_out_factor(Device *device)
{
    NewtonData *newton = &((CpuDevice *)device)->newton;
    direct_solver_destroy(newton->direct);
    newton->direct = NULL;
}

#endif
