"""What `vela check` says of a scene: what a run would refuse, what it would warn of, and what is there."""
import unittest

import vela_program
from vela_program import ProgramTest

CUBE = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))  # outward


def box(name, size, **changes):
    return {"name": name, "geometry": {"box": {"size": [size] * 3, "cells": [2, 2, 2]}}, "material": "rubber", **changes}


class Starts(ProgramTest):
    def scene(self, *bodies, obstacles=(), distance=1e-3, unseen=(), **changes):
        pairs = [{"between": list(names), "contact": False} for names in unseen]
        return self.write_scene(bodies=list(bodies), obstacles=list(obstacles), gravity=[0, 0, 0],
                                contact={"model": "barrier", "distance": distance, "pairs": pairs},
                                solver={"type": "newton"}, **changes)

    def assert_refused(self, scene, *parts):
        for command in (("check", scene), ("run", scene, "-o", "out", "--device", "cpu", "--steps", "0")):
            self.assert_message(self.vela(*command, expect=2), "initial state", *parts)

    def assert_fine(self, scene):
        self.vela("check", scene)
        self.run_scene(scene, "fine", "--steps", "1")

    def test_what_touches(self):
        self.assert_refused(self.scene(box("a", 0.1), box("b", 0.1, translate=[0.05, 0.01, 0.02])), '"a"', '"b"', "intersect")
        floor = {"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}
        self.assert_refused(self.scene(box("a", 0.1), obstacles=[floor]), '"a"', 'plane "floor"')
        ball = {"name": "ball", "sphere": {"center": [0, 0.1, 0], "radius": 0.1}}
        self.assert_refused(self.scene(box("a", 0.1), obstacles=[ball]), '"a"', 'sphere "ball"')

    def test_what_lies_inside(self):
        self.assert_refused(self.scene(box("inner", 0.1, translate=[0.5, 0, 0]), box("outer", 0.3, translate=[0.5, 0, 0])),
                            'body "inner" lies inside body "outer"')
        # The same with everything aligned: nodes of one lie in the planes and on the lines of the other.
        self.assert_refused(self.scene(box("outer", 0.4), box("inner", 0.2)), 'body "inner" lies inside body "outer"')
        self.assert_fine(self.scene(box("a", 0.1), box("b", 0.3, translate=[0.25, 0, 0])))
        row = box("row", 0.1, array={"count": [3, 1, 1], "spacing": [0.2, 0, 0]})
        self.assert_refused(self.scene(row, box("outer", 0.14, translate=[0.4, 0, 0])), 'body "row" lies inside body "outer"')
        ball = {"name": "ball", "sphere": {"center": [0.01, 0, 0], "radius": 0.02}}
        self.assert_refused(self.scene(box("a", 0.1), obstacles=[ball]), 'obstacle "ball" lies inside body "a"')
        rope = {"name": "rope", "type": "cable", "radius": 0.001, "material": "rubber",
                "geometry": {"cable": {"from": [0, 0, 0], "to": [0.03, 0, 0], "segments": 2}}}
        self.assert_refused(self.scene(box("a", 0.1), rope), 'body "rope" lies inside body "a"')
        self.assert_fine(self.scene(box("a", 0.1), {**rope, "translate": [0.1, 0, 0]}))

    def test_what_does_not_see_each_other(self):
        inside = box("inner", 0.1), box("outer", 0.3), box("other", 0.05, translate=[0.3, 0, 0])
        self.assert_fine(self.scene(*inside, unseen=[("inner", "outer")]))
        self.assert_fine(self.scene(*inside, unseen=[("rubber", "rubber")]))
        self.assert_refused(self.scene(*inside, unseen=[("inner", "other")]), 'body "inner" lies inside body "outer"')
        crossed = box("a", 0.1), box("b", 0.1, translate=[0.05, 0.01, 0.02]), box("c", 0.1, translate=[0.12, 0, 0])
        self.assert_refused(self.scene(*crossed, unseen=[("a", "b")]), '"b"', '"c"', "intersect")
        self.assert_fine(self.scene(*crossed, unseen=[("a", "b"), ("c", "b")]))
        floor = {"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}
        ball = {"name": "ball", "sphere": {"center": [0.01, 0, 0], "radius": 0.02}}
        row = box("row", 0.1, array={"count": [2, 1, 1], "spacing": [0.08, 0, 0]})
        self.assert_fine(self.scene(row, obstacles=[floor, ball], unseen=[("row", "row"), ("row", "floor"), ("ball", "row")]))
        self.assert_refused(self.scene(row, obstacles=[floor, ball], unseen=[("row", "row"), ("row", "floor")]), '"row"', '"ball"')
        penalty = self.write_scene(contact={"model": "penalty", "stiffness": 100,
                                            "pairs": [{"between": ["rubber", "rubber"], "contact": False}]})
        self.assert_message(self.vela("check", penalty, expect=2), "contact.pairs[0].contact", "penalty", '"barrier"')

    def test_far_from_the_origin(self):
        """Where doubles are more than 1e-9 of the body's size apart: beyond 4.5e6 times that size."""
        def refused(body, *parts):
            scene = self.write_scene(bodies=[body], obstacles=[])
            for command in (("check", scene), ("run", scene, "-o", "out", "--device", "cpu")):
                self.assert_message(self.vela(*command, expect=2), 'body "far"', "numbers are", *parts)
            self.assertFalse((self.folder / "out").exists())

        def fine(body):
            self.vela("check", self.write_scene(bodies=[body], obstacles=[]))

        refused(box("far", 0.1, translate=[0, 1e6, 0]), "1e+06 m", "0.1 m large", "in the world", "nearer to the origin")
        fine(box("far", 0.1, translate=[0, 4e5, 0]))
        copies = box("far", 0.1, array={"count": [1, 1, 11], "spacing": [0, 0, 5e4]})
        refused(copies, "5e+05 m")
        fine({**copies, "array": {"count": [1, 1, 8], "spacing": [0, 0, 5e4]}})
        cable = {"name": "far", "type": "cable", "radius": 0.01, "material": "rubber",
                 "geometry": {"cable": {"from": [3e6, 0, 0], "to": [3e6, 0.5, 0], "segments": 2}}}
        refused(cable, "3e+06 m", "as given")
        refused(box("far", 0.1, type="affine", translate=[-1e6, 0, 0]), "1e+06 m")
        # What a file has lost does not come back by moving it to the origin.
        corners = [(1e8, 0, 0), (1e8 + 4, 0, 0), (1e8, 4, 0), (1e8, 0, 4)]
        lines = ["MeshVersionFormatted 2", "Dimension 3", "Vertices", "4", *(f"{x} {y} {z} 0" for x, y, z in corners),
                 "Tetrahedra", "1", "1 2 3 4 0", "End"]
        (self.folder / "far.mesh").write_text("\n".join(lines) + "\n", encoding="utf-8")
        mesh = {"name": "far", "geometry": {"mesh": "far.mesh"}, "material": "rubber", "translate": [-1e8, 0, 0]}
        refused(mesh, "far.mesh", "1e+08 m", "around its own origin")

    def test_mesh_obstacles(self):
        def write(name, *cubes, faces=FACES):
            vertices, lines = [], []
            for scale, outward in cubes:
                first = len(vertices) + 1
                vertices += ["v " + " ".join(str(scale * (c - 0.5)) for c in corner) for corner in CUBE]
                lines += ["f " + " ".join(str(first + i) for i in (face if outward else reversed(face))) for face in faces]
            (self.folder / name).write_text("\n".join(vertices + lines) + "\n", encoding="utf-8")
            return {"name": "cage", "mesh": name}

        solid = write("solid.obj", (0.5, True))
        self.assert_refused(self.scene(box("a", 0.1), obstacles=[solid]), 'body "a" lies inside obstacle "cage"', "walls")
        self.assert_refused(self.scene(box("a", 0.8), obstacles=[solid]), 'obstacle "cage" lies inside body "a"')
        self.assert_fine(self.scene(box("a", 0.1), obstacles=[write("walls.obj", (0.6, True), (0.5, False))]))
        self.assert_fine(self.scene(box("a", 0.1), obstacles=[write("open.obj", (0.5, True), faces=FACES[:5])]))
        self.assert_fine(self.scene(box("a", 0.1, translate=[1, 0, 0]), obstacles=[solid, {**solid, "name": "b", "scale": 2,
                                                                                      "translate": [-1, 0, 0]}]))

    def test_a_large_distance_is_warned_of(self):
        scene = self.scene(box("a", 0.1), distance=0.03)
        for done in (self.vela("check", scene), self.run_scene(scene, "out", "--steps", "0")):
            self.assert_message(done, "contact.distance is 0.03 m", 'body "a"')
        done = self.vela("check", self.scene(box("a", 0.1), distance=0.01))
        self.assertNotIn("contact.distance", done.stderr)

    def test_thin_bodies_and_nearly_incompressible_ones(self):
        def bar(cells, **material):
            return self.write_scene(bodies=[{"geometry": {"box": {"size": [1, 0.1, 0.1], "cells": cells}}, "material": "rubber"}],
                                    materials={"rubber": {"model": "neo_hookean", "density": 1000, "youngs_modulus": 2e5,
                                                          "poissons_ratio": 0.3, **material}})

        self.assert_message(self.vela("check", bar([10, 2, 2])), "one or two layers", '"body0"')
        self.assert_message(self.vela("check", bar([10, 1, 1])), "one or two layers")
        self.assert_message(self.vela("check", bar([20, 4, 4], poissons_ratio=0.45)), '"rubber"', "lock")
        for scene in (bar([20, 4, 4]), self.write_scene(bodies=[box("a", 0.1)])):
            self.assertNotIn("warning", self.vela("check", scene).stderr)
        self.assertNotIn("layers", self.run_scene(bar([10, 1, 1]), "out", "--steps", "0").stderr)


class Pieces(ProgramTest):
    def soup(self, gap=0.0):
        """A cube of six tetrahedra that share no node, the second half `gap` away; and its scene."""
        tets = ((0, 1, 2, 6), (0, 1, 5, 6), (0, 3, 2, 6), (0, 3, 7, 6), (0, 4, 5, 6), (0, 4, 7, 6))
        nodes = [tuple(c + gap * (t > 2) for c in CUBE[i]) for t, tet in enumerate(tets) for i in tet]
        lines = ["MeshVersionFormatted 2", "Dimension 3", "Vertices", str(len(nodes))]
        lines += [f"{x:.17g} {y:.17g} {z:.17g} 0" for x, y, z in nodes]
        lines += ["Tetrahedra", str(len(tets))] + [" ".join(str(4 * t + i + 1) for i in range(4)) + " 0" for t in range(6)] + ["End"]
        (self.folder / "soup.mesh").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return self.write_scene(bodies=[{"name": "soup", "geometry": {"mesh": "soup.mesh"}, "material": "rubber",
                                         "translate": [0, 1, 0]}])

    def value(self, done, name):
        return [line.split(maxsplit=1)[1] for line in done.stdout.splitlines() if line.split()[0] == name][0]

    def test_they_are_named_and_welded(self):
        scene = self.soup()
        for done in (self.vela("check", scene), self.run_scene(scene, "out", "--steps", "0")):
            self.assert_message(done, 'body "soup"', "6 pieces", '"weld"')
        self.assertEqual(self.value(self.vela("check", scene), "pieces"), "6")
        done = self.vela("check", scene, "--set", "bodies.0.geometry.weld=1e-6")
        self.assertEqual((self.value(done, "pieces"), self.value(done, "surface")), ("1", "triangles  12"))
        self.assertNotIn("pieces", done.stderr)
        self.assertEqual(self.value(done, "nodes"), "24")  # nothing is renumbered
        # Welded it moves as one: by its own frame the same as a box of one cell, which is split alike.
        self.run_scene(scene, "welded", "--steps", "20", "--set", "bodies.0.geometry.weld=1e-6")
        self.run_scene("welded/scene.json", "again", "--steps", "20")
        self.assert_same_run("welded", "again")

    def test_how_near(self):
        scene = self.soup(gap=0.01)
        for weld, pieces in (("0.017", "6"), ("0.018", "1")):  # the gap is sqrt(3) 0.01 m
            done = self.vela("check", scene, "--set", f"bodies.0.geometry.weld={weld}")
            self.assertEqual(self.value(done, "pieces") if weld == "0.018" else "6", pieces)
        self.assert_message(self.vela("check", scene, "--set", "bodies.0.geometry.weld=1.5", expect=2), "weld", "without volume")
        self.vela("check", scene, "--set", "bodies.0.geometry.weld=0", expect=2)

    def test_size_and_edges(self):
        done = self.vela("check", self.soup())
        self.assertEqual(self.value(done, "size"), "1 x 1 x 1 m, from (0, 1, 0)")
        self.assertTrue(self.value(done, "edges").startswith("1 to 1.73 m, "))


if __name__ == "__main__":
    vela_program.main()
