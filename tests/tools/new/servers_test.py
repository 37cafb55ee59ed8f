#!/usr/bin/python3
"""Servers of the catalogue: what people type finds them, and measured hosts have the measured paths.

usage: servers_test.py PROGRAM
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

TYPED = {
    "r760xa": "dell-r760xa", "xe7740": "dell-xe7740", "XE7745": "dell-xe7745",
    "PowerEdge XE7745": "dell-xe7745", "xe8640": "dell-xe8640", "xe9640": "dell-xe9640",
    "xe9680": "dell-xe9680", "xe9680l": "dell-xe9680l", "xe9780": "dell-xe9780",
    "dl380a gen11": "hpe-dl380a-gen11", "dl380a gen12": "hpe-dl380a-gen12",
    "ProLiant Compute DL380a Gen12": "hpe-dl380a-gen12", "xd670": "hpe-xd670",
    "c240 m7": "cisco-c240-m7", "c240 m8": "cisco-c240-m8", "c845a": "cisco-c845a-m8",
    "c885a": "cisco-c885a-m8", "c880a": "cisco-c880a-m8", "sr680a v3": "lenovo-sr680a-v3",
    "sr680a v4": "lenovo-sr680a-v4", "sys-421ge": "supermicro-421ge",
    "as-4125gs-tnrt": "supermicro-4125gs", "sys-821ge": "supermicro-821ge",
}
SEVERAL = {
    "dl380a": ["hpe-dl380a-gen11", "hpe-dl380a-gen12", "hpe-dl380a-gen12-10gpu"],
    "c240": ["cisco-c240-m7", "cisco-c240-m8"],
}
# Server, NIC, slots of NICs, and for each slot the GPUs that share a switch with it, with their class; the other
# GPUs of its socket are NODE and those of the other socket SYS. From presets of NVIDIA k8s-launch-kit (C885A,
# SR680a V3, SR675 V3), a PCIe inventory (XE9680L), a dump by hwloc (XE8640) and nvidia-smi topo -m (eight B300).
OWN = {f"nic{gpu}": [gpu] for gpu in range(8)}
MEASURED = [
    ("cisco-c885a-m8", "bluefield-3-400g", "PIX", {**OWN, "ns0": []}, {"ns0": 0}),
    ("lenovo-sr680a-v3", "bluefield-3-400g", "PIX", {**OWN, "ns0": [], "ns1": []}, {"ns0": 0, "ns1": 1}),
    ("dell-xe9680l", "bluefield-3-400g", "PIX",
     {"slot40": [0], "slot42": [0], "slot41": [1], "slot38": [2], "slot37": [3], "slot39": [3], "slot32": [4],
      "slot31": [5], "slot33": [5], "slot36": [6], "slot34": [6], "slot35": [7]}, {}),
    ("dell-xe8640", "connectx-7-ndr-400g", "PIX", {"slot2": [0], "slot1": [1], "slot4": [2], "slot3": [3]}, {}),
    ("lenovo-sr675-v3", "connectx-6-dx-100g", "PIX",
     {"slot16": [2, 3], "slot2": [4, 5], "slot21": [6, 7], "slot15": [], "slot20": []},
     {"slot15": 0, "slot20": 1}),
    ("dell-xe9780", "connectx-8-800g", "PXB", OWN, {}),
]


def call(*command, code=0):
    ran = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=300)
    assert ran.returncode == code, f"{command}: {ran.returncode}: {ran.stdout}{ran.stderr}"
    return ran.stdout + ran.stderr


def test_names(program):
    for typed, server in TYPED.items():
        found = re.search(r'"server": "([^"]+)"', call(program, "new", "--server", typed))
        assert found and found[1] == server, f"{typed}: {found and found[1]}"
    for typed, servers in SEVERAL.items():
        said = call(program, "new", "--server", typed, code=2)
        assert f"expected one of: {', '.join(servers)}" in said, said


def classes(text):
    """For each NIC the path class to each GPU, from the matrix of `vgsim show`."""
    rows = {words[0]: words[1:] for words in map(str.split, text.splitlines()) if words}
    gpus = sum(re.fullmatch(r"GPU\d+", each) is not None for each in rows)
    return {nic: rows[row][:gpus] for row, nic in re.findall(r"^(NIC\d+): (\S+)$", text, re.M)}


def test_measured_hosts(program, folder):
    for server, nic, shared, slots, sockets in MEASURED:
        scenario = folder / "host.json"
        scenario.write_text(json.dumps({
            "name": "host",
            "hosts": {"h": {"server": server, "nics": {slot: {"nic": nic, "slot": slot} for slot in slots}}},
            "job": {"network": "bert-large", "batch_per_gpu": 1, "precision": "fp16"}}))
        found = classes(call(program, "show", scenario))
        for slot, beside in slots.items():
            gpus = len(found[slot])
            socket = sockets[slot] if not beside else beside[0] * 2 // gpus
            expected = [shared if gpu in beside else "NODE" if gpu * 2 // gpus == socket else "SYS"
                        for gpu in range(gpus)]
            assert found[slot] == expected, f"{server} {slot}: {found[slot]}, not {expected}"


def main():
    program = sys.argv[1]
    test_names(program)
    with tempfile.TemporaryDirectory() as scratch:
        test_measured_hosts(program, pathlib.Path(scratch))


main()
