#!/usr/bin/env python3
"""Writes rod.mesh, the rod of explicit_rod.json: 3.2 x 0.1 x 0.1 m about the origin, along x, in 32 cubes of five
tetrahedra each, 160 in all. Neighbouring cubes are mirror images of each other, so that their faces match.
usage: make_rod.py > rod.mesh"""

CELLS, SIDE = 32, 0.1
# Corner x + 2 y + 4 z of the unit cube; a regular tetrahedron in the middle and one in each corner it leaves.
FIVE = [(0, 3, 5, 6), (1, 0, 3, 5), (2, 0, 6, 3), (4, 0, 5, 6), (7, 3, 6, 5)]


def volume(points):
    u, v, w = ([q[i] - points[0][i] for i in range(3)] for q in points[1:])
    return (u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0])) / 6


def main():
    points = [((i - CELLS / 2) * SIDE, (j - 0.5) * SIDE, (k - 0.5) * SIDE)
              for k in range(2) for j in range(2) for i in range(CELLS + 1)]
    tets = []
    for cell in range(CELLS):
        for corners in FIVE:
            # Mirrored in x in every other cube.
            tet = [cell + ((c & 1) ^ (cell & 1)) + (CELLS + 1) * (c >> 1) for c in corners]
            if volume([points[node] for node in tet]) < 0:
                tet[2], tet[3] = tet[3], tet[2]
            tets.append(tet)
    print("# Made by make_rod.py.\nMeshVersionFormatted 2\nDimension 3\nVertices", len(points))
    for point in points:
        print(*(f"{c:.2f}" for c in point), 0)
    print("Tetrahedra", len(tets))
    for tet in tets:
        print(*(node + 1 for node in tet), 0)
    print("End")


if __name__ == "__main__":
    main()
