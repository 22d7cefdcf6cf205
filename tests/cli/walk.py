"""Follows the steps of a page like docs/adding-a-term.md in a copy of the project.

A fenced block is applied where an HTML comment stands before it:

    new: FILE              the block is the file
    after: FILE | TEXT     the block follows the line that contains TEXT; TEXT + 1: the line after that one
    before: FILE | TEXT    it precedes that line
    replace: FILE | TEXT   the block replaces that line
    scene: NAME            the block is a scene of that name
"""
import pathlib
import re
import shutil
import subprocess

STEP = re.compile(r"<!-- (new|after|before|replace|scene): ([^|\n]*?)(?: \| ([^\n]*?))? -->\n```\w*\n(.*?)^```$", re.M | re.S)


def steps(page):
    """(what, file, text, block) of every step."""
    return STEP.findall(page.read_text(encoding="utf-8"))


def copy_project(root, target):
    """Copies the sources: what git has, else everything but builds and outputs."""
    for name in ("CMakeLists.txt", "cmake", "include", "src", "shaders", "bench", "scenes", "tools", "docs", "tests",
                 ".clang-format", "README.md", "CHANGELOG.md"):
        source = root / name
        if source.is_dir():
            shutil.copytree(source, target / name)
        else:
            shutil.copy(source, target / name)


def apply(page, target):
    """Applies every step; returns {name: scene}. AssertionError where a step has no place."""
    scenes = {}
    for what, name, text, block in steps(page):
        path = target / name
        if what == "scene":
            scenes[name] = block
        elif what == "new":
            assert not path.exists(), f"{name} is there already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block, encoding="utf-8")
        else:
            text, plus, number = text.partition(" + 1")
            further = 1 if plus and not number else 0
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            found = [i for i, line in enumerate(lines) if text in line]
            assert found, f"{name}: no line has {text!r}"
            at = found[0] + further
            kept = [] if what == "replace" else [lines[at]]
            lines[at:at + 1] = [block] + kept if what == "before" else kept + [block]
            path.write_text("".join(lines), encoding="utf-8")
    return scenes


def build(source, folder, *targets):
    """Configures and builds; returns what was printed where it fails, else None."""
    for command in (["cmake", "-S", source, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                     "-DCMAKE_C_FLAGS_DEBUG=-O0", "-DVELA_PORTABLE=ON"],
                    ["cmake", "--build", folder, "--target", *targets]):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return done.stdout[-4000:] + done.stderr[-4000:]
    return None
