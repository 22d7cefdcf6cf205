// A sort's pass: every item to its place, where it is counted for the next pass. Those with the same digit keep their order.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#include "abi/kernel.h"

layout(local_size_x_id = SPEC_WORKGROUP_SIZE) in;
layout(scalar, set = 0, binding = 0) readonly buffer Counts { uint counts[]; };
layout(scalar, set = 0, binding = 1) buffer Work { uint work[]; };
layout(scalar, set = 0, binding = 2) readonly buffer Keys { uint keys[]; };
layout(scalar, set = 0, binding = 3) readonly buffer Payload { uint payload[]; };
layout(scalar, set = 0, binding = 4) writeonly buffer SortedKeys { uint sorted_keys[]; };
layout(scalar, set = 0, binding = 5) writeonly buffer SortedPayload { uint sorted_payload[]; };
layout(push_constant) uniform Push { uint count_place, key_words, digit_bits, pass, passes; };

#include "common/invocation.glsl"
#include "common/sort/digit.glsl"
#include "common/sort/tiles.glsl"
#include "common/sort/workgroup_scan.glsl"

// A tile is 32 segments of 32 items. Eight invocations have a segment: the first of them items 0, 8, 16 and 24, and so on. A bit of each
// item is a word a segment, so an item finds its equals there by one word for each bit of a digit.
//
// How often a segment has a digit takes 6 bits; a pack, four segments, shares a word. Once packs are summed, the word is the rank in the
// tile of the pack's first item with that digit, above the numbers of the pack's first three segments.
#define SEGMENT 32u
#define SEGMENT_LANES 8u
#define PACK 4u
#define PACKS (SORT_TILE / (SEGMENT * PACK))
#define COUNT_BITS 6u
#define RANK_SHIFT ((PACK - 1u) * COUNT_BITS)

shared uint digit_bytes[SORT_GROUP]; ///< an invocation's four digits
shared uint planes[SORT_GROUP];      ///< of a segment's invocation b: bit b of its items' digits
shared uint packs[PACKS * SORT_DIGITS];
shared uint places[SORT_DIGITS]; ///< where the tile's first item of a digit goes, less its rank in the tile

/// The numbers of the first `segments` of a pack, added up.
uint pack_sum(uint pack, uint segments)
{
    pack &= (1u << COUNT_BITS * segments) - 1u;
    return (pack & 63u) + (pack >> 6u & 63u) + (pack >> 12u & 63u) + (pack >> 18u & 63u);
}

/// Where in its tile the first of this invocation's items is.
uint first_item()
{
    return gl_LocalInvocationIndex / SEGMENT_LANES * SEGMENT + gl_LocalInvocationIndex % SEGMENT_LANES;
}

/// Which items of an invocation's segment have the same digit.
uvec4 find_equals(uvec4 digits)
{
    const uint own = gl_LocalInvocationIndex, lane = own % SEGMENT_LANES, first = own - lane;
    digit_bytes[own] = digits.x | digits.y << 8u | digits.z << 16u | digits.w << 24u;
    barrier();
    uint plane = 0u;
    for (uint i = 0u; i < SEGMENT_LANES; ++i)
        plane |= (digit_bytes[first + i] >> lane & 0x01010101u) << i;
    planes[own] = plane;
    barrier();
    uvec4 equals = uvec4(0xffffffffu);
    for (uint b = 0u; b < SORT_DIGIT_BITS_MOST; ++b)
        equals &= planes[first + b] ^ ((digits >> b & 1u) - 1u);
    return equals;
}

/// Sums of a digit's packs; `next`, where the tile's first item of the digit goes, becomes that of the next tile.
void sum_packs(inout uint next)
{
    const uint own = gl_LocalInvocationIndex;
    uint sum = 0u, total;
    for (uint p = 0u; p < PACKS; ++p)
        sum += pack_sum(packs[p * SORT_DIGITS + own], PACK);
    uint rank = workgroup_scan(sum, total);
    places[own] = next - rank;
    next += sum;
    for (uint p = 0u; p < PACKS; ++p) {
        const uint pack = packs[p * SORT_DIGITS + own];
        packs[p * SORT_DIGITS + own] = pack & (1u << RANK_SHIFT) - 1u | rank << RANK_SHIFT;
        rank += pack_sum(pack, PACK);
    }
}

/// The ranks of an invocation's items in their tile, by digit, then by where they are.
uvec4 rank_tile(uvec4 digits, inout uint next)
{
    const uint own = gl_LocalInvocationIndex, segment = own / SEGMENT_LANES % PACK,
               row = own / (SEGMENT_LANES * PACK) * SORT_DIGITS;
    for (uint p = 0u; p < PACKS; ++p)
        packs[p * SORT_DIGITS + own] = 0u;
    const uvec4 equals = find_equals(digits);
    const uvec4 before = equals & (uvec4(0x1u, 0x100u, 0x10000u, 0x1000000u) << own % SEGMENT_LANES) - 1u;
    const uvec4 counts = uvec4(bitCount(equals)) << COUNT_BITS * segment;
    // The first of equals counts them all.
    for (uint i = 0u; i < SORT_ITEMS; ++i)
        if (before[i] == 0u)
            atomicAdd(packs[row + digits[i]], counts[i]);
    barrier();
    sum_packs(next);
    barrier();
    uvec4 ranks = uvec4(bitCount(before));
    for (uint i = 0u; i < SORT_ITEMS; ++i) {
        const uint pack = packs[row + digits[i]];
        ranks[i] += (pack >> RANK_SHIFT) + pack_sum(pack, segment);
    }
    return ranks;
}

/// How often workgroups have this invocation's digit; 0 from `end` on.
uvec4 found_by(uvec4 group, uint end)
{
    uvec4 found = uvec4(0u);
    for (uint i = 0u; i < 4u; ++i)
        if (group[i] < end)
            found[i] = work[table_row(pass, group[i]) + gl_LocalInvocationIndex];
    return found;
}

/// Where the workgroup's first item of this invocation's digit goes.
uint first_place(uint groups)
{
    uvec4 before = uvec4(0u), all = uvec4(0u);
    for (uint first = 0u; first < groups; first += 8u) {
        const uvec4 near = first + uvec4(0u, 1u, 2u, 3u), far = near + 4u, own = uvec4(group_number());
        const uvec4 found = found_by(near, groups), further = found_by(far, groups); // loaded at once
        all += found + further;
        before += found * uvec4(lessThan(near, own)) + further * uvec4(lessThan(far, own));
    }
    uint total;
    const uint lesser = workgroup_scan(all.x + all.y + all.z + all.w, total);
    return lesser + before.x + before.y + before.z + before.w;
}

struct Items {
    uvec4 low, high, payload;
};

/// Those that this invocation has of a tile. What is not before `end` comes behind all others.
Items load_items(uint tile, uint end)
{
    const uint first = tile * SORT_TILE + first_item();
    Items items = Items(uvec4(0xffffffffu), uvec4(key_words > 1u ? 0xffffffffu : 0u), uvec4(0u));
    for (uint i = 0u; i < SORT_ITEMS; ++i) {
        const uint item = first + SEGMENT_LANES * i;
        if (item < end) {
            items.low[i] = keys[key_words * item];
            if (key_words > 1u)
                items.high[i] = keys[key_words * item + 1u];
            items.payload[i] = payload[item];
        }
    }
    return items;
}

/// A tile goes out in the order of ranks, so that neighbours write neighbours: through shared memory, which packs no longer need.
void stage(uint part, uvec4 ranks, uvec4 words)
{
    for (uint i = 0u; i < SORT_ITEMS; ++i)
        packs[part * SORT_TILE + ranks[i]] = words[i];
}

uvec4 staged(uint part)
{
    uvec4 words;
    for (uint i = 0u; i < SORT_ITEMS; ++i)
        words[i] = packs[part * SORT_TILE + i * SORT_GROUP + gl_LocalInvocationIndex];
    return words;
}

void put(uint rank, uvec3 item, uint digit, uint next_digit, uint group_size)
{
    const uint place = places[digit] + rank;
    sorted_keys[key_words * place] = item.x;
    if (key_words > 1u)
        sorted_keys[key_words * place + 1u] = item.y;
    sorted_payload[place] = item.z;
    if (pass + 1u < passes)
        atomicAdd(work[table_row(pass + 1u, place / group_size) + next_digit], 1u);
}

void main()
{
    const uint count = counts[count_place], own = gl_LocalInvocationIndex, groups = tile_groups(count);
    if (group_number() >= groups)
        return;
    const uvec2 tiles = own_tiles(count);
    const uint end = min(tiles.y * SORT_TILE, count), group_size = tiles_each(count) * SORT_TILE;
    Items items = load_items(tiles.x, end); // each tile's are under way while something else is waited for
    work[table_row(pass + 2u, group_number()) + own] = 0u;
    uint next = first_place(groups);
    for (uint tile = tiles.x; tile < tiles.y; ++tile) {
        const uvec4 ranks = rank_tile(key_digits(items.low, items.high, digit_bits, pass), next);
        barrier();
        stage(0u, ranks, items.low);
        stage(1u, ranks, items.high);
        barrier();
        const uvec4 low = staged(0u), high = staged(1u);
        barrier();
        stage(0u, ranks, items.payload);
        barrier();
        items = load_items(tile + 1u, end);
        const uvec4 sorted = staged(0u), digits = key_digits(low, high, digit_bits, pass),
                    next_digits = key_digits(low, high, digit_bits, pass + 1u);
        for (uint i = 0u; i < SORT_ITEMS; ++i) {
            const uint rank = i * SORT_GROUP + own;
            if (tile * SORT_TILE + rank < end)
                put(rank, uvec3(low[i], high[i], sorted[i]), digits[i], next_digits[i], group_size);
        }
        barrier();
    }
}
