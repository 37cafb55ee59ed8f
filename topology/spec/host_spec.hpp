#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/units.hpp"
#include "topology/catalog/parts.hpp"
#include "topology/graph/gpu_count.hpp"
#include "topology/input/origin.hpp"
#include "topology/spec/server_spec.hpp"

namespace vgsim::topology {

/// A NIC that a scenario puts into a host.
struct NicSpec {
  input::At<std::string> nic;  ///< catalogue name, or what else people call it
  std::optional<input::At<std::string>> near;
  std::optional<input::At<std::string>> slot;
};

/// What a device of an imported dump is, where that does not say.
struct DeviceSpec {
  std::optional<input::At<std::string>> gpu;
  std::optional<input::At<std::string>> nic;
};

/// Where a host reads training data from.
struct StorageSpec {
  BytesPerSecond read{};
  std::optional<input::At<std::string>> over;  ///< a NIC; nothing: a drive of the host
};

/// The size of one NUMA node.
struct NumaNodeSpec {
  std::optional<input::At<std::int64_t>> cores;  ///< physical ones
  std::optional<Bytes> memory;
};

/// GPUs by number.
using GpuPair = std::pair<std::size_t, std::size_t>;

/// What a scenario says of one host: a catalogue server or an imported dump, and what differs.
struct HostSpec {
  std::optional<input::At<ServerChoice>> server;
  std::optional<input::At<std::string>> topology;
  std::optional<input::At<GpuCount>> gpus;
  std::optional<input::At<std::vector<input::At<GpuPair>>>> nvlink_bridges;
  std::optional<input::At<NvLinkLayout>> nvlink;
  std::vector<input::Named<NicSpec>> nics;
  std::optional<input::At<std::vector<input::Named<DeviceSpec>>>> devices;
  std::optional<input::At<std::string>> cpu;  ///< of all sockets of an imported host
  std::optional<input::At<std::int64_t>> numa_nodes_per_socket;
  NumaNodeSpec numa_node;
  bool acs = false;
  std::optional<bool> pcie_p2p;
  std::optional<StorageSpec> storage;
  std::optional<input::At<std::int64_t>> leaf;  ///< from 1
};

}  // namespace vgsim::topology
