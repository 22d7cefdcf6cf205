/// vela plot DIR…: draws energies and momenta of runs against time.
#include "cli.h"
#include "vela/export.h"

enum { MOST_FOLDERS = 12 };

int verb_plot(int argc, char **argv)
{
    Session session;
    int code = session_begin(&session, "plot", argc);
    if (code != OPTIONS_GO_ON)
        return code;
    const char *output = NULL;
    const Option options[] = {
        option_output("DIR2", &output, "folder for energy.png and momentum.png; default: the first DIR"),
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
            "blew up is cut off where its energy leaves that of the others; the legend says so.",
    };
    code = options_parse(&command, argc, argv, &session.arguments);
    if (code != OPTIONS_GO_ON)
        return session_leave(&session, code);
    code = session_open(&session, 0);
    if (code != OPTIONS_GO_ON)
        return code;
    const char *folder = output ? output : session.arguments.items[0];
    const VelaResult result =
        vela_plot(session.context, session.arguments.count, session.arguments.items, folder);
    if (result == VELA_OK)
        printf("%s/energy.png, %s/momentum.png\n", folder, folder);
    return session_end(&session, result);
}
