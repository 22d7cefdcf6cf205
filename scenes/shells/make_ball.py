"""Writes ball.obj, a sphere of radius 1: an icosahedron whose triangles are split in four twice, 162 nodes and 320 triangles.

Usage: make_ball.py [FILE]
"""
import itertools
import math
import pathlib
import sys


def icosahedron():
    golden = (1 + math.sqrt(5)) / 2
    nodes = [tuple(values[(k - turn) % 3] for k in range(3)) for turn in range(3)
             for values in itertools.product((0,), (-1, 1), (-golden, golden))]
    near = lambda a, b: abs(math.dist(nodes[a], nodes[b]) - 2) < 1e-9
    triangles = [t for t in itertools.combinations(range(12), 3) if near(t[0], t[1]) and near(t[1], t[2]) and near(t[0], t[2])]
    return nodes, [outwards(nodes, t) for t in triangles]


def outwards(nodes, triangle):
    a, b, c = (nodes[k] for k in triangle)
    volume = sum(a[i] * (b[(i + 1) % 3] * c[(i + 2) % 3] - b[(i + 2) % 3] * c[(i + 1) % 3]) for i in range(3))
    return triangle if volume > 0 else (triangle[0], triangle[2], triangle[1])


def split(nodes, triangles):
    nodes, middles, finer = list(nodes), {}, []

    def middle(a, b):
        key = (min(a, b), max(a, b))
        if key not in middles:
            middles[key] = len(nodes)
            nodes.append(tuple((p + q) / 2 for p, q in zip(nodes[a], nodes[b])))
        return middles[key]

    for a, b, c in triangles:
        ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
        finer += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return nodes, finer


def main():
    nodes, triangles = split(*split(*icosahedron()))
    path = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent / "ball.obj")
    lines = ["# made by make_ball.py"]
    for node in nodes:
        size = math.hypot(*node)
        lines.append("v " + " ".join(f"{value / size:.17g}" for value in node))
    lines += ["f " + " ".join(str(k + 1) for k in triangle) for triangle in triangles]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
