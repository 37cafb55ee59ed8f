#!/usr/bin/env python3
"""Changes a scenario many times at random and looks at the memory of `vgsim studio`, which must not
grow once its history is full. Argument: the program. $VGSIM_STUDIO_CHANGES is
the number of changes (10000 for the figures of a release); prints memory and times, without limits for times."""

import http.client
import json
import os
import pathlib
import random
import statistics
import sys
import time

sys.path[:0] = [str(folder) for folder in pathlib.Path(__file__).resolve().parents[:2]]
from failures import Failures  # noqa: E402
from studio_process import Studio  # noqa: E402

CHANGES = int(os.environ.get("VGSIM_STUDIO_CHANGES", "1800"))
FULL = 1000  # changes after which 500 steps can be undone and as many machines are kept as ever
MOST_GROWTH = 1.1
MEASURED_EVERY = 50
OPENED_EVERY = 25  # changes after which the scenario is opened again, before random ones make it large and slow
SCENARIO = "xe8545-4xa100"


def any_change(draws, controls):
    """One of those that the panel offers; networks take from a millisecond to seconds, and stay."""
    offered = [each for each in controls if "choices" in each or "steps" in each]  # no prices to be typed
    control = draws.choice([each for each in offered if each["id"] not in ("hosts", "/job/network")])
    if "choices" in control:
        choice = draws.choice(control["choices"])
        return {"set": choice.get("set") or [{"pointer": control["pointer"], "value": choice["value"]}]}
    return {"set": [{"pointer": control["pointer"], "value": draws.choice(control["steps"])}]}


def main(program):
    failures = Failures()
    draws = random.Random(3)
    memory, times, refused = [], [], 0
    with Studio(program) as studio:
        connection = http.client.HTTPConnection("127.0.0.1", studio.port)
        headers = {"Content-Type": "application/json"}

        def post(what, body):
            connection.request("POST", f"/{studio.token}/{what}", json.dumps(body), headers)
            return json.loads(connection.getresponse().read())

        for n in range(CHANGES):
            if n % OPENED_EVERY == 0:
                state = post("open", {"shipped": SCENARIO})
            begin = time.monotonic()
            state = post("change", any_change(draws, state["controls"]))
            times.append((time.monotonic() - begin) * 1000)
            refused += state["outcome"] == "refused"
            if n % MEASURED_EVERY == 0:
                memory.append(studio.memory())
            if state["done"] > 0 and draws.random() < 0.1:
                state = post("undo", {})
        memory.append(studio.memory())
        connection.close()
    times.sort()
    filled = [each for n, each in enumerate(memory) if n * MEASURED_EVERY > FULL]
    half = max(len(filled) // 2, 1)
    before, after = statistics.median(filled[:half]), statistics.median(filled[-half:])
    print(f"{CHANGES} changes, {refused} refused: {memory[0] / 1e6:.0f} MB at first, {before / 1e6:.0f} MB with all "
          f"steps, {after / 1e6:.0f} MB later, {max(memory) / 1e6:.0f} MB at most; a change takes "
          f"{statistics.median(times):.0f} ms, 95th percentile {times[int(0.95 * len(times))]:.0f} ms")
    failures.expect(after < MOST_GROWTH * before, f"memory grows from {before} to {after} bytes")
    print("no failures" if failures.count == 0 else f"{failures.count} failures")
    return 1 if failures.count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
