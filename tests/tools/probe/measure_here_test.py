"""tools/probe/measure-here: figures above a datasheet are refused, and nothing is left behind.

usage: measure_here_test.py VGSIM ROOT FAKES
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def measurement(gpu, results):
    return {"format": "vgsim.measurement/1", "name": "lab", "machine": {"gpus": [{"name": gpu}]},
            "results": [dict(result, time={"median": time}) for result, time in results]}


def held(root, folder, gpu, results):
    """Exit status and text of datasheet.py for such figures."""
    path = folder / "measurement.json"
    path.write_text(json.dumps(measurement(gpu, results)))
    done = subprocess.run(
        [sys.executable, "-B", root / "tools/probe/datasheet.py",
         root / "configs/catalog/gpus.json", path], capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def check_datasheet(root, folder):
    # H100 SXM: 989.4 TFLOP/s in bf16, 3350 GB/s, PCIe Gen5 x16 63 GB/s.
    product = {"what": "product", "gpu": 0, "precision": "bf16", "m": 8192, "n": 8192, "k": 8192}
    memory = {"what": "memory", "gpu": 0, "size": "1 GB"}
    copy = {"what": "copy", "routes": [["pinned", "gpu0"]], "size": "1 GB"}
    status, text = held(root, folder, "NVIDIA H100 80GB HBM3",
                        [(product, "1.4 ms"), (memory, "700 us"), (copy, "18 ms")])
    assert status == 0 and "ABOVE" not in text, text
    for fast in ((product, "1.05 ms"), (memory, "580 us"), (copy, "15 ms")):
        status, text = held(root, folder, "NVIDIA H100 80GB HBM3", [fast])
        assert status == 1 and "ABOVE" in text, text
    # 16 MiB there and back fit into the cache of 50 MB: measured at 4.5 TB/s on an H100.
    cached = {"what": "memory", "gpu": 0, "size": "16 MiB"}
    status, text = held(root, folder, "NVIDIA H100 80GB HBM3", [(cached, "7.49 us")])
    assert status == 0 and "ABOVE" not in text, text
    status, text = held(root, folder, "NVIDIA Fake 9000", [(product, "1 us")])
    assert status == 0 and "no datasheet" in text, text


def check_script(vgsim, root, folder, fakes):
    """On fake GPUs, without a topology of NCCL: measured, refused, stored in the given folder."""
    for part in ("tools/probe/measure-here", "tools/probe/datasheet.py",
                 "configs/catalog/gpus.json"):
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / part, folder / part)
    surroundings = dict(os.environ, VGSIM=vgsim, VGSIM_CONFIGS=str(root / "configs"),
                        LD_LIBRARY_PATH=fakes)
    done = subprocess.run([folder / "tools/probe/measure-here", "--quick", "lab"], cwd=folder,
                          env=surroundings, capture_output=True, text=True, check=False)
    can_measure = pathlib.Path(fakes).exists()  # which takes the CUDA toolkit at build time
    assert done.returncode == (1 if can_measure else 2), done.stdout + done.stderr
    assert not (folder / "tests/cases/probe").exists()
    if can_measure:
        kept = json.loads((folder / "lab-refused.json").read_text())
        assert kept["format"] == "vgsim.measurement/1" and kept["results"]
    wrong = subprocess.run([folder / "tools/probe/measure-here", "../lab"], cwd=folder,
                           env=surroundings, capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and "not a name" in wrong.stderr, wrong.stderr


def main(vgsim, root, fakes):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_datasheet(pathlib.Path(root), folder)
        check_script(vgsim, pathlib.Path(root), folder, fakes)
    print("figures above a datasheet are refused")


if __name__ == "__main__":
    main(*sys.argv[1:])
