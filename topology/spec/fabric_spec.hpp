#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/units.hpp"
#include "topology/input/origin.hpp"

namespace vgsim::topology {

enum class FabricKind : std::uint8_t {
  kSingleSwitch,  ///< non-blocking
  kLeafSpine,     ///< hosts are distributed over the leaves
  kRails,         ///< the n-th NIC of every host on the n-th leaf
};

/// The network between hosts in a scenario.
struct FabricSpec {
  FabricKind kind = FabricKind::kSingleSwitch;
  std::optional<std::int64_t> leaves;  ///< for rails, per group of hosts
  std::optional<input::At<std::int64_t>> hosts_per_leaf;
  std::optional<std::int64_t> spines;
  std::optional<BytesPerSecond> host_link;
  std::optional<BytesPerSecond> uplink;
  std::optional<input::At<std::string>> network_switch;  ///< catalogue name
};

}  // namespace vgsim::topology
