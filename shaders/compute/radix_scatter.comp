// Last part of a sort's pass: every item to its place. Those with the same digit keep their order.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Counts { uint counts[]; };
layout(scalar, set = 0, binding = 1) readonly buffer Work { uint work[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Keys { uint keys[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Payload { uint payload[]; };
layout(scalar, set = 0, binding = 4) writeonly buffer SortedKeys { uint sorted_keys[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer SortedPayload { uint sorted_payload[]; };
layout(push_constant) uniform Push { uint count_place, key_words, shift; };

#include "common/invocation.glsl"
#include "common/sort/digit.glsl"
#include "common/sort/tiles.glsl"
#include "common/sort/workgroup_scan.glsl"

// How often each invocation has each digit, then how many items of the tile come before those. Digit d and digit d + 8 share a
// word, for a tile has less than 2^16 items.
#define HALF_DIGITS (SORT_DIGITS / 2)
shared uint ranks[HALF_DIGITS * SORT_GROUP];
shared uint places[SORT_DIGITS]; ///< where the tile's first item of a digit goes, less its rank in the tile

uint rank_word(uint digit)
{
    return digit % HALF_DIGITS * SORT_GROUP + gl_LocalInvocationIndex;
}

uint rank_shift(uint digit)
{
    return digit / HALF_DIGITS * 16u;
}

/// Counts of the digits of `first` to `end` become ranks; returns those of all items, both halves.
uint rank_tile(uint first, uint end)
{
    const uint own = gl_LocalInvocationIndex;
    for (uint d = 0u; d < HALF_DIGITS; ++d)
        ranks[rank_word(d)] = 0u;
    for (uint i = first; i < end; ++i) {
        const uint digit = key_digit(i);
        ranks[rank_word(digit)] += 1u << rank_shift(digit);
    }
    barrier();
    uint sum = 0u, total;
    for (uint k = 0u; k < HALF_DIGITS; ++k)
        sum += ranks[own * HALF_DIGITS + k];
    sum = workgroup_scan(sum, total);
    sum += total << 16u; // digits of the upper half come behind all of the lower
    for (uint k = 0u; k < HALF_DIGITS; ++k) {
        const uint value = ranks[own * HALF_DIGITS + k];
        ranks[own * HALF_DIGITS + k] = sum;
        sum += value;
    }
    barrier();
    return total;
}

/// The rank of the tile's first item of a digit; of SORT_DIGITS: how many items the tile has.
uint first_rank(uint digit, uint total)
{
    if (digit == SORT_DIGITS)
        return (total & 0xffffu) + (total >> 16u);
    return ranks[digit % HALF_DIGITS * SORT_GROUP] >> rank_shift(digit) & 0xffffu;
}

void main()
{
    const uint count = counts[count_place], own = gl_LocalInvocationIndex, groups = tile_groups(count);
    if (group_number() >= groups)
        return;
    const uvec2 tiles = own_tiles(count);
    uint next = own < SORT_DIGITS ? work[SORT_PARTIALS + own * groups + group_number()] : 0u;
    for (uint tile = tiles.x; tile < tiles.y; ++tile) {
        const uint first = min(tile * SORT_TILE + own * SORT_ITEMS, count), end = min(first + SORT_ITEMS, count);
        const uint total = rank_tile(first, end);
        if (own < SORT_DIGITS) {
            const uint least = first_rank(own, total);
            places[own] = next - least;
            next += first_rank(own + 1u, total) - least;
        }
        barrier();
        for (uint i = first; i < end; ++i) {
            const uint digit = key_digit(i), word = ranks[rank_word(digit)];
            const uint place = places[digit] + (word >> rank_shift(digit) & 0xffffu);
            ranks[rank_word(digit)] = word + (1u << rank_shift(digit));
            for (uint w = 0u; w < key_words; ++w)
                sorted_keys[key_words * place + w] = keys[key_words * i + w];
            sorted_payload[place] = payload[i];
        }
        barrier();
    }
}
