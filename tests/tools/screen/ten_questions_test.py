"""Ten questions of vSphere architects: the first screen of a shipped scenario answers each in the question's words.

usage: ten_questions_test.py VGSIM SOURCES
"""

import pathlib
import re
import sys

import screens

# Question, command, scenario, and what the screen has to say, as patterns over its joined lines.
QUESTIONS = [
    ("What does a 25 GbE ring cost BERT-Large?", "run", "q31-25gbe-ring",
     [r'"100 GbE ring" and "25 GbE ring" are fastest, no significant difference',
      r"read what arrives from host memory \(no GPUDirect RDMA\)"]),
    ("The arithmetic of that ring", "run", "../ring-25gbe", [r"arithmetic: 29\.8 d for 100 epochs"]),
    ("Four PCIe GPUs in one VM, or two bridged pairs?", "run", "q01-one-vm-or-two",
     [r'highest per host: "two pairs, 2 jobs", \d+ samples/s', r'"two pairs, one job" \(4 GPUs\), (\+\d+ %|[\d.]+ x)']),
    ("What does a device group on HGX buy?", "run", "q32-device-group-all-reduce",
     [r"device group of 4 is fastest: .* 3\d\d GB/s", r"next two groups of 2, [\d.]+ x"]),
    ("... for a training job?", "run", "q32-device-group-bert-large",
     [r"device group of 4 is fastest: .*; next two groups of 2, \+\d+ %", r"[\d.]+ x"]),
    ("Must NIC and GPU share a switch?", "run", "q33-nic-and-gpu-switch",
     [r"same switch and device group are fastest", r"next another switch, \+\d+ %"]),
    ("Is there a virtualization tax?", "run", "q34-virtualization-tax-bert-large",
     # Measured pairs of a VM and bare metal spread by more than the tax.
     [r'"bare metal".*; undecided against "VM, 64 vCPUs", -[1-4][.\d]* to \+1\d %',
      r"against the fastest fastest \+[1-5] % \+[1-5] %"]),
    ("Are 16 vCPUs enough for a CPU that decodes?", "run", "q34-virtualization-tax-resnet-50",
     [r'"bare metal".*; undecided against "VM, 64 vCPUs", -[1-4][.\d]* to \+1\d %; next "VM, 16 vCPUs"',
      r"against the fastest fastest [\d.]+ x \+[1-5] %"]),
    ("What do I lose with passthrough?", "validate", "q37-passthrough-operations",
     [r"static supported \d passthrough vMotion, DRS, HA, suspend, snapshots",
      r"dynamic supported \d passthrough vMotion, DRS, suspend, snapshots", r"vGPU supported \d vgpu -"]),
    ("Do dedicated links isolate the neighbour?", "run", "q17-noisy-neighbours",
     [r'"alone", "vMotion, own NIC" and "UPI" are fastest', r"\nstorage .* \+\d+ %", r"\nvMotion  .* \+\d+ %",
      r"\ncores .* \+\d+ %"]),
    ("Does a DPU pay for training?", "run", "q22-dpu-offload",
     [r"vSwitch on the DPU .*fastest", r"next vSwitch on the host, \+\d\d %"]),
    ("... where cores are free?", "run", "q22-dpu-offload-64-cores", [r"SR-IOV is fastest", r"GPUs \d+ % GPUs \d+ %"]),
    ("How many users share a GPU?", "run", "q35-users-per-gpu",
     [r"1 user is fastest: .*; next 2 users, \+\d+ %", r"99th percentile of steps", r"16 users"]),
    ("On which NUMA node is the VM, and what does the wrong one cost?", "run", "q36-numa-node-unet-3d",
     [r"GPU's NUMA node and both nodes are fastest", r"next the other node, \+\d+ %"]),
    ("... where little crosses?", "run", "q36-numa-node-resnet-50",
     [r"no significant difference between the three layouts"]),
    ("... with GPUs of both nodes?", "run", "q36-numa-node-eight-gpus",
     [r"both NUMA nodes is fastest: .*; next node [01] only, \+\d+ %"]),
    ("... of the NIC?", "run", "q36-numa-node-of-the-nic", [r"no significant difference between the two layouts"]),
    ("Which bridges do eight H200 NVL need?", "run", "q38-h200-nvl-bridges",
     # Their intervals begin near no difference: 20 draws may decide, 200 do not.
     [r"HGX H200( is fastest)?: .*(undecided against|next) four-way bridges,\s+[+-]\d+ % (to |\()",
      r"no bridges +([\d.]+ h) .*two-way bridges +\1 .*four-way bridges"]),
]


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2]) / "configs" / "scenarios" / "questions"
    wrong = 0
    for question, command, name, patterns in QUESTIONS:
        text = screens.text_of(program, command, str(folder / f"{name}.json"))
        joined = screens.joined(text)
        missing = [pattern for pattern in patterns
                   if not re.search(pattern, text if pattern.startswith(r"\n") else joined)]
        for problem in screens.too_much(text) + [f"no {pattern}" for pattern in missing]:
            wrong += 1
            print(f"{question} vgsim {command} {name}: {problem}\n{text}")
    print(f"{len(QUESTIONS)} screens, {wrong} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
