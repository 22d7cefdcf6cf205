// Blocks of Newton's matrix that one row reads for two, which a workgroup's rows hand each other (abi/linear.h): in the memory that
// common/coarse_clusters.glsl has, behind whose last use of it there has to be a barrier. Include that and common/matrix_columns.glsl before.
#ifndef COMMON_HANDED_BLOCKS_GLSL
#define COMMON_HANDED_BLOCKS_GLSL

/// Where a row's word is; behind it are the places of what it hands on: behind the words of its columns.
uint handed_words(RowHead head)
{
    const uint width = (head.entries.y - head.entries.x + SLICE_ROWS - 1u) / SLICE_ROWS;
    return head.columns.words + SLICE_ROWS * (head.columns.base == SLICE_IS_WIDE ? width : (width + 1u) / 2u);
}

/// Entries before it are read.
uint read_end(RowHead head, uint word)
{
    const uint read = word & HANDED_READ_MOST;
    return read == HANDED_READ_MOST ? head.entries.y : head.entries.x / SLICE_ROWS * SLICE_ROWS + SLICE_ROWS * read;
}

/// Those before it, but for the diagonal, are handed on.
uint handed_end(RowHead head, uint word)
{
    const uint handed = word >> HANDED_READ_BITS & ((1u << HANDED_ON_BITS) - 1u);
    return head.entries.x / SLICE_ROWS * SLICE_ROWS + SLICE_ROWS * (handed + 1u);
}

/// Places of what is handed on of pair number `pair` of a row's entries behind the diagonal, 16 bits each.
uint handed_places(RowHead head, uint pair)
{
    return columns[handed_words(head) + SLICE_ROWS * (pair + 1u)];
}

void hand_on(uint place, real3 value)
{
    for (uint k = 0u; k < 3u; ++k)
        stripe_numbers[3u * place + k] = value[k];
}

/// What the row is handed, behind a barrier.
real3 handed_sum(uint word)
{
    real3 sum = real3(0.0);
    word >>= HANDED_READ_BITS + HANDED_ON_BITS;
    const uint first = word >> HANDED_COUNT_BITS, end = first + (word & ((1u << HANDED_COUNT_BITS) - 1u));
    for (uint place = first; place < end; ++place)
        sum += real3(stripe_numbers[3u * place], stripe_numbers[3u * place + 1u], stripe_numbers[3u * place + 2u]);
    return sum;
}

#endif
