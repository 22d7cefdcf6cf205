/// reactions.csv: forces and moments of pins and obstacles, one row a step.
#ifndef OUTPUT_REACTIONS_TABLE_H
#define OUTPUT_REACTIONS_TABLE_H

#include "base/arena.h"
#include "output/step_table.h"

enum { REACTION_NUMBERS = 6 }; ///< a force (N), a moment about the origin (N m)

/// The header row of groups of columns by their names; owned by the arena.
VelaResult reactions_header(Arena *arena, int32_t count, const char *const *names, const char **header);
VelaResult reactions_open(StepTable *table, VelaContext *context, const char *folder, const char *header,
                          bool append);
/// Adds a row; `values`: count x REACTION_NUMBERS.
VelaResult reactions_write(StepTable *table, int64_t step, double time, int32_t count, const double *values);
/// As diagnostics_truncate.
VelaResult reactions_truncate(VelaContext *context, const char *folder, const char *header, int64_t step);

#endif
