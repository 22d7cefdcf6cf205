#include "gpu/shader.h"

#include <string.h>

const GpuShaderEntry *gpu_shader_find(const char *name)
{
    for (const GpuShaderEntry *entry = gpu_shader_table; entry->name; ++entry)
        if (strcmp(entry->name, name) == 0)
            return entry;
    return NULL;
}
