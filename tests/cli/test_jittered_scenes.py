"""Shipped scenes with gravity turned and scaled a little, four times each, under --verify: one failure fails all.
VELA_TEST_JITTERS: another number of times."""
import json
import math
import os
import pathlib
import random

import vela_program
from vela_program import ProgramTest, read_diagnostics

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"
REPEATS = int(os.environ.get("VELA_TEST_JITTERS", 4))
STEPS = 60  # 0.5 s


def jittered_gravity(source):
    """Up to 5 % more or less, about 3 degrees off the vertical, m/s^2."""
    strength = 9.8 * (1 + source.uniform(-0.05, 0.05))
    direction = [source.gauss(0, 0.05), -1, source.gauss(0, 0.05)]
    length = math.sqrt(sum(value * value for value in direction))
    return [strength * value / length for value in direction]


class JitteredScenes(ProgramTest):
    def assert_holds(self, name, folder="energy_control", steps=STEPS):
        source = random.Random(name)
        for _ in range(REPEATS):
            gravity = json.dumps(jittered_gravity(source))
            self.run_scene(SCENES / folder / f"{name}.json", "out", "--set", f"gravity={gravity}", "--steps", steps, "--verify",
                           "--no-render", "--threads", 1)
            header, rows = read_diagnostics(self.folder / "out")
            closest = [row[header.index("min_distance")] for row in rows]
            self.assertTrue(any(closest), f"{name}: nothing comes into contact with gravity {gravity}")
            stopped = {row[header.index("stop")] for row in rows[1:]}
            self.assertLessEqual(stopped, {"residual", "rounding"}, f"gravity {gravity}")

    def test_stack_of_cubes(self):
        self.assert_holds("stack_of_cubes")

    def test_squeezed_ball(self):
        self.assert_holds("squeezed_ball")

    def test_linked_tori(self):
        self.assert_holds("linked_tori")

    def test_knot(self):
        self.assert_holds("knot", "cables", 24)

    def test_dominoes(self):
        self.assert_holds("dominoes", "affine", 40)


if __name__ == "__main__":
    vela_program.main()
