#define _POSIX_C_SOURCE 200809L
#include "mesh/scanner.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

Scanner scanner_make(VelaContext *context, const char *name, const char *data, size_t size)
{
    return (Scanner){
        .context = context, .name = name, .begin = data, .cursor = data, .end = data + size, .line = 1};
}

int64_t scanner_place(const Scanner *scanner)
{
    return scanner->byte_places ? scanner->cursor - scanner->begin : scanner->line;
}

const char *place_text(bool byte_places, int64_t place, char text[32])
{
    snprintf(text, 32, "%s %lld", byte_places ? "byte" : "line", (long long)place);
    return text;
}

static VelaResult fail_with(const Scanner *scanner, const char *found, const char *format, va_list arguments)
{
    char message[1024], place[32];
    vsnprintf(message, sizeof message, format, arguments);
    return context_fail(scanner->context, VELA_ERROR_INVALID_INPUT, "%s: %s: %s%s", scanner->name,
                        place_text(scanner->byte_places, scanner_place(scanner), place), found, message);
}

VelaResult scanner_fail(const Scanner *scanner, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const VelaResult result = fail_with(scanner, "", format, arguments);
    va_end(arguments);
    return result;
}

VelaResult scanner_expected(Scanner *scanner, const char *format, ...)
{
    const char *word;
    char found[80];
    const size_t length = scanner_peek(scanner, &word);
    if (length == 0) {
        const bool at_end = scanner->cursor == scanner->end;
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
    const VelaResult result = fail_with(scanner, found, format, arguments);
    va_end(arguments);
    return result;
}

// ---------------------------------------------------------------- words and lines

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void skip_blanks(Scanner *scanner)
{
    while (scanner->cursor < scanner->end) {
        const char c = *scanner->cursor;
        if (c == '\n') {
            if (scanner->in_line)
                return;
            ++scanner->line;
            ++scanner->cursor;
        } else if (is_blank(c)) {
            ++scanner->cursor;
        } else if (scanner->comment && c == scanner->comment) {
            while (scanner->cursor < scanner->end && *scanner->cursor != '\n')
                ++scanner->cursor;
        } else {
            return;
        }
    }
}

size_t scanner_peek(Scanner *scanner, const char **word)
{
    skip_blanks(scanner);
    *word = scanner->cursor;
    const char *end = scanner->cursor;
    while (end < scanner->end && !is_blank(*end))
        ++end;
    return (size_t)(end - scanner->cursor);
}

size_t scanner_word(Scanner *scanner, const char **word)
{
    const size_t length = scanner_peek(scanner, word);
    scanner->cursor += length;
    return length;
}

bool scanner_accept(Scanner *scanner, const char *text)
{
    const char *word;
    const size_t length = scanner_peek(scanner, &word);
    if (length != strlen(text) || strncasecmp(word, text, length) != 0)
        return false;
    scanner->cursor += length;
    return true;
}

VelaResult scanner_expect(Scanner *scanner, const char *text)
{
    return scanner_accept(scanner, text) ? VELA_OK : scanner_expected(scanner, "%s", text);
}

int32_t scanner_words_on_line(const Scanner *scanner)
{
    Scanner copy = *scanner;
    copy.in_line = true;
    const char *word;
    int32_t count = 0;
    while (scanner_word(&copy, &word) > 0)
        ++count;
    return count;
}

void scanner_next_line(Scanner *scanner)
{
    const char *newline = memchr(scanner->cursor, '\n', (size_t)(scanner->end - scanner->cursor));
    scanner->cursor = newline ? newline + 1 : scanner->end;
    scanner->line += newline != NULL;
}

VelaResult scanner_end_record(Scanner *scanner, const char *what)
{
    const char *word;
    scanner->in_line = true;
    if (scanner_peek(scanner, &word) > 0)
        return scanner_expected(scanner, "the end of the line after %s", what);
    scanner->in_line = false;
    return VELA_OK;
}

void scanner_advance(Scanner *scanner, size_t count)
{
    for (const char *end = scanner->cursor + count; scanner->cursor < end; ++scanner->cursor)
        scanner->line += *scanner->cursor == '\n';
}

// ---------------------------------------------------------------- numbers

size_t scalar_size(ScalarType type)
{
    static const size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return sizes[type];
}

static VelaResult take_bytes(Scanner *scanner, ScalarType type, const char *what, unsigned char bytes[8])
{
    const size_t size = scalar_size(type), left = (size_t)(scanner->end - scanner->cursor);
    if (left < size)
        return scanner_fail(scanner, "found %zu bytes before the end of the file, expected %s of %zu bytes",
                            left, what, size);
    for (size_t i = 0; i < size; ++i)
        bytes[i] = (unsigned char)scanner->cursor[scanner->swap ? size - 1 - i : i];
    scanner->cursor += size;
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

VelaResult scanner_integer(Scanner *scanner, ScalarType type, const char *what, int64_t smallest,
                           int64_t largest, int64_t *value)
{
    if (!scanner->binary) {
        const char *word;
        const size_t length = scanner_peek(scanner, &word);
        if (!parse_integer(word, length, value) || *value < smallest || *value > largest)
            return scanner_expected(scanner, "%s (an integer between %lld and %lld)", what,
                                    (long long)smallest, (long long)largest);
        scanner->cursor += length;
        return VELA_OK;
    }
    unsigned char bytes[8] = {0};
    if (type == SCALAR_FLOAT || type == SCALAR_DOUBLE)
        return scanner_fail(scanner, "%s is stored as a floating point number, expected an integer type",
                            what);
    const char *start = scanner->cursor;
    TRY(take_bytes(scanner, type, what, bytes));
    *value = bytes_to_integer(type, bytes);
    if (*value < smallest || *value > largest) {
        scanner->cursor = start;
        return scanner_fail(scanner, "found %lld, expected %s (between %lld and %lld)", (long long)*value,
                            what, (long long)smallest, (long long)largest);
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

VelaResult scanner_real(Scanner *scanner, ScalarType type, const char *what, double *value)
{
    if (!scanner->binary) {
        const char *word;
        const size_t length = scanner_peek(scanner, &word);
        if (!parse_real(word, length, value) || !isfinite(*value))
            return scanner_expected(scanner, "%s (a finite number)", what);
        scanner->cursor += length;
        return VELA_OK;
    }
    unsigned char bytes[8] = {0};
    const char *start = scanner->cursor;
    TRY(take_bytes(scanner, type, what, bytes));
    if (type == SCALAR_DOUBLE)
        *value = AS(double, bytes);
    else if (type == SCALAR_FLOAT)
        *value = (double)AS(float, bytes);
    else
        *value = (double)bytes_to_integer(type, bytes);
    if (!isfinite(*value)) {
        scanner->cursor = start;
        return scanner_fail(scanner, "found %g, expected %s (a finite number)", *value, what);
    }
    return VELA_OK;
}

VelaResult scanner_coordinate(Scanner *scanner, ScalarType type, int axis, double point[3])
{
    static const char *const names[3] = {"coordinate x", "coordinate y", "coordinate z"};
    TRY(scanner_real(scanner, type, names[axis], &point[axis]));
    if (fabs(point[axis]) > COORDINATE_MAX)
        return scanner_fail(scanner, "found %g, expected %s of at most %g in size", point[axis], names[axis],
                            COORDINATE_MAX);
    return VELA_OK;
}

VelaResult scanner_point(Scanner *scanner, ScalarType type, double point[3])
{
    for (int axis = 0; axis < 3; ++axis)
        TRY(scanner_coordinate(scanner, type, axis, point));
    return VELA_OK;
}

VelaResult scanner_check_count(const Scanner *scanner, const char *what, int64_t count, int64_t bytes_each)
{
    const int64_t left = scanner->end - scanner->cursor;
    // The last record of a text needs no newline.
    if (count > INT32_MAX || count > (left + 1) / bytes_each)
        return scanner_fail(
            scanner, "found a count of %lld %s, expected at most %lld in the %lld bytes that follow",
            (long long)count, what,
            (long long)((left + 1) / bytes_each < INT32_MAX ? (left + 1) / bytes_each : INT32_MAX),
            (long long)left);
    return VELA_OK;
}

VelaResult scanner_count(Scanner *scanner, ScalarType type, const char *what, int64_t bytes_each,
                         int64_t *count)
{
    char expected[96];
    snprintf(expected, sizeof expected, "the number of %s", what);
    TRY(scanner_integer(scanner, type, expected, 0, INT64_MAX, count));
    return scanner_check_count(scanner, what, *count, bytes_each);
}
