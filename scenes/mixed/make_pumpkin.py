#!/usr/bin/env python3
"""Writes pumpkin.obj: a closed surface with ten ribs and a stem along y, inside a ball of 0.1 m radius.

Usage: make_pumpkin.py [ACROSS DOWN FILE], vertices across a rib and from pole to pole
"""
import math
import pathlib
import sys

RIBS, ACROSS, DOWN = 10, 4, 16
FILE = pathlib.Path(__file__).with_name("pumpkin.obj")
if len(sys.argv) == 4:
    ACROSS, DOWN, FILE = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
AROUND = RIBS * ACROSS
RADIUS, STEM, STEM_RADIUS = 0.1, 0.03, 0.012


def body(polar, azimuth):
    """Ribs are deepest at the equator; the poles are sunk in."""
    rib = 1 - 0.14 * math.sin(polar) * (1 - abs(math.sin(0.5 * RIBS * azimuth)))
    out = RADIUS * math.sin(polar) * rib
    up = RADIUS * (0.78 * math.cos(polar) - 0.1 * math.copysign(math.exp(-9 * math.sin(polar) ** 2), math.cos(polar)))
    return out, up


rings = []  # each: the vertices of a ring, from the tip of the stem to the lower pole
top = body(math.pi / DOWN, 0)[1]
for height, radius in ((STEM, 0.6), (STEM - 0.002, 1), (0.4 * STEM, 0.85)):
    rings.append([(STEM_RADIUS * radius, top + height)] * AROUND)
for i in range(2, DOWN):
    rings.append([body(math.pi * i / DOWN, 2 * math.pi * k / AROUND) for k in range(AROUND)])

lines = ["# a pumpkin, made by make_pumpkin.py", f"v 0 {rings[0][0][1]:.6f} 0"]
for ring in rings:
    for k, (out, up) in enumerate(ring):
        a = 2 * math.pi * k / AROUND
        lines.append(f"v {out * math.cos(a):.6f} {up:.6f} {-out * math.sin(a):.6f}")
lines.append(f"v 0 {body(math.pi, 0)[1]:.6f} 0")
last = AROUND * len(rings) + 2
for k in range(AROUND):
    n = (k + 1) % AROUND
    lines.append(f"f 1 {2 + k} {2 + n}")
    for i in range(len(rings) - 1):
        a, b = 2 + AROUND * i, 2 + AROUND * (i + 1)
        lines += [f"f {a + k} {b + k} {b + n}", f"f {a + k} {b + n} {a + n}"]
    lines.append(f"f {last - AROUND + k} {last} {last - AROUND + n}")
FILE.write_text("\n".join(lines) + "\n", encoding="ascii")
