/// What the program prints that has names in it: of scenes, meshes, files and drivers.
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdio.h>

/// As fprintf, at most 8191 bytes, without what would steer the terminal: control characters but for newlines, C1 controls (0xc2
/// and a byte below 0xa0) too, are shown as ?.
void print_text(FILE *file, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#endif
