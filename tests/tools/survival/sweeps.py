"""What the tests of this folder and of ../cluster do with vgsim sweep."""

import json
import pathlib
import subprocess
import time

STORE = "sweep.jsonl"
HANG = 600  # seconds: nothing here takes so long, on any machine


def wait_until(what, question, pause=0.001):
    """Waits until the answer is true, and returns it."""
    end = time.monotonic() + HANG
    while not (answer := question()):
        assert time.monotonic() < end, f"waited {HANG} s for {what}"
        time.sleep(pause)
    return answer


def lines_of(store):
    return store.read_bytes().count(b"\n") if store.exists() else 0


class Sweeps:
    """One sweep, with as many points as asked for, and the store that an undisturbed run gives."""

    def __init__(self, program, spec, points, folder):
        self.program = pathlib.Path(program).resolve()
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.spec = self._with_points(pathlib.Path(spec).resolve(), points)
        done = self.run(self.folder / "undisturbed")
        assert done.returncode == 0, f"the sweep ends with {done.returncode}: {done.stderr}"
        self.undisturbed = (self.folder / "undisturbed" / STORE).read_bytes()

    def command(self, out, *options):
        return [str(self.program), "sweep", str(self.spec), "--output", str(out), *options]

    def run(self, out, *options, **how):
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **how}
        return subprocess.run(self.command(out, *options), timeout=HANG, **how)

    def start(self, out, *options):
        return subprocess.Popen(
            self.command(out, *options),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

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


class DoneTooSoon(Exception):
    """A sweep had ended before it could be disturbed."""


def in_time(disturb, program, spec, folder, points=400):
    """Calls disturb(sweeps) with sweeps that are longer each time, until one is disturbed in time."""
    while True:
        try:
            return disturb(Sweeps(program, spec, points, folder / f"{points}-points"))
        except DoneTooSoon:
            points *= 2
