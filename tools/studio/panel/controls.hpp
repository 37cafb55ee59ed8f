#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "topology/input/value.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::studio {

/// The hosts and VMs that controls apply to; all by default.
struct Scope {
  std::string host;
  std::string vm;
};

/// The editable properties of a scenario with single names, by group: for each control its
/// label, its description from the schema, its present value, and either choices, slider steps,
/// or the type of what is typed. A choice is a value of the pointer, or "set": pointers and values
/// (change.hpp).
[[nodiscard]] nlohmann::ordered_json controls(const input::Value& scenario,
                                              const scenario::Library& library, const Scope& scope);

/// All pointers that a scenario may have, with "*" for names, and their descriptions.
[[nodiscard]] nlohmann::ordered_json places();

}  // namespace vgsim::studio
