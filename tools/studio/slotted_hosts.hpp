#pragma once

#include <string>
#include <vector>

#include "topology/hosts/host_parts.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::studio {

/// What of a host decides which parts go into it.
struct SlottedHost {
  topology::HostSpec spec;
  topology::HostParts parts;
};

/// The hosts that a control sets, alike ones once; all where no name is given. Imported ones are
/// left out: nothing is known of their slots.
[[nodiscard]] std::vector<SlottedHost> slotted_hosts(const input::Value& scenario,
                                                     const std::string& name,
                                                     const scenario::Library& library);

}  // namespace vgsim::studio
