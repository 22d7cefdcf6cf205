/// vela run SCENE: simulates a scene into a run folder.
#include "vela/run.h"
#include "cli.h"
#include "json.h"
#include "progress.h"

#include <stdlib.h>

static void print_summary(const VelaRunSummary *summary)
{
    char duration[32], drift[32];
    print_text(stdout, "%s: %lld steps on %s in %s, %lld frames, %lld images, energy drift %s\n",
               summary->output, (long long)(summary->step - summary->first_step), summary->device,
               format_duration(summary->wall_seconds, duration, sizeof duration), (long long)summary->frames,
               (long long)summary->images, format_drift(summary->energy_drift, drift, sizeof drift));
    if (summary->unconverged_steps > 0)
        printf("%lld of these steps stopped before the solver's tolerance\n",
               (long long)summary->unconverged_steps);
}

static void print_json_summary(const Invocation *invocation, const VelaRunSummary *summary, VelaResult result)
{
    JsonLine line = json_begin(stdout, "end");
    json_text(&line, "result", result_name(result));
    json_integer(&line, "exit_code", exit_code_of(result));
    if (result != VELA_OK)
        json_text(&line, "message", vela_context_message(invocation->context));
    json_text(&line, "output", summary->output);
    json_text(&line, "device", summary->device);
    json_integer(&line, "first_step", summary->first_step);
    json_integer(&line, "step", summary->step);
    json_integer(&line, "step_count", summary->step_count);
    json_integer(&line, "checkpoint_step", summary->checkpoint_step);
    json_integer(&line, "frames", summary->frames);
    json_integer(&line, "images", summary->images);
    json_integer(&line, "iterations", summary->iterations);
    json_integer(&line, "unconverged_steps", summary->unconverged_steps);
    json_integer(&line, "line_search_steps", summary->line_search_steps);
    json_real(&line, "wall_seconds", summary->wall_seconds);
    json_real(&line, "energy_drift", summary->energy_drift);
    json_end(&line);
}

static int run(Invocation *invocation, VelaRunDef *def, int64_t threads)
{
    invocation->keeps_record = true;
    const int code = invocation_open(invocation, threads);
    if (code != OPTIONS_GO_ON)
        return code;
    ProgressDisplay display = progress_make(invocation->verbosity);
    invocation->make_room = progress_make_room;
    invocation->make_room_user = &display;
    def->scene = invocation->arguments.items[0];
    def->override_count = invocation->overrides.count;
    def->overrides = invocation->overrides.items;
    def->progress = progress_show;
    def->progress_user = &display;
    VelaRunSummary summary = {.checkpoint_step = -1};
    const VelaResult result = vela_run(invocation->context, def, &summary);
    progress_make_room(&display);
    if (invocation->verbosity == VERBOSITY_JSON)
        print_json_summary(invocation, &summary, result);
    else if (invocation->verbosity == VERBOSITY_NORMAL && result == VELA_OK)
        print_summary(&summary);
    return invocation_end(invocation, result);
}

int verb_run(int argc, char **argv)
{
    Invocation invocation;
    int code = invocation_begin(&invocation, "run", argc);
    if (code != OPTIONS_GO_ON)
        return code;
    VelaRunDef def = vela_default_run_def();
    int64_t threads = 0;
    bool no_render = false, quiet = false, json = false;
    const Option options[] = {
        option_output(
            "DIR", &def.output,
            "run folder; default: out/<scene name>. One that holds a run is moved\nto DIR.previous first; any "
            "other must be new or empty"),
        {.name = "--device",
         .kind = OPTION_TEXT,
         .value = "auto|cpu|vulkan|vulkan:N",
         .target = &def.device,
         .help = "what simulates; default auto: the best real GPU, else the CPU.\nvulkan:N is device N of "
                 "`vela devices`"},
        option_precision(&def.precision, "of Vulkan; default f32 (the CPU is always double)"),
        {.name = "--threads",
         .kind = OPTION_INTEGER,
         .value = "N",
         .target = &threads,
         .smallest = 1,
         .largest = 1024,
         .help = "CPU threads; default: all cores. Results do not depend on it"},
        {.name = "--steps",
         .kind = OPTION_INTEGER,
         .value = "N",
         .target = &def.steps,
         .smallest = 0,
         .largest = 1e15,
         .help = "total number of steps, also with --resume; default: the scene's"},
        {.name = "--no-render", .kind = OPTION_FLAG, .target = &no_render, .help = "writes no images"},
        {.name = "--verify",
         .kind = OPTION_FLAG,
         .target = &def.verify,
         .help =
             "checks every state by exact arithmetic: bodies and obstacles must not\nintersect, nor elements be "
             "inverted whose material excludes it"},
        {.name = "--resume",
         .kind = OPTION_FLAG,
         .target = &def.resume,
         .help = "goes on from the run folder's checkpoint; exit code 2 where there is none"},
        option_set(&invocation.overrides,
                   "changes the scene: dots for keys and indices, the value is JSON, else\na string; "
                   "may be given several times (bodies.0.translate=[0,1,0])"),
        {.name = "--quiet", .kind = OPTION_FLAG, .target = &quiet, .help = "prints warnings and errors only"},
        {.name = "--json", .kind = OPTION_FLAG, .target = &json, .help = "prints one JSON object a line"},
    };
    const Command command = {
        .name = "run",
        .summary = "simulates a scene and writes a run folder with images",
        .usage = "SCENE [options]",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .argument = "SCENE",
        .fewest = 1,
        .most = 1,
        .no_argument_hint = "a scene file, such as scenes/quickstart.json",
        .notes =
            "Ctrl-C writes a checkpoint and leaves with exit code 1; --resume goes on from there. A step that\n"
            "takes more than a second longer is given up: the checkpoint is then the last one written.\n"
            "A step that takes long tells its iteration, its residual and how many pairs are in contact.\n"
            "The run folder: run.json, scene.json, diagnostics.csv, images/, states/, checkpoint.vck.",
    };
    code = options_parse(&command, argc, argv, &invocation.arguments);
    if (code != OPTIONS_GO_ON)
        return invocation_leave(&invocation, code);
    if (quiet && json) {
        fprintf(stderr, "vela run: --quiet and --json exclude each other\n");
        return invocation_leave(&invocation, EXIT_CODE_INPUT);
    }
    invocation.verbosity = json ? VERBOSITY_JSON : quiet ? VERBOSITY_QUIET : VERBOSITY_NORMAL;
    def.render = !no_render;
    return run(&invocation, &def, threads);
}
