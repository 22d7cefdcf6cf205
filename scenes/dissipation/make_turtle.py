#!/usr/bin/env python3
"""Writes turtle.mesh, the turtle of sliding_turtles.json: 0.37 m from head to tail, lying on y = 0, looking along +x. A flattened shell,
capsules that flow into it, filled by ../energy_control/stuffing.py.
usage: make_turtle.py [edge of the lattice's cubes in m] > turtle.mesh"""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "energy_control"))
import stuffing  # noqa: E402

BLEND = 0.025  # m: how far apart two parts begin to flow into each other
SHELL, HALF_AXES, BELLY = (-0.005, 0.058, 0), (0.135, 0.072, 0.108), 0.012  # m: middle, half axes, height of the flat underside
# Capsules from one point to another, with a radius at either end, m; those off the middle have a mirror image in z.
PARTS = [
    ((0.115, 0.052, 0), (0.165, 0.072, 0), 0.030, 0.028),            # neck
    ((0.178, 0.080, 0), (0.196, 0.078, 0), 0.036, 0.030),            # head
    ((0.072, 0.042, 0.080), (0.112, 0.034, 0.150), 0.030, 0.026),    # front leg
    ((0.112, 0.034, 0.150), (0.098, 0.036, 0.190), 0.026, 0.025),    # its end
    ((-0.088, 0.040, 0.066), (-0.132, 0.035, 0.112), 0.028, 0.026),  # hind leg
    ((-0.125, 0.040, 0), (-0.175, 0.032, 0), 0.026, 0.020),          # tail
]


def mirrored(part):
    (a, b, *radii) = part
    return ((a[0], a[1], -a[2]), (b[0], b[1], -b[2]), *radii)


ALL_PARTS = PARTS + [mirrored(part) for part in PARTS if part[0][2] > 0]


def distance_to_part(p, part):
    a, b, radius_a, radius_b = part
    axis, arm = stuffing.subtract(b, a), stuffing.subtract(p, a)
    share = min(max(stuffing.dot(arm, axis) / stuffing.dot(axis, axis), 0), 1)
    return math.dist(p, stuffing.along(a, b, share)) - (radius_a + share * (radius_b - radius_a))


def distance_to_shell(p):
    """About that of an ellipsoid: to first order in how far its level is from 1."""
    scaled = [(p[i] - SHELL[i]) / HALF_AXES[i] for i in range(3)]
    level = math.hypot(*scaled)
    slope = math.hypot(*(scaled[i] / HALF_AXES[i] for i in range(3)))
    return level * (level - 1) / slope if slope > 0 else -min(HALF_AXES)


def smooth_minimum(a, b, width):
    share = max(width - abs(a - b), 0) / width
    return min(a, b) - share ** 3 * width / 6


def turtle(p):
    """About the distance of a point from the turtle, negative inside: a smooth minimum over the parts, cut flat below."""
    nearest = sorted([distance_to_shell(p)] + [distance_to_part(p, part) for part in ALL_PARTS])
    value = nearest[0]
    for other in nearest[1:4]:
        value = smooth_minimum(value, other, BLEND)
    return -smooth_minimum(-value, p[1] - BELLY, 0.012)


def main():
    size = float(sys.argv[1]) if len(sys.argv) > 1 else 0.03
    points, tets = stuffing.fill(turtle, (-0.2, 0, -0.22), (0.24, 0.14, 0.22), size)
    points = [(x, y - BELLY, z) for x, y, z in points]
    sys.stdout.write(stuffing.medit_text("Made by make_turtle.py.", points, tets))
    print(stuffing.report(points, tets), file=sys.stderr)


if __name__ == "__main__":
    main()
