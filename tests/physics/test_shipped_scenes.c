// Every scene that comes with vela loads, says what it shows, and runs its first steps.
#define _POSIX_C_SOURCE 200809L // glob
#include "physics_fixture.h"
#include "sim/start.h"

#include <glob.h>

static const char *const patterns[] = {SOURCE_DIR "/scenes/*.json", SOURCE_DIR "/scenes/*/*.json"};

static void run_scene(const char *path)
{
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s: cannot be opened", path);
    char start[3] = "";
    ck_assert_ptr_nonnull(fgets(start, sizeof start, file));
    fclose(file);
    ck_assert_msg(strcmp(start, "//") == 0, "%s: expected a comment that says what it shows", path);

    VelaContext *context = threads_context(1);
    Simulation simulation;
    ASSERT_OK(context, simulation_load(context, path, 0, NULL, &simulation));
    ASSERT_OK(context, simulation_start(&simulation, &(DeviceChoice){"cpu", NULL}));
    for (int step = 0; step < 3; ++step) {
        const StepReport report = step_once(&simulation);
        ck_assert_msg(report.solver.stop != STOP_MAX_ITERATIONS, "%s: step %d reached max_iterations", path,
                      step + 1);
        ck_assert_int_eq(report.substeps, 1);
    }
    printf("%s: %d tetrahedra, %lld steps\n", path + strlen(SOURCE_DIR) + 1,
           simulation.model.groups[ELEMENT_TET].count, (long long)simulation.scene.step_count);
    simulation_stop(&simulation);
}

START_TEST(shipped_scenes_run)
{
    int count = 0;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; ++i) {
        glob_t found;
        if (glob(patterns[i], 0, NULL, &found) != 0)
            continue;
        for (size_t k = 0; k < found.gl_pathc; ++k) {
            if (strstr(found.gl_pathv[k], "schema.json"))
                continue;
            run_scene(found.gl_pathv[k]);
            ++count;
        }
        globfree(&found);
    }
    ck_assert_int_ge(count, 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shipped scenes");
    TCase *cases = tcase_create("cases");
    tcase_add_test(cases, shipped_scenes_run);
    suite_add_tcase(suite, cases);
    return test_run(suite);
}
