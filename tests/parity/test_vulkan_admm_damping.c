#include "parity/lockstep_fixture.h"
#include "parity/vulkan_fixture.h"
static VelaContext *context;
START_TEST(look)
{
    static char text[20000];
    FILE *f = fopen("/tmp/admmgpu_a.json", "r");
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    const LockstepCase example = {"a", text, 0};
    char solver[200];
    for (int n = 1; n <= 3; ++n) {
        snprintf(solver, sizeof solver, "{\"type\":\"admm\",\"tolerance\":1e-9,\"max_iterations\":%d,\"lag_iterations\":1,\"acceleration\":\"none\"}", n);
        double *state[2];
        size_t size = 0;
        Simulation s[2];
        for (int k = 0; k < 2; ++k) {
            lockstep_start(context, &example, solver, k ? &(DeviceChoice){"vulkan", "f64"} : &(DeviceChoice){"cpu", NULL}, &s[k]);
            StepReport report;
            ASSERT_OK(context, simulation_step(&s[k], &report));
            size = device_solver_state_size(s[k].device);
            state[k] = calloc(size, 8);
            ASSERT_OK(context, device_solver_state_read(s[k].device, state[k]));
            printf("n %d dev %d primal %g dual %g size %zu local %d\n", n, k, report.solver.primal, report.solver.dual, size, s[k].model.local_count);
        }
        const size_t L = 2 + s[0].model.local_count;
        for (size_t i = 0; i < size; ++i)
            if (i < 20 || (i >= L && i < L + 40))
                printf("%zu %.12g %.12g\n", i, state[0][i], state[1][i]);
    }
}
END_TEST
int main(void)
{
    VulkanTest vulkan;
    vulkan_test_begin(&vulkan);
    context = vulkan.context;
    Suite *suite = suite_create("x");
    TCase *tests = tcase_create("x");
    tcase_add_test(tests, look);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
