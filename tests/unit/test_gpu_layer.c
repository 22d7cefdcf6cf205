#include "base/file.h"
#include "check_main.h"
#include "gpu/commands.h"
#include "gpu/image.h"
#include "gpu/memory.h"
#include "gpu/open.h"
#include "gpu/self_test.h"
#include "gpu/shader.h"
#include "gpu/transfer.h"

#include <dirent.h>
#include <math.h>
#include <string.h>

static GpuInstance *instance;
static VelaContext *context;

static GpuDevice *open_device(const GpuDeviceDef *def)
{
    int32_t index;
    GpuDevice *device;
    ASSERT_OK(context, gpu_instance_choose(instance, "vulkan", &index));
    ASSERT_OK(context, gpu_device_create(instance, index, def, &device));
    return device;
}

/// A kernel of two buffers, bound to those of a pool, and commands to run it in.
typedef struct Bound {
    GpuPool *pool;
    GpuPipelines *pipelines;
    GpuCommands *commands;
    GpuBinding binding;
} Bound;

static Bound bind_kernel(GpuDevice *device, const GpuBufferDef defs[2], const GpuKernelDef *kernel_def)
{
    Bound bound;
    const GpuKernel *kernel;
    ASSERT_OK(context, gpu_pool_create(device, 2, defs, &bound.pool));
    ASSERT_OK(context, gpu_pipelines_create(device, &bound.pipelines));
    ASSERT_OK(context, gpu_commands_create(device, 0, &bound.commands));
    ASSERT_OK(context, gpu_kernel_create(bound.pipelines, kernel_def, &kernel));
    const GpuBuffer *const buffers[] = {&bound.pool->buffers[0], &bound.pool->buffers[1]};
    ASSERT_OK(context, gpu_bind(bound.pipelines, kernel, buffers, &bound.binding));
    return bound;
}

static void run_kernel(const Bound *bound, const void *push, uint32_t groups)
{
    ASSERT_OK(context, gpu_commands_begin(bound->commands));
    gpu_dispatch(bound->commands, &bound->binding, push, groups);
    gpu_barrier(bound->commands);
    ASSERT_OK(context, gpu_commands_run(bound->commands));
}

static void release(Bound *bound)
{
    gpu_commands_destroy(bound->commands);
    gpu_pipelines_destroy(bound->pipelines);
    gpu_pool_destroy(bound->pool);
}

START_TEST(devices_are_described)
{
    ck_assert_int_ge(instance->device_count, 1);
    for (int32_t i = 0; i < instance->device_count; ++i) {
        const GpuDeviceInfo *info = &instance->devices[i];
        ck_assert(info->name[0] != 0);
        ck_assert_int_eq(info->usable, info->reason[0] == 0);
    }
}
END_TEST

START_TEST(choice_by_name)
{
    int32_t index;
    ck_assert_int_eq(gpu_instance_choose(instance, "vulkan:99", &index), VELA_ERROR_INVALID_INPUT);
    ck_assert(strstr(vela_context_message(context), "vulkan:99"));
    ck_assert_int_eq(gpu_instance_choose(instance, "vulkan:0x", &index), VELA_ERROR_INVALID_INPUT);
    ck_assert_int_eq(gpu_instance_choose(instance, "vulkan:-1", &index), VELA_ERROR_INVALID_INPUT);
    ck_assert_int_eq(gpu_instance_choose(instance, "metal", &index), VELA_ERROR_INVALID_INPUT);
    bool real = false;
    for (int32_t i = 0; i < instance->device_count; ++i)
        real |= instance->devices[i].usable && instance->devices[i].type != GPU_DEVICE_SOFTWARE;
    ck_assert_int_eq(gpu_instance_choose(instance, "auto", &index), real ? VELA_OK : VELA_ERROR_NO_DEVICE);
}
END_TEST

START_TEST(uploads_come_back)
{
    const GpuDeviceDef def = gpu_default_device_def();
    GpuDevice *device = open_device(&def);
    enum { COUNT = 3 * 1024 * 1024 }; // larger than the staging buffer
    const GpuBufferDef defs[] = {{"a", COUNT * 4, GPU_MEMORY_DEVICE, 0}, {"b", 0, GPU_MEMORY_DEVICE, 0}};
    GpuPool *pool;
    ASSERT_OK(context, gpu_pool_create(device, 2, defs, &pool));
    ck_assert_uint_ge(pool->bytes, gpu_pool_plan(2, defs) - 512);
    uint32_t *data = malloc(COUNT * 4), *back = malloc(COUNT * 4);
    ASSERT_OK(context, gpu_download(device, &pool->buffers[0], 0, back, COUNT * 4));
    uint32_t set = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        set |= back[i];
        data[i] = i * 2654435761u;
    }
    ck_assert_uint_eq(set, 0);
    ASSERT_OK(context, gpu_upload(device, &pool->buffers[0], 0, data, COUNT * 4));
    ASSERT_OK(context, gpu_download(device, &pool->buffers[0], 0, back, COUNT * 4));
    ck_assert_mem_eq(data, back, COUNT * 4);
    ASSERT_OK(context, gpu_download(device, &pool->buffers[0], 4000, back, 8));
    ck_assert_uint_eq(back[1], data[1001]);
    ck_assert_int_eq(device->statistics.uploaded, COUNT * 4);
    free(data);
    free(back);
    gpu_pool_destroy(pool);
    ck_assert_int_gt(device->statistics.memory, 0); // staging
    gpu_device_destroy(device);
}
END_TEST

START_TEST(too_much_memory_is_an_error)
{
    const GpuDeviceDef def = gpu_default_device_def();
    GpuDevice *device = open_device(&def);
    const GpuBufferDef large = {"positions", device->info.binding + 4, GPU_MEMORY_DEVICE, 0};
    GpuPool *pool;
    ck_assert_int_eq(gpu_pool_create(device, 1, &large, &pool), VELA_ERROR_UNSUPPORTED);
    ck_assert(strstr(vela_context_message(context), "positions"));
    uint64_t heap = 0;
    for (uint32_t i = 0; i < device->memory.memoryHeapCount; ++i)
        heap += device->memory.memoryHeaps[i].size;
    const int32_t count = (int32_t)(heap / GPU_BINDING_LEAST) + 2;
    GpuBufferDef *many = calloc((size_t)count, sizeof *many);
    for (int32_t i = 0; i < count; ++i)
        many[i] = (GpuBufferDef){"many", GPU_BINDING_LEAST, GPU_MEMORY_DEVICE, 0};
    // Where the driver's objects are small, the heap fills bit by bit, which a test must not do: one object only.
    if (device->max_allocation > heap) {
        ck_assert_int_eq(gpu_pool_create(device, count, many, &pool), VELA_ERROR_OUT_OF_MEMORY);
        ck_assert(strstr(vela_context_message(context), "MiB"));
    }
    free(many);
    gpu_device_destroy(device);
}
END_TEST

START_TEST(float_float_holds)
{
    const GpuDeviceDef def = gpu_default_device_def();
    GpuDevice *device = open_device(&def);
    ASSERT_OK(context, gpu_self_test(device));
    ck_assert_int_ge(device->statistics.dispatches, 1);
    gpu_device_destroy(device);
}
END_TEST

START_TEST(kernels_are_timed_and_counted)
{
    GpuDeviceDef def = gpu_default_device_def();
    for (int timed = 0; timed < 2; ++timed) {
        def.timestamps = timed;
        GpuDevice *device = open_device(&def);
        const GpuBufferDef defs[] = {{"in", 64 * 8, GPU_MEMORY_DEVICE, 0},
                                     {"out", 64 * 32, GPU_MEMORY_DEVICE, 0},
                                     {"groups", 24, GPU_MEMORY_UPLOAD, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT}};
        GpuPool *pool;
        GpuPipelines *pipelines;
        GpuCommands *commands;
        const GpuKernelDef kernel_def = {
            .shader = "compute/self_test", .binding_count = 2, .push_size = 4, .workgroup_size = 32};
        const GpuKernel *kernel;
        GpuBinding binding;
        ASSERT_OK(context, gpu_pool_create(device, 3, defs, &pool));
        ASSERT_OK(context, gpu_pipelines_create(device, &pipelines));
        ASSERT_OK(context, gpu_kernel_create(pipelines, &kernel_def, &kernel));
        ASSERT_OK(context, gpu_bind(pipelines, kernel,
                                    (const GpuBuffer *[]){&pool->buffers[0], &pool->buffers[1]}, &binding));
        ASSERT_OK(context, gpu_commands_create(device, 2, &commands));
        float one = 1;
        ASSERT_OK(context, gpu_upload(device, &pool->buffers[0], 33 * 8, &one, 4));
        // An empty indirect dispatch and one of a single group: only the first 32 invocations run.
        const uint32_t groups[] = {0, 1, 1, 1, 1, 1}, count = 64;
        memcpy(pool->buffers[2].mapped, groups, sizeof groups);
        const int64_t before = device->statistics.host_waits;
        ASSERT_OK(context, gpu_commands_begin(commands));
        gpu_dispatch_indirect(commands, &binding, &count, &pool->buffers[2], 0);
        gpu_barrier(commands);
        gpu_dispatch_indirect(commands, &binding, &count, &pool->buffers[2], 12);
        gpu_barrier(commands);
        gpu_dispatch(commands, &binding, &count, 1);
        gpu_barrier(commands);
        for (int again = 0; again < 2; ++again)
            ASSERT_OK(context, gpu_commands_run(commands));
        ck_assert_int_eq(device->statistics.host_waits - before, 2);
        ck_assert_int_eq(device->statistics.dispatches, 6);
        float out[8];
        ASSERT_OK(context, gpu_download(device, &pool->buffers[1], 33 * 32, out, sizeof out));
        ck_assert(out[0] == 0); // beyond the single group
        const GpuTimer *timer = &device->statistics.timers[kernel->timer];
        ck_assert_str_eq(timer->name, "self_test");
        // Two of the three dispatches have a stamp to end at, twice.
        ck_assert_int_eq(timer->count, device->timestamps ? 4 : 0);
        ck_assert(timed || !device->timestamps);
        gpu_commands_destroy(commands);
        gpu_pipelines_destroy(pipelines);
        gpu_pool_destroy(pool);
        gpu_device_destroy(device);
    }
}
END_TEST

START_TEST(a_buffer_grows_and_is_bound_again)
{
    const GpuDeviceDef def = gpu_default_device_def();
    GpuDevice *device = open_device(&def);
    const GpuBufferDef defs[] = {{"in", 64 * 8, GPU_MEMORY_DEVICE, 0}, {"out", 64, GPU_MEMORY_DEVICE, 0}};
    const GpuKernelDef kernel_def = {
        .shader = "compute/self_test", .binding_count = 2, .push_size = 4, .workgroup_size = 32};
    Bound bound = bind_kernel(device, defs, &kernel_def);
    GpuPool *pool = bound.pool;
    const GpuBuffer *const buffers[] = {&pool->buffers[0], &pool->buffers[1]};
    float in[128], out[512];
    for (int i = 0; i < 128; ++i)
        in[i] = (float)i;
    ASSERT_OK(context, gpu_upload(device, &pool->buffers[0], 0, in, sizeof in));
    const int64_t before = device->statistics.memory;
    for (uint64_t size = 64 * 32; size <= 64 * 128; size *= 4) {
        ASSERT_OK(context, gpu_pool_grow(pool, 1, size));
        ck_assert_uint_eq(pool->buffers[1].size, size);
        ck_assert_int_eq(device->statistics.memory - before, (int64_t)pool->grown_bytes[1]);
        ASSERT_OK(context, gpu_download(device, &pool->buffers[1], 0, out, sizeof out));
        for (int i = 0; i < 512; ++i)
            ck_assert(out[i] == 0);
        gpu_rebind(bound.pipelines, &bound.binding, buffers);
        const uint32_t count = 64;
        run_kernel(&bound, &count, 2);
        ASSERT_OK(context, gpu_download(device, &pool->buffers[1], 0, out, sizeof out));
        for (int i = 0; i < 64; ++i)
            ck_assert(out[8 * i] == in[2 * i] + in[2 * i + 1]);
    }
    const VkBuffer kept = pool->buffers[1].handle;
    ck_assert_int_ne(gpu_pool_grow(pool, 1, (uint64_t)1 << 50), VELA_OK);
    ck_assert(pool->buffers[1].handle == kept && pool->buffers[1].size == 64 * 128);
    release(&bound);
    gpu_device_destroy(device);
}
END_TEST

START_TEST(unknown_shader_or_interrupt_is_an_error)
{
    const GpuDeviceDef def = gpu_default_device_def();
    GpuDevice *device = open_device(&def);
    GpuPipelines *pipelines;
    ASSERT_OK(context, gpu_pipelines_create(device, &pipelines));
    const GpuKernelDef kernel_def = {.shader = "compute/no_such", .workgroup_size = 1};
    const GpuKernel *kernel;
    ck_assert_int_eq(gpu_kernel_create(pipelines, &kernel_def, &kernel), VELA_ERROR_UNSUPPORTED);
    const GpuKernelDef known = {
        .shader = "compute/self_test", .binding_count = 2, .push_size = 4, .workgroup_size = 32};
    vela_context_interrupt(context);
    ck_assert_int_eq(gpu_kernel_create(pipelines, &known, &kernel), VELA_ERROR_INTERRUPTED);
    ASSERT_OK(context, gpu_kernel_create(pipelines, &known, &kernel));
    gpu_pipelines_destroy(pipelines);
    gpu_device_destroy(device);
}
END_TEST

/// A device has a kernel once, whoever asks for it, and keeps it.
START_TEST(kernels_are_the_devices)
{
    const GpuDeviceDef def = gpu_default_device_def();
    GpuDevice *device = open_device(&def);
    GpuPipelines *pipelines[2];
    const GpuKernel *first, *again, *other;
    GpuKernelDef kernel_def = {
        .shader = "compute/self_test", .binding_count = 2, .push_size = 4, .workgroup_size = 32};
    for (int i = 0; i < 2; ++i)
        ASSERT_OK(context, gpu_pipelines_create(device, &pipelines[i]));
    ASSERT_OK(context, gpu_kernel_create(pipelines[0], &kernel_def, &first));
    gpu_pipelines_destroy(pipelines[0]);
    ASSERT_OK(context, gpu_kernel_create(pipelines[1], &kernel_def, &again));
    ck_assert_ptr_eq(again, first);
    kernel_def.workgroup_size = 64;
    ASSERT_OK(context, gpu_kernel_create(pipelines[1], &kernel_def, &other));
    ck_assert_ptr_ne(other, first);
    ck_assert_uint_eq(other->workgroup_size, 64);
    ck_assert_uint_eq(first->workgroup_size, 32);
    gpu_pipelines_destroy(pipelines[1]);
    gpu_device_destroy(device);
}
END_TEST

enum { SUM_GROUPS = 5, SUM_MOST = 256 };

/// Four numbers an invocation, of both signs and many sizes but for the last, which is not negative.
static void make_numbers(double *numbers, uint32_t count)
{
    uint32_t state = 7;
    for (uint32_t i = 0; i < 4 * count; ++i) {
        state = state * 1664525u + 1013904223u;
        const double value = ldexp((float)(1 + (double)(state >> 8) / 16777216), (int)(state >> 3) % 20);
        numbers[i] = i % 4 < 3 && state & 1 ? -value : value;
    }
}

/// Adds entry i + width to entry i, with widths halved down to 1, in the precision asked for.
static void sum_as_a_tree(double *numbers, uint32_t size, bool f64)
{
    for (uint32_t width = size / 2; width > 0; width /= 2)
        for (uint32_t i = 0; i < 4 * width; ++i) {
            double *a = &numbers[i];
            const double b = numbers[i + 4 * width];
            *a = i % 4 == 3 ? fmax(*a, b) : f64 ? *a + b : (double)((float)*a + (float)b);
        }
}

static void check_sums(GpuDevice *device, uint32_t size, bool f64)
{
    const uint32_t count = SUM_GROUPS * size, number = f64 ? sizeof(double) : sizeof(float);
    const GpuBufferDef defs[] = {{"in", 4 * count * number, GPU_MEMORY_UPLOAD, 0},
                                 {"out", 4 * count * number, GPU_MEMORY_READBACK, 0}};
    const GpuKernelDef kernel_def = {.shader = f64 ? "test/workgroup_sums_f64" : "test/workgroup_sums",
                                     .binding_count = 2,
                                     .workgroup_size = size};
    Bound bound = bind_kernel(device, defs, &kernel_def);
    const GpuPool *pool = bound.pool;
    static double numbers[4 * SUM_GROUPS * SUM_MOST];
    make_numbers(numbers, count);
    for (uint32_t i = 0; i < 4 * count; ++i)
        if (f64)
            ((double *)pool->buffers[0].mapped)[i] = numbers[i];
        else
            ((float *)pool->buffers[0].mapped)[i] = (float)numbers[i];
    run_kernel(&bound, NULL, SUM_GROUPS);
    for (uint32_t group = 0; group < SUM_GROUPS; ++group) {
        double *own = &numbers[4 * size * group];
        sum_as_a_tree(own, size, f64);
        for (uint32_t i = 0; i < 4 * size; ++i) {
            const uint32_t at = 4 * size * group + i;
            const double found = f64 ? ((const double *)pool->buffers[1].mapped)[at]
                                     : (double)((const float *)pool->buffers[1].mapped)[at];
            ck_assert_msg(found == own[i % 4], "groups of %u, subgroups of %u%s: %a instead of %a", size,
                          device->subgroups.size, f64 ? ", f64" : "", found, own[i % 4]);
        }
    }
    release(&bound);
}

/// With subgroups and without: the bits of the same tree.
START_TEST(workgroups_sum_as_a_tree)
{
    for (int used = 0; used < 2; ++used) {
        GpuDeviceDef def = gpu_default_device_def();
        def.subgroups = used;
        GpuDevice *device = open_device(&def);
        ck_assert(used || device->subgroups.size == 1);
        printf("subgroups of %u\n", device->subgroups.size);
        for (uint32_t size = 1; size <= SUM_MOST; size *= 2)
            for (int f64 = 0; f64 <= device->float64; ++f64)
                check_sums(device, size, f64);
        gpu_device_destroy(device);
    }
}
END_TEST

/// What is left of a kernel's code on a device that cannot shuffle.
START_TEST(shuffles_are_forgotten)
{
    const GpuShaderEntry *shader = gpu_shader_find("test/workgroup_sums");
    const GpuShaderEntry *other = gpu_shader_find("compute/self_test");
    const size_t words = (size_t)(shader->end - shader->code);
    uint32_t *code = malloc(words * sizeof *code);
    memcpy(code, shader->code, words * sizeof *code);
    ck_assert(gpu_code_shuffles(code, words));
    ck_assert(!gpu_code_shuffles(other->code, (size_t)(other->end - other->code)));
    gpu_code_forget_shuffles(code, words);
    ck_assert(!gpu_code_shuffles(code, words));
    free(code);
}
END_TEST

/// The one file in a folder, or "".
static void only_file(const char *folder, char *path, size_t size)
{
    path[0] = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            snprintf(path, size, "%s/%s", folder, entry->d_name);
    if (directory)
        closedir(directory);
}

START_TEST(broken_pipeline_cache_is_ignored)
{
    const char *folder = BINARY_DIR "/test_gpu_cache";
    char path[1024];
    GpuDeviceDef def = gpu_default_device_def();
    def.cache_folder = folder;
    GpuDevice *device = open_device(&def);
    ASSERT_OK(context, gpu_self_test(device));
    gpu_device_destroy(device);
    only_file(folder, path, sizeof path);
    ck_assert_msg(path[0], "no cache file in %s", folder);
    ck_assert(!strstr(path, ".part"));
    for (int broken = 0; broken < 3; ++broken) {
        ASSERT_OK(context,
                  file_write(context, path, "not a pipeline cache, but long enough to be one", broken * 22u));
        device = open_device(&def);
        ASSERT_OK(context, gpu_self_test(device));
        gpu_device_destroy(device);
    }
    // An unwritable place is no error either, and leaves the last message alone.
    def.cache_folder = "/proc/vela";
    device = open_device(&def);
    gpu_device_destroy(device);
}
END_TEST

START_TEST(images_are_cleared_and_read)
{
    GpuDeviceDef def = gpu_default_device_def();
    def.graphics = true;
    GpuDevice *device = open_device(&def);
    const GpuImageDef image_def = {.width = 5,
                                   .height = 3,
                                   .format = VK_FORMAT_R8G8B8A8_UNORM,
                                   .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                            VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT,
                                   .aspect = VK_IMAGE_ASPECT_COLOR_BIT};
    GpuImage image;
    ASSERT_OK(context, gpu_image_create(device, &image_def, &image));
    const GpuBufferDef buffer_def = {"pixels", 5 * 3 * 4, GPU_MEMORY_READBACK,
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    GpuPool *pool;
    GpuCommands *commands;
    ASSERT_OK(context, gpu_pool_create(device, 1, &buffer_def, &pool));
    ASSERT_OK(context, gpu_commands_create(device, 4, &commands));
    ASSERT_OK(context, gpu_commands_begin(commands));
    gpu_image_transition(commands, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkClearColorValue red = {.float32 = {1, 0, 0, 1}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    device->vk.CmdClearColorImage(commands->buffer, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &red,
                                  1, &range);
    gpu_image_transition(commands, &image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                         VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    gpu_image_read(commands, &image, &pool->buffers[0]);
    gpu_barrier(commands);
    gpu_stamp(commands, "clear");
    ASSERT_OK(context, gpu_commands_run(commands));
    const uint8_t *pixels = pool->buffers[0].mapped;
    for (int i = 0; i < 15; ++i)
        ck_assert(pixels[4 * i] == 255 && pixels[4 * i + 1] == 0 && pixels[4 * i + 3] == 255);
    gpu_commands_destroy(commands);
    gpu_pool_destroy(pool);
    gpu_image_destroy(device, &image);
    GpuImageDef huge = image_def;
    huge.width = UINT32_MAX;
    ck_assert_int_eq(gpu_image_create(device, &huge, &image), VELA_ERROR_UNSUPPORTED);
    gpu_device_destroy(device);
}
END_TEST

/// 97 cases of the self-test: no multiple of a workgroup, and in rows there are workgroups to spare.
static void run_in_rows(uint32_t groups_in_row, float *out, size_t size)
{
    enum { CASES = 97, GROUP = 4 };
    GpuDeviceDef def = gpu_default_device_def();
    def.groups_in_row = groups_in_row;
    GpuDevice *device = open_device(&def);
    const GpuBufferDef defs[] = {{"in", CASES * 8, GPU_MEMORY_DEVICE, 0},
                                 {"out", size, GPU_MEMORY_DEVICE, 0}};
    const GpuKernelDef kernel_def = {
        .shader = "compute/self_test", .binding_count = 2, .push_size = 4, .workgroup_size = GROUP};
    const uint32_t count = CASES, groups = (CASES + GROUP - 1) / GROUP;
    float in[2 * CASES];
    for (int i = 0; i < 2 * CASES; ++i)
        in[i] = 1.0f + 0.01f * (float)i;
    Bound bound = bind_kernel(device, defs, &kernel_def);
    ASSERT_OK(context, gpu_upload(device, &bound.pool->buffers[0], 0, in, sizeof in));
    run_kernel(&bound, &count, groups);
    ASSERT_OK(context, gpu_download(device, &bound.pool->buffers[1], 0, out, size));
    const GpuGrid grid = gpu_grid(device, groups);
    ck_assert_uint_ge(grid.columns * grid.rows, groups);
    ck_assert_uint_lt(grid.columns * grid.rows, groups + grid.rows);
    ck_assert_uint_eq(grid.rows, groups_in_row ? (groups + groups_in_row - 1) / groups_in_row : 1);
    release(&bound);
    gpu_device_destroy(device);
}

START_TEST(a_dispatch_longer_than_a_row_is_whole)
{
    float whole[97 * 8], rows[97 * 8];
    run_in_rows(0, whole, sizeof whole);
    for (uint32_t in_row = 1; in_row < 8; ++in_row) {
        run_in_rows(in_row, rows, sizeof rows);
        ck_assert_mem_eq(whole, rows, sizeof whole);
    }
}
END_TEST

START_TEST(the_limit_is_the_device_s)
{
    const GpuDeviceDef def = gpu_default_device_def();
    GpuDevice *device = open_device(&def);
    device->properties.limits.maxComputeWorkGroupCount[0] = 65535;
    const GpuGrid fits = gpu_grid(device, 65535), over = gpu_grid(device, 65536),
                  most = gpu_grid(device, UINT32_MAX / 64);
    ck_assert(fits.columns == 65535 && fits.rows == 1);
    ck_assert(over.columns == 32768 && over.rows == 2);
    ck_assert(most.columns <= 65535 && (uint64_t)most.columns * most.rows >= UINT32_MAX / 64);
    ck_assert(gpu_grid(device, 0).columns == 0 && gpu_grid(device, 0).rows == 1);
    gpu_device_destroy(device);
}
END_TEST

START_TEST(what_cannot_be_recorded_is_an_error)
{
    const GpuDeviceDef def = gpu_default_device_def();
    GpuDevice *device = open_device(&def);
    const GpuBufferDef buffer = {"small", 64, GPU_MEMORY_DEVICE, 0};
    GpuPool *pool;
    GpuCommands *commands;
    ASSERT_OK(context, gpu_pool_create(device, 1, &buffer, &pool));
    ASSERT_OK(context, gpu_commands_create(device, 0, &commands));
    for (int mistake = 0; mistake < 3; ++mistake) {
        ASSERT_OK(context, gpu_commands_begin(commands));
        if (mistake == 0)
            gpu_fill(commands, &pool->buffers[0], 32, 64, 0);
        else if (mistake == 1)
            gpu_copy(commands, &pool->buffers[0], 0, &pool->buffers[0], UINT64_MAX - 3, 8);
        gpu_fill(commands, &pool->buffers[0], 0, 64, 0);
        const VelaResult expected =
            mistake == 2 ? VELA_OK : VELA_ERROR_INTERNAL; // it is forgotten with the rest
        ck_assert_int_eq(gpu_commands_run(commands), expected);
        if (mistake == 0)
            ck_assert(strstr(vela_context_message(context), "gpu_fill: small"));
    }
    gpu_commands_destroy(commands);
    gpu_pool_destroy(pool);
    gpu_device_destroy(device);
}
END_TEST

static uint64_t waited; // ns
static int idle_waits, words;

static VKAPI_ATTR VkResult VKAPI_CALL wait_in_vain(VkDevice device, uint32_t count, const VkFence *fences,
                                                   VkBool32 all, uint64_t timeout)
{
    (void)device, (void)count, (void)fences, (void)all;
    waited += timeout;
    context->noted_at = -INFINITY; // as if that time had passed
    return VK_TIMEOUT;
}

static VKAPI_ATTR VkResult VKAPI_CALL count_idle(VkDevice device)
{
    (void)device;
    ++idle_waits;
    return VK_SUCCESS;
}

static void count_words(void *user, const SolverNote *note)
{
    (void)user, (void)note;
    ++words;
}

// The driver never answers: one wait as long as is allowed, with a word now and then, and then errors at once, and nothing that
// may be in use is destroyed.
START_TEST(a_device_that_hangs_is_not_waited_for_again)
{
    const GpuInstanceDef instance_def = gpu_default_instance_def();
    GpuInstance *hanging;
    ASSERT_OK(context, gpu_instance_create(context, &instance_def, &hanging));
    const GpuDeviceDef def = gpu_default_device_def();
    GpuDevice *device;
    int32_t index;
    ASSERT_OK(context, gpu_instance_choose(hanging, "vulkan", &index));
    ASSERT_OK(context, gpu_device_create(hanging, index, &def, &device));
    const GpuBufferDef buffer = {"buffer", 64, GPU_MEMORY_DEVICE, 0};
    GpuPool *pool;
    GpuCommands *commands, *other;
    ASSERT_OK(context, gpu_pool_create(device, 1, &buffer, &pool));
    ASSERT_OK(context, gpu_commands_create(device, 0, &commands));
    ASSERT_OK(context, gpu_commands_create(device, 0, &other));
    GpuFunctions *vk = &device->vk;
    const VkDevice handle = device->handle;
    const PFN_vkWaitForFences wait = vk->WaitForFences;
    const PFN_vkDestroyBuffer destroy_buffer = vk->DestroyBuffer;
    const VkFence fence = commands->fence;
    ASSERT_OK(context, gpu_commands_begin(commands));
    gpu_fill(commands, &pool->buffers[0], 0, 64, 1);
    ASSERT_OK(context, gpu_commands_submit(commands));
    vk->WaitForFences = wait_in_vain;
    vk->DeviceWaitIdle = count_idle;
    waited = 0;
    idle_waits = words = 0;
    context->note = count_words;
    ck_assert_int_eq(gpu_commands_wait(commands), VELA_ERROR_DEVICE);
    context->note = NULL;
    ck_assert_int_ge(words, (int)def.timeout);
    ck_assert(strstr(vela_context_message(context), "did not finish"));
    for (int again = 0; again < 2; ++again) {
        ck_assert_int_eq(gpu_commands_settle(commands), VELA_ERROR_DEVICE);
        ck_assert_int_eq(gpu_commands_begin(commands), VELA_ERROR_DEVICE);
    }
    ASSERT_OK(context, gpu_commands_begin(other));
    ck_assert_int_eq(gpu_commands_run(other), VELA_ERROR_DEVICE);
    ck_assert(strstr(vela_context_message(context), "was lost"));
    ck_assert_ptr_ne((void *)(uintptr_t)vk->DestroyBuffer, (void *)(uintptr_t)destroy_buffer);
    gpu_commands_destroy(commands);
    gpu_commands_destroy(other);
    gpu_pool_destroy(pool);
    // What was submitted can still be waited for: nothing of it is gone.
    ck_assert_int_eq(wait(handle, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    gpu_device_destroy(device);
    gpu_instance_destroy(hanging);
    ck_assert_uint_eq(waited, (uint64_t)(def.timeout * 1e9));
    ck_assert_int_eq(idle_waits, 0);
}
END_TEST

int main(void)
{
    VelaContextDef context_def = vela_default_context_def();
    context_def.log = test_log;
    if (vela_context_create(&context_def, &context) != VELA_OK)
        return 1;
    GpuInstanceDef def = gpu_default_instance_def();
    def.validation = true;
    if (gpu_instance_create(context, &def, &instance) != VELA_OK) {
        printf("skipped: %s\n", vela_context_message(context));
        vela_context_destroy(context);
        return 77;
    }
    Suite *suite = suite_create("gpu layer");
    TCase *tests = tcase_create("core");
    tcase_add_test(tests, devices_are_described);
    tcase_add_test(tests, choice_by_name);
    tcase_add_test(tests, uploads_come_back);
    tcase_add_test(tests, too_much_memory_is_an_error);
    tcase_add_test(tests, float_float_holds);
    tcase_add_test(tests, kernels_are_timed_and_counted);
    tcase_add_test(tests, a_buffer_grows_and_is_bound_again);
    tcase_add_test(tests, unknown_shader_or_interrupt_is_an_error);
    tcase_add_test(tests, kernels_are_the_devices);
    tcase_add_test(tests, workgroups_sum_as_a_tree);
    tcase_add_test(tests, shuffles_are_forgotten);
    tcase_add_test(tests, broken_pipeline_cache_is_ignored);
    tcase_add_test(tests, images_are_cleared_and_read);
    tcase_add_test(tests, a_dispatch_longer_than_a_row_is_whole);
    tcase_add_test(tests, the_limit_is_the_device_s);
    tcase_add_test(tests, what_cannot_be_recorded_is_an_error);
    tcase_add_test(tests, a_device_that_hangs_is_not_waited_for_again);
    suite_add_tcase(suite, tests);
    int failed = test_run(suite);
    const int messages = atomic_load(&instance->validation_messages);
    printf("validation layer: %s, %d messages\n", instance->validation ? "loaded" : "not installed",
           messages);
    failed |= messages > 0;
    gpu_instance_destroy(instance);
    vela_context_destroy(context);
    return failed;
}
