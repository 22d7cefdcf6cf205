/// Binary files made of named, checksummed chunks: what states (.vst) and checkpoints (.vck) are stored as.
///
/// All numbers little-endian:
///   8 bytes magic, u32 version, u32 number of chunks, u64 size of the whole file;
///   for each chunk 4 bytes name, u32 CRC-32 of the data (the polynomial of zlib and PNG), u64 size of the
///   data, the data, zeros up to a multiple of 8 bytes.
/// Data starts at multiples of 8 bytes, so that what was read can be used in place.
#ifndef BASE_CHUNKS_H
#define BASE_CHUNKS_H

#include "base/arena.h"

enum { CHUNK_HEADER_SIZE = 24, CHUNK_ENTRY_SIZE = 16, CHUNK_COUNT_LIMIT = 1024 };

typedef struct Chunk {
    char name[5];     ///< four characters and a 0
    const void *data; ///< `size` bytes, 8-byte aligned
    uint64_t size;    ///< bytes
} Chunk;

typedef struct ChunkFile {
    const char *path; ///< for messages; borrowed from the caller of chunks_read
    int32_t count;
    const Chunk *chunks;
} ChunkFile;

/// Writes atomically; `durable`: synced before it gets its final name. VELA_ERROR_IO.
VelaResult chunks_write(VelaContext *context, const char *path, const char magic[8], uint32_t version,
                        int32_t count, const Chunk *chunks, bool durable);

/// Reads and checks the whole file into `arena`: magic, version, sizes, checksums, padding.
/// VELA_ERROR_INVALID_INPUT names the file, what was found and what was expected.
VelaResult chunks_read(VelaContext *context, const char *path, const char magic[8], uint32_t version,
                       Arena *arena, ChunkFile *file);

bool chunks_have(const ChunkFile *file, const char *name);
/// The chunk of that name. VELA_ERROR_INVALID_INPUT if there is none or if its size is not a multiple of
/// `element_size`; `*count` is the number of elements.
VelaResult chunks_find(VelaContext *context, const ChunkFile *file, const char *name, size_t element_size,
                       const void **data, uint64_t *count);
/// As chunks_find, for a number of elements that is known.
VelaResult chunks_find_exactly(VelaContext *context, const ChunkFile *file, const char *name,
                               size_t element_size, uint64_t count, const void **data);

/// CRC-32 of `size` bytes; `seed` is 0, or the result for what stands before.
uint32_t crc32_of(uint32_t seed, const void *data, size_t size);

#endif
