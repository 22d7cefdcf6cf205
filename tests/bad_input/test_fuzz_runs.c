// Scenes of extreme parts, a third of them broken on top of it, many on broken meshes: whatever is accepted goes on, through
// model and device, for at most two steps. Each case ends in a message or in a run, within a memory limit and a limit on
// processor time; run with sanitizers it shows that nothing else happens. VELA_FUZZ_COUNT: how many (400);
// VELA_FUZZ_FIRST: the first case's number (0); VELA_FUZZ_VERBOSE: how each ends, and the scene of the last one in a file, for
// vela run; VELA_FUZZ_DEVICE: what computes (cpu), such as vulkan:0; VELA_FUZZ_BARRIER: if set, every scene has barrier contact, and the limit is on
// the processor time between two words of a solver, since stiff contact may well take many iterations; what goes on for longer is
// interrupted, and has to heed that.
#define _POSIX_C_SOURCE 200809L
#include "check_main.h"

#include "base/file.h"
#include "model/build.h"
#include "random_scene.h"
#include "scene/parse.h"
#include "sim/simulation.h"
#include "sim/start.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

// Of its own for every first case, so that ranges of cases can run side by side.
static char folder[512], scene_path[600];

enum {
    MEMORY_LIMIT = 64 << 20,
    STEPS = 2,
    SECONDS_MOST = 20,
    SILENCE_MOST = 10,
    PATIENCE = 20,
    TET_SEEDS = 13,
    WORK_PER_CASE = 30000
};

/// How far a case came.
typedef enum Outcome {
    REFUSED_SCENE,
    REFUSED_MODEL,
    REFUSED_DEVICE,
    FAILED_STEP,
    INTERRUPTED,
    DONE,
    OUTCOMES
} Outcome;

static const char *const outcome_names[OUTCOMES] = {"refused as scenes",     "refused with their mesh",
                                                    "refused by the device", "failed in a step",
                                                    "interrupted",           "run"};

// What a hang would otherwise hide: the case's number.
static volatile sig_atomic_t running_case;

// The longest time without a word, s, and since when there was none.
static double silence;
static clock_t heard_at, began_at;

static void hear(void *user, const SolverNote *note)
{
    (void)note;
    const clock_t now = clock();
    silence = fmax(silence, (double)(now - heard_at) / CLOCKS_PER_SEC);
    heard_at = now;
    if (user && now - began_at > (clock_t)PATIENCE * CLOCKS_PER_SEC)
        vela_context_interrupt(user);
    else if (user)
        alarm(10 * SECONDS_MOST);
}

static void too_long(int number)
{
    (void)number;
    char text[] = "case 0000000000 does not end\n";
    long rest = running_case;
    for (char *digit = text + 14; digit > text + 4; --digit, rest /= 10)
        *digit = (char)('0' + rest % 10);
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(4);
    _exit(3);
}

static void write_bytes(VelaContext *context, const char *name, const Bytes *bytes)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ASSERT_OK(context, file_write(context, path, bytes->data, bytes->size));
}

/// Writes one of `count` mesh files, or a pair, broken two times out of three; its name.
static const char *make_mesh(VelaContext *context, const Seed *seeds, size_t count, uint64_t *state)
{
    const Seed *seed = &seeds[random_below(state, count)];
    for (int f = 0; f < 2 && seed->files[f].data; ++f) {
        Bytes changed = {0};
        if (one_in(state, 3))
            bytes_append(&changed, seed->files[f].data, seed->files[f].size);
        else
            changed = mutate(&seed->files[f], state);
        char name[256];
        snprintf(name, sizeof name, "%s", seed->name);
        if (f == 1)
            strcpy(strrchr(name, '.'), ".ele");
        write_bytes(context, name, &changed);
        free(changed.data);
    }
    return seed->name;
}

static void assert_finite(const Simulation *simulation, const double *values)
{
    for (size_t i = 0; i < 3 * (size_t)simulation->model.node_count; ++i)
        ck_assert_msg(isfinite(values[i]), "value %zu is %g", i, values[i]);
}

/// Steps, with so many iterations that a case stays short, and reads what a run would save.
static VelaResult step_twice(Simulation *simulation)
{
    Arena *arena = &simulation->arena;
    double *values;
    TRY(ARENA_ARRAY(arena, values, simulation_state_size(simulation)));
    for (int s = 0; s < STEPS; ++s) {
        StepReport report;
        TRY(simulation_step(simulation, &report));
        ck_assert_int_ge(report.substeps, 1);
        ASSERT_OK(simulation->context, device_state_read(simulation->device, SLOT_POSITION, values));
        assert_finite(simulation, values);
        ASSERT_OK(simulation->context, device_state_read(simulation->device, SLOT_VELOCITY, values));
        assert_finite(simulation, values);
        ASSERT_OK(simulation->context, simulation_state_read(simulation, values));
    }
    return simulation_state_write(simulation, values, simulation->step);
}

static VelaResult run_scene(Simulation *simulation, const Bytes *text, Outcome *outcome)
{
    VelaContext *context = simulation->context;
    SceneDef *scene = &simulation->scene;
    *outcome = REFUSED_SCENE;
    TRY(scene_parse(context, scene_path, text->data, text->size, 0, NULL, &simulation->arena, scene));
    *outcome = REFUSED_MODEL;
    TRY(model_build(context, scene, &simulation->arena, &simulation->model));
    const int32_t iterations =
        1 + WORK_PER_CASE / (1 + simulation->model.groups[ELEMENT_TET].count + simulation->model.node_count);
    scene->solver.max_iterations =
        scene->solver.max_iterations < iterations ? scene->solver.max_iterations : iterations;
    *outcome = REFUSED_DEVICE;
    const char *device = getenv("VELA_FUZZ_DEVICE");
    TRY(simulation_start(simulation, &(DeviceChoice){device ? device : "cpu", NULL}));
    *outcome = FAILED_STEP;
    TRY(step_twice(simulation));
    *outcome = DONE;
    return VELA_OK;
}

static Outcome try_case(VelaContext *context, const Seed *seeds, long number)
{
    uint64_t state = (uint64_t)number;
    const char *mesh = one_in(&state, 2) ? make_mesh(context, seeds, TET_SEEDS, &state) : NULL;
    const char *surface =
        one_in(&state, 2) ? make_mesh(context, seeds + TET_SEEDS, SEED_COUNT - TET_SEEDS, &state) : NULL;
    Bytes text = random_scene(&state, mesh, surface, getenv("VELA_FUZZ_BARRIER") != NULL);
    for (size_t i = one_in(&state, 3) ? 1 + random_below(&state, 3) : 0; i > 0; --i)
        if (one_in(&state, 3))
            mutate_once(&text, &state);
        else
            mutate_number(&text, &state);
    if (getenv("VELA_FUZZ_VERBOSE"))
        write_bytes(context, "scene.json", &text);
    Simulation simulation = {.context = context, .arena = arena_make(context)};
    Outcome outcome;
    context_fail(context, VELA_OK, "%s", "");
    const VelaResult result = run_scene(&simulation, &text, &outcome);
    if (result == VELA_ERROR_INTERRUPTED)
        outcome = INTERRUPTED;
    const char *message = vela_context_message(context);
    if (result != VELA_OK)
        ck_assert_msg(*message, "case %ld: result %d without a message", number, result);
    const bool known = result == VELA_OK || result == VELA_ERROR_INVALID_INPUT ||
                       result == VELA_ERROR_OUT_OF_MEMORY || result == VELA_ERROR_UNSUPPORTED ||
                       (outcome == FAILED_STEP && result == VELA_ERROR_NOT_CONVERGED) ||
                       outcome == INTERRUPTED;
    ck_assert_msg(known, "case %ld, %s: result %d (%s)", number, outcome_names[outcome], result, message);
    if (getenv("VELA_FUZZ_VERBOSE"))
        printf("%ld: %s: %s\n", number, outcome_names[outcome], message);
    simulation_destroy(&simulation);
    ck_assert_msg(context->memory_used == 0, "case %ld: %zu bytes were not freed", number,
                  (size_t)context->memory_used);
    free(text.data);
    return outcome;
}

static long from_environment(const char *name, long usual)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : usual;
}

START_TEST(broken_runs)
{
    Seed seeds[SEED_COUNT];
    seeds_make(seeds);
    const long count = from_environment("VELA_FUZZ_COUNT", 400),
               first = from_environment("VELA_FUZZ_FIRST", 0);
    snprintf(folder, sizeof folder, BINARY_DIR "/fuzz_runs_%ld", first);
    snprintf(scene_path, sizeof scene_path, "%s/scene.json", folder);
    VelaContextDef def = vela_default_context_def();
    def.memory_limit = MEMORY_LIMIT;
    def.threads = 2;
    VelaContext *context;
    ck_assert_int_eq(vela_context_create(&def, &context), VELA_OK);
    ASSERT_OK(context, file_make_folder(context, folder));
    signal(SIGALRM, too_long);
    const bool by_silence = getenv("VELA_FUZZ_BARRIER") != NULL;
    context->note = hear;
    context->note_user = by_silence ? context : NULL; // whether a word gives it more time
    long outcomes[OUTCOMES] = {0}, slowest = first;
    double longest = 0;
    for (long i = first; i < first + count; ++i) {
        const clock_t start = heard_at = began_at = clock();
        silence = 0;
        context->interrupted = 0;
        context->stop_at = 0;
        running_case = (sig_atomic_t)i;
        alarm(10 * SECONDS_MOST); // wall time: only for what never ends
        ++outcomes[try_case(context, seeds, i)];
        const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        hear(NULL, NULL);
        ck_assert_msg(by_silence ? silence < SILENCE_MOST : seconds < SECONDS_MOST,
                      "case %ld took %g s, %g s of it without a word", i, seconds, silence);
        slowest = seconds > longest ? i : slowest;
        longest = fmax(seconds, longest);
    }
    alarm(0);
    printf("%ld cases:", count);
    for (int o = 0; o < OUTCOMES; ++o)
        printf(" %ld %s%s", outcomes[o], outcome_names[o], o + 1 < OUTCOMES ? "," : "");
    printf("; the slowest, %ld, took %.2f s\n", slowest, longest);
    // Enough must get through, and all kinds of ends must happen, else the cases mean little.
    if (count >= 300 && !by_silence) {
        ck_assert_int_gt(outcomes[DONE] + outcomes[FAILED_STEP], count / 5);
        ck_assert_int_gt(outcomes[DONE], count / 10);
        ck_assert_int_gt(outcomes[REFUSED_SCENE], count / 20);
        ck_assert_int_gt(outcomes[REFUSED_MODEL], count / 50);
        ck_assert_int_gt(outcomes[FAILED_STEP], count / 50);
    }
    vela_context_destroy(context);
    seeds_free(seeds);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fuzz runs");
    TCase *tests = tcase_create("broken runs");
    tcase_add_test(tests, broken_runs);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
