/// One JSON object a line, for programs that follow a run.
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/// A line under construction: {"event":"step", …
typedef struct JsonLine {
    FILE *file;
} JsonLine;

JsonLine json_begin(FILE *file, const char *event);
void json_text(JsonLine *line, const char *key, const char *value);
void json_integer(JsonLine *line, const char *key, int64_t value);
/// Shortest of 17 digits that reads back as the same; null for what JSON cannot say (NaN, infinity).
void json_real(JsonLine *line, const char *key, double value);
void json_bool(JsonLine *line, const char *key, bool value);
/// Ends the line and flushes it.
void json_end(JsonLine *line);

#endif
