#!/usr/bin/env python3
"""Scenes whose processor time a step is compared between versions: a bar that sags, a cube that drops, stacks, rods, mats, characters, crowds.

usage: make_speed_scenes.py MESHES FOLDER
MESHES has the meshes of development (tet/, paper/); FOLDER gets a file for each scene.
"""

import json
import pathlib
import sys


def scene(name, step, modulus, ratio, bodies, tolerance=None, **more):
    solver = {"type": "newton"} if tolerance is None else {"type": "newton", "tolerance": tolerance}
    material = {"model": "neo_hookean", "density": 1000, "youngs_modulus": modulus, "poissons_ratio": ratio}
    return {"version": 1, "name": name, "time": {"step": step, "duration": 10}, "integrator": {"type": "implicit_euler"},
            "solver": solver, "materials": {"m": material}, "bodies": bodies, **more}


def box(size, cells, **more):
    return {"geometry": {"box": {"size": size, "cells": cells}}, "material": "m", **more}


def barrier(distance, friction):
    return {"model": "barrier", "distance": distance, "friction": friction, "self": True}


def held(reach, speed):
    """Pins of both ends, beyond `reach` along x, that turn against each other."""
    ends = [[[-9, -9, -9], [-reach, 9, 9]], [[reach, -9, -9], [9, 9, 9]]]
    return [{"select": {"box": end}, "motion": {"spin": {"axis": [1, 0, 0], "speed": sign * speed}}}
            for sign, end in zip((-1, 1), ends)]


def scenes(meshes):
    floor = [{"plane": {"point": [0, 0, 0], "normal": [0, 1, 0]}}]
    for name, cells in (("bar_5k", [24, 6, 6]), ("bar_24k", [40, 10, 10]), ("bar_98k", [64, 16, 16])):
        bar = box([0.4, 0.1, 0.1], cells, translate=[0, 0.05, 0],
                  pins=[{"select": {"box": [[-1, -1, -1], [-0.1999, 1, 1]]}}])
        yield scene(name, 0.01, 5e5, 0.4, [bar], 4.2e-3)
    yield scene("cube_drop", 0.01, 5e5, 0.4, [box([0.2] * 3, [12] * 3, translate=[0, 0.2, 0])], 3.5e-3,
                obstacles=floor, contact=barrier(3.5e-4, 0.1))
    cubes = [box([0.1] * 3, [6] * 3, translate=[0.004 * i, 0.052 + 0.103 * i, 0],
                 rotate={"axis": [0, 1, 0], "degrees": 15 * i}) for i in range(5)]
    yield scene("five_cubes", 0.01, 1e5, 0.4, cubes, obstacles=floor, contact=barrier(1e-3, 0.3))
    mat = {"geometry": {"mesh": f"{meshes}/paper/mat40x40_ipc.msh"}, "scale": 0.4, "material": "m", "pins": held(0.1999, 1.256)}
    yield scene("thin_mat", 0.01, 2e4, 0.4, [mat], gravity=[0, 0, 0], contact=barrier(1e-3, 0))
    rods = [box([0.5, 0.008, 0.008], [24, 1, 1], rotate={"axis": [0, 1, 0], "degrees": (90 if i % 2 else 0) + 7 * i},
                translate=[0.02 * (i % 3 - 1), 0.01 + 0.014 * i, 0.02 * (i // 2 % 3 - 1)]) for i in range(8)]
    yield scene("rods", 0.01, 1e7, 0.3, rods, obstacles=floor, contact=barrier(1e-3, 0.3))
    armadillo = {"geometry": {"mesh": f"{meshes}/paper/armadillo_ipc_13k.msh"}, "scale": 0.004, "material": "m",
                 "pins": held(0.16, 1.0)}
    yield scene("armadillo", 0.01, 1e5, 0.4, [armadillo], gravity=[0, 0, 0], contact=barrier(1e-3, 0))
    characters = [{"geometry": {"mesh": f"{meshes}/tet/{name}.msh"}, "scale": 0.3, "material": "m",
                   "translate": [0.02 * i, 0.25 + 0.32 * i, 0.01 * i], "rotate": {"axis": [1, 0.3, 0], "degrees": 20 * i}}
                  for i, name in enumerate(("bear_3k", "bunny_1k", "cat_4k"))]
    yield scene("characters", 1 / 60, 2e4, 0.4, characters, obstacles=floor, contact=barrier(1e-3, 0.3))
    gap = 0.0211
    for name, layers, side in (("crowd_small", 6, 6), ("crowd", 13, 15)):
        boxes = [box([0.02] * 3, [1] * 3, translate=[gap * j + 0.001 * (i % 2), 0.0115 + gap * i, gap * k])
                 for i in range(layers) for j in range(side) for k in range(side)]
        contact = {"model": "barrier", "distance": 3e-3, "friction": 0.5}
        yield scene(name, 0.02, 1e5, 0.4, boxes, obstacles=floor, contact=contact)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    meshes, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for content in scenes(meshes):
        (folder / f"{content['name']}.json").write_text(json.dumps(content, indent=1))


if __name__ == "__main__":
    main()
