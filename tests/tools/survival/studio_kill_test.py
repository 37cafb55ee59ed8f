#!/usr/bin/python3
"""kill -9 of `vgsim studio --save` as soon as it has answered a change: what it answered is in the
file, which is whole. So it is whatever is asked for meanwhile.

usage: studio_kill_test.py PROGRAM [--kills 40] [--seed 1]
"""

import sys

sys.dont_write_bytecode = True

import argparse
import json
import pathlib
import random
import signal
import tempfile
import threading

sys.path[:0] = [str(folder) for folder in (pathlib.Path(__file__).resolve().parents[1] / "studio",
                                           pathlib.Path(__file__).resolve().parents[1])]
from failures import Failures  # noqa: E402
from studio_process import Studio  # noqa: E402

SCENARIO = {
    "name": "killed",
    "hosts": {"h[1-2]": {"server": "generic-1gpu", "nics": {"n": {"nic": "connectx-4-lx-25g"}}}},
    "job": {"network": "resnet-50", "batch_per_gpu": 1, "samples_per_epoch": 100000},
}


def batch_in(file):
    """The batch of the current layout, or of the scenario itself."""
    saved = json.loads(file.read_text())
    layouts = saved.get("layouts", {})
    changed = [layout["job"]["batch_per_gpu"] for layout in layouts.values()
               if "batch_per_gpu" in layout.get("job", {})]
    return changed[-1] if changed else saved["job"]["batch_per_gpu"]


def ask_without_end(studio, stop):
    """Further requests of a page, to keep the service busy."""
    while not stop.is_set():
        try:
            studio.ask("state")
        except OSError:
            return


def kill_after_an_answer(program, scenario, file, batch, failures):
    file.unlink(missing_ok=True)
    with Studio(program, str(scenario), "--save", str(file)) as studio:
        stop = threading.Event()
        asking = threading.Thread(target=ask_without_end, args=(studio, stop), daemon=True)
        asking.start()
        change = {"set": [{"pointer": "/job/batch_per_gpu", "value": batch}]}
        status, state = studio.ask("change", change)
        studio.process.send_signal(signal.SIGKILL)
        stop.set()
        studio.process.communicate()
        asking.join()
        answered = status == 200 and state["outcome"] == "answered"
        failures.expect(answered, f"the change to {batch} is not answered: {status}, {state}")
    failures.expect(file.exists(), f"batch {batch}: nothing is saved")
    if file.exists():
        failures.expect(batch_in(file) == batch, f"batch {batch}: the file has {batch_in(file)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    failures = Failures()
    draw = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="vgsim-studio-kill-") as name:
        folder = pathlib.Path(name)
        scenario = folder / "scenario.json"
        scenario.write_text(json.dumps(SCENARIO))
        for _ in range(arguments.kills):
            kill_after_an_answer(arguments.program, scenario, folder / "changed.json",
                                 draw.randrange(2, 64), failures)
        left = {each.name for each in folder.iterdir()} - {"scenario.json", "changed.json"}
        failures.expect(not left, f"left behind: {left}")
    print(f"{arguments.kills} kills after an answer: every change is in the file")
    return 1 if failures.count else 0


if __name__ == "__main__":
    sys.exit(main())
