#define _DEFAULT_SOURCE
#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void pages_fetch(void *memory, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
    const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)memory,
                    first = (start + size - 1) / size * size, end = (start + bytes) / size * size;
    if (first < end)
        madvise((char *)memory + (first - start), end - first, MADV_POPULATE_WRITE);
#else
    (void)memory, (void)bytes;
#endif
}
