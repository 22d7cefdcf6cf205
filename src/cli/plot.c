/// vela plot DIR…: draws energies, momenta and chosen columns of runs against time.
#include "cli.h"
#include "vela/export.h"

enum { MOST_FOLDERS = 12 };

int verb_plot(int argc, char **argv)
{
    Invocation invocation;
    int code = invocation_begin(&invocation, "plot", argc);
    if (code != OPTIONS_GO_ON)
        return code;
    const char *output = NULL, *columns = NULL;
    const Option options[] = {
        {.name = "--columns",
         .kind = OPTION_TEXT,
         .value = "NAME,...",
         .target = &columns,
         .help = "draws columns.png as well, up to 8 columns of diagnostics.csv in one picture"},
        option_output("DIR2", &output, "folder for the pictures; default: the first DIR"),
    };
    const Command command = {
        .name = "plot",
        .summary = "draws energies and momenta of runs against time",
        .usage = "DIR... [options]",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .argument = "DIR",
        .fewest = 1,
        .most = MOST_FOLDERS,
        .no_argument_hint = "one or more run folders, such as out/quickstart",
        .notes =
            "Several folders (up to 12) give one overlaid picture, named by their last part. A run that\n"
            "blew up is cut off where its energy leaves that of the others; the legend says so.\n"
            "--columns also takes momentum (|p|), angular_momentum (|l|) and turns (of the centre of\n"
            "mass about the z axis through the origin).",
    };
    code = options_parse(&command, argc, argv, &invocation.arguments);
    if (code != OPTIONS_GO_ON)
        return invocation_leave(&invocation, code);
    code = invocation_open(&invocation, 0);
    if (code != OPTIONS_GO_ON)
        return code;
    const char *folder = output ? output : invocation.arguments.items[0];
    const TextList *runs = &invocation.arguments;
    VelaResult result = VELA_OK;
    if (columns)
        result = vela_plot_columns(invocation.context, runs->count, runs->items, columns, folder);
    if (result == VELA_OK)
        result = vela_plot(invocation.context, runs->count, runs->items, folder);
    if (result == VELA_OK && columns)
        print_text(stdout, "%s/energy.png, %s/momentum.png, %s/columns.png\n", folder, folder, folder);
    else if (result == VELA_OK)
        print_text(stdout, "%s/energy.png, %s/momentum.png\n", folder, folder);
    return invocation_end(&invocation, result);
}
