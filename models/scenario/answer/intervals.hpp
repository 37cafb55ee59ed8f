#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/scenario/answer/computed_parts.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// Default number of draws of the uncertain parameters.
inline constexpr std::uint64_t kUsualDraws = 20;

/// The default number of draws: kUsualDraws if they take seconds at most, otherwise 0. Depends only
/// on the simulated work, so that the same scenario always gives the same answer.
[[nodiscard]] std::uint64_t usual_draws(const ScenarioResult& result);

/// Runs a scenario again with `draws` draws of the uncertain parameters and of the model errors
/// (model_error.hpp), the same for all layouts. Adds to each layout its times in all draws, and to
/// each training result the 90 % interval. Draws that cannot run are ignored; draws cut off by a
/// limit are counted. With `parts` each draw is a part.
void add_intervals(const PreparedScenario& prepared, const Library& library,
                   const input::FileLoader& load, const RunSettings& settings, std::uint64_t draws,
                   ScenarioResult& result, ComputedParts* parts = nullptr);

/// Draws [begin, end) of `count`.
struct SomeDraws {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t count = 0;
};

/// The times of the first layout in some draws, by which layouts are compared, to add to
/// LayoutResult::drawn_s. `result` is that of `prepared`.
[[nodiscard]] std::vector<std::optional<double>> drawn_times(
    const PreparedScenario& prepared, const Library& library, const input::FileLoader& load,
    const RunSettings& settings, const SomeDraws& draws, const ScenarioResult& result,
    ComputedParts* parts = nullptr);

}  // namespace vgsim::scenario
