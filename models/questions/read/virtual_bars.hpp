#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/questions/read/training_bars.hpp"
#include "models/questions/read/virtual_case.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/origin.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scenario {

inline constexpr const char* kVirtualBarsFormat = "vgsim.virtual-bars/1";

/// Errors of the points of one kind of case, and of the null model on the same points.
struct VirtualErrors {
  std::string kind;
  std::vector<double> errors;
  std::vector<double> null_errors;
  std::size_t not_run = 0;
  /// Pairs of alternatives in a series whose values differ by more than the noise, and those of
  /// them that are predicted in the same order.
  std::size_t pairs = 0;
  std::size_t in_order = 0;
};

/// By kind, in the order of their names.
[[nodiscard]] std::vector<VirtualErrors> errors_of(
    const std::vector<VirtualCase>& cases,
    const std::vector<std::vector<std::vector<VirtualScore>>>& scores);

struct VirtualBars {
  std::vector<input::Named<TrainingLimits>> kinds;
  double in_order = 0;      ///< least share of pairs, over all kinds
  std::size_t not_run = 0;  ///< points that may fail to run
};

/// A file of bars for virtual cases.
[[nodiscard]] input::Shape virtual_bars_shape();

/// Reads such a file, strictly.
[[nodiscard]] tl::expected<VirtualBars, input::Diagnostics> read_virtual_bars(
    const input::SourcePtr& file);

/// A sentence for each bar that was missed.
[[nodiscard]] std::vector<std::string> missed_virtual_bars(const std::vector<VirtualErrors>& errors,
                                                           const VirtualBars& bars);

}  // namespace vgsim::scenario
