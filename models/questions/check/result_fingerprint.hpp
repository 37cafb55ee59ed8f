#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace vgsim::scenario {

/// To twelve digits: what lies beyond may differ between libraries of mathematics.
[[nodiscard]] double to_twelve_digits(double value);

/// Of all numbers of a layout's result with their places, to nine digits: two results that tell
/// the same have the same. What only says how the engine worked does not count.
[[nodiscard]] std::string result_fingerprint(const nlohmann::ordered_json& layout);

/// Of a text, in the same form.
[[nodiscard]] std::string text_fingerprint(const std::string& text);

}  // namespace vgsim::scenario
