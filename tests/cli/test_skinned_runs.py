"""A skin in contact through the whole program: check, run under --verify, kill and resume, render, exports, states."""
import unittest

import vela_program
from test_verbs import read_npy
from vela_program import ProgramTest, has_vulkan, png_size

# A box of 27 nodes under an octahedron of 6 vertices, that is inside of it.
NODES, TETS, VERTICES, TRIANGLES = 27, 48, 6, 8
SKIN = "".join(f"v {x} {y} {z}\n" for x, y, z in ((.07, 0, 0), (-.07, 0, 0), (0, .09, 0), (0, -.09, 0), (0, 0, .08),
                                                (0, 0, -.08))) + \
    "".join(f"f {a} {b} {c}\n" for a, b, c in ((1, 3, 5), (3, 2, 5), (2, 4, 5), (4, 1, 5), (3, 1, 6), (2, 3, 6),
                                               (4, 2, 6), (1, 4, 6)))


class Skins(ProgramTest):
    def skinned(self, **changes):
        (self.folder / "skin.obj").write_text(SKIN, encoding="ascii")
        return self.write_scene(**{
            "solver": {"type": "newton"},
            "bodies": [{"name": "box", "geometry": {"box": {"size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]}},
                        "material": "rubber", "translate": [0, 0.1, 0], "velocity": [0, -1, 0],
                        "array": {"count": [2, 1, 1], "spacing": [0.3, 0, 0]},
                        "skin": {"mesh": "skin.obj", "contact": True}}],
            "contact": {"model": "barrier", "distance": 0.004}, **changes})

    def test_check_counts_skins(self):
        lines = self.vela("check", self.skinned()).stdout.splitlines()
        self.assertIn(f"  skins              {2 * VERTICES} vertices, {2 * TRIANGLES} triangles", lines)
        self.assertIn("  surface triangles  96", lines)

    def test_runs_and_goes_on(self):
        scene = self.skinned()
        self.run_scene(scene, "whole", "--verify")
        self.run_scene(scene, "parts", "--verify", "--steps", "9")
        self.vela("run", scene, "-o", "parts", "--resume", "--device", "cpu", "--verify", "--steps", "20")
        self.assert_same_run("whole", "parts")

    def test_exports(self):
        self.run_scene(self.skinned(), "out", "--steps", "4")
        self.vela("export", "out", "--format", "npy")
        read = {name: read_npy(self.folder / f"out/npy/{name}.npy")
                for name in ("positions", "rest_positions", "tets", "triangles", "triangle_elements", "bodies")}
        count = 2 * (NODES + VERTICES)
        self.assertEqual(read["positions"][0], (3, count, 3))
        self.assertEqual(read["tets"][0], (2 * TETS, 4))
        self.assertLess(max(read["tets"][2]), 2 * NODES)
        self.assertEqual(read["triangles"][0], (2 * TRIANGLES, 3))
        self.assertEqual(min(read["triangles"][2]), 2 * NODES)
        self.assertEqual(max(read["triangles"][2]), count - 1)
        self.assertLess(max(read["triangle_elements"][2]), 2 * TETS)
        self.assertEqual(read["bodies"][2], (0, count, 0, 2 * TETS, 0, 2 * TRIANGLES, 0, 0, 2 * VERTICES))
        for found, expected in zip(read["rest_positions"][2][3 * 2 * NODES:], (.07, .1, 0, -.07, .1, 0, 0, .19, 0)):
            self.assertAlmostEqual(found, expected, places=12)
        self.vela("export", "out", "--format", "obj")
        lines = (self.folder / "out/obj/000000.obj").read_text(encoding="ascii").splitlines()
        self.assertEqual(sum(line.startswith("v ") for line in lines), 2 * VERTICES)
        self.assertEqual(sum(line.startswith("f ") for line in lines), 2 * TRIANGLES)

    @unittest.skipUnless(has_vulkan(), "no Vulkan driver that renders")
    def test_draws(self):
        self.run_scene(self.skinned(output={"images": "none", "stress": True}), "out", "--steps", "2")
        for color in ("body", "stretch", "energy", "speed", "stress", "strain"):
            self.vela("render", "out", "--set", f"render.color_by={color}", "-o", color)
            self.assertEqual(png_size(self.folder / color / "000001.png"), (64, 48))

    def test_names_vertices(self):
        """Two skins that cross at the start."""
        scene = self.skinned()
        done = self.run_scene(scene, "out", "--set", "bodies.0.array.spacing=[0.1,0,0]", expect=2)
        self.assert_message(done, 'body "box"', "intersect")


if __name__ == "__main__":
    vela_program.main()
