#define _DEFAULT_SOURCE
#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/// A thread asks for no fewer bytes than these.
enum { SHARE_LEAST = 1 << 20 };

void pages_fetch(void *memory, size_t bytes, int threads)
{
#ifdef MADV_POPULATE_WRITE
    const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)memory,
                    first = (start + size - 1) / size, end = (start + bytes) / size;
    const uintptr_t most = bytes / SHARE_LEAST,
                    count = most < (uintptr_t)threads ? most + 1 : (uintptr_t)threads;
#pragma omp parallel for schedule(static, 1) num_threads((int)count) if (count > 1)
    for (uintptr_t share = 0; share < count; ++share) {
        const uintptr_t from = first + (end - first) * share / count,
                        to = first + (end - first) * (share + 1) / count;
        if (first < end && from < to)
            madvise((char *)memory + (from * size - start), (to - from) * size, MADV_POPULATE_WRITE);
    }
#else
    (void)memory, (void)bytes, (void)threads;
#endif
}
