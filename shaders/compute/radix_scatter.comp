// Last part of a sort's pass: every item to its place. Those with the same digit keep their order.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_control_flow_attributes : require
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

/// An item of a tile that the invocation has; behind the last one it is that one again.
struct Item {
    uint key[2], payload, digit;
};

/// Those from `first` on: all loads under way together.
void load_items(uint first, uint count, out Item items[SORT_ITEMS])
{
    [[unroll]] for (uint k = 0u; k < SORT_ITEMS; ++k) {
        const uint i = min(first + k, count - 1u);
        items[k].key[0] = keys[key_words * i];
        items[k].key[1] = keys[key_words * i + key_words - 1u];
        items[k].payload = payload[i];
    }
    [[unroll]] for (uint k = 0u; k < SORT_ITEMS; ++k)
        items[k].digit = (shift < 32u ? items[k].key[0] : items[k].key[1]) >> shift % 32u & uint(SORT_DIGITS - 1);
}

/// Counts of the digits of an invocation's items, `own_count` of them, become ranks; returns those of all items, both halves.
uint rank_tile(Item items[SORT_ITEMS], uint own_count)
{
    const uint own = gl_LocalInvocationIndex;
    for (uint d = 0u; d < HALF_DIGITS; ++d)
        ranks[rank_word(d)] = 0u;
    [[unroll]] for (uint k = 0u; k < SORT_ITEMS; ++k)
        if (k < own_count)
            ranks[rank_word(items[k].digit)] += 1u << rank_shift(items[k].digit);
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
        const uint first = min(tile * SORT_TILE + own * SORT_ITEMS, count), own_count = min(count - first, SORT_ITEMS);
        Item items[SORT_ITEMS];
        load_items(first, count, items);
        const uint total = rank_tile(items, own_count);
        if (own < SORT_DIGITS) {
            const uint least = first_rank(own, total);
            places[own] = next - least;
            next += first_rank(own + 1u, total) - least;
        }
        barrier();
        [[unroll]] for (uint k = 0u; k < SORT_ITEMS; ++k) {
            if (k >= own_count)
                break;
            const uint digit = items[k].digit, word = ranks[rank_word(digit)];
            const uint place = places[digit] + (word >> rank_shift(digit) & 0xffffu);
            ranks[rank_word(digit)] = word + (1u << rank_shift(digit));
            sorted_keys[key_words * place] = items[k].key[0];
            if (key_words > 1u)
                sorted_keys[key_words * place + 1u] = items[k].key[1];
            sorted_payload[place] = items[k].payload;
        }
        barrier();
    }
}
