// PNG: what is encoded decodes to the same pixels, and files are written whole or not at all.
#include "check_main.h"

#include "base/file.h"
#include "base/png.h"

#include <string.h>
#include <unistd.h>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>

enum { WIDTH = 37, HEIGHT = 23 };

static void fill(unsigned char *pixels, int count)
{
    uint32_t state = 1;
    for (int i = 0; i < count; ++i) {
        state = state * 1664525u + 1013904223u;
        pixels[i] = (unsigned char)(i % 3 ? state >> 24 : (uint32_t)i);
    }
}

START_TEST(encode_round_trip)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    static const int channel_counts[] = {1, 3, 4};
    const int channels = channel_counts[_i];
    unsigned char pixels[WIDTH * HEIGHT * 4];
    fill(pixels, WIDTH * HEIGHT * channels);
    unsigned char *data;
    size_t size;
    ASSERT_OK(context, png_encode(context, WIDTH, HEIGHT, channels, pixels, &arena, &data, &size));
    int width, height, found;
    unsigned char *decoded = stbi_load_from_memory(data, (int)size, &width, &height, &found, 0);
    ck_assert_ptr_nonnull(decoded);
    ck_assert_int_eq(width, WIDTH);
    ck_assert_int_eq(height, HEIGHT);
    ck_assert_int_eq(found, channels);
    ck_assert_mem_eq(decoded, pixels, (size_t)(WIDTH * HEIGHT * channels));
    stbi_image_free(decoded);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(encode_refuses)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    unsigned char pixel[4] = {0}, *data;
    size_t size;
    ck_assert_int_eq(png_encode(context, 0, 1, 3, pixel, &arena, &data, &size), VELA_ERROR_INVALID_INPUT);
    ck_assert_int_eq(png_encode(context, 1, 1, 5, pixel, &arena, &data, &size), VELA_ERROR_INVALID_INPUT);
    ck_assert_int_eq(png_encode(context, 1 << 20, 1 << 20, 3, pixel, &arena, &data, &size),
                     VELA_ERROR_INVALID_INPUT);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(write_whole_or_not_at_all)
{
    VelaContext *context = test_context();
    const char *path = BINARY_DIR "/test_png_written.png";
    unsigned char pixels[WIDTH * HEIGHT * 3];
    fill(pixels, (int)sizeof pixels);
    ASSERT_OK(context, png_write(context, path, WIDTH, HEIGHT, 3, pixels));
    ck_assert_int_eq(access(path, R_OK), 0);
    unlink(path);
    const char *missing = BINARY_DIR "/no/such/folder/image.png";
    ck_assert_int_eq(png_write(context, missing, WIDTH, HEIGHT, 3, pixels), VELA_ERROR_IO);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), missing));
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("png");
    TCase *tests = tcase_create("png");
    tcase_add_loop_test(tests, encode_round_trip, 0, 3);
    tcase_add_test(tests, encode_refuses);
    tcase_add_test(tests, write_whole_or_not_at_all);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
