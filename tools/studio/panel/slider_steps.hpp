#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vgsim::studio {

/// Values of a slider for a pointer with that schema, including the present one: rates and
/// sizes as texts with their unit, or whole numbers. None for other types.
[[nodiscard]] nlohmann::ordered_json slider_steps(const nlohmann::ordered_json& schema,
                                                  const std::string& value);

}  // namespace vgsim::studio
