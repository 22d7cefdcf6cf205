#!/usr/bin/env python3
"""Writes die.mesh, the die of dice_roll.json: a cube of 0.1 m about the origin with edges and corners rounded, filled by
stuffing.py.
usage: make_die.py [edge of the lattice's cubes in m] > die.mesh"""
import math
import sys

import stuffing

HALF, ROUNDING = 0.05, 0.015  # m


def die(p):
    """Distance of a point from the die, negative inside."""
    beyond = [abs(c) - (HALF - ROUNDING) for c in p]
    return math.hypot(*(max(c, 0) for c in beyond)) + min(max(beyond), 0) - ROUNDING


def main():
    size = float(sys.argv[1]) if len(sys.argv) > 1 else 1 / 60
    points, tets = stuffing.fill(die, (-HALF,) * 3, (HALF,) * 3, size)
    sys.stdout.write(stuffing.medit_text("Made by make_die.py.", points, tets))
    print(stuffing.report(points, tets), file=sys.stderr)


if __name__ == "__main__":
    main()
