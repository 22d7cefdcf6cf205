#include "device/cpu/kernels.h"

#include <stdlib.h>
#include <string.h>

extern const Kernels kernels_baseline;
#ifdef VELA_X86_64
extern const Kernels kernels_avx2, kernels_avx512;
#endif

const Kernels *kernels_choose(void)
{
#ifdef VELA_X86_64
    const char *forced = getenv("VELA_ISA");
    const bool any = !forced || !*forced;
    const bool avx2 = __builtin_cpu_supports("avx2");
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
    if (avx512 && (any || strcmp(forced, "avx512") == 0))
        return &kernels_avx512;
    if (avx2 && (any || strcmp(forced, "avx2") == 0))
        return &kernels_avx2;
#endif
    return &kernels_baseline;
}
