"""Run folders that have lost or changed files: what can still be used is used, the rest is refused with a message."""
import json
import os
import shutil
import signal
import subprocess
import unittest

import vela_program
from vela_program import PROGRAM, ProgramTest, has_vulkan


class DamagedFolders(ProgramTest):
    def make_run(self, **changes):
        """A run of 20 steps and 11 frames in out."""
        scene = self.write_scene(**changes)
        self.run_scene(scene, "out")
        return scene

    def files(self):
        return {str(path): path.read_bytes() for path in (self.folder / "out").rglob("*") if path.is_file()}

    def expect_refusal(self, scene, *parts, expect=2):
        """--resume says what is missing and touches nothing."""
        before = self.files()
        self.assert_message(self.run_scene(scene, "out", "--resume", "--steps", "24", expect=expect), *parts)
        self.assertEqual(self.files(), before)

    def test_resume_without_a_frame(self):
        scene = self.make_run()
        (self.folder / "out/states/000004.vst").unlink()
        self.expect_refusal(scene, "000004.vst", "missing")
        shutil.rmtree(self.folder / "out/states")
        self.expect_refusal(scene, "000000.vst", "missing")
        self.run_scene(scene, "out")

    def test_resume_without_diagnostics(self):
        scene = self.make_run()
        (self.folder / "out/diagnostics.csv").unlink()
        self.expect_refusal(scene, "diagnostics.csv", expect=1)

    def test_resume_of_a_changed_mesh(self):
        mesh = ("MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 {} 0\n"
                "Tetrahedra\n1\n1 2 3 4 0\nEnd\n")
        (self.folder / "tet.mesh").write_text(mesh.format(1), encoding="utf-8")
        scene = self.make_run(bodies=[{"geometry": {"mesh": "tet.mesh"}, "material": "rubber"}])
        (self.folder / "tet.mesh").write_text(mesh.format(2), encoding="utf-8")
        self.expect_refusal(scene, "checkpoint.vck", "mesh has changed")
        (self.folder / "tet.mesh").unlink()
        self.expect_refusal(scene, "tet.mesh")
        self.vela("export", "out", "--format", "obj")
        if has_vulkan():
            self.vela("render", "out")
            self.assertEqual(len(list((self.folder / "out/images").glob("*.png"))), 11)

    def test_pipes_where_files_were(self):
        scene = self.make_run()
        for name in ("states/000002.vst", "diagnostics.csv", "checkpoint.vck", "run.json"):
            path = self.folder / "out" / name
            path.unlink()
            os.mkfifo(path)
            verb = ("plot", "out") if name == "diagnostics.csv" else ("export", "out", "--format", "ply")
            with self.subTest(name=name):
                if name == "checkpoint.vck":
                    verb = ("run", scene, "-o", "out", "--device", "cpu", "--resume")
                self.assert_message(self.vela(*verb, expect=2), name, "not a regular file")

    def test_frames_with_a_gap(self):
        self.make_run()
        (self.folder / "out/states/000003.vst").unlink()
        done = self.vela("export", "out", "--format", "obj", "-o", "obj")
        self.assert_message(done, "000003.vst is missing", "11 frames")
        self.assertEqual(len(list((self.folder / "obj").glob("*.obj"))), 3)

    def test_records_of_other_programs(self):
        self.make_run()
        record = self.folder / "out/run.json"
        good = json.loads(record.read_text(encoding="utf-8"))
        for text in ("", "[]", "{}", json.dumps({**good, "program": "other"}), json.dumps({**good, "frames_done": "x"})):
            record.write_text(text, encoding="utf-8")
            for verb in (("export", "out", "--format", "ply"), ("plot", "out"), ("render", "out")):
                with self.subTest(text=text[:40], verb=verb):
                    self.assert_message(self.vela(*verb, expect=2), "run.json")

    def test_two_runs_in_one_folder(self):
        scene = self.write_scene(time={"step": "1/500", "duration": 2, "frame_every": 20})
        with subprocess.Popen([PROGRAM, "run", str(scene), "-o", "out", "--device", "cpu", "--json"], cwd=self.folder,
                              stdout=subprocess.PIPE, text=True) as first:
            for line in first.stdout:
                if json.loads(line)["event"] == "step":
                    break
            for arguments in ((), ("--resume",)):
                self.assert_message(self.run_scene(scene, "out", *arguments, expect=2), "out", "another run")
            first.send_signal(signal.SIGINT)
            first.communicate(timeout=vela_program.TIMEOUT)
        self.run_scene(scene, "whole")
        self.run_scene(scene, "out", "--resume")
        self.assert_same_run("whole", "out")

    def test_images_folder_removed_during_the_run(self):
        if not has_vulkan():
            self.skipTest("no Vulkan driver that renders")
        scene = self.write_scene(output={"images": "png", "checkpoint_every": 3})
        with subprocess.Popen([PROGRAM, "run", str(scene), "-o", "out", "--device", "cpu", "--json"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            for line in run.stdout:
                if json.loads(line)["event"] == "step":
                    (self.folder / "out/images").rename(self.folder / "elsewhere")
                    break
            errors = run.communicate(timeout=vela_program.TIMEOUT)[1]
        self.assertEqual(run.returncode, 1, errors)
        self.assertIn("cannot be written", errors)
        self.assertIn("are safe there", errors)
        self.run_scene(scene, "out", "--resume")
        self.assertEqual(len(list((self.folder / "out/images").glob("*.png"))), 11)

    def test_names(self):
        """Spaces, letters of other scripts, and names that are too long."""
        folder = self.folder / "söme where/日本"
        folder.mkdir(parents=True)
        scene = self.write_scene("söme where/日本/a scène.json")
        self.run_scene(scene, "out püt/ß", "--steps", "2")
        self.vela("export", "out püt/ß", "--format", "npy")
        for length in (300, 1500, 6000):
            with self.subTest(length=length):
                self.assert_message(self.run_scene(scene, "x" * length, expect=2), "-o")
                self.vela("check", "x" * length, expect=2)

    def test_output_where_a_file_is(self):
        scene = self.make_run()
        for arguments in (("run", scene, "--device", "cpu"), ("compare", scene, "--b", "cpu", "--steps", "1"),
                          ("export", "out", "--format", "obj"), ("plot", "out"), ("render", "out")):
            for output in ("scene.json", "scene.json/inside"):
                with self.subTest(arguments=arguments, output=output):
                    self.assert_message(self.vela(*arguments, "-o", output, expect=2), "scene.json")


if __name__ == "__main__":
    vela_program.main()
