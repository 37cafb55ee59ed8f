#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/questions/explain/change.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/read/overrides.hpp"

namespace vgsim::scenario {

/// The layout's scenario.
[[nodiscard]] const Layout& layout_of(const ChangeContext& at);

/// JSON pointer to a key of a host, a VM or one of its NICs: "/hosts/esx01/nics/vmnic4/near".
template <class Named>
[[nodiscard]] std::string place_of(const char* group, const Named& machine, const char* what) {
  return std::string(group) + machine.name + what;
}
inline constexpr const char* kHosts = "/hosts/";
inline constexpr const char* kVms = "/vms/";

/// The VMs of the job. Devices of other VMs are not available to it.
[[nodiscard]] std::vector<const input::Named<Shared<LayoutVm>>*> vms_of_job(
    const ChangeContext& at);

/// Whether a rule applies.
[[nodiscard]] bool applies(const LayoutResult& result, std::string_view rule);

/// The first drawn host, or nullptr.
[[nodiscard]] const DrawnHost* drawn(const LayoutResult& result);

/// A port rate: "200 Gbit/s".
[[nodiscard]] std::string in_gigabits(BytesPerSecond rate);

/// The network's switch model, if the scenario names one.
[[nodiscard]] const topology::NetworkSwitchModel* switch_of(const ChangeContext& at);

/// Adds faster switches to a change if the named ones have slower ports, and mentions them. False
/// if the catalogue has none of the same kind.
[[nodiscard]] bool lift_switch(const ChangeContext& at, BytesPerSecond rate, Change& change);
/// The same, and faster links to the hosts if the scenario sets slower ones.
[[nodiscard]] bool lift_ports(const ChangeContext& at, BytesPerSecond rate, Change& change);

/// Adds a change with at least one setting.
void add_if_any(Change change, std::vector<Change>& changes);

}  // namespace vgsim::scenario
