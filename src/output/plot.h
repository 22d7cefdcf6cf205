/// Pictures of diagnostics.csv, energies and momenta against time, and of the splines of a scene's damping.
#ifndef OUTPUT_PLOT_H
#define OUTPUT_PLOT_H

#include "base/context.h"

enum { PLOT_COLUMN_LIMIT = 8 };

/// Draws energy.png and momentum.png of 1 to 12 run folders into folder `output` (made if missing; NULL:
/// the first run folder). One run: all energies in one panel, below it how far the total is from where it began; several:
/// a panel for each quantity, a colour for each run; a run whose energy grows far beyond the others' is
/// cut off there, the legend says so. VELA_ERROR_INVALID_INPUT (no folder, too many, not a run folder,
/// broken csv), VELA_ERROR_IO.
VelaResult plot_runs(VelaContext *context, int32_t folder_count, const char *const *folders,
                     const char *output);

/// Draws columns.png likewise: a panel for each of 1 to PLOT_COLUMN_LIMIT `columns`, all runs in it, cut off as above.
/// `columns`: names separated by commas, of diagnostics.csv or derived: momentum (|p|, kg m/s), angular_momentum (|l|,
/// kg m^2/s), turns (of the centre of mass about the z axis through the origin, counted from the first row; less than
/// half a turn a row). Errors as above; VELA_ERROR_INVALID_INPUT as well for a name that is none of these, with those
/// there are, and for too many; then nothing is written.
VelaResult plot_columns(VelaContext *context, int32_t folder_count, const char *const *folders,
                        const char *columns, const char *output);

/// Draws ledger.png likewise: for each run a panel with its energies, what friction and damping have taken and what the integrator has,
/// stacked, and a line for what there was at the start and what work has added: where the stack ends, unless the integrator gave. Errors as
/// above; VELA_ERROR_INVALID_INPUT as well for a run of a version without the columns.
VelaResult plot_ledger(VelaContext *context, int32_t folder_count, const char *const *folders,
                       const char *output);

/// Draws spline.png of a scene's `spline` damping: the factor over the stretch for every such entry of a material, its points
/// marked. `overrides` as in scene_read. `output`: the folder, made if missing; NULL: out/<scene name>_plot. `path`: where the
/// picture is. Errors as for scene_read; VELA_ERROR_INVALID_INPUT as well for a scene without a spline, and a folder with other things in it.
VelaResult plot_spline(VelaContext *context, const char *scene, int32_t override_count,
                       const char *const *overrides, const char *output, char path[1024]);

#endif
