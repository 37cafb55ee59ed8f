#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vgsim::studio {

/// The schema of a scenario, as `vgsim schema` prints it.
[[nodiscard]] const nlohmann::ordered_json& scenario_schema();

/// What it says of a place, a pointer with "*" for names, but not of what is inside: type, words,
/// pattern, limits, meaning, default. Of several kinds of values that may stand there the one that
/// has such a key, or the first. Null where there is no such place.
[[nodiscard]] nlohmann::ordered_json schema_at(const std::string& pointer);

}  // namespace vgsim::studio
