#include "tools/cli/run_scenario_input.hpp"

#include "models/scenario/answer/intervals.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "tools/machine/machine_memory.hpp"

namespace vgsim::cli {

tl::expected<scenario::ScenarioResult, input::Diagnostics> run_input(
    const ScenarioInput& input, const scenario::Library& library,
    const std::optional<std::uint64_t>& draws, scenario::RunSettings settings,
    std::optional<scenario::PreparedScenario>* kept) {
  if (!settings.memory_limit) settings.memory_limit = machine::machine_memory();
  auto prepared = scenario::prepare_scenario(input.document, library, input.load, settings);
  if (!prepared) return tl::unexpected(prepared.error());
  auto result = scenario::run(*prepared, settings);
  const std::uint64_t more = draws.value_or(scenario::usual_draws(result));
  if (more > 0) {
    scenario::add_intervals(*prepared, library, input.load, settings, more, result);
  }
  if (kept != nullptr) *kept = std::move(*prepared);
  return result;
}

}  // namespace vgsim::cli
