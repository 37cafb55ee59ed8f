#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "models/calibration/logs/log_lines.hpp"

namespace vgsim::calibration::logs {

/// A number up to `most`, if the text is one and nothing else.
[[nodiscard]] inline std::optional<std::size_t> number_in(std::string_view text, std::size_t most) {
  const auto number = parse<std::size_t>(text);
  return number && *number <= most ? number : std::nullopt;
}

/// What stands before the sign; the text is then what stands behind it.
inline std::string_view cut_at(std::string_view& text, std::string_view sign) {
  const std::size_t at = text.find(sign);
  const std::string_view head = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + sign.size());
  return head;
}

}  // namespace vgsim::calibration::logs
