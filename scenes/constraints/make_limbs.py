#!/usr/bin/env python3
"""Writes limb.obj, a rod with round ends along y, 0.4 m long and 0.12 m thick, trunk.obj, a block with rounded edges of
0.36 x 0.24 x 0.2 m, and bone.obj, a shaft between two balls of 35 mm radius 0.33 m apart, along y; all closed, about the origin."""
import math
import pathlib

AROUND, CAP, CELLS = 16, 4, 8


def write(name, what, vertices, faces):
    lines = [f"# {what}, made by make_limbs.py"]
    lines += ["v %.6f %.6f %.6f" % v for v in vertices]
    lines += ["f %d %d %d" % tuple(i + 1 for i in face) for face in faces]
    pathlib.Path(__file__).with_name(name).write_text("\n".join(lines) + "\n", encoding="ascii")


def turned(rings, end):
    """The rings (y, radius) of the lower half, and the same above, closed at y = -end and end."""
    rings = rings + [(-y, r) for y, r in reversed(rings) if y < 0]
    vertices = [(0, -end, 0)]
    for y, r in rings:
        vertices += [(r * math.sin(2 * math.pi * i / AROUND), y, r * math.cos(2 * math.pi * i / AROUND))
                     for i in range(AROUND)]
    vertices.append((0, end, 0))
    last = len(vertices) - 1
    faces = []
    for i in range(AROUND):
        k = (i + 1) % AROUND
        faces.append((0, 1 + k, 1 + i))
        for ring in range(len(rings) - 1):
            a, b = 1 + ring * AROUND + i, 1 + ring * AROUND + k
            faces += [(a, b, b + AROUND), (a, b + AROUND, a + AROUND)]
        faces.append((last, last - AROUND + i, last - AROUND + k))
    return vertices, faces


def limb(radius=0.06, half=0.14):
    angles = [math.pi / 2 * k / CAP for k in range(1, CAP + 1)]
    return turned([(-half - radius * math.cos(a), radius * math.sin(a)) for a in angles], half + radius)


def bone(radius=0.035, half=0.165, shaft=0.015):
    angles = [math.pi / 2 * k / CAP for k in range(1, 2 * CAP - 1)]
    rings = [(-half - radius * math.cos(a), radius * math.sin(a)) for a in angles]
    return turned(rings + [(-half + 0.05, 0.018), (-half + 0.08, shaft), (-half / 4, shaft * 0.9)], half + radius)


def trunk(size=(0.18, 0.12, 0.10), radius=0.05):
    """A cube's grid, pushed to the distance `radius` from a smaller block."""
    index, vertices, faces = {}, [], []

    def vertex(cell):
        if cell not in index:
            x = [(2 * c / CELLS - 1) * s for c, s in zip(cell, size)]
            core = [max(-(s - radius), min(s - radius, v)) for v, s in zip(x, size)]
            off = [v - c for v, c in zip(x, core)]
            length = math.sqrt(sum(o * o for o in off))
            index[cell] = len(vertices)
            vertices.append(tuple(c + radius * o / length for c, o in zip(core, off)))
        return index[cell]

    for axis in range(3):
        for side in (0, CELLS):
            for i in range(CELLS):
                for j in range(CELLS):
                    corners = []
                    for a, b in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)):
                        cell = [0, 0, 0]
                        cell[axis], cell[(axis + 1) % 3], cell[(axis + 2) % 3] = side, a, b
                        corners.append(vertex(tuple(cell)))
                    if side == 0:
                        corners.reverse()
                    faces += [(corners[0], corners[1], corners[2]), (corners[0], corners[2], corners[3])]
    return vertices, faces


write("limb.obj", "a limb", *limb())
write("bone.obj", "a bone", *bone())
write("trunk.obj", "a part of a trunk", *trunk())
