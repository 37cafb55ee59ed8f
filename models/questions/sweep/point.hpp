#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/questions/read/sweep.hpp"
#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// What a point says of one layout.
struct PointLayout {
  std::string name;
  bool refused = false;            ///< by vSphere: nothing was simulated
  std::vector<Metric> metrics;     ///< those that the sweep wants
  std::vector<std::string> rules;  ///< of its warnings and refusals, each once
  std::string fingerprint;         ///< empty where it was refused
};

/// Why a point has no result.
enum class PointFailure {
  kInput,    ///< it is no valid scenario
  kLimit,    ///< it cannot be run to an end: too large, or waiting for ever
  kInternal  ///< a bug
};

[[nodiscard]] const char* to_string(PointFailure failure);

/// What came of a point: layouts, or a failure with its reasons.
struct PointResult {
  std::vector<Override> set;
  std::vector<PointLayout> layouts;
  std::optional<PointFailure> failure;
  std::vector<std::string> reasons;
};

/// The base itself, prepared, for run_point() to take what a point leaves as it is; nothing where
/// it does not run.
[[nodiscard]] std::optional<PreparedScenario> prepare_base(const Document& base,
                                                           const Library& library,
                                                           const input::FileLoader& load,
                                                           const RunSettings& settings);

/// Runs point `index` over a scenario of base_of(), with so many draws for intervals. Throws
/// std::bad_alloc alone: everything else that ends a run is a result. `like`: see prepare().
[[nodiscard]] PointResult run_point(const Sweep& sweep, const Document& base, std::uint64_t index,
                                    const Library& library, const input::FileLoader& load,
                                    const RunSettings& settings,
                                    const PreparedScenario* like = nullptr,
                                    std::uint64_t draws = 0);

}  // namespace vgsim::scenario
