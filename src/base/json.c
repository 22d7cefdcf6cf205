#define _POSIX_C_SOURCE 200809L
#include "base/json.h"

#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

/// A walk over the text that checks the grammar before anything is built from it.
typedef struct Scan {
    VelaContext *context;
    const char *name;
    const char *original; ///< for columns: comments may hold characters of several bytes
    char *text;           ///< comments blanked out; a 0 behind it
    size_t length, at;
    size_t values;
    int depth;
} Scan;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
           c == '+' || c == '-';
}

/// Length of the UTF-8 character at `s` (at most `left` bytes); 0 if it is not one.
static size_t utf8_length(const char *s, size_t left)
{
    const unsigned char *b = (const unsigned char *)s;
    const size_t length = b[0] < 0x80   ? 1
                          : b[0] < 0xC2 ? 0
                          : b[0] < 0xE0 ? 2
                          : b[0] < 0xF0 ? 3
                          : b[0] < 0xF5 ? 4
                                        : 0;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; ++i)
        if ((b[i] & 0xC0) != 0x80)
            return 0;
    // Overlong forms, surrogates, beyond U+10FFFF.
    if ((b[0] == 0xE0 && b[1] < 0xA0) || (b[0] == 0xED && b[1] > 0x9F) || (b[0] == 0xF0 && b[1] < 0x90) ||
        (b[0] == 0xF4 && b[1] > 0x8F))
        return 0;
    return length;
}

size_t json_utf8_prefix(const char *text)
{
    const size_t all = strlen(text);
    size_t length = 0, character = 1;
    while (length < all && character > 0) {
        character = utf8_length(text + length, all - length);
        length += character;
    }
    return length;
}

/// Length of the part of a string that can be shown, from its opening quote on.
static size_t string_prefix(const char *start, size_t longest)
{
    size_t length = 1;
    while (length < longest) {
        const char c = start[length];
        const size_t character = utf8_length(start + length, longest - length);
        if (character == 0 || (unsigned char)c < ' ')
            break;
        length += character;
        if (c == '"')
            break;
    }
    return length;
}

/// The text at `at` in words: "the end of the text", a word, a string, or a single character.
static void describe_text(const Scan *scan, size_t at, char out[64])
{
    enum { LONGEST = 32 };
    if (at >= scan->length) {
        snprintf(out, 64, "the end of the text");
        return;
    }
    const char *start = scan->text + at;
    const size_t left = scan->length - at;
    size_t length = 0;
    if (is_word(*start))
        while (length < left && length < LONGEST && is_word(start[length]))
            ++length;
    else if (*start == '"')
        length = string_prefix(start, left < LONGEST ? left : LONGEST);
    else
        length = utf8_length(start, left);
    if (length == 0 || (unsigned char)*start < ' ' || *start == 0x7f)
        snprintf(out, 64, "the byte 0x%02x", (unsigned char)*start);
    else
        snprintf(out, 64, "%.*s", (int)length, start);
}

static VelaResult scan_fail(const Scan *scan, size_t at, const char *message)
{
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at && i < scan->length; ++i) {
        const unsigned char c = (unsigned char)scan->original[i];
        if (c == '\n')
            ++line, column = 1;
        else if ((c & 0xC0) != 0x80)
            ++column;
    }
    return context_fail(scan->context, VELA_ERROR_INVALID_INPUT, "%s:%zu:%zu: %s", scan->name, line, column,
                        message);
}

static VelaResult scan_expected(const Scan *scan, size_t at, const char *expected)
{
    char found[64], message[256];
    describe_text(scan, at, found);
    snprintf(message, sizeof message, "found %s, expected %s", found, expected);
    return scan_fail(scan, at, message);
}

/// Replaces comments by blanks; lines and columns stay.
static VelaResult blank_comments(Scan *scan)
{
    char *text = scan->text;
    bool in_string = false;
    for (size_t i = 0; i < scan->length; ++i) {
        if (in_string) {
            if (text[i] == '\\')
                ++i;
            else if (text[i] == '"' || text[i] == '\n')
                in_string = false; // a line's end in a string is reported later
            continue;
        }
        in_string = text[i] == '"';
        if (text[i] != '/' || i + 1 >= scan->length || (text[i + 1] != '/' && text[i + 1] != '*'))
            continue;
        const size_t start = i;
        if (text[i + 1] == '/') {
            while (i < scan->length && text[i] != '\n')
                text[i++] = ' ';
            continue;
        }
        for (i += 2; i + 1 < scan->length && !(text[i] == '*' && text[i + 1] == '/');)
            ++i;
        if (i + 1 >= scan->length)
            return scan_fail(scan, start, "this comment has no end, expected */");
        for (size_t j = start; j < i + 2; ++j)
            if (text[j] != '\n')
                text[j] = ' ';
        ++i;
    }
    return VELA_OK;
}

static void skip_blanks(Scan *scan)
{
    while (scan->at < scan->length && is_blank(scan->text[scan->at]))
        ++scan->at;
}

static char current(const Scan *scan)
{
    return scan->at < scan->length ? scan->text[scan->at] : 0;
}

/// The value of four hexadecimal digits at `at`; -1 if they are not.
static int hexadecimal(const Scan *scan, size_t at)
{
    int value = 0;
    for (size_t i = at; i < at + 4; ++i) {
        const char c = i < scan->length ? scan->text[i] : 0;
        const int digit = is_digit(c)            ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return -1;
        value = 16 * value + digit;
    }
    return value;
}

/// At a backslash; moves behind the escape.
static VelaResult scan_escape(Scan *scan)
{
    const size_t start = scan->at;
    const char c = start + 1 < scan->length ? scan->text[start + 1] : 0;
    scan->at += 2;
    if (c && strchr("\"\\/bfnrt", c))
        return VELA_OK;
    if (c != 'u')
        return scan_fail(
            scan, start,
            "unknown escape in a string, expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    const int first = hexadecimal(scan, start + 2);
    if (first < 0)
        return scan_fail(scan, start, "\\u needs four hexadecimal digits");
    if (first == 0)
        return scan_fail(scan, start, "\\u0000 cannot be part of a string here");
    scan->at += 4;
    if (first < 0xD800 || first > 0xDFFF)
        return VELA_OK;
    const bool pair = first <= 0xDBFF && scan->at + 1 < scan->length && scan->text[scan->at] == '\\' &&
                      scan->text[scan->at + 1] == 'u';
    const int second = pair ? hexadecimal(scan, scan->at + 2) : -1;
    if (second < 0xDC00 || second > 0xDFFF)
        return scan_fail(scan, start, "half of a \\uXXXX\\uXXXX pair, expected both halves in order");
    scan->at += 6;
    return VELA_OK;
}

static VelaResult scan_string(Scan *scan)
{
    const size_t start = scan->at++;
    while (scan->at < scan->length && scan->text[scan->at] != '"') {
        const char c = scan->text[scan->at];
        if (c == '\n' || c == '\r')
            return scan_fail(scan, start, "this string has no end on its line, expected \"");
        if ((unsigned char)c < ' ')
            return scan_expected(scan, scan->at,
                                 "no control characters in a string (write \\n, \\t or \\uXXXX)");
        if (c == '\\') {
            TRY(scan_escape(scan));
            continue;
        }
        const size_t character = utf8_length(scan->text + scan->at, scan->length - scan->at);
        if (character == 0)
            return scan_expected(scan, scan->at, "UTF-8 text");
        scan->at += character;
    }
    if (scan->at >= scan->length)
        return scan_fail(scan, start, "this string has no end, expected \"");
    ++scan->at;
    return VELA_OK;
}

static size_t skip_digits(const Scan *scan, size_t at)
{
    while (at < scan->length && is_digit(scan->text[at]))
        ++at;
    return at;
}

static VelaResult scan_number(Scan *scan)
{
    enum { LONGEST = 60 }; // cJSON looks at 63 bytes of a number
    const char *text = scan->text;
    const size_t start = scan->at;
    size_t at = start + (text[start] == '-');
    bool good = is_digit(text[at]);
    at = text[at] == '0' ? at + 1 : skip_digits(scan, at);
    if (good && text[at] == '.') {
        good = is_digit(text[at + 1]);
        at = skip_digits(scan, at + 1);
    }
    if (good && (text[at] == 'e' || text[at] == 'E')) {
        at += 1 + (text[at + 1] == '+' || text[at + 1] == '-');
        good = is_digit(text[at]);
        at = skip_digits(scan, at);
    }
    if (!good || is_word(text[at]))
        return scan_expected(scan, start, "a number such as 12, -0.5 or 1e-3");
    if (at - start > LONGEST)
        return scan_expected(scan, start, "a number of at most 60 characters");
    scan->at = at;
    return VELA_OK;
}

static VelaResult scan_value(Scan *scan);

/// Behind the opening bracket of a list or an object.
static VelaResult scan_members(Scan *scan, bool object)
{
    const char close = object ? '}' : ']';
    skip_blanks(scan);
    if (current(scan) == close) {
        ++scan->at;
        return VELA_OK;
    }
    for (;;) {
        skip_blanks(scan);
        if (object) {
            if (current(scan) != '"')
                return scan_expected(scan, scan->at, "a key in double quotes");
            TRY(scan_string(scan));
            skip_blanks(scan);
            if (current(scan) != ':')
                return scan_expected(scan, scan->at, "':' after the key");
            ++scan->at;
        }
        TRY(scan_value(scan));
        skip_blanks(scan);
        if (current(scan) == close)
            break;
        if (current(scan) != ',')
            return scan_expected(scan, scan->at, object ? "',' or '}'" : "',' or ']'");
        const size_t comma = scan->at++;
        skip_blanks(scan);
        if (current(scan) == close)
            return scan_fail(scan, comma,
                             object ? "found a comma before '}', expected none behind the last entry"
                                    : "found a comma before ']', expected none behind the last entry");
    }
    ++scan->at;
    return VELA_OK;
}

static VelaResult scan_value(Scan *scan)
{
    skip_blanks(scan);
    if (++scan->values > JSON_MOST_VALUES)
        return scan_fail(scan, scan->at, "more than 2000000 values in one file");
    const char c = current(scan);
    if (c == '{' || c == '[') {
        if (++scan->depth > JSON_DEEPEST)
            return scan_fail(scan, scan->at, "nested deeper than 64 levels");
        ++scan->at;
        TRY(scan_members(scan, c == '{'));
        --scan->depth;
        return VELA_OK;
    }
    if (c == '"')
        return scan_string(scan);
    if (c == '-' || is_digit(c))
        return scan_number(scan);
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; ++i) {
        const size_t length = strlen(words[i]);
        if (strncmp(scan->text + scan->at, words[i], length) == 0 &&
            !is_word(scan->text[scan->at + length])) {
            scan->at += length;
            return VELA_OK;
        }
    }
    return scan_expected(scan, scan->at,
                         "a value: a number, a string in double quotes, true, false, null, [ or {");
}

static VelaResult scan_text(Scan *scan)
{
    TRY(blank_comments(scan));
    TRY(scan_value(scan));
    skip_blanks(scan);
    if (scan->at < scan->length)
        return scan_expected(scan, scan->at, "nothing more");
    return VELA_OK;
}

VelaResult json_parse(VelaContext *context, const char *name, const char *text, size_t length, Arena *scratch,
                      cJSON **root)
{
    *root = NULL;
    FAIL_IF(context, length > JSON_LARGEST_TEXT, VELA_ERROR_INVALID_INPUT,
            "%s: %zu bytes of text, expected at most %d", name, length, JSON_LARGEST_TEXT);
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3, length -= 3; // byte order mark
    const ArenaMark mark = arena_mark(scratch);
    Scan scan = {.context = context, .name = name, .original = text, .length = length};
    TRY(arena_string(scratch, text, length, &scan.text));
    VelaResult result = scan_text(&scan);
    // cJSON allocates by itself: hold its tree against the limit beforehand.
    const size_t estimate = scan.values * (sizeof(cJSON) + 48) + length;
    if (result == VELA_OK && context->memory_limit && context->memory_used + estimate > context->memory_limit)
        result = context_fail(context, VELA_ERROR_OUT_OF_MEMORY, "out of memory: %s needs %zu bytes", name,
                              estimate);
    if (result == VELA_OK) {
        *root = cJSON_ParseWithLength(scan.text, length + 1);
        if (!*root)
            result =
                context_fail(context, VELA_ERROR_OUT_OF_MEMORY, "out of memory: %s cannot be held", name);
    }
    arena_release(scratch, mark);
    return result;
}

VelaResult json_read(VelaContext *context, const char *path, Arena *scratch, cJSON **root)
{
    *root = NULL;
    struct stat status;
    FAIL_IF(context, stat(path, &status) != 0, VELA_ERROR_INVALID_INPUT, "%s: cannot be opened: %s", path,
            strerror(errno));
    FAIL_IF(context, !S_ISREG(status.st_mode), VELA_ERROR_INVALID_INPUT, "%s: not a regular file", path);
    FAIL_IF(context, status.st_size > JSON_LARGEST_TEXT, VELA_ERROR_INVALID_INPUT,
            "%s: %lld bytes, expected at most %d", path, (long long)status.st_size, JSON_LARGEST_TEXT);
    const ArenaMark mark = arena_mark(scratch);
    char *text;
    size_t length;
    VelaResult result = file_read(context, path, scratch, &text, &length);
    if (result == VELA_OK)
        result = json_parse(context, path, text, length, scratch, root);
    arena_release(scratch, mark);
    return result;
}

void json_write_string(FILE *file, const char *text)
{
    if (!text) {
        fputs("null", file);
        return;
    }
    fputc('"', file);
    for (size_t left = strlen(text), length; left > 0; left -= length, text += length) {
        length = utf8_length(text, left);
        if (length == 0) {
            fputs("\\ufffd", file);
            length = 1;
        } else if (*text == '"' || *text == '\\') {
            fprintf(file, "\\%c", *text);
        } else if ((unsigned char)*text < ' ') {
            fprintf(file, "\\u%04x", (unsigned char)*text);
        } else {
            fwrite(text, 1, length, file);
        }
    }
    fputc('"', file);
}

void json_write_number(FILE *file, double number)
{
    if (isfinite(number))
        fprintf(file, "%.17g", number);
    else
        fputs("null", file);
}
