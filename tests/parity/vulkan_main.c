// The program of a folder vulkan_<name>: suites that share a device, for compiling kernels takes a software driver longer than most cases
// run. VULKAN_SUITES is SUITE(name) for every source there (tests/CMakeLists.txt), each of which has a <name>_suite.
// Where the validation layer is on (VK_INSTANCE_LAYERS), not a message from it either.
// usage: test_vulkan_<name> [SUITE ...]
#include "parity/shared_gpu.h"
#include "parity/vulkan_fixture.h"

#include <string.h>

#define SUITE(name) Suite *name##_suite(const VulkanTest *vulkan);
VULKAN_SUITES
#undef SUITE

static const struct {
    const char *name;
    Suite *(*make)(const VulkanTest *vulkan);
} suites[] = {
#define SUITE(name) {#name, name##_suite},
    VULKAN_SUITES
#undef SUITE
};
enum { SUITES = sizeof suites / sizeof *suites };

static bool is_wanted(const char *name, int count, char *const *names)
{
    for (int i = 0; i < count; ++i)
        if (strcmp(name, names[i]) == 0)
            return true;
    return count == 0;
}

int main(int argc, char **argv)
{
    VulkanTest vulkan;
    const int code = vulkan_test_begin(&vulkan);
    if (code != 0)
        return code;
    if (!vulkan.float64)
        printf("the device has no float64: double precision is not tested\n");
    SRunner *runner = srunner_create(NULL);
    int found = 0;
    for (int k = 0; k < SUITES; ++k)
        if (is_wanted(suites[k].name, argc - 1, argv + 1)) {
            srunner_add_suite(runner, suites[k].make(&vulkan));
            ++found;
        }
    const int result = test_run_all(runner), messages = shared_gpu_close();
    if (messages > 0)
        printf("%d messages from the validation layer\n", messages);
    vela_context_destroy(vulkan.context);
    return found == 0 || messages > 0 ? TEST_BROKEN : result;
}
