/// A stroke font drawn for vela's plots: lines and elliptical arcs on a grid, so that it is sharp at every size.
#ifndef OUTPUT_FONT_H
#define OUTPUT_FONT_H

#include <stdint.h>

/// Heights on the glyphs' grid, above the base line (y upwards).
enum { FONT_CAP_HEIGHT = 28, FONT_SPACING = 6 };

typedef struct Glyph {
    int width; ///< grid units, without the space between glyphs
    /// "M x y" starts a line, "L x y" goes on, "A cx cy rx ry a b" is an arc from a to b degrees.
    const char *path;
} Glyph;

/// The glyph of a Unicode character; an empty box for those the font lacks.
Glyph font_glyph(uint32_t character);
/// Decodes the UTF-8 character at `*text` and moves behind it; broken bytes become U+FFFD. 0 at the end.
uint32_t font_next_character(const char **text);

#endif
