// Scans and sorts on the device against the host: any size, one or several tiles a workgroup, dispatches in one row or several.
#include "device/vulkan/sort/sort.h"
#include "gpu/memory.h"
#include "gpu/open.h"
#include "gpu/transfer.h"
#include "parity/vulkan_fixture.h"

#include <string.h>

/// The last two have several tiles a workgroup.
static const uint32_t sizes[] = {0,
                                 1,
                                 2,
                                 SORT_GROUP - 1,
                                 SORT_GROUP,
                                 SORT_TILE - 1,
                                 SORT_TILE,
                                 SORT_TILE + 1,
                                 7 * SORT_TILE,
                                 SORT_GROUPS_MOST *SORT_TILE + 1,
                                 2 * SORT_GROUPS_MOST *SORT_TILE + 12345};
enum {
    SIZES = sizeof sizes / sizeof *sizes,
    SIZE_MOST = 2 * SORT_GROUPS_MOST * SORT_TILE + 12345,
    GUARD = 7,
    COUNT_PLACE = 3,
    TOTAL_PLACE = 1
};

static VelaContext *context;
static GpuInstance *instance;
static bool every_width;

static uint32_t random_word(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

typedef struct Bench {
    GpuDevice *gpu;
    GpuPool *pool;
    GpuPipelines *pipelines;
    GpuCommands *commands;
    SortKernels kernels;
    const GpuBuffer *buffers;
} Bench;

enum { KEYS, PAYLOAD, OTHER_KEYS, OTHER_PAYLOAD, COUNTS, WORK, BUFFERS };

static void start(Bench *bench, uint32_t groups_in_row)
{
    GpuDeviceDef def = gpu_default_device_def();
    def.groups_in_row = groups_in_row;
    int32_t index;
    ASSERT_OK(context, gpu_instance_choose(instance, "vulkan", &index));
    ASSERT_OK(context, gpu_device_create(instance, index, &def, &bench->gpu));
    const uint64_t words = 4 * (uint64_t)(SIZE_MOST + GUARD);
    const GpuBufferDef defs[BUFFERS] = {[KEYS] = {"keys", 2 * words, GPU_MEMORY_DEVICE, 0},
                                        [PAYLOAD] = {"payload", words, GPU_MEMORY_DEVICE, 0},
                                        [OTHER_KEYS] = {"other keys", 2 * words, GPU_MEMORY_DEVICE, 0},
                                        [OTHER_PAYLOAD] = {"other payload", words, GPU_MEMORY_DEVICE, 0},
                                        [COUNTS] = {"counts", 16, GPU_MEMORY_DEVICE, 0},
                                        [WORK] = sort_work_def()};
    ASSERT_OK(context, gpu_pool_create(bench->gpu, BUFFERS, defs, &bench->pool));
    ASSERT_OK(context, gpu_pipelines_create(bench->gpu, &bench->pipelines));
    ASSERT_OK(context, gpu_commands_create(bench->gpu, 0, &bench->commands));
    ASSERT_OK(context, sort_kernels_create(bench->pipelines, &bench->kernels));
    bench->buffers = bench->pool->buffers;
}

static void end(Bench *bench)
{
    gpu_commands_destroy(bench->commands);
    gpu_pipelines_destroy(bench->pipelines);
    gpu_pool_destroy(bench->pool);
    gpu_device_destroy(bench->gpu);
}

static void put(Bench *bench, int buffer, const uint32_t *words, size_t count)
{
    ASSERT_OK(context, gpu_upload(bench->gpu, &bench->buffers[buffer], 0, words, 4 * count));
}

static void get(Bench *bench, int buffer, uint32_t *words, size_t count)
{
    ASSERT_OK(context, gpu_download(bench->gpu, &bench->buffers[buffer], 0, words, 4 * count));
}

START_TEST(scans_are_exclusive_sums)
{
    static const uint32_t limits[] = {0, 5};
    uint32_t *values = malloc(4 * (SIZE_MOST + GUARD)), *found = malloc(4 * (SIZE_MOST + GUARD));
    uint64_t state = 5;
    for (size_t i = 0; i < SIZE_MOST + GUARD; ++i)
        values[i] = random_word(&state) >> (i % 3 ? 29 : 22); // and above 2^32 in all, some sizes on
    for (int limit = 0; limit < 2; ++limit) {
        Bench bench;
        Scan scan;
        start(&bench, limits[limit]);
        ASSERT_OK(context, scan_bind(&bench.kernels, &bench.buffers[PAYLOAD], &bench.buffers[COUNTS],
                                     &bench.buffers[WORK], &scan));
        ASSERT_OK(context, gpu_commands_begin(bench.commands));
        scan_record(bench.commands, &scan, COUNT_PLACE, TOTAL_PLACE);
        for (int s = 0; s < SIZES; ++s) { // one recording, any size
            uint32_t counts[4] = {0, 99, 0, sizes[s]}, sum = 0;
            put(&bench, COUNTS, counts, 4);
            put(&bench, PAYLOAD, values, sizes[s] + GUARD);
            ASSERT_OK(context, gpu_commands_run(bench.commands));
            get(&bench, PAYLOAD, found, sizes[s] + GUARD);
            get(&bench, COUNTS, counts, 4);
            for (uint32_t i = 0; i < sizes[s]; ++i) {
                ck_assert_msg(found[i] == sum, "place %u of %u is %u, expected %u", i, sizes[s], found[i],
                              sum);
                sum += values[i];
            }
            ck_assert_uint_eq(counts[TOTAL_PLACE], sum);
            ck_assert_uint_eq(counts[COUNT_PLACE], sizes[s]);
            ck_assert_mem_eq(found + sizes[s], values + sizes[s], 4 * GUARD);
        }
        end(&bench);
    }
    free(found);
    free(values);
}
END_TEST

typedef struct Item {
    uint64_t key;
    uint32_t payload;
} Item;

/// Payloads ascend before the sort, so a stable one has them ascending among equal keys.
static int compare_items(const void *a, const void *b)
{
    const Item *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->payload > y->payload) - (x->payload < y->payload);
}

/// Few keys occur often; with `equal` all are one.
static uint64_t random_key(uint64_t *state, bool equal, uint32_t bits)
{
    const uint64_t often = UINT64_C(0xa5c3960f5a3c69f7), high = random_word(state);
    const uint64_t key = equal || random_word(state) % 8 == 0 ? often : high << 32 | random_word(state);
    return bits == 64 ? key : key & ((UINT64_C(1) << bits) - 1);
}

static void check_sort(Bench *bench, const RadixSort *sort, uint32_t size, uint32_t words, uint32_t bits,
                       bool equal)
{
    uint64_t state = size + bits;
    uint32_t *keys = calloc(words * (size + GUARD), 4), *payload = calloc(size + GUARD, 4);
    Item *items = malloc((size + 1) * sizeof *items);
    for (uint32_t i = 0; i < size + GUARD; ++i) {
        const uint64_t key = random_key(&state, equal, bits);
        for (uint32_t w = 0; w < words; ++w)
            keys[words * i + w] = (uint32_t)(key >> 32 * w);
        payload[i] = 3 * i;
        if (i < size)
            items[i] = (Item){key, payload[i]};
    }
    const uint32_t counts[4] = {0, 0, 0, size};
    put(bench, COUNTS, counts, 4);
    put(bench, KEYS, keys, words * (size + GUARD));
    put(bench, PAYLOAD, payload, size + GUARD);
    ASSERT_OK(context, gpu_commands_begin(bench->commands));
    radix_sort_record(bench->commands, sort, COUNT_PLACE, words, bits);
    ASSERT_OK(context, gpu_commands_run(bench->commands));
    qsort(items, size, sizeof *items, compare_items);
    for (uint32_t i = 0; i < size; ++i) {
        keys[words * i] = (uint32_t)items[i].key;
        if (words == 2)
            keys[2 * i + 1] = (uint32_t)(items[i].key >> 32);
        payload[i] = items[i].payload;
    }
    uint32_t *found = malloc(4 * words * (size + GUARD));
    get(bench, KEYS, found, words * (size + GUARD));
    ck_assert_msg(memcmp(found, keys, 4 * words * (size + GUARD)) == 0,
                  "%u keys of %u words are not sorted by %u bits", size, words, bits);
    get(bench, PAYLOAD, found, size + GUARD);
    ck_assert_msg(memcmp(found, payload, 4 * (size + GUARD)) == 0,
                  "payloads of %u keys of %u words by %u bits", size, words, bits);
    free(found);
    free(items);
    free(payload);
    free(keys);
}

static void start_sort(Bench *bench, uint32_t groups_in_row, RadixSort *sort)
{
    start(bench, groups_in_row);
    const GpuBuffer *b = bench->buffers;
    ASSERT_OK(context, radix_sort_bind(&bench->kernels,
                                       &(RadixSortBuffers){&b[KEYS], &b[PAYLOAD], &b[OTHER_KEYS],
                                                           &b[OTHER_PAYLOAD], &b[COUNTS], &b[WORK]},
                                       sort));
}

START_TEST(sorts_of_any_size_are_stable)
{
    static const uint32_t limits[] = {0, 5};
    for (int limit = 0; limit < 2; ++limit) {
        Bench bench;
        RadixSort sort;
        start_sort(&bench, limits[limit], &sort);
        for (int s = 0; s < SIZES; ++s) {
            check_sort(&bench, &sort, sizes[s], 1, 10, false);
            if (limit > 0 || sizes[s] > 7 * SORT_TILE)
                continue;
            check_sort(&bench, &sort, sizes[s], 1, 10, true);
            check_sort(&bench, &sort, sizes[s], 2, 62, false);
        }
        end(&bench);
    }
}
END_TEST

START_TEST(sorts_of_any_width_are_stable)
{
    Bench bench;
    RadixSort sort;
    start_sort(&bench, 0, &sort);
    for (uint32_t bits = 0; bits <= 64; bits += every_width ? 1 : 3)
        for (uint32_t words = bits > 32 ? 2 : 1; words <= 2; ++words)
            check_sort(&bench, &sort, SORT_TILE + 345, words, bits, bits % 16 == 0);
    end(&bench);
}
END_TEST

int main(void)
{
    VulkanTest vulkan;
    const int code = vulkan_test_begin(&vulkan);
    if (code != 0)
        return code;
    context = vulkan.context;
    // A driver without float64 is one more, and slow: a width of three, but in tools/proof.sh.
    every_width = vulkan.float64 || vulkan.whole;
    const GpuInstanceDef def = gpu_default_instance_def();
    if (gpu_instance_create(context, &def, &instance) != VELA_OK)
        return TEST_BROKEN;
    Suite *suite = suite_create("scans and sorts on Vulkan");
    TCase *tests = tcase_create("sort");
    tcase_add_test(tests, scans_are_exclusive_sums);
    tcase_add_test(tests, sorts_of_any_size_are_stable);
    tcase_add_test(tests, sorts_of_any_width_are_stable);
    suite_add_tcase(suite, tests);
    const int failed = test_run(suite), messages = atomic_load(&instance->validation_messages);
    gpu_instance_destroy(instance);
    vela_context_destroy(context);
    return failed || messages > 0;
}
