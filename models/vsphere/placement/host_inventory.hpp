#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/vsphere/facts/facts.hpp"
#include "models/vsphere/spec/host_settings.hpp"
#include "topology/graph/graph.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::vsphere {

/// The resources of a host for VMs.
struct HostInventory {
  std::string name;
  std::string server;                     ///< of the catalogue; may be empty
  std::string cpu;                        ///< of the catalogue; may be empty
  std::vector<std::string> gpus;          ///< catalogue names, in the order of the host
  std::vector<std::string> labels;        ///< hardware label by GPU; may be empty
  std::vector<const Board*> boards;       ///< by GPU; nullptr where vGPU does not support it
  std::vector<std::vector<bool>> joined;  ///< by two GPUs: NVLink between them
  std::vector<bool> beside_nic;           ///< by GPU: an RDMA NIC is under the same root complex
  bool nvswitch = false;
  const BoardPartitions* partitions = nullptr;  ///< of its NVSwitch board, where known
  std::optional<std::int64_t> numa_cores;       ///< of one NUMA node
  std::optional<Bytes> numa_memory;             ///< of one NUMA node
  std::optional<std::int64_t> cores;            ///< of the host
  std::optional<Bytes> memory;                  ///< of the host
  HostSettings settings;
};

/// Reports labels of GPUs that the host does not have.
[[nodiscard]] HostInventory inventory_of(const topology::Topology& topology, std::size_t host,
                                         const Facts& facts, HostSettings settings,
                                         input::Diagnostics& diagnostics);

}  // namespace vgsim::vsphere
