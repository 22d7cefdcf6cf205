#!/usr/bin/env python3
"""Writes terrain.obj, the hillside of sliding_turtles.json: closed, its faces turned outwards, on y = 0. Three like gullies side by side
lead down along +x over low bumps, steep at first and nearly level at the end, where the hill breaks off.
usage: make_terrain.py > terrain.obj"""
import math

COLUMNS, ROWS, LANES = 48, 36, 3      # cells along the slope and across it, gullies
LENGTH, LANE = 2.4, 0.6               # m: along x from 0, across a gully; z = 0 is the middle of the second one
STEEP, LEVEL = 0.35, -0.03            # slopes, down along +x, at the top and at the end
BEND = (0.7, 1.5)                     # m: where the slope goes from one to the other
FOOT = 0.25                           # m: height of the edge where it breaks off
BANK, BUMP, BUMP_LENGTH = 0.04, 0.006, 0.3  # m: depth of a gully; height of bumps and how far apart they are


def drop(x):
    """Height lost from x = 0 on, m: the integral of a slope that changes smoothly between the two."""
    start, end = BEND
    width = end - start
    share = min(max((x - start) / width, 0), 1)
    changed = width * (share ** 3 - share ** 4 / 2)  # of 3 s^2 - 2 s^3
    if x > end:
        changed += x - end
    return STEEP * x - (STEEP - LEVEL) * changed


def height(x, z):
    bank = BANK * (1 - math.cos(2 * math.pi * z / LANE)) / 2
    bumps = BUMP * math.sin(2 * math.pi * x / BUMP_LENGTH) * math.cos(2 * math.pi * z / LANE)
    return FOOT + drop(LENGTH) - drop(x) + bank + bumps


def main():
    across, width = ROWS + 1, LANES * LANE
    places = [(LENGTH * i / COLUMNS, width * (k / ROWS - 0.5)) for i in range(COLUMNS + 1) for k in range(across)]
    points = [(x, height(x, z), z) for x, z in places]
    faces = []
    for i in range(COLUMNS):
        for k in range(ROWS):
            a, b, c, d = i * across + k, i * across + k + 1, (i + 1) * across + k + 1, (i + 1) * across + k
            faces += [(a, b, c), (a, c, d)]
    # Around the edge of the top, walls down to y = 0, and a fan below.
    edge = ([k for k in range(ROWS)] + [i * across + ROWS for i in range(COLUMNS)] +
            [COLUMNS * across + k for k in range(ROWS, 0, -1)] + [i * across for i in range(COLUMNS, 0, -1)])
    first = len(points)
    points += [(points[node][0], 0, points[node][2]) for node in edge] + [(LENGTH / 2, 0, 0)]
    for n, node in enumerate(edge):
        after = (n + 1) % len(edge)
        faces += [(edge[after], node, first + n), (edge[after], first + n, first + after),
                  (first + after, first + n, len(points) - 1)]
    print("# Made by make_terrain.py.")
    for point in points:
        print("v", *(f"{c:.6g}" for c in point))
    for face in faces:
        print("f", *(node + 1 for node in face))


if __name__ == "__main__":
    main()
