// A real image: a box above and on a plane, drawn by whatever Vulkan driver there is, and its pixels looked at.
#include "base/file.h"
#include "base/matrix3.h"
#include "check_main.h"
#include "render/color.h"
#include "render/lighting.h"
#include "render/render.h"
#include "render_fixture.h"

#include <sys/stat.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wcast-qual"
#endif
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_FAILURE_STRINGS
#include <stb_image.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

enum { WIDTH = 480, HEIGHT = 320 };

static VelaContext *context;
static GpuInstance *instance;
static RenderFixture fixture;
static RenderDef def;
static RenderPlane ground;
static RenderCamera camera; // the one of `def`

typedef struct Picture {
    uint8_t *pixels; // RGB
} Picture;

static void path_of(const char *name, char path[512])
{
    snprintf(path, 512, "%s/test_render_%s.png", BINARY_DIR, name);
}

static Picture draw(const char *name)
{
    char path[512];
    path_of(name, path);
    Renderer *renderer;
    ASSERT_OK(context, renderer_create(context, instance, &fixture.topology, &def, &renderer));
    ASSERT_OK(context, renderer_draw(renderer, &fixture.frame, path));
    ASSERT_OK(context, renderer_finish(renderer));
    renderer_destroy(renderer);
    int width, height, channels;
    Picture picture = {stbi_load(path, &width, &height, &channels, 3)};
    ck_assert_msg(picture.pixels != NULL, "%s cannot be read", path);
    ck_assert_int_eq(width, def.width);
    ck_assert_int_eq(height, def.height);
    ck_assert_int_eq(channels, 3);
    return picture;
}

static const uint8_t *pixel(const Picture *picture, int32_t x, int32_t y)
{
    ck_assert_msg(x >= 0 && y >= 0 && x < def.width && y < def.height, "(%d, %d) is outside the image", x, y);
    return picture->pixels + 3 * (y * def.width + x);
}

// The pixel that shows a point of the scene.
static const uint8_t *pixel_at(const Picture *picture, double x, double y, double z)
{
    double ndc[3];
    ck_assert(render_camera_project(&camera, (double)def.width / def.height, (double[3]){x, y, z}, ndc));
    return pixel(picture, (int32_t)((0.5 + 0.5 * ndc[0]) * def.width),
                 (int32_t)((0.5 + 0.5 * ndc[1]) * def.height));
}

static double luminance(const uint8_t *rgb)
{
    return 0.2126 * color_srgb_decode(rgb[0] / 255.0) + 0.7152 * color_srgb_decode(rgb[1] / 255.0) +
           0.0722 * color_srgb_decode(rgb[2] / 255.0);
}

static bool is_red(const uint8_t *rgb)
{
    return rgb[0] > 1.8 * rgb[1] && rgb[0] > 1.8 * rgb[2];
}

// A red box of that edge with its bottom at `height` over the ground, seen from the front right.
static void setup(double edge, double height)
{
    fixture_box(&fixture, (double[3]){0, 0.5 * edge + height, 0}, edge, 4);
    def = render_default_def();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.has_camera = true;
    memcpy(def.eye, (double[3]){0.9, 1.1, 1.9}, sizeof def.eye);
    memcpy(def.target, (double[3]){0.1, 0.15, 0}, sizeof def.target);
    ground = render_default_plane();
    def.planes = &ground;
    def.plane_count = 1;
    camera = (RenderCamera){.fov_degrees = def.fov_degrees, .near = 0.1, .far = 10};
    memcpy(camera.eye, def.eye, sizeof def.eye);
    memcpy(camera.target, def.target, sizeof def.target);
}

START_TEST(body_ground_and_shadow)
{
    setup(0.4, 0);
    const Picture picture = draw("box");
    // The faces that are seen have the body's hue, evenly: no acne.
    const double faces[3][3] = {{0, 0.4, 0}, {0, 0.2, 0.2}, {0.2, 0.2, 0}};
    const int axes[3][2] = {{0, 2}, {0, 1}, {2, 1}};
    for (int f = 0; f < 3; ++f) {
        double low = 1, high = 0;
        for (int i = -4; i <= 4; ++i) {
            for (int j = -4; j <= 4; ++j) {
                double p[3] = {faces[f][0], faces[f][1], faces[f][2]};
                p[axes[f][0]] += 0.04 * i;
                p[axes[f][1]] += 0.04 * j;
                const uint8_t *rgb = pixel_at(&picture, p[0], p[1], p[2]);
                ck_assert_msg(is_red(rgb), "face %d at %g %g %g: %d %d %d", f, p[0], p[1], p[2], rgb[0],
                              rgb[1], rgb[2]);
                low = fmin(low, luminance(rgb));
                high = fmax(high, luminance(rgb));
            }
        }
        ck_assert_msg(high < 1.5 * low, "face %d: luminance from %g to %g", f, low, high);
    }
    // The shadow of the top's middle on the ground is dark; as far away on the light's side it is not.
    double light[3];
    lighting_direction(&camera, light);
    const double reach = 0.4 / light[1];
    const uint8_t *shadow = pixel_at(&picture, -0.9 * reach * light[0], 0, -0.9 * reach * light[2]);
    const uint8_t *opposite = pixel_at(&picture, 1.3 * reach * light[0], 0, 1.3 * reach * light[2]);
    ck_assert(!is_red(shadow) && !is_red(opposite));
    ck_assert_msg(luminance(shadow) < 0.6 * luminance(opposite), "shadow %g, lit ground %g",
                  luminance(shadow), luminance(opposite));
    // No gap of light between the box and its shadow: the ground just beside the right face's foot, away from the light.
    const double side = light[0] < 0 ? 0.215 : -0.215;
    ck_assert(luminance(pixel_at(&picture, side, 0, 0)) < 0.7 * luminance(opposite));
    // The background is that of an image without anything.
    fixture.topology.triangle_count = 0;
    fixture.topology.body_count = 0;
    def.plane_count = 0;
    const Picture empty = draw("empty");
    const int32_t corners[4][2] = {{0, 0}, {WIDTH - 1, 0}, {WIDTH / 2, 0}, {WIDTH / 4, 1}};
    for (int i = 0; i < 4; ++i)
        for (int c = 0; c < 3; ++c)
            ck_assert_int_le(abs(pixel(&picture, corners[i][0], corners[i][1])[c] -
                                 pixel(&empty, corners[i][0], corners[i][1])[c]),
                             2);
    stbi_image_free(picture.pixels);
    stbi_image_free(empty.pixels);
}
END_TEST

START_TEST(shadow_is_soft_with_distance)
{
    // How far along a line across the shadow's edge the ground is neither lit nor dark.
    int soft[2];
    for (int k = 0; k < 2; ++k) {
        const double height = k == 0 ? 0.05 : 0.5;
        setup(0.15, height);
        const Picture picture = draw(k == 0 ? "low" : "high");
        double light[3], brightest = 0, darkest = 1, values[400];
        lighting_direction(&camera, light);
        const double drop = (height + 0.075) / light[1];
        int count = 0;
        for (int i = 0; i < 400; ++i) {
            const uint8_t *rgb = pixel_at(&picture, -drop * light[0] + i * 0.0005, 0, -drop * light[2]);
            if (is_red(rgb))
                continue;
            values[count] = luminance(rgb);
            brightest = fmax(brightest, values[count]);
            darkest = fmin(darkest, values[count++]);
        }
        ck_assert_int_gt(count, 200);
        ck_assert_double_lt(darkest, 0.6 * brightest);
        soft[k] = 0;
        for (int i = 0; i < count; ++i)
            soft[k] += values[i] > darkest + 0.2 * (brightest - darkest) &&
                       values[i] < darkest + 0.8 * (brightest - darkest);
        stbi_image_free(picture.pixels);
    }
    ck_assert_msg(soft[1] > 1.5 * soft[0] && soft[0] > 0, "soft over %d samples when low, %d when high",
                  soft[0], soft[1]);
}
END_TEST

START_TEST(silhouette_is_antialiased)
{
    setup(0.4, 0.3);
    def.plane_count = 0;
    const Picture picture = draw("edge");
    int mixed = 0, edges = 0;
    for (int32_t y = 0; y < HEIGHT; ++y) {
        for (int32_t x = 1; x + 1 < WIDTH; ++x) {
            const uint8_t *left = pixel(&picture, x - 1, y), *here = pixel(&picture, x, y),
                          *right = pixel(&picture, x + 1, y);
            const bool edge = (is_red(left) && right[1] > 180) || (left[1] > 180 && is_red(right));
            edges += edge;
            const int low = left[1] < right[1] ? left[1] : right[1],
                      high = left[1] < right[1] ? right[1] : left[1];
            mixed += edge && here[1] > low + 20 && here[1] < high - 20;
        }
    }
    ck_assert_int_gt(edges, 100);
    ck_assert_msg(mixed > edges / 5, "%d of %d edge pixels are mixed", mixed, edges);
    stbi_image_free(picture.pixels);
}
END_TEST

START_TEST(same_bytes_twice)
{
    setup(0.4, 0.1);
    char *bytes[4];
    size_t sizes[4];
    Arena arena = arena_make(context);
    for (int i = 0; i < 2; ++i) {
        Renderer *renderer;
        char path[2][512];
        path_of("twice_a", path[0]);
        path_of("twice_b", path[1]);
        ASSERT_OK(context, renderer_create(context, instance, &fixture.topology, &def, &renderer));
        for (int k = 0; k < 2; ++k)
            ASSERT_OK(context, renderer_draw(renderer, &fixture.frame, path[k]));
        ASSERT_OK(context, renderer_finish(renderer));
        renderer_destroy(renderer);
        for (int k = 0; k < 2; ++k)
            ASSERT_OK(context, file_read(context, path[k], &arena, &bytes[2 * i + k], &sizes[2 * i + k]));
    }
    for (int i = 1; i < 4; ++i) {
        ck_assert_uint_eq(sizes[i], sizes[0]);
        ck_assert_int_eq(memcmp(bytes[i], bytes[0], sizes[0]), 0);
    }
    arena_clear(&arena);
}
END_TEST

START_TEST(value_is_mapped)
{
    setup(0.4, 0);
    fixture.stretch[0] = 1.5f;
    def.color_by = COLOR_BY_STRETCH;
    def.value_min = 1;
    def.value_max = 1.5;
    const Picture top = draw("map_high");
    def.value_max = 10;
    const Picture low = draw("map_low");
    const uint8_t *yellow = pixel_at(&top, 0, 0.4, 0), *violet = pixel_at(&low, 0, 0.4, 0);
    ck_assert_msg(yellow[0] > 180 && yellow[1] > 180 && yellow[2] < 140, "%d %d %d", yellow[0], yellow[1],
                  yellow[2]);
    ck_assert_msg(violet[2] > violet[1] + 30 && violet[1] < 120, "%d %d %d", violet[0], violet[1], violet[2]);
    // The legend is in the corner, and can be left out.
    def.legend = false;
    const Picture plain = draw("map_plain");
    int changed = 0, elsewhere = 0;
    for (int32_t y = 0; y < HEIGHT; ++y)
        for (int32_t x = 0; x < WIDTH; ++x) {
            const bool differs = memcmp(pixel(&low, x, y), pixel(&plain, x, y), 3) != 0;
            changed += differs;
            elsewhere += differs && (x > WIDTH / 2 || y < 3 * HEIGHT / 4);
        }
    ck_assert_int_gt(changed, 300);
    ck_assert_int_eq(elsewhere, 0);
    stbi_image_free(top.pixels);
    stbi_image_free(low.pixels);
    stbi_image_free(plain.pixels);
}
END_TEST

START_TEST(plane_can_move)
{
    setup(0.4, 0.1);
    Renderer *renderer;
    char path[512];
    path_of("moved", path);
    ASSERT_OK(context, renderer_create(context, instance, &fixture.topology, &def, &renderer));
    // A wall behind the box, facing it: its place turns from background to wall.
    ASSERT_OK(context, renderer_move_plane(renderer, 0, (double[3]){0, 0, -0.5}, (double[3]){0, 0, 2}));
    ck_assert_int_eq(renderer_move_plane(renderer, 1, (double[3]){0}, (double[3]){0, 1, 0}),
                     VELA_ERROR_INTERNAL);
    ASSERT_OK(context, renderer_draw(renderer, &fixture.frame, path));
    ASSERT_OK(context, renderer_finish(renderer));
    renderer_destroy(renderer);
    int width, height, channels;
    const Picture moved = {stbi_load(path, &width, &height, &channels, 3)};
    ck_assert_ptr_nonnull(moved.pixels);
    def.plane_count = 0;
    const Picture without = draw("without");
    const uint8_t *wall = pixel_at(&moved, 0.2, 0.1, -0.5), *nothing = pixel_at(&without, 0.2, 0.1, -0.5);
    ck_assert_int_gt(abs(wall[0] - nothing[0]) + abs(wall[1] - nothing[1]) + abs(wall[2] - nothing[2]), 12);
    stbi_image_free(moved.pixels);
    stbi_image_free(without.pixels);
}
END_TEST

static bool is_green(const uint8_t *rgb)
{
    return rgb[1] > 1.5 * rgb[0] && rgb[1] > 1.5 * rgb[2];
}

// A green block of edge 0.4 on the ground, and a red body over its left half.
static void setup_obstacle(RenderFixture *block)
{
    setup(0.2, 0.6);
    for (int32_t i = 0; i < fixture.topology.vertex_count; ++i)
        fixture.positions[3 * i] -= 0.1;
    fixture_box(block, (double[3]){0, 0.2, 0}, 0.4, 2);
    block->body.color[0] = block->body.color[2] = 0.2;
    block->body.color[1] = 0.6;
    block->topology.element_count = 0;
    def.obstacles = &block->topology;
    def.has_bounds = true; // of both
    memcpy(def.bounds_min, (double[3]){-0.2, 0, -0.2}, sizeof def.bounds_min);
    memcpy(def.bounds_max, (double[3]){0.2, 0.8, 0.2}, sizeof def.bounds_max);
}

START_TEST(obstacle_is_drawn)
{
    static RenderFixture block;
    setup_obstacle(&block);
    const Picture picture = draw("obstacle");
    ck_assert(is_red(pixel_at(&picture, -0.1, 0.8, 0)));
    ck_assert(is_green(pixel_at(&picture, 0, 0.2, 0.2)));
    // The body's shadow falls on the block, the block's on the ground.
    double light[3];
    lighting_direction(&camera, light);
    const double drop = 0.3 / light[1];
    const double x = -0.1 - drop * light[0], z = -drop * light[2];
    ck_assert_msg(fabs(x) < 0.18 && fabs(z) < 0.18, "the shadow falls to %g %g", x, z);
    const uint8_t *dark = pixel_at(&picture, x, 0.4, z), *lit = pixel_at(&picture, -0.15, 0.4, 0.15);
    ck_assert(is_green(dark) && is_green(lit));
    ck_assert_msg(luminance(dark) < 0.6 * luminance(lit), "%g in the shadow, %g lit", luminance(dark),
                  luminance(lit));
    const double reach = 0.4 / light[1];
    const uint8_t *shade = pixel_at(&picture, -0.9 * reach * light[0], 0, -0.9 * reach * light[2]);
    const uint8_t *ground_lit = pixel_at(&picture, 1.3 * reach * light[0], 0, 1.3 * reach * light[2]);
    ck_assert(!is_green(shade) && luminance(shade) < 0.6 * luminance(ground_lit));
    // Its colour stays where values are mapped.
    def.color_by = COLOR_BY_SPEED;
    def.value_max = 1;
    const Picture mapped = draw("obstacle_mapped");
    ck_assert(!is_red(pixel_at(&mapped, -0.1, 0.8, 0)));
    ck_assert(is_green(pixel_at(&mapped, 0, 0.2, 0.2)));
    stbi_image_free(picture.pixels);
    stbi_image_free(mapped.pixels);
}
END_TEST

// A green cable along x, over the middle of the box and beyond it.
static void add_cable(double height, double radius)
{
    double points[9][3];
    for (int i = 0; i < 9; ++i)
        memcpy(points[i], (double[3]){0.1 * i - 0.4, height, 0}, sizeof points[i]);
    fixture_add_cable(&fixture, points[0], 9, radius);
}

START_TEST(cable_is_a_tube_with_round_ends)
{
    setup(0.2, 0);
    add_cable(0.3, 0.04);
    const Picture picture = draw("cable");
    ck_assert(is_red(pixel_at(&picture, 0, 0.1, 0.1)));
    // Green as far as the radius reaches across the view, at joints and between them, and no farther.
    double right[3], up[3], forward[3];
    render_camera_axes(&camera, right, up, forward);
    for (int i = -8; i <= 8; ++i)
        for (int side = -1; side <= 1; ++side) {
            const double at[3] = {0.05 * i, 0.3, 0}, inside = 0.034 * side,
                         outside = 0.048 * (side ? side : 1);
            ck_assert_msg(is_green(pixel_at(&picture, at[0] + inside * up[0], at[1] + inside * up[1],
                                            at[2] + inside * up[2])),
                          "%d times the radius off the axis at %g", side, at[0]);
            ck_assert(!is_green(pixel_at(&picture, at[0] + outside * up[0], at[1] + outside * up[1],
                                         at[2] + outside * up[2])));
        }
    // Beyond its ends it is a ball: everything within the radius is green, the corners of a cylinder are not.
    for (int end = -1; end <= 1; end += 2)
        for (int k = -3; k <= 3; ++k) {
            const double angle = k * acos(-1.0) / 6, across[2] = {end * cos(angle), sin(angle)};
            for (int out = 0; out < 2; ++out) {
                const double r = out ? 0.048 : 0.034;
                double p[3];
                for (int c = 0; c < 3; ++c)
                    p[c] = (c == 0   ? 0.4 * end
                            : c == 1 ? 0.3
                                     : 0) +
                           r * (across[0] * right[c] + across[1] * up[c]);
                const bool green = is_green(pixel_at(&picture, p[0], p[1], p[2]));
                // On the side of the cable there is more of it.
                ck_assert_msg(out ? abs(k) == 3 || !green : green, "end %d, %d of 6, %g m", end, k, r);
            }
        }
    // Its shadow lies on the ground.
    double light[3];
    lighting_direction(&camera, light);
    const double drop = 0.3 / light[1], x = 0.3 - drop * light[0], z = -drop * light[2];
    const double shadow = luminance(pixel_at(&picture, x, 0, z)),
                 lit = luminance(pixel_at(&picture, x, 0, z + 0.15));
    ck_assert_msg(shadow < 0.8 * lit, "shadow %g, lit ground %g", shadow, lit);
    stbi_image_free(picture.pixels);
}
END_TEST

START_TEST(cable_is_coloured_by_value)
{
    // The box and the obstacle, whose vertices come before and behind the cable's, stay what they are.
    static RenderFixture block;
    setup(0.2, 0);
    add_cable(0.3, 0.04);
    fixture_box(&block, (double[3]){0.4, 0.05, 0}, 0.1, 2);
    memcpy(block.body.color, (double[3]){0.2, 0.6, 0.2}, sizeof block.body.color);
    block.topology.element_count = 0;
    def.obstacles = &block.topology;
    def.has_bounds = true;
    memcpy(def.bounds_min, (double[3]){-0.5, 0, -0.1}, sizeof def.bounds_min);
    memcpy(def.bounds_max, (double[3]){0.5, 0.34, 0.1}, sizeof def.bounds_max);
    for (int s = 0; s < 8; ++s)
        fixture.stretch[1 + s] = s < 4 ? 1 : 1.5f;
    def.color_by = COLOR_BY_STRETCH;
    def.value_min = 1;
    def.value_max = 1.5;
    const Picture picture = draw("cable_map");
    const uint8_t *box = pixel_at(&picture, 0, 0.1, 0.1);
    ck_assert_msg(box[2] > box[1] + 15, "%d %d %d", box[0], box[1], box[2]); // its stretch is 0
    ck_assert(is_green(pixel_at(&picture, 0.4, 0.05, 0.05)));
    const uint8_t *violet = pixel_at(&picture, -0.3, 0.3, 0), *yellow = pixel_at(&picture, 0.3, 0.3, 0);
    ck_assert_msg(violet[2] > violet[1] + 15, "%d %d %d", violet[0], violet[1], violet[2]);
    ck_assert_msg(yellow[0] > 1.5 * yellow[2] && yellow[1] > 1.5 * yellow[2], "%d %d %d", yellow[0],
                  yellow[1], yellow[2]);
    stbi_image_free(picture.pixels);
}
END_TEST

// Of two bodies only the cable has a tension; as a plain one it keeps its colour too.
START_TEST(what_has_no_value_keeps_its_colour)
{
    static float tension[9];
    for (int plain = 0; plain < 2; ++plain) {
        setup(0.2, 0);
        add_cable(0.3, 0.04);
        tension[0] = NAN;
        for (int s = 0; s < 8; ++s)
            tension[1 + s] = s < 4 ? -20 : 30;
        fixture.frame.tension = tension;
        fixture.topology.plain_count = plain;
        def.color_by = COLOR_BY_TENSION;
        def.value_min = -20;
        def.value_max = 30;
        const Picture picture = draw("tension");
        const uint8_t *violet = pixel_at(&picture, -0.3, 0.3, 0), *yellow = pixel_at(&picture, 0.3, 0.3, 0);
        ck_assert(is_red(pixel_at(&picture, 0, 0.1, 0.1)));
        ck_assert(is_green(violet) == (plain == 1) && is_green(yellow) == (plain == 1));
        ck_assert(plain == 1 || (violet[2] > violet[1] + 15 && yellow[0] > 1.5 * yellow[2]));
        stbi_image_free(picture.pixels);
    }
}
END_TEST

START_TEST(camera_has_cables_in_view)
{
    // Alone, and thick for its length: without its radius the camera would see little else.
    setup(0.2, 0);
    memset(&fixture, 0, sizeof fixture);
    fixture_add_cable(&fixture, (const double[6]){5, 1, 0, 5.1, 1, 0}, 2, 0.4);
    def.has_camera = false;
    def.plane_count = 0;
    const Picture picture = draw("cable_alone");
    ck_assert(is_green(pixel(&picture, WIDTH / 2, HEIGHT / 2)));
    int green = 0;
    for (int32_t y = 0; y < HEIGHT; ++y)
        for (int32_t x = 0; x < WIDTH; ++x) {
            const bool here = is_green(pixel(&picture, x, y));
            green += here;
            ck_assert_msg(!here || (x > 0 && y > 0 && x + 1 < WIDTH && y + 1 < HEIGHT),
                          "the cable leaves the image at %d %d", x, y);
        }
    ck_assert_int_gt(green, WIDTH * HEIGHT / 8);
    stbi_image_free(picture.pixels);
}
END_TEST

START_TEST(obstacle_can_move)
{
    static RenderFixture block, moved;
    setup_obstacle(&block);
    moved = block;
    // Far behind what the camera frames, and as much larger: it looks the same size.
    const double factor = 50;
    for (int32_t i = 0; i < 3 * block.topology.vertex_count; ++i)
        moved.positions[i] = def.eye[i % 3] + factor * (block.positions[i] - def.eye[i % 3]);
    Renderer *renderer;
    char path[512];
    path_of("obstacle_moved", path);
    def.plane_count = 0;
    ASSERT_OK(context, renderer_create(context, instance, &fixture.topology, &def, &renderer));
    ASSERT_OK(context, renderer_move_obstacles(renderer, moved.positions));
    ASSERT_OK(context, renderer_draw(renderer, &fixture.frame, path));
    ASSERT_OK(context, renderer_finish(renderer));
    moved.positions[4] = NAN;
    ck_assert_int_eq(renderer_move_obstacles(renderer, moved.positions), VELA_ERROR_INVALID_INPUT);
    renderer_destroy(renderer);
    int width, height, channels;
    const Picture picture = {stbi_load(path, &width, &height, &channels, 3)};
    ck_assert_ptr_nonnull(picture.pixels);
    ck_assert(is_green(pixel_at(&picture, 0, 0.2, 0.2)));
    ck_assert(is_green(pixel_at(&picture, 0.15, 0.4, 0.15)));
    // The body is in front of it now, and casts no shadow on it.
    ck_assert(is_red(pixel_at(&picture, -0.1, 0.6, 0.09)));
    stbi_image_free(picture.pixels);
}
END_TEST

START_TEST(errors_come_back)
{
    setup(0.4, 0);
    Renderer *renderer;
    ASSERT_OK(context, renderer_create(context, instance, &fixture.topology, &def, &renderer));
    ASSERT_OK(context, renderer_draw(renderer, &fixture.frame, BINARY_DIR "/no/such/folder/image.png"));
    ck_assert_int_eq(renderer_finish(renderer), VELA_ERROR_IO);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "no/such/folder"));
    // Told once; the renderer goes on.
    char path[512];
    path_of("after", path);
    ASSERT_OK(context, renderer_draw(renderer, &fixture.frame, path));
    ASSERT_OK(context, renderer_finish(renderer));
    renderer_destroy(renderer);

    const RenderDef good = def;
    def.width = 0;
    ck_assert_int_eq(renderer_create(context, instance, &fixture.topology, &def, &renderer),
                     VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_null(renderer);
    def = good;
    def.cookie = 0;
    ck_assert_int_eq(renderer_create(context, instance, &fixture.topology, &def, &renderer),
                     VELA_ERROR_INVALID_INPUT);
    def = good;
    def.color_by = COLOR_BY_SPEED;
    def.value_min = NAN;
    ck_assert_int_eq(renderer_create(context, instance, &fixture.topology, &def, &renderer),
                     VELA_ERROR_INVALID_INPUT);
    def = good;
    def.device = 99;
    ck_assert_int_eq(renderer_create(context, instance, &fixture.topology, &def, &renderer),
                     VELA_ERROR_NO_DEVICE);
    def = good;
    memset(ground.normal, 0, sizeof ground.normal);
    ck_assert_int_eq(renderer_create(context, instance, &fixture.topology, &def, &renderer),
                     VELA_ERROR_INVALID_INPUT);
    renderer_destroy(NULL);
}
END_TEST

START_TEST(validation_is_silent)
{
    if (!instance->validation)
        fprintf(stderr, "the validation layer is not installed: its silence was not tested\n");
    ck_assert_int_eq(instance->validation_messages, 0);
}
END_TEST

int main(void)
{
    VelaContextDef context_def = vela_default_context_def();
    context_def.log = test_log;
    if (vela_context_create(&context_def, &context) != VELA_OK)
        return EXIT_FAILURE;
    GpuInstanceDef instance_def = gpu_default_instance_def();
    instance_def.validation = true;
    const VelaResult result = gpu_instance_create(context, &instance_def, &instance);
    if (result == VELA_ERROR_NO_DEVICE) {
        printf("skipped: %s\n", vela_context_message(context));
        return 77;
    }
    if (result != VELA_OK) {
        fprintf(stderr, "%s\n", vela_context_message(context));
        return EXIT_FAILURE;
    }
    Suite *suite = suite_create("render image");
    TCase *tests = tcase_create("image");
    tcase_add_test(tests, body_ground_and_shadow);
    tcase_add_test(tests, shadow_is_soft_with_distance);
    tcase_add_test(tests, silhouette_is_antialiased);
    tcase_add_test(tests, same_bytes_twice);
    tcase_add_test(tests, value_is_mapped);
    tcase_add_test(tests, plane_can_move);
    tcase_add_test(tests, obstacle_is_drawn);
    tcase_add_test(tests, obstacle_can_move);
    tcase_add_test(tests, cable_is_a_tube_with_round_ends);
    tcase_add_test(tests, cable_is_coloured_by_value);
    tcase_add_test(tests, what_has_no_value_keeps_its_colour);
    tcase_add_test(tests, camera_has_cables_in_view);
    tcase_add_test(tests, errors_come_back);
    tcase_add_test(tests, validation_is_silent);
    suite_add_tcase(suite, tests);
    const int exit_code = test_run(suite);
    gpu_instance_destroy(instance);
    vela_context_destroy(context);
    return exit_code;
}
