// How vertices weigh nodes. Declare the buffers `starts`, `nodes` and `weights` of the surface map before.
#ifndef COMMON_CONTACT_NODE_WEIGHT_GLSL
#define COMMON_CONTACT_NODE_WEIGHT_GLSL

#include "common/real.glsl"

/// 0 where the vertex does not follow from the node.
real node_weight(uint vertex, uint node)
{
    real weight = real(0.0);
    for (uint k = starts[vertex]; k < starts[vertex + 1u]; ++k)
        weight = nodes[k] == node ? exact_value(weights[k]) : weight;
    return weight;
}

#endif
