/// The recorded motion of a run folder for other programs.
#ifndef OUTPUT_EXPORT_H
#define OUTPUT_EXPORT_H

#include "base/context.h"

/// Writes the frames of run folder `folder` into folder `output` (made if missing; NULL: "<folder>/<format>"):
///   "npy": positions.npy and velocities.npy (frames x nodes x 3, float64, m and m/s), times.npy (frames, float64, s),
///          tets.npy (tets x 4, int32), triangles.npy (surface, triangles x 3, int32), and where there are cables
///          segments.npy (segments x 2, int32), of runs with the solver compliant multipliers.npy (frames x rows of
///          constraints, float64);
///   "obj": NNNNNN.obj a frame, the surface, one object a body, cables as line elements;
///   "ply": NNNNNN.ply a frame, the surface, binary, vertices with velocity (m/s) and colour of their body; cables as
///          an element `edge` (vertex1, vertex2).
/// One frame is in memory at a time. Files of the same names are replaced, atomically. VELA_ERROR_INVALID_INPUT (not a
/// run folder, no frames, unknown format), VELA_ERROR_UNSUPPORTED (vtu, pc2, usda: not in this version), VELA_ERROR_IO,
/// VELA_ERROR_INTERRUPTED.
VelaResult export_motion(VelaContext *context, const char *folder, const char *format, const char *output);

#endif
