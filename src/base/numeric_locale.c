#define _POSIX_C_SOURCE 200809L
#include "base/numeric_locale.h"

#include <locale.h>

VelaResult numeric_locale_enter(VelaContext *context, NumericLocale *locale)
{
    *locale = (NumericLocale){.entered = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    FAIL_IF(context, !locale->entered, VELA_ERROR_OUT_OF_MEMORY, "out of memory: no room for a locale");
    locale->former = uselocale(locale->entered);
    return VELA_OK;
}

void numeric_locale_leave(NumericLocale *locale)
{
    if (!locale->entered)
        return;
    uselocale(locale->former);
    freelocale(locale->entered);
    *locale = (NumericLocale){0};
}
