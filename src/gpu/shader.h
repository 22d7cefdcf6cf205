/// The SPIR-V that cmake/shaders.cmake embeds.
#ifndef GPU_SHADER_H
#define GPU_SHADER_H

#include <stdint.h>

typedef struct GpuShaderEntry {
    const char *name;
    const uint32_t *code;
    const uint32_t *end; ///< one past the last word of the code
} GpuShaderEntry;

/// Ends with an entry without a name.
extern const GpuShaderEntry gpu_shader_table[];

/// "compute/name" (".comp" dropped), "compute/name_f64", "render/name.vert"; NULL if there is none.
const GpuShaderEntry *gpu_shader_find(const char *name);

#endif
