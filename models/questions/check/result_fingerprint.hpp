#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vgsim::scenario {

/// Rounds to twelve digits, since further ones may differ between math libraries.
[[nodiscard]] double to_twelve_digits(double value);

/// Hash of all numbers of a layout's result with their places, to nine digits, without numbers
/// about the engine's work.
[[nodiscard]] std::string result_fingerprint(const nlohmann::ordered_json& layout);

/// Hash of a text, in the same form.
[[nodiscard]] std::string text_fingerprint(const std::string& text);

}  // namespace vgsim::scenario
