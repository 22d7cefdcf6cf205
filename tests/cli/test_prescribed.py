"""Surfaces that are prescribed on both sides: `vela check` says where they will meet, and a run stops before that step."""
import json
import unittest

import vela_program
from vela_program import ProgramTest

CUBE = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
FACES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))  # outward
FLOOR = {"name": "floor", "plane": {"point": [0, -0.505, 0], "normal": [0, 1, 0]}}
BALL = {"name": "ball", "sphere": {"center": [0, 0.505, 0], "radius": 0.1}}


def towards(*way, time=1):
    return [{"time": 0}, {"time": time, "translate": list(way)}]


def box(name, translate=(0, 0, 0), motion=None, select="all", size=(0.1, 0.1, 0.1), **changes):
    """Pinned, and moved by `motion`."""
    pin = {"select": select, "motion": motion} if motion else {"select": select}
    return {"name": name, "geometry": {"box": {"size": list(size), "cells": [2, 2, 2]}}, "material": "rubber",
            "translate": list(translate), "pins": [pin], **changes}


class Prescribed(ProgramTest):
    """What moves does so by 1 m/s, in steps of 10 ms: a gap of 0.355 m is gone in step 36."""

    def scene(self, *bodies, obstacles=(), contact=None, duration=1, **changes):
        return self.write_scene(bodies=list(bodies), obstacles=list(obstacles), gravity=[0, 0, 0],
                                contact={"model": "barrier", "distance": 1e-3, **(contact or {})},
                                time={"step": 0.01, "duration": duration}, **changes)

    def assert_meeting(self, scene, step, *names):
        done = self.vela("check", scene, expect=2)
        self.assert_message(done, f"meet in step {step},", "both are prescribed", str(scene), *names)
        done = self.run_scene(scene, f"out{step}", "--steps", step - 1)
        done = self.run_scene(scene, f"out{step}", "--steps", step + 5, "--resume", expect=1)
        self.assert_message(done, f"meet in step {step},", "both are prescribed", *names)
        record = json.loads((self.folder / f"out{step}/run.json").read_text(encoding="utf-8"))
        self.assertEqual((record["state"], record["steps_done"]), ("failed", step - 1))

    def assert_fine(self, scene):
        self.assertNotIn("prescribed", self.vela("check", scene).stderr)

    def write_cube(self, size):
        lines = ["v " + " ".join(str(size * (c - 0.5)) for c in corner) for corner in CUBE]
        lines += ["f " + " ".join(str(1 + i) for i in face) for face in FACES]
        (self.folder / "cube.obj").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return {"name": "press", "mesh": "cube.obj"}

    def test_spheres(self):
        self.assert_meeting(self.scene(box("block"), obstacles=[{**BALL, "motion": towards(0, -1, 0)}]), 36, "block", "ball")
        self.assert_meeting(self.scene(box("block", motion=towards(0, 1, 0)), obstacles=[BALL]), 36, "block", "ball")
        beside = {**BALL, "sphere": {"center": [0.151, 0.505, 0], "radius": 0.1}, "motion": towards(0, -1, 0)}
        self.assert_fine(self.scene(box("block"), obstacles=[beside]))

    def test_planes(self):
        self.assert_meeting(self.scene(box("block"), obstacles=[{**FLOOR, "motion": towards(0, 1, 0)}]), 46, "block", "floor")
        self.assert_meeting(self.scene(box("block", motion=towards(0, -1, 0)), obstacles=[FLOOR]), 46, "block", "floor")
        # About a line in the plane, 1 rad/s: the box's corners at (0.05, -0.05) have 0.455 m to go, the arc is longer than that.
        swing = {"spin": {"axis": [0, 0, 1], "about": [-1, -0.505, 0], "speed": 1}}
        done = self.vela("check", self.scene(box("block"), obstacles=[{**FLOOR, "motion": swing}]), expect=2)
        self.assert_message(done, "meet in step 41,", "block", "floor")  # atan(0.455/1.05) = 0.409
        self.assert_fine(self.scene(box("block", motion=towards(0.3, -0.454, 0)), obstacles=[FLOOR]))

    def test_meshes(self):
        press = {**self.write_cube(0.2), "translate": [0.505, 0, 0]}
        self.assert_meeting(self.scene(box("block"), obstacles=[{**press, "motion": towards(-1, 0, 0)}]), 36, "block", "press")
        # Within one step through and beyond: nothing intersects at its end.
        through = self.scene(box("block"), obstacles=[{**press, "motion": towards(-100, 0, 0)}])
        self.assert_meeting(through, 1, "block", "press")
        self.assert_fine(self.scene(box("block"), obstacles=[{**press, "motion": towards(-0.354, 3, 0)}]))

    def test_bodies(self):
        pair = box("a"), box("b", (0.405, 0.02, 0.01), towards(-1, 0, 0))
        self.assert_meeting(self.scene(*pair), 31, "a, node", "b, node")
        self.assert_meeting(self.scene(pair[0], {**pair[1], "type": "affine"}, solver={"type": "newton"}), 31, "a, node", "b, ")
        # Half of the body is pinned: what is free gives way.
        half = {"box": [[-1, -1, -1], [0.01, 1, 1]]}
        self.assert_meeting(self.scene(box("a", select=half), pair[1]), 36, "a, node", "b, node")
        row = box("row", array={"count": [3, 1, 1], "spacing": [0.2, 0, 0]})
        self.assert_meeting(self.scene(row, box("b", (0.805, 0, 0), towards(-1, 0, 0))), 31, "row, node", "b, node")
        together = box("a", motion=towards(2, 1, 0)), box("b", (0.101, 0.02, 0.01), towards(2, 1, 0))
        self.assert_fine(self.scene(*together, obstacles=[FLOOR]))

    def test_turning(self):
        spin = {"spin": {"axis": [0, 0, 1], "about": [0, 0, 0], "speed": 1}}
        ball = {"name": "ball", "sphere": {"center": [0, 0.4, 0], "radius": 0.05}}
        bar = box("bar", motion=spin, size=(1, 0.1, 0.1))
        self.assert_meeting(self.scene(bar, obstacles=[ball], duration=2), 132, "bar", "ball")  # 0.4 cos(1.318) = 0.1
        ball["sphere"]["center"] = [0, 0.56, 0]  # the bar's corners come to 0.5025 m from the axis
        self.assert_fine(self.scene(bar, obstacles=[ball], duration=200))
        # Short meetings in a long motion. Opposite to the start an orbiting block's side comes to the ball: sin(pi - 2.991) = 0.15.
        ball["sphere"] = {"center": [-1, 0, 0], "radius": 0.1}
        orbit = self.scene(box("block", (1, 0, 0), spin), obstacles=[ball], duration=20)
        self.assert_message(self.vela("check", orbit, expect=2), "meet in step 300,")
        thrust = [{"time": 0}, {"time": 1}, {"time": 1.05, "translate": [0, -0.45, 0]}, {"time": 1.1}]
        late = self.scene(box("block"), obstacles=[{**BALL, "motion": thrust}], duration=20)
        self.assert_message(self.vela("check", late, expect=2), "meet in step 104,")  # 9 m/s

    def test_cables(self):
        cable = {"name": "rope", "type": "cable", "geometry": {"cable": {"from": [-1, 0, 0], "to": [1, 0, 0], "segments": 4}},
                 "radius": 0.01, "material": "rubber", "pins": [{"select": "all"}]}
        ball = {**BALL, "motion": towards(0, -1, 0)}
        self.assert_meeting(self.scene(cable, obstacles=[ball], solver={"type": "newton"}), 40, "rope", "ball")  # 0.395 m
        cross = {**cable, "name": "cross", "geometry": {"cable": {"from": [0.1, 0.505, -0.9], "to": [0.1, 0.505, 1], "segments": 4}},
                 "pins": [{"select": "all", "motion": towards(0, -1, 0)}]}
        self.assert_meeting(self.scene(cable, cross, solver={"type": "newton"}), 49, "rope", "cross")  # 0.485 m

    def test_own_pins(self):
        bar = box("bar", size=(0.4, 0.1, 0.1))
        bar["pins"] = [{"select": {"box": [[-1, -1, -1], [-0.19, 1, 1]]}},
                       {"select": {"box": [[0.19, -1, -1], [1, 1, 1]]}, "motion": towards(-1, 0, 0)}]
        done = self.vela("check", self.scene(bar), expect=2)
        self.assert_message(done, "meet in step 40,", "bar, node")
        self.assert_fine(self.scene(bar, contact={"self": False}))

    def test_what_is_none_of_it(self):
        press = {**BALL, "motion": towards(0, -1, 0)}
        free = box("block")
        del free["pins"]
        self.assert_fine(self.scene(free, obstacles=[press]))  # it can give way
        self.assert_fine(self.scene(box("block", (5, 0, 0)), obstacles=[press, FLOOR]))  # obstacles may
        for names in (["block", "ball"], ["ball", "rubber"]):
            unseen = {"pairs": [{"between": names, "contact": False}]}
            self.assert_fine(self.scene(box("block"), obstacles=[press], contact=unseen))
            self.assert_fine(self.scene(box("block", motion=towards(0, 1, 0)), obstacles=[BALL], contact=unseen))
        self.assert_fine(self.scene(box("block"), obstacles=[{**FLOOR, "motion": towards(0, 1, 0)}],
                                    contact={"pairs": [{"between": ["floor", "block"], "contact": False}]}))
        stands = self.write_scene(bodies=[box("block")], obstacles=[{**FLOOR, "motion": towards(0, 1, 0)}])
        self.assert_fine(stands)  # not barrier contact


if __name__ == "__main__":
    vela_program.main()
