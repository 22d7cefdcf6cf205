/// vela plot DIR…: draws energies, momenta and chosen columns of runs against time.
#include "cli.h"
#include "vela/export.h"

#include <stdio.h>

enum { MOST_FOLDERS = 12, LONGEST_PATH = 4096 };

int verb_plot(int argc, char **argv)
{
    Invocation invocation;
    int code = invocation_begin(&invocation, "plot", argc);
    if (code != OPTIONS_GO_ON)
        return code;
    const char *output = NULL, *columns = NULL;
    bool ledger = false;
    const Option options[] = {
        {.name = "--columns",
         .kind = OPTION_TEXT,
         .value = "NAME,...",
         .target = &columns,
         .help = "draws columns.png as well, up to 8 columns of diagnostics.csv in one picture"},
        {.name = "--ledger",
         .kind = OPTION_FLAG,
         .target = &ledger,
         .help = "draws ledger.png as well: where the energy is and what took it, stacked"},
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
    if (result == VELA_OK && ledger)
        result = vela_plot_ledger(invocation.context, runs->count, runs->items, folder);
    if (result == VELA_OK)
        result = vela_plot(invocation.context, runs->count, runs->items, folder);
    if (result == VELA_OK) {
        char more[2][LONGEST_PATH] = {"", ""};
        if (columns)
            snprintf(more[0], sizeof more[0], ", %s/columns.png", folder);
        if (ledger)
            snprintf(more[1], sizeof more[1], ", %s/ledger.png", folder);
        print_text(stdout, "%s/energy.png, %s/momentum.png%s%s\n", folder, folder, more[0], more[1]);
    }
    return invocation_end(&invocation, result);
}
