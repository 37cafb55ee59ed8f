#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vgsim::studio {

/// The schema of a scenario, as `vgsim schema` prints it.
[[nodiscard]] const nlohmann::ordered_json& scenario_schema();

/// The schema at a pointer with "*" for names, without its members: type, enum, pattern,
/// limits, description, default. Of alternatives the one that has such a key, or the first.
/// Null for unknown pointers.
[[nodiscard]] nlohmann::ordered_json schema_at(const std::string& pointer);

}  // namespace vgsim::studio
