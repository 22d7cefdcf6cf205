// Axis-aligned boxes in single precision, rounded outward.
#ifndef COMMON_CONTACT_BOXES_GLSL
#define COMMON_CONTACT_BOXES_GLSL

struct Box {
    vec3 low, high; ///< m; low > high: empty
};

#define BOX_FARTHEST 3.0e38

Box box_empty()
{
    return Box(vec3(BOX_FARTHEST), vec3(-BOX_FARTHEST));
}

Box box_join(Box a, Box b)
{
    return Box(min(a.low, b.low), max(a.high, b.high));
}

/// Of a node's two halves (NODE_WORDS of abi/contact.h).
Box node_box(uvec4 low, uvec4 high)
{
    return Box(uintBitsToFloat(low.xyz), uintBitsToFloat(high.xyz));
}

bool boxes_meet(Box a, Box b)
{
    return all(lessThanEqual(a.low, b.high)) && all(lessThanEqual(b.low, a.high));
}

/// Around the way from `start` to start + motion, and `margin` around that. The sums here are off by less than 4 2^-24 times the
/// sizes in them, and start and motion were rounded before.
Box box_swept(vec3 start, vec3 motion, float margin)
{
    const vec3 end = start + motion, room = margin + 4.76837158203125e-7 * (abs(start) + abs(motion) + margin);
    return Box(min(start, end) - room, max(start, end) + room);
}

#endif
