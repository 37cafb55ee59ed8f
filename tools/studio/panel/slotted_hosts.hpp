#pragma once

#include <cstdint>
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

/// The GPUs of a host, if they are a number of one model.
struct HostGpus {
  std::string model;
  std::int64_t count = 0;
  std::int64_t slots = 0;
};

/// The GPUs of the host of that name, of the first one by default. `hosts`: slotted_hosts() of it.
[[nodiscard]] HostGpus gpus_of(const input::Value& scenario, const std::string& name,
                               const std::vector<SlottedHost>& hosts);

/// The host or VM ("hosts" or "vms") of that name, the first one by default; null without any.
[[nodiscard]] const input::Member* first_machine(const input::Value& scenario, const char* machines,
                                                 const std::string& name);

}  // namespace vgsim::studio
