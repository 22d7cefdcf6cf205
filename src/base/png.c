#include "base/png.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

// Static: an application that brings its own copy of stb can still link vela.
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image_write.h>

VelaResult png_encode(VelaContext *context, int width, int height, int channels, const unsigned char *pixels,
                      Arena *arena, unsigned char **data, size_t *size)
{
    *data = NULL;
    *size = 0;
    FAIL_IF(context, !png_can_hold(width, height, channels), VELA_ERROR_INVALID_INPUT,
            "an image of %d x %d pixels with %d channels cannot be stored as PNG", width, height, channels);
    int length = 0;
    unsigned char *encoded =
        stbi_write_png_to_mem(pixels, width * channels, width, height, channels, &length);
    FAIL_IF(context, !encoded, VELA_ERROR_OUT_OF_MEMORY,
            "out of memory: an image of %d x %d pixels cannot be encoded", width, height);
    const VelaResult result = arena_allocate(arena, (size_t)length, 1, (void **)data);
    if (result == VELA_OK) {
        memcpy(*data, encoded, (size_t)length);
        *size = (size_t)length;
    }
    free(encoded);
    return result;
}

VelaResult png_write(VelaContext *context, const char *path, int width, int height, int channels,
                     const unsigned char *pixels)
{
    Arena arena = arena_make(context);
    unsigned char *data;
    size_t size;
    VelaResult result = png_encode(context, width, height, channels, pixels, &arena, &data, &size);
    if (result == VELA_OK)
        result = file_write(context, path, data, size);
    arena_clear(&arena);
    return result;
}
