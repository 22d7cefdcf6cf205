/// The colour map with its range, drawn into a corner of the finished image.
#ifndef RENDER_LEGEND_H
#define RENDER_LEGEND_H

#include "scene/scene.h"

/// Draws over RGB pixels (8 bits, sRGB-encoded, rows from the top without padding).
void legend_draw(uint8_t *rgb, int32_t width, int32_t height, ColorBy color_by, double min, double max);

#endif
