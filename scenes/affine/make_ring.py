#!/usr/bin/env python3
"""Writes ring.obj: a closed ring about y, its middle line a circle of 30 mm, its section of 6 mm radius."""
import math
import pathlib

AROUND, SECTION = 20, 8
RADIUS, TUBE = 0.03, 0.006

lines = ["# a ring about y, made by make_ring.py"]
for i in range(AROUND):
    a = 2 * math.pi * i / AROUND
    for k in range(SECTION):
        b = 2 * math.pi * k / SECTION
        out = RADIUS + TUBE * math.cos(b)
        lines.append(f"v {out * math.cos(a):.6f} {TUBE * math.sin(b):.6f} {out * math.sin(a):.6f}")
for i in range(AROUND):
    for k in range(SECTION):
        a, b = SECTION * i + k + 1, SECTION * i + (k + 1) % SECTION + 1
        c, d = SECTION * ((i + 1) % AROUND) + k + 1, SECTION * ((i + 1) % AROUND) + (k + 1) % SECTION + 1
        lines += [f"f {a} {b} {d}", f"f {a} {d} {c}"]
pathlib.Path(__file__).with_name("ring.obj").write_text("\n".join(lines) + "\n", encoding="ascii")
