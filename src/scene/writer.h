/// JSON text written from values: objects and lists are indented, numbers read back as the same.
#ifndef SCENE_WRITER_H
#define SCENE_WRITER_H

#include "base/arena.h"

#include <stdbool.h>

/// JSON text as it grows. The first failure is kept and everything after it does nothing.
typedef struct Writer {
    Arena *arena;
    char *text;
    size_t capacity, length;
    int depth;
    bool first; ///< nothing yet in the object or list at hand
    VelaResult result;
} Writer;

/// As it is, without quotes.
void put_text(Writer *w, const char *text);
/// In quotes, escaped.
void put_string(Writer *w, const char *text);
/// The shortest digits that read back as the same number.
void put_number(Writer *w, double number);
/// A list on one line.
void put_numbers(Writer *w, const double *numbers, int count);
/// Starts an entry of the object or list at hand; `key` is NULL in a list.
void put_key(Writer *w, const char *key);
/// Begins an object ("{") or a list ("["); close_group ends it. The first one has no key.
void open_group(Writer *w, const char *key, const char *bracket);
void close_group(Writer *w, const char *bracket);

// Whole entries; `key` is NULL in a list.
void write_number(Writer *w, const char *key, double number);
void write_string(Writer *w, const char *key, const char *text);
void write_flag(Writer *w, const char *key, bool flag);
void write_null(Writer *w, const char *key);
void write_vector(Writer *w, const char *key, const double vector[3]);
/// Three rows of three.
void write_matrix(Writer *w, const char *key, const double rows[9]);
void write_integers(Writer *w, const char *key, const int32_t *numbers, int count);

#endif
