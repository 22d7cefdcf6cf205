"""A full disk is a clear error, nothing half-written stands under its final name, and the run can go on afterwards."""
import resource
import shutil
import signal
import subprocess
import unittest

import vela_program
from vela_program import ProgramTest


class DiskFull(ProgramTest):
    def check_failure(self, done, out, whole):
        self.assertTrue(any(reason in done.stderr for reason in ("No space left", "File too large")), done.stderr)
        self.assertIn(str(out.name), done.stderr)
        expected = self.states(whole)
        for path in out.glob("states/*.vst"):
            self.assertEqual(path.read_bytes(), expected[path.name], path.name)

    def test_small_file_system(self):
        """Needs root and the right to mount."""
        mount = self.folder / "small"
        mount.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", str(mount)]
        if not shutil.which("mount") or subprocess.run(command, capture_output=True, check=False).returncode != 0:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(mount)], check=True)
        scene = self.write_scene(time={"step": "1/200", "duration": 0.5})
        self.run_scene(scene, "whole")
        done = self.run_scene(scene, "small/out", expect=1)
        self.check_failure(done, mount / "out", "whole")
        subprocess.run(["mount", "-o", "remount,size=8m", str(mount)], check=True)
        self.run_scene(scene, "small/out", "--resume")
        self.assert_same_run("whole", "small/out")

    def test_files_that_may_not_grow(self):
        """The same by a limit on file sizes, for which no rights are needed: diagnostics.csv hits it first."""
        scene = self.write_scene(time={"step": "1/200", "duration": 0.5, "frame_every": 50})
        self.run_scene(scene, "whole")
        largest = max(path.stat().st_size for path in (self.folder / "whole").rglob("*") if path.is_file()
                      and path.name != "diagnostics.csv")
        if (self.folder / "whole/diagnostics.csv").stat().st_size <= largest:
            self.skipTest("diagnostics.csv is not the largest file")

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

        done = self.run_scene(scene, "out", expect=1, preexec_fn=limit, restore_signals=False)
        self.check_failure(done, self.folder / "out", "whole")
        self.run_scene(scene, "out", "--resume")
        self.assert_same_run("whole", "out")


if __name__ == "__main__":
    vela_program.main()
