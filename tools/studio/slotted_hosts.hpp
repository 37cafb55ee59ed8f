#pragma once

#include <string>
#include <vector>

#include "topology/hosts/host_parts.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::studio {

/// The properties of a host that decide which parts fit.
struct SlottedHost {
  topology::HostSpec spec;
  topology::HostParts parts;
};

/// The hosts that a control sets, equal ones once; all if no name is given. Imported hosts are
/// left out, as their slots are unknown.
[[nodiscard]] std::vector<SlottedHost> slotted_hosts(const input::Value& scenario,
                                                     const std::string& name,
                                                     const scenario::Library& library);

}  // namespace vgsim::studio
