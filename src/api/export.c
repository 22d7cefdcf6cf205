#include "vela/export.h"

#include "output/export.h"
#include "output/plot.h"

VelaResult vela_export(VelaContext *context, const char *folder, const char *format, const char *output)
{
    return export_motion(context, folder, format, output);
}

VelaResult vela_plot(VelaContext *context, int32_t folder_count, const char *const *folders,
                     const char *output)
{
    return plot_runs(context, folder_count, folders, output);
}
