#pragma once

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace vgsim::vsphere {

/// The mode of that key. Throws std::out_of_range where none has it.
template <class Mode>
[[nodiscard]] const Mode& by_key(std::span<const Mode> modes, std::string_view key) {
  const auto found = std::find_if(modes.begin(), modes.end(), [&](const Mode& mode) {
    return mode.key != nullptr && mode.key == key;
  });
  if (found == modes.end()) throw std::out_of_range("no mode \"" + std::string(key) + '"');
  return *found;
}

}  // namespace vgsim::vsphere
