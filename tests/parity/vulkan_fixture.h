/// What the tests of whole solves on Vulkan share: their context, and whether there is a device.
#ifndef TESTS_VULKAN_FIXTURE_H
#define TESTS_VULKAN_FIXTURE_H

#include "check_main.h"
#include "gpu/instance.h"

/// Exit codes of main when there is nothing to test.
enum { TEST_BROKEN = 1, TEST_SKIPPED = 77 };

typedef struct VulkanTest {
    VelaContext *context;
    bool float64; ///< the device computes in double precision
    bool whole;   ///< VELA_TEST_WHOLE is set: cases in all of their precisions (tools/proof.sh)
} VulkanTest;

/// 0, or the exit code where there is no Vulkan, or no device of it that can be chosen (the reason is printed, the context destroyed).
static inline int vulkan_test_begin(VulkanTest *test)
{
    *test = (VulkanTest){.whole = getenv("VELA_TEST_WHOLE") != NULL};
    VelaContextDef def = vela_default_context_def();
    def.log = test_log;
    if (vela_context_create(&def, &test->context) != VELA_OK)
        return TEST_BROKEN;
    const GpuInstanceDef instance_def = gpu_default_instance_def();
    GpuInstance *instance = NULL;
    int32_t index;
    int code = 0;
    if (gpu_instance_create(test->context, &instance_def, &instance) != VELA_OK)
        code = TEST_SKIPPED;
    else if (gpu_instance_choose(instance, "vulkan", &index) != VELA_OK)
        code = TEST_BROKEN;
    else
        test->float64 = instance->devices[index].float64;
    gpu_instance_destroy(instance);
    if (code != 0) {
        printf("%s: %s\n", code == TEST_SKIPPED ? "skipped" : "broken", vela_context_message(test->context));
        vela_context_destroy(test->context);
    }
    return code;
}

/// Whether case number `which` runs on this driver. One without float64 is one more, and slow: odd ones alone unless the test is whole.
static inline bool vulkan_test_repeats(const VulkanTest *test, int which)
{
    return test->float64 || test->whole || which % 2 == 1;
}

/// Whether case number `which` of a long test runs in that precision. Unless the test is whole, each does in one on a driver with float64, even ones
/// in single and odd ones in double precision: neighbours in a list are alike. A driver without it runs what the other leaves to double
/// precision, so that every case runs in single precision on one of them.
static inline bool vulkan_test_runs(const VulkanTest *test, int which, bool f64)
{
    return test->float64 ? test->whole || f64 == (which % 2 == 1) : !f64 && vulkan_test_repeats(test, which);
}

#endif
