#!/usr/bin/env python3
"""Checks who includes whom: the include law of docs/architecture.md as a table.

usage: check_includes.py [--root FOLDER]
Prints one line per violation (file:line: what, and what is allowed) and exits with 1 if there is any.
"""
import argparse
import pathlib
import re
import sys

# Folder under src/ -> the other folders it may include. `abi`, `base` and its own folder are open to all but `abi`.
# `public` stands for include/vela. Folders are named lowest first; a folder that is not here is a violation.
ALLOWED = {
    "abi": [],
    "base": ["public"],
    "geometry": ["public"],
    "mesh": ["public"],
    "physics": ["public", "geometry"],
    "scene": ["public", "geometry", "mesh", "physics"],
    "model": ["public", "geometry", "mesh", "physics", "scene"],
    "gpu": ["public"],
    "device": ["public", "geometry", "mesh", "physics", "scene", "model", "gpu", "device/cpu", "device/vulkan"],
    "device/cpu": ["public", "geometry", "mesh", "physics", "scene", "model", "device"],
    "device/vulkan": ["public", "geometry", "mesh", "physics", "scene", "model", "gpu", "device"],
    "solver": ["public", "model", "device"],
    "integrator": ["public", "model", "device", "solver"],
    "sim": ["public", "geometry", "mesh", "physics", "scene", "model", "gpu", "device", "device/cpu", "device/vulkan",
            "solver", "integrator"],
    "output": ["public", "geometry", "mesh", "physics", "scene", "model", "sim"],
    "render": ["public", "geometry", "mesh", "physics", "scene", "model", "gpu", "sim", "output"],
    "api": ["public", "geometry", "mesh", "physics", "scene", "model", "gpu", "device", "device/cpu", "device/vulkan",
            "solver", "integrator", "sim", "output", "render"],
    "cli": ["public"],
}
# Who uses a device sees device/device.h alone, which does not name them; who makes one may include its header.
DEVICE_KINDS = ("device/cpu", "device/vulkan")
# Folders that may include <vulkan/...>.
VULKAN = ("gpu", "device/vulkan", "render")
# Folders that may see <vulkan/...> through the headers of gpu/: api lists the devices.
VULKAN_SEEN = VULKAN + ("api", "device")
# Shader folder -> folders its files may include (`abi`: src/abi).
SHADERS_ALLOWED = {"common": ["common", "abi"], "compute": ["compute", "common", "abi"],
                   "render": ["render", "common", "abi"]}

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')


def includes(path):
    """Yields (line number, '"' or '<', name) of every include of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def folder_of(name):
    """Folder in the terms of ALLOWED of a path relative to src/, None for a file directly in src/."""
    parts = pathlib.PurePosixPath(name).parts
    if parts[0] == "vela":
        return "public"
    if len(parts) > 2 and "/".join(parts[:2]) in ALLOWED:
        return "/".join(parts[:2])
    return parts[0] if len(parts) > 1 else None


def resolve(path, name, root):
    """Path relative to src/ (or "vela/..") that an include with quotes means; generated files come back as they are."""
    if name.startswith("vela/"):
        return name
    beside = (path.parent / name).resolve()
    if "/" not in name or not (root / "src" / name).exists():
        try:
            return beside.relative_to(root / "src").as_posix() if beside.exists() else name
        except ValueError:
            return name
    return name


def check_source(path, root):
    relative = path.relative_to(root / "src").as_posix()
    folder = folder_of(relative)
    if folder not in ALLOWED:
        yield 1, f"folder src/{folder} is not in the table of tools/check_includes.py"
        return
    for number, kind, name in includes(path):
        if kind == "<":
            if name.startswith("vulkan/") and folder not in VULKAN:
                yield number, f"<{name}> in {folder}; only {', '.join(VULKAN)} may include Vulkan"
            if name.startswith("vela/"):
                yield number, f'<{name}>: vela\'s own headers are included with "..."'
            continue
        target = folder_of(resolve(path, name, root))
        if target is None or target == folder:  # generated files, and its own folder
            continue
        if target not in ALLOWED and target != "public":
            yield number, f'"{name}" names no folder under src/ (paths start there)'
        elif folder == "cli" and target != "public":
            yield number, f'"{name}" in cli, which may include public headers only'
        elif target in ("abi", "base") and folder != "abi" and not (folder == "base" and target == "base"):
            continue
        elif target not in ALLOWED[folder]:
            allowed = ", ".join((["abi", "base"] if folder != "abi" else []) + ALLOWED[folder])
            yield number, f'"{name}" in {folder}, which may include: {allowed}'
        elif folder == "device" and target in DEVICE_KINDS and path.suffix == ".h":
            yield number, f'"{name}" in a header of device, which hides what the devices are'


def reaches_vulkan(root):
    """Yields files outside VULKAN_SEEN that see <vulkan/...> through the headers they include."""
    direct, graph = {}, {}
    for path in sorted((root / "src").rglob("*.[ch]")):
        relative = path.relative_to(root / "src").as_posix()
        edges = []
        for number, kind, name in includes(path):
            if kind == "<" and name.startswith("vulkan/"):
                direct[relative] = name
            elif kind == '"':
                edges.append((number, resolve(path, name, root)))
        graph[relative] = edges

    def find(name, seen):
        if name in direct:
            return [name]
        for _, target in graph.get(name, []):
            if target not in seen:
                seen.add(target)
                way = find(target, seen)
                if way:
                    return [name] + way
        return None

    for relative, edges in graph.items():
        if folder_of(relative) in VULKAN_SEEN or relative in direct:
            continue
        for number, target in edges:
            way = find(target, {relative})
            if way:
                yield relative, number, f"sees Vulkan through {' -> '.join(way)}; only {', '.join(VULKAN_SEEN)} may"


def module_of(relative):
    """A source file and its header are one module: what a file without its ending names."""
    return pathlib.PurePosixPath(relative).with_suffix("").as_posix()


def circles(graph):
    """Yields a shortest way from a node back to itself, first and last the same, until each node in a circle was named.

    `graph`: {node: targets}.
    """
    def way(start):
        queue, before = [start], {}
        for node in queue:
            for target in sorted(graph.get(node, ())):
                if target == start:
                    back = [node]
                    while back[-1] != start:
                        back.append(before[back[-1]])
                    return back[::-1] + [start]
                if target not in before:
                    before[target] = node
                    queue.append(target)
        return None

    told = set()
    for node in sorted(graph):
        circle = None if node in told else way(node)
        if circle:
            told.update(circle)
            yield circle


def find_cycles(root):
    """Yields (file, line, text) for every group of modules that include each other in a circle."""
    graph = {}
    for path in sorted((root / "src").rglob("*.[ch]")):
        relative = path.relative_to(root / "src").as_posix()
        edges = graph.setdefault(module_of(relative), {})
        for number, kind, name in includes(path):
            target = resolve(path, name, root)
            if kind == '"' and (root / "src" / target).exists() and module_of(target) != module_of(relative):
                edges.setdefault(module_of(target), (relative, number))

    for circle in circles(graph):
        relative, number = graph[circle[0]][circle[1]]
        yield relative, number, f"modules include each other: {' -> '.join(circle)}"


def check_public(path):
    for number, kind, name in includes(path):
        if kind == '"' and not name.startswith("vela/"):
            yield number, f'"{name}" in a public header, which may include "vela/..." and the C library only'
        if kind == "<" and "/" in name:
            yield number, f"<{name}> in a public header, which may include the C library only"


def check_shader(path, root):
    folder = path.relative_to(root / "shaders").parts[0]
    if folder not in SHADERS_ALLOWED:
        yield 1, f"folder shaders/{folder} is not in the table of tools/check_includes.py"
        return
    for number, _, name in includes(path):
        target = pathlib.PurePosixPath(name).parts[0]
        beside = (path.parent / name).resolve()
        if beside.exists() and (root / "shaders") in beside.parents:
            target = beside.relative_to(root / "shaders").parts[0]
        if target not in SHADERS_ALLOWED[folder]:
            yield number, f'"{name}" in shaders/{folder}, which may include: {", ".join(SHADERS_ALLOWED[folder])}'


def violations(root):
    for path in sorted((root / "src").rglob("*.[ch]")):
        for number, text in check_source(path, root):
            yield path, number, text
    for relative, number, text in reaches_vulkan(root):
        yield root / "src" / relative, number, text
    for relative, number, text in find_cycles(root):
        yield root / "src" / relative, number, text
    for path in sorted((root / "include").rglob("*.h")):
        for number, text in check_public(path):
            yield path, number, text
    for path in sorted(p for p in (root / "shaders").rglob("*") if p.is_file()):
        for number, text in check_shader(path, root):
            yield path, number, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root.resolve()
    found = list(violations(root))
    for path, number, text in found:
        print(f"{path.relative_to(root)}:{number}: {text}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
