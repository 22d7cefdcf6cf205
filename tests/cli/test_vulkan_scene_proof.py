"""The proof of contact on Vulkan (tests/proof/contact_on_vulkan.py) on one of its scenes, half as long: the whole takes hours."""
import pathlib
import subprocess
import sys
import unittest

import vela_program
from vela_program import PROGRAM, ProgramTest, has_vulkan

PROOF = pathlib.Path(__file__).resolve().parents[1] / "proof" / "contact_on_vulkan.py"


class SceneProof(ProgramTest):
    @unittest.skipUnless(has_vulkan(), "no Vulkan driver")
    def test_stack_of_cubes(self):
        done = subprocess.run([sys.executable, "-B", PROOF, PROGRAM, self.folder, "--only", "stack_of_cubes", "--repeats", "0",
                               "--part", "0.5"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 scenes, 2 runs, 40 steps", done.stdout)


if __name__ == "__main__":
    vela_program.main()
