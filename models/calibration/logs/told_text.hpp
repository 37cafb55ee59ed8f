#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "topology/input/text_cells.hpp"

namespace vgsim::calibration::logs {

/// A name or a word of a log, safe to print and at most 255 bytes long.
[[nodiscard]] inline std::string told_text(std::string_view text) {
  constexpr std::size_t kMost = 255;
  std::string shown = input::printable(text.substr(0, kMost));
  if (shown.size() <= kMost) return shown;
  shown.resize(kMost);
  while (!shown.empty() && input::find_invalid_utf8(shown) < shown.size()) shown.pop_back();
  return shown;
}

}  // namespace vgsim::calibration::logs
