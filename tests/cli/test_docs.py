#!/usr/bin/env python3
"""Checks the documents against the project: links resolve, commands name what exists, examples work."""
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VELA = pathlib.Path(sys.argv.pop(1)).resolve()
DOCUMENTS = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")] + sorted((ROOT / "docs").glob("*.md"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
# Files a command makes or the reader writes; everything else that looks like a path must be there.
MADE = ("out/", "build/", "jelly.json", "jelly.mp4", "drop", "drop.c")


def blocks(document):
    """(language, text) of every fenced block."""
    return FENCE.findall(document.read_text(encoding="utf-8"))


def prose(document):
    return FENCE.sub("", document.read_text(encoding="utf-8"))


def anchors(document):
    """What GitHub makes of the headings."""
    found = set()
    for title in re.findall(r"^#+ (.*)$", prose(document), re.M):
        title = re.sub(r"[^\w\- ]", "", title.strip().lower())
        found.add(title.replace(" ", "-"))
    return found


def run(*arguments, folder=None):
    return subprocess.run([str(argument) for argument in arguments], cwd=folder, capture_output=True, text=True, check=False)


def cache(name):
    for line in (VELA.parent / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(name + ":"):
            return line.split("=", 1)[1]
    return ""


def first_block(name, language):
    return next(text for kind, text in blocks(ROOT / name) if kind == language)


class Links(unittest.TestCase):
    def test_resolve(self):
        count = 0
        for document in DOCUMENTS:
            for target in LINK.findall(prose(document)):
                if re.match(r"https?:", target):
                    continue
                count += 1
                path, _, anchor = target.partition("#")
                file = (document.parent / path).resolve() if path else document
                self.assertTrue(file.exists(), f"{document.name}: {target}")
                if anchor:
                    self.assertIn(anchor, anchors(file), f"{document.name}: {target}")
        self.assertGreater(count, 10)

    def test_pictures_are_small(self):
        for picture in (ROOT / "docs" / "images").glob("*.png"):
            self.assertLess(picture.stat().st_size, 300_000, picture.name)

    def test_named_files_exist(self):
        """`src/…`, `tools/…` and the like in backquotes."""
        for document in DOCUMENTS:
            for name in re.findall(r"`((?:src|tools|tests|shaders|include|scenes|docs|bench|cmake)/[\w./-]+)`", prose(document)):
                if "inverse_stretch" not in name and "spring" not in name:  # docs/adding-a-material.md and -term.md make them
                    self.assertTrue((ROOT / name).exists(), f"{document.name}: {name}")


class Commands(unittest.TestCase):
    def commands(self):
        """(document, words) of every line of a block without language that begins like a command."""
        for document in DOCUMENTS:
            for language, text in blocks(document):
                if language:
                    continue
                for line in re.sub(r"\\\n\s*", " ", text).splitlines():
                    words = shlex.split(line, comments=True)
                    if words and words[0].split("/")[0] in ("tools", "build", "cmake", "ctest", "ffmpeg", "cc", "vela", "git"):
                        yield document.name, words

    def test_files(self):
        count = 0
        for document, words in self.commands():
            for word in words:
                if "/" in word and not re.search(r"[=%]|://", word) and not word.startswith(("-", "vulkan:")):
                    count += 1
                    if not word.startswith(MADE) and word != "build/release/vela":
                        self.assertTrue((ROOT / word).exists(), f"{document}: {word}")
        self.assertGreater(count, 10)

    def test_verbs_and_options(self):
        helps, count = {}, 0
        for document, words in self.commands():
            if words[0] not in ("vela", "build/release/vela") or len(words) < 2 or words[1].startswith("-"):
                continue
            verb = words[1]
            if verb not in helps:
                helps[verb] = run(VELA, verb, "--help")
            self.assertEqual(helps[verb].returncode, 0, f"{document}: vela {verb}")
            for word in words[2:]:
                if word.startswith("-"):
                    count += 1
                    self.assertRegex(helps[verb].stdout, r"(?<![\w-])" + re.escape(word) + r"(?![\w-])",
                                     f"{document}: vela {verb} {word}")
        self.assertGreater(count, 3)


class Examples(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def write_scene(self):
        scene = self.path / "jelly.json"
        scene.write_text(first_block("README.md", "jsonc"), encoding="utf-8")
        return scene

    def test_scenes_are_valid(self):
        for scene in (self.write_scene(), ROOT / "docs" / "images" / "first_light.json"):
            done = run(VELA, "check", scene)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr, "")

    def test_the_first_scene_lives(self):
        """It never has more energy than at its start: one that gains some, as undamped, is torn apart when it is run for longer."""
        done = run(VELA, "run", self.write_scene(), "--no-render", "--json", "-o", self.path / "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        energies = [event["energy"] for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "step"]
        self.assertEqual(len(energies), 181)
        self.assertLessEqual(max(energies), 1.001 * energies[0])

    def test_program_of_the_library(self):
        """docs/library.md: the program compiles by the line given there, without a warning, and runs."""
        library = VELA.parent / "libvela.a"
        compiler = cache("CMAKE_C_COMPILER") or shutil.which("cc")
        (self.path / "drop.c").write_text(first_block("docs/library.md", "c"), encoding="utf-8")
        line = next(text for kind, text in blocks(ROOT / "docs" / "library.md") if not kind and text.startswith("cc "))
        words = shlex.split(line)
        self.assertIn("build/release/libvela.a", words)
        replaced = {"cc": compiler, "-Iinclude": f"-I{ROOT / 'include'}", "build/release/libvela.a": str(library)}
        words = [replaced.get(word, word) for word in words]
        if cache("VELA_SANITIZE") == "ON":
            words.append("-fsanitize=address,undefined")
        done = run(*words, "-Wall", "-Wextra", "-Wpedantic", "-Werror", folder=self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run(self.path / "drop", self.write_scene(), "out", folder=self.path)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertTrue(lines[0].startswith("t 0.000 s: energy "), lines[0])
        self.assertEqual(lines[-1], "40 steps, 11 frames in out")
        self.assertTrue((self.path / "out" / "npy" / "positions.npy").exists())
        done = run(self.path / "drop", self.path / "missing.json", "out2", folder=self.path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("missing.json", done.stderr)

    def test_state_reader(self):
        """docs/state-format.md: the reader reads a state of a run."""
        output = self.path / "run"
        done = run(VELA, "run", self.write_scene(), "--steps", "4", "--no-render", "--device", "cpu", "-o", output)
        self.assertEqual(done.returncode, 0, done.stderr)
        warnings.simplefilter("ignore", ResourceWarning)  # the reader is kept short: it does not close files
        names = {}
        exec(compile(first_block("docs/state-format.md", "python"), "state-format.md", "exec"), names)
        first, last = (names["read_state"](str(output / "states" / f"00000{i}.vst")) for i in (0, 1))
        self.assertEqual((last["index"], last["step"]), (1, 4))
        self.assertEqual(len(last["POSI"]), 3 * first["vertices"])
        self.assertEqual(len(first["TETS"]), 4 * first["elements"])
        self.assertLess(max(last["POSI"][1::3]), max(first["POSI"][1::3]))


if __name__ == "__main__":
    unittest.main()
