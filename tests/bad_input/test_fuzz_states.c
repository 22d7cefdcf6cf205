// Damaged states: every changed byte and every truncation is refused; data that lies behind right checksums
// is read or refused, never trusted. Run with sanitizers it also shows that nothing is read outside the file.
#define _DEFAULT_SOURCE
#include "output_fixture.h"

#include "base/chunks.h"
#include "base/file.h"

typedef struct Reading {
    VelaContext *context;
    char folder[RUN_PATH_CAPACITY], path[RUN_PATH_CAPACITY];
    FrameTopology topology; ///< of the undamaged run
    char *data;             ///< the undamaged bytes of frame `index`
    size_t size;
    int64_t index;
    Arena arena;
} Reading;

// What is damaged: frame 0, frame 1, and frame 0 of a run with cables.
enum { RUNS = 3 };

static void reading_start(Reading *reading, const char *name, int run)
{
    *reading = (Reading){.context = test_context(), .index = run == 1};
    reading->arena = arena_make(reading->context);
    fixture_run_of(reading->context, run == 2 ? &fixture_cable_topology : &fixture_topology, name, 2,
                   reading->folder);
    ASSERT_OK(reading->context,
              frame_read_topology(reading->context, reading->folder, &reading->arena, &reading->topology));
    ASSERT_OK(reading->context,
              run_state_path(reading->context, reading->folder, reading->index, reading->path));
    ASSERT_OK(reading->context,
              file_read(reading->context, reading->path, &reading->arena, &reading->data, &reading->size));
}

static void reading_end(Reading *reading)
{
    arena_clear(&reading->arena);
    vela_context_destroy(reading->context);
}

// What reading `size` bytes in place of the frame comes to; both readers see them when it is frame 0.
static VelaResult read_bytes(Reading *reading, const char *bytes, size_t size)
{
    ASSERT_OK(reading->context, file_write(reading->context, reading->path, bytes, size));
    const ArenaMark mark = arena_mark(&reading->arena);
    Frame frame;
    FrameTopology topology;
    VelaResult result = frame_read(reading->context, reading->folder, reading->index, &reading->topology,
                                   &reading->arena, &frame);
    if (reading->index == 0) {
        const VelaResult second =
            frame_read_topology(reading->context, reading->folder, &reading->arena, &topology);
        result = result == VELA_OK ? second : result;
    }
    if (result != VELA_OK) {
        ck_assert_int_eq(result, VELA_ERROR_INVALID_INPUT);
        ck_assert_msg(strstr(vela_context_message(reading->context), reading->path),
                      "'%s' lacks the file's name", vela_context_message(reading->context));
    }
    arena_release(&reading->arena, mark);
    return result;
}

START_TEST(every_byte_counts)
{
    Reading reading;
    reading_start(&reading, "fuzz_bytes", _i);
    ck_assert_int_eq(read_bytes(&reading, reading.data, reading.size), VELA_OK);
    for (size_t i = 0; i < reading.size; ++i) {
        const char before = reading.data[i];
        reading.data[i] = (char)(before ^ (1 << i % 8));
        ck_assert_msg(read_bytes(&reading, reading.data, reading.size) != VELA_OK, "byte %zu is not checked",
                      i);
        reading.data[i] = before;
        ck_assert_msg(read_bytes(&reading, reading.data, i) != VELA_OK, "%zu of %zu bytes are taken", i,
                      reading.size);
    }
    reading_end(&reading);
}
END_TEST

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

// Puts right checksums to whatever the chunks hold now, as far as they can still be followed.
static void repair_checksums(char *data, size_t size)
{
    for (size_t at = CHUNK_HEADER_SIZE; at + CHUNK_ENTRY_SIZE <= size;) {
        uint64_t length;
        memcpy(&length, data + at + 8, sizeof length);
        if (length > size - at - CHUNK_ENTRY_SIZE)
            return;
        const uint32_t checksum = crc32_of(0, data + at + CHUNK_ENTRY_SIZE, length);
        memcpy(data + at + 4, &checksum, sizeof checksum);
        at += CHUNK_ENTRY_SIZE + (length + 7) / 8 * 8;
    }
}

START_TEST(right_checksums_are_not_enough)
{
    Reading reading;
    reading_start(&reading, "fuzz_content", _i);
    char *bytes = malloc(reading.size);
    ck_assert_ptr_nonnull(bytes);
    static const int32_t extremes[] = {-1, INT32_MAX, INT32_MIN, 9, 255, 0x7ff00000, 65536, 0};
    uint32_t random = 12345;
    int refused = 0;
    for (int round = 0; round < 1500; ++round) {
        memcpy(bytes, reading.data, reading.size);
        for (uint32_t changes = 1 + next_random(&random) % 4; changes > 0; --changes) {
            const size_t at = next_random(&random) % (reading.size - 4);
            if (next_random(&random) % 2)
                bytes[at] = (char)next_random(&random);
            else
                memcpy(bytes + at / 4 * 4, &extremes[next_random(&random) % 8], 4);
        }
        repair_checksums(bytes, reading.size);
        refused += read_bytes(&reading, bytes, reading.size) != VELA_OK;
    }
    ck_assert_int_gt(refused, 200);
    free(bytes);
    reading_end(&reading);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fuzz states");
    TCase *tests = tcase_create("fuzz states");
    tcase_add_loop_test(tests, every_byte_counts, 0, RUNS);
    tcase_add_loop_test(tests, right_checksums_are_not_enough, 0, RUNS);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
