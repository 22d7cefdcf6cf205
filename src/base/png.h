/// PNG images, encoded in memory and written atomically. The one place that knows stb_image_write.
#ifndef BASE_PNG_H
#define BASE_PNG_H

#include "base/arena.h"

enum { PNG_LARGEST = INT32_MAX / 4 }; ///< bytes of an image: the encoder counts in int, with room to spare

/// Whether an image of this size can be stored: at least 1 x 1 pixel, 1 to 4 channels, PNG_LARGEST bytes with one more a row.
static inline bool png_can_hold(int width, int height, int channels)
{
    return width >= 1 && height >= 1 && channels >= 1 && channels <= 4 &&
           ((int64_t)width * channels + 1) * height <= PNG_LARGEST;
}

/// Encodes `width` x `height` pixels, row by row from the top, 8 bits a channel without padding; `channels` 1
/// (grey), 3 (RGB) or 4 (RGBA, straight alpha). `*data` (`*size` bytes) is owned by `arena`. The same pixels
/// give the same bytes; no state is shared, so threads may encode at the same time. VELA_ERROR_OUT_OF_MEMORY.
VelaResult png_encode(VelaContext *context, int width, int height, int channels, const unsigned char *pixels,
                      Arena *arena, unsigned char **data, size_t *size);

/// Encodes and writes to `path` (nothing half-written stands under that name). VELA_ERROR_IO as well.
VelaResult png_write(VelaContext *context, const char *path, int width, int height, int channels,
                     const unsigned char *pixels);

#endif
