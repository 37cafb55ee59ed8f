#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/build/run_settings.hpp"
#include "models/scoring/kinds/collective_case.hpp"
#include "sim/units.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::scoring {

/// A time and the interval that holds 90 % of the measurements.
struct TimeInterval {
  SimTime time{};
  SimTime low{};
  SimTime high{};
};

/// What the model says of one point of a case.
struct PredictedPoint {
  TimeInterval chosen;               ///< with the algorithm that NCCL is thought to choose
  std::optional<TimeInterval> ring;  ///< both only where the case's algorithm is unknown
  std::optional<TimeInterval> tree;
  double bus_factor = 0.0;  ///< busbw over algbw of this collective
};

struct CollectivePrediction {
  std::string collective;  ///< "all_reduce"
  std::size_t ranks = 0;
  std::size_t nodes = 0;               ///< machines: VMs, or hosts without VMs
  std::vector<PredictedPoint> points;  ///< as in the case
  std::int64_t gpus_per_thread = 1;    ///< that one thread of the host launches for
};

/// Runs the scenario of a case at the sizes of its points. `load` hands over files by their path
/// relative to the case. Errors are those of the scenario, and what keeps it from being compared:
/// several layouts, a job that is no collective or that has one rank.
/// Throws what run_scenario() throws.
[[nodiscard]] tl::expected<CollectivePrediction, input::Diagnostics> predict(
    const CollectiveCase& measured, const scenario::Library& library, const input::FileLoader& load,
    const scenario::RunSettings& settings = {});

/// Compares the points of a case, a series of times in seconds, with their predictions. A measured
/// rate becomes a time by the definition of that rate. Where the algorithm is unknown, the error is
/// 0 between the predictions for ring and tree, else from the nearer one, and the interval is over
/// both.
[[nodiscard]] Prediction compare(const CollectiveCase& measured,
                                 const CollectivePrediction& predicted);

}  // namespace vgsim::scoring
