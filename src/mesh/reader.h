/// A bounded cursor over the bytes of a mesh file: words, numbers and records, as text or binary, with their
/// place.
///
/// The same call reads a number from text and from binary (reader_integer, reader_real), so that a format
/// that knows both is parsed once. Every failure names the file, the line (or the byte offset in a binary
/// file), what was found and what was expected, with VELA_ERROR_INVALID_INPUT.
#ifndef MESH_READER_H
#define MESH_READER_H

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

typedef struct Reader {
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
} Reader;

/// Largest coordinate that is accepted, so that volumes cannot overflow.
#define COORDINATE_MAX 1e30

/// `data[size]` must be 0.
Reader reader_make(VelaContext *context, const char *name, const char *data, size_t size);
/// "name: line 3: message"
VelaResult reader_fail(const Reader *reader, const char *format, ...) PRINTF_LIKE(2, 3);
/// Line or byte offset of the cursor, for place_text.
int64_t reader_place(const Reader *reader);
/// "line 3" or "byte 120"
const char *place_text(bool byte_places, int64_t place, char text[32]);
/// Fails with "found …, expected <format>"; what was found is the next word, or the end of the line or file.
VelaResult reader_expected(Reader *reader, const char *format, ...) PRINTF_LIKE(2, 3);

/// The next word, left unread; length 0 at the end of the file (of the line where `in_line`).
size_t reader_peek(Reader *reader, const char **word);
/// Whether the next word is `text` (letters of either case are the same); reads it if so.
bool reader_accept(Reader *reader, const char *text);
VelaResult reader_expect(Reader *reader, const char *text);
/// Reads the next word.
size_t reader_word(Reader *reader, const char **word);
/// Words left on this line.
int32_t reader_words_on_line(const Reader *reader);
/// Goes to the start of the next line.
void reader_next_line(Reader *reader);
/// Fails if another word stands on this line; leaves `in_line`.
VelaResult reader_end_record(Reader *reader, const char *what);
/// Moves `count` bytes on, which must be there; counts the lines.
void reader_advance(Reader *reader, size_t count);

/// An integer between `smallest` and `largest`. `what`: "a node id", for the message.
VelaResult reader_integer(Reader *reader, ScalarType type, const char *what, int64_t smallest,
                          int64_t largest, int64_t *value);
/// A finite number; text must be decimal.
VelaResult reader_real(Reader *reader, ScalarType type, const char *what, double *value);
/// Coordinate `axis` of a point, at most COORDINATE_MAX in size.
VelaResult reader_coordinate(Reader *reader, ScalarType type, int axis, double point[3]);
/// Three coordinates of at most COORDINATE_MAX in size.
VelaResult reader_point(Reader *reader, ScalarType type, double point[3]);
/// Refuses a count of `what` ("nodes") that the remaining bytes cannot hold at `bytes_each`, or above
/// INT32_MAX.
VelaResult reader_check_count(const Reader *reader, const char *what, int64_t count, int64_t bytes_each);
/// Reads a count and checks it.
VelaResult reader_count(Reader *reader, ScalarType type, const char *what, int64_t bytes_each,
                        int64_t *count);
size_t scalar_size(ScalarType type);

#endif
