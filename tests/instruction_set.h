/// Kernels of the CPU path by instruction set. Define _POSIX_C_SOURCE 200809L before the first include, for setenv.
#ifndef TESTS_INSTRUCTION_SET_H
#define TESTS_INSTRUCTION_SET_H

#include "check_main.h"

#include "device/cpu/kernels.h"

#include <stdlib.h>

/// NULL: what the machine is best at. It stays so for what chooses kernels later.
static inline const Kernels *kernels_of(const char *instructions)
{
    if (instructions)
        ck_assert_int_eq(setenv("VELA_ISA", instructions, 1), 0);
    else
        ck_assert_int_eq(unsetenv("VELA_ISA"), 0);
    return kernels_choose();
}

#endif
