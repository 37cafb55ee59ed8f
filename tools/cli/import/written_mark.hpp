#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vgsim::cli {

/// The text of an imported scenario, with a comment by which it is known again.
[[nodiscard]] std::string marked_text(const nlohmann::ordered_json& scenario);

/// Whether a text is one of these, and nobody has changed it.
[[nodiscard]] bool stands_as_written(const std::string& text);

}  // namespace vgsim::cli
