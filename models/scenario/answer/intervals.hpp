#pragma once

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

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
