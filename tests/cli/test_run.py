"""vela run from end to end on a tiny scene: what it writes, what it prints, what it refuses."""
import json
import math
import os
import re
import subprocess
import unittest

import vela_program
from vela_program import COLUMNS, PROGRAM, ProgramTest, has_vulkan, is_root, png_size, read_diagnostics, without_vulkan

STEPS, FRAMES = 20, 11


class Files(ProgramTest):
    def test_run_folder(self):
        scene = self.write_scene()
        self.run_scene(scene, "out")
        out = self.folder / "out"
        names = {path.name for path in out.iterdir()}
        self.assertLessEqual({"run.json", "scene.json", "diagnostics.csv", "states", "checkpoint.vck"}, names)
        self.assertEqual([path.name for path in sorted((out / "states").iterdir())],
                         [f"{i:06d}.vst" for i in range(FRAMES)])
        header, rows = read_diagnostics(out)
        self.assertEqual(header[:len(COLUMNS)], COLUMNS)
        self.assertEqual([row[0] for row in rows], [str(i) for i in range(STEPS + 1)])
        self.assertTrue(all(len(row) == len(header) for row in rows))
        values = [dict(zip(header, row)) for row in rows]
        for row in values:
            parts = sum(float(row[name] or 0) for name in ("kinetic", "elastic", "gravitational", "contact", "constraint"))
            self.assertAlmostEqual(parts, float(row["total"]), delta=1e-9 * max(1, abs(parts)))
        self.assertAlmostEqual(float(values[-1]["time"]), 0.1)
        self.assertGreater(float(values[-1]["elastic"]), 0)
        self.assertEqual(json.loads((out / "scene.json").read_text(encoding="utf-8"))["name"], "tiny")
        self.assertIn("cpu", (out / "run.json").read_text(encoding="utf-8"))
        leftovers = [str(path) for path in out.rglob("*") if path.suffix not in (".json", ".csv", ".vst", ".vck", "")]
        self.assertEqual(leftovers, [])

    def test_default_folder(self):
        self.vela("run", self.write_scene(), "--steps", "1", "--device", "cpu")
        self.assertTrue((self.folder / "out/tiny/run.json").exists())

    def test_resolved_scene_runs_to_the_same_bytes(self):
        self.run_scene(self.write_scene(), "a", "--steps", "6")
        self.run_scene("a/scene.json", "b", "--steps", "6")
        self.assert_same_run("a", "b")

    def test_same_bytes_for_any_number_of_threads(self):
        scene = self.write_scene()
        self.run_scene(scene, "one", "--threads", "1")
        for threads in ("2", "3"):
            self.run_scene(scene, "many", "--threads", threads)
            self.assert_same_run("one", "many")

    def test_images(self):
        if not has_vulkan():
            self.skipTest("no Vulkan driver that renders")
        self.run_scene(self.write_scene(output={"images": "png"}), "out", "--steps", "4")
        images = sorted((self.folder / "out/images").iterdir())
        self.assertEqual([path.name for path in images], ["000000.png", "000001.png", "000002.png"])
        for path in images:
            self.assertEqual(png_size(path), (64, 48))

    def test_as_many_planes_as_a_scene_may_have(self):
        if not has_vulkan():
            self.skipTest("no Vulkan driver that renders")
        planes = [{"plane": {"point": [0, -1 - 0.001 * i, 0], "normal": [0, 1, 0]}} for i in range(1000)]
        self.run_scene(self.write_scene(output={"images": "png"}, obstacles=planes), "out", "--steps", "1")
        self.assertEqual(len(list((self.folder / "out/images").iterdir())), 2)

    def test_no_render(self):
        self.run_scene(self.write_scene(output={"images": "png"}), "out", "--steps", "2", "--no-render")
        self.assertEqual(list((self.folder / "out").glob("images/*")), [])

    def test_no_vulkan_driver(self):
        scene = self.write_scene(output={"images": "png"})
        done = self.vela("run", scene, "-o", "out", "--steps", "2", environment=without_vulkan())
        self.assertIn("warning", done.stderr)
        self.assertEqual(list((self.folder / "out").glob("images/*")), [])
        self.assertEqual(len(self.states("out")), 2)
        done = self.vela("render", "out", expect=1, environment=without_vulkan())
        self.assertIn("mesa-vulkan-drivers", done.stderr)
        self.assertIn("no Vulkan driver", self.vela("devices", environment=without_vulkan()).stdout)


class Integrators(ProgramTest):
    """What the columns of energy control and of the solvers hold; the motions themselves are for tests/physics."""

    def rows_of(self, integrator, solver, **changes):
        self.run_scene(self.write_scene(integrator=integrator, solver=solver, **changes), "out", "--steps", "8")
        header, rows = read_diagnostics(self.folder / "out")
        return [dict(zip(header, row)) for row in rows]

    def test_newton(self):
        rows = self.rows_of({"type": "implicit_euler"}, {"type": "newton"})
        for name in ("target", "alpha", "alpha_case", "dual_residual"):
            self.assertEqual({row[name] for row in rows}, {""}, name)
        for name in ("iterations", "stop", "step_length", "primal_residual"):
            self.assertEqual(rows[0][name], "")
            self.assertNotIn("", {row[name] for row in rows[1:]}, name)
        self.assertEqual({row["stop"] for row in rows[1:]}, {"residual"})
        for row in rows[1:]:
            self.assertLess(float(row["primal_residual"]), 0.01)
            self.assertTrue(0 < float(row["step_length"]) <= 1)
            self.assertGreater(int(row["linear_iterations"]), 0)

    def test_admm(self):
        rows = self.rows_of({"type": "variational"}, {"type": "admm"})
        self.assertEqual({row["alpha"] for row in rows[1:]}, {"0.5"})
        self.assertEqual({row["step_length"] for row in rows}, {""})
        self.assertNotIn("", {row["dual_residual"] for row in rows[1:]})

    def test_explicit(self):
        rows = self.rows_of({"type": "variational", "alpha": 1}, {"type": "admm"}, time={"step": 1e-4, "duration": 1})
        for name in ("stop", "step_length", "primal_residual", "dual_residual"):
            self.assertEqual({row[name] for row in rows}, {""}, name)

    def test_a_search(self):
        rows = self.rows_of({"type": "a_search", "initial_energy": 0.75, "ground_energy": -2,
                             "decay_time": [{"time": 0, "value": None}, {"time": 0.02, "value": 0.1}]}, {"type": "newton"})
        first = -2 + 0.75 * (float(rows[0]["total"]) + 2)
        for row in rows:
            late = max(0, float(row["time"]) - 0.02)  # exp(-t/tau) from the second keyframe on
            self.assertAlmostEqual(float(row["target"]), -2 + math.exp(-late / 0.1) * (first + 2), delta=1e-12 * abs(first + 2))
        self.assertEqual((rows[0]["alpha"], rows[0]["alpha_case"]), ("", ""))
        for row in rows[1:]:
            self.assertIn(row["alpha_case"], ("root", "nearest", "none", "clipped"))
            self.assertTrue(0 <= float(row["alpha"]) <= 1.1)

    def test_blending(self):
        rows = self.rows_of({"type": "blending"}, {"type": "newton"})
        self.assertEqual({row["target"] for row in rows}, {rows[0]["total"]})
        self.assertTrue(all(0 <= float(row["alpha"]) <= 1 for row in rows[1:]))

    def test_what_stopped_short(self):
        scene = self.write_scene(solver={"type": "newton", "max_iterations": 1, "tolerance": 1e-9})
        done = self.run_scene(scene, "out", "--steps", "4")
        self.assertIn("4 of 4 steps stopped before the tolerance 1e-09: 4 reached max_iterations (1)", done.stderr)
        self.assertIn("(max_iterations)", done.stdout)
        self.assertIn("4 of these steps stopped before the solver's tolerance", done.stdout)
        self.assertEqual(json.loads((self.folder / "out/run.json").read_text(encoding="utf-8"))["unconverged_steps"], 4)
        done = self.run_scene(scene, "strict", "--steps", "4", "--set", "solver.strict=true", expect=1)
        self.assertIn("step 1", done.stderr)
        self.assertIn("max_iterations", done.stderr)

    def test_check_names_them(self):
        scene = self.write_scene(integrator={"type": "a_search", "variant": "sparse", "decay_time": 3}, solver={"type": "newton"})
        text = self.vela("check", scene).stdout
        self.assertIn("a_search (alpha 0 to 1.1, sparse, decay)", text)
        self.assertIn("newton (tolerance 0.01 m/s, at most 100 iterations)", text)
        text = self.vela("check", scene, "--set", 'integrator={"type": "sdirk2"}', "--set", 'solver={"type": "admm"}').stdout
        self.assertIn("sdirk2\n", text)
        self.assertIn("admm (tolerance 1e-05, at most 500 iterations)", text)
        text = self.vela("check", scene, "--set", 'integrator={"type": "variational", "alpha": 1}').stdout
        self.assertIn("variational (alpha 1, explicit)", text)
        self.assertRegex(text, "solver +none")
        self.assertRegex(text, "obstacles +1 \\(1 plane\\)\n")
        (self.folder / "sheet.obj").write_text("v 0 -2 0\nv 1 -2 0\nv 0 -2 1\nf 1 2 3\n", encoding="utf-8")
        obstacles = [{"mesh": "sheet.obj"}, {"sphere": {"center": [0, -9, 0], "radius": 1}}, {"mesh": "sheet.obj"}]
        scene = self.write_scene(obstacles=obstacles, contact={"model": "barrier", "distance": 0.01, "stiffness": 30},
                                 solver={"type": "newton"})
        text = self.vela("check", scene).stdout
        self.assertRegex(text, "obstacles +3 \\(1 sphere, 2 meshes of 2 triangles\\)\n")
        self.assertRegex(text, "contact +barrier \\(distance 0.01 m, stiffness 30 N/m\\)\n")


class Drift(ProgramTest):
    """What the energy has gained is related to what there was to draw on, and the warning says the same."""

    def bar(self, **changes):
        bar = {"geometry": {"box": {"size": [0.6, 0.1, 0.1], "cells": [12, 2, 2]}}, "material": "rubber",
               **changes.pop("body", {})}
        return self.write_scene(bodies=[bar], gravity=[0, 0, 0], obstacles=[], contact={"model": "penalty", "stiffness": 1},
                                time={"step": "1/60", "duration": 0.5}, solver={"type": "newton"}, **changes)

    def drift(self, done):
        return [json.loads(line) for line in done.stdout.splitlines()][-1]["energy_drift"]

    def test_energy_that_the_integrator_makes(self):
        scene = self.bar(integrator={"type": "a1"},
                         body={"twist": {"axis": [1, 0, 0], "degrees": 90}, "angular_velocity": [3, 0, 0]})
        done = self.run_scene(scene, "out", "--json")
        header, rows = read_diagnostics(self.folder / "out")
        total = [float(row[header.index("total")]) for row in rows]
        self.assertGreater(max(total), 2 * total[0])
        self.assertAlmostEqual(self.drift(done), total[-1] / total[0] - 1, places=9)  # all of it was there at the start
        log = [event["message"] for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "log"]
        self.assertEqual(sum("nothing drives it: this comes from a1" in message for message in log), 1, log)
        done = self.run_scene(scene, "out", "--set", "integrator.type=bdf2", "--json")
        self.assertNotIn("nothing drives it", done.stdout)
        self.assertTrue(-1 <= self.drift(done) < 0)

    def test_what_falls_draws_on_the_height(self):
        """Implicit Euler in free fall for n steps loses m (g h)^2 n/2 of m (g h)^2 n (n + 1)/2, the work of gravity."""
        bar = {"geometry": {"box": {"size": [0.4, 0.1, 0.1], "cells": [2, 1, 1]}}, "material": "rubber", "translate": [0, 9, 0]}
        scene = self.write_scene(bodies=[bar], integrator={"type": "implicit_euler"}, time={"step": "1/200", "duration": 0.5})
        self.assertAlmostEqual(self.drift(self.run_scene(scene, "out", "--json")), -1 / 101, delta=5e-4)

    def ledger(self, scene, *arguments):
        """The last row of a run: of what the ledger has, by name."""
        self.run_scene(scene, "out", "--no-render", *arguments)
        header, rows = read_diagnostics(self.folder / "out")
        return {name: float(value) for name, value in zip(header, rows[-1]) if value and name not in ("stop", "alpha_case")}

    def test_a_ledger_with_a_turning_pin(self):
        """What moves the pin comes back as energy, as heat, or is the integrator's, of its order."""
        material = {"model": "neo_hookean", "density": 1000, "youngs_modulus": 1e5, "poissons_ratio": 0.3,
                    "damping": [{"type": "strain_rate", "shear": 100}]}
        bar = {"geometry": {"box": {"size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]}}, "material": "rubber", "velocity": [0, 0.8, 0],
               "angular_velocity": [0, 0, 4],
               "pins": [{"select": {"box": [[-0.21, -1, -1], [-0.19, 1, 1]]},
                         "motion": {"spin": {"axis": [0, 0, 1], "about": [-0.2, 0, 0], "speed": 4}}}]}
        scene = self.write_scene(materials={"rubber": material}, bodies=[bar], obstacles=[], integrator={"type": "trapezoidal"},
                                 solver={"type": "newton", "tolerance": 1e-8}, time={"step": "1/100", "duration": 0.5})
        coarse, fine = (self.ledger(scene, "--set", f"time.step=1/{rate}") for rate in (100, 200))
        self.assertGreater(fine["work"], 10)
        self.assertGreater(fine["dissipated_strain_rate"], 0.2)
        self.assertEqual(fine["dissipated"], fine["dissipated_strain_rate"])
        self.assertLess(abs(fine["lost_in_time"]), 1e-3 * fine["work"])
        self.assertAlmostEqual(coarse["lost_in_time"] / fine["lost_in_time"], 4, delta=0.4)

    def test_a_ledger_with_a_shaken_pin(self):
        """A rope shaken along itself is quadratic: the midpoint rule loses nothing, though the pin's velocity jumps every fifth step."""
        rope = {"type": "cable", "radius": 0.02, "geometry": {"cable": {"from": [0, 0, 0], "to": [1, 0, 0], "segments": 9}},
                "material": "rubber", "velocity": [0.6, 0, 0],
                "pins": [{"select": {"box": [[-0.01, -1, -1], [0.01, 1, 1]]},
                          "motion": [{"time": 0.02 * k, "translate": [0.03 * math.sin(4 * math.pi * 0.02 * k), 0, 0]}
                                     for k in range(26)]}]}
        material = {"model": "arap", "density": 1000, "youngs_modulus": 1e5, "poissons_ratio": 0}
        scene = self.write_scene(materials={"rubber": material}, bodies=[rope], obstacles=[], gravity=[0, 0, 0],
                                 integrator={"type": "implicit_midpoint"}, time={"step": "1/250", "duration": 0.512},
                                 solver={"type": "newton", "tolerance": 1e-12, "linear": {"tolerance": 1e-12}})
        last = self.ledger(scene)
        self.assertGreater(abs(last["work"]), 0.02 * last["kinetic"])
        self.assertLess(abs(last["lost_in_time"]), 1e-9 * last["total"])

    def test_a_ledger_with_a_lift(self):
        """A moving plane puts in what a box gains in height and speed, and what it loses where it sets off."""
        box = {"geometry": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}}, "material": "rubber", "translate": [0, 0.0509, 0]}
        lift = {"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}, "motion": [{"time": 0}, {"time": 1, "translate": [0, 0.2, 0]}]}
        for contact in {"model": "penalty", "stiffness": 2000}, {"model": "barrier", "distance": 1e-3}:
            scene = self.write_scene(bodies=[box], obstacles=[lift], contact=contact,
                                     integrator={"type": "bdf2"}, solver={"type": "newton"}, time={"step": "1/400", "duration": 1})
            last = self.ledger(scene)
            self.assertAlmostEqual(last["work"], last["cy"] * 9.81 - 0.0509 * 9.81 + 0.5 * 0.2**2, delta=0.03)
            self.assertLess(abs(last["lost_in_time"]), 0.03)

    def test_a_ledger_with_a_moving_point(self):
        """What a point of the world pulls at a body through a soft constraint is work; what the step loses of it falls with its square."""
        bar = {"name": "bar", "geometry": {"box": {"size": [0.4, 0.1, 0.1], "cells": [4, 1, 1]}}, "material": "rubber"}
        pull = {"type": "distance", "between": [{"body": "bar", "nearest": [0.2, 0, 0]}, {"point": [0.4, 0, 0],
                "motion": [{"time": 0}, {"time": 1, "translate": [2, 1, 0]}]}], "compliance": 1e-2}
        scene = self.write_scene(bodies=[bar], constraints=[pull], integrator={"type": "implicit_midpoint"}, obstacles=[],
                                 solver={"type": "newton", "tolerance": 1e-9}, time={"step": "1/200", "duration": 0.5})
        coarse, fine = (self.ledger(scene, "--set", f"time.step=1/{rate}") for rate in (200, 400))
        self.assertGreater(fine["work"], 1)
        self.assertGreater(fine["constraint"], 1e-3)
        self.assertLess(abs(fine["lost_in_time"]), 1e-3 * fine["work"])
        self.assertAlmostEqual(coarse["lost_in_time"] / fine["lost_in_time"], 4, delta=0.4)

    def test_a_start_without_energy(self):
        scene = self.write_scene()
        total = float(self.first_total(scene))
        # Shifted so that the total is 0 at the start: that is no measure of anything.
        shift = -total / (9.81 * 4)
        done = self.run_scene(scene, "out", "--json", "--set", f"bodies.0.translate=[0,{0.06 + shift:.17g},0]",
                              "--set", f"obstacles.0.plane.point=[0,{shift:.17g},0]")
        self.assertLess(abs(float(self.first_total(scene, "out"))), 1e-9)
        self.assertAlmostEqual(self.drift(done), self.drift(self.run_scene(scene, "out", "--json")), places=6)
        self.assertLess(abs(self.drift(done)), 0.1)

    def first_total(self, scene, folder=None):
        if not folder:
            self.run_scene(scene, "start", "--steps", "0")
        header, rows = read_diagnostics(self.folder / (folder or "start"))
        return rows[0][header.index("total")]

    def test_what_is_driven_has_none(self):
        pin = {"select": {"box": [[-1, -1, -1], [-0.29, 1, 1]]}, "motion": {"spin": {"axis": [1, 0, 0], "speed": 5}}}
        scene = self.bar(body={"pins": [pin]})
        done = self.run_scene(scene, "out", "--json")
        self.assertIsNone(self.drift(done))
        self.assertIn("energy drift -\n", self.run_scene(scene, "out").stdout)


class ManyOwners(ProgramTest):
    def peak_memory(self, *arguments):
        """Bytes that the program held at most."""
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE)
        message = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        self.assertEqual(process.returncode, 0, message)
        return 1024 * usage.ru_maxrss

    def test_a_step_of_3000_bodies(self):
        """Boxes side by side, the lowest ones within the distance of contact with a plane."""
        box = {"name": "box", "geometry": {"box": {"size": [0.02] * 3, "cells": [1, 1, 1]}}, "material": "rubber",
               "translate": [0, 0.0108, 0]}
        plane = {"name": "floor", "plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}
        peaks = []
        for name, count in (("few", [2, 1, 1]), ("many", [25, 5, 24])):
            bodies = [{**box, "array": {"count": count, "spacing": [0.022, 0.022, 0.022]}}]
            scene = self.write_scene(bodies=bodies, obstacles=[plane], contact={"model": "barrier", "distance": 1e-3},
                                     time={"step": 0.001, "duration": 0.001})
            peaks.append(self.peak_memory("run", scene, "-o", name, "--device", "cpu"))
        header, rows = read_diagnostics(self.folder / "many")
        row = dict(zip(header, rows[-1]))
        self.assertEqual((len(rows), row["stop"]), (2, "residual"))
        self.assertTrue(0 < float(row["min_distance"]) < 1e-3, row["min_distance"])
        planned = re.search(r"memory, CPU +([0-9.]+) MiB", self.vela("check", scene).stdout)
        self.assertLess(peaks[1] - peaks[0], 1.5 * float(planned[1]) * 2**20)


class Failures(ProgramTest):
    """A run that fails names what it failed of."""

    def test_names_do_not_steer_the_terminal(self):
        name = "odd\x1b[2J\x07\x9b"
        material = {"model": "neo_hookean", "density": 1000, "youngs_modulus": 2e5, "poissons_ratio": 0.45}
        scene = self.write_scene(materials={name: material}, bodies=[
            {"geometry": {"box": {"size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]}}, "material": name, "translate": [0, 1, 0]}])
        done = self.vela("check", scene)
        self.assert_message(done, "odd?[2J??", "nearly incompressible")
        for byte in ("\x1b", "\x07", "\x9b"):
            self.assertNotIn(byte, done.stderr)

    def test_own_lines_and_folders_do_not_either(self):
        scene, name = self.write_scene(), "name=s\x9b2Jcene"
        commands = [("check", scene, "--set", name), ("run", scene, "--device", "cpu", "--steps", "1", "--set", name),
                    ("export", "out/s\x9b2Jcene", "--format", "npy"), ("export", "\x1b[2Jx", "--format", "npy"),
                    ("export", "o", "--format", "\x1b[2J"), ("run", "s", "--\x1b[2J"), ("\x1b[2J",)]
        for number, command in enumerate(commands):
            done = self.vela(*command, expect=0 if number < 3 else 2)
            self.assertIn("?2J" if number < 3 else "?[2J", done.stdout + done.stderr, command)
            for byte in ("\x1b", "\x9b"):
                self.assertNotIn(byte, done.stdout + done.stderr, command)

    def test_a_body_too_soft_for_its_load(self):
        soft = {"model": "neo_hookean", "density": 1000, "youngs_modulus": 100, "poissons_ratio": 0.3}
        blob = {"name": "blob", "geometry": {"box": {"size": [0.3, 0.3, 0.3], "cells": [3, 3, 3]}}, "material": "soft",
                "translate": [0, 0.3, 0]}
        stone = {"name": "stone", "geometry": {"box": {"size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]}}, "material": "rubber",
                 "translate": [1, 5, 0]}
        scene = self.write_scene(materials={"soft": soft, "rubber": {**soft, "youngs_modulus": 1e6}}, bodies=[stone, blob],
                                 time={"step": "1/60", "duration": 3}, contact={"model": "penalty", "stiffness": 1000})
        done = self.run_scene(scene, "out", expect=1)
        self.assertRegex(done.stderr, r'tetrahedron \d+ of body "blob" is inverted .* too soft for what acts on it, or the step too large')

    def test_a_body_that_is_crushed(self):
        press = {"name": "press", "plane": {"point": [0, 0.055, 0], "normal": [0, -1, 0]},
                 "motion": [{"time": 0}, {"time": 0.2, "translate": [0, -0.12, 0]}]}
        floor = {"name": "floor", "plane": {"point": [0, -0.055, 0], "normal": [0, 1, 0]}}
        cube = {"name": "cube", "geometry": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}}, "material": "rubber"}
        scene = self.write_scene(bodies=[cube], obstacles=[floor, press], time={"step": "1/60", "duration": 1},
                                 integrator={"type": "bdf2"}, solver={"type": "newton"},
                                 contact={"model": "barrier", "distance": 0.002})
        done = self.run_scene(scene, "out", expect=1)
        self.assertRegex(done.stderr, r'obstacle "press" is held up [\d.e-]+ m from its place; nearest to each other are '
                                      r'(cube, node \d+ and obstacle (press|floor)|obstacle (press|floor) and cube, node \d+),')
        self.assertIn("may have no room left", done.stderr)


class Options(ProgramTest):
    def test_steps(self):
        scene = self.write_scene()
        for steps, frames in ((0, 1), (1, 2), (5, 4), (30, 16)):
            self.run_scene(scene, "out", "--steps", steps)
            self.assertEqual(len(read_diagnostics(self.folder / "out")[1]), steps + 1)
            self.assertEqual(len(self.states("out")), frames)

    def test_set(self):
        scene = self.write_scene()
        self.run_scene(scene, "out", "--set", "time.frame_every=5", "--set", "bodies.0.velocity=[1,2,0]",
                       "--set", "name=changed", "--set=gravity=[0,-2,0]")
        resolved = json.loads((self.folder / "out/scene.json").read_text(encoding="utf-8"))
        self.assertEqual(resolved["time"]["frame_every"], 5)
        self.assertEqual(resolved["bodies"][0]["velocity"], [1, 2, 0])
        self.assertEqual(resolved["name"], "changed")
        self.assertEqual(resolved["gravity"], [0, -2, 0])
        self.assertEqual(len(self.states("out")), 5)
        header, rows = read_diagnostics(self.folder / "out")
        mass = 1000 * 0.4 * 0.1 * 0.1
        self.assertAlmostEqual(float(rows[0][header.index("px")]), mass * 1, places=9)

    def test_quiet(self):
        done = self.run_scene(self.write_scene(), "out", "--quiet")
        self.assertEqual(done.stdout, "")

    def test_plain_lines(self):
        done = self.run_scene(self.write_scene(), "out")
        self.assertIn(f"{STEPS}/{STEPS}", done.stdout)
        self.assertNotIn("\r", done.stdout)
        self.assertNotIn("\033", done.stdout)

    def test_json(self):
        lines = self.run_scene(self.write_scene(), "out", "--json").stdout.splitlines()
        events = [json.loads(line) for line in lines]
        steps = [event for event in events if event["event"] == "step"]
        self.assertEqual([event["step"] for event in steps], list(range(STEPS + 1)))
        header, rows = read_diagnostics(self.folder / "out")
        last = dict(zip(header, rows[-1]))
        self.assertEqual(steps[-1]["iterations"], int(last["iterations"]))
        self.assertEqual(steps[-1]["energy"], float(last["total"]))
        end = events[-1]
        self.assertEqual((end["event"], end["result"], end["exit_code"], end["step"], end["frames"]),
                         ("end", "ok", 0, STEPS, FRAMES))

    def test_json_of_a_failure(self):
        done = self.vela("run", "nowhere.json", "--json", expect=2)
        end = json.loads(done.stdout.splitlines()[-1])
        self.assertEqual((end["event"], end["result"], end["exit_code"]), ("end", "invalid input", 2))
        self.assertIn("nowhere.json", end["message"])

    def test_bar_on_a_terminal(self):
        ours, theirs = os.openpty()
        with subprocess.Popen([PROGRAM, "run", str(self.write_scene()), "--device", "cpu"], cwd=self.folder,
                              stdout=theirs, stderr=theirs) as process:
            os.close(theirs)
            text = b""
            while True:
                try:
                    data = os.read(ours, 4096)
                except OSError:  # how Linux says that the other side is closed
                    break
                if not data:
                    break
                text += data
        os.close(ours)
        self.assertEqual(process.returncode, 0, text)
        self.assertIn(b"\r\033[K[", text)
        self.assertIn(f"100%  {STEPS}/{STEPS}  ETA".encode(), text)


class Folders(ProgramTest):
    def test_a_run_is_set_aside(self):
        scene = self.write_scene()
        self.run_scene(scene, "out", "--steps", "8")
        first = self.states("out")
        done = self.run_scene(scene, "out", "--steps", "2")
        self.assertIn("out.previous", done.stdout)
        self.assertEqual(len(self.states("out")), 2)
        self.assertEqual(self.states("out.previous"), first)
        second = self.states("out")
        self.vela("export", "out.previous", "--format", "obj")  # what was added to it goes with it
        self.run_scene(scene, "out", "--steps", "4")
        self.assertEqual(self.states("out.previous"), second)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["out", "out.previous", "scene.json"])
        # Links are followed: the run moves on the disk that it lies on.
        (self.folder / "disk").mkdir()
        (self.folder / "link").symlink_to("disk")
        for _ in range(2):
            self.run_scene(scene, "link", "--steps", "1")
        self.assertEqual(len(self.states("disk")), len(self.states("disk.previous")))

    def test_what_a_new_run_may_not_move(self):
        scene = self.write_scene()
        self.run_scene(scene, "out", "--steps", "4")
        before = self.states("out")
        (self.folder / "out.previous").mkdir()
        letter = self.folder / "out.previous/letter.txt"
        letter.write_text("dear", encoding="utf-8")
        self.assert_message(self.run_scene(scene, "out", expect=2), "out.previous", "letter.txt")
        self.assertEqual(letter.read_text(encoding="utf-8"), "dear")
        letter.unlink()
        done = subprocess.run([PROGRAM, "run", str(scene), "-o", "."], cwd=self.folder / "out", capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("working folder", done.stderr)
        self.assertEqual(self.states("out"), before)

    def test_a_start_is_not_worth_the_run_before(self):
        """A run that was killed at once does not push a finished one out of DIR.previous."""
        scene = self.write_scene()
        self.run_scene(scene, "out", "--steps", "8")
        first = self.states("out")
        self.run_scene(scene, "out", "--steps", "0")
        (self.folder / "out/checkpoint.vck").unlink()
        self.run_scene(scene, "out", "--steps", "2")
        self.assertEqual(self.states("out.previous"), first)

    def test_other_folders_are_refused(self):
        (self.folder / "mine").mkdir()
        (self.folder / "mine/letter.txt").write_text("dear", encoding="utf-8")
        done = self.run_scene(self.write_scene(), "mine", expect=2)
        self.assert_message(done, "mine", "run.json")
        self.assertEqual([path.name for path in (self.folder / "mine").iterdir()], ["letter.txt"])
        self.run_scene(self.write_scene(), "mine/letter.txt", expect=2)

    def test_no_verb_writes_into_other_folders(self):
        scene = self.write_scene()
        self.run_scene(scene, "out", "--steps", "2")
        (self.folder / "mine").mkdir()
        (self.folder / "mine/letter.txt").write_text("dear", encoding="utf-8")
        commands = [("export", "out", "--format", "npy"), ("export", "out", "--format", "obj"), ("plot", "out"),
                    ("compare", scene, "--a", "cpu", "--b", "cpu", "--steps", "1")]
        if has_vulkan():
            commands.append(("render", "out", "--size", "64x48"))
        for command in commands:
            with self.subTest(command=command):
                self.assert_message(self.vela(*command, "-o", "mine", expect=2), "mine", "letter.txt")
                self.assertEqual([path.name for path in (self.folder / "mine").iterdir()], ["letter.txt"])
                for _ in range(2):  # what it wrote itself it may write again
                    self.vela(*command, "-o", "new")
                subprocess.run(["rm", "-r", str(self.folder / "new")], check=True)
        self.vela("plot", "out", "-o", "out")

    def test_wrong_paths(self):
        scene = self.write_scene()
        (self.folder / "dangling").symlink_to("nowhere")
        (self.folder / "loop").symlink_to("loop")
        for name in ("dangling", "loop", "dangling/out", "scene.json/out"):
            self.assert_message(self.run_scene(scene, name, expect=2), name)
        self.vela("run", "loop", expect=2)
        self.vela("check", "dangling", expect=2)
        self.run_scene(scene, "out", "--steps", "2")
        subprocess.run(["rm", "-r", str(self.folder / "out/states")], check=True)
        (self.folder / "out/states").write_text("", encoding="utf-8")
        for command in (("run", scene, "-o", "out", "--resume"), ("export", "out", "--format", "npy"), ("render", "out")):
            self.vela(*command, expect=2)
        for checkpoint in (self.folder / "out").glob("checkpoint*"):  # no more than a start: the new run takes its place
            checkpoint.unlink()
        self.assert_message(self.run_scene(scene, "out", expect=2), "out/states")

    def test_an_empty_folder_is_taken(self):
        (self.folder / "empty").mkdir()
        self.run_scene(self.write_scene(), "empty", "--steps", "1")

    def test_unwritable(self):
        done = self.run_scene(self.write_scene(), "/proc/vela_test/out", expect=2)
        self.assert_message(done, "/proc/vela_test")
        if is_root():
            return
        (self.folder / "locked").mkdir(mode=0o555)
        self.assert_message(self.run_scene(self.write_scene(), "locked/out", expect=2), "locked")

    def test_memory_beyond_the_machine(self):
        body = {"name": "b", "type": "solid", "material": "rubber",
                "geometry": {"box": {"size": [1, 1, 1], "cells": [1000, 1000, 1000]}}, "array": {"count": [40, 40, 40]}}
        scene = self.write_scene(bodies=[body])
        for verb in ("check", "run"):
            self.vela(verb, scene, expect=2)


if __name__ == "__main__":
    vela_program.main()
