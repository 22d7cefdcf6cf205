// Exclusive sums over a workgroup of 256, in the order of its invocations.
#ifndef COMMON_SORT_WORKGROUP_SCAN_GLSL
#define COMMON_SORT_WORKGROUP_SCAN_GLSL

// Rows of 16: each invocation sums what is before it in its row, then the sums of the rows before. Its loads do not wait for one
// another, as rounds for every power of 2 would, with a barrier each.
#define SCAN_ROW 16u
shared uint scan_values[SCAN_ROW * SCAN_ROW];
shared uint scan_rows[SCAN_ROW];

/// The sum of the values of the invocations before this one; `total` is that of all. Call in uniform control flow.
uint workgroup_scan(uint value, out uint total)
{
    const uint row = gl_LocalInvocationIndex / SCAN_ROW, column = gl_LocalInvocationIndex % SCAN_ROW;
    uint before = 0u, all = 0u;
    barrier();
    scan_values[gl_LocalInvocationIndex] = value;
    barrier();
    for (uint i = 0u; i < SCAN_ROW; ++i) {
        before += i < column ? scan_values[SCAN_ROW * row + i] : 0u;
    }
    if (column == SCAN_ROW - 1u)
        scan_rows[row] = before + value;
    barrier();
    for (uint i = 0u; i < SCAN_ROW; ++i) {
        const uint sum = scan_rows[i];
        before += i < row ? sum : 0u;
        all += sum;
    }
    total = all;
    return before;
}

#endif
