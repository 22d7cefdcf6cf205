"""Every shipped scene with barrier contact, as small as a software driver can take, on Vulkan in single precision under --verify:
60 steps at its own step and 20 at 1/15 s; and seven of them ten times each with gravity turned and scaled. One failure fails all.

Usage: contact_on_vulkan.py VELA FOLDER [--only NAME] [--repeats N]
"""
import argparse
import csv
import json
import math
import pathlib
import random
import subprocess
import sys
import time

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"
OWN_STEPS, LONG_STEPS, LONG_STEP = 60, 20, "1/15"

# What makes a scene small; a ball and boxes stand for meshes that cannot be made coarser.
SMALL = {
    "energy_control/bouncing_ball_soft": {"bodies.0.geometry.ball.resolution": 5},
    "energy_control/bouncing_ball_medium": {"bodies.0.geometry.ball.resolution": 5},
    "energy_control/bouncing_ball_stiff": {"bodies.0.geometry.ball.resolution": 5},
    "energy_control/funnel": {"bodies.0.geometry.ball.resolution": 5},
    "energy_control/squeezed_ball": {"bodies.0.geometry.ball.resolution": 5},
    "energy_control/mat_twist": {"bodies.0.geometry.box.cells": [20, 1, 10]},
    "energy_control/slope_friction": {f"bodies.{b}.geometry.box.cells": [4, 2, 4] for b in range(3)},
    "energy_control/stack_of_cubes": {f"bodies.{b}.geometry.box.cells": [3, 3, 3] for b in range(5)},
    "energy_control/linked_tori": {f"bodies.{b}.geometry.torus.resolution": 2 for b in range(2)},
    "energy_control/dice_roll": {f"bodies.{b}.geometry": {"box": {"size": [0.05, 0.05, 0.05], "cells": [3, 3, 3]}}
                                 for b in range(8)},
    "energy_control/stair_drop": {"bodies.0.geometry": {"ball": {"radius": 0.05, "resolution": 5}}},
    "cables/ball_in_net": {"bodies.2.geometry.ball.resolution": 5},
    "cables/knot": {},
    # 21 of its 65 links.
    "affine/chain_net": {"bodies.0.array": {"count": [2, 1, 2], "spacing": [0.168, 0, 0.168]},
                         "bodies.1.array": {"count": [1, 1, 2], "spacing": [0.084, 0, 0.168]},
                         "bodies.2.array": {"count": [3, 1, 1], "spacing": [0.084, 0, 0.084]},
                         "bodies.3.array": {"count": [2, 1, 3], "spacing": [0.084, 0, 0.084]},
                         "bodies.4.array": {"count": [3, 1, 2], "spacing": [0.084, 0, 0.084]},
                         "bodies.5.geometry.ball": {"radius": 0.05, "resolution": 4},
                         "bodies.5.translate": [0.088, 0.1, 0.08]},
    "affine/dominoes": {},
    "affine/dice_pour": {"bodies.0.array.count": [3, 3, 3]},
    "mixed/pumpkins": {},
    "mixed/in_the_sheet": {"bodies.0.geometry.sheet.cells": [8, 8], "bodies.1.geometry.ball.resolution": 4,
                           "bodies.3.geometry.cable.segments": 20},
    "shells/drape": {},
    "shells/flag": {},
    "shells/inflated_ball": {},
    "shells/bag": {"bodies.1.array.count": [2, 1, 2]},
    "shells/trampoline": {"bodies.0.geometry.disk.resolution": 12,
                          "bodies.1.geometry": {"ball": {"radius": 0.08, "resolution": 5}}},
}
JITTERED = ["energy_control/stack_of_cubes", "energy_control/squeezed_ball", "energy_control/linked_tori",
            "affine/dominoes", "shells/drape", "shells/bag", "shells/trampoline"]


def jittered_gravity(source):
    """Up to 5 % more or less, about 3 degrees off the vertical, m/s^2."""
    strength = 9.8 * (1 + source.uniform(-0.05, 0.05))
    direction = [source.gauss(0, 0.05), -1, source.gauss(0, 0.05)]
    length = math.sqrt(sum(value * value for value in direction))
    return [strength * value / length for value in direction]


def run(vela, folder, name, label, steps, overrides):
    """Whether the run went through; prints a line."""
    out = folder / f"{name.replace('/', '_')}.{label}"
    command = [vela, "run", SCENES / f"{name}.json", "-o", out, "--device", "vulkan", "--steps", steps, "--verify",
               "--no-render", "--quiet"]
    for key, value in overrides.items():
        command += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
    start = time.monotonic()
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    rows = []
    if (out / "diagnostics.csv").exists():
        with open(out / "diagnostics.csv", newline="") as file:
            rows = list(csv.DictReader(file))
    closest = [float(row["min_distance"]) for row in rows if row.get("min_distance")]
    iterations = [int(row["iterations"]) for row in rows if row.get("iterations")]
    stopped = sorted({row["stop"] for row in rows if row.get("stop")} - {"residual", "rounding"})
    print(f"{'ok    ' if result.returncode == 0 else 'FAILED'} {name} {label}: {len(rows) - 1} of {steps} steps, closest "
          f"{min(closest) if closest else math.inf:.3g} m, {sum(iterations) / max(1, len(iterations)):.1f} iterations a "
          f"step{', stopped by ' + ', '.join(stopped) if stopped else ''}, {time.monotonic() - start:.0f} s", flush=True)
    if result.returncode != 0:
        print(result.stderr.strip(), flush=True)
    return result.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vela")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", help="scenes with this in their names")
    parser.add_argument("--repeats", type=int, default=10)
    arguments = parser.parse_args()
    good = True
    for name, small in SMALL.items():
        if arguments.only and arguments.only not in name:
            continue
        good &= run(arguments.vela, arguments.folder, name, "own", OWN_STEPS, small)
        good &= run(arguments.vela, arguments.folder, name, "long", LONG_STEPS, small | {"time.step": LONG_STEP})
        source = random.Random(name)
        for repeat in range(arguments.repeats if name in JITTERED else 0):
            small["gravity"] = jittered_gravity(source)
            good &= run(arguments.vela, arguments.folder, name, f"jittered{repeat}", OWN_STEPS, small)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
