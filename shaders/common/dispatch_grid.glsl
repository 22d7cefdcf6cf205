// The arguments of an indirect dispatch of so many workgroups, as gpu_grid of src/gpu/commands.h lays them out: in one row, or
// in several where a row is longer than the device takes.
#ifndef COMMON_DISPATCH_GRID_GLSL
#define COMMON_DISPATCH_GRID_GLSL

uvec3 dispatch_grid(uint groups, uint groups_in_row)
{
    const uint rows = groups > groups_in_row ? groups / groups_in_row + uint(groups % groups_in_row > 0u) : 1u;
    return uvec3(groups / rows + uint(groups % rows > 0u), rows, 1u);
}

#endif
