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

/// Whether a rule bites.
[[nodiscard]] bool bites(const LayoutResult& result, std::string_view rule);

/// The first host of the drawing, or nullptr where nothing was drawn.
[[nodiscard]] const DrawnHost* drawn(const LayoutResult& result);

/// Adds a change that changes something.
void add_if_any(Change change, std::vector<Change>& changes);

}  // namespace vgsim::scenario
