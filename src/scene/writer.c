#include "scene/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_bytes(Writer *w, const char *bytes, size_t count)
{
    if (w->result == VELA_OK)
        w->result = ARENA_GROW(w->arena, w->text, &w->capacity, w->length + count + 1);
    if (w->result != VELA_OK)
        return;
    memcpy(w->text + w->length, bytes, count);
    w->length += count;
    w->text[w->length] = 0;
}

void put_text(Writer *w, const char *text)
{
    put_bytes(w, text, strlen(text));
}

void put_string(Writer *w, const char *text)
{
    put_text(w, "\"");
    for (; *text; ++text) {
        char escaped[8];
        if (*text == '"' || *text == '\\')
            snprintf(escaped, sizeof escaped, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned char)*text);
        else
            snprintf(escaped, sizeof escaped, "%c", *text);
        put_text(w, escaped);
    }
    put_text(w, "\"");
}

void put_number(Writer *w, double number)
{
    char digits[40];
    for (int precision = 15; precision <= 17; ++precision) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number)
            break;
    }
    for (char *c = digits; *c; ++c)
        if (!strchr("0123456789+-e", *c))
            *c = '.'; // whatever the locale's decimal point is
    put_text(w, digits);
}

void put_key(Writer *w, const char *key)
{
    put_text(w, w->first ? "\n" : ",\n");
    for (int i = 0; i < w->depth; ++i)
        put_text(w, "  ");
    if (key) {
        put_string(w, key);
        put_text(w, ": ");
    }
    w->first = false;
}

void open_group(Writer *w, const char *key, const char *bracket)
{
    if (w->depth > 0)
        put_key(w, key);
    put_text(w, bracket);
    ++w->depth;
    w->first = true;
}

void close_group(Writer *w, const char *bracket)
{
    --w->depth;
    if (!w->first) {
        put_text(w, "\n");
        for (int i = 0; i < w->depth; ++i)
            put_text(w, "  ");
    }
    put_text(w, bracket);
    w->first = false;
}

void write_number(Writer *w, const char *key, double number)
{
    put_key(w, key);
    put_number(w, number);
}

void write_string(Writer *w, const char *key, const char *text)
{
    put_key(w, key);
    put_string(w, text);
}

void write_flag(Writer *w, const char *key, bool flag)
{
    put_key(w, key);
    put_text(w, flag ? "true" : "false");
}

void write_null(Writer *w, const char *key)
{
    put_key(w, key);
    put_text(w, "null");
}

void put_numbers(Writer *w, const double *numbers, int count)
{
    put_text(w, "[");
    for (int i = 0; i < count; ++i) {
        put_text(w, i ? ", " : "");
        put_number(w, numbers[i]);
    }
    put_text(w, "]");
}

void write_vector(Writer *w, const char *key, const double vector[3])
{
    put_key(w, key);
    put_numbers(w, vector, 3);
}

void write_matrix(Writer *w, const char *key, const double rows[9])
{
    put_key(w, key);
    for (int i = 0; i < 3; ++i) {
        put_text(w, i ? ", " : "[");
        put_numbers(w, rows + 3 * (size_t)i, 3);
    }
    put_text(w, "]");
}

void write_integers(Writer *w, const char *key, const int32_t *numbers, int count)
{
    put_key(w, key);
    put_text(w, "[");
    for (int i = 0; i < count; ++i) {
        put_text(w, i ? ", " : "");
        put_number(w, numbers[i]);
    }
    put_text(w, "]");
}
