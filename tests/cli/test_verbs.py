"""check, devices, export, plot, render and compare on a tiny run."""
import csv
import json
import struct
import unittest

import vela_program
from vela_program import ProgramTest, has_vulkan, png_size, read_diagnostics

NODES, TETS = 9 * 3 * 3, 8 * 2 * 2 * 6
SURFACE = 2 * 2 * (8 * 2 + 8 * 2 + 2 * 2)


def read_npy(path):
    """Shape, type and values (flat) of a .npy file of version 1, C order."""
    data = path.read_bytes()
    assert data[:6] == b"\x93NUMPY", path
    length = struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:10 + length].decode("latin1"), {"__builtins__": {}})  # a literal dictionary, by the format
    assert not header["fortran_order"] and (10 + length) % 64 == 0
    code = {"<f8": "d", "<i4": "i"}[header["descr"]]
    count = 1
    for size in header["shape"]:
        count *= size
    return header["shape"], header["descr"], struct.unpack(f"<{count}{code}", data[10 + length:])


class Verbs(ProgramTest):
    def test_check(self):
        scene = self.write_scene()
        text = self.vela("check", scene).stdout
        lines = {line[:20].strip(): line[20:].strip() for line in text.splitlines() if line.startswith("  ")}
        self.assertEqual(lines["nodes"], str(NODES))
        self.assertEqual(lines["elements"], str(TETS))
        self.assertEqual(lines["surface triangles"], str(SURFACE))
        self.assertTrue(lines["steps"].startswith("20 "), lines["steps"])
        self.assertEqual(lines["frames"], "11")
        self.assertEqual(lines["mass"], "4 kg")
        self.assertRegex(lines["memory, CPU"], r"^[\d.]+ [KMG]iB$")
        self.assertRegex(lines["memory, Vulkan f32"], r"^[\d.]+ [KMG]iB$")
        if has_vulkan():
            self.assertIn(" has room for it", lines["Vulkan"])
        self.assertEqual([path.name for path in self.folder.iterdir()], ["scene.json"])

    def test_check_predicts_the_disk(self):
        self.run_scene(self.write_scene(), "out")
        out = self.folder / "out"
        used = sum(path.stat().st_size for path in [*out.glob("states/*"), *out.glob("checkpoint*"), out / "diagnostics.csv"])
        text = [line for line in self.vela("check", self.folder / "scene.json").stdout.splitlines() if "disk" in line][0]
        value, unit = text.split()[1:]
        planned = float(value) * {"B": 1, "KiB": 1024, "MiB": 1024 ** 2}[unit]
        self.assertLess(abs(planned - used), 0.25 * used, text)

    def test_devices(self):
        text = self.vela("devices").stdout
        self.assertTrue("vulkan:0" in text or "no Vulkan driver" in text, text)
        if "vulkan:0" in text:
            for word in ("type", "driver", "Vulkan", "memory", "subgroup size", "float64", "timestamps", "simulates"):
                self.assertIn(word, text)

    def test_export_npy(self):
        self.run_scene(self.write_scene(), "out")
        self.vela("export", "out", "--format", "npy", "-o", "arrays")
        read = {name: read_npy(self.folder / f"arrays/{name}.npy")
                for name in ("positions", "velocities", "times", "tets", "triangles")}
        self.assertEqual(read["positions"][:2], ((11, NODES, 3), "<f8"))
        self.assertEqual(read["velocities"][:2], ((11, NODES, 3), "<f8"))
        self.assertEqual(read["times"][:2], ((11,), "<f8"))
        self.assertEqual(read["tets"][:2], ((TETS, 4), "<i4"))
        self.assertEqual(read["triangles"][:2], ((SURFACE, 3), "<i4"))
        self.assertAlmostEqual(read["times"][2][-1], 0.1)
        # Node 0 of the box is its lowest corner: -size/2 + translate.
        for found, expected in zip(read["positions"][2][:3], (-0.2, -0.05 + 0.06, -0.05)):
            self.assertAlmostEqual(found, expected, places=12)
        self.assertEqual(min(read["tets"][2]), 0)
        self.assertEqual(max(read["tets"][2]), NODES - 1)
        # The centre of mass in the diagnostics is that of the last frame (equal cells: corners weigh less).
        header, rows = read_diagnostics(self.folder / "out")
        last = read["positions"][2][-3 * NODES:]
        mean = sum(last[1::3]) / NODES
        self.assertAlmostEqual(mean, float(rows[-1][header.index("cy")]), delta=0.02)

    def test_export_surfaces(self):
        self.run_scene(self.write_scene(), "out", "--steps", "4")
        for name in ("obj", "ply"):
            done = self.vela("export", "out", "--format", name)
            self.assertEqual(done.stdout.strip(), f"out/{name}")
            files = sorted((self.folder / f"out/{name}").glob(f"*.{name}"))
            self.assertEqual(len(files), 3, name)
        lines = files_lines = sorted((self.folder / "out/obj").glob("*.obj"))[0].read_text(encoding="utf-8").splitlines()
        self.assertEqual(sum(line.startswith("f ") for line in lines), SURFACE, files_lines[:3])
        self.assertTrue(sorted((self.folder / "out/ply").glob("*.ply"))[0].read_bytes().startswith(b"ply\n"))

    def test_export_not_in_this_version(self):
        self.run_scene(self.write_scene(), "out", "--steps", "1")
        for name in ("vtu", "pc2", "usda"):
            self.assert_message(self.vela("export", "out", "--format", name, expect=2), name, "not in this version")

    def test_plot(self):
        self.run_scene(self.write_scene(), "a")
        self.run_scene(self.write_scene(gravity=[0, 0, 0]), "b")
        self.vela("plot", "a")
        self.vela("plot", "a", "b", "-o", "both")
        for name in ("a/energy.png", "a/momentum.png", "both/energy.png", "both/momentum.png"):
            width, height = png_size(self.folder / name)
            self.assertGreater(min(width, height), 300)
        self.assertNotEqual((self.folder / "a/energy.png").read_bytes(), (self.folder / "both/energy.png").read_bytes())
        self.assertFalse((self.folder / "both/columns.png").exists())

    def test_plot_of_a_truncated_file(self):
        self.run_scene(self.write_scene(), "a")
        table = self.folder / "a/diagnostics.csv"
        text = table.read_bytes()
        table.write_bytes(text[:-9])  # within the last row, which has its fields but the end of one
        self.assert_message(self.vela("plot", "a"), "a/diagnostics.csv: line 22", "cut off", "step 19")
        table.write_bytes(b"".join(text.splitlines(keepends=True)[:-5]))
        self.assert_message(self.vela("plot", "a"), "a/diagnostics.csv", "step 15", "20")

    def test_plot_ledger(self):
        self.run_scene(self.write_scene(), "a")
        done = self.vela("plot", "a", "--ledger", "-o", "stacked")
        self.assertEqual(done.stdout, "stacked/energy.png, stacked/momentum.png, stacked/ledger.png\n")
        self.assertEqual(sorted(path.name for path in (self.folder / "stacked").iterdir()),
                         ["energy.png", "ledger.png", "momentum.png"])
        table = self.folder / "a/diagnostics.csv"
        table.write_text(table.read_text().replace("lost_in_time", "lost_in_space"))
        self.assert_message(self.vela("plot", "a", "--ledger", "-o", "older", expect=2), "a/diagnostics.csv", "lost_in_time")
        self.assertFalse((self.folder / "older").exists())

    def test_plot_spline(self):
        scene = self.write_scene()
        self.assert_message(self.vela("plot", "--spline", scene, "-o", "none", expect=2), "scene.json", "materials", '"spline"')
        self.assertFalse((self.folder / "none").exists())
        name = next(iter(json.loads(scene.read_text())["materials"]))
        damped = f'materials.{name}.damping=[{{"type": "spline", "time": 0.01, "points": [[0.8, 3], [1, 0], [1.2, 1]]}}]'
        done = self.vela("plot", "--spline", scene, "--set", damped, "-o", "splines")
        self.assertEqual(done.stdout, "splines/spline.png\n")
        self.assertEqual([path.name for path in (self.folder / "splines").iterdir()], ["spline.png"])
        self.assertRegex(self.vela("plot", "--spline", scene, "--set", damped).stdout, r"^out/\w+_plot/spline.png\n$")
        self.run_scene(scene, "a")
        self.vela("plot", "a", "--spline", scene, "--set", damped)
        self.assertTrue((self.folder / "a/spline.png").exists() and (self.folder / "a/energy.png").exists())
        self.assert_message(self.vela("plot", expect=2), "DIR is missing")
        self.assert_message(self.vela("plot", "--spline", scene, "--ledger", expect=2), "DIR is missing")
        self.assert_message(self.vela("plot", "a", "--set", damped, expect=2), "--spline", "missing")

    def test_plot_columns(self):
        self.run_scene(self.write_scene(), "a")
        self.assert_message(self.vela("plot", "a", "--columns", "total,angular_momentun", "-o", "wrong", expect=2),
                            "a/diagnostics.csv", '"angular_momentun"', 'did you mean "angular_momentum"?', "kinetic", "turns")
        self.assertFalse((self.folder / "wrong").exists())
        done = self.vela("plot", "a", "--columns", "total,angular_momentum,turns", "-o", "chosen")
        self.assertIn("chosen/columns.png", done.stdout)
        self.assertEqual(sorted(path.name for path in (self.folder / "chosen").iterdir()),
                         ["columns.png", "energy.png", "momentum.png"])

    def test_render(self):
        if not has_vulkan():
            self.skipTest("no Vulkan driver that renders")
        self.run_scene(self.write_scene(), "out")
        self.vela("render", "out", "--frames", "1:3", "--size", "80x60", "-o", "pictures")
        images = sorted((self.folder / "pictures").iterdir())
        self.assertEqual([path.name for path in images], ["000001.png", "000002.png", "000003.png"])
        self.assertEqual(png_size(images[0]), (80, 60))
        self.vela("render", "out", "--frames", "1", "--size", "80x60", "--camera", "1,1,1,0,0,0,30", "-o", "other")
        self.assertNotEqual((self.folder / "other/000001.png").read_bytes(), images[0].read_bytes())
        self.vela("render", "out", "--frames", "99:", expect=2)

    def test_render_with_changes(self):
        if not has_vulkan():
            self.skipTest("no Vulkan driver that renders")
        self.run_scene(self.write_scene(), "out")

        def draw(*changes):
            sets = [word for change in changes for word in ("--set", change)]
            self.vela("render", "out", "--frames", "3", "-o", "drawn", *sets)
            return (self.folder / "drawn/000003.png").read_bytes()

        plain, recorded = draw(), (self.folder / "out/scene.json").read_bytes()
        self.assertTrue(draw() == plain)
        for change in ("bodies.0.look.color=[0,0,1]", "obstacles.0.look.color=[0,0,1]", "render.color_by=speed",
                       'render.camera={"eye":[1,1,1],"target":[0,0,0]}', "bodies.0.look={\"color\": [1, 1, 0]}"):
            self.assertTrue(draw(change) != plain, change)
        draw("render.size=[96,64]")
        self.assertEqual(png_size(self.folder / "drawn/000003.png"), (96, 64))
        self.vela("render", "out", "--frames", "3", "--size", "80x60", "--set", "render.size=[96,64]", "-o", "drawn")
        self.assertEqual(png_size(self.folder / "drawn/000003.png"), (80, 60))
        for change in ("contact.stiffness=9", "bodies.0.translate=[0,9,0]", "bodies.0={}", "bodies.look.color=1", "renders.size=1",
                       "render", "bodies.0.looks=1", "time.step=1"):
            done = self.vela("render", "out", "--frames", "3", "-o", "wrong", "--set", change, expect=2)
            self.assert_message(done, "--set " + change)
        for change in ("render.sice=[96,64]", "bodies.0.look.colour=[1,0,0]", "render.color_by=mood", "bodies.7.look.color=[1,0,0]"):
            self.assert_message(self.vela("render", "out", "-o", "wrong", "--set", change, expect=2), change.split("=")[0].split(".")[-1])
        self.assertFalse((self.folder / "wrong").exists())
        self.assertEqual((self.folder / "out/scene.json").read_bytes(), recorded)

    def test_constraints_in_exports_and_images(self):
        rope = {"name": "rope", "type": "cable", "radius": 0.01, "material": "rubber",
                "geometry": {"cable": {"from": [0, 0.2, 0], "to": [0, 0.4, 0], "segments": 2}}}
        bar = {**vela_program.tiny_scene()["bodies"][0], "type": "affine", "velocity": [0, 0, 0], "angular_velocity": [0, 0, 0]}
        held = [{"type": "attach", "between": [{"body": "rope", "node": 2}, {"point": [0, 0.4, 0]}]},
                {"type": "distance", "between": [{"body": "rope", "node": 0}, {"body": "bar", "nearest": [0, 0.11, 0]}]}]
        self.run_scene(self.write_scene(bodies=[bar, rope], constraints=held, obstacles=[]), "out")
        self.vela("export", "out", "--format", "npy", "-o", "arrays")
        shape, kind, values = read_npy(self.folder / "arrays/multipliers.npy")
        self.assertEqual((shape, kind), ((11, 10), "<f8"))  # 3 of the attachment, a distance, the bar's 6
        self.assertEqual(values[:10], (0,) * 10)
        self.assertTrue(all(values[10 * frame + 3] < 0 for frame in range(1, 11)))  # it pulls the bar up
        if not has_vulkan():
            self.skipTest("no Vulkan driver that renders")
        drawn = []
        for change in ("render.color_by=body", "render.joints=true", "render.color_by=tension"):
            self.vela("render", "out", "--frames", "10", "--size", "160x120", "-o", "drawn", "--set", change)
            drawn.append((self.folder / "drawn/000010.png").read_bytes())
        self.assertEqual(len(set(drawn)), 3)

    def test_compare_cpu_with_itself(self):
        scene = self.write_scene()
        for mode in ("lockstep", "free"):
            done = self.vela("compare", scene, "--a", "cpu", "--b", "cpu", "--mode", mode, "--steps", "5", "-o", "cmp")
            report = json.loads((self.folder / "cmp/compare.json").read_text(encoding="utf-8"))
            self.assertIsInstance(report, dict)
            with open(self.folder / "cmp/compare.csv", encoding="utf-8", newline="") as file:
                rows = list(csv.reader(file))
            self.assertEqual(len(rows), 6)
            self.assertIn("within", done.stdout)
            self.assertEqual(rows[0], ["step", "time", "deviation", "node", "velocity_deviation", "momentum_deviation",
                                       "angular_momentum_deviation", "energy_deviation", "iterations_a", "iterations_b"])
            for name in ("", "velocity_", "momentum_", "angular_momentum_", "energy_"):
                self.assertEqual(report[name + "deviation"], 0)
            self.assertEqual((report["tolerance"], report["energy_tolerance"], report["within"]), (1e-9, 1e-8, True))
        done = self.vela("compare", scene, "--a", "cpu", "--b", "cpu", "--precision", "f32", "-o", "cmp", expect=2)
        self.assert_message(done, "f32", "Vulkan")

    def test_compare_with_vulkan(self):
        if "simulates      yes" not in self.vela("devices").stdout:
            self.skipTest("no Vulkan device that simulates")
        scene = self.write_scene()
        self.vela("compare", scene, "--steps", "4", "-o", "cmp")
        done = self.vela("compare", scene, "--steps", "4", "--mode", "free", "--tolerance", "0", "-o", "cmp", expect=1)
        self.assertIn("BEYOND", done.stdout)


if __name__ == "__main__":
    vela_program.main()
