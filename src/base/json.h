/// JSON text to a tree, strictly: what the standard allows plus `//` and `/* */` comments, and nothing else.
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/arena.h"

#include <cJSON.h>
#include <stdio.h>

enum {
    JSON_LARGEST_TEXT = 16 << 20, ///< bytes
    JSON_MOST_VALUES = 2000000,   ///< values in one text; bounds what a tree can take to about 250 MB
    JSON_DEEPEST = 64,            ///< levels of nesting
};

/// Parses `text` (need not end in 0). `name` stands before the line and column in messages. On VELA_OK the
/// caller frees `*root` with cJSON_Delete. VELA_ERROR_INVALID_INPUT: "name:line:column: found …, expected …",
/// lines and columns from 1, columns in characters. VELA_ERROR_OUT_OF_MEMORY. `scratch` is used for the time
/// of the call.
VelaResult json_parse(VelaContext *context, const char *name, const char *text, size_t length, Arena *scratch,
                      cJSON **root);

/// As json_parse, for a file; refuses what is not a regular file or is larger than JSON_LARGEST_TEXT before
/// reading it.
VelaResult json_read(VelaContext *context, const char *path, Arena *scratch, cJSON **root);

/// Bytes of `text` before the first that is no UTF-8; strlen(text) where all of it is.
size_t json_utf8_prefix(const char *text);
/// Writes `text` as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. NULL: null.
void json_write_string(FILE *file, const char *text);
/// Writes 17 digits; null for what JSON cannot say (NaN, infinity).
void json_write_number(FILE *file, double number);

#endif
