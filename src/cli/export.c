/// vela export DIR: writes the recorded motion for other programs.
#include "vela/export.h"

#include "cli.h"

int verb_export(int argc, char **argv)
{
    Invocation invocation;
    int code = invocation_begin(&invocation, "export", argc);
    if (code != OPTIONS_GO_ON)
        return code;
    const char *format = NULL, *output = NULL;
    const Option options[] = {
        {.name = "--format",
         .kind = OPTION_CHOICE,
         .value = "npy|obj|ply|vtu|pc2|usda",
         .target = &format,
         .help = "npy: positions, velocities, times, tets, triangles and cables'\n"
                 "segments as NumPy arrays; obj, ply: one surface a frame, cables\n"
                 "as lines; vtu, pc2, usda: not in this version"},
        option_output("DIR2", &output, "folder to write to; default: DIR/<format>"),
    };
    const Command command = {
        .name = "export",
        .summary = "writes the recorded motion for other programs",
        .usage = "DIR --format FORMAT [options]",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .argument = "DIR",
        .fewest = 1,
        .most = 1,
        .no_argument_hint = "a run folder, such as out/quickstart",
        .notes = "",
    };
    code = options_parse(&command, argc, argv, &invocation.arguments);
    if (code != OPTIONS_GO_ON)
        return invocation_leave(&invocation, code);
    if (!format) {
        fprintf(stderr, "vela export: --format is missing: one of npy, obj, ply\nTry: vela export --help\n");
        return invocation_leave(&invocation, EXIT_CODE_INPUT);
    }
    code = invocation_open(&invocation, 0);
    if (code != OPTIONS_GO_ON)
        return code;
    const char *folder = invocation.arguments.items[0];
    const VelaResult result = vela_export(invocation.context, folder, format, output);
    if (result == VELA_OK)
        print_text(stdout, "%s%s%s\n", output ? output : folder, output ? "" : "/", output ? "" : format);
    return invocation_end(&invocation, result);
}
