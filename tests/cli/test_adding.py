#!/usr/bin/env python3
"""docs/adding-a-term.md and docs/adding-a-material.md: their steps are applied to one copy of the project, which is built; the
scenes at their ends do what they say."""
import csv
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import walk

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VELA = pathlib.Path(sys.argv.pop(1)).resolve()
TERM, MATERIAL = (ROOT / "docs" / f"adding-a-{what}.md" for what in ("term", "material"))
# What follows the pages' changes to the tests, and takes seconds.
TESTS = ("test_energy", "test_energy_prox", "test_scene_schema")


def run(*arguments):
    return subprocess.run([str(argument) for argument in arguments], capture_output=True, text=True, check=False)


def setUpModule():
    """One copy with both pages, one build."""
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    path = pathlib.Path(folder.name)
    walk.copy_project(ROOT, path)
    for page in (TERM, MATERIAL):
        for name, text in walk.apply(page, path).items():
            (path / name).write_text(text, encoding="utf-8")
    Walk.path, Walk.vela = path, path / "build" / "vela"
    Walk.trouble = walk.build(path, path / "build", "vela", *TESTS)


class Walk(unittest.TestCase):
    path = vela = trouble = None

    def setUp(self):
        self.assertIsNone(self.trouble, self.trouble)

    def simulate(self, scene, *options):
        output = self.path / f"out{len(list(self.path.glob('out*')))}"
        done = run(self.vela, "run", scene, "--no-render", "--device", "cpu", "-o", output, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(output / "diagnostics.csv", encoding="utf-8") as file:
            return list(csv.DictReader(file)), (output / "states" / "000020.vst").read_bytes()

    def compare_devices(self, scene, *options):
        if "vulkan:0" not in run(self.vela, "devices").stdout:
            self.skipTest("no Vulkan device")
        done = run(self.vela, "compare", scene, "--b", "vulkan:0", "--steps", 4, "-o", self.path / "compare", *options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def check_places(self, page, most):
        numbers = [int(n) for n in re.findall(r"^## (\d+)\. ", page.read_text(encoding="utf-8"), re.M)]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        self.assertLessEqual(len(numbers), most)

    def check_format(self, page):
        """The C of the page is formatted as the project's."""
        if not shutil.which("clang-format-14"):
            self.skipTest("clang-format 14 is not installed")
        files = sorted({self.path / name for _, name, _, _ in walk.steps(page) if name.endswith((".c", ".h"))})
        done = run("clang-format-14", "--dry-run", *files)
        self.assertEqual(done.stderr, "")

    def check_rules(self):
        for checker in ("check_twins.py", "check_text.py", "check_includes.py"):
            done = run(sys.executable, self.path / "tools" / checker)
            self.assertEqual(done.returncode, 0, done.stdout)


class AddingATerm(Walk):
    def setUp(self):
        super().setUp()
        self.scene = self.path / "tightened.json"

    def test_at_most_seven_places(self):
        self.check_places(TERM, 7)

    def test_refused_before(self):
        self.assertEqual(run(VELA, "check", self.scene).returncode, 2)

    def test_format(self):
        self.check_format(TERM)

    def test_builds_and_both_solvers_agree(self):
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
        for solver in ("newton", "admm"):
            self.compare_devices(self.scene, "--set", f"solver.type={solver}")


class AddingAMaterial(Walk):
    def setUp(self):
        super().setUp()
        self.scene = self.path / "squeezed.json"

    def test_places_and_rules(self):
        self.check_places(MATERIAL, 8)
        self.check_rules()

    def test_refused_before(self):
        done = run(VELA, "check", self.scene)
        self.assertEqual(done.returncode, 2)
        self.assertIn("inverse_stretch", done.stderr)

    def test_format(self):
        self.check_format(MATERIAL)

    def test_the_tests_pass(self):
        for test in ("test_energy", "test_energy_prox"):
            done = run(self.path / "build" / "tests" / test)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("inverse_stretch", done.stdout)
        # The other page leaves its key out of the schema: what fails for a material names it.
        done = run(self.path / "build" / "tests" / "test_scene_schema")
        self.assertIn("Checks:", done.stdout)
        self.assertNotRegex(done.stdout, "model|inverse_stretch")

    def test_both_solvers_agree(self):
        newton, _ = self.simulate(self.scene, "--set", "solver.type=newton", "--set", "solver.tolerance=1e-8")
        admm, _ = self.simulate(self.scene, "--set", "solver.type=admm", "--set", "solver.tolerance=1e-9")
        self.assertGreater(float(newton[-1]["elastic"]), 1)  # J
        self.assertGreater(float(newton[-1]["min_det_f"]), 0)
        for a, b in zip(newton, admm):
            self.assertAlmostEqual(float(a["elastic"]), float(b["elastic"]), delta=1e-5 * float(newton[-1]["elastic"]))

    def test_both_devices_agree(self):
        for solver in ("newton", "admm"):
            self.compare_devices(self.scene, "--set", f"solver.type={solver}")


if __name__ == "__main__":
    unittest.main()
