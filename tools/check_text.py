#!/usr/bin/env python3
"""Checks what a search can find: words that mark unfinished work, files that grew too long, calls that bypass base/, citations
of the formula sheet that lead nowhere.

usage: check_text.py [--root FOLDER]
Prints one line per violation (file:line: what, and what is expected) and exits with 1 if there is any.
"""
import argparse
import pathlib
import re
import sys

FOLDERS = ("include", "src", "shaders", "scenes", "tests", "bench", "tools", "cmake", "docs", ".ci")
SOURCE_ENDINGS = {".c", ".h", ".glsl", ".comp", ".vert", ".frag", ".py", ".sh", ".cmake", ""}
TEXT_ENDINGS = SOURCE_ENDINGS | {".md", ".json", ".txt"}
LONGEST = 800
# Put together here so that this file does not find itself.
STRAY = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")) + r")\b")
ALLOCATION = re.compile(r"(?<![\w.>])(malloc|calloc|realloc|aligned_alloc|free|strdup|strndup)\s*\(")
PRINTING = re.compile(r"(?<![\w.>])(?:(?:printf|puts|putchar|perror|vprintf)\s*\(|v?fprintf\s*\(\s*std(?:err|out)\b)")
ENDING = re.compile(r"(?<![\w.>])(?:exit|abort|_exit|quick_exit)\s*\(")
ASSERTION = re.compile(r"(?<![\w.>])assert\s*\(")
WALL_CLOCK = re.compile(r"(?<![\w.>])(timespec_get|gettimeofday|clock)\s*\(|CLOCK_REALTIME")
ALL_THREADS = re.compile(r"#pragma omp parallel(?!.*num_threads)")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


CITATION = re.compile(r"theory\.md,? sections? (\d+)((?:(?:, | and | to )\d+)*)")


def sheet_sections(root):
    """Numbers of the sections of docs/theory.md."""
    path = root / "docs" / "theory.md"
    if not path.exists():
        return None
    return {int(number) for number in re.findall(r"^## (\d+) ", path.read_text(encoding="utf-8"), re.M)}


def check_citations(text, sections):
    """Citations of the formula sheet name a section that it has."""
    for match in CITATION.finditer(text):
        for number in [match.group(1)] + re.findall(r"\d+", match.group(2)):
            if int(number) not in sections:
                yield text.count("\n", 0, match.start()) + 1, f"docs/theory.md has no section {number}"


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def check_library(text, folder):
    """Rules for the library: src/ without src/cli."""
    code = COMMENT_OR_STRING.sub(blank, text)
    for number, line in enumerate(code.splitlines(), 1):
        match = ALLOCATION.search(line)
        if match and folder != "base":
            yield number, f"{match.group(1)}() outside src/base: use an Arena or context_allocate"
        if PRINTING.search(line):
            yield number, "the library prints nothing: use context_log"
        if ENDING.search(line):
            yield number, "the library never ends the program: return a VelaResult"
        if ASSERTION.search(line):
            yield number, "assert ends the host program: use REQUIRE, or _Static_assert"
        if WALL_CLOCK.search(line):
            yield number, "a clock that can go back, or counts all threads: use clock_seconds"
        if ALL_THREADS.search(line):
            yield number, "a parallel region without num_threads: it wakes threads that the user did not ask for"


def check_file(path, relative):
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        yield 1, "not UTF-8"
        return
    lines = text.splitlines()
    if path.suffix in SOURCE_ENDINGS and len(lines) > LONGEST:
        yield len(lines), f"{len(lines)} lines; at most {LONGEST}"
    for number, line in enumerate(lines, 1):
        match = STRAY.search(line)
        if match:
            yield number, f"{match.group(1)}: finish it, or file an issue"
        if "\t" in line and path.suffix in SOURCE_ENDINGS:
            yield number, "a tab; indent with spaces"
        if line != line.rstrip() and path.suffix in SOURCE_ENDINGS:
            yield number, "white space at the end of the line"
    if text and not text.endswith("\n"):
        yield len(lines), "no newline at the end of the file"
    parts = relative.parts
    if parts[0] == "src" and len(parts) > 2 and parts[1] != "cli" and path.suffix in (".c", ".h"):
        yield from check_library(text, parts[1])


def violations(root):
    sections = sheet_sections(root)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            relative = path.relative_to(root)
            # Mutated and deliberately broken inputs of the tests are data.
            if not path.is_file() or "__pycache__" in relative.parts or "data" in relative.parts:
                continue
            if path.suffix in TEXT_ENDINGS:
                for number, text in check_file(path, relative):
                    yield relative, number, text
                if sections and path.suffix in TEXT_ENDINGS:
                    for number, text in check_citations(path.read_text(encoding="utf-8", errors="replace"), sections):
                        yield relative, number, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root.resolve()
    found = list(violations(root))
    for relative, number, text in found:
        print(f"{relative}:{number}: {text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
