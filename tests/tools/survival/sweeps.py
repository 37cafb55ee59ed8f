"""What the tests of this folder do with vgsim sweep."""

import json
import pathlib
import subprocess
import time

STORE = "sweep.jsonl"


class Sweeps:
    """One sweep, with as many points as asked for, and the store that an undisturbed run gives."""

    def __init__(self, program, spec, points, folder):
        self.program = pathlib.Path(program).resolve()
        self.folder = pathlib.Path(folder)
        self.spec = self._with_points(pathlib.Path(spec).resolve(), points)
        began = time.monotonic()
        done = self.run(self.folder / "undisturbed")
        assert done.returncode == 0, f"the sweep ends with {done.returncode}: {done.stderr}"
        self.seconds = time.monotonic() - began
        self.undisturbed = (self.folder / "undisturbed" / STORE).read_bytes()
        began = time.monotonic()
        assert self.run(self.folder / "undisturbed", "--resume").returncode == 0
        self.seconds_to_start = time.monotonic() - began

    def command(self, out, *options):
        return [str(self.program), "sweep", str(self.spec), "--out", str(out), *options]

    def run(self, out, *options, **how):
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **how}
        return subprocess.run(self.command(out, *options), timeout=300, **how)

    def start(self, out, *options):
        return subprocess.Popen(
            self.command(out, *options),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def start_and_reach(self, out, lines, *options):
        """Starts a sweep and waits until its store has so many lines."""
        process = self.start(out, *options)
        end = time.monotonic() + 60
        while not self.reached(out, lines):
            assert process.poll() is None, "the sweep ended before it was disturbed"
            assert time.monotonic() < end, f"no {lines} lines within a minute"
            time.sleep(0.001)
        return process

    def reached(self, out, lines):
        store = out / STORE
        return store.exists() and store.read_bytes().count(b"\n") >= lines

    def check_cut_short(self, out, may_be_torn):
        """The folder holds nothing but a store that is the beginning of the undisturbed one."""
        if not out.exists():
            return b""
        assert [each.name for each in out.iterdir()] in ([], [STORE]), list(out.iterdir())
        found = (out / STORE).read_bytes() if (out / STORE).exists() else b""
        whole = found[: found.rfind(b"\n") + 1]
        assert self.undisturbed.startswith(whole), "a whole line is not that of an undisturbed run"
        assert may_be_torn or found == whole, "the last line is torn"
        return whole

    def check_complete(self, out):
        assert [each.name for each in out.iterdir()] == [STORE], list(out.iterdir())
        assert (out / STORE).read_bytes() == self.undisturbed, "the stores differ"

    def check_resumes(self, out):
        done = self.run(out, "--resume")
        assert done.returncode == 0, f"--resume ends with {done.returncode}: {done.stderr}"
        self.check_complete(out)

    def _with_points(self, spec, points):
        document = json.loads(spec.read_text())
        document["scenario"] = str((spec.parent / document["scenario"]).resolve())
        document["random"]["points"] = points
        copy = self.folder / "sweep.json"
        copy.write_text(json.dumps(document))
        return copy
