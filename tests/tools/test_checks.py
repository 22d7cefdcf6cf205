#!/usr/bin/env python3
"""Plants violations in a copy of the project and expects the checkers of tools/ to find them, and nothing else."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COPIED = ("docs/theory.md", "include", "src", "shaders", "tools", "tests", "bench", ".ci", ".clang-format")
# Written in two halves where the whole would be found in this very file.
MARK = "TO" + "DO"


class Copy(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, self.root / name)
            elif source.exists():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, self.root / name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_checker(self, checker):
        done = subprocess.run([sys.executable, self.root / "tools" / checker, "--root", self.root],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        lines = done.stdout.splitlines()
        self.assertEqual(done.returncode, 1 if lines else 0)
        return lines

    def expect(self, checker, plants):
        """`plants`: {file: (text, what the checker must say of that file; None: nothing)}."""
        before = self.run_checker(checker)
        for name, (text, _) in plants.items():
            self.write(name, text)
        new = [line for line in self.run_checker(checker) if line not in before]
        for name, (_, message) in plants.items():
            about = [line for line in new if line.startswith(name + ":")]
            if message is None:
                self.assertEqual(about, [], name)
            else:
                self.assertTrue(any(message in line for line in about), f"{name}: {message!r} not in {new}")
        strangers = [line for line in new if line.split(":")[0] not in plants]
        self.assertEqual(strangers, [])


class Includes(Copy):
    def test_circles(self):
        """A file and its header are one module: a.c -> b.h and b.c -> a.h is a circle although no header includes another."""
        self.expect("check_includes.py", {
            "src/mesh/planted_a.h": ("int planted_a;\n", None),
            "src/mesh/planted_a.c": ('#include "mesh/planted_b.h"\n',
                                     "modules include each other: mesh/planted_a -> mesh/planted_b -> mesh/planted_a"),
            "src/mesh/planted_b.h": ("int planted_b;\n", None),
            "src/mesh/planted_b.c": ('#include "mesh/planted_a.h"\n', None),
        })

    def test_law(self):
        self.expect("check_includes.py", {
            "src/geometry/planted.h": ('#include "mesh/mesh.h"\n', '"mesh/mesh.h" in geometry'),
            "src/mesh/planted.c": ('#include "base/arena.h"\n#include <math.h>\n', None),
            "src/physics/planted.h": ('#include "geometry/planted.h"\n', None),
            "src/abi/planted.h": ('#include "base/arena.h"\n', '"base/arena.h" in abi'),
            "src/scene/planted.c": ("#include <vulkan/vulkan.h>\n", "only gpu, device/vulkan, render"),
            "src/gpu/planted.h": ("#include <vulkan/vulkan.h>\n", None),
            "src/device/vulkan/planted.h": ('#include <vulkan/vulkan.h>\n#include "gpu/planted.h"\n', None),
            "src/device/vulkan/planted.c": ('#include "device/cpu/planted.h"\n', '"device/cpu/planted.h" in device/vulkan'),
            "src/device/cpu/planted.h": ("#include <math.h>\n", None),
            "src/device/planted.c": ('#include "device/cpu/planted.h"\n', None),
            "src/device/planted.h": ('#include "device/cpu/planted.h"\n', "in a header of device"),
            "src/solver/planted.c": ('#include "device/cpu/planted.h"\n', '"device/cpu/planted.h" in solver'),
            "src/integrator/planted.c": ('#include "scene/scene.h"\n', '"scene/scene.h" in integrator'),
            "src/render/planted.c": ('#include "device/planted.h"\n', '"device/planted.h" in render'),
            "src/output/planted.c": ('#include "integrator/planted.h"\n', '"integrator/planted.h" in output'),
            "src/sim/planted.c": ('#include "output/frame.h"\n', '"output/frame.h" in sim'),
            "src/cli/planted.c": ('#include "vela/context.h"\n#include "base/context.h"\n', "public headers only"),
            "src/attic/planted.c": ("#include <math.h>\n", "src/attic is not in the table"),
            "src/model/planted.c": ('#include "nowhere/planted.h"\n', "names no folder"),
            "include/vela/planted.h": ('#include "base/arena.h"\n', "in a public header"),
            "shaders/common/planted.glsl": ('#include "compute/planted.comp"\n', "in shaders/common"),
        })

    def test_vulkan_through_another_header(self):
        self.expect("check_includes.py", {
            "src/gpu/planted.h": ("#include <vulkan/vulkan.h>\n", None),
            "src/api/planted.c": ('#include "gpu/planted.h"\n', None),
            "src/sim/planted.c": ('#include "gpu/planted.h"\n', "sees Vulkan through gpu/planted.h"),
        })


class Twins(Copy):
    C = "static inline double {0}_energy(double x)\n{{\n    return x;\n}}\n"
    GLSL = "float {0}_energy(float x)\n{{\n    return x;\n}}\n"

    def test_pairs_in_other_places(self):
        name = "src/device/cpu/admm/anderson.c"
        text = (self.root / name).read_text(encoding="utf-8")
        self.expect("check_twins.py", {name: (text.replace("solve_weights", "weights_of"), "solve_weights is missing")})

    def test_missing_and_order(self):
        def pair(order):
            return "".join(self.C.format(n) for n in order), "".join(self.GLSL.format(n) for n in order)
        good_c, good_glsl = pair("ab")
        self.expect("check_twins.py", {
            "src/physics/planted/good.h": (good_c, None),
            "shaders/common/physics/planted/good.glsl": ("#ifndef A\n" + good_glsl + "#endif\n", None),
            "src/physics/planted/lonely.h": (good_c, "expected a twin shaders/common/physics/planted/lonely.glsl"),
            "shaders/common/geometry/planted.glsl": (good_glsl, "expected a twin src/geometry/planted.h"),
            "src/physics/planted/more.h": (pair("abc")[0], "c_energy is missing in shaders"),
            "shaders/common/physics/planted/more.glsl": (pair("abd")[1], "d_energy is missing in src"),
            "src/physics/planted/order.h": (pair("ab")[0], None),
            "src/physics/planted/packs.h": (pair(("a", "b"))[0].replace("_energy", "_energy_pack") + pair("a")[0], None),
            "shaders/common/physics/planted/packs.glsl": (pair("ab")[1], None),
            "shaders/common/physics/planted/order.glsl": (pair("ba")[1], "order differs"),
        })

    def test_allow_list(self):
        self.expect("check_twins.py", {
            "src/physics/planted.h": (self.C.format("a"), None),
            "src/physics/planted2.h": (self.C.format("a"), None),
            "shaders/common/physics/planted2.glsl": (self.GLSL.format("a") + self.GLSL.format("b"), None),
            "tools/twins_allowed.txt": (
                (ROOT / "tools/twins_allowed.txt").read_text(encoding="utf-8") +
                "physics/planted * only the CPU needs it\nphysics/planted2 b_energy a helper\nphysics/gone * no reason left\n",
                "physics/gone * allows nothing"),
        })


class Text(Copy):
    def test_words_lengths_and_calls(self):
        self.expect("check_text.py", {
            "src/mesh/planted.c": (f"// {MARK} later\n", MARK),
            "src/mesh/long.c": ("int x;\n" * 801, "801 lines"),
            "src/mesh/full.c": ("int x;\n" * 800, None),
            "src/mesh/memory.c": ("void *p = malloc(3);\n", "malloc() outside src/base"),
            "src/mesh/members.c": ("context_free(c, p); // free(p)\nfactor->free(p);\narena_free(1);\n", None),
            "src/base/planted.c": ("void *p = malloc(3);\n", None),
            "src/sim/print.c": ('fprintf(stderr, "x");\n', "prints nothing"),
            "src/sim/write.c": ('fprintf(writer.file, "printf(%d)", 1);\n', None),
            "src/sim/end.c": ("exit(1);\n", "never ends the program"),
            "src/sim/sure.c": ("assert(x > 0);\n", "assert ends the host program"),
            "src/sim/static.c": ('_Static_assert(sizeof(int) == 4, "size");\n', None),
            "src/sim/time.c": ("timespec_get(&time, TIME_UTC);\n", "a clock that can go back"),
            "src/sim/hour.c": ("clock_gettime(CLOCK_REALTIME, &time);\n", "a clock that can go back"),
            "src/sim/steady.c": ("clock_gettime(CLOCK_MONOTONIC, &time);\n", None),
            "src/cli/planted.c": ('printf("x");\n', None),
            "src/sim/many.c": ("#pragma omp parallel for\n", "without num_threads"),
            "src/sim/some.c": ("#pragma omp parallel for num_threads(2)\n", None),
            "src/sim/tab.c": ("\tint x;\n", "a tab"),
            "src/sim/blank.c": ("int x; \n", "white space"),
            "docs/planted.md": ("no end", "no newline"),
            "src/sim/cited.c": ("// theory.md section 5, theory.md sections 2, 3 and 11\n", None),
            # In two halves: this file is looked at as well.
            "src/sim/astray.c": ("// theory.md " + "sections 2 and 77\n", "no section 77"),
        })


class Whole(Copy):
    def test_one_command_reports_every_check(self):
        self.write("src/mesh/planted.c", f"int   x ; // {MARK}\n" + '#include "cli/options.h"\n')
        self.write("src/physics/planted.h", Twins.C.format("a"))
        self.write("include/vela/planted.h", "VelaResult vela_planted(void);\n")
        self.write("tools/planted.sh", "#!/usr/bin/env bash\necho $1\n")
        done = subprocess.run([self.root / "tools/check", "--no-build"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stdout)
        checks = ["includes", "twins", "text", "public headers"]
        if shutil.which("shellcheck"):
            checks.append("scripts")
        if shutil.which("clang-format-14"):
            checks.append("format")
        for name in checks:
            self.assertIn(f"check: {name}: FAILED", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
