"""Interrupted, killed and finished runs go on with --resume and end in the bytes of an undisturbed run.

VELA_TEST_KILLS: how many runs are killed at random moments (3). VELA_TEST_SEED: of those moments (1).
"""
import json
import os
import random
import signal
import subprocess
import time
import unittest

import vela_program
from vela_program import PROGRAM, ProgramTest, has_vulkan, read_diagnostics

KILLS = int(os.environ.get("VELA_TEST_KILLS", "3"))
SEED = int(os.environ.get("VELA_TEST_SEED", "1"))


class Resume(ProgramTest):
    def start(self, scene, output, *arguments):
        return subprocess.Popen([PROGRAM, "run", str(scene), "-o", output, "--device", "cpu", *arguments],
                                cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def long_scene(self, **changes):
        """Enough steps that there is time to interrupt it, small enough that it takes a second or two."""
        return self.write_scene(time={"step": "1/500", "duration": 1.2, "frame_every": 20}, **changes)

    def test_interrupt(self):
        scene = self.long_scene()
        self.run_scene(scene, "whole")
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start(scene, "out", "--json")
            for line in process.stdout:
                event = json.loads(line)
                if event["event"] == "step" and event["step"] >= 100:
                    break
            process.send_signal(number)
            rest, errors = process.communicate(timeout=vela_program.TIMEOUT)
            self.assertEqual(process.returncode, 1, errors)
            end = json.loads(rest.splitlines()[-1])
            self.assertEqual(end["result"], "interrupted")
            self.assertLess(end["step"], 600)
            self.assertEqual(end["checkpoint_step"], end["step"])
            self.assertTrue((self.folder / "out/checkpoint.vck").exists())
            done = self.run_scene(scene, "out", "--resume", "--json")
            first = [e for e in map(json.loads, done.stdout.splitlines()) if e["event"] == "step"][0]
            self.assertEqual(first["step"], end["step"])
            self.assert_same_run("whole", "out")

    def record(self, name="out"):
        return json.loads((self.folder / name / "run.json").read_text(encoding="utf-8"))

    def start_and_step(self, scene, *arguments, steps=5):
        process = self.start(scene, "out", "--json", "--steps", "100000000", *arguments)
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "step" and event["step"] >= steps:
                return process
        raise AssertionError(process.communicate())

    def test_a_terminal_or_a_reader_that_goes_away(self):
        scene = self.long_scene()
        process = self.start_and_step(scene)
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=vela_program.TIMEOUT)
        self.assertEqual((process.returncode, self.record()["state"]), (1, "interrupted"))
        process = self.start_and_step(scene)
        process.stdout.close()
        process.stderr.read()
        process.stderr.close()
        self.assertEqual((process.wait(timeout=vela_program.TIMEOUT), self.record()["state"]), (1, "interrupted"))
        self.run_scene(scene, "out", "--resume", "--steps", self.record()["steps_done"] + 2)

    def start_endless(self, *arguments, **changes):
        """Its first step does not end: no iterate is good enough."""
        scene = self.write_scene(solver={"type": "admm", "tolerance": 1e-30, "max_iterations": 100000000},
                                 time={"step": 0.01, "duration": 1}, **changes)
        process = self.start(scene, "out", "--json", *arguments)
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "iteration" and event["solver_iteration"] > 0:  # a slow first one tells of itself as 0
                return process, event
        raise AssertionError(process.communicate())

    def check_a_long_step(self, *arguments, **changes):
        process, event = self.start_endless(*arguments, **changes)
        self.assertEqual((event["step"], event["step_count"]), (0, 100))
        self.assertGreater(event["solver_iteration"], 0)
        self.assertGreater(event["residual"], 0)
        self.assertNotIn("contact_pairs", event)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=vela_program.TIMEOUT)
        end = json.loads(rest.splitlines()[-1])
        self.assertEqual((process.returncode, end["result"], end["step"], end["checkpoint_step"]), (1, "interrupted", 0, 0))
        self.assertIn("given up", end["message"])
        self.assertEqual(self.record()["state"], "interrupted")
        self.assertTrue((self.folder / "out/checkpoint.vck").exists())

    def test_interrupt_within_a_step(self):
        self.check_a_long_step()

    def test_interrupt_within_a_step_on_vulkan(self):
        if "simulates      yes" not in self.vela("devices").stdout:
            self.skipTest("no Vulkan device that simulates")
        # Single precision ends by rounding: it takes iterations that are slow.
        box = {"geometry": {"box": {"size": [1, 1, 1], "cells": [24, 24, 24]}}, "material": "rubber", "twist":
               {"axis": [0, 1, 0], "degrees": 60}}
        self.check_a_long_step("--device", "vulkan:0", bodies=[box])

    def test_second_interrupt(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process, _ = self.start_endless()
            self.assertEqual(self.record()["state"], "running")
            process.send_signal(number)
            time.sleep(0.2)  # two of a kind that come at once may be one
            process.send_signal(number)
            process.communicate(timeout=vela_program.TIMEOUT)
            self.assertEqual(process.returncode, -number)
            record = self.record()
            self.assertEqual((record["state"], record["steps_done"]), ("interrupted", 0))
            self.assertIn("second interrupt", record["message"])
            self.assertEqual([path.name for path in (self.folder / "out").glob("*.part")], [])

    def test_the_record_keeps_when_a_run_began(self):
        process = self.start(self.long_scene(), "out", "--steps", "100000000", "--json")
        for line in process.stdout:
            if json.loads(line)["event"] == "step":
                break
        began = self.record()["started"]
        time.sleep(1.1)  # the record counts in seconds
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=vela_program.TIMEOUT)
        self.assertEqual((self.record()["state"], self.record()["started"]), ("interrupted", began))

    def kill_and_resume(self, scene, whole, moment, *arguments, number=signal.SIGKILL):
        """Ends a run `moment` seconds after its start, resumes it, and compares with the undisturbed one."""
        subprocess.run(["rm", "-rf", str(self.folder / "out")], check=True)
        process = self.start(scene, "out", "--quiet", *arguments)
        time.sleep(moment)
        process.send_signal(number)
        process.communicate(timeout=vela_program.TIMEOUT)
        with self.subTest(moment=moment, number=number):
            self.assert_nothing_half_written(whole)
            begun = (self.folder / "out/run.json").exists()
            if begun and number != signal.SIGKILL:
                self.assertIn(self.record()["state"], ("interrupted", "finished"))
            self.run_scene(scene, "out", "--resume", "--quiet", *arguments, expect=0 if begun else 2)
            if not begun:  # killed before it left anything to resume: a new run is what goes on
                self.run_scene(scene, "out", "--quiet", *arguments)
            self.assert_same_run(whole, "out")

    def assert_nothing_half_written(self, whole):
        """Every state under its final name is one of the undisturbed run, byte for byte."""
        if not (self.folder / "out/states").exists():
            return
        expected = self.states(whole)
        for name, data in self.states("out").items():
            if name.endswith(".vst"):
                self.assertEqual(data, expected[name], name)

    def test_kill_at_random_moments(self):
        scene = self.long_scene()
        started = time.monotonic()
        self.run_scene(scene, "whole")
        duration = time.monotonic() - started
        generator = random.Random(SEED)
        for _ in range(KILLS):
            self.kill_and_resume(scene, "whole", generator.uniform(0, duration))

    def test_kill_with_barrier_contact(self):
        """By every signal that ends a process, in steps with contact, friction and a history (bdf2)."""
        boxes = {"name": "box", "geometry": {"box": {"size": [0.1, 0.1, 0.1], "cells": [2, 2, 2]}}, "material": "rubber",
                 "translate": [0, 0.0515, 0], "velocity": [0.5, -0.5, 0], "array": {"count": [1, 2, 1], "spacing": [0, 0.1015, 0]}}
        scene = self.write_scene(bodies=[boxes], contact={"model": "barrier", "distance": 1e-3, "friction": 0.3},
                                 time={"step": "1/200", "duration": 0.3, "frame_every": 5})
        started = time.monotonic()
        self.run_scene(scene, "whole")
        duration = time.monotonic() - started
        generator = random.Random(SEED)
        for _ in range(KILLS):
            number = generator.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP))
            self.kill_and_resume(scene, "whole", generator.uniform(0, duration), number=number)

    def test_kill_while_images_are_written(self):
        if not has_vulkan():
            self.skipTest("no Vulkan driver that renders")
        scene = self.write_scene(output={"images": "png", "checkpoint_every": 3})
        started = time.monotonic()
        self.run_scene(scene, "whole")
        duration = time.monotonic() - started
        images = {path.name: path.read_bytes() for path in (self.folder / "whole/images").iterdir()}
        self.kill_and_resume(scene, "whole", 0.7 * duration)
        self.assertEqual({path.name for path in (self.folder / "out/images").iterdir()}, set(images))

    def test_finished_run_goes_on(self):
        scene = self.write_scene()
        self.run_scene(scene, "whole", "--steps", "31")
        self.run_scene(scene, "out", "--steps", "13")
        self.run_scene(scene, "out", "--steps", "31", "--resume")
        self.assertEqual(len(read_diagnostics(self.folder / "out")[1]), 32)
        # The frame after step 13, the last of the shorter run, is none of the longer one's.
        self.assert_same_run("whole", "out")

    def test_loads_and_reactions(self):
        """With loads that change, a pin and an obstacle: reactions are cut back as diagnostics are; energy control carries work."""
        body = {"name": "bar", "geometry": {"box": {"size": [0.3, 0.1, 0.1], "cells": [3, 1, 1]}}, "material": "m",
                "pins": [{"select": {"box": [[-1, -1, -1], [-0.14, 1, 1]]}, "axes": "xy"}],
                "loads": [{"select": {"nodes": [3]}, "force": [{"time": 0, "value": [0, 0, 0]},
                                                               {"time": 0.1, "value": [1, -2, 0.5]}]},
                          {"pressure": [{"time": 0, "value": 0}, {"time": 0.1, "value": 500}]}]}
        scene = self.write_scene(
            time={"step": 0.005, "duration": 0.1}, bodies=[body], integrator={"type": "a_search"},
            solver={"type": "newton"}, output={"images": "none", "checkpoint_every": 4, "stress": True},
            materials={"m": {"model": "neo_hookean", "density": 1000, "youngs_modulus": 1e5, "poissons_ratio": 0.3}},
            obstacles=[{"plane": {"point": [0, -0.06, 0], "normal": [0, 1, 0]}}],
            contact={"model": "barrier", "distance": 0.005, "friction": 0.3})
        self.run_scene(scene, "whole")
        self.run_scene(scene, "out", "--steps", "11")
        self.run_scene(scene, "out", "--resume")
        self.assert_same_run("whole", "out")
        rows = self.reactions("whole").decode().splitlines()
        names = [f"{what}.{kind}{axis}" for what in ("bodies[0].pins[0]", "obstacles[0]") for kind in "fm"
                 for axis in "xyz"]
        self.assertEqual(rows[0].split(","), ["step", "time", *names])
        self.assertEqual(len(rows), 22)
        # The pin holds no component along z.
        self.assertEqual({float(row.split(",")[4]) for row in rows[1:]}, {0.0})
        self.assertGreater(float(rows[-1].split(",")[3]), 0)
        path = self.folder / "out/reactions.csv"
        path.write_bytes(path.read_bytes()[:100])
        self.assert_message(self.run_scene(scene, "out", "--resume", expect=2), "reactions.csv", "line 1")

    def test_finished_run_is_left_alone(self):
        scene = self.write_scene()
        self.run_scene(scene, "whole")
        self.run_scene(scene, "out")
        self.run_scene(scene, "out", "--resume")
        self.assert_same_run("whole", "out")

    def test_nothing_to_resume(self):
        scene = self.write_scene()
        done = self.run_scene(scene, "out", "--resume", expect=2)
        self.assert_message(done, "--resume", "out", "run.json", "without --resume")
        self.assertFalse((self.folder / "out").exists())
        self.run_scene(scene, "out", "--steps", "6")
        for checkpoint in (self.folder / "out").glob("checkpoint*"):
            checkpoint.unlink()
        before = self.states("out")
        self.assert_message(self.run_scene(scene, "out", "--resume", expect=2), "checkpoint.vck", "out.previous")
        self.assertEqual(self.states("out"), before)

    def test_killed_before_its_first_checkpoint(self):
        scene = self.write_scene()
        self.run_scene(scene, "whole")
        self.run_scene(scene, "out", "--steps", "0")
        (self.folder / "out/checkpoint.vck").unlink()
        self.assertIn("starting anew", self.run_scene(scene, "out", "--resume").stderr)
        self.assert_same_run("whole", "out")

    def test_a_damaged_checkpoint_has_an_older_one(self):
        scene = self.write_scene()
        self.run_scene(scene, "whole")
        self.run_scene(scene, "out", "--steps", "11")
        checkpoint = self.folder / "out/checkpoint.vck"
        checkpoint.write_bytes(checkpoint.read_bytes()[:-1])
        done = self.run_scene(scene, "out", "--resume")
        self.assert_message(done, "checkpoint.vck", "damaged", "of step 9")
        self.assert_same_run("whole", "out")

    def test_what_cannot_be_resumed(self):
        scene = self.write_scene()
        self.run_scene(scene, "out", "--steps", "6")
        other = self.write_scene("other.json", gravity=[0, -1, 0])
        before = self.states("out")
        done = self.run_scene(other, "out", "--resume", expect=2)
        self.assert_message(done, "out")
        self.assertEqual(self.states("out"), before)
        checkpoint = self.folder / "out/checkpoint.vck"
        data = checkpoint.read_bytes()
        for broken in (data[:len(data) // 2], b"", b"x" * len(data), data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]):
            checkpoint.write_bytes(broken)
            (self.folder / "out/checkpoint.previous.vck").write_bytes(broken)
            done = self.run_scene(scene, "out", "--resume", expect=2)
            self.assert_message(done, "checkpoint.vck")
        checkpoint.write_bytes(data)
        self.run_scene(scene, "out", "--resume", "--steps", "8")


if __name__ == "__main__":
    vela_program.main()
