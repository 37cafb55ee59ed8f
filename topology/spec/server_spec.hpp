#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/catalog/parts.hpp"
#include "topology/input/origin.hpp"

namespace vgsim::topology {

/// A number of PCIe slots of one kind, or the uplink of a PCIe switch.
struct SlotSpec {
  std::int64_t count = 1;
  std::int64_t generation = 0;
  std::int64_t lanes = 0;
  /// A root complex or PCIe switch of the server, or "socket1": an exclusive root complex of that
  /// socket.
  std::string under;
};

/// CPUs: "2 x intel-granite-rapids".
struct CpuCount {
  std::int64_t count = 0;
  std::string cpu;  ///< as written; may be an alias
};

/// A server that a scenario describes because the catalogue has none.
struct ServerSpec {
  std::optional<std::string> name;
  input::At<CpuCount> cpu;
  std::vector<input::Named<RootComplex>> root_complexes;
  std::vector<input::Named<SlotSpec>> pcie_switches;
  std::vector<input::At<SlotSpec>> gpu_slots;
  std::vector<input::Named<SlotSpec>> nic_slots;
  std::optional<input::At<SlotSpec>> nvme;
};

/// A catalogue server by name or alias, or a described server.
struct ServerChoice {
  std::string name;  ///< empty if described
  std::optional<ServerSpec> described;
};

}  // namespace vgsim::topology
