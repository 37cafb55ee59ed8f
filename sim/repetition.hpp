#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "sim/units.hpp"

namespace vgsim {

/// Detects a periodic state: stores the states at the ends of the last iterations and compares them
/// word for word.
class Repetition {
 public:
  struct Seen {
    std::uint64_t iteration = 0;
    SimTime time{};
  };

  /// The latest earlier occurrence of the state; otherwise stores it and returns nothing.
  std::optional<Seen> find_or_add(std::vector<std::uint64_t> state, std::uint64_t iteration,
                                  SimTime time) {
    for (auto it = states_.rbegin(); it != states_.rend(); ++it) {
      if (it->words == state) return it->seen;
    }
    if (states_.size() == kRemembered) states_.pop_front();
    states_.push_back({std::move(state), {iteration, time}});
    return std::nullopt;
  }

 private:
  /// The longest period that is detected. Iterations differ when ends are rounded to ticks; the
  /// pattern repeats after as many iterations as the denominator of a rate.
  static constexpr std::size_t kRemembered = 8;

  struct State {
    std::vector<std::uint64_t> words;
    Seen seen;
  };
  std::deque<State> states_;
};

}  // namespace vgsim
