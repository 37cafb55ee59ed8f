#pragma once

#include <optional>
#include <string_view>
#include <tl/expected.hpp>

#include "topology/importers/smi/smi_report.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology {

/// For `skipped`, where such a matrix stands beside what is read.
inline constexpr const char* kP2pIsNotRead =
    "The matrix of nvidia-smi topo -p2p is not read: it tells whether peer-to-peer works, not how "
    "the devices are joined";

/// Whether a text holds a matrix of `nvidia-smi topo`, also one of `topo -p2p`, which
/// read_smi_topo() refuses with the reason. Looks at content alone, is cheap and never throws.
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
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_smi_topo(
    const input::SourcePtr& source);

/// The same as a part of a longer recording: adds to `host`. Says in the report what is wrong.
void read_smi_topo(SmiReport& report, inventory::Inventory& host);

/// The matrix in a text. Empty if there is none, or one that read_smi_topo() refuses.
[[nodiscard]] std::optional<inventory::PathMatrix> parse_path_matrix(std::string_view text);

}  // namespace vgsim::topology
