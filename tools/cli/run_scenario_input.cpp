#include "tools/cli/run_scenario_input.hpp"

#include "models/scenario/answer/intervals.hpp"
#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "tools/cli/machine_memory.hpp"

namespace vgsim::cli {

std::uint64_t usual_draws(const scenario::ScenarioResult& result) {
  constexpr std::uint64_t kMostEvents = 50'000;
  constexpr std::size_t kMostRanks = 64;
  std::uint64_t events = 0;
  std::size_t ranks = 0;
  for (const auto& layout : result.layouts) {
    events += scenario::events_again(layout);
    ranks += layout.ranks;
  }
  return events <= kMostEvents && ranks <= kMostRanks ? kUsualDraws : 0;
}

tl::expected<scenario::ScenarioResult, input::Diagnostics> run_input(
    const ScenarioInput& input, const scenario::Library& library,
    const std::optional<std::uint64_t>& draws, scenario::RunSettings settings,
    std::optional<scenario::PreparedScenario>* kept) {
  if (!settings.memory_limit) settings.memory_limit = machine_memory();
  auto prepared = scenario::prepare_scenario(input.document, library, input.load, settings);
  if (!prepared) return tl::unexpected(prepared.error());
  auto result = scenario::run(*prepared, settings);
  const std::uint64_t more = draws.value_or(usual_draws(result));
  if (more > 0) {
    scenario::add_intervals(*prepared, library, input.load, settings, more, result);
  }
  if (kept != nullptr) *kept = std::move(*prepared);
  return result;
}

}  // namespace vgsim::cli
