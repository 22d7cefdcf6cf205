#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Length of the UTF-8 sequence at `text`, 0 if it is none (also for overlong forms and surrogates).
static size_t utf8_length(const unsigned char *text)
{
    const size_t length = text[0] < 0x80                       ? 1
                          : text[0] >= 0xc2 && text[0] <= 0xdf ? 2
                          : text[0] >= 0xe0 && text[0] <= 0xef ? 3
                          : text[0] >= 0xf0 && text[0] <= 0xf4 ? 4
                                                               : 0;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    }
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

static void write_string(FILE *file, const char *value)
{
    const unsigned char *text = (const unsigned char *)value;
    fputc('"', file);
    while (*text) {
        const size_t length = utf8_length(text);
        if (length == 0)
            fputs("\\ufffd", file);
        else if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if (*text < 0x20 || *text == 0x7f)
            fprintf(file, "\\u%04x", *text);
        else
            fwrite(text, 1, length, file);
        text += length ? length : 1;
    }
    fputc('"', file);
}

JsonLine json_begin(FILE *file, const char *event)
{
    fputs("{\"event\":", file);
    write_string(file, event);
    return (JsonLine){.file = file};
}

void json_text(JsonLine *line, const char *key, const char *value)
{
    fprintf(line->file, ",\"%s\":", key);
    write_string(line->file, value);
}

void json_integer(JsonLine *line, const char *key, int64_t value)
{
    fprintf(line->file, ",\"%s\":%lld", key, (long long)value);
}

void json_real(JsonLine *line, const char *key, double value)
{
    if (!isfinite(value)) {
        fprintf(line->file, ",\"%s\":null", key);
        return;
    }
    char text[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fprintf(line->file, ",\"%s\":%s", key, text);
}

void json_bool(JsonLine *line, const char *key, bool value)
{
    fprintf(line->file, ",\"%s\":%s", key, value ? "true" : "false");
}

void json_end(JsonLine *line)
{
    fputs("}\n", line->file);
    fflush(line->file);
}
