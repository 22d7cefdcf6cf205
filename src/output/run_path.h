/// Paths in the folder of a run.
#ifndef OUTPUT_RUN_PATH_H
#define OUTPUT_RUN_PATH_H

#include "base/arena.h"

enum { RUN_PATH_CAPACITY = 4096 };

/// "folder/name" into `path`. VELA_ERROR_INVALID_INPUT when it is too long.
VelaResult run_path(VelaContext *context, const char *folder, const char *name, char path[RUN_PATH_CAPACITY]);
/// "folder/states/000012.vst"
VelaResult run_state_path(VelaContext *context, const char *folder, int64_t frame,
                          char path[RUN_PATH_CAPACITY]);

#endif
