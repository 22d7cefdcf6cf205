"""What the tests of the vela program share: running it, a tiny scene, reading what a run leaves behind."""
import csv
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else ""
COLUMNS = ("step,time,kinetic,elastic,gravitational,contact,constraint,total,target,dissipated,alpha,px,py,pz,lx,ly,lz,"
           "cx,cy,cz,min_det_f,min_distance,iterations,linear_iterations,primal_residual,dual_residual,step_ms").split(",")
TIMEOUT = 240  # s; only a hang comes near it


def tiny_scene(**changes):
    """A soft bar that falls on a floor: 45 nodes, 32 cells of 6 tetrahedra, 20 steps, 11 frames."""
    scene = {
        "version": 1,
        "name": "tiny",
        "time": {"step": "1/200", "duration": 0.1, "frame_every": 2},
        "materials": {"rubber": {"model": "neo_hookean", "density": 1000, "youngs_modulus": 2e5, "poissons_ratio": 0.3}},
        "bodies": [{"name": "bar", "type": "solid", "geometry": {"box": {"size": [0.4, 0.1, 0.1], "cells": [8, 2, 2]}},
                    "material": "rubber", "translate": [0, 0.06, 0], "velocity": [0, -1, 0],
                    "angular_velocity": [0, 0, 3]}],
        "obstacles": [{"name": "ground", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}],
        "contact": {"model": "penalty", "stiffness": 500},
        "render": {"size": [64, 48]},
        "output": {"images": "none", "checkpoint_every": 3},
    }
    scene.update(changes)
    return scene


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own, in which the program runs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="vela_test_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write_scene(self, name="scene.json", **changes):
        path = self.folder / name
        path.write_text(json.dumps(tiny_scene(**changes)), encoding="utf-8")
        return path

    def vela(self, *arguments, expect=0, environment=None, **options):
        """Runs the program to its end; the exit code must be `expect`."""
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=TIMEOUT, env={**os.environ, **(environment or {})}, check=False, **options)
        self.assertEqual(done.returncode, expect, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def run_scene(self, scene, output, *arguments, **options):
        return self.vela("run", scene, "-o", output, "--device", "cpu", *arguments, **options)

    def assert_message(self, done, *parts):
        for part in parts:
            self.assertIn(part, done.stderr)

    def assert_same_run(self, a, b):
        """States, diagnostics (timing columns aside) and reactions of two run folders are the same bytes."""
        self.assertEqual(self.states(a), self.states(b))
        self.assertEqual(diagnostics_without_times(self.folder / a), diagnostics_without_times(self.folder / b))
        self.assertEqual(self.reactions(a), self.reactions(b))

    def reactions(self, name):
        """The bytes of reactions.csv, None where nothing is held."""
        path = self.folder / name / "reactions.csv"
        return path.read_bytes() if path.exists() else None

    def states(self, name):
        return {path.name: path.read_bytes() for path in sorted((self.folder / name / "states").iterdir())}


def read_diagnostics(folder):
    with open(pathlib.Path(folder) / "diagnostics.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def diagnostics_without_times(folder):
    header, rows = read_diagnostics(folder)
    kept = [i for i, name in enumerate(header) if not name.endswith("_ms")]
    return [[row[i] for i in kept] for row in [header] + rows]


def png_size(path):
    data = pathlib.Path(path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR", path
    assert data[-8:-4] == b"IEND", path
    return struct.unpack(">II", data[16:24])


def has_vulkan():
    """Whether any Vulkan driver is there that renders."""
    done = subprocess.run([PROGRAM, "devices"], capture_output=True, text=True, timeout=TIMEOUT, check=False)
    return done.returncode == 0 and any(line.split() == ["renders", "yes"] for line in done.stdout.splitlines())


def without_vulkan():
    """Environment in which the loader finds no driver."""
    nothing = os.path.join(tempfile.gettempdir(), "vela_no_such_driver.json")
    return {"VK_ICD_FILENAMES": nothing, "VK_DRIVER_FILES": nothing}


def is_root():
    return os.geteuid() == 0


def main():
    """Runs the tests of the calling script. Exit code 77, with the reasons, when all of them were skipped."""
    if not PROGRAM or not shutil.which(PROGRAM):
        print("usage: test_NAME.py PATH_OF_VELA", file=sys.stderr)
        sys.exit(2)
    result = unittest.main(argv=[sys.argv[0]] + sys.argv[2:], exit=False).result
    for _, reason in result.skipped:
        print("skipped:", reason)
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.testsRun > 0 and len(result.skipped) == result.testsRun else 0)
