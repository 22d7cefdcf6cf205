"""Fills a smooth shape with well-shaped tetrahedra. Used by the make_*.py beside it.

The shape is a function of a point (x, y, z), negative inside, whose gradient has a length of about one near its zero set.
Isosurface stuffing (Labelle and Shewchuk 2007): tetrahedra of a body-centred cubic lattice, whose nodes near the surface
are moved onto it and which are cut where they cross it; then nodes are moved, those of the surface along it, as long as
that improves the worst tetrahedron at each."""
import math

# A node this close to the surface moves onto it, as a share of the edge that crosses (Labelle and Shewchuk, table 1).
LONG_SHARE, SHORT_SHARE = 0.24999, 0.41189


def subtract(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def along(a, b, share):
    return tuple(a[i] + share * (b[i] - a[i]) for i in range(3))


def volume(a, b, c, d):
    return dot(subtract(b, a), cross(subtract(c, a), subtract(d, a))) / 6


def dihedral_angles(points):
    """The six angles between faces of a tetrahedron, degrees."""
    angles = []
    for i, j, k, l in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2), (1, 2, 0, 3), (1, 3, 0, 2), (2, 3, 0, 1)):
        edge = subtract(points[j], points[i])
        m = cross(edge, subtract(points[k], points[i]))
        n = cross(edge, subtract(points[l], points[i]))
        angles.append(math.degrees(math.atan2(math.sqrt(dot(*2 * (cross(m, n),))), dot(m, n))))
    return angles


def quality(a, b, c, d):
    """1 for a regular tetrahedron, 0 for a flat one, negative for an inverted one: volume over rms edge length cubed."""
    u, v, w = subtract(b, a), subtract(c, a), subtract(d, a)
    p, q, r = subtract(c, b), subtract(d, b), subtract(d, c)
    mean_sq = (dot(u, u) + dot(v, v) + dot(w, w) + dot(p, p) + dot(q, q) + dot(r, r)) / 6
    return math.sqrt(2) * dot(u, cross(v, w)) / mean_sq ** 1.5


# ---------------------------------------------------------------- the lattice

def lattice_tets(low, high, size):
    """Tetrahedra of the lattice with cubes of edge `size` over the box, as four integer places in half edges."""
    first = [math.floor(low[i] / size) - 1 for i in range(3)]
    last = [math.ceil(high[i] / size) + 1 for i in range(3)]
    # Between the middles of two cubes that share a face there is an octahedron of four tetrahedra, one an edge of the face.
    for i, j, k in ((i, j, k) for i in range(first[0], last[0]) for j in range(first[1], last[1])
                    for k in range(first[2], last[2])):
        middle = (2 * i + 1, 2 * j + 1, 2 * k + 1)
        for axis in range(3):
            one, two = [axis_unit((axis + turn) % 3) for turn in (1, 2)]
            ahead = [2 * c for c in axis_unit(axis)]
            beyond = tuple(middle[n] + ahead[n] for n in range(3))
            face = [tuple(middle[n] + ahead[n] // 2 + s * one[n] + t * two[n] for n in range(3))
                    for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            for turn in range(4):
                yield middle, beyond, face[turn], face[(turn + 1) % 4]


def axis_unit(axis):
    return [int(n == axis) for n in range(3)]


class Lattice:
    """The tetrahedra of the lattice that touch the shape, and where its edges cross the surface."""

    def __init__(self, shape, low, high, size):
        self.shape = shape
        self.points, self.values, self.tets = [], [], []
        numbers = {}
        for tet in lattice_tets(low, high, size):
            for place in tet:
                if place not in numbers:
                    numbers[place] = len(self.points)
                    self.points.append(tuple(c * size / 2 for c in place))
                    self.values.append(shape(self.points[-1]))
            tet = [numbers[place] for place in tet]
            if any(self.values[node] < 0 for node in tet):
                self.tets.append(tet)
        self.snap()

    def crossing(self, a, b):
        """Where the edge from a, inside, to b, outside, meets the surface, as a share of it."""
        low, high = 0.0, 1.0
        for _ in range(30):
            middle = (low + high) / 2
            if self.shape(along(self.points[a], self.points[b], middle)) < 0:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    def snap(self):
        """Moves nodes that the surface passes closely onto it."""
        edges = {}  # of long edges True, of short ones False
        for tet in self.tets:
            edges[min(tet[0], tet[1]), max(tet[0], tet[1])] = True
            edges[min(tet[2], tet[3]), max(tet[2], tet[3])] = True
            for i in (0, 1):
                for j in (2, 3):
                    edges[min(tet[i], tet[j]), max(tet[i], tet[j])] = False
        near = {}  # node: (distance as a share of what is allowed, place)
        for (a, b), is_long in edges.items():
            if self.values[a] > self.values[b]:
                a, b = b, a
            if self.values[a] < 0 <= self.values[b]:
                share = self.crossing(a, b)
                place = along(self.points[a], self.points[b], share)
                allowed = LONG_SHARE if is_long else SHORT_SHARE
                for node, way in ((a, share), (b, 1 - share)):
                    if way < allowed and (node not in near or way / allowed < near[node][0]):
                        near[node] = way / allowed, place
        for node, (_, place) in near.items():
            self.points[node], self.values[node] = place, 0.0

    def cut(self):
        """Points and tetrahedra of the inside, and which points are of the surface."""
        cuts, pieces = {}, []
        surface = {node for node, value in enumerate(self.values) if value == 0}

        def between(a, b):
            if (a, b) not in cuts:
                cuts[a, b] = len(self.points)
                self.points.append(along(self.points[a], self.points[b], self.crossing(a, b)))
                surface.add(cuts[a, b])
            return cuts[a, b]

        for tet in self.tets:
            inside = sorted((node for node in tet if self.values[node] < 0), key=lambda n: (-self.values[n], n))
            zero = [node for node in tet if self.values[node] == 0]
            outside = [node for node in tet if self.values[node] > 0]
            if not inside:
                continue
            if not outside:
                pieces.append(tet)
            elif len(inside) == 1:
                pieces.append(inside + zero + [between(inside[0], node) for node in outside])
            elif len(inside) == 3:
                pieces += prism(inside, [between(node, outside[0]) for node in inside])
            elif zero:
                a, b = inside
                ends = [between(node, outside[0]) for node in inside]
                pieces += [zero + [a, *ends], zero + [a, b, ends[1]]]
            else:
                (a, b), (c, d) = inside, outside
                ends = [between(m, n) for m in (a, b) for n in (c, d)]
                if math.dist(*(self.points[ends[n]] for n in (0, 3))) > math.dist(*(self.points[ends[n]] for n in (1, 2))):
                    ends = [ends[n] for n in (1, 0, 3, 2)]
                pieces += prism([a, *ends[:2]], [b, *ends[2:]])
        return self.points, pieces, surface


def prism(a, b):
    """Three tetrahedra; earlier corners of the triangle `a` have the diagonals."""
    return [[a[0], *b], [a[0], a[1], b[1], b[2]], [*a, b[2]]]


# ---------------------------------------------------------------- improvement

def gradient(shape, p, step):
    return [(shape(tuple(p[i] + (step if i == axis else 0) for i in range(3))) -
             shape(tuple(p[i] - (step if i == axis else 0) for i in range(3)))) / (2 * step) for axis in range(3)]


def project(shape, p, step):
    """Onto the surface, by Newton's method along the gradient."""
    for _ in range(4):
        value = shape(p)
        if abs(value) < 1e-4 * step:
            break
        slope = gradient(shape, p, step)
        p = tuple(p[i] - value * slope[i] / max(dot(slope, slope), 1e-12) for i in range(3))
    return p


def improve(shape, points, tets, surface, size, rounds):
    """Moves every node towards the middle of its neighbours, as far as its worst tetrahedron gets better."""
    owners, neighbours = {}, {}
    for tet in tets:
        for node in tet:
            owners.setdefault(node, []).append(tet)
            # A node of the surface goes with the surface.
            allowed = surface.intersection(tet) if node in surface else tet
            neighbours.setdefault(node, set()).update(n for n in allowed if n != node)

    def worst(node):
        return min(quality(*(points[n] for n in tet)) for tet in owners[node])

    for _ in range(rounds):
        for node in sorted(owners):
            start, best = points[node], worst(node)
            others = neighbours[node]
            middle = tuple(sum(points[n][i] for n in others) / len(others) for i in range(3))
            for share in (1, 0.5, 0.25, 0.1, -0.1):
                trial = along(start, middle, share)
                points[node] = project(shape, trial, 1e-3 * size) if node in surface else trial
                if worst(node) > best:
                    break
            else:
                points[node] = start


def fill(shape, low, high, size, rounds=12):
    """Points and positively oriented tetrahedra (0-based) of the shape, which lies within the box from low to high, from a
    lattice whose cubes have edges of `size`."""
    points, tets, surface = Lattice(shape, low, high, size).cut()
    for tet in tets:
        if volume(*(points[node] for node in tet)) < 0:
            tet[2], tet[3] = tet[3], tet[2]
    improve(shape, points, tets, surface, size, rounds)
    used = sorted({node for tet in tets for node in tet})
    numbers = {node: number for number, node in enumerate(used)}
    return [points[node] for node in used], [[numbers[node] for node in tet] for tet in tets]


def medit_text(comment, points, tets):
    """The mesh as a Medit .mesh file."""
    lines = [f"# {comment}", "MeshVersionFormatted 2", "Dimension 3", f"Vertices {len(points)}"]
    lines += [" ".join(f"{c:.6f}" for c in point) + " 0" for point in points]
    lines += [f"Tetrahedra {len(tets)}"] + [" ".join(str(node + 1) for node in tet) + " 0" for tet in tets]
    return "\n".join(lines + ["End", ""])


def report(points, tets):
    """Counts, volume, centre and worst angles in one line."""
    volumes = [volume(*(points[node] for node in tet)) for tet in tets]
    middles = [[sum(points[node][i] for node in tet) / 4 for i in range(3)] for tet in tets]
    center = [sum(v * m[i] for v, m in zip(volumes, middles)) / sum(volumes) for i in range(3)]
    angles = [angle for tet in tets for angle in dihedral_angles([points[node] for node in tet])]
    return (f"{len(points)} nodes, {len(tets)} tetrahedra, volume {sum(volumes):.5g} m^3, centre "
            f"({', '.join(f'{c:.5f}' for c in center)}), dihedral angles {min(angles):.1f} to {max(angles):.1f} degrees")
