#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/questions/explain/change.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/read/overrides.hpp"

namespace vgsim::scenario {

/// What the scenario says of the layout.
[[nodiscard]] const Layout& layout_of(const Situation& at);

/// Where something is said of a host, a VM or one of its NICs: "/hosts/esx01/nics/vmnic4/near".
template <class Named>
[[nodiscard]] std::string place_of(const char* group, const Named& machine, const char* what) {
  return std::string(group) + machine.name + what;
}
inline constexpr const char* kHosts = "/hosts/";
inline constexpr const char* kVms = "/vms/";

/// The VMs that the job runs in: what others have is not at its disposal.
[[nodiscard]] std::vector<const input::Named<Shared<LayoutVm>>*> vms_of_job(const Situation& at);

/// Whether a rule bites.
[[nodiscard]] bool bites(const LayoutResult& result, std::string_view rule);

/// The first host of the drawing, or nullptr where nothing was drawn.
[[nodiscard]] const DrawnHost* drawn(const LayoutResult& result);

/// As ports are called: "200 Gbit/s".
[[nodiscard]] std::string in_gigabits(BytesPerSecond rate);

/// The network's switches, where the scenario names them.
[[nodiscard]] const topology::NetworkSwitchModel* switch_of(const Situation& at);

/// Has a change take switches with ports of a rate, where those that are named have slower ones,
/// and say so. False where the catalogue has none of the same kind.
[[nodiscard]] bool lift_switch(const Situation& at, BytesPerSecond rate, Change& change);
/// The same, and the links to the hosts at that rate where they are said to be slower.
[[nodiscard]] bool lift_ports(const Situation& at, BytesPerSecond rate, Change& change);

/// Adds a change that changes something.
void add_if_any(Change change, std::vector<Change>& changes);

}  // namespace vgsim::scenario
