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

/// Name of the file that a page sends, in messages.
inline constexpr const char* kSentName = "request";

/// One edit of a scenario.
struct Change {
  std::string title;  ///< "NIC: connectx-7-ndr-400g"; empty: derived from `set`
  /// Changes of one gesture, such as dragging a slider, are one step; empty: a step alone.
  std::string gesture;
  std::vector<scenario::Override> set;  ///< pointers of the scenario and their values
  std::optional<std::int64_t> hosts;    ///< number of hosts, with their VMs
  bool all_the_same = false;            ///< also if vSphere refuses the result
};

/// Reads {"title", "gesture", "set": [{"pointer", "value", "new"}], "hosts", "all_the_same"}; a
/// value that is null or missing removes the member. Errors: other members and types.
[[nodiscard]] tl::expected<Change, input::Diagnostics> read_change(const input::Value& value);

/// The scenario, which has single names and no layouts, with the change applied.
[[nodiscard]] tl::expected<input::Value, input::Diagnostics> changed(const input::Value& scenario,
                                                                     const Change& change);

/// The title of a change, derived from `set` if empty.
[[nodiscard]] std::string title_of(const Change& change);

}  // namespace vgsim::studio
