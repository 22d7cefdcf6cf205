#define _POSIX_C_SOURCE 200809L
#include "mesh/reader.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

Reader reader_make(VelaContext *context, const char *name, const char *data, size_t size)
{
    return (Reader){
        .context = context, .name = name, .begin = data, .cursor = data, .end = data + size, .line = 1};
}

int64_t reader_place(const Reader *reader)
{
    return reader->byte_places ? reader->cursor - reader->begin : reader->line;
}

const char *place_text(bool byte_places, int64_t place, char text[32])
{
    snprintf(text, 32, "%s %lld", byte_places ? "byte" : "line", (long long)place);
    return text;
}

static VelaResult fail_with(const Reader *reader, const char *found, const char *format, va_list arguments)
{
    char message[1024], place[32];
    vsnprintf(message, sizeof message, format, arguments);
    return context_fail(reader->context, VELA_ERROR_INVALID_INPUT, "%s: %s: %s%s", reader->name,
                        place_text(reader->byte_places, reader_place(reader), place), found, message);
}

VelaResult reader_fail(const Reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const VelaResult result = fail_with(reader, "", format, arguments);
    va_end(arguments);
    return result;
}

VelaResult reader_expected(Reader *reader, const char *format, ...)
{
    const char *word;
    char found[80];
    const size_t length = reader_peek(reader, &word);
    if (length == 0) {
        const bool at_end = reader->cursor == reader->end;
        snprintf(found, sizeof found, "found the end of the %s, expected ", at_end ? "file" : "line");
    } else {
        char shown[33];
        const size_t shown_length = length < 32 ? length : 32;
        for (size_t i = 0; i < shown_length; ++i)
            shown[i] = isprint((unsigned char)word[i]) ? word[i] : '?';
        shown[shown_length] = 0;
        snprintf(found, sizeof found, "found '%s%s', expected ", shown, length > shown_length ? "..." : "");
    }
    va_list arguments;
    va_start(arguments, format);
    const VelaResult result = fail_with(reader, found, format, arguments);
    va_end(arguments);
    return result;
}

// ---------------------------------------------------------------- words and lines

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void skip_blanks(Reader *reader)
{
    while (reader->cursor < reader->end) {
        const char c = *reader->cursor;
        if (c == '\n') {
            if (reader->in_line)
                return;
            ++reader->line;
            ++reader->cursor;
        } else if (is_blank(c)) {
            ++reader->cursor;
        } else if (reader->comment && c == reader->comment) {
            while (reader->cursor < reader->end && *reader->cursor != '\n')
                ++reader->cursor;
        } else {
            return;
        }
    }
}

size_t reader_peek(Reader *reader, const char **word)
{
    skip_blanks(reader);
    *word = reader->cursor;
    const char *end = reader->cursor;
    while (end < reader->end && !is_blank(*end))
        ++end;
    return (size_t)(end - reader->cursor);
}

size_t reader_word(Reader *reader, const char **word)
{
    const size_t length = reader_peek(reader, word);
    reader->cursor += length;
    return length;
}

bool reader_accept(Reader *reader, const char *text)
{
    const char *word;
    const size_t length = reader_peek(reader, &word);
    if (length != strlen(text) || strncasecmp(word, text, length) != 0)
        return false;
    reader->cursor += length;
    return true;
}

VelaResult reader_expect(Reader *reader, const char *text)
{
    return reader_accept(reader, text) ? VELA_OK : reader_expected(reader, "%s", text);
}

int32_t reader_words_on_line(const Reader *reader)
{
    Reader copy = *reader;
    copy.in_line = true;
    const char *word;
    int32_t count = 0;
    while (reader_word(&copy, &word) > 0)
        ++count;
    return count;
}

void reader_next_line(Reader *reader)
{
    const char *newline = memchr(reader->cursor, '\n', (size_t)(reader->end - reader->cursor));
    reader->cursor = newline ? newline + 1 : reader->end;
    reader->line += newline != NULL;
}

VelaResult reader_end_record(Reader *reader, const char *what)
{
    const char *word;
    reader->in_line = true;
    if (reader_peek(reader, &word) > 0)
        return reader_expected(reader, "the end of the line after %s", what);
    reader->in_line = false;
    return VELA_OK;
}

void reader_advance(Reader *reader, size_t count)
{
    for (const char *end = reader->cursor + count; reader->cursor < end; ++reader->cursor)
        reader->line += *reader->cursor == '\n';
}

// ---------------------------------------------------------------- numbers

size_t scalar_size(ScalarType type)
{
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return sizes[type];
}

static VelaResult take_bytes(Reader *reader, ScalarType type, const char *what, unsigned char bytes[8])
{
    const size_t size = scalar_size(type), left = (size_t)(reader->end - reader->cursor);
    if (left < size)
        return reader_fail(reader, "found %zu bytes before the end of the file, expected %s of %zu bytes",
                           left, what, size);
    for (size_t i = 0; i < size; ++i)
        bytes[i] = (unsigned char)reader->cursor[reader->swap ? size - 1 - i : i];
    reader->cursor += size;
    return VELA_OK;
}

#define AS(type, bytes) (*(type *)memcpy(&(type){0}, bytes, sizeof(type)))

static int64_t bytes_to_integer(ScalarType type, const unsigned char bytes[8])
{
    switch (type) {
    case SCALAR_INT8:
        return AS(int8_t, bytes);
    case SCALAR_UINT8:
        return bytes[0];
    case SCALAR_INT16:
        return AS(int16_t, bytes);
    case SCALAR_UINT16:
        return AS(uint16_t, bytes);
    case SCALAR_INT32:
        return AS(int32_t, bytes);
    case SCALAR_UINT32:
        return AS(uint32_t, bytes);
    case SCALAR_INT64:
        return AS(int64_t, bytes);
    case SCALAR_UINT64: // beyond INT64_MAX is out of every range that is asked for
        return AS(uint64_t, bytes) > INT64_MAX ? INT64_MAX : AS(int64_t, bytes);
    case SCALAR_FLOAT:
    case SCALAR_DOUBLE:
        break;
    }
    return 0;
}

/// Decimal integer of the whole next word; false if it is none or does not fit.
static bool parse_integer(const char *word, size_t length, int64_t *value)
{
    size_t i = length > 0 && (word[0] == '-' || word[0] == '+');
    if (i == length || length - i > 18)
        return false;
    int64_t sum = 0;
    for (; i < length; ++i) {
        if (word[i] < '0' || word[i] > '9')
            return false;
        sum = 10 * sum + (word[i] - '0');
    }
    *value = word[0] == '-' ? -sum : sum;
    return true;
}

VelaResult reader_integer(Reader *reader, ScalarType type, const char *what, int64_t smallest,
                          int64_t largest, int64_t *value)
{
    if (!reader->binary) {
        const char *word;
        const size_t length = reader_peek(reader, &word);
        if (!parse_integer(word, length, value) || *value < smallest || *value > largest)
            return reader_expected(reader, "%s (an integer between %lld and %lld)", what, (long long)smallest,
                                   (long long)largest);
        reader->cursor += length;
        return VELA_OK;
    }
    unsigned char bytes[8] = {0};
    if (type == SCALAR_FLOAT || type == SCALAR_DOUBLE)
        return reader_fail(reader, "%s is stored as a floating point number, expected an integer type", what);
    const char *start = reader->cursor;
    TRY(take_bytes(reader, type, what, bytes));
    *value = bytes_to_integer(type, bytes);
    if (*value < smallest || *value > largest) {
        reader->cursor = start;
        return reader_fail(reader, "found %lld, expected %s (between %lld and %lld)", (long long)*value, what,
                           (long long)smallest, (long long)largest);
    }
    return VELA_OK;
}

/// A number of the whole next word. strtod alone would take hexadecimal numbers and words such as
/// "infinity(1)".
static bool parse_real(const char *word, size_t length, double *value)
{
    if (length == 0)
        return false;
    for (size_t i = 0; i < length; ++i)
        if (!((word[i] >= '0' && word[i] <= '9') || strchr("+-.eE", word[i]) != NULL) || word[i] == 0)
            return false;
    char *end;
    *value = strtod(word, &end);
    return end == word + length;
}

VelaResult reader_real(Reader *reader, ScalarType type, const char *what, double *value)
{
    if (!reader->binary) {
        const char *word;
        const size_t length = reader_peek(reader, &word);
        if (!parse_real(word, length, value) || !isfinite(*value))
            return reader_expected(reader, "%s (a finite number)", what);
        reader->cursor += length;
        return VELA_OK;
    }
    unsigned char bytes[8] = {0};
    const char *start = reader->cursor;
    TRY(take_bytes(reader, type, what, bytes));
    if (type == SCALAR_DOUBLE)
        *value = AS(double, bytes);
    else if (type == SCALAR_FLOAT)
        *value = (double)AS(float, bytes);
    else
        *value = (double)bytes_to_integer(type, bytes);
    if (!isfinite(*value)) {
        reader->cursor = start;
        return reader_fail(reader, "found %g, expected %s (a finite number)", *value, what);
    }
    return VELA_OK;
}

VelaResult reader_coordinate(Reader *reader, ScalarType type, int axis, double point[3])
{
    static const char *const names[3] = {"coordinate x", "coordinate y", "coordinate z"};
    TRY(reader_real(reader, type, names[axis], &point[axis]));
    if (fabs(point[axis]) > COORDINATE_MAX)
        return reader_fail(reader, "found %g, expected %s of at most %g in size", point[axis], names[axis],
                           COORDINATE_MAX);
    return VELA_OK;
}

VelaResult reader_point(Reader *reader, ScalarType type, double point[3])
{
    for (int axis = 0; axis < 3; ++axis)
        TRY(reader_coordinate(reader, type, axis, point));
    return VELA_OK;
}

VelaResult reader_check_count(const Reader *reader, const char *what, int64_t count, int64_t bytes_each)
{
    const int64_t left = reader->end - reader->cursor;
    // The last record of a text needs no newline.
    if (count > INT32_MAX || count > (left + 1) / bytes_each)
        return reader_fail(
            reader, "found a count of %lld %s, expected at most %lld in the %lld bytes that follow",
            (long long)count, what,
            (long long)((left + 1) / bytes_each < INT32_MAX ? (left + 1) / bytes_each : INT32_MAX),
            (long long)left);
    return VELA_OK;
}

VelaResult reader_count(Reader *reader, ScalarType type, const char *what, int64_t bytes_each, int64_t *count)
{
    char expected[96];
    snprintf(expected, sizeof expected, "the number of %s", what);
    TRY(reader_integer(reader, type, expected, 0, INT64_MAX, count));
    return reader_check_count(reader, what, *count, bytes_each);
}
