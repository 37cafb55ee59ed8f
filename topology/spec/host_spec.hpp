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
  input::At<std::string> nic;  ///< catalogue name or alias
  std::optional<input::At<std::string>> near;
  std::optional<input::At<std::string>> slot;
};

/// The kind of a device in an imported dump that does not state it.
struct DeviceSpec {
  std::optional<input::At<std::string>> gpu;
  std::optional<input::At<std::string>> nic;
};

/// The storage from which a host reads training data.
struct StorageSpec {
  BytesPerSecond read{};
  std::optional<input::At<std::string>> over;  ///< a NIC; nothing: a drive of the host
};

/// The size of one NUMA node.
struct NumaNodeSpec {
  std::optional<input::At<std::int64_t>> cores;  ///< physical ones
  std::optional<Bytes> memory;
};

/// GPUs by index.
using GpuPair = std::pair<std::size_t, std::size_t>;

/// A host in a scenario: a catalogue server or an imported dump, and the differences from it.
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
  input::At<bool> acs;
  std::optional<bool> pcie_p2p;
  std::optional<StorageSpec> storage;
  std::optional<input::At<std::int64_t>> leaf;  ///< from 1
};

}  // namespace vgsim::topology
