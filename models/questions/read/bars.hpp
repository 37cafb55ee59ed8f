#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/questions/score/score.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"

namespace vgsim::scenario {

/// A quantity of an ErrorSummary that a bar can be set for.
struct Quantity {
  const char* name;
  const char* meaning;
  double (*value)(const ErrorSummary&);
  bool at_most;  ///< else at least
  double least;  ///< that it can be
};
[[nodiscard]] const std::vector<Quantity>& quantities();

/// What the cases of a band must reach.
struct Bar {
  Band band = Band::kAll;
  Nodes nodes = Nodes::kOne;
  const Quantity* quantity = nullptr;
  double limit = 0.0;
};

/// A bar and what was reached instead; nothing where no case has points there.
struct MissedBar {
  Bar bar;
  std::optional<double> value;
};

/// A file of bars, `vgsim.bars/1`.
[[nodiscard]] input::Shape bars_shape();

/// Reads such a file, strictly.
[[nodiscard]] tl::expected<std::vector<Bar>, input::Diagnostics> read_bars(
    const input::SourcePtr& file);

[[nodiscard]] std::vector<MissedBar> missed_bars(const std::vector<ScoredCase>& cases,
                                                 const std::vector<Bar>& bars);

}  // namespace vgsim::scenario
