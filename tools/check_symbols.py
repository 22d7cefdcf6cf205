#!/usr/bin/env python3
"""Checks who calls whom, as the linker sees it: no folder of src/ uses what a folder defines that it may not include.

An include is not needed for an arrow: a declaration in a header of one's own, or in a public one, does as well. Nor do files use each other in circles.
usage: check_symbols.py BUILD
BUILD is a build folder with libvela.a. Prints one line per violation and exits with 1 if there is any.
"""
import argparse
import pathlib
import re
import subprocess
import sys

from check_includes import ALLOWED, circles, folder_of

OBJECT = re.compile(r"src/(.+?)\.c\.o$")


def objects(build):
    """{source relative to src/: object} of the library."""
    found = {}
    for path in sorted(build.glob("CMakeFiles/vela_*.dir/src/**/*.c.o")):
        match = OBJECT.search(path.as_posix())
        found.setdefault(match.group(1) + ".c", path)
    return found


def symbols(path):
    """(defined, undefined) external names of an object."""
    done = subprocess.run(["nm", "-g", str(path)], capture_output=True, text=True, check=True)
    defined, undefined = set(), set()
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) >= 2:
            (undefined if words[-2] in ("U", "w") else defined).add(words[-1])
    return defined, undefined


def violations(build):
    owners, uses = {}, {}
    for source, path in objects(build).items():
        defined, undefined = symbols(path)
        uses[source] = undefined
        for name in defined:
            owners[name] = source
    graph = {}
    for source, names in uses.items():
        graph[source] = {owners[name] for name in names & owners.keys()} - {source}
    for circle in circles(graph):
        yield f"src/{circle[0]}: files use each other: {' -> '.join(circle)}"
    for source, names in sorted(uses.items()):
        folder = folder_of(source)
        for name in sorted(names & owners.keys()):
            target = folder_of(owners[name])
            if target not in (folder, "abi", "base") and target not in ALLOWED.get(folder, []):
                yield f"src/{source}: uses {name} of src/{owners[name]}, which {folder} may not include"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    found = list(violations(parser.parse_args().build.resolve()))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
