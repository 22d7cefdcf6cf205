#!/usr/bin/env python3
"""Writes the surfaces that the scenes with contact need, closed and with their faces turned outwards.

stairs  eight steps of 0.1 m height and 0.15 m depth down along +x from x = 0, 0.6 m wide, standing on y = 0
funnel  a wall of 12 mm turned about the y axis: a mouth of radius 0.14 m at y = 0.2 m, smoothly down to a throat of radius
        0.035 m from y = 0 on, which ends at y = -0.12 m
plate   0.2 x 0.02 x 0.2 m, its lower face in y = 0
usage: make_obstacles.py stairs|funnel|plate > NAME.obj"""
import math
import sys

STEPS, STEP_HEIGHT, STEP_DEPTH, STAIRS_WIDTH, STAIRS_COLUMNS = 8, 0.1, 0.15, 0.6, 6
MOUTH, THROAT, FUNNEL_HEIGHT, PIPE_LENGTH, WALL, AROUND = 0.14, 0.035, 0.2, 0.12, 0.012, 48


def surface_of_cells(cells, size, origin):
    """Points and squares of the faces that only one of the cells (i, j, k) of edges `size` has."""
    numbers, faces = {}, []
    for cell in sorted(cells):
        for axis in range(3):
            for side in (0, 1):
                beside = tuple(cell[n] + (2 * side - 1 if n == axis else 0) for n in range(3))
                if beside in cells:
                    continue
                one, two = (axis + 1) % 3, (axis + 2) % 3
                turns = ((0, 0), (1, 0), (1, 1), (0, 1))
                face = []
                for s, t in turns if side else reversed(turns):
                    corner = list(cell)
                    corner[axis] += side
                    corner[one] += s
                    corner[two] += t
                    face.append(numbers.setdefault(tuple(corner), len(numbers)))
                faces.append(face)
    return [[origin[n] + size[n] * corner[n] for n in range(3)] for corner in numbers], faces


def stairs():
    cells = {(i, j, k) for i in range(STEPS) for j in range(STEPS - i) for k in range(STAIRS_COLUMNS)}
    return surface_of_cells(cells, (STEP_DEPTH, STEP_HEIGHT, STAIRS_WIDTH / STAIRS_COLUMNS), (0, 0, -STAIRS_WIDTH / 2))


def plate():
    cells = {(i, 0, k) for i in range(8) for k in range(8)}
    return surface_of_cells(cells, (0.025, 0.02, 0.025), (-0.1, 0, -0.1))


def inner_wall(y):
    """Radius of the funnel's inside and its slope at a height, m."""
    share = max(y, 0) / FUNNEL_HEIGHT
    radius = THROAT + (MOUTH - THROAT) * share ** 2 * (3 - 2 * share)
    return radius, 6 * (MOUTH - THROAT) / FUNNEL_HEIGHT * share * (1 - share)


def half_circle(start, end, count):
    """Places between two ends of a diameter in the plane, clockwise."""
    middle = [(start[n] + end[n]) / 2 for n in range(2)]
    arm = [start[n] - middle[n] for n in range(2)]
    for i in range(1, count):
        c, s = math.cos(math.pi * i / count), math.sin(math.pi * i / count)
        yield middle[0] + c * arm[0] + s * arm[1], middle[1] - s * arm[0] + c * arm[1]


def funnel():
    heights = [-PIPE_LENGTH + 0.012 * i for i in range(10)] + [FUNNEL_HEIGHT * i / 18 for i in range(19)]
    inner, outer = [], []
    for y in heights:
        radius, slope = inner_wall(y)
        length = math.hypot(1, slope)
        inner.append((radius, y))
        outer.append((radius + WALL / length, y - WALL * slope / length))
    # Up the inside, over the rim, down the outside, under the pipe.
    profile = [*inner, *half_circle(inner[-1], outer[-1], 4), *reversed(outer), *half_circle(outer[0], inner[0], 4)]
    points = [(r * math.cos(2 * math.pi * i / AROUND), y, r * math.sin(2 * math.pi * i / AROUND))
              for i in range(AROUND) for r, y in profile]
    count = len(profile)
    faces = [[i * count + j, i * count + (j + 1) % count,
              (i + 1) % AROUND * count + (j + 1) % count, (i + 1) % AROUND * count + j]
             for i in range(AROUND) for j in range(count)]
    return points, faces


def inside_volume(points, faces):
    """Six times the volume that quadrilaterals turned outwards enclose."""
    total = 0
    for a, b, c, d in faces:
        for p, q, r in ((a, b, c), (a, c, d)):
            (x, y, z), v, w = points[p], points[q], points[r]
            total += x * (v[1] * w[2] - v[2] * w[1]) + y * (v[2] * w[0] - v[0] * w[2]) + z * (v[0] * w[1] - v[1] * w[0])
    return total


def main():
    makers = {"stairs": stairs, "funnel": funnel, "plate": plate}
    if len(sys.argv) != 2 or sys.argv[1] not in makers:
        sys.exit(__doc__)
    points, faces = makers[sys.argv[1]]()
    if inside_volume(points, faces) < 0:
        faces = [face[::-1] for face in faces]
    print(f"# Made by make_obstacles.py {sys.argv[1]}.")
    for point in points:
        print("v", *(f"{c:.6g}" for c in point))
    for a, b, c, d in faces:
        print("f", a + 1, b + 1, c + 1)
        print("f", a + 1, c + 1, d + 1)
    print(f"{len(points)} points, {2 * len(faces)} triangles", file=sys.stderr)


if __name__ == "__main__":
    main()
