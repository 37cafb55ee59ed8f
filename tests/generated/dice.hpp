#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace vgsim::generated {

/// Draws in a row, the same on every machine: see sim/random.hpp.
class Dice {
 public:
  Dice(std::string_view what, std::uint64_t seed, std::uint64_t number);

  [[nodiscard]] std::uint64_t below(std::uint64_t count);                   ///< 0 to count - 1
  [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high);  ///< both included
  [[nodiscard]] bool chance(double share);
  /// Throws std::out_of_range where there is nothing to choose from.
  template <class T>
  [[nodiscard]] const T& pick(const std::vector<T>& choices) {
    return choices.at(below(choices.empty() ? 1 : choices.size()));
  }

 private:
  std::uint64_t stream_;
  std::uint64_t index_ = 0;
};

}  // namespace vgsim::generated
