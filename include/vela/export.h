/// A run folder for other programs: motion in their formats, pictures of the diagnostics.
#ifndef VELA_EXPORT_H
#define VELA_EXPORT_H

#include "vela/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the recorded motion of run folder `folder` into folder `output` (made if missing; NULL:
/// "<folder>/<format>"). `format`: "obj" and "ply" one file a frame with the surface and the cables (lines);
/// "npy" positions.npy, velocities.npy, times.npy, tets.npy, triangles.npy, and segments.npy where there are
/// cables. Strings are borrowed for the call.
/// VELA_ERROR_INVALID_INPUT (not a run folder, unknown format), VELA_ERROR_UNSUPPORTED (a format that is not
/// in this version: vtu, pc2, usda), VELA_ERROR_IO, VELA_ERROR_OUT_OF_MEMORY, VELA_ERROR_INTERRUPTED.
VelaResult vela_export(VelaContext *context, const char *folder, const char *format, const char *output);

/// Draws energy.png and momentum.png from the diagnostics.csv of `folder_count` run folders (1 to 12),
/// overlaid, into folder `output` (made if missing; NULL: the first run folder). Strings are borrowed for the
/// call. VELA_ERROR_INVALID_INPUT (no folder, too many, not a run folder, broken csv), VELA_ERROR_IO,
/// VELA_ERROR_OUT_OF_MEMORY.
VelaResult vela_plot(VelaContext *context, int32_t folder_count, const char *const *folders,
                     const char *output);

/// Draws columns.png from the same folders: a panel for each name in `columns` (1 to 8, separated by commas), all runs
/// in it. Names are the columns of numbers of diagnostics.csv, and momentum (|p|, kg m/s), angular_momentum (|l|,
/// kg m^2/s), turns (of the centre of mass about the z axis through the origin, counted from the start). Errors as for
/// vela_plot; VELA_ERROR_INVALID_INPUT as well for an unknown name (the message has those there are) and for too many.
VelaResult vela_plot_columns(VelaContext *context, int32_t folder_count, const char *const *folders,
                             const char *columns, const char *output);

/// Draws ledger.png from the same folders: for each run a panel with its energies, what friction and damping have taken and what the
/// integrator itself has, stacked, beside what there was at the start and what work has added. Errors as for vela_plot.
VelaResult vela_plot_ledger(VelaContext *context, int32_t folder_count, const char *const *folders,
                            const char *output);

/// Draws spline.png of `scene`, a scene file: of every `spline` damping of its materials the factor over the stretch, with its points.
/// Overrides as in VelaRunDef. Into folder `output` (made if missing; NULL: out/<scene name>_plot); `path` is where the picture is then.
/// Strings are borrowed for the call. VELA_ERROR_INVALID_INPUT (a scene that vela_check refuses or that has no spline), VELA_ERROR_IO,
/// VELA_ERROR_OUT_OF_MEMORY.
VelaResult vela_plot_spline(VelaContext *context, const char *scene, int32_t override_count,
                            const char *const *overrides, const char *output, char path[1024]);

#ifdef __cplusplus
}
#endif
#endif
