#!/usr/bin/env python3
"""docs/adding-a-term.md: its steps are applied to a copy of the project, which is built; the scene at its end does what it says."""
import csv
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import walk

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VELA = pathlib.Path(sys.argv.pop(1)).resolve()
PAGE = ROOT / "docs" / "adding-a-term.md"


def run(*arguments):
    return subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, check=False)


class AddingATerm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = pathlib.Path(cls.folder.name)
        walk.copy_project(ROOT, cls.path)
        for name, text in walk.apply(PAGE, cls.path).items():
            (cls.path / name).write_text(text, encoding="utf-8")
        cls.scene = cls.path / "tightened.json"
        cls.trouble = walk.build(cls.path, cls.path / "build", "vela")
        cls.vela = cls.path / "build" / "vela"

    def simulate(self, scene, *options):
        output = self.path / f"out{len(list(self.path.glob('out*')))}"
        done = run(self.vela, "run", scene, "--no-render", "--device", "cpu", "-o", output, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(output / "diagnostics.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file)), (output / "states" / "000020.vst").read_bytes()

    def test_at_most_seven_places(self):
        numbers = [int(n) for n in re.findall(r"^## (\d+)\. ", PAGE.read_text(encoding="utf-8"), re.M)]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        self.assertLessEqual(len(numbers), 7)

    def test_refused_before(self):
        self.assertEqual(run(VELA, "check", self.scene).returncode, 2)

    def test_builds_and_both_solvers_agree(self):
        self.assertIsNone(self.trouble, self.trouble)
        newton, _ = self.simulate(self.scene, "--set", "solver.type=newton", "--set", "solver.tolerance=1e-8")
        admm, _ = self.simulate(self.scene, "--set", "solver.type=admm", "--set", "solver.tolerance=1e-9")
        without = json.loads(self.scene.read_text(encoding="utf-8"))
        del without["bodies"][0]["spring"], without["bodies"][0]["spring_area"]
        plain = self.path / "plain.json"
        plain.write_text(json.dumps(without), encoding="utf-8")
        loose, _ = self.simulate(plain, "--set", "solver.type=newton")
        # The spring is stretched by the twist: w kappa/2 e^2 with w = A l0 and e = ((l/l0)^2 - 1)/2, the ends of the diagonal turned
        # against each other by 60 degrees.
        stored = float(newton[0]["elastic"]) - float(loose[0]["elastic"])
        half, length = 0.1 / 2, 0.2
        across = lambda degrees: 4 * half * half * (1 - math.cos(math.radians(degrees)))
        rest = (length ** 2 + across(180)) ** 0.5
        now = min(((length ** 2 + across(180 + turn)) ** 0.5 for turn in (60, -60)), key=lambda l: abs(l - rest))
        strain = ((now / rest) ** 2 - 1) / 2
        self.assertAlmostEqual(stored, 0.5 * 1e5 * 0.002 * rest * strain ** 2, delta=1e-9 + 1e-9 * abs(stored))
        for a, b in zip(newton, admm):
            self.assertAlmostEqual(float(a["total"]), float(b["total"]), delta=1e-5 * float(newton[0]["total"]))
        moved = max(abs(float(a["kinetic"]) - float(b["kinetic"])) for a, b in zip(newton, loose))
        self.assertGreater(moved, 1e-3 * stored)  # it pulls

    def test_both_devices_agree(self):
        self.assertIsNone(self.trouble, self.trouble)
        listed = run(self.vela, "devices")
        if "vulkan:0" not in listed.stdout:
            self.skipTest("no Vulkan device")
        for solver in ("newton", "admm"):
            done = run(self.vela, "compare", self.scene, "--b", "vulkan:0", "--steps", 4, "-o", self.path / f"compare_{solver}",
                       "--set", f"solver.type={solver}")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
