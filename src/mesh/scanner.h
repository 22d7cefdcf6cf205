/// A bounded cursor over the bytes of a mesh file: words, numbers and records, as text or binary, with their
/// place.
///
/// The same call reads a number from text and from binary (scanner_integer, scanner_real), so that a format
/// that knows both is parsed once. Every failure names the file, the line (or the byte offset in a binary
/// file), what was found and what was expected, with VELA_ERROR_INVALID_INPUT.
#ifndef MESH_SCANNER_H
#define MESH_SCANNER_H

#include "base/context.h"

typedef enum ScalarType {
    SCALAR_INT8,
    SCALAR_UINT8,
    SCALAR_INT16,
    SCALAR_UINT16,
    SCALAR_INT32,
    SCALAR_UINT32,
    SCALAR_INT64,
    SCALAR_UINT64,
    SCALAR_FLOAT,
    SCALAR_DOUBLE,
} ScalarType;

typedef struct Scanner {
    VelaContext *context;
    const char *name; ///< of the file, for messages
    const char *begin, *cursor;
    const char *end;  ///< *end is 0
    int64_t line;     ///< of the cursor, from 1
    char comment;     ///< starts a comment that ends with the line; 0: none
    bool in_line;     ///< words of the next line are out of reach
    bool binary;      ///< numbers are binary here
    bool byte_places; ///< messages give byte offsets instead of lines
    bool swap;        ///< binary numbers are big-endian
} Scanner;

/// Largest coordinate that is accepted, so that volumes cannot overflow.
#define COORDINATE_MAX 1e30

/// `data[size]` must be 0.
Scanner scanner_make(VelaContext *context, const char *name, const char *data, size_t size);
/// "name: line 3: message"
VelaResult scanner_fail(const Scanner *scanner, const char *format, ...) PRINTF_LIKE(2, 3);
/// Line or byte offset of the cursor, for place_text.
int64_t scanner_place(const Scanner *scanner);
/// "line 3" or "byte 120"
const char *place_text(bool byte_places, int64_t place, char text[32]);
/// Fails with "found …, expected <format>"; what was found is the next word, or the end of the line or file.
VelaResult scanner_expected(Scanner *scanner, const char *format, ...) PRINTF_LIKE(2, 3);

/// The next word, left unread; length 0 at the end of the file (of the line where `in_line`).
size_t scanner_peek(Scanner *scanner, const char **word);
/// Whether the next word is `text` (letters of either case are the same); reads it if so.
bool scanner_accept(Scanner *scanner, const char *text);
VelaResult scanner_expect(Scanner *scanner, const char *text);
/// Reads the next word.
size_t scanner_word(Scanner *scanner, const char **word);
/// Words left on this line.
int32_t scanner_words_on_line(const Scanner *scanner);
/// Goes to the start of the next line.
void scanner_next_line(Scanner *scanner);
/// Fails if another word stands on this line; leaves `in_line`.
VelaResult scanner_end_record(Scanner *scanner, const char *what);
/// Moves `count` bytes on, which must be there; counts the lines.
void scanner_advance(Scanner *scanner, size_t count);

/// An integer between `smallest` and `largest`. `what`: "a node id", for the message.
VelaResult scanner_integer(Scanner *scanner, ScalarType type, const char *what, int64_t smallest,
                           int64_t largest, int64_t *value);
/// A finite number; text must be decimal.
VelaResult scanner_real(Scanner *scanner, ScalarType type, const char *what, double *value);
/// Coordinate `axis` of a point, at most COORDINATE_MAX in size.
VelaResult scanner_coordinate(Scanner *scanner, ScalarType type, int axis, double point[3]);
/// Three coordinates of at most COORDINATE_MAX in size.
VelaResult scanner_point(Scanner *scanner, ScalarType type, double point[3]);
/// Refuses a count of `what` ("nodes") that the remaining bytes cannot hold at `bytes_each`, or above
/// INT32_MAX.
VelaResult scanner_check_count(const Scanner *scanner, const char *what, int64_t count, int64_t bytes_each);
/// Reads a count and checks it.
VelaResult scanner_count(Scanner *scanner, ScalarType type, const char *what, int64_t bytes_each,
                         int64_t *count);
size_t scalar_size(ScalarType type);

#endif
