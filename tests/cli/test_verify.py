"""vela run --verify: states that are wrong are found, named and recorded; others run to the same bytes."""
import json
import unittest

import vela_program
from vela_program import ProgramTest, read_diagnostics

BOX = {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}


def body(name, **changes):
    return {"name": name, "type": "solid", "geometry": {"box": BOX}, "material": "rubber", **changes}


class Verify(ProgramTest):
    def scene(self, *bodies, **changes):
        """Bodies that fly without contact and gravity, unless `changes` says otherwise."""
        changes = {"obstacles": [], "contact": None, "gravity": [0, 0, 0], **changes}
        path = self.write_scene(bodies=list(bodies), **changes)
        scene = {key: value for key, value in json.loads(path.read_text(encoding="utf-8")).items() if value is not None}
        path.write_text(json.dumps(scene), encoding="utf-8")
        return path

    def assert_fails(self, scene, step, *parts):
        """With --verify the run ends at `step` with all of `parts` in its message; without, it goes through."""
        done = self.run_scene(scene, "out", "--verify", expect=1)
        self.assert_message(done, f"step {step} ", "failed verification", *parts)
        run = json.loads((self.folder / "out/run.json").read_text(encoding="utf-8"))
        self.assertEqual(run["state"], "failed")
        self.assertIn(f"step {step} ", run["message"])
        self.assertEqual(read_diagnostics(self.folder / "out")[1][-1][0], str(step))
        self.run_scene(scene, "out")

    def test_what_is_right_runs_to_the_same_bytes(self):
        scene = self.write_scene()  # nodes sink into the floor: that is what penalty contact does
        self.run_scene(scene, "checked", "--verify")
        self.run_scene(scene, "plain")
        self.assert_same_run("checked", "plain")
        phases = json.loads((self.folder / "checked/run.json").read_text(encoding="utf-8"))["phases"]
        self.assertGreater({phase["name"]: phase["seconds"] for phase in phases}["verify"], 0)

    def test_bodies_that_pass_through_each_other(self):
        # Faces 0.01 m apart come together at 1 m/s: they touch after two steps of 1/200 s, and overlap after three.
        scene = self.scene(body("left", velocity=[1, 0, 0]), body("right", translate=[0.1125, 0.003, 0.002]))
        self.assert_fails(scene, 3, 'of body "left" and triangle (', 'of body "right" intersect', "in all")
        self.run_scene(scene, "out", "--verify", "--steps", "2")
        done = self.run_scene(scene, "out", "--verify", "--resume", expect=1)
        self.assert_message(done, "step 3 ", "a checkpoint of step 2 are safe")

    def test_bodies_that_overlap_from_the_start(self):
        for shift, message in ((0.05, "intersect"), (0.1, "intersect")):  # 0.1: faces touch
            self.assert_fails(self.scene(body("a"), body("b", translate=[shift, 0, 0])), 0, message)
        self.run_scene(self.scene(body("a"), body("b", translate=[0.10001, 0, 0])), "out", "--verify", "--steps", "1")

    def test_copies_of_a_body(self):
        array = {"count": [2, 1, 1], "spacing": [0.09, 0, 0]}
        self.assert_fails(self.scene(body("row", array=array)), 0, 'of body "row" and triangle (', 'of body "row" intersect')

    def test_plane(self):
        floor = {"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}
        scene = self.scene(body("box", translate=[0, 0.062, 0], velocity=[0, -1, 0]), obstacles=[floor])
        self.assert_fails(scene, 3, 'node ', 'of body "box" is not outside plane "floor"', "-0.003 m")
        floor["motion"] = [{"time": 0}, {"time": 0.1, "translate": [0, 0.1, 0]}]
        scene = self.scene(body("box", translate=[0, 0.062, 0]), obstacles=[floor])
        self.assert_fails(scene, 3, 'plane "floor"')

    def test_sphere(self):
        ball = {"name": "ball", "sphere": {"center": [0, 0.162, 0], "radius": 0.1}}
        scene = self.scene(body("box", velocity=[0, 1, 0]), obstacles=[ball])
        self.assert_fails(scene, 3, 'of body "box"', 'reaches into sphere "ball"')

    def test_mesh_obstacle(self):
        # An open sheet at x = 0.0625 that comes along at 1 m/s; its vertices are counted in the file.
        (self.folder / "sheet.obj").write_text("v 0 -1 -1\nv 0 1 -1\nv 0 1 1\nv 0 -1 1\nf 1 2 3\nf 1 3 4\n", encoding="utf-8")
        sheet = {"name": "sheet", "mesh": "sheet.obj", "translate": [0.0625, 0, 0],
                 "motion": [{"time": 0}, {"time": 0.1, "translate": [-0.1, 0, 0]}]}
        scene = self.scene(body("box"), obstacles=[sheet])
        self.assert_fails(scene, 3, 'of body "box" and triangle (', 'of obstacle "sheet" intersect')
        done = self.run_scene(scene, "out", "--verify", expect=1)
        self.assertRegex(done.stderr, r'triangle \((0, 1, 2|0, 2, 3)\) of obstacle "sheet"')


if __name__ == "__main__":
    vela_program.main()
