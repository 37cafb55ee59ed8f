#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "topology/input/value.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::studio {

/// What controls are about: all hosts and VMs where nothing is named.
struct Scope {
  std::string host;
  std::string vm;
};

/// What can be changed of a scenario with single names, group by group: for each control its label,
/// what it is about in the words of the schema, the value that stands there, and either the choices
/// or the steps of a slider. A choice is a value of the place, or "set": places and values
/// (change.hpp).
[[nodiscard]] nlohmann::ordered_json controls(const input::Value& scenario,
                                              const scenario::Library& library, const Scope& scope);

/// All places that a scenario may have, as pointers with "*" for names, each with what it means.
[[nodiscard]] nlohmann::ordered_json places();

}  // namespace vgsim::studio
