#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/questions/read/sweep.hpp"
#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/answer/relative_time.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// The result of one layout at a point.
struct PointLayout {
  std::string name;
  bool refused = false;            ///< by vSphere: nothing was simulated
  std::vector<Metric> metrics;     ///< figures kept by the sweep
  std::vector<std::string> rules;  ///< rules of its warnings and refusals, each once
  std::string fingerprint;         ///< empty if refused
  DrawnTime time = {};             ///< with draws
  /// From a reference point, with draws; see add_differences().
  std::optional<RelativeTime> difference = {};
};

/// Why a point has no result.
enum class PointFailure {
  kInput,    ///< invalid scenario
  kLimit,    ///< stopped by a limit: too large, or never ending
  kInternal  ///< a bug
};

[[nodiscard]] const char* to_string(PointFailure failure);

/// The result of a point: layouts, or a failure with its reasons.
struct PointResult {
  std::vector<Override> set;
  std::vector<PointLayout> layouts;
  std::optional<PointFailure> failure;
  std::vector<std::string> reasons;
};

/// The prepared base scenario, for reuse by run_point(); nothing if it cannot be prepared.
[[nodiscard]] std::optional<PreparedScenario> prepare_base(const Document& base,
                                                           const Library& library,
                                                           const input::FileLoader& load,
                                                           const RunSettings& settings);

/// Runs point `index` of a scenario of base_of(), with `draws` draws for intervals. Throws only
/// std::bad_alloc: all other failures are results. `like`: see prepare().
///
/// With `hosts_down` it runs a second time, now with that many failures of hosts of the job, near
/// its end and when most work is lost. Jobs that HA cannot restart do not survive one.
[[nodiscard]] PointResult run_point(const Sweep& sweep, const Document& base, std::uint64_t index,
                                    const Library& library, const input::FileLoader& load,
                                    const RunSettings& settings,
                                    const PreparedScenario* like = nullptr, std::uint64_t draws = 0,
                                    std::int64_t hosts_down = 0);

/// Adds the difference of each layout from the same one of `reference`, if both have draws: also as
/// figures more_than_first, more_than_first_low and more_than_first_high.
void add_differences(const PointResult& reference, PointResult& point);

}  // namespace vgsim::scenario
