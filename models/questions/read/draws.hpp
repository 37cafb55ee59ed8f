#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "models/questions/read/bounds.hpp"
#include "models/scenario/read/overrides.hpp"

namespace vgsim::scenario {

/// The distribution of one place.
struct DrawnPlace {
  enum class How { kReal, kWhole };

  std::string pointer;
  std::variant<std::vector<input::Value>, Bounds> from;  ///< equally likely choices, or an interval
  How how = How::kReal;                                  ///< within an interval
};

/// Random draws over several places. Draw `k` of a place depends only on the seed, its pointer and
/// `k`, not on other places or the number of draws.
struct Draws {
  std::uint64_t count = 1;
  std::uint64_t seed = 1;
  std::vector<DrawnPlace> places;

  /// Draw `k` of all places, from 0 to count - 1.
  [[nodiscard]] std::vector<Override> at(std::uint64_t k) const;
};

/// Reads "random" (checked against draws_shape()). Errors: E641 of Bounds; E642 unless a place has
/// exactly one distribution.
[[nodiscard]] Draws read_draws(const input::Value& value, input::Diagnostics& diagnostics);

[[nodiscard]] input::Shape draws_shape();

}  // namespace vgsim::scenario
