#pragma once

#include <string>
#include <vector>

#include "topology/graph/graph.hpp"

namespace vgsim::topology {

/// Differences between two built hosts, as sentences with their names `a` and `b`.
struct HostComparison {
  std::vector<std::string>
      paths;  ///< pairs of GPUs, or paths of a NIC to GPUs, with different classes
  std::vector<std::string> speeds;    ///< PCIe links and NVLinks with different rates
  std::vector<std::string> settings;  ///< differences that are settings of one machine
  std::size_t compared = 0;           ///< pairs of devices whose classes were compared
};

/// Compares the hosts with index 0 of two topologies: each pair of GPUs by index, over PCIe, and
/// over NVLink if both hosts have any. For each NIC of `a`, one NIC of `b` must reach the GPUs by
/// the same classes. SYS between NUMA nodes of one socket counts as PHB. Sentences use `a_name` and
/// `b_name`.
[[nodiscard]] HostComparison compare_hosts(const Topology& a, const std::string& a_name,
                                           const Topology& b, const std::string& b_name);

}  // namespace vgsim::topology
