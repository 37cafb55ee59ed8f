#pragma once

#include <cstdint>

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// Draws of the uncertain parameters where nobody says how many.
inline constexpr std::uint64_t kUsualDraws = 20;

/// So many where they take seconds at most, else none. This is judged by what was simulated, so
/// that the same scenario always gives the same answer.
[[nodiscard]] std::uint64_t usual_draws(const ScenarioResult& result);

/// Runs a scenario again, from the files that it was prepared with, and with so many draws of the
/// uncertain parameters, the same for all layouts, and adds to each layout its times, to each
/// training result the interval that holds nine draws in ten, and to the whole in how many draws
/// the order of the layouts stays as it is. What jobs of a kind miss (misfit.hpp) is in intervals
/// and not in the order, since layouts share it. A draw with which the scenario cannot run counts
/// for nothing; one that a limit cuts off is counted as such.
void add_intervals(const PreparedScenario& prepared, const Library& library,
                   const input::FileLoader& load, const RunSettings& settings, std::uint64_t draws,
                   ScenarioResult& result);

}  // namespace vgsim::scenario
