#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "sim/units.hpp"

namespace vgsim {

/// Remembers the states of a run at the ends of its last iterations, to notice when one comes
/// back. States are compared word for word, so a hash can never fool it.
class Repetition {
 public:
  struct Seen {
    std::uint64_t iteration = 0;
    SimTime time{};
  };

  /// When the state was seen before, if it was, the latest time; else remembers it.
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
  /// The longest period that is found. Steps that differ come from the rounding of ends to
  /// ticks, whose pattern repeats after as many iterations as a rate's denominator has parts.
  static constexpr std::size_t kRemembered = 8;

  struct State {
    std::vector<std::uint64_t> words;
    Seen seen;
  };
  std::deque<State> states_;
};

}  // namespace vgsim
