// Exclusive sums over a workgroup, in the order of its invocations. Include after local_size_x_id.
#ifndef COMMON_SORT_WORKGROUP_SCAN_GLSL
#define COMMON_SORT_WORKGROUP_SCAN_GLSL

shared uint scan_scratch[2u * gl_WorkGroupSize.x];

/// The sum of the values of the invocations before this one; `total` is that of all. Call in uniform control flow.
uint workgroup_scan(uint value, out uint total)
{
    const uint i = gl_LocalInvocationIndex, size = gl_WorkGroupSize.x;
    uint from = 0u;
    barrier();
    scan_scratch[i] = value;
    barrier();
    for (uint width = 1u; width < size; width *= 2u) {
        const uint sum = scan_scratch[from + i] + (i >= width ? scan_scratch[from + i - width] : 0u);
        from = size - from;
        scan_scratch[from + i] = sum;
        barrier();
    }
    total = scan_scratch[from + size - 1u];
    return scan_scratch[from + i] - value;
}

#endif
