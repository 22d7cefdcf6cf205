/// Colour on the CPU: sRGB, Oklab, the tone curve and the colour map. Linear colours have sRGB primaries.
#ifndef RENDER_COLOR_H
#define RENDER_COLOR_H

enum { COLOR_MAP_SIZE = 256 };

/// Oklab (B. Ottosson 2020) in three doubles: lightness in [0,1], a, b.
void color_oklab_from_linear(const double linear[3], double oklab[3]);
void color_linear_from_oklab(const double oklab[3], double linear[3]);
/// The sRGB transfer function and its inverse, for values in [0,1]; clamps.
double color_srgb_encode(double linear);
double color_srgb_decode(double encoded);

/// The tone curve: scene-linear [0, infinity) to display-linear [0, 1). x^p / (x^p + 1), a sigmoid in log exposure; its
/// twin is tone_curve in shaders/render/scene.glsl.
double color_tone_curve(double x);
/// Its inverse for y in [0, 1); values above 0.93 are treated as 0.93. A surface of this albedo under unit light comes
/// out as `y`: fully lit bodies look as the user typed their colour.
double color_tone_inverse(double y);

/// The perceptually uniform colour map, violet over teal to yellow, as COLOR_MAP_SIZE display-linear colours: Oklab
/// lightness rises monotonically, and neighbours are equally far apart in Oklab.
void color_map_build(double colors[COLOR_MAP_SIZE][3]);

#endif
