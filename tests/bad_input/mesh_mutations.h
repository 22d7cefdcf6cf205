/// Broken copies of good files, from a pseudo-random sequence that a number fixes.
#ifndef TESTS_MESH_MUTATIONS_H
#define TESTS_MESH_MUTATIONS_H

#include "mesh_seeds.h"

#include <ctype.h>

/// SplitMix64.
static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/// 0 to limit - 1; 0 for limit 0.
static inline size_t random_below(uint64_t *state, size_t limit)
{
    return limit > 0 ? (size_t)(random_next(state) % limit) : 0;
}

/// Replaces `removed` bytes at `at` by `size` others.
static inline void bytes_replace(Bytes *bytes, size_t at, size_t removed, const void *data, size_t size)
{
    Bytes changed = {0};
    bytes_append(&changed, bytes->data, at);
    bytes_append(&changed, data, size);
    bytes_append(&changed, bytes->data + at + removed, bytes->size - at - removed);
    free(bytes->data);
    *bytes = changed;
}

/// Puts an extreme number in the place of one in the text.
static inline void mutate_number(Bytes *bytes, uint64_t *state)
{
    static const char *const extremes[] = {
        "0",
        "-1",
        "1",
        "3",
        "2147483647",
        "2147483648",
        "-2147483648",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "99999999999999999999999",
        "1e308",
        "-1e30",
        "1e31",
        "1e-320",
        "1e999",
        "nan",
        "-inf",
        "0x1p9",
        "1e",
        "--1",
        ".",
        "",
        "1.5",
        "000000000000000000000001",
        "2000000000",
    };
    size_t at = random_below(state, bytes->size);
    for (size_t tried = 0; tried < bytes->size && !isdigit((unsigned char)bytes->data[at]); ++tried)
        at = (at + 1) % bytes->size;
    size_t end = at;
    while (at > 0 && strchr("0123456789.-+eE", bytes->data[at - 1]) && bytes->data[at - 1])
        --at;
    while (end < bytes->size && strchr("0123456789.-+eE", bytes->data[end]) && bytes->data[end])
        ++end;
    const char *extreme = extremes[random_below(state, sizeof extremes / sizeof *extremes)];
    bytes_replace(bytes, at, end - at, extreme, strlen(extreme));
}

/// Overwrites 4 or 8 bytes with an extreme binary number.
static inline void mutate_binary(Bytes *bytes, uint64_t *state)
{
    static const uint64_t extremes[] = {
        0,
        1,
        UINT64_MAX,
        INT32_MAX,
        0x80000000u,
        0x7fffffffffffffffu,
        0x8000000000000000u,
        0x7ff0000000000000u,
        0x7ff8000000000000u,
        0x7f800000u,
        0x7fc00000u,
        0x100000000u,
        0x0000000100000000u,
        0x4000000000000000u,
        1000000,
    };
    const size_t size = random_below(state, 2) ? 4 : 8;
    if (bytes->size < size)
        return;
    const uint64_t extreme = extremes[random_below(state, sizeof extremes / sizeof *extremes)];
    char number[8];
    memcpy(number, &extreme, sizeof number);
    if (random_below(state, 4) == 0)
        for (size_t i = 0; i < size / 2; ++i) {
            const char byte = number[i];
            number[i] = number[size - 1 - i];
            number[size - 1 - i] = byte;
        }
    memcpy(bytes->data + random_below(state, bytes->size - size + 1), number, size);
}

/// One change: a bit, a byte, a number, or a range that is deleted, repeated, moved or cut off.
static inline void mutate_once(Bytes *bytes, uint64_t *state)
{
    if (bytes->size == 0)
        return;
    const size_t at = random_below(state, bytes->size), longest = bytes->size - at;
    const size_t length =
        1 + random_below(state, random_below(state, 2) ? longest : (longest < 8 ? longest : 8));
    const size_t size = length <= longest ? length : longest;
    switch (random_below(state, 9)) {
    case 0:
        bytes->data[at] = (char)(bytes->data[at] ^ 1 << random_below(state, 8));
        break;
    case 1:
        bytes->data[at] = (char)random_below(state, 256);
        break;
    case 2:
        bytes_replace(bytes, at, size, "", 0);
        break;
    case 3: {
        Bytes range = {0};
        bytes_append(&range, bytes->data + at, size);
        bytes_replace(bytes, random_below(state, bytes->size + 1), 0, range.data, range.size);
        free(range.data);
        break;
    }
    case 4:
        bytes_replace(bytes, at, longest, "", 0);
        break;
    case 5:
        mutate_binary(bytes, state);
        break;
    case 6: // a byte that separates
        bytes->data[at] = " \n\r\t#\"$/"[random_below(state, 8)];
        break;
    default:
        mutate_number(bytes, state);
        break;
    }
}

/// A copy of `seed` with one to four changes, half of them with one, in exactly as many bytes as it has and a 0 (for sanitizers). free() data.
static inline Bytes mutate(const Bytes *seed, uint64_t *state)
{
    Bytes bytes = {0};
    bytes_append(&bytes, seed->data, seed->size);
    for (size_t changes = random_below(state, 2) ? 1 : 1 + random_below(state, 4); changes > 0; --changes)
        mutate_once(&bytes, state);
    char *exact = realloc(bytes.data, bytes.size + 1);
    if (!exact)
        abort();
    bytes.data = exact;
    bytes.capacity = bytes.size + 1;
    return bytes;
}

#endif
