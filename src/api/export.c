#include "vela/export.h"

#include "base/numeric_locale.h"
#include "output/export.h"
#include "output/plot.h"

VelaResult vela_export(VelaContext *context, const char *folder, const char *format, const char *output)
{
    NumericLocale locale;
    TRY(numeric_locale_enter(context, &locale));
    const VelaResult result = export_motion(context, folder, format, output);
    numeric_locale_leave(&locale);
    return result;
}

VelaResult vela_plot(VelaContext *context, int32_t folder_count, const char *const *folders,
                     const char *output)
{
    NumericLocale locale;
    TRY(numeric_locale_enter(context, &locale));
    const VelaResult result = plot_runs(context, folder_count, folders, output);
    numeric_locale_leave(&locale);
    return result;
}

VelaResult vela_plot_columns(VelaContext *context, int32_t folder_count, const char *const *folders,
                             const char *columns, const char *output)
{
    NumericLocale locale;
    TRY(numeric_locale_enter(context, &locale));
    const VelaResult result = plot_columns(context, folder_count, folders, columns, output);
    numeric_locale_leave(&locale);
    return result;
}

VelaResult vela_plot_ledger(VelaContext *context, int32_t folder_count, const char *const *folders,
                            const char *output)
{
    NumericLocale locale;
    TRY(numeric_locale_enter(context, &locale));
    const VelaResult result = plot_ledger(context, folder_count, folders, output);
    numeric_locale_leave(&locale);
    return result;
}

VelaResult vela_plot_spline(VelaContext *context, const char *scene, int32_t override_count,
                            const char *const *overrides, const char *output, char path[1024])
{
    NumericLocale locale;
    TRY(numeric_locale_enter(context, &locale));
    const VelaResult result = plot_spline(context, scene, override_count, overrides, output, path);
    numeric_locale_leave(&locale);
    return result;
}
