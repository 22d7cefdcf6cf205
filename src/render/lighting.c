#include "render/lighting.h"

#include "base/matrix3.h"

static const double LIGHT_ELEVATION = 0.88,
                    LIGHT_AZIMUTH = 1.22;  // radians; from the view direction to the left
static const double LIGHT_TANGENT = 0.075; // of the angular radius: a large soft box
static const double LARGEST_RADIUS = 0.12; // of the shadow's filter, share of the map's width

void lighting_direction(const RenderCamera *camera, double light[3])
{
    double right[3], up[3], forward[3];
    render_camera_axes(camera, right, up, forward);
    double back[3] = {-forward[0], 0, -forward[2]}, left[3] = {-right[0], 0, -right[2]};
    if (normalize3(back) < 1e-3) { // straight down or up: what is below in the image is towards the viewer
        back[0] = -up[0], back[2] = -up[2];
        normalize3(back);
    }
    normalize3(left);
    for (int i = 0; i < 3; ++i)
        light[i] = cos(LIGHT_ELEVATION) * (cos(LIGHT_AZIMUTH) * back[i] + sin(LIGHT_AZIMUTH) * left[i]);
    light[1] += sin(LIGHT_ELEVATION);
    normalize3(light);
}

static void set4(float out[4], double x, double y, double z, double w)
{
    out[0] = (float)x, out[1] = (float)y, out[2] = (float)z, out[3] = (float)w;
}

void lighting_set(RenderScene *scene, const double light[3], const double top[3], const double bottom[3])
{
    set4(scene->background_top, top[0], top[1], top[2], 0);
    set4(scene->background_bottom, bottom[0], bottom[1], bottom[2], 0);
    set4(scene->light, light[0], light[1], light[2], LIGHT_TANGENT);
    // A surface that faces the light gets about one in all; the key is warm, the sky cool, the floor sends warm grey.
    set4(scene->key, 0.97, 0.92, 0.85, 0);
    set4(scene->sky, 0.235, 0.255, 0.29, 0);
    set4(scene->bounce, 0.15, 0.14, 0.135, 0);
}

void lighting_tangents(const double normal[3], double u[3], double v[3])
{
    const double x[3] = {1, 0, 0}, z[3] = {0, 0, -1};
    cross3(fabs(normal[0]) < 0.9 ? x : z, normal, u);
    normalize3(u);
    cross3(normal, u, v);
}

// Where vertex i counts as being along an axis.
static double place_along(const LightingVertices *lit, int32_t i, const double axis[3])
{
    const float *p = lit->vertices[i].position;
    const double x = axis[0] * (double)p[0] + axis[1] * (double)p[1] + axis[2] * (double)p[2];
    return i < lit->body_count ? x : fmin(fmax(x, -lit->reach), lit->reach);
}

double lighting_highest(const LightingVertices *lit, const double normal[3])
{
    double highest = 0;
    for (int32_t i = 0; i < lit->count; ++i)
        highest = fmax(highest, place_along(lit, i, normal));
    return highest;
}

// Bounds of the vertices along three axes.
static void bounds_along(const LightingVertices *lit, double axes[3][3], double min[3], double max[3])
{
    for (int a = 0; a < 3; ++a) {
        min[a] = lit->count > 0 ? 1e300 : 0;
        max[a] = lit->count > 0 ? -1e300 : 0;
    }
    for (int32_t i = 0; i < lit->count; ++i) {
        for (int a = 0; a < 3; ++a) {
            const double x = place_along(lit, i, axes[a]);
            min[a] = fmin(min[a], x);
            max[a] = fmax(max[a], x);
        }
    }
}

// Row that maps [low, low + width] along `axis` to [0, 1].
static void row_set(float row[4], const double axis[3], double low, double width)
{
    set4(row, axis[0] / width, axis[1] / width, axis[2] / width, -low / width);
}

// The next larger of the widths 2^(k/4), and a centre on the grid of its texels: as a body moves, the grid stays.
static double width_quantise(double width)
{
    return exp2(ceil(4 * log2(width)) / 4);
}

void lighting_fit_shadow(RenderScene *scene, const LightingVertices *lit, int32_t map_size, double reach,
                         double mean_edge)
{
    const double light[3] = {scene->light[0], scene->light[1], scene->light[2]};
    double axes[3][3], min[3], max[3];
    lighting_tangents(light, axes[0], axes[1]);
    for (int i = 0; i < 3; ++i)
        axes[2][i] = -light[i];
    bounds_along(lit, axes, min, max);
    const double extent = fmax(fmax(max[0] - min[0], max[1] - min[1]), fmax(1e-6 * (max[2] - min[2]), 1e-9));
    // Room for the widest filter on both sides: what is far above the floor has a wide penumbra there.
    const double wanted = LIGHT_TANGENT * fmax(reach, 0.5 * extent);
    const double radius = fmin(wanted, LARGEST_RADIUS * extent / (1 - 2.2 * LARGEST_RADIUS));
    const double width = width_quantise(1.01 * extent + 2.2 * radius), texel = width / map_size;
    const double depth = 1.02 * (max[2] - min[2]) + 4 * texel;
    for (int a = 0; a < 2; ++a) {
        const double middle = floor(0.5 * (min[a] + max[a]) / texel) * texel;
        row_set(a == 0 ? scene->shadow_x : scene->shadow_y, axes[a], middle - 0.5 * width, width);
    }
    row_set(scene->shadow_z, axes[2], 0.5 * (min[2] + max[2] - depth), depth);
    set4(scene->shadow_size, width, depth, 2.0 / map_size, fmax(radius / width, 4.0 / map_size));
    set4(scene->shadow_bias, fmax(1.5 * texel, 0.22 * mean_edge), 0.75 * texel, 0, 0);
}

int32_t lighting_fit_floor(RenderScene *scene, const LightingVertices *lit, const double point[3],
                           const double normal[3], double height)
{
    double axes[3][3], min[2] = {1e300, 1e300}, max[2] = {-1e300, -1e300};
    lighting_tangents(normal, axes[0], axes[1]);
    const double offset = dot3(normal, point);
    // Rows even where nothing is near: the contact pass draws with them.
    for (int32_t i = 0; i < lit->count; ++i) {
        if (place_along(lit, i, normal) - offset > height)
            continue;
        for (int a = 0; a < 2; ++a) {
            const double x = place_along(lit, i, axes[a]);
            min[a] = fmin(min[a], x);
            max[a] = fmax(max[a], x);
        }
    }
    const bool near = max[0] >= min[0];
    const double extent = near ? fmax(fmax(max[0] - min[0], max[1] - min[1]), 1e-9) : 1;
    const double width = width_quantise(1.05 * extent + 1.6 * height), texel = width / RENDER_FILTER_SIZE;
    for (int a = 0; a < 2; ++a) {
        const double middle = near ? floor(0.5 * (min[a] + max[a]) / texel) * texel : 0;
        row_set(a == 0 ? scene->floor_x : scene->floor_y, axes[a], middle - 0.5 * width, width);
    }
    set4(scene->floor_plane, normal[0], normal[1], normal[2], -offset);
    set4(scene->floor_size, height, near ? 1 : 0, 0, 0);
    const double reach = 0.8 * height / texel;
    return near ? (int32_t)fmin(fmax(reach, 2), 24) : 0;
}
