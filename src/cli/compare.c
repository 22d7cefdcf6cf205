/// vela compare SCENE: runs a scene on two devices and reports how far apart they are.
#include "vela/compare.h"

#include "cli.h"

#include <string.h>

static void print_row(void *user, const VelaCompareRow *row)
{
    (void)user;
    if (row->step == 1)
        printf("%8s  %10s  %8s  %10s  %10s  %10s  %10s  %5s  %5s\n", "step", "deviation", "node", "velocity",
               "momentum", "angular", "energy", "it A", "it B");
    printf("%8lld  %10.3e  %8d  %10.3e  %10.3e  %10.3e  %10.3e  %5d  %5d\n", (long long)row->step,
           row->deviation, (int)row->node, row->velocity_deviation, row->momentum_deviation,
           row->angular_momentum_deviation, row->energy_deviation, (int)row->iterations_a,
           (int)row->iterations_b);
    fflush(stdout);
}

static void print_summary(const VelaCompareSummary *summary)
{
    print_text(stdout, "A: %s\nB: %s\n", summary->device_a, summary->device_b);
    printf("largest deviation %.3e of the diagonal (step %lld, node %d)\n", summary->deviation,
           (long long)summary->deviation_step, (int)summary->deviation_node);
    printf("largest velocity deviation %.3e, momentum %.3e, angular momentum %.3e, energy %.3e\n",
           summary->velocity_deviation, summary->momentum_deviation, summary->angular_momentum_deviation,
           summary->energy_deviation);
    print_text(stdout, "tolerance %.3g, of the energy %.3g: %s\n", summary->tolerance,
               summary->energy_tolerance, summary->within ? "within" : "BEYOND");
    print_text(stdout, "%s/compare.json, %s/compare.csv\n", summary->output, summary->output);
}

static int compare(Invocation *invocation, VelaCompareDef *def)
{
    const int code = invocation_open(invocation, 0);
    if (code != OPTIONS_GO_ON)
        return code;
    def->scene = invocation->arguments.items[0];
    def->override_count = invocation->overrides.count;
    def->overrides = invocation->overrides.items;
    def->row = print_row;
    VelaCompareSummary summary = {0};
    const VelaResult result = vela_compare(invocation->context, def, &summary);
    if (result == VELA_OK || result == VELA_ERROR_BEYOND_TOLERANCE)
        print_summary(&summary);
    return invocation_end(invocation, result);
}

int verb_compare(int argc, char **argv)
{
    Invocation invocation;
    int code = invocation_begin(&invocation, "compare", argc);
    if (code != OPTIONS_GO_ON)
        return code;
    VelaCompareDef def = vela_default_compare_def();
    const char *mode = "lockstep";
    const Option options[] = {
        {.name = "--a",
         .kind = OPTION_TEXT,
         .value = "DEVICE",
         .target = &def.a,
         .help = "first device; default cpu"},
        {.name = "--b",
         .kind = OPTION_TEXT,
         .value = "DEVICE",
         .target = &def.b,
         .help = "second device; default vulkan. Devices as in `vela run --help`"},
        {.name = "--mode",
         .kind = OPTION_CHOICE,
         .value = "lockstep|free",
         .target = &mode,
         .help =
             "lockstep (default): B gets A's whole state before every step;\nfree: both run on their own"},
        {.name = "--steps",
         .kind = OPTION_INTEGER,
         .value = "N",
         .target = &def.steps,
         .smallest = 1,
         .largest = 1e15,
         .help = "number of steps; default: the scene's"},
        {.name = "--tolerance",
         .kind = OPTION_REAL,
         .value = "T",
         .target = &def.tolerance,
         .smallest = 0,
         .largest = 1e300,
         .help = "what is judged, D the scene's diagonal, M its mass, h the step: |dx| and\n"
                 "h |dv| of every node <= T D, |dp| <= T M D/h, and the energy |dH| <=\n"
                 "max(T, 1e-4 in f32 or 1e-8 in f64) max(|H|, M g D); default 1e-5 for f32,\n"
                 "1e-4 with barrier contact, 1e-9 for f64"},
        option_precision(&def.precision, "of Vulkan; default f32"),
        option_set(&invocation.overrides, "changes the scene, as in `vela run --help`"),
        option_output("DIR", &def.output,
                      "folder for compare.json and compare.csv; default: out/<name>_compare"),
    };
    const Command command = {
        .name = "compare",
        .summary = "runs a scene on two devices and reports how far apart they are",
        .usage = "SCENE [options]",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .argument = "SCENE",
        .fewest = 1,
        .most = 1,
        .no_argument_hint = "a scene file, such as scenes/quickstart.json",
        .notes = "Exit code 0: within the tolerance; 1: beyond it.",
    };
    code = options_parse(&command, argc, argv, &invocation.arguments);
    if (code != OPTIONS_GO_ON)
        return invocation_leave(&invocation, code);
    def.mode = strcmp(mode, "free") == 0 ? VELA_COMPARE_FREE : VELA_COMPARE_LOCKSTEP;
    return compare(&invocation, &def);
}
