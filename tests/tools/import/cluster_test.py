#!/usr/bin/python3
"""A folder of what tools export of a whole vCenter becomes one scenario that runs.

usage: cluster_test.py PROGRAM
"""

import json
import pathlib
import subprocess
import sys
import tempfile

VCENTER = pathlib.Path(__file__).with_name("vcenter.py")
HOSTS, VMS = 12, 90


def call(*command):
    ran = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, f"{command}: {ran.returncode}: {ran.stdout}{ran.stderr}"
    return ran.stdout + ran.stderr


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        call("python3", VCENTER, folder / "vcenter", "--hosts", HOSTS, "--vms", VMS)
        scenario = folder / "cluster.json"
        said = call(program, "import", folder / "vcenter", "--scenario", scenario)
        made = json.loads(scenario.read_text())
        assert list(made["hosts"]) == [f"esx[001-{HOSTS:03}].lab.example"], made["hosts"]
        assert list(made["vms"]) == [f"train[001-{HOSTS:03}]"], made["vms"]
        vm = made["vms"][f"train[001-{HOSTS:03}]"]
        assert vm["host"] == f"esx[001-{HOSTS:03}].lab.example", vm
        assert len(vm["gpus"]["devices"]) == 4, vm
        assert len(list((folder / "cluster-hosts").iterdir())) == 1
        assert f"{HOSTS} hosts that are alike" in said, said
        result = json.loads(call(program, "run", "-q", "--draws", 0, "--format", "json", scenario))
        assert list(result["layouts"]) == ["imported"], list(result["layouts"])

        # VMs name their hosts only by ids, which the files of the hosts contain.
        govc = folder / "govc.json"
        call(program, "import", *sorted((folder / "vcenter").glob("*.json")), "--scenario", govc)
        assert json.loads(govc.read_text())["vms"] == made["vms"], govc.read_text()

        alone = folder / "rvtools.json"
        said = call(program, "import", folder / "vcenter/rvtools.xlsx", "--scenario", alone)
        made = json.loads(alone.read_text())
        assert list(made["hosts"]) == [f"esx[001-{HOSTS:03}].lab.example"], made["hosts"]
        assert made["hosts"][f"esx[001-{HOSTS:03}].lab.example"] == {"server": "dell-r750xa"}, made
        assert "the catalogue's dell-r750xa" in said, said
        call(program, "run", "-q", "--draws", 0, alone)


main()
