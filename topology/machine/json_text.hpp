#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vgsim::topology::inventory {

/// Readable JSON: an array or object that fits in a line of `width` characters stays on it; others
/// get one line per member. Ends with a newline.
[[nodiscard]] std::string to_readable_text(const nlohmann::ordered_json& json,
                                           std::size_t width = 120);

}  // namespace vgsim::topology::inventory
