/// PNG encoding in memory.
#ifndef RENDER_PNG_H
#define RENDER_PNG_H

#include <stddef.h>
#include <stdint.h>

/// Encodes RGB pixels (8 bits, rows from the top without padding). NULL when memory is exhausted; free with png_free.
uint8_t *png_encode(const uint8_t *rgb, int32_t width, int32_t height, size_t *size);
void png_free(uint8_t *encoded);

#endif
