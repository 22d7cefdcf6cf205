/// What a person, or a program, sees of a run while it goes on.
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli.h"
#include "vela/run.h"

typedef struct ProgressDisplay {
    Verbosity verbosity;
    bool terminal;      ///< standard output is one: a bar, redrawn in place
    bool bar_is_drawn;  ///< the cursor stands behind a bar
    double last_output; ///< when something was shown last, s of a monotonic clock
    VelaProgress last;
} ProgressDisplay;

ProgressDisplay progress_make(Verbosity verbosity);
/// For VelaRunDef.progress; `user` is a ProgressDisplay.
void progress_show(void *user, const VelaProgress *progress);
/// Takes the bar away, so that a line can be printed; for Invocation.make_room. `user` is a ProgressDisplay.
void progress_make_room(void *user);
/// The same for plain counts ("image 3/120"), for verbs that do not simulate.
void progress_count(ProgressDisplay *display, const char *what, int64_t done, int64_t count);

#endif
