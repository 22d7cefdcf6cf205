#!/usr/bin/env python3
"""The compiler's warnings about the sources of a build that nothing has compiled there; no code is made.

usage: tools/check_warnings.py BUILD"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys


def complaints(entry):
    """What the compiler says of a source: nothing where its object is there already."""
    before, found, rest = entry["command"].partition(" -o ")
    target, also_found, source = rest.partition(" -c ")
    if not (found and also_found):
        return f"{entry['file']}: expected -o FILE -c in its command: {entry['command']}\n"
    if (pathlib.Path(entry["directory"]) / target).exists():
        return ""
    command = shlex.split(before) + ["-fsyntax-only", *shlex.split(source)]
    done = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr if done.returncode != 0 or done.stderr else ""


def main(build):
    entries = json.loads((pathlib.Path(build) / "compile_commands.json").read_text(encoding="utf-8"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(complaints, entries) if text]
    print("".join(found) or f"check_warnings: {len(entries)} sources: ok")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
