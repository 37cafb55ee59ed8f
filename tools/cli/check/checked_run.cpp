#include "tools/cli/check/checked_run.hpp"

#include <fmt/core.h>

#include <new>

#include "models/questions/read/expectations.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "sim/engine.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/layouts_apart.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {
namespace {

std::vector<std::string> ids_of(const vsphere::Rules& rules) {
  std::vector<std::string> ids;
  for (const auto& [id, rule] : rules) ids.push_back(id);
  return ids;
}

/// The result of the layouts without errors; errors of the others are noted.
tl::expected<scenario::ScenarioResult, input::Diagnostics> run_good_layouts(
    const ScenarioFile& file, const scenario::Library& library,
    const scenario::RunSettings& settings, CheckedRun& checked) {
  const input::FileLoader load = loader_relative_to(file.path);
  auto result = scenario::run_scenario(*file.document, library, load, settings);
  if (result) return result;
  const LayoutsApart apart = layouts_apart(*file.document, load, library);
  if (apart.complaints.empty()) return result;
  checked.left_out = apart.left_out();
  checked.scenario.errors = apart.errors_with_names();
  if (apart.good.empty()) return tl::unexpected(input::Diagnostics{});
  return scenario::run_scenario(file.document->with_layouts(apart.good), library, load, settings);
}

void run(const ScenarioFile& file, const scenario::Library& library,
         const scenario::RunSettings& settings, CheckedRun& checked) {
  const scenario::Document& document = *file.document;
  const auto result = run_good_layouts(file, library, settings, checked);
  if (!result) {
    checked.scenario.errors.append(result.error());
    return;
  }
  checked.scenario.name = result->name;
  checked.figures = scenario::figures_of(*result);
  for (const scenario::LayoutFigures& layout : checked.figures) {
    checked.scenario.layouts.push_back({layout.name, document.location_of(layout.name)});
  }
  auto judged =
      scenario::judge_expectations(document, checked.figures, checked.left_out,
                                   ids_of(library.vsphere->rules), checked.scenario.errors);
  checked.scenario.expectations = judged.expectations;
  checked.scenario.findings = std::move(judged.findings);
  checked.now = scenario::baseline_of(*result, checked.figures, document);
}

}  // namespace

CheckedRun run_checked(const ScenarioFile& file, const scenario::Library& library,
                       const scenario::RunSettings& settings) {
  CheckedRun checked;
  CheckedScenario& scenario = checked.scenario;
  scenario.path = file.path;
  scenario.errors = file.errors;
  if (!file.document) return checked;
  try {
    run(file, library, settings, checked);
  } catch (const OverflowError& error) {
    scenario.limit = fmt::format("a quantity is too large to simulate: {}", error.what());
  } catch (const LimitExceeded& error) {
    scenario.limit = error.what();
  } catch (const Stalled& error) {
    scenario.limit =
        fmt::format("the job never ends: from {} on it waits for links without capacity",
                    input::format_time(error.at()));
  } catch (const std::bad_alloc&) {
    scenario.limit = "out of memory";
  }
  return checked;
}

}  // namespace vgsim::cli
