#include "tools/cli/check/baseline_check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "models/questions/read/document_changes.hpp"
#include "models/questions/read/document_values.hpp"
#include "models/scenario/read/layouts.hpp"
#include "topology/input/error_codes.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::cli {
namespace {

using scenario::Baseline;
using scenario::Finding;
using scenario::FindingKind;
using scenario::Tolerances;

tl::expected<Baseline, input::Diagnostics> load_baseline(const std::string& path) {
  const auto file = input::load_source(path);
  if (!file) return tl::unexpected(file.error());
  return scenario::read_baseline(*file);
}

/// The baseline file of each scenario; an error if two scenarios would share one.
std::vector<std::string> names_for(const BaselineFolder& folder,
                                   const std::vector<ScenarioFile>& files,
                                   input::Diagnostics& diagnostics) {
  std::vector<std::string> names;
  std::map<std::string, std::string> owners;
  for (const ScenarioFile& file : files) {
    names.push_back(folder.name_for(file));
    const auto [owner, is_new] = owners.emplace(names.back(), file.path);
    if (is_new) continue;
    diagnostics.error(input::codes::kNameTwice.code, {}, "",
                      fmt::format("{} and {} would share the baseline {}", owner->second, file.path,
                                  folder.path_of(names.back())),
                      "one folder that holds both");
  }
  return names;
}

bool exists(const BaselineFolder& folder, const std::string& name) {
  return std::binary_search(folder.names().begin(), folder.names().end(), name);
}

input::Location location_for(const CheckedScenario& scenario, const ScenarioFile& file,
                             const std::string& layout) {
  const auto same = std::find_if(scenario.layouts.begin(), scenario.layouts.end(),
                                 [&](const CheckedLayout& each) { return each.name == layout; });
  if (same != scenario.layouts.end()) return same->location;
  return file.document->location_of(layout);
}

void add_drift(const ScenarioFile& file, const Baseline& before, const Tolerances& tolerances,
               CheckedRun& run) {
  CheckedScenario& scenario = run.scenario;
  auto drift = scenario::drift_of(before, *run.now, run.figures, tolerances);
  for (Finding& finding : drift.findings) {
    const auto& left_out = run.left_out;
    if (std::find(left_out.begin(), left_out.end(), finding.layout) != left_out.end()) continue;
    finding.location = location_for(scenario, file, finding.layout);
    scenario.findings.push_back(std::move(finding));
  }
  scenario.figures = drift.figures;
  scenario.inputs = std::move(drift.inputs);
  scenario.scenario_changed = drift.scenario_changed;
  scenario.keys = std::move(drift.keys);
}

/// The finding of a missing baseline, or of one without a scenario.
Finding baseline_finding(std::string what, std::string remedy, input::Location location) {
  Finding finding;
  finding.kind = FindingKind::kDrift;
  finding.figure = "baseline";
  finding.found = std::move(what);
  finding.words = std::move(remedy);
  finding.location = std::move(location);
  return finding;
}

/// Changed keys of the scenario; machines with the same changes are grouped. Settings of single
/// layouts are left out.
std::vector<scenario::InputChange> keys_that_were_set(const scenario::Document& before,
                                                      const scenario::Document& now) {
  input::Diagnostics none;
  std::vector<scenario::InputChange> keys;
  for (auto& change : scenario::document_changes(scenario::with_single_names(before, none),
                                                 scenario::with_single_names(now, none))) {
    keys.push_back({std::move(change.pointer), std::move(change.before), std::move(change.after)});
  }
  return keys;
}

/// Compares one scenario, unless it failed to run.
void compare(const BaselineFolder& folder, const std::string& name, const ScenarioFile& file,
             const Tolerances& tolerances, bool update, CheckedRun& run) {
  if (!run.now) return;
  if (!exists(folder, name)) {
    run.scenario.baseline = BaselineState::kMissing;
    if (update) return;
    run.scenario.findings.push_back(
        baseline_finding(fmt::format("{} is missing", folder.path_of(name)), "--update writes it",
                         location_for(run.scenario, file, "")));
    return;
  }
  auto before = load_baseline(folder.path_of(name));
  if (!before) {
    run.scenario.errors.append(before.error());
    return;
  }
  const bool is_of_the_file =
      file.as_written && scenario::simulated_fingerprint(*file.as_written) == before->document;
  if (is_of_the_file) before->values = scenario::simulated_values(*file.as_written);
  run.scenario.baseline = BaselineState::kCompared;
  add_drift(file, *before, tolerances, run);
  if (!is_of_the_file) return;
  auto keys = keys_that_were_set(*file.as_written, *file.document);
  if (!keys.empty()) run.scenario.keys = std::move(keys);
}

/// Reports a baseline without a scenario as a separate scenario.
void add_gone(const BaselineFolder& folder, const std::string& name, bool update,
              std::vector<CheckedRun>& runs) {
  CheckedRun& run = runs.emplace_back();
  CheckedScenario& scenario = run.scenario;
  scenario.path = folder.path_of(name);
  const auto baseline = load_baseline(scenario.path);
  if (!baseline) {
    scenario.errors = baseline.error();
    return;
  }
  scenario.name = baseline->scenario;
  if (update) return;
  scenario.findings.push_back(baseline_finding("its scenario no longer exists",
                                               "--update removes it",
                                               {input::make_source(scenario.path, ""), 0, 1}));
}

/// Names of all figures: of the results, and of the baselines.
std::vector<std::string> known_figures(const BaselineFolder& folder,
                                       const std::vector<CheckedRun>& runs) {
  std::vector<std::string> known;
  for (const CheckedRun& run : runs) {
    for (const auto& layout : run.figures) {
      for (const auto& metric : layout.metrics) known.push_back(metric.name);
    }
  }
  for (const std::string& name : folder.names()) {
    const auto baseline = load_baseline(folder.path_of(name));
    if (!baseline) continue;
    for (const auto& [layout, kept] : baseline->layouts) {
      for (const auto& [figure, value] : kept.figures) known.push_back(figure);
    }
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return known;
}

Tolerances read_tolerances(const BaselineFolder& folder, std::optional<double> fallback,
                           const std::vector<CheckedRun>& runs, input::Diagnostics& diagnostics) {
  auto tolerances = folder.tolerances();
  if (!tolerances) {
    diagnostics.append(tolerances.error());
    return {};
  }
  if (!tolerances->figures.empty()) {
    scenario::check_names(*tolerances, known_figures(folder, runs), diagnostics);
  }
  if (fallback) tolerances->fallback = *fallback;
  return *tolerances;
}

/// Writes changed baselines and notes which they are.
void write(const BaselineFolder& folder, const std::vector<std::string>& names,
           const std::vector<std::string>& gone, std::vector<CheckedRun>& runs) {
  std::map<std::string, std::string> texts;
  for (std::size_t r = 0; r < names.size(); ++r) {
    const std::string text = scenario::to_json(*runs[r].now);
    BaselineState& state = runs[r].scenario.baseline;
    if (!exists(folder, names[r])) {
      state = BaselineState::kNew;
    } else {
      const auto before = input::load_source(folder.path_of(names[r]));
      const bool is_same = before && (*before)->text == text;
      state = is_same ? BaselineState::kSame : BaselineState::kUpdated;
    }
    if (state != BaselineState::kSame) texts[names[r]] = text;
  }
  folder.replace(texts, gone);
  for (std::size_t r = names.size(); r < runs.size(); ++r) {
    runs[r].scenario.baseline = BaselineState::kRemoved;
  }
}

}  // namespace

void check_baselines(const BaselineFolder& folder, const std::vector<ScenarioFile>& files,
                     std::optional<double> fallback, bool update, std::vector<CheckedRun>& runs,
                     input::Diagnostics& diagnostics) {
  const std::vector<std::string> names = names_for(folder, files, diagnostics);
  const Tolerances tolerances = read_tolerances(folder, fallback, runs, diagnostics);
  if (diagnostics.has_errors()) return;
  for (std::size_t f = 0; f < files.size(); ++f) {
    compare(folder, names[f], files[f], tolerances, update, runs[f]);
  }
  const std::vector<std::string> gone = without_scenario(folder, files, names);
  for (const std::string& name : gone) add_gone(folder, name, update, runs);
  if (!update) return;
  const bool all_sound = std::all_of(runs.begin(), runs.end(), [](const CheckedRun& run) {
    return !run.scenario.errors.has_errors() && run.scenario.limit.empty();
  });
  if (all_sound) write(folder, names, gone, runs);
}

}  // namespace vgsim::cli
