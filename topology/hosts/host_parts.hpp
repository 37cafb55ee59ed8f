#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/hosts/nic_slots.hpp"

namespace vgsim::topology {

/// The server of a host that is no imported one: of the catalogue, or described. Reports one that
/// there is not; nothing comes back then.
[[nodiscard]] std::optional<ServerModel> server_of(const HostSpec& spec, const Catalog& catalog,
                                                   input::Diagnostics& diagnostics);

/// What a host has in its slots: for whoever offers other parts.
struct HostParts {
  ServerModel server;
  const GpuModel* gpu = nullptr;  ///< nullptr: none
  std::size_t gpus = 0;
};

/// Nothing of an imported host, and of one whose server or GPUs there are not.
[[nodiscard]] std::optional<HostParts> parts_of(const HostSpec& spec, const Catalog& catalog);

/// The places of NICs in that host, if it had these; they point into `host`. Nothing where not all
/// of them have one.
[[nodiscard]] std::optional<std::map<std::string, NicPlace>> places_of(
    const HostParts& host, const std::vector<input::Named<NicSpec>>& nics, const Catalog& catalog);

}  // namespace vgsim::topology
