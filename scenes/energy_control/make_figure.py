#!/usr/bin/env python3
"""Writes figure.mesh, the little bear of suspended_figure.json: half a metre high, standing on y = 0, looking along +z, arms
held out in front. Capsules and ellipsoids that flow into each other, filled by stuffing.py.
usage: make_figure.py [edge of the lattice's cubes in m] > figure.mesh"""
import math
import sys

import stuffing

BLEND = 0.022  # m: how far apart two parts begin to flow into each other
# Capsules from one point to another, with a radius at either end, m; those off the middle have a mirror image in x.
PARTS = [
    ((0, 0.418, 0.004), (0, 0.412, 0.012), 0.080, 0.080),        # head
    ((0.062, 0.478, 0.000), (0.066, 0.484, 0.000), 0.024, 0.024),  # ear
    ((0, 0.403, 0.072), (0, 0.402, 0.082), 0.040, 0.036),        # nose
    ((0, 0.310, -0.004), (0, 0.300, -0.002), 0.062, 0.066),      # chest
    ((0, 0.235, 0.008), (0, 0.215, 0.006), 0.078, 0.074),        # belly
    ((0.062, 0.312, -0.002), (0.135, 0.285, 0.045), 0.034, 0.030),  # upper arm
    ((0.135, 0.285, 0.045), (0.150, 0.300, 0.120), 0.030, 0.027),   # lower arm
    ((0.150, 0.302, 0.136), (0.149, 0.306, 0.142), 0.035, 0.034),   # hand
    ((0.046, 0.180, 0.002), (0.062, 0.055, 0.000), 0.050, 0.040),   # leg
    ((0.064, 0.037, 0.000), (0.074, 0.036, 0.058), 0.037, 0.036),   # foot
]


def mirrored(part):
    (a, b, *radii) = part
    return ((-a[0], *a[1:]), (-b[0], *b[1:]), *radii)


ALL_PARTS = PARTS + [mirrored(part) for part in PARTS if part[0][0] > 0]


def distance_to_part(p, part):
    a, b, radius_a, radius_b = part
    axis, arm = stuffing.subtract(b, a), stuffing.subtract(p, a)
    share = min(max(stuffing.dot(arm, axis) / stuffing.dot(axis, axis), 0), 1)
    return math.dist(p, stuffing.along(a, b, share)) - (radius_a + share * (radius_b - radius_a))


def figure(p):
    """About the distance of a point from the figure, negative inside: a smooth minimum over the parts."""
    nearest = sorted(distance_to_part(p, part) for part in ALL_PARTS)
    value = nearest[0]
    for other in nearest[1:4]:
        share = max(BLEND - abs(other - value), 0) / BLEND
        value = min(value, other) - share ** 3 * BLEND / 6
    return value


def main():
    size = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0235
    points, tets = stuffing.fill(figure, (-0.2, -0.01, -0.1), (0.2, 0.52, 0.2), size)
    sys.stdout.write(stuffing.medit_text("Made by make_figure.py.", points, tets))
    print(stuffing.report(points, tets), file=sys.stderr)


if __name__ == "__main__":
    main()
