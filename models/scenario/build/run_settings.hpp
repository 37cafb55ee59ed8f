#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/collectives/fidelity.hpp"
#include "models/scenario/build/job_pace.hpp"
#include "sim/engine.hpp"

namespace vgsim::scenario {

class KnownSteps;  // same_step.hpp

/// One of several draws of all uncertain parameters.
struct ParameterDraw {
  std::uint64_t index{};
  std::uint64_t count{};
  std::uint64_t seed{};
};

/// Settings of a run. Only `fidelity` and `seed` change the simulated system.
struct RunSettings {
  bool use_symmetry = true;  ///< simulate classes of equivalent ranks and links once
  bool find_repeat = true;   ///< skip iterations that repeat earlier ones
  /// Simulate the last iterations of an epoch, which no longer fetch input; otherwise they count
  /// like the others.
  bool epoch_end = true;
  std::optional<collectives::Fidelity> fidelity;  ///< overrides that of the job
  std::optional<std::uint64_t> seed;              ///< overrides that of the scenario
  std::uint64_t seeds = 1;                        ///< number of runs with consecutive seeds
  std::optional<ParameterDraw> draw;  ///< of the uncertain parameters; default: their values
  /// Replaced parameters (calibration::Uncertain); they override draws and calibrations.
  std::map<std::string, double> parameters;
  /// LayoutResult::hidden_traffic by layout; replaces the run that determines it.
  std::map<std::string, std::vector<SimTime>> hidden_traffic;
  /// Pace of the first job beside the others by layout; replaces the run of the other jobs.
  std::map<std::string, JobPace> paces;
  bool record = false;     ///< record the steady iteration and the load of links
  bool next_limit = true;  ///< find the next bottleneck (another simulation)
  /// Compute only times: no link loads, bottleneck or scaling efficiency.
  bool only_times = false;
  bool note_inputs = true;  ///< record the inputs of the result
  /// Called before each simulated step with its tasks and links, including those of seeds and
  /// next_limit; if it returns false, the run throws StepNotWanted.
  std::function<bool(const TaskGraph&, const Network&)> wants_step;
  std::shared_ptr<KnownSteps> learned_steps;      ///< receives each simulated step
  std::shared_ptr<const KnownSteps> known_steps;  ///< steps that need no simulation
  Limits limits;
  std::optional<std::uint64_t> memory_limit;  ///< bytes; compared with an estimate before the run
  std::function<void(const Progress&)> report;
};

}  // namespace vgsim::scenario
