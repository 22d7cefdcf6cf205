#include "revision.h"
#include "vela/context.h"

const char *vela_version(void)
{
    return VELA_VERSION;
}

const char *vela_revision(void)
{
    return VELA_REVISION;
}
