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

/// Variants of one scenario: a grid, with random draws at each point.
///
/// Points are numbered from 0. The first place of the grid varies slowest, then the others, sets of
/// "together", and draws fastest. Memory does not depend on the number of points.
struct Sweep {
  std::string name;
  input::Value scenario;  ///< name of a file in the sweep's folder, or an object
  std::vector<Axis> grid;
  std::optional<Draws> draws;
  std::vector<input::Value> layouts;  ///< layouts to run, in any order; empty: all
  std::vector<std::string> metrics;   ///< figures to keep, in this order; empty: all
  std::uint64_t points = 1;
  /// Draws of the uncertain parameters at each point, for intervals and differences; 0: none.
  std::uint64_t interval_draws = 0;

  /// Every place set by any point, each once, in file order.
  [[nodiscard]] std::vector<std::string> pointers() const;
};

/// Reads a document of sweep_shape(). Errors: violations of the shape, E641 and E642 of axis.hpp
/// and draws.hpp, E643 for a place swept twice, E644 beyond 10^12 points, E646 for unknown figures.
[[nodiscard]] tl::expected<Sweep, input::Diagnostics> read_sweep(const input::Value& document);

/// The scenario of a sweep, with only its layouts. Errors: E645 for unknown layouts, unknown keys,
/// and E647 with the reasons if none of up to 64 points, spread over the sweep, is a valid
/// scenario.
[[nodiscard]] tl::expected<Document, input::Diagnostics> base_of(const Sweep& sweep,
                                                                 const Document& scenario);

/// The settings of point `index`, a function of only the sweep and the index.
[[nodiscard]] std::vector<Override> overrides_of(const Sweep& sweep, std::uint64_t index);

[[nodiscard]] input::Shape sweep_shape();

}  // namespace vgsim::scenario
