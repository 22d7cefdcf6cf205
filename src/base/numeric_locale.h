/// Numbers in files and messages have a decimal point, whatever locale a host program has chosen.
#ifndef BASE_NUMERIC_LOCALE_H
#define BASE_NUMERIC_LOCALE_H

#include "base/context.h"

typedef struct NumericLocale {
    void *entered, *former; ///< locale_t
} NumericLocale;

/// Puts the calling thread, and no other, into the locale "C". VELA_ERROR_OUT_OF_MEMORY.
VelaResult numeric_locale_enter(VelaContext *context, NumericLocale *locale);
/// The way back. A zeroed locale is allowed.
void numeric_locale_leave(NumericLocale *locale);

#endif
