#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/catalog/parts.hpp"
#include "topology/input/origin.hpp"

namespace vgsim::topology {

/// So many PCIe slots of one kind, or the link of a PCIe switch to what is above it.
struct SlotSpec {
  std::int64_t count = 1;
  std::int64_t generation = 0;
  std::int64_t lanes = 0;
  /// A root complex or PCIe switch of the server, or "socket1": a root complex of that socket which
  /// nothing else is below.
  std::string under;
};

/// CPUs: "2 x intel-granite-rapids".
struct CpuCount {
  std::int64_t count = 0;
  std::string cpu;  ///< as written, which need not be its catalogue name
};

/// A server as a scenario describes it, where the catalogue has none.
struct ServerSpec {
  std::optional<std::string> name;
  input::At<CpuCount> cpu;
  std::vector<input::Named<RootComplex>> root_complexes;
  std::vector<input::Named<SlotSpec>> pcie_switches;
  std::vector<input::At<SlotSpec>> gpu_slots;
  std::vector<input::Named<SlotSpec>> nic_slots;
  std::optional<input::At<SlotSpec>> nvme;
};

/// A server of the catalogue, by its name or by what else people call it, or one described.
struct ServerChoice {
  std::string name;  ///< empty where it is described
  std::optional<ServerSpec> described;
};

}  // namespace vgsim::topology
