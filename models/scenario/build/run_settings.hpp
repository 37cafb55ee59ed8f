#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/collectives/fidelity.hpp"
#include "sim/engine.hpp"

namespace vgsim::scenario {

/// One of several draws of all uncertain parameters.
struct ParameterDraw {
  std::uint64_t index{};
  std::uint64_t count{};
  std::uint64_t seed{};
};

/// How to run a scenario; none of it changes what is simulated, but `fidelity` and `seed`.
struct RunSettings {
  bool use_symmetry = true;  ///< simulate classes of alike ranks and links once
  bool find_repeat = true;   ///< leave out iterations that repeat earlier ones
  /// Simulate the last iterations of an epoch, which fetch nothing any more; else they count as any
  /// others, and what an iteration waits for is seen earlier.
  bool epoch_end = true;
  std::optional<collectives::Fidelity> fidelity;  ///< instead of the job's own
  std::optional<std::uint64_t> seed;              ///< instead of the scenario's own
  std::uint64_t seeds = 1;                        ///< how many runs, of as many seeds in a row
  std::optional<ParameterDraw> draw;              ///< of the uncertain parameters; else as they are
  /// Parameters at other values, as calibration::Uncertain has them; these go before draws and
  /// calibrations.
  std::map<std::string, double> parameters;
  /// By layout, as LayoutResult has it: instead of a run that finds how much traffic is hidden.
  std::map<std::string, std::vector<SimTime>> hidden_traffic;
  bool record = false;     ///< keep what happens in the steady iteration, and on which link
  bool next_limit = true;  ///< find what would limit next, which takes another simulation
  /// Tell how long things take and nothing else of a run: not what links carry, what holds it back,
  /// how well it scales.
  bool only_times = false;
  bool note_inputs = true;  ///< list what the result rests on
  /// Asked before each step is simulated, with its tasks and links: where it says no, the run ends
  /// with StepNotWanted. Steps of seeds and of next_limit are asked for as well.
  std::function<bool(const TaskGraph&, const Network&)> wants_step;
  Limits limits;
  std::optional<std::uint64_t> memory_limit;  ///< bytes; compared with an estimate before the run
  std::function<void(const Progress&)> report;
};

}  // namespace vgsim::scenario
