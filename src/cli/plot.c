/// vela plot DIR…: draws energies, momenta and chosen columns of runs against time; --spline SCENE: its damping.
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
    const char *output = NULL, *columns = NULL, *spline = NULL;
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
        {.name = "--spline",
         .kind = OPTION_TEXT,
         .value = "SCENE",
         .target = &spline,
         .help = "draws spline.png: what the spline damping of a scene's materials does at which\n"
                 "stretch. Needs no DIR"},
        option_set(&invocation.overrides, "changes the scene of --spline, as in `vela run --help`"),
        option_output("DIR2", &output,
                      "folder for the pictures; default: the first DIR, without one out/<name>_plot"),
    };
    const Command command = {
        .name = "plot",
        .summary = "draws energies and momenta of runs against time",
        .usage = "[DIR...] [options]",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .argument = "DIR",
        .fewest = 0,
        .most = MOST_FOLDERS,
        .notes =
            "Several folders (up to 12) give one overlaid picture, named by their last part. A run that\n"
            "blew up is cut off where its energy leaves that of the others; the legend says so.\n"
            "--columns also takes momentum (|p|), angular_momentum (|l|) and turns (of the centre of\n"
            "mass about the z axis through the origin).",
    };
    code = options_parse(&command, argc, argv, &invocation.arguments);
    if (code != OPTIONS_GO_ON)
        return invocation_leave(&invocation, code);
    const TextList *runs = &invocation.arguments;
    if (runs->count == 0 && (!spline || columns || ledger)) {
        print_text(stderr, "vela plot: DIR is missing: one or more run folders, such as out/quickstart\n"
                           "Try: vela plot --help\n");
        return invocation_leave(&invocation, EXIT_CODE_INPUT);
    }
    if (invocation.overrides.count > 0 && !spline) {
        print_text(stderr, "vela plot: --set changes the scene of --spline, which is missing\n"
                           "Try: vela plot --help\n");
        return invocation_leave(&invocation, EXIT_CODE_INPUT);
    }
    code = invocation_open(&invocation, 0);
    if (code != OPTIONS_GO_ON)
        return code;
    const char *folder = output ? output : runs->count > 0 ? runs->items[0] : NULL;
    char picture[1024];
    VelaResult result = VELA_OK;
    if (spline) {
        result = vela_plot_spline(invocation.context, spline, invocation.overrides.count,
                                  invocation.overrides.items, folder, picture);
        if (result == VELA_OK)
            print_text(stdout, "%s\n", picture);
        if (runs->count == 0)
            return invocation_end(&invocation, result);
    }
    if (result == VELA_OK && columns)
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
