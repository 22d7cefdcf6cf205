/// Pictures of diagnostics.csv: energies and momenta against time.
#ifndef OUTPUT_PLOT_H
#define OUTPUT_PLOT_H

#include "base/context.h"

enum { PLOT_RUN_LIMIT = 12 };

/// Draws energy.png and momentum.png of 1 to PLOT_RUN_LIMIT run folders into folder `output` (made if missing; NULL:
/// the first run folder). One run: all energies in one panel, below it how far the total is from where it began; several:
/// a panel for each quantity, a colour for each run; a run whose energy grows far beyond the others' is
/// cut off there, the legend says so. VELA_ERROR_INVALID_INPUT (no folder, too many, not a run folder,
/// broken csv), VELA_ERROR_IO.
VelaResult plot_runs(VelaContext *context, int32_t folder_count, const char *const *folders,
                     const char *output);

#endif
