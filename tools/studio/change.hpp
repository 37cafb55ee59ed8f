#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/read/overrides.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::studio {

/// What messages call the file that a page sends.
inline constexpr const char* kSentName = "request";

/// One thing that somebody changes about a scenario.
struct Change {
  std::string title;  ///< "NIC: connectx-7-ndr-400g"; empty: made of what is set
  /// Changes of one gesture, such as a slider that is dragged, are one step; empty: a step alone.
  std::string gesture;
  std::vector<scenario::Override> set;  ///< places of the scenario and their values
  std::optional<std::int64_t> hosts;    ///< so many hosts, with their VMs
  bool all_the_same = false;            ///< also where vSphere refuses what comes of it
};

/// Reads {"title", "gesture", "set": [{"pointer", "value", "new"}], "hosts", "all_the_same"}; a
/// value that is null, or missing, takes away. Errors: what does not fit that.
[[nodiscard]] tl::expected<Change, input::Diagnostics> read_change(const input::Value& value);

/// The scenario, which has single names and no layouts, with that changed.
[[nodiscard]] tl::expected<input::Value, input::Diagnostics> changed(const input::Value& scenario,
                                                                     const Change& change);

/// What a change is called that has no title.
[[nodiscard]] std::string title_of(const Change& change);

}  // namespace vgsim::studio
