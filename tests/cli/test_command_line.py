"""The command line itself: help, version, and what is said about words that are wrong."""
import re
import unittest

import vela_program
from vela_program import ProgramTest

VERBS = ("run", "compare", "render", "export", "plot", "check", "devices", "mesh")
OPTIONS = {
    "run": ("-o", "--device", "--precision", "--threads", "--steps", "--no-render", "--verify", "--resume", "--set", "--quiet", "--json"),
    "compare": ("--a", "--b", "--mode", "--steps", "--tolerance", "--precision", "-o"),
    "render": ("--frames", "--size", "--camera", "-o"),
    "export": ("--format", "-o"),
}


class Help(ProgramTest):
    def test_help_lists_verbs(self):
        text = self.vela("--help").stdout
        for verb in VERBS:
            self.assertRegex(text, rf"(?m)^  {verb}\b")
        verbs = [line.split()[0] for line in text.splitlines() if line.startswith("  ") and "  " in line.strip()]
        self.assertEqual(verbs[:3] + verbs[7:8], ["run", "check", "render", "mesh"])  # what is not in this version comes last

    def test_every_verb_has_help(self):
        for verb in VERBS:
            for flag in ("--help", "-h"):
                text = self.vela(verb, flag).stdout
                self.assertIn(f"usage: vela {verb}", text)
                for option in OPTIONS.get(verb, ()):
                    self.assertRegex(text, rf"(?<![\w-]){option}\b", verb)
                self.assertLessEqual(max(map(len, text.splitlines())), 110)

    def test_help_wins_over_mistakes(self):
        self.assertIn("usage:", self.vela("run", "--stepz", "--help").stdout)

    def test_version(self):
        self.assertRegex(self.vela("--version").stdout, r"^vela \d+\.\d+\.\d+ \(\S+\)\n$")

    def test_nothing_at_all(self):
        self.assert_message(self.vela(expect=2), "usage: vela VERB")


class Mistakes(ProgramTest):
    def test_verbs(self):
        self.assert_message(self.vela("rnu", expect=2), 'unknown verb "rnu"', "did you mean run?")
        self.assert_message(self.vela("devcies", expect=2), "did you mean devices?")
        self.assert_message(self.vela("--verison", expect=2), "did you mean --version?")
        self.assertNotIn("did you mean", self.vela("gzorpazorp", expect=2).stderr)

    def test_options(self):
        scene = self.write_scene()
        cases = {
            ("run", scene, "--devcie", "cpu"): ("unknown option --devcie", "did you mean --device?"),
            ("run", scene, "--devcie=cpu"): ("unknown option --devcie", "did you mean --device?"),
            ("run", scene, "--norender"): ("did you mean --no-render?",),
            ("run", scene, "-x"): ("unknown option -x",),
            ("run", scene, "--steps"): ("--steps", "missing"),
            ("run", scene, "--steps", "--json"): ("--steps", "missing"),
            ("run", scene, "--steps="): ("--steps", "whole number"),
            ("run", scene, "--steps", "ten"): ('"ten"', "whole number"),
            ("run", scene, "--steps", "1.5"): ('"1.5"', "whole number"),
            ("run", scene, "--steps", "-4"): ('"-4"', "at least 0"),
            ("run", scene, "--steps", "99999999999999999999"): ("whole number",),
            ("run", scene, "--threads", "0"): ("from 1 to",),
            ("run", scene, "--precision", "f46"): ("f32|f64", "did you mean f64?"),
            ("run", scene, "--json=yes"): ("--json takes no value",),
            ("run", scene, "--json", "--quiet"): ("exclude each other",),
            ("run", scene, "other.json"): ('unexpected argument "other.json"',),
            ("run",): ("SCENE is missing",),
            ("run", scene, "-o", ""): ("--output", "DIR"),
            ("compare", scene, "--mode", "lokstep"): ("did you mean lockstep?",),
            ("compare", scene, "--tolerance", "small"): ('"small"', "number"),
            ("compare", scene, "--tolerance", "nan"): ('"nan"', "number"),
            ("compare",): ("SCENE is missing",),
            ("render", "x", "--frames", "5:2"): ('"5:2"', "FIRST:LAST"),
            ("render", "x", "--frames", "a"): ('"a"', "FIRST:LAST"),
            ("render", "x", "--size", "10"): ('"10"', "WIDTHxHEIGHT"),
            ("render", "x", "--size", "0x5"): ('"0x5"', "WIDTHxHEIGHT"),
            ("render", "x", "--size", "99999x5"): ('"99999x5"', "WIDTHxHEIGHT"),
            ("render", "x", "--camera", "1,2,3"): ('"1,2,3"', "seven numbers"),
            ("render", "x", "--camera", "0,0,1,0,0,0,180"): ("seven numbers", "field of view"),
            ("render",): ("DIR is missing",),
            ("export", "x"): ("--format is missing", "npy"),
            ("export", "x", "--format", "objj"): ("did you mean obj?",),
            ("plot",): ("DIR is missing",),
            ("check",): ("SCENE is missing",),
            ("devices", "x"): ('unexpected argument "x"',),
            ("mesh", "a.msh", "-o", "b.obj"): ("not in this version",),
        }
        for arguments, parts in cases.items():
            with self.subTest(arguments=arguments):
                self.assert_message(self.vela(*arguments, expect=2), *parts)

    def test_folders_that_are_no_runs(self):
        (self.folder / "empty").mkdir()
        for arguments in (("render", "nowhere"), ("export", "nowhere", "--format", "obj"), ("plot", "nowhere"),
                          ("render", "empty"), ("export", "empty", "--format", "npy"), ("plot", "empty")):
            with self.subTest(arguments=arguments):
                self.assert_message(self.vela(*arguments, expect=2), arguments[1])

    def test_output_that_cannot_be_printed(self):
        try:
            full = open("/dev/full", "w", encoding="utf-8")
        except OSError:
            self.skipTest("there is no /dev/full")
        with full:
            import subprocess
            done = subprocess.run([vela_program.PROGRAM, "--help"], stdout=full, stderr=subprocess.PIPE, text=True,
                                  check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("could not be written", done.stderr)


class Scenes(ProgramTest):
    """What is wrong with a scene is said with its place; run and check agree."""

    def expect_refusal(self, parts, *arguments, **changes):
        scene = self.write_scene(**changes)
        for verb in (("check",), ("run", "-o", "out", "--device", "cpu")):
            done = self.vela(verb[0], scene, *verb[1:], *arguments, expect=2)
            self.assert_message(done, "scene.json", *parts)
        self.assertFalse((self.folder / "out").exists())

    def test_unknown_keys(self):
        self.expect_refusal(("gravitty", "gravity"), gravitty=[0, 0, 0])
        self.expect_refusal(("contact", "stifness", "stiffness"), contact={"model": "penalty", "stifness": 1})

    def test_wrong_values(self):
        self.expect_refusal(("time.step",), time={"step": -1, "duration": 1})
        self.expect_refusal(("time.duration",), time={"step": 0.1})
        self.expect_refusal(("bodies",), bodies=[])
        self.expect_refusal(("steel",), bodies=[{"name": "b", "type": "solid", "material": "steel",
                                                 "geometry": {"box": {"size": [1, 1, 1], "cells": [1, 1, 1]}}}])

    def test_what_does_not_go_together(self):
        self.expect_refusal(("contact.model", "compliant", "newton", "compliance"), solver={"type": "compliant"},
                            contact={"model": "barrier", "distance": 1e-3})
        self.expect_refusal(("contact.model", "admm", "newton"), solver={"type": "admm"},
                            contact={"model": "barrier", "distance": 1e-3})

    def test_overrides(self):
        self.expect_refusal(("gravitty",), "--set", "gravitty=[0,0,0]")
        self.expect_refusal(("time.step",), "--set", "time.step=fast")
        scene = self.write_scene()
        self.assert_message(self.vela("check", scene, "--set", "nothing", expect=2), "nothing")

    def test_broken_json(self):
        (self.folder / "scene.json").write_text('{\n  "version": 1,\n  "time" {}\n}\n', encoding="utf-8")
        for verb in ("check", "run"):
            done = self.vela(verb, "scene.json", expect=2)
            self.assertTrue(re.search(r"scene\.json.*(line )?3", done.stderr), done.stderr)

    def test_missing_scene_and_mesh(self):
        self.assert_message(self.vela("run", "nowhere.json", expect=2), "nowhere.json")
        self.assert_message(self.vela("check", ".", expect=2), ".")
        body = {"name": "b", "type": "solid", "geometry": {"mesh": "nowhere.msh"}, "material": "rubber"}
        scene = self.write_scene(bodies=[body])
        self.assert_message(self.vela("check", scene, expect=2), "nowhere.msh")

    def test_devices(self):
        scene = self.write_scene()
        self.assert_message(self.vela("run", scene, "--device", "cpu", "--precision", "f32", expect=2), "f32")
        self.assert_message(self.vela("run", scene, "--device", "gpu", expect=2), "gpu")
        self.assert_message(self.vela("run", scene, "--device", "vulkan:x", expect=2), "vulkan:x")
        self.assertFalse((self.folder / "out").exists())


if __name__ == "__main__":
    vela_program.main()
