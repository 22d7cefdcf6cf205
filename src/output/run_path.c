#include "output/run_path.h"

#include <stdio.h>

VelaResult run_path(VelaContext *context, const char *folder, const char *name, char path[RUN_PATH_CAPACITY])
{
    const int length = snprintf(path, RUN_PATH_CAPACITY, "%s/%s", folder, name);
    FAIL_IF(context, length < 0 || length >= RUN_PATH_CAPACITY, VELA_ERROR_INVALID_INPUT,
            "%.200s…/%s: the path has %d characters, expected fewer than %d", folder, name, length,
            RUN_PATH_CAPACITY);
    return VELA_OK;
}

VelaResult run_state_path(VelaContext *context, const char *folder, int64_t frame,
                          char path[RUN_PATH_CAPACITY])
{
    char name[64];
    snprintf(name, sizeof name, "states/%06lld.vst", (long long)frame);
    return run_path(context, folder, name, path);
}
