#!/usr/bin/env python3
"""Writes stairs.obj: a landing at height 0 that ends at x = 0, eight steps down along x, and the floor below; 2 m wide, closed."""
import pathlib

STEPS, DEPTH, HEIGHT, LANDING, FLOOR, HALF_WIDTH, BASE = 8, 0.28, 0.17, 1.0, 1.7, 1.0, 0.2
BOTTOM = -STEPS * HEIGHT - BASE

# Where treads begin and end, and how high they are: the landing, the steps, the last one of which is the floor.
treads = [(-LANDING, 0.0, 0.0)] + [(i * DEPTH, (i + 1) * DEPTH, -(i + 1) * HEIGHT) for i in range(STEPS)]
treads[-1] = (treads[-1][0], treads[-1][1] + FLOOR, treads[-1][2])

index, faces = {}, []


def vertex(x, y, z):
    return index.setdefault((x, y, z), len(index) + 1)


def polygon(points, outward):
    """A fan from the first point; `outward`: whether its corners are in order as seen from outside."""
    corners = [vertex(*p) for p in points]
    for a, b in zip(corners[1:], corners[2:]):
        faces.append((corners[0], a, b) if outward else (corners[0], b, a))


def strip(start, end):
    """Across the stairs, from one point of their profile to the next, solid on the right of the way."""
    polygon([(*start, HALF_WIDTH), (*end, HALF_WIDTH), (*end, -HALF_WIDTH), (*start, -HALF_WIDTH)], True)


for i, (left, right, height) in enumerate(treads):
    below = treads[i + 1][2] if i + 1 < len(treads) else BOTTOM
    strip((left, height), (right, height))
    strip((right, height), (right, below))
    strip((right, BOTTOM), (left, BOTTOM))
    for z in HALF_WIDTH, -HALF_WIDTH:
        side = [(left, BOTTOM, z), (right, BOTTOM, z)] + ([(right, below, z)] if below > BOTTOM else [])
        polygon(side + [(right, height, z), (left, height, z)], z > 0)
strip((-LANDING, BOTTOM), (-LANDING, 0.0))

lines = ["# stairs, made by make_stairs.py"]
lines += ["v %.4f %.4f %.4f" % place for place in index]
lines += ["f %d %d %d" % face for face in faces]
pathlib.Path(__file__).with_name("stairs.obj").write_text("\n".join(lines) + "\n", encoding="ascii")
