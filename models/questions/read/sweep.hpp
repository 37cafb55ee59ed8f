#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/questions/read/axis.hpp"
#include "models/questions/read/draws.hpp"
#include "models/scenario/read/overrides.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::scenario {

/// Many variants of one scenario: a grid, and random draws at each point of it.
///
/// Points are numbered from 0. The grid's first place runs slowest, sets of "together" faster than
/// all single places, and draws fastest. Nothing is kept per point, so a sweep of 10^9 of them is
/// as small as one of ten.
struct Sweep {
  std::string name;
  input::Value scenario;  ///< name of a file beside the sweep's, or an object
  std::vector<Axis> grid;
  std::optional<Draws> draws;
  std::vector<input::Value> layouts;  ///< names of those to run, in any order; empty: all
  std::vector<std::string> metrics;   ///< those to keep, in this order; empty: all
  std::uint64_t points = 1;

  /// Every place that some point sets, each once, in the order of the file.
  [[nodiscard]] std::vector<std::string> pointers() const;
};

/// Reads a document of sweep_shape(). Errors: what does not fit the shape, E641 and E642 as
/// axis.hpp and draws.hpp have them, E643 where a place is swept twice, E644 beyond 10^12 points,
/// E646 for metrics that no result has.
[[nodiscard]] tl::expected<Sweep, input::Diagnostics> read_sweep(const input::Value& document);

/// A scenario that a sweep varies: with the layouts that the sweep wants only. Errors: E645 for
/// layouts that it does not have, keys that no scenario has, and E647 with what is wrong where none
/// of up to 64 points, spread over the sweep, is of the shape of a scenario.
[[nodiscard]] tl::expected<Document, input::Diagnostics> base_of(const Sweep& sweep,
                                                                 const Document& scenario);

/// What point `index` sets. A function of the sweep and the index alone.
[[nodiscard]] std::vector<Override> overrides_of(const Sweep& sweep, std::uint64_t index);

[[nodiscard]] input::Shape sweep_shape();

}  // namespace vgsim::scenario
