#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/questions/read/bounds.hpp"
#include "models/scenario/read/overrides.hpp"

namespace vgsim::scenario {

/// Values at equal steps between two bounds, both included.
struct Steps {
  Bounds bounds;
  std::uint64_t count = 2;
};

/// The values of one place.
struct PlaceValues {
  std::string pointer;
  std::variant<std::vector<input::Value>, Steps> values;
};

/// Sets of values of several places.
using ValueSets = std::vector<std::vector<Override>>;

/// One dimension of a grid.
struct Axis {
  std::variant<PlaceValues, ValueSets> what;

  [[nodiscard]] std::uint64_t size() const;
  /// The settings of step `k`, from 0 to size() - 1.
  [[nodiscard]] std::vector<Override> at(std::uint64_t k) const;
  /// All places set by any step, each once.
  [[nodiscard]] std::vector<std::string> pointers() const;
};

/// Reads a member of "vary" (checked against vary_shape()): a list of values, or bounds and a
/// number of steps. Errors: E641 of Bounds, and steps with equal values.
[[nodiscard]] std::optional<Axis> read_vary(const input::Member& member,
                                            input::Diagnostics& diagnostics);

/// Reads "together" (checked against together_shape()).
[[nodiscard]] Axis read_together(const input::Value& value);

[[nodiscard]] input::Shape vary_shape();
[[nodiscard]] input::Shape together_shape();

/// A JSON pointer into a scenario, see overrides.hpp.
[[nodiscard]] input::Shape pointer_shape();

}  // namespace vgsim::scenario
