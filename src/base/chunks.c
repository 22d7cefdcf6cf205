#include "base/chunks.h"

#include "base/file.h"

#include <errno.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "chunk files are read in place: little-endian hosts only");

// Slicing by eight: table[k][b] is the CRC of byte b followed by k zero bytes. Made anew for every call (a
// few microseconds), which keeps it off the list of globals.
static void crc32_tables(uint32_t table[8][256])
{
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = value & 1 ? value >> 1 ^ 0xedb88320u : value >> 1;
        table[0][i] = value;
    }
    for (int k = 1; k < 8; ++k)
        for (int i = 0; i < 256; ++i)
            table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 255];
}

uint32_t crc32_of(uint32_t seed, const void *data, size_t size)
{
    uint32_t table[8][256];
    crc32_tables(table);
    const unsigned char *bytes = data;
    uint32_t value = ~seed;
    for (; size >= 8; size -= 8, bytes += 8) {
        uint32_t low, high;
        memcpy(&low, bytes, 4);
        memcpy(&high, bytes + 4, 4);
        low ^= value;
        value = table[7][low & 255] ^ table[6][low >> 8 & 255] ^ table[5][low >> 16 & 255] ^
                table[4][low >> 24] ^ table[3][high & 255] ^ table[2][high >> 8 & 255] ^
                table[1][high >> 16 & 255] ^ table[0][high >> 24];
    }
    for (; size > 0; --size, ++bytes)
        value = value >> 8 ^ table[0][(value ^ *bytes) & 255];
    return ~value;
}

static uint64_t padding_of(uint64_t size)
{
    return (8 - size % 8) % 8;
}

static void put_u32(unsigned char *to, uint32_t value)
{
    memcpy(to, &value, sizeof value);
}

static void put_u64(unsigned char *to, uint64_t value)
{
    memcpy(to, &value, sizeof value);
}

static uint32_t get_u32(const char *from)
{
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static uint64_t get_u64(const char *from)
{
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static bool write_chunk(FILE *file, const Chunk *chunk)
{
    static const unsigned char zeros[8];
    unsigned char entry[CHUNK_ENTRY_SIZE];
    memcpy(entry, chunk->name, 4);
    put_u32(entry + 4, crc32_of(0, chunk->data, chunk->size));
    put_u64(entry + 8, chunk->size);
    const size_t padding = (size_t)padding_of(chunk->size);
    return fwrite(entry, 1, sizeof entry, file) == sizeof entry &&
           fwrite(chunk->data, 1, chunk->size, file) == chunk->size &&
           fwrite(zeros, 1, padding, file) == padding;
}

VelaResult chunks_write(VelaContext *context, const char *path, const char magic[8], uint32_t version,
                        int32_t count, const Chunk *chunks, bool durable)
{
    uint64_t size = CHUNK_HEADER_SIZE;
    for (int32_t i = 0; i < count; ++i)
        size += CHUNK_ENTRY_SIZE + chunks[i].size + padding_of(chunks[i].size);
    unsigned char header[CHUNK_HEADER_SIZE];
    memcpy(header, magic, 8);
    put_u32(header + 8, version);
    put_u32(header + 12, (uint32_t)count);
    put_u64(header + 16, size);

    FileWriter writer;
    TRY(file_writer_open(&writer, context, path));
    errno = 0;
    bool good = fwrite(header, 1, sizeof header, writer.file) == sizeof header;
    for (int32_t i = 0; good && i < count; ++i)
        good = write_chunk(writer.file, &chunks[i]);
    if (good)
        return file_writer_commit(&writer, durable);
    const int reason = errno;
    file_writer_discard(&writer);
    return context_fail(context, VELA_ERROR_IO, "%s: cannot be written: %s", path,
                        reason ? strerror(reason) : "write error");
}

// At most eight bytes, made printable for a message; `quoted` has room for them and a 0.
static void quote(const char *data, size_t size, char *quoted)
{
    size_t length = 0;
    for (; length < 8 && length < size; ++length)
        quoted[length] = data[length] >= ' ' && data[length] <= '~' ? data[length] : '.';
    quoted[length] = 0;
}

static VelaResult check_header(VelaContext *context, const char *path, const char magic[8], uint32_t version,
                               const char *data, size_t size)
{
    char found[9], expected[9];
    quote(data, size, found);
    quote(magic, 8, expected);
    FAIL_IF(context, size < 8 || memcmp(data, magic, 8) != 0, VELA_ERROR_INVALID_INPUT,
            "%s: starts with '%s' (%zu bytes in all), expected '%s'", path, found, size, expected);
    FAIL_IF(context, size < CHUNK_HEADER_SIZE, VELA_ERROR_INVALID_INPUT,
            "%s: truncated: found %zu bytes, expected a header of %d", path, size, CHUNK_HEADER_SIZE);
    FAIL_IF(context, get_u32(data + 8) != version, VELA_ERROR_INVALID_INPUT,
            "%s: version %u of the format '%s', expected %u", path, get_u32(data + 8), expected, version);
    const uint64_t whole = get_u64(data + 16);
    FAIL_IF(context, whole != size, VELA_ERROR_INVALID_INPUT, "%s: %s: found %zu bytes, expected %llu", path,
            size < whole ? "truncated" : "damaged", size, (unsigned long long)whole);
    FAIL_IF(context, get_u32(data + 12) > CHUNK_COUNT_LIMIT, VELA_ERROR_INVALID_INPUT,
            "%s: damaged: %u chunks, expected at most %d", path, get_u32(data + 12), CHUNK_COUNT_LIMIT);
    return VELA_OK;
}

// Reads the chunk at `*offset` and moves behind it.
static VelaResult read_chunk(VelaContext *context, const char *path, const char *data, size_t size,
                             size_t *offset, Chunk *chunk)
{
    const size_t at = *offset, left = size - at;
    FAIL_IF(context, left < CHUNK_ENTRY_SIZE, VELA_ERROR_INVALID_INPUT,
            "%s: damaged: %zu bytes left at byte %zu, expected a chunk", path, left, at);
    quote(data + at, 4, chunk->name);
    const uint64_t length = get_u64(data + at + 8), room = left - CHUNK_ENTRY_SIZE;
    FAIL_IF(context, length > room || padding_of(length) > room - length, VELA_ERROR_INVALID_INPUT,
            "%s: damaged: chunk '%s' at byte %zu says %llu bytes, expected at most %llu", path, chunk->name,
            at, (unsigned long long)length, (unsigned long long)room);
    chunk->data = data + at + CHUNK_ENTRY_SIZE;
    chunk->size = length;
    const uint32_t expected = get_u32(data + at + 4), found = crc32_of(0, chunk->data, length);
    FAIL_IF(context, found != expected, VELA_ERROR_INVALID_INPUT,
            "%s: damaged: chunk '%s' at byte %zu has the checksum %08x, expected %08x", path, chunk->name, at,
            found, expected);
    *offset = at + CHUNK_ENTRY_SIZE + length;
    for (uint64_t i = padding_of(length); i > 0; --i, ++*offset)
        FAIL_IF(context, data[*offset] != 0, VELA_ERROR_INVALID_INPUT,
                "%s: damaged: byte %zu behind chunk '%s' is %d, expected 0", path, *offset, chunk->name,
                data[*offset]);
    return VELA_OK;
}

VelaResult chunks_read(VelaContext *context, const char *path, const char magic[8], uint32_t version,
                       Arena *arena, ChunkFile *file)
{
    *file = (ChunkFile){.path = path};
    char *data;
    size_t size;
    TRY(file_read(context, path, arena, &data, &size));
    TRY(check_header(context, path, magic, version, data, size));
    const uint32_t count = get_u32(data + 12);
    Chunk *chunks;
    TRY(ARENA_ARRAY(arena, chunks, count));
    size_t offset = CHUNK_HEADER_SIZE;
    for (uint32_t i = 0; i < count; ++i)
        TRY(read_chunk(context, path, data, size, &offset, &chunks[i]));
    FAIL_IF(context, offset != size, VELA_ERROR_INVALID_INPUT,
            "%s: damaged: %zu bytes behind the last of %u chunks", path, size - offset, count);
    file->count = (int32_t)count;
    file->chunks = chunks;
    return VELA_OK;
}

bool chunks_have(const ChunkFile *file, const char *name)
{
    for (int32_t i = 0; i < file->count; ++i)
        if (strcmp(file->chunks[i].name, name) == 0)
            return true;
    return false;
}

VelaResult chunks_find(VelaContext *context, const ChunkFile *file, const char *name, size_t element_size,
                       const void **data, uint64_t *count)
{
    *data = NULL;
    *count = 0;
    for (int32_t i = 0; i < file->count; ++i) {
        const Chunk *chunk = &file->chunks[i];
        if (strcmp(chunk->name, name) != 0)
            continue;
        FAIL_IF(context, chunk->size % element_size != 0, VELA_ERROR_INVALID_INPUT,
                "%s: damaged: chunk '%s' has %llu bytes, expected a multiple of %zu", file->path, name,
                (unsigned long long)chunk->size, element_size);
        *data = chunk->data;
        *count = chunk->size / element_size;
        return VELA_OK;
    }
    return context_fail(context, VELA_ERROR_INVALID_INPUT, "%s: the chunk '%s' is missing", file->path, name);
}

VelaResult chunks_find_exactly(VelaContext *context, const ChunkFile *file, const char *name,
                               size_t element_size, uint64_t count, const void **data)
{
    uint64_t found;
    TRY(chunks_find(context, file, name, element_size, data, &found));
    FAIL_IF(context, found != count, VELA_ERROR_INVALID_INPUT,
            "%s: damaged: chunk '%s' holds %llu elements, expected %llu", file->path, name,
            (unsigned long long)found, (unsigned long long)count);
    return VELA_OK;
}
