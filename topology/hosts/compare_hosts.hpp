#pragma once

#include <string>
#include <vector>

#include "topology/graph/graph.hpp"

namespace vgsim::topology {

/// Where two built hosts differ, in words; the first is called `a`, the second `b`.
struct HostComparison {
  std::vector<std::string> paths;     ///< pairs of GPUs, or a NIC's ways to them, of other classes
  std::vector<std::string> speeds;    ///< PCIe and NVLinks that are faster in one
  std::vector<std::string> settings;  ///< what may be set either way on one machine
  std::size_t compared = 0;           ///< pairs of devices whose class was looked at
};

/// Compares the hosts with index 0 of two topologies: each pair of GPUs by number, over PCIe, and
/// over NVLink if both hosts have any; each NIC of `a` with the NICs of `b`: one of them must reach
/// the GPUs by the same classes. SYS between NUMA nodes of one socket counts as PHB. `a_name` and
/// `b_name` stand in the sentences.
[[nodiscard]] HostComparison compare_hosts(const Topology& a, const std::string& a_name,
                                           const Topology& b, const std::string& b_name);

}  // namespace vgsim::topology
