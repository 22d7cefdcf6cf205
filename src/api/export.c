#include "vela/export.h"

#include "output/export.h"

VelaResult vela_export(VelaContext *context, const char *folder, const char *format, const char *output)
{
    return export_motion(context, folder, format, output);
}
