// Nodes that pins hold in part (src/model/partial_pins.h): Q of every node, 00 11 22 01 02 12. Declare the buffers `flags` and
// `partial_pins` before.
#ifndef COMMON_PARTIAL_PINS_GLSL
#define COMMON_PARTIAL_PINS_GLSL

#include "abi/nodes.h"
#include "common/cg_vector.glsl"

bool is_held_in_part(uint i)
{
    return (flags[i] & NODE_IS_HELD_IN_PART) != 0u;
}

/// Q v of a node that is held in part.
real3 held_part(uint i, real3 v)
{
    real held[6];
    for (uint k = 0u; k < 6u; ++k)
        held[k] = partial_pins[6u * i + k];
    return symmetric_apply(held, v);
}

/// v without what a pin holds.
real3 free_part(uint i, real3 v)
{
    return is_held_in_part(i) ? v - held_part(i, v) : v;
}

/// The same of exact numbers.
Exact3 exact_free_part(uint i, Exact3 v)
{
    return is_held_in_part(i) ? exact3_add(v, exact3(-held_part(i, exact3_value(v)))) : v;
}

/// v with what the pin holds as in `wanted`.
Exact3 with_held_part(uint i, Exact3 v, Exact3 wanted)
{
    return exact3_add(v, exact3(held_part(i, exact3_difference(wanted, v))));
}

/// P m P + s Q of a node's own block, 00 11 22 01 02 12, s of its size.
void hold_block(uint i, inout real m[6])
{
    if (!is_held_in_part(i))
        return;
    const real size = (abs(m[0]) + abs(m[1]) + abs(m[2])) / real(3.0);
    // Rows of m P, then columns of P m P.
    const real3 rows[3] = real3[3](free_part(i, real3(m[0], m[3], m[4])), free_part(i, real3(m[3], m[1], m[5])),
                                   free_part(i, real3(m[4], m[5], m[2])));
    const real3 x = free_part(i, real3(rows[0].x, rows[1].x, rows[2].x)),
                y = free_part(i, real3(rows[0].y, rows[1].y, rows[2].y)),
                z = free_part(i, real3(rows[0].z, rows[1].z, rows[2].z));
    const real block[6] = real[6](x.x, y.y, z.z, y.x, z.x, z.y);
    for (uint k = 0u; k < 6u; ++k)
        m[k] = block[k] + size * partial_pins[6u * i + k];
}

#endif
