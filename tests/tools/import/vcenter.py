#!/usr/bin/python3
"""Writes what tools export of a vCenter that does not exist: for each host what `govc host.info
-json` writes, of all VMs what `govc vm.info -json` writes, and RVTools' workbook.

Every host has two sockets, four A100 and two 100 Gbit/s ports. Of the VMs one on each host has all
four GPUs in passthrough and runs, the others have none; one in ten of those is powered off.

usage: vcenter.py FOLDER [--hosts 400] [--vms 3000]
"""

import argparse
import json
import pathlib
import zipfile
from xml.sax.saxutils import escape

GIB = 2**30
GPU = {"vendorId": 4318, "deviceId": 8373, "vendorName": "NVIDIA Corporation",
       "deviceName": "GA100 [A100 PCIe 80GB]", "classId": 770}
NIC = {"vendorId": 5555, "deviceId": 4125, "vendorName": "Mellanox Technologies",
       "deviceName": "MT2892 Family [ConnectX-6 Dx]", "classId": 512}
GPUS = ["0000:17:00.0", "0000:65:00.0", "0000:ca:00.0", "0000:e3:00.0"]
NICS = ["0000:31:00.0", "0000:b1:00.0"]
CPU = "Intel(R) Xeon(R) Platinum 8368 CPU @ 2.40GHz"


def moid(kind, value):
    return {"type": kind, "value": value}


def pci_device(address, parts):
    bus = int(address[5:7], 16)
    return {"id": address, "bus": bus, "slot": 0, "function": 0, **parts, "subVendorId": 4318,
            "subDeviceId": 5175, "parentBridge": ""}


def host(number):
    name = f"esx{number:03}.lab.example"
    return {
        "self": moid("HostSystem", f"host-{1000 + number}"),
        "name": name,
        "hardware": {
            "systemInfo": {"vendor": "Dell Inc.", "model": "PowerEdge R750xa",
                           "uuid": f"4c4c4544-0000-1000-8000-{number:012x}"},
            "cpuInfo": {"numCpuPackages": 2, "numCpuCores": 76, "numCpuThreads": 152,
                        "hz": 2394374000},
            "cpuPkg": [{"index": i, "vendor": "intel", "hz": 2394374000, "description": CPU,
                        "threadId": list(range(76 * i, 76 * i + 76))} for i in range(2)],
            "memorySize": 1024 * GIB,
            "numaInfo": {"type": "NUMA", "numNodes": 2, "numaNode": [
                {"typeId": i, "cpuID": list(range(76 * i, 76 * i + 76)), "memorySize": 512 * GIB,
                 "pciId": (GPUS + NICS)[i::2]} for i in range(2)]},
            "pciDevice": [pci_device(a, GPU) for a in GPUS] + [pci_device(a, NIC) for a in NICS],
        },
        "config": {
            "product": {"fullName": "VMware ESXi 8.0.3 build-24022510", "version": "8.0.3"},
            "network": {"pnic": [
                {"key": f"key-vim.host.PhysicalNic-vmnic{i}", "device": f"vmnic{i}", "pci": a,
                 "driver": "nmlx5_core", "linkSpeed": {"speedMb": 100000, "duplex": True},
                 "mac": f"02:00:{i:02x}:{number >> 8:02x}:{number & 255:02x}:00"}
                for i, a in enumerate(NICS)]},
            "pciPassthruInfo": [
                {"id": a, "passthruEnabled": True, "passthruCapable": True, "passthruActive": True}
                for a in GPUS],
        },
    }


def adapter():
    return {"_typeName": "VirtualVmxnet3", "key": 4000,
            "deviceInfo": {"label": "Network adapter 1", "summary": "ml"},
            "backing": {"deviceName": "ml"}}


def passthrough(index, address):
    return {"_typeName": "VirtualPCIPassthrough", "key": 13000 + index,
            "deviceInfo": {"label": f"PCI device {index}", "summary": ""},
            "backing": {"id": address, "deviceId": "20b5", "systemId": "BYPASS", "vendorId": 4318,
                        "deviceName": "A100"}}


def vm(number, hosts):
    on = number % hosts + 1
    trains = number < hosts
    powered = trains or number % 10 != 0
    return {
        "self": moid("VirtualMachine", f"vm-{10000 + number}"),
        "name": f"train{on:03}" if trains else f"app{number:04}",
        "runtime": {"host": moid("HostSystem", f"host-{1000 + on}"),
                    "powerState": "poweredOn" if powered else "poweredOff"},
        "config": {
            "version": "vmx-21", "guestFullName": "Ubuntu Linux (64-bit)", "firmware": "efi",
            "memoryReservationLockedToMax": trains,
            "hardware": {"numCPU": 64 if trains else 4, "numCoresPerSocket": 1,
                         "memoryMB": 524288 if trains else 16384,
                         "device": [adapter()] + ([passthrough(i, a) for i, a in enumerate(GPUS)]
                                                  if trains else [])},
            "extraConfig": [{"key": "pciPassthru.use64bitMMIO", "value": "TRUE"},
                            {"key": "pciPassthru.64bitMMIOSizeGB", "value": "1024"}] * trains,
        },
    }


def letters(column):
    text = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def sheet_xml(rows, strings):
    lines = []
    for r, row in enumerate(rows, 1):
        cells = []
        for c, value in enumerate(row):
            at = f"{letters(c)}{r}"
            if isinstance(value, int):
                cells.append(f'<c r="{at}"><v>{value}</v></c>')
            elif value:
                index = strings.setdefault(value, len(strings))
                cells.append(f'<c r="{at}" t="s"><v>{index}</v></c>')
        lines.append(f'<row r="{r}">{"".join(cells)}</row>')
    return f'<worksheet><sheetData>{"".join(lines)}</sheetData></worksheet>'


def write_workbook(path, sheets):
    strings = {}
    parts = {f"xl/worksheets/sheet{i}.xml": sheet_xml(rows, strings)
             for i, rows in enumerate(sheets.values())}
    names = "".join(f'<sheet name="{n}" sheetId="{i + 1}" r:id="rId{i}"/>'
                    for i, n in enumerate(sheets))
    relations = "".join(f'<Relationship Id="rId{i}" Target="worksheets/sheet{i}.xml"/>'
                        for i in range(len(sheets)))
    parts["xl/workbook.xml"] = f"<workbook><sheets>{names}</sheets></workbook>"
    parts["xl/_rels/workbook.xml.rels"] = f"<Relationships>{relations}</Relationships>"
    texts = "".join(f"<si><t>{escape(text)}</t></si>" for text in strings)
    parts["xl/sharedStrings.xml"] = f"<sst>{texts}</sst>"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)


def rvtools(hosts, vms):
    """The columns that are read, among the other columns of RVTools."""
    others = [f"Custom {i}" for i in range(60)]
    filler = [f"text {i}" for i in range(60)]
    names = {one["self"]["value"]: one["name"] for one in hosts}
    place = lambda one: names[one["runtime"]["host"]["value"]]
    state = lambda one: one["runtime"]["powerState"]
    return {
        "vInfo": [["VM", "Powerstate", "Template", "CPUs", "Memory", "HW version", "Firmware",
                   "Host", *others]] +
                 [[one["name"], state(one), "False", one["config"]["hardware"]["numCPU"],
                   one["config"]["hardware"]["memoryMB"], "21", "efi", place(one), *filler]
                  for one in vms],
        "vCPU": [["VM", "CPUs"]] + [[one["name"], 4] for one in vms],
        "vNetwork": [["VM", "Powerstate", "Template", "NIC label", "Adapter", "Network", "Host"]] +
                    [[one["name"], state(one), "False", "Network adapter 1", "Vmxnet3", "ml",
                      place(one)] for one in vms],
        "vHost": [["Host", "Cluster", "CPU Model", "Speed", "# CPU", "# Cores", "# Memory",
                   "ESX Version", "Vendor", "Model"]] +
                 [[one["name"], "gpu", CPU, 2394, 2, 76, 1048576,
                   "VMware ESXi 8.0.3 build-24022510", "Dell Inc.", "PowerEdge R750xa"]
                  for one in hosts],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--hosts", type=int, default=400)
    parser.add_argument("--vms", type=int, default=3000)
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    hosts = [host(n + 1) for n in range(wanted.hosts)]
    vms = [vm(n, wanted.hosts) for n in range(wanted.vms)]
    for one in hosts:
        (wanted.folder / f"{one['name']}.json").write_text(json.dumps({"hostSystems": [one]}, indent=1))
    (wanted.folder / "vms.json").write_text(json.dumps({"virtualMachines": vms}, indent=1))
    write_workbook(wanted.folder / "rvtools.xlsx", rvtools(hosts, vms))


if __name__ == "__main__":
    main()
