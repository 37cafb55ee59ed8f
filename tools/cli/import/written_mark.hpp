#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vgsim::cli {

/// The text of an imported scenario, with a comment that identifies it.
[[nodiscard]] std::string marked_text(const nlohmann::ordered_json& scenario);

/// Whether a text was written by marked_text() and is unedited.
[[nodiscard]] bool is_unedited(const std::string& text);

}  // namespace vgsim::cli
