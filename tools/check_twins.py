#!/usr/bin/env python3
"""Checks that every formula exists twice: in C and in GLSL, same path, same function names, same order.

src/physics/energy/neo_hookean.h and shaders/common/physics/energy/neo_hookean.glsl are twins (and so under geometry/).
Twins in other places are named in PAIRS.
usage: check_twins.py [--root FOLDER]
A C function on packs of lanes (name_pack) counts as its formula (name).
What has no twin for a reason stands in tools/twins_allowed.txt, one line each: path without ending, function or *, reason.
Prints one line per violation and exits with 1 if there is any.
"""
import argparse
import pathlib
import re
import sys

FOLDERS = ("physics", "geometry")
# Twins elsewhere: C file, GLSL file, and the functions that both have, in this order. Beside them each has helpers of its own.
PAIRS = (
    ("src/base/svd3.h", "shaders/common/svd3.glsl",
     ("svd3_columns_dot", "svd3_rotate", "svd3_orthogonalise", "svd3_sort_pair", "svd3_left_vectors", "svd3")),
    ("src/base/eigen3.h", "shaders/common/eigen3.glsl", ("eigen3_rotate", "eigen3")),
    ("src/device/cpu/admm/anderson.c", "shaders/common/anderson.glsl", ("solve_weights",)),
)
KEYWORDS = {"if", "for", "while", "switch", "return", "else", "do", "sizeof", "defined"}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
# A definition or declaration at the left margin: words, the name, an opening parenthesis.
FUNCTION = re.compile(r"^(?:[A-Za-z_][\w]*(?:\[\d*\])?[ \t\n*]+)+\**([A-Za-z_]\w*)[ \t]*\(", re.M)
ALLOW_LIST = "tools/twins_allowed.txt"


# Under this folder C names begin with the kind of element, tet_stress; in GLSL, compiled for one kind at a time, with element_.
ELEMENT_FOLDER = "physics/element/"


def functions(path):
    """Names of the functions of a file in order, overloads once. Of a C file the internal helpers too."""
    text = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), path.read_text(encoding="utf-8"))
    text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
    names = []
    for match in FUNCTION.finditer(text):
        first_word = match.group().split(None, 1)[0]
        if first_word in KEYWORDS or first_word == "typedef" or match.group(1) in KEYWORDS:
            continue
        name = match.group(1).removesuffix("_pack") if path.suffix != ".glsl" else match.group(1)
        if ELEMENT_FOLDER in path.as_posix() and name.startswith(path.stem + "_"):
            name = "element_" + name.removeprefix(path.stem + "_")
        if name not in names:
            names.append(name)
    return names


def read_allow_list(root):
    """{(stem, function): [reason, line number, used]}; lines: stem, function or *, reason."""
    allowed, problems = {}, []
    path = root / ALLOW_LIST
    if path.exists():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            words = line.split(None, 2)
            if len(words) < 3:
                problems.append(f"{ALLOW_LIST}:{number}: expected a path, a function (or *), and a reason")
                continue
            allowed[words[0], words[1]] = [words[2], number, False]
    return allowed, problems


def files(root, top, ending):
    found = {}
    for folder in FOLDERS:
        for path in sorted((root / top / folder).rglob("*" + ending)):
            found[path.relative_to(root / top).with_suffix("").as_posix()] = path
    return found


def violations(root):
    allowed, problems = read_allow_list(root)
    yield from problems

    def is_allowed(stem, name):
        for key in ((stem, name), (stem, "*")):
            if key in allowed:
                allowed[key][2] = True
                return True
        return False

    c_files = files(root, "src", ".h")
    for stem, path in files(root, "src", ".c").items():
        c_files.setdefault(stem, path)
    glsl_files = files(root, "shaders/common", ".glsl")
    for stem in sorted(c_files.keys() | glsl_files.keys()):
        if (stem, "*") in allowed and not (stem in c_files and stem in glsl_files):
            is_allowed(stem, "*")
            continue
        if stem not in glsl_files:
            yield f"{c_files[stem].relative_to(root)}: expected a twin shaders/common/{stem}.glsl"
            continue
        if stem not in c_files:
            yield f"{glsl_files[stem].relative_to(root)}: expected a twin src/{stem}.h"
            continue
        c_names, glsl_names = functions(c_files[stem]), functions(glsl_files[stem])
        c_kept = [n for n in c_names if n in glsl_names or not is_allowed(stem, n)]
        glsl_kept = [n for n in glsl_names if n in c_names or not is_allowed(stem, n)]
        for name in [n for n in c_kept if n not in glsl_kept]:
            yield f"{c_files[stem].relative_to(root)}: {name} is missing in shaders/common/{stem}.glsl"
        for name in [n for n in glsl_kept if n not in c_kept]:
            yield f"{glsl_files[stem].relative_to(root)}: {name} is missing in src/{stem}.h"
        c_common = [n for n in c_kept if n in glsl_kept]
        glsl_common = [n for n in glsl_kept if n in c_kept]
        if c_common != glsl_common:
            first = next(pair for pair in zip(c_common, glsl_common) if pair[0] != pair[1])
            yield (f"{glsl_files[stem].relative_to(root)}: order differs from {c_files[stem].relative_to(root)}: "
                   f"{first[1]} where {first[0]} was expected")
    for pair in PAIRS:
        for name, path in ((n, root / n) for n in pair[:2]):
            found = functions(path) if path.exists() else []
            missing = [f for f in pair[2] if f not in found]
            if missing:
                yield f"{name}: {missing[0]} is missing; its twin is {pair[1 if name == pair[0] else 0]}"
            elif [f for f in found if f in pair[2]] != list(pair[2]):
                yield f"{name}: order differs from {' '.join(pair[2])}"
    for (stem, name), (_, number, used) in allowed.items():
        if not used:
            yield f"{ALLOW_LIST}:{number}: {stem} {name} allows nothing; remove it"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root.resolve()
    found = list(violations(root))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
