// A matrix of 3x3 blocks from what elements of one kind have left of themselves: every block sums its contributions in a fixed order. The first
// kind writes, the others add. Rows of nodes that are not free have none and stay 0. Declare the buffers `block_start`,
// `contributions`, `data`, `first_rows`, `second_rows` and `third_rows`, and define SUMMED_BLOCK, the function of a block, before.
#ifndef COMMON_ELEMENTS_SUM_BLOCKS_GLSL
#define COMMON_ELEMENTS_SUM_BLOCKS_GLSL

/// Numbers of an element, and more words of the push constants: define both or neither.
#ifndef SUMMED_SIZE
#define SUMMED_SIZE ELEMENT_DATA
#define SUMMED_PUSH
#endif

layout(push_constant) uniform Push { uint entry_count, first_start, first_data, adds; SUMMED_PUSH };

real element_data(uint at)
{
    return data[at];
}

void add_contribution(uint contribution, inout real sum[9])
{
    const uint pairs = ELEMENT_CORNERS * ELEMENT_CORNERS, pair = contribution % pairs;
    real block[9];
    SUMMED_BLOCK(first_data + SUMMED_SIZE * (contribution / pairs), pair / ELEMENT_CORNERS, pair % ELEMENT_CORNERS, block);
    for (int k = 0; k < 9; ++k)
        sum[k] += block[k];
}

/// Entry e of the matrix.
void sum_blocks(uint e)
{
    if (e >= entry_count)
        return;
    const uint begin = block_start[first_start + e], end = block_start[first_start + e + 1u];
    if (adds != 0u && begin == end)
        return;
    real sum[9];
    for (int k = 0; k < 9; ++k)
        sum[k] = real(0.0);
    for (uint c = begin; c < end; ++c)
        add_contribution(contributions[c], sum);
    for (uint k = 0u; k < 3u && adds != 0u; ++k) {
        sum[k] += first_rows[k * entry_count + e];
        sum[3u + k] += second_rows[k * entry_count + e];
        sum[6u + k] += third_rows[k * entry_count + e];
    }
    for (uint k = 0u; k < 3u; ++k) {
        first_rows[k * entry_count + e] = sum[k];
        second_rows[k * entry_count + e] = sum[3u + k];
        third_rows[k * entry_count + e] = sum[6u + k];
    }
}

#endif
