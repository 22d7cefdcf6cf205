#!/usr/bin/env python3
"""Writes figure.mesh, the little man of suspended_figure.json: half a metre high, standing on y = 0, looking along +z.

A union of rounded limbs is sampled on a grid; cells whose middle is inside become six tetrahedra each, and the nodes of
the surface are moved onto the shape, so that steps do not show.
usage: make_figure.py [cell size in m] > figure.mesh"""
import math
import sys

# Limbs from one point to another with a radius, m; the left half, mirrored in x.
LIMBS = [
    ((0, 0.435, 0.000), (0, 0.435, 0.000), 0.065),      # head
    ((0, 0.360, 0.000), (0, 0.380, 0.000), 0.040),      # neck
    ((0.030, 0.325, 0.000), (0.025, 0.215, 0.000), 0.055),  # chest and belly
    ((0.065, 0.325, 0.000), (0.200, 0.250, 0.020), 0.032),  # arm
    ((0.205, 0.247, 0.021), (0.215, 0.242, 0.025), 0.038),  # hand
    ((0.048, 0.200, 0.000), (0.075, 0.050, 0.000), 0.042),  # leg
    ((0.078, 0.036, 0.000), (0.082, 0.036, 0.045), 0.036),  # foot
]
CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
SPLIT = [(0, 1, 2, 6), (0, 1, 5, 6), (0, 3, 2, 6), (0, 3, 7, 6), (0, 4, 5, 6), (0, 4, 7, 6)]


def distance_to_limb(p, a, b, radius):
    axis = [b[i] - a[i] for i in range(3)]
    length_sq = sum(c * c for c in axis)
    t = sum((p[i] - a[i]) * axis[i] for i in range(3)) / length_sq if length_sq > 0 else 0
    t = min(max(t, 0), 1)
    return math.dist(p, [a[i] + t * axis[i] for i in range(3)]) - radius


def distance(p):
    """Of a point from the figure, negative inside."""
    mirrored = (abs(p[0]), p[1], p[2])
    return min(distance_to_limb(mirrored, *limb) for limb in LIMBS)


def gradient(p, step=1e-5):
    def shifted(axis, by):
        return distance([p[i] + (by if i == axis else 0) for i in range(3)])
    return [(shifted(axis, step) - shifted(axis, -step)) / (2 * step) for axis in range(3)]


def volume(points):
    a, b, c, d = points
    u, v, w = ([q[i] - a[i] for i in range(3)] for q in (b, c, d))
    return (u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0])) / 6


def grid(size):
    """Nodes and tetrahedra of the cells whose middle is inside."""
    reach = [math.ceil(0.27 / size), math.ceil(0.52 / size), math.ceil(0.12 / size)]

    def place(index):
        return [(index[0] - reach[0]) * size, index[1] * size, (index[2] - reach[2]) * size]

    numbers, tets = {}, []
    for cell in ((i, j, k) for k in range(2 * reach[2]) for j in range(reach[1]) for i in range(2 * reach[0])):
        if distance([c + size / 2 for c in place(cell)]) >= 0:
            continue
        corners = [numbers.setdefault(tuple(cell[axis] + corner[axis] for axis in range(3)), len(numbers))
                   for corner in CORNERS]
        tets += [[corners[corner] for corner in tet] for tet in SPLIT]
    points = [place(index) for index in numbers]
    for tet in tets:
        if volume([points[node] for node in tet]) < 0:
            tet[2], tet[3] = tet[3], tet[2]
    return points, tets


def surface_neighbours(tets):
    """The nodes of the surface, each with those it shares an edge of the surface with."""
    faces = {}
    for tet in tets:
        for out in range(4):
            face = tet[:out] + tet[out + 1:]
            faces.setdefault(tuple(sorted(face)), []).append(face)
    neighbours = {}
    for found in faces.values():
        if len(found) == 1:
            for node in found[0]:
                neighbours.setdefault(node, set()).update(set(found[0]) - {node})
    return neighbours


def smooth(points, tets, size, rounds=12):
    """Moves nodes of the surface between their neighbours and onto the shape, as far as no tetrahedron gets too thin."""
    neighbours, owners = surface_neighbours(tets), {}
    for tet in tets:
        for node in tet:
            owners.setdefault(node, []).append(tet)
    least = 0.2 * size ** 3 / 6
    for _ in range(rounds):
        for node, others in neighbours.items():
            wanted = [sum(points[other][axis] for other in others) / len(others) for axis in range(3)]
            way, slope = distance(wanted), gradient(wanted)
            wanted = [wanted[axis] - way * slope[axis] for axis in range(3)]
            start = points[node]
            for share in (1, 0.5, 0.25, 0):
                points[node] = [start[axis] + share * (wanted[axis] - start[axis]) for axis in range(3)]
                if min(volume([points[other] for other in tet]) for tet in owners[node]) >= least:
                    break
            else:
                points[node] = start


def main():
    size = float(sys.argv[1]) if len(sys.argv) > 1 else 0.025
    points, tets = grid(size)
    smooth(points, tets, size)
    print("# Made by make_figure.py.\nMeshVersionFormatted 2\nDimension 3\nVertices", len(points))
    for point in points:
        print(*(f"{c:.5f}" for c in point), 0)
    print("Tetrahedra", len(tets))
    for tet in tets:
        print(*(node + 1 for node in tet), 0)
    print("End")
    smallest = min(volume([points[node] for node in tet]) for tet in tets)
    print(f"{len(points)} nodes, {len(tets)} tetrahedra, smallest volume {smallest:.3g} m^3", file=sys.stderr)


if __name__ == "__main__":
    main()
