// The motions P of a node's group (abi/coarse.h). Declare the buffer `arms` of real3 before, and node_count: behind the nodes' arms are for each group, by its turn, what
// abi/coarse.h says. Define MOTIONS_ARE_AFFINE where all are.
#ifndef COMMON_GROUP_MOTIONS_GLSL
#define COMMON_GROUP_MOTIONS_GLSL

#include "abi/coarse.h"
#include "common/real.glsl"

struct GroupMotions {
    uint kind;
    real3x3 frame; ///< its columns
};

#ifdef MOTIONS_ARE_AFFINE

GroupMotions group_motions(uint group)
{
    return GroupMotions(MOTIONS_AFFINE, real3x3(1.0));
}

#else

/// Where a group's are.
uint motions_place(uint group)
{
    return node_count + COARSE_MOTIONS_VECTORS * group;
}

GroupMotions group_motions(uint group)
{
    const uint at = motions_place(group);
    return GroupMotions(uint(arms[at].x), real3x3(arms[at + COARSE_MOTIONS_FRAME], arms[at + COARSE_MOTIONS_FRAME + 1u], arms[at + COARSE_MOTIONS_FRAME + 2u]));
}

#endif

/// P^T times a node's vector.
void motions_of(GroupMotions motions, real3 arm, real3 value, out real of[COARSE_MODES])
{
    if (motions.kind == MOTIONS_AFFINE) {
        for (uint k = 0u; k < 3u; ++k) {
            of[4u * k] = value[k];
            for (uint l = 0u; l < 3u; ++l)
                of[4u * k + l + 1u] = value[k] * arm[l];
        }
        return;
    }
    const real3 f = value * motions.frame;
    const real u = arm.x, v = arm.y, w = arm.z;
    if (motions.kind == MOTIONS_PLATE) {
        const real fx = w * f.x, fy = w * f.y;
        of[0] = f.x;
        of[1] = f.x * u;
        of[2] = f.x * v;
        of[3] = f.z * u * u - real(2.0) * u * fx;
        of[4] = f.y;
        of[5] = f.y * u;
        of[6] = f.y * v;
        of[7] = f.z * v * v - real(2.0) * v * fy;
        of[8] = f.z;
        of[9] = f.z * u - fx;
        of[10] = f.z * v - fy;
        of[11] = f.z * u * v - (v * fx + u * fy);
    } else {
        const real turned = f.z * v - f.y * w, slope = real(3.0) * u * u;
        of[0] = f.x;
        of[1] = f.x * u;
        of[2] = turned;
        of[3] = turned * u;
        of[4] = f.y;
        of[5] = f.y * u - v * f.x;
        of[6] = (f.y * u - real(2.0) * v * f.x) * u;
        of[7] = f.y * u * u * u - slope * v * f.x;
        of[8] = f.z;
        of[9] = f.z * u - w * f.x;
        of[10] = (f.z * u - real(2.0) * w * f.x) * u;
        of[11] = f.z * u * u * u - slope * w * f.x;
    }
}

/// The vector of which motions_of gives these: numbers 0, 4 and 8.
real3 motions_vector(GroupMotions motions, real3 of)
{
    return motions.kind == MOTIONS_AFFINE ? of : motions.frame * of;
}

/// P times the motions d.
real3 motions_move(GroupMotions motions, real3 arm, real d[COARSE_MODES])
{
    real3 moved;
    if (motions.kind == MOTIONS_AFFINE) {
        for (uint k = 0u; k < 3u; ++k)
            moved[k] = d[4u * k] + (arm.x * d[4u * k + 1u] + arm.y * d[4u * k + 2u] + arm.z * d[4u * k + 3u]);
        return moved;
    }
    const real u = arm.x, v = arm.y, w = arm.z;
    if (motions.kind == MOTIONS_PLATE) {
        moved.x = d[0] + u * d[1] + v * d[2] - w * (real(2.0) * u * d[3] + d[9] + v * d[11]);
        moved.y = d[4] + u * d[5] + v * d[6] - w * (real(2.0) * v * d[7] + d[10] + u * d[11]);
        moved.z = u * u * d[3] + v * v * d[7] + d[8] + u * d[9] + v * d[10] + u * v * d[11];
    } else {
        const real turned = d[2] + u * d[3];
        moved.x = d[0] + u * d[1] - v * (d[5] + u * (real(2.0) * d[6] + real(3.0) * u * d[7])) -
                  w * (d[9] + u * (real(2.0) * d[10] + real(3.0) * u * d[11]));
        moved.y = d[4] + u * (d[5] + u * (d[6] + u * d[7])) - w * turned;
        moved.z = d[8] + u * (d[9] + u * (d[10] + u * d[11])) + v * turned;
    }
    return motions.frame * moved;
}

#endif
