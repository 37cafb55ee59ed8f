#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/machine/text.hpp"

/// The tree of the machine that NCCL draws in its messages.
namespace vgsim::calibration::logs {

/// A device or NUMA node: "GPU/0-4e000 (3)".
struct NcclNode {
  std::string_view type;    ///< "CPU", "PCI", "DEV", "GPU", "NIC", "NET", "NVS"
  std::uint64_t host = 0;   ///< number of its host in a tree of several; 0 before NCCL 2.21
  std::uint64_t id = 0;     ///< of a PCI device its address as nccl_bus_id() reads it
  std::string_view inside;  ///< the text in the parentheses after it, or empty
};

/// "CPU/0 (1/1/2)" or "+ PCI[24.0] - GPU/0-4e000 (3)".
struct NcclTreeLine {
  std::string_view link;   ///< "PCI", "NVL", "SYS", "NET", "LOC", "C2C", "XGMI"; empty for a CPU
  double gigabytes = 0;    ///< of the link, in NCCL's GB/s
  std::size_t column = 0;  ///< of the node; links to the devices below it begin there
  NcclNode node;
};

/// Whether a message is the first line of a tree: "=== System : maxBw 24.0 totalBw 24.0 ===".
[[nodiscard]] bool begins_nccl_tree(std::string_view text);

/// Whether a message belongs to a tree: "CPU/..." or "+ ...".
[[nodiscard]] bool is_of_nccl_tree(std::string_view text);

/// Reads a line after `indent` blanks. Nothing if it is truncated.
[[nodiscard]] std::optional<NcclTreeLine> nccl_tree_line_in(std::string_view text,
                                                            std::size_t indent);

/// A line of a tree, with its place in the file.
struct NcclBranch {
  NcclTreeLine line;
  topology::TextSpan text;
  std::vector<std::size_t> below;  ///< indices of branches
};

/// The lines of one tree, as one thread prints them.
struct NcclTree {
  topology::TextSpan first_line;
  std::vector<NcclBranch> branches;
  std::vector<std::size_t> open;  ///< the last branch and those above it
  bool is_closed = false;         ///< a later message follows
  std::optional<std::pair<topology::TextSpan, std::string>> fault;  ///< first unreadable line

  /// Adds a line after `indent` blanks. Lines after a fault, and beyond kMostNcclNodes, are
  /// ignored.
  void add(topology::TextSpan text, std::size_t indent);
};

inline constexpr std::size_t kMostNcclNodes = 4096;

/// The number of links with that total bandwidth, for links of each of several devices: the rate
/// of one link differs by GPU generation and release of NCCL and must divide all totals. `sm` is
/// 10 x compute capability if the rate identifies it, else 0.
struct NcclNvLinkRate {
  double gigabytes = 0;  ///< of one link
  std::int64_t sm = 0;
};
[[nodiscard]] std::optional<NcclNvLinkRate> nccl_nvlink_rate(const std::vector<double>& totals);

/// The links in a total bandwidth.
[[nodiscard]] std::int64_t nccl_nvlinks_in(double total, const NcclNvLinkRate& rate);

}  // namespace vgsim::calibration::logs
