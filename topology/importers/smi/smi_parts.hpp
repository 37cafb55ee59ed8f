#pragma once

#include <optional>
#include <string_view>

#include "topology/importers/file_notes.hpp"
#include "topology/machine/inventory.hpp"

/// What nvidia-smi prints, a reader for each command, each with text of any kind around it. All add
/// to `host` and say in the notes what is wrong; what they tell of one GPU is joined by
/// read_smi_text(). `is_...` look at content alone, are cheap and never throw.
namespace vgsim::topology {

/// Whether a text is, or holds, XML of nvidia-smi.
[[nodiscard]] bool is_smi_query_xml(std::string_view text);

/// Reads `nvidia-smi -q -x` (nvsmi_device_v10.dtd to v13, older ones as far as they agree), alone
/// or between other text; of several logs of one host each GPU is filled from all.
///
/// Fills `driver` and, in `unplaced`, a GPU for each <gpu>: number (the order, if all attached GPUs
/// are in the log), bus id, name, UUID, PCI ids and class, memory, MIG and virtualization mode,
/// module id, PCIe link and, where a vGPU manager lists them, vGPUs. NVLink peers and NUMA nodes
/// are not in the format.
///
/// Errors: those of XmlReader; kNothingInIt without a GPU; kBadValue for two GPUs at one bus id;
/// kTooMuch beyond 16 MiB, 4096 GPUs or 16 logs. Warnings: values that cannot be, an NVLink fabric
/// that is not healthy.
void read_smi_query_xml(FileNotes& notes, inventory::Inventory& host);

/// Whether a text holds the plain-text output of `nvidia-smi -q`.
[[nodiscard]] bool is_smi_query_text(std::string_view text);

/// Reads the plain-text output of `nvidia-smi -q`, whole or of some sections (`-d MEMORY`), one or
/// more logs of one host between any other text. Tells the same as read_smi_query_xml(), but for
/// vGPUs; GPUs have numbers where the line "Attached GPUs" says that all are there.
///
/// Errors: kNothingInIt without a GPU, kDoNotFit for GPUs of two hosts, kTooMuch beyond 4096 GPUs
/// or 64 logs.
void read_smi_query_text(FileNotes& notes, inventory::Inventory& host);

/// Whether a text holds the output of `nvidia-smi --query-gpu=... --format=csv`.
[[nodiscard]] bool is_smi_query_csv(std::string_view text);

/// Reads `nvidia-smi --query-gpu=... --format=csv` with its header line and any properties, with or
/// without units, between any other text. The list must have an index, a bus id or a UUID. Tells
/// the same as read_smi_query_xml(), also the compute capability and the host's name.
///
/// Errors: kNothingInIt without a row, kDoNotFit for GPUs of two hosts, kTooMuch beyond 4096 rows.
void read_smi_query_csv(FileNotes& notes, inventory::Inventory& host);

/// Whether a text holds the output of `nvidia-smi vgpu -q`.
[[nodiscard]] bool is_smi_vgpu(std::string_view text);

/// Reads `nvidia-smi vgpu -q` of an ESXi or KVM host, between any other text: fills `unplaced` with
/// a GPU for each, of which only the bus id and the vGPUs on it are told. A vGPU has its type as
/// ESXi calls it and its VM's name, without one its UUID or number.
///
/// The table of `nvidia-smi vgpu` and XML are read by read_smi_table() and read_smi_query_xml().
///
/// Errors: kNothingInIt without a GPU, kTooMuch beyond 4096 GPUs or 4096 vGPUs. Warnings: another
/// number of vGPUs than the GPU says it has, a vGPU without a name.
void read_smi_vgpu(FileNotes& notes, inventory::Inventory& host);

/// Whether a text holds the table of `nvidia-smi` or `nvidia-smi vgpu`.
[[nodiscard]] bool is_smi_table(std::string_view text);

/// Reads the table that `nvidia-smi` without options prints, and that of `nvidia-smi vgpu`, between
/// any other text: the driver and, for each GPU, number, bus id, name, memory, MIG mode and vGPUs.
/// Names that the table cuts ("NVIDIA RTXA...") are not told.
///
/// Errors: kNothingInIt without a GPU, kDoNotFit for GPUs of two hosts, kTooMuch beyond 4096 rows.
void read_smi_table(FileNotes& notes, inventory::Inventory& host);

/// Whether a text holds lines of `nvidia-smi -L`, with which those of nvlink begin as well.
[[nodiscard]] bool is_smi_list(std::string_view text);

/// Reads `nvidia-smi nvlink -s` (links that are up), `-R` and `-p` (the device at the other end of
/// each) and `nvidia-smi -L`, alone or one after the other, with any other text between them.
///
/// Fills `unplaced` with a GPU for each: number, name, UUID, whether MIG mode is on, how many links
/// are up, links by the bus id of their peer. GB/s of a link go to the peer's links if they are
/// payload (20, 25, 50, 100); 25.781, 26.562 and 53.125 are signalling rates and only mentioned.
///
/// Errors: kNothingInIt without any such line, kDoNotFit for two GPUs of one number. Warnings:
/// links that -s and -R, or two places, tell differently.
void read_smi_nvlink(FileNotes& notes, inventory::Inventory& host);

/// For `skipped`, where such a matrix stands beside what is read.
inline constexpr const char* kP2pIsNotRead =
    "The matrix of nvidia-smi topo -p2p is not read: it tells whether peer-to-peer works, not how "
    "the devices are joined";

/// Whether a text holds a matrix of `nvidia-smi topo`, also one of `topo -p2p`, which
/// read_smi_topo() refuses with the reason.
[[nodiscard]] bool is_smi_topo(std::string_view text);

/// Whether a text holds a matrix of `nvidia-smi topo -m`.
[[nodiscard]] bool has_path_matrix(std::string_view text);

/// Reads the output of `nvidia-smi topo -m` of any driver since 2016, from a terminal, a log or a
/// web page: SOC for SYS, NICs as mlx5_0 or as NIC0 with a legend, with or without the columns CPU
/// Affinity, NUMA Affinity and GPU NUMA ID, columns that ran into each other, rows cut off, no
/// legend. Other text may stand around it.
///
/// Fills `matrix`, a cell also from the row of the other device where its own was cut, and
/// `unplaced`: a GPU or NIC for each device of the header, with the CPUs and the NUMA node where
/// they are told (a list of several nodes is only in the matrix).
///
/// Of several matrices the first is taken if the others agree with it; beside one of `topo -mp`,
/// which shows no NVLinks, that of `topo -m`.
///
/// Errors: kNothingInIt without a matrix or with one of topo -p2p only; kBadValue for unknown words
/// and rows that do not fit the header; kDoNotFit for matrices that contradict each other; kTooMuch
/// beyond 512 devices or 16 matrices. Warnings: cells that contradict each other, rows that are
/// missing or short, values that cannot be.
void read_smi_topo(FileNotes& notes, inventory::Inventory& host);

/// The matrix in a text. Empty if there is none, or one that read_smi_topo() refuses.
[[nodiscard]] std::optional<inventory::PathMatrix> parse_path_matrix(std::string_view text);

}  // namespace vgsim::topology
