#!/usr/bin/env python3
"""Compiles small objects into folders like a build's and expects tools/check_symbols.py to tell who may use whom."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Symbols(unittest.TestCase):
    def setUp(self):
        if not shutil.which("cc") or not shutil.which("nm"):
            self.skipTest("no compiler")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)

    def compile(self, source, text, target="vela_library"):
        place = self.build / "CMakeFiles" / f"{target}.dir" / "src" / f"{source}.c.o"
        place.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cc", "-x", "c", "-c", "-o", place, "-"], input=text, text=True, check=True)

    def check(self):
        done = subprocess.run([sys.executable, ROOT / "tools" / "check_symbols.py", self.build], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.stderr, "")
        lines = done.stdout.splitlines()
        self.assertEqual(done.returncode, 1 if lines else 0)
        return lines

    def test_what_may_be_used(self):
        self.compile("base/a", "void base_a(void) {}")
        self.compile("model/b", "void base_a(void); void model_b(void) { base_a(); }")
        self.compile("solver/c", "void model_b(void); void exit(int); void solver_c(void) { model_b(); exit(1); }")
        self.assertEqual(self.check(), [])

    def test_a_declaration_of_ones_own(self):
        """No include, and yet an arrow upwards."""
        self.compile("model/a", "void sim_b(void); void model_a(void) { sim_b(); }")
        self.compile("sim/b", "void sim_b(void) {}")
        self.assertEqual(self.check(), ["src/model/a.c: uses sim_b of src/sim/b.c, which model may not include"])

    def test_data_and_devices(self):
        self.compile("device/vulkan/a", "extern int cpu_count; int vulkan_count(void) { return cpu_count; }", "vela_gpu")
        self.compile("device/cpu/b", "int cpu_count = 3;")
        self.assertEqual(self.check(), ["src/device/vulkan/a.c: uses cpu_count of src/device/cpu/b.c, which device/vulkan may "
                                        "not include"])

    def test_what_is_static_is_nobody_elses(self):
        self.compile("model/a", "static void helper(void) {} void model_a(void) { helper(); }")
        self.compile("sim/b", "void helper(void) {}")
        self.assertEqual(self.check(), [])

    def test_circles(self):
        self.compile("mesh/a", "void mesh_b(void); void mesh_a(void) { mesh_b(); }")
        self.compile("mesh/b", "void mesh_c(void); void mesh_b(void) { mesh_c(); }")
        self.compile("mesh/c", "void mesh_a(void); void mesh_c(void) { mesh_a(); }")
        found = self.check()
        self.assertEqual(len(found), 1)
        self.assertIn("files use each other", found[0])
        for name in "abc":
            self.assertIn(f"mesh/{name}", found[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
