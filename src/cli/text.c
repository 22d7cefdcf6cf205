#include "text.h"

#include <stdarg.h>
#include <stdbool.h>

void print_text(FILE *file, const char *format, ...)
{
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *at = text; *at; at++) {
        const unsigned char byte = (unsigned char)*at;
        const bool is_c1 = byte == 0xc2 && (unsigned char)at[1] >= 0x80 && (unsigned char)at[1] < 0xa0;
        fputc((byte < ' ' && byte != '\n') || byte == 0x7f || is_c1 ? '?' : byte, file);
        at += is_c1;
    }
}
