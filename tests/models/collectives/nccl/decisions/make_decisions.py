#!/usr/bin/env python3
"""Makes the tables in this folder from runs of NCCL's own search and tuning.

  make_decisions.py VGSIM RUNS

VGSIM is the program, which re-expresses each machine as a vgsim.topology/1 file; RUNS is a folder
with xml/MACHINE.xml, vRELEASE/MACHINE__nHOSTS.json.gz and variants/SETTING/... of 2.30.7. README.md describes the
tables.
"""
import gzip
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NEWEST = "2.30.7"
OLDER = ["2.18.6", "2.23.4", "2.27.7"]

# Behind NVSwitches, with and without NVLS; then NVLink without them, bridges, PCIe only, one GPU.
MACHINES = """
aws_p4d_a100x8 aws_p5_h100x8_32efa azure_ndv4_a100x8 azure_ndv5_h100x8 hgx_a100_vm4_nicper
hgx_a100_vm8_1nic hgx_b200_vm4_flat hgx_b200_vm8_flat hgx_h100_vm2_flat hgx_h100_vm4_nicper
hgx_h100_vm8_nicper
azure_ndv2_v100x8 hgx_a100x4_mesh_4nic hgx_h100x4_mesh_4nic
flat_a100pcie_x2_nvb flat_h100pcie_x2_nvb root_emr_4+4_nvb_2nic root_milan_2+2_nvb
sw_genoa_2x4_nicsw_nvb
azure_ncv4_a100pciex4 flat_a100pcie_x8 flat_a40_x4 flat_l40s_x2 root_icx_2+2_2nic root_rome_2+2
root_spr_4+4 sw_genoa_4x2_nicsw_400G sw_icx_4x2_nicsw_100G sw_milan_4x2_nicsw_200G
sw_skx_2x4_nicroot sw_spr_2x4_nicsw_nogdr
one_gpu_per_host_nogdr_25 one_gpu_per_host_phb one_gpu_per_host_pix
""".split()
FOUR_HOSTS = """
aws_p4d_a100x8 azure_ndv5_h100x8 flat_a100pcie_x2_nvb hgx_b200_vm4_flat one_gpu_per_host_pix
root_icx_2+2_2nic sw_genoa_4x2_nicsw_400G
""".split()
EIGHT_HOSTS = """
flat_l40s_x2 hgx_h100_vm2_flat one_gpu_per_host_phb root_milan_2+2_nvb
""".split()
# Of these runs the channels of the search are kept too.
IN_FULL = """
aws_p4d_a100x8__n1 azure_ndv5_h100x8__n4 flat_a40_x4__n2 hgx_b200_vm8_flat__n2
hgx_h100_vm8_nicper__n1 root_milan_2+2_nvb__n1 sw_genoa_4x2_nicsw_400G__n4
""".split()
# The environment of each setting, and machines whose result it changes; collnet, gdr_sys, p2p_phb and
# p2p_sys changed nothing on more than 95 machines, so one machine is kept for them.
SETTINGS = {
    "collnet": ({"NCCL_COLLNET_ENABLE": "1"}, ["azure_ndv5_h100x8"]),
    "crossnic0": ({"NCCL_CROSS_NIC": "0"}, ["azure_ndv5_h100x8", "root_icx_2+2_2nic"]),
    "crossnic1": ({"NCCL_CROSS_NIC": "1"}, ["azure_ndv4_a100x8", "hgx_h100_vm4_nicper"]),
    "gdr_off": ({"NCCL_NET_GDR_LEVEL": "LOC"}, ["hgx_h100_vm4_nicper", "sw_icx_4x2_nicsw_100G"]),
    "gdr_sys": ({"NCCL_NET_GDR_LEVEL": "SYS"}, ["root_rome_2+2"]),
    "netintra_off": ({"NCCL_NET_DISABLE_INTRA": "1"},
                     ["sw_genoa_4x2_nicsw_400G", "sw_milan_4x2_nicsw_200G"]),
    "nvls0": ({"NCCL_NVLS_ENABLE": "0"}, ["hgx_b200_vm4_flat", "hgx_h100_vm8_nicper"]),
    "p2p_disable": ({"NCCL_P2P_DISABLE": "1"}, ["flat_a100pcie_x2_nvb", "sw_genoa_4x2_nicsw_400G"]),
    "p2p_phb": ({"NCCL_P2P_LEVEL": "PHB"}, ["root_icx_2+2_2nic"]),
    "p2p_sys": ({"NCCL_P2P_LEVEL": "SYS"}, ["sw_skx_2x4_nicroot"]),
    "p2p_sys_netintra_off": ({"NCCL_P2P_LEVEL": "SYS", "NCCL_NET_DISABLE_INTRA": "1"},
                             ["sw_genoa_4x2_nicsw_400G"]),
    "pxn_off": ({"NCCL_PXN_DISABLE": "1"}, ["azure_ndv5_h100x8", "hgx_h100_vm4_nicper"]),
}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
WORK = ["nMaxChannels", "nWarps", "channelsUsed", "bytesPerChannel", "chunkSize", "sliceSteps",
        "chunkSteps"]


def number(value):
    """A number as short as it can be written."""
    return int(value) if value == int(value) else value


def legend_of(rows, legend):
    """Rows of equal things as words, a letter each; new things go into the legend."""
    words = []
    for row in rows:
        word = ""
        for thing in row:
            if thing not in legend:
                legend.append(thing)
            word += LETTERS[legend.index(thing)]
        words.append(word)
    return words


def repeated(lists):
    """The distinct lists in order of appearance, and a word with the index of each list."""
    legend = []
    return {"of": legend, "word": legend_of([lists], legend)[0]}


def graph(found, in_full):
    row = {"pattern": found["pattern"], "channels": found["nChannels"],
           "intra": [found["typeIntra"], number(found["bwIntra"])],
           "inter": [found["typeInter"], number(found["bwInter"])],
           "same": found["sameChannels"], "cross_nic": found["crossNic"]}
    if in_full:
        row["hops"] = found["nHops"]
        row["gpus"] = [channel["gpus"] for channel in found["channels"]]
        if all("nets" in channel for channel in found["channels"]):
            row["nets"] = [channel["nets"] for channel in found["channels"]]
    return row


def choices(calls):
    """From which size on what is chosen."""
    steps = []
    for call in calls:
        if not steps or steps[-1][1] != call["choice"]:
            steps.append([call["bytes"], call["choice"]])
    return steps


def samples(calls, place):
    """Times of every candidate at two sizes, and the work of the choice at four, which sizes
    differ from run to run."""
    rows = []
    for k, index in enumerate([place % 7, 8 + place % 8, 16 + place % 8, 24 + place % 9]):
        call = calls[index]
        row = {"bytes": call["bytes"]}
        if k % 2 == place % 2:
            row["us"] = {key: number(value) for key, value in call["time_us"].items()}
        if "nWarps" in call:
            row["work"] = [call[key] for key in WORK]
        if len(row) > 1:
            rows.append(row)
    return rows


def table(path, machine, hosts, setting, place):
    run = json.load(gzip.open(path))
    in_full = not setting and run["nccl"] == NEWEST and f"{machine}__n{hosts}" in IN_FULL
    row = {"machine": machine, "hosts": hosts}
    if setting:
        row["setting"] = setting
        row["environment"] = SETTINGS[setting][0]
    row["gpus"] = run["gpusPerNode"]
    row["sm"] = run["sm"]
    row["nvls"] = run["nvls"]
    paths = []
    row["gpu_paths"] = legend_of(run["gpuPaths"], paths)
    if run["nets"]:
        row["net_paths"] = legend_of(run["netPaths"], paths)
    row["paths"] = paths
    if in_full:
        row.update(domain_gpus=run["domainGpus"], nets=run["nets"], max_bw=run["maxBw"],
                   total_bw=run["totalBw"], gpu_ranks=run["gpuRanks"])
    row["graphs"] = {name: graph(found, in_full) for name, found in run["search"].items()}
    row["rank_node"] = run["rankToNode"]
    row["rings"] = repeated(run["rings"])
    row["trees"] = repeated(run["treesUp"])
    if run.get("nvlsChannels") is not None:
        row["nvls_channels"] = run["nvlsChannels"]
        row["nvls_heads"] = run["nvlsHeads"]
    if run["nNodes"] * run["gpusPerNode"] > 1:
        row["costs"] = {function: {key: [number(cost["lat_us"]), number(cost["bw_GBps"])]
                                   for key, cost in costs.items()}
                        for function, costs in run["tuning"].items()}
        row["choices"] = choices(run["allreduce"])
        row["last"] = run["allreduce"][-1]["bytes"]
        row["samples"] = samples(run["allreduce"], place)
    return row


def write(name, release, rows):
    lines = ",\n".join("    " + json.dumps(row, separators=(",", ":")) for row in rows)
    (HERE / name).write_text(
        '{\n  "format": "vgsim.nccl-decisions/1",\n  "nccl": "%s",\n'
        '  "origin": "search and tuning of NCCL %s itself, run without GPUs on these machines",\n'
        '  "runs": [\n%s\n  ]\n}\n' % (release, release, lines))


def machine_file(vgsim, xml, name):
    text = subprocess.run([vgsim, "import", xml, "--kind", "nccl-xml"], check=True,
                          capture_output=True, text=True).stdout
    host = json.loads(text)
    host["from"] = name

    def without_gaps(value):
        if isinstance(value, dict):
            return {key: without_gaps(each) for key, each in value.items() if key != "not_told"}
        return [without_gaps(each) for each in value] if isinstance(value, list) else value
    host = without_gaps(host)
    parts = []
    for key, value in host.items():
        if isinstance(value, list):
            lines = ",\n".join("    " + json.dumps(each) for each in value)
            parts.append('  "%s": [\n%s\n  ]' % (key, lines))
        else:
            parts.append('  "%s": %s' % (key, json.dumps(value)))
    (HERE / "machines" / (name + ".json")).write_text("{\n" + ",\n".join(parts) + "\n}\n")


def main():
    vgsim, runs = sys.argv[1], pathlib.Path(sys.argv[2])
    for name in MACHINES:
        machine_file(vgsim, str(runs / "xml" / (name + ".xml")), name)
    for r, release in enumerate(OLDER):
        rows = []
        for i, machine in enumerate(MACHINES):
            hosts = [1, 2, 4][(i + r) % 3] if "x8" not in machine else [1, 2, 2][(i + r) % 3]
            rows.append(table(runs / f"v{release}" / f"{machine}__n{hosts}.json.gz", machine,
                              hosts, None, i + 3 * r))
        write(release + ".json", release, rows)
    rows = []
    for i, machine in enumerate(MACHINES):
        for hosts in ([1, 2] + [4] * (machine in FOUR_HOSTS) + [8] * (machine in EIGHT_HOSTS)):
            rows.append(table(runs / f"v{NEWEST}" / f"{machine}__n{hosts}.json.gz", machine,
                              hosts, None, i + hosts))
    write(NEWEST + ".json", NEWEST, rows)
    rows = []
    for i, (setting, (_, machines)) in enumerate(SETTINGS.items()):
        for machine in machines:
            for hosts in (1, 2):
                path = runs / "variants" / setting / f"{machine}__n{hosts}.json.gz"
                if path.exists():
                    rows.append(table(path, machine, hosts, setting, i + hosts))
    write("settings.json", NEWEST, rows)


if __name__ == "__main__":
    main()
