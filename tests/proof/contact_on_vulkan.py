"""Every shipped scene with barrier contact, as small as a software driver can take, on Vulkan in single precision under --verify:
60 steps at its own step and 20 at 1/15 s; and seven of them ten times each with gravity turned and scaled. One failure fails all;
so does a scene in which nothing comes into contact, one that is too large, and a shipped one that is not in the list.

Usage: contact_on_vulkan.py VELA FOLDER [--only NAME] [--repeats N] [--part X] [--jobs N]
"""
import argparse
import concurrent.futures
import csv
import json
import math
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"
OWN_STEPS, LONG_STEPS, LONG_STEP = 60, 20, "1/15"
ELEMENTS_MOST = 1500  # tetrahedra or triangles

COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*')


def read_scene(path):
    return json.loads(COMMENT.sub(lambda found: found.group() if found.group()[0] == '"' else "", path.read_text()))


def thinned_cables(name, stride):
    """Every body's points but one of so many left out, and the pin at its end moved along."""
    overrides = {}
    for b, body in enumerate(read_scene(SCENES / f"{name}.json")["bodies"]):
        points = body["geometry"]["cable"]["points"]
        kept = points[:-1:stride] + points[-1:]
        overrides[f"bodies.{b}.geometry.cable.points"] = kept
        for p, pin in enumerate(body["pins"]):
            if pin["select"]["nodes"] == [len(points) - 1]:
                overrides[f"bodies.{b}.pins.{p}.select.nodes"] = [len(kept) - 1]
    return overrides


BOX = {"box": {"size": [0.02, 0.02, 0.02], "cells": [1, 1, 1]}}

# What makes a scene small; a ball and boxes stand for meshes that cannot be made coarser.
SMALL = {
    "energy_control/bouncing_ball_soft": {"bodies.0.geometry.ball.resolution": 3},
    "energy_control/bouncing_ball_medium": {"bodies.0.geometry.ball.resolution": 3},
    "energy_control/bouncing_ball_stiff": {"bodies.0.geometry.ball.resolution": 3},
    "energy_control/funnel": {"bodies.0.geometry.ball.resolution": 3},
    "energy_control/squeezed_ball": {"bodies.0.geometry.ball.resolution": 4},
    # Twisted ten times as fast, to come into contact in time.
    "energy_control/mat_twist": {"bodies.0.geometry.box.cells": [12, 1, 6], "bodies.0.pins.0.motion.spin.speed": -15,
                                 "bodies.0.pins.1.motion.spin.speed": 15},
    "energy_control/slope_friction": {f"bodies.{b}.geometry.box.cells": [3, 1, 3] for b in range(3)},
    "energy_control/stack_of_cubes": {f"bodies.{b}.geometry.box.cells": [2, 2, 2] for b in range(5)},
    "energy_control/linked_tori": {f"bodies.{b}.geometry.torus.resolution": 2 for b in range(2)},
    "energy_control/dice_roll": {f"bodies.{b}.geometry": {"box": {"size": [0.05, 0.05, 0.05], "cells": [1, 1, 1]}}
                                 for b in range(8)},
    "energy_control/stair_drop": {"bodies.0.geometry": {"ball": {"radius": 0.05, "resolution": 3}}},
    # Three cables each way instead of eleven.
    "cables/ball_in_net": {"bodies.0.geometry.cable.segments": 8, "bodies.0.pins.0.select.nodes": [0, 8],
                           "bodies.0.array": {"count": [1, 1, 3], "spacing": [0, 0, 0.15]}, "bodies.0.translate": [0, 0, 0.15],
                           "bodies.1.geometry.cable.segments": 8, "bodies.1.pins.0.select.nodes": [0, 8],
                           "bodies.1.array": {"count": [3, 1, 1], "spacing": [0.15, 0, 0]}, "bodies.1.translate": [0.15, 0, 0],
                           "bodies.2.geometry.ball.resolution": 3, "bodies.2.translate": [0.02, 0.2, -0.03]},
    "cables/knot": thinned_cables("cables/knot", 3),
    # 2 of its 65 links, one of them fixed; the ball and three boxes fall on them.
    "affine/chain_net": {"bodies.0.array.count": [1, 1, 1],
                         "bodies.1": {"geometry": BOX, "translate": [0.072, 0.06, 0], "type": "affine", "material": "steel"},
                         "bodies.2": {"geometry": BOX, "translate": [-0.02, 0.05, 0.06], "type": "affine", "material": "wood"},
                         "bodies.3.array.count": [1, 1, 1],
                         "bodies.4": {"geometry": BOX, "translate": [-0.03, 0.02, 0], "type": "affine", "material": "steel"},
                         "bodies.5.geometry.ball": {"radius": 0.05, "resolution": 3},
                         "bodies.5.translate": [0.03, 0.14, 0]},
    "affine/dominoes": {"bodies.1.array.count": [7, 1, 1]},
    # 16 of its 500 dice, nearer to the ground.
    "affine/dice_pour": {f"bodies.{b}.array.count": [2, 2, 1] for b in range(4)} |
                        {f"bodies.{b}.translate": [-0.07, [0.03, 0.064, 0.166, 0.2][b], -0.07] for b in range(4)},
    "mixed/pumpkins": {},  # coarse_pumpkin's skins
    "mixed/in_the_sheet": {"bodies.0.geometry.sheet.cells": [6, 6], "bodies.1.geometry.ball.resolution": 3,
                           "bodies.3.geometry.cable.segments": 12},
    # Boxes on the hill, which slide.
    "dissipation/sliding_turtles": {f"bodies.{b}.geometry": {"box": {"size": [0.2, 0.06, 0.16], "cells": [3, 1, 2]}}
                                    for b in range(3)} |
                                   {f"bodies.{b}.translate": [0.3, 0.55, 0.6 * (b - 1)] for b in range(3)},
    # Limbs are boxes; the feet come to stand at once.
    "constraints/ragdoll_on_stairs": {f"bodies.{b}.geometry": {"box": {"size": [0.36, 0.24, 0.2], "cells": [2, 1, 1]}} for b in range(3)} |
                                     {f"bodies.{b}.geometry": {"box": {"size": [0.08, 0.4, 0.08], "cells": [1, 2, 1]}}
                                      for b in range(4, 12)} |
                                     {"bodies.3.geometry.ball.resolution": 3},
    "constraints/suspension_bridge": {"bodies.3.geometry.ball.resolution": 3},
    "shells/drape": {"bodies.0.geometry.disk.resolution": 7},
    # Thrown towards its pole, to fold in time.
    "shells/flag": {"bodies.0.geometry.sheet.cells": [12, 8], "bodies.0.velocity_gradient": [[-8, 0, 0], [2, 0, 3], [4, 3, 0]]},
    "shells/inflated_ball": {},
    "shells/bag": {"bodies.0.geometry.sheet.cells": [6, 6], "bodies.0.pins.1.select.nodes": [6],
                   "bodies.0.pins.2.select.nodes": [42], "bodies.0.pins.3.select.nodes": [48],
                   "bodies.1.array.count": [2, 1, 2]},
    "shells/trampoline": {"bodies.0.geometry.disk.resolution": 6,
                          "bodies.1.geometry": {"ball": {"radius": 0.08, "resolution": 3}}},
}
JITTERED = ["energy_control/stack_of_cubes", "energy_control/squeezed_ball", "energy_control/linked_tori",
            "affine/dominoes", "shells/drape", "shells/bag", "shells/trampoline"]


def coarse_pumpkin(folder):
    """Overrides that give bodies coarser skins, made in `folder`."""
    mesh = (folder / "pumpkin.obj").resolve()
    subprocess.run([sys.executable, str(SCENES / "mixed/make_pumpkin.py"), "2", "6", str(mesh)], check=True)
    return {f"bodies.{b}.skin.mesh": str(mesh) for b in range(3)}


def shipped():
    """Names of the scenes with barrier contact."""
    names = []
    for path in sorted(SCENES.rglob("*.json")):
        if path.name != "schema.json" and read_scene(path).get("contact", {}).get("model") == "barrier":
            names.append(path.relative_to(SCENES).with_suffix("").as_posix())
    return names


def jittered_gravity(source):
    """Up to 5 % more or less, about 3 degrees off the vertical, m/s^2."""
    strength = 9.8 * (1 + source.uniform(-0.05, 0.05))
    direction = [source.gauss(0, 0.05), -1, source.gauss(0, 0.05)]
    length = math.sqrt(sum(value * value for value in direction))
    return [strength * value / length for value in direction]


def planned_runs(names, repeats, part):
    """Name, label, steps and overrides of every run."""
    for name in names:
        small = SMALL[name]
        yield name, "own", round(OWN_STEPS * part), small
        yield name, "long", round(LONG_STEPS * part), small | {"time.step": LONG_STEP}
        source = random.Random(name)
        for repeat in range(repeats if name in JITTERED else 0):
            yield name, f"jittered{repeat}", round(OWN_STEPS * part), small | {"gravity": jittered_gravity(source)}


def run(vela, folder, name, label, steps, overrides):
    """What went wrong, or None; steps done, and those of them that end in contact. Prints a line."""
    out = folder / f"{name.replace('/', '_')}.{label}"
    command = [vela, "run", SCENES / f"{name}.json", "-o", out, "--device", "vulkan", "--steps", steps, "--verify",
               "--no-render", "--quiet"]
    for key, value in overrides.items():
        command += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
    start = time.monotonic()
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    rows, elements = [], 0
    if (out / "diagnostics.csv").exists():
        with open(out / "diagnostics.csv", newline="") as file:
            rows = list(csv.DictReader(file))[1:]
        report = json.loads((out / "run.json").read_text())
        elements = max(report["tets"], report["triangles"])
    closest = [float(row["min_distance"]) for row in rows if row["min_distance"]]
    iterations = [int(row["iterations"]) for row in rows]
    stopped = sorted({row["stop"] for row in rows} - {"residual", "rounding"})
    failure = None
    if result.returncode != 0:
        failure = f"exit code {result.returncode}: {result.stderr.strip()}"
    elif len(rows) != steps:
        failure = "steps are missing"
    elif elements > ELEMENTS_MOST:
        failure = f"too large: {elements} elements"
    print(f"{'FAILED' if failure else 'ok    '} {name} {label}: {len(rows)} of {steps} steps, {len(closest)} in contact, closest "
          f"{min(closest, default=math.inf):.3g} m, {sum(iterations) / max(1, len(iterations)):.1f} iterations a "
          f"step{', stopped by ' + ', '.join(stopped) if stopped else ''}, {time.monotonic() - start:.0f} s"
          f"{': ' + failure if failure else ''}", flush=True)
    if not failure:
        shutil.rmtree(out)
    return failure, len(rows), len(closest)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vela")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", action="append", help="scenes with this in their names; may come several times")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--part", type=float, default=1, help="part of the steps to do")
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    arguments = parser.parse_args()
    SMALL["mixed/pumpkins"] = coarse_pumpkin(arguments.folder)
    failures = [f"{name}: shipped, or in the list, but not both" for name in sorted(set(shipped()) ^ set(SMALL))]
    names = [name for name in shipped() if name in SMALL and
             (not arguments.only or any(part in name for part in arguments.only))]
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = [(name, pool.submit(run, arguments.vela, arguments.folder, name, *rest))
                for name, *rest in planned_runs(names, arguments.repeats, arguments.part)]
    results = [(name, *future.result()) for name, future in runs]
    for name in names:
        if not any(touching for found, _, _, touching in results if found == name):
            failures.append(f"{name}: nothing comes into contact")
    failures += [f"{name}: {failure}" for name, failure, _, _ in results if failure]
    print(f"{len(names)} scenes, {len(results)} runs, {sum(steps for _, _, steps, _ in results)} steps, "
          f"{sum(touching for *_, touching in results)} of them in contact, {len(failures)} failures, "
          f"{(time.monotonic() - start) / 60:.0f} minutes")
    print("\n".join(failures))
    sys.exit(1 if failures or not results else 0)


if __name__ == "__main__":
    main()
