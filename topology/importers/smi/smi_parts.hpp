#pragma once

#include <optional>
#include <string_view>

#include "topology/importers/file_notes.hpp"
#include "topology/machine/inventory.hpp"

/// One reader for each command of nvidia-smi; each ignores other text around its output. All add to
/// `host` and report in the notes; read_smi_text() merges their facts by GPU. `is_...` test content
/// only, are cheap and never throw.
namespace vgsim::topology {

/// Whether a text contains XML of nvidia-smi.
[[nodiscard]] bool is_smi_query_xml(std::string_view text);

/// Reads `nvidia-smi -q -x` (nvsmi_device_v10.dtd to v13, and the common part of older ones), alone
/// or between other text; several logs of one host are merged by GPU.
///
/// Sets `driver` and adds a GPU to `unplaced` for each <gpu>: number (the order, if the log has all
/// attached GPUs), bus id, name, UUID, PCI ids and class, memory, MIG and virtualization mode,
/// module id, PCIe link and, if a vGPU manager lists them, vGPUs. The format has no NVLink peers
/// and NUMA nodes.
///
/// Errors: those of XmlReader; kNothingInIt without a GPU; kBadValue for two GPUs at one bus id;
/// kTooMuch beyond 16 MiB, 4096 GPUs or 16 logs. Warnings: invalid values, an unhealthy NVLink
/// fabric.
void read_smi_query_xml(FileNotes& notes, inventory::Inventory& host);

/// Whether a text holds the plain-text output of `nvidia-smi -q`.
[[nodiscard]] bool is_smi_query_text(std::string_view text);

/// Reads the plain-text output of `nvidia-smi -q`, complete or some sections (`-d MEMORY`), one or
/// more logs of one host between any other text. Same facts as read_smi_query_xml() except vGPUs;
/// GPUs have numbers if the log contains as many as the line "Attached GPUs" states.
///
/// Errors: kNothingInIt without a GPU, kDoNotFit for GPUs of two hosts, kTooMuch beyond 4096 GPUs
/// or 64 logs.
void read_smi_query_text(FileNotes& notes, inventory::Inventory& host);

/// Whether a text holds the output of `nvidia-smi --query-gpu=... --format=csv`.
[[nodiscard]] bool is_smi_query_csv(std::string_view text);

/// Reads `nvidia-smi --query-gpu=... --format=csv` with its header line and any properties, with or
/// without units, between any other text. The list must have an index, a bus id or a UUID. Same
/// facts as read_smi_query_xml(), and the compute capability and the name of the host.
///
/// Errors: kNothingInIt without a row, kDoNotFit for GPUs of two hosts, kTooMuch beyond 4096 rows.
void read_smi_query_csv(FileNotes& notes, inventory::Inventory& host);

/// Whether a text holds the output of `nvidia-smi vgpu -q`.
[[nodiscard]] bool is_smi_vgpu(std::string_view text);

/// Reads `nvidia-smi vgpu -q` of an ESXi or KVM host, between any other text: adds a GPU with its
/// bus id and vGPUs to `unplaced` for each. A vGPU has its type in the ESXi spelling and the name
/// of its VM, or else its UUID or number.
///
/// read_smi_table() and read_smi_query_xml() read the table of `nvidia-smi vgpu` and its XML.
///
/// Errors: kNothingInIt without a GPU, kTooMuch beyond 4096 GPUs or 4096 vGPUs. Warnings: a number
/// of vGPUs that differs from the stated one, a vGPU without a name.
void read_smi_vgpu(FileNotes& notes, inventory::Inventory& host);

/// Whether a text holds the table of `nvidia-smi` or `nvidia-smi vgpu`.
[[nodiscard]] bool is_smi_table(std::string_view text);

/// Reads the table of `nvidia-smi` without options, and that of `nvidia-smi vgpu`, between any
/// other text: the driver and, for each GPU, number, bus id, name, memory, MIG mode and vGPUs.
/// Truncated names
/// ("NVIDIA RTXA...") are omitted.
///
/// Errors: kNothingInIt without a GPU, kDoNotFit for GPUs of two hosts, kTooMuch beyond 4096 rows.
void read_smi_table(FileNotes& notes, inventory::Inventory& host);

/// Whether a text holds lines of `nvidia-smi -L`, with which those of nvlink begin as well.
[[nodiscard]] bool is_smi_list(std::string_view text);

/// Reads `nvidia-smi nvlink -s` (active links), `-R` and `-p` (the remote device of each link) and
/// `nvidia-smi -L`, alone or in sequence, with any other text between them.
///
/// Adds a GPU to `unplaced` for each: number, name, UUID, MIG mode, number of active links, links
/// by the bus id of their peer. Link rates are used if they are payload rates (20, 25, 50, 100
/// GB/s); 25.781, 26.562 and 53.125 are signalling rates and only noted.
///
/// Errors: kNothingInIt without any such line, kDoNotFit for two GPUs of one number. Warnings:
/// contradictory links.
void read_smi_nvlink(FileNotes& notes, inventory::Inventory& host);

/// For `skipped`, if the file also has such a matrix.
inline constexpr const char* kP2pIsNotRead =
    "The matrix of nvidia-smi topo -p2p is not read: it shows whether peer-to-peer works, not how "
    "the devices are connected";

/// Whether a text holds a matrix of `nvidia-smi topo`, also one of `topo -p2p`, which
/// read_smi_topo() refuses with the reason.
[[nodiscard]] bool is_smi_topo(std::string_view text);

/// Whether a text holds a matrix of `nvidia-smi topo -m`.
[[nodiscard]] bool has_path_matrix(std::string_view text);

/// Reads the output of `nvidia-smi topo -m` of any driver since 2016, from a terminal, a log or a
/// web page: SOC for SYS, NICs as mlx5_0 or as NIC0 with a legend, with or without the columns CPU
/// Affinity, NUMA Affinity and GPU NUMA ID, columns without separators, truncated rows, no legend,
/// any other text around it.
///
/// Sets `matrix`, with truncated cells taken from the row of the other device, and adds a GPU or
/// NIC to `unplaced` for each device of the header, with CPUs and NUMA node if stated (a list of
/// several nodes is only in the matrix).
///
/// Of several consistent matrices the first is used; that of `topo -m` is preferred to `topo -mp`,
/// which shows no NVLinks.
///
/// Errors: kNothingInIt without a matrix or with one of topo -p2p only; kBadValue for unknown words
/// and rows that do not match the header; kDoNotFit for contradictory matrices; kTooMuch
/// beyond 512 devices or 16 matrices. Warnings: contradictory cells, missing or short rows, invalid
/// values.
void read_smi_topo(FileNotes& notes, inventory::Inventory& host);

/// The matrix in a text. Empty if there is none, or one that read_smi_topo() refuses.
[[nodiscard]] std::optional<inventory::PathMatrix> parse_path_matrix(std::string_view text);

}  // namespace vgsim::topology
