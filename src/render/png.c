#include "render/png.h"

#include <stdlib.h>

// The writer's own code is not held to our warnings, and must not stop the program.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#define STBIW_ASSERT(condition) ((void)0)
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

uint8_t *png_encode(const uint8_t *rgb, int32_t width, int32_t height, size_t *size)
{
    int length = 0;
    uint8_t *encoded = stbi_write_png_to_mem(rgb, 3 * width, width, height, 3, &length);
    *size = encoded ? (size_t)length : 0;
    return encoded;
}

void png_free(uint8_t *encoded)
{
    free(encoded);
}
