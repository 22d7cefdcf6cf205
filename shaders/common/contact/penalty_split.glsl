// ADMM's split of penalty contact; twin of src/device/cpu/terms/penalty_split.h, which says what the coordinates are. A copy is what
// one node of a surface has before one obstacle. Declare the buffers `scalars`, `planes` and `split` and node_count, surface_count,
// split_count (coordinates) before.
#ifndef COMMON_CONTACT_PENALTY_SPLIT_GLSL
#define COMMON_CONTACT_PENALTY_SPLIT_GLSL

#include "abi/admm.h"
#include "abi/nodes.h"
#include "abi/scalars.h"
#include "common/contact/penalty_obstacles.glsl"

struct Copy {
    uint obstacle, width, first; ///< coordinate j is at first + j surface_count of a section
    bool is_sphere;
    real across, along; ///< weights, N/m: across the obstacle, along it
};

/// Copies before the first obstacle begin at 0, others where copy_end leaves off. `mass`: of the node, kg.
Copy copy_of(uint obstacle, uint before, uint surface_node, real mass)
{
    const bool is_sphere = obstacle_is_sphere(obstacle);
    const real along = mass * scalars[SCALAR_INVERSE_A_SQ],
               across = plane_penalty_weight(scalars[SCALAR_STIFFNESS], along);
    return Copy(obstacle, uint(exact_value(obstacle_number(obstacle, PLANE_WIDTH))), before + surface_node, is_sphere,
                across, is_sphere ? across : along);
}

uint copy_end(Copy copy, uint before)
{
    return before + copy.width * surface_count;
}

uint copy_place(Copy copy, uint section, uint j)
{
    return section * split_count + copy.first + j * surface_count;
}

real copy_weight(Copy copy, uint j)
{
    return j == 0u ? copy.across : copy.along;
}

real3 copy_axis(Copy copy, uint j)
{
    if (copy.is_sphere)
        return real3(j == 0u ? 1 : 0, j == 1u ? 1 : 0, j == 2u ? 1 : 0);
    return obstacle_vector(copy.obstacle, j == 0u ? PLANE_NORMAL : PLANE_TANGENTS + 3u * (j - 1u));
}

/// Coordinates of the node at x; `base` is where its slip begins, which copies of planes with friction alone look at.
real3 copy_coordinates(Copy copy, Exact3 x, Exact3 base)
{
    if (copy.is_sphere)
        return exact3_difference(x, obstacle_point(copy.obstacle));
    real3 normal;
    real3 coordinates = real3(obstacle_gap(copy.obstacle, x, normal), 0.0, 0.0);
    const real3 slip = copy.width == 3u ? exact3_difference(x, base) : real3(0.0);
    for (uint j = 1u; j < 3u && j < copy.width; ++j)
        coordinates[j] = dot(copy_axis(copy, j), slip) - split[copy_place(copy, SPLIT_REST, j)];
    return coordinates;
}

/// Three numbers of a copy, 0 behind its width.
real3 copy_load(Copy copy, uint section)
{
    real3 loaded = real3(0.0);
    for (uint j = 0u; j < 3u && j < copy.width; ++j)
        loaded[j] = split[copy_place(copy, section, j)];
    return loaded;
}

#endif
