#!/usr/bin/env python3
"""Every scene of the project, with its comments taken out, holds to scenes/schema.json; so do the resolved scenes that
test_scene_reader leaves in the build folder. Scenes that must not pass are tried as well."""
import json
import os
import re
import sys

SKIPPED = 77
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def without_comments(text):
    """Blanks out // and /* */ comments, not those inside strings."""
    token = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.S)
    return token.sub(lambda m: m.group() if m.group()[0] == '"' else re.sub(r"[^\n]", " ", m.group()), text)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.loads(without_comments(file.read()))


def find_scenes(folder):
    for parent, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith(".json") and name != "schema.json":
                yield os.path.join(parent, name)


def broken_scenes(good):
    """Copies of a good scene with one mistake each, and what the mistake is."""
    def change(what, edit):
        scene = json.loads(json.dumps(good))
        edit(scene)
        return what, scene

    first = lambda scene: scene["bodies"][0]
    rubber = lambda scene: scene["materials"]["rubber"]
    return [
        change("unknown key", lambda s: s.update(bodie=[])),
        change("no time", lambda s: s.pop("time")),
        change("step 0", lambda s: s["time"].update(step=0)),
        change("step as plain text", lambda s: s["time"].update(step="0.1")),
        change("wrong version", lambda s: s.update(version=2)),
        change("unknown body type", lambda s: first(s).update(type="rope")),
        change("two geometries", lambda s: first(s)["geometry"].update(ball={"radius": 1, "resolution": 3})),
        change("no such model", lambda s: rubber(s).update(model="stv")),
        change("two stiffnesses", lambda s: rubber(s).update(kappa=1)),
        change("ratio too large", lambda s: rubber(s).update(poissons_ratio=0.5)),
        change("negative ratio", lambda s: rubber(s).update(poissons_ratio=-0.1)),
        change("lambda of arap", lambda s: s["materials"].update(rubber={"model": "arap", "density": 1, "kappa": 1,
                                                                         "lambda": 2})),
        change("alpha 1.3", lambda s: s["integrator"].update(alpha=1.3)),
        change("alpha of rk4", lambda s: s.update(integrator={"type": "rk4", "alpha": 0.5})),
        change("alpha_max of the default", lambda s: s.update(integrator={"alpha_max": 1})),
        change("decay time of bdf2", lambda s: s.update(integrator={"type": "bdf2", "decay_time": 1})),
        change("decay time 0", lambda s: s.update(integrator={"type": "a_search", "decay_time": 0})),
        change("decay without value", lambda s: s.update(integrator={"type": "a_search", "decay_time": [{"time": 0}]})),
        change("linear.tolerance of admm", lambda s: s["solver"].update(linear={"tolerance": 1e-3})),
        change("depth of newton", lambda s: s.update(solver={"type": "newton", "depth": 3})),
        change("iterations of newton", lambda s: s.update(solver={"type": "newton", "iterations": 2})),
        change("tolerance of compliant", lambda s: s.update(solver={"type": "compliant", "tolerance": 1},
                                                            integrator={"type": "implicit_euler"})),
        change("compliant with rk4", lambda s: s.update(solver={"type": "compliant"}, integrator={"type": "rk4"})),
        change("hard with newton", lambda s: s.update(solver={"type": "newton"}, constraints=[
            {"type": "ball", "between": ["a", "b"], "at": [0, 0, 0]}])),
        change("distance of names", lambda s: s.update(constraints=[{"type": "distance", "between": ["a", "b"]}])),
        change("ball of ends", lambda s: s.update(constraints=[
            {"type": "ball", "between": [{"point": [0, 0, 0]}, {"body": "a", "node": 0}], "at": [0, 0, 0]}])),
        change("angle of two", lambda s: s.update(constraints=[
            {"type": "angle", "between": [{"point": [0, 0, 0]}, {"body": "a", "node": 0}]}])),
        change("end of two kinds", lambda s: s.update(constraints=[
            {"type": "attach", "between": [{"point": [0, 0, 0], "node": 1}, {"body": "a", "node": 0}]}])),
        change("hinge without axis", lambda s: s.update(constraints=[
            {"type": "hinge", "between": ["a", "b"], "at": [0, 0, 0]}])),
        change("limits of a ball", lambda s: s.update(constraints=[
            {"type": "ball", "between": ["a", "b"], "at": [0, 0, 0], "limits_degrees": [0, 1]}])),
        change("distance of penalty", lambda s: s["contact"].update(distance=1)),
        change("penalty without stiffness", lambda s: s["contact"].pop("stiffness")),
        change("barrier with admm", lambda s: s.update(integrator={}, contact={"model": "barrier", "distance": 1})),
        change("barrier without distance", lambda s: s.update(contact={"model": "barrier"})),
        change("101 friction iterations", lambda s: s.update(contact={"model": "barrier", "distance": 1,
                                                                      "friction_iterations": 101})),
        change("pair of one", lambda s: s.update(contact={"model": "barrier", "distance": 1,
                                                          "pairs": [{"between": ["a"], "friction": 1}]})),
        change("no obstacle", lambda s: s["obstacles"].append({"name": "a"})),
        change("two obstacles in one", lambda s: s["obstacles"][0].update(mesh="a.obj")),
        change("scaled plane", lambda s: s["obstacles"][0].update(scale=2)),
        change("penalty with a mesh", lambda s: s["obstacles"].append({"mesh": "a.obj"})),
        change("two selectors", lambda s: first(s)["pins"][0]["select"].update(group="a")),
        change("keyframes and spin", lambda s: first(s)["pins"][0].update(motion={"keyframes": [], "spin": {}})),
        change("two numbers", lambda s: s.update(gravity=[0, 1])),
        change("fraction of words", lambda s: s.update(gravity=[0, "a/b", 0])),
        change("name with a slash", lambda s: s.update(name="a/b")),
    ]


def main():
    try:
        import jsonschema
    except ImportError:
        print("skipped: the Python module jsonschema is not installed")
        return SKIPPED
    schema = load(os.path.join(ROOT, "scenes", "schema.json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    every_key, *others = (os.path.join(ROOT, "tests", "scenes", name)
                          for name in ("every_key.json", "every_key_newton.json", "every_key_compliant.json"))
    failures = 0
    folders = [os.path.join(ROOT, "scenes"), os.path.join(os.getcwd(), os.pardir, "scene_samples")]
    scenes = [every_key, *others] + [path for folder in folders for path in find_scenes(folder)]
    for path in scenes:
        try:
            errors = list(validator.iter_errors(load(path)))
        except ValueError as error:
            errors = [error]
        for error in errors:
            where = ".".join(str(part) for part in getattr(error, "absolute_path", []))
            print(f"{path}: {where}: {getattr(error, 'message', error)}")
        failures += len(errors)
    for what, scene in broken_scenes(load(every_key)):
        if validator.is_valid(scene):
            print(f"the schema lets pass: {what}")
            failures += 1
    print(f"{len(scenes)} scenes checked, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
