#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vgsim::topology::inventory {

/// JSON for people: an array or object that fits into a line of `width` characters stays on it,
/// others get a line for each member. With a newline at the end.
[[nodiscard]] std::string to_readable_text(const nlohmann::ordered_json& json,
                                           std::size_t width = 120);

}  // namespace vgsim::topology::inventory
