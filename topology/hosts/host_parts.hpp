#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/hosts/nic_slots.hpp"

namespace vgsim::topology {

/// The server of a host that is not imported: from the catalogue, or described. Reports an unknown
/// server and returns nothing then.
[[nodiscard]] std::optional<ServerModel> server_of(const HostSpec& spec, const Catalog& catalog,
                                                   input::Diagnostics& diagnostics);

/// The parts in the slots of a host, for commands that offer other parts.
struct HostParts {
  ServerModel server;
  const GpuModel* gpu = nullptr;  ///< nullptr: none
  std::size_t gpus = 0;
};

/// Nothing for an imported host, or if its server or GPUs are unknown.
[[nodiscard]] std::optional<HostParts> parts_of(const HostSpec& spec, const Catalog& catalog);

/// The slots of these NICs in that host; the result points into `host`. Nothing if a NIC does not
/// fit.
[[nodiscard]] std::optional<std::map<std::string, NicPlace>> places_of(
    const HostParts& host, const std::vector<input::Named<NicSpec>>& nics, const Catalog& catalog);

}  // namespace vgsim::topology
