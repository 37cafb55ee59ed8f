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

/// The prediction of one point of a case.
struct PredictedPoint {
  TimeInterval time;        ///< with the algorithm that NCCL chooses in the modelled version
  double bus_factor = 0.0;  ///< busbw / algbw of this collective
};

struct CollectivePrediction {
  std::string collective;  ///< "all_reduce"
  std::size_t ranks = 0;
  std::size_t nodes = 0;               ///< machines: VMs, or hosts without VMs
  std::vector<PredictedPoint> points;  ///< in the order of the case
  std::string model_error = {};        ///< parameter
  std::size_t machines_like = 0;       ///< measured ones with this path and architecture
  std::string architecture = {};       ///< of the GPUs: "hopper"
  std::int64_t gpus_per_thread = 1;    ///< GPUs for which one host thread launches
};

/// Runs the scenario of a case at the sizes of its points. `load` reads files by their path
/// relative to the case. Errors: those of the scenario, several layouts, a job that is not a
/// collective or has a single rank. Throws the exceptions of run_scenario().
[[nodiscard]] tl::expected<CollectivePrediction, input::Diagnostics> predict(
    const CollectiveCase& measured, const scenario::Library& library, const input::FileLoader& load,
    const scenario::RunSettings& settings = {});

/// Compares the points of a case, a series of times in seconds, with their predictions. A measured
/// rate is converted to a time by its definition. If the algorithm is unknown, the error is 0
/// between the predictions for ring and tree, else it is relative to the nearer one, and the
/// interval covers both.
[[nodiscard]] Prediction compare(const CollectiveCase& measured,
                                 const CollectivePrediction& predicted);

}  // namespace vgsim::scoring
