#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/questions/read/measured_case.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "sim/units.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// A time and the interval that should hold nine measurements in ten.
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

struct CasePrediction {
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
[[nodiscard]] tl::expected<CasePrediction, input::Diagnostics> predict(
    const MeasuredCase& measured, const Library& library, const input::FileLoader& load,
    const RunSettings& settings = {});

}  // namespace vgsim::scenario
