// Built once for every instruction set with KERNEL_ISA its name; see CMakeLists.txt.
#include "device/cpu/linear/front_kernels.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

extern const FrontKernels JOIN(front_kernels_, KERNEL_ISA);
const FrontKernels JOIN(front_kernels_, KERNEL_ISA) = {
    .factor = front_factor,
    .update = front_update,
    .forward = front_forward,
    .backward = front_backward,
};
