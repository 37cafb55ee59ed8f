#include "tools/cli/compare/subjects.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "models/scenario/layout_time.hpp"
#include "models/scenario/layouts.hpp"
#include "models/scenario/result_json.hpp"
#include "tools/cli/run_scenario_input.hpp"
#include "tools/cli/scenario_input.hpp"
#include "topology/input/load_source.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::cli {
namespace {

using input::Diagnostics;
using Json = nlohmann::ordered_json;

struct SubjectWord {
  std::string file;
  std::optional<std::string> layout;
};

/// A "#" may also be part of a file's name.
SubjectWord read_argument(const std::string& text) {
  const std::size_t hash = text.rfind('#');
  std::error_code error;
  if (hash == std::string::npos || std::filesystem::exists(text, error)) return {text, {}};
  return {text.substr(0, hash), text.substr(hash + 1)};
}

/// The result in a file of one, or nothing.
std::optional<Json> saved_result(const std::string& file) {
  const auto source = input::load_source(file);
  if (!source) return std::nullopt;
  Json document = Json::parse((*source)->text, nullptr, false);
  const bool is_one = document.is_object() && document.value("schema", "") == "vgsim.result/1" &&
                      document.contains("layouts") && document["layouts"].is_object();
  return is_one ? std::optional(std::move(document)) : std::nullopt;
}

/// A result, and the layouts that it was made of where it is a new one.
struct FoundResult {
  Json json;
  std::vector<scenario::LayoutResult> layouts;
};

tl::expected<FoundResult, Diagnostics> result_of(const SubjectWord& argument,
                                                 const ScenarioInput& scenario,
                                                 const std::optional<std::uint64_t>& draws,
                                                 const scenario::Library& library) {
  if (scenario.settings.empty()) {
    if (auto saved = saved_result(argument.file)) return FoundResult{*std::move(saved), {}};
  }
  auto result = run_input(scenario, library, draws);
  if (!result) return tl::unexpected(result.error());
  Json json = Json::parse(scenario::to_json(*result));
  return FoundResult{std::move(json), std::move(result->layouts)};
}

/// Seconds of a sample, or of the largest size.
std::optional<double> time_of_saved(const std::vector<scenario::Metric>& metrics) {
  std::optional<double> time;
  for (const scenario::Metric& metric : metrics) {
    if (metric.name == "samples_per_s" && metric.value > 0.0) return 1.0 / metric.value;
    if (metric.name.starts_with("time_s@")) time = metric.value;  // sizes ascend
  }
  return time;
}

void add_times(const FoundResult& result, Subject& subject) {
  subject.time_s = time_of_saved(subject.metrics);
  for (const scenario::LayoutResult& layout : result.layouts) {
    if (layout.name != subject.name) continue;
    subject.time_s = scenario::compared_time(layout);
    subject.drawn_s = layout.drawn_s;
    subject.is_new = true;
  }
}

std::vector<Subject> subjects_in(const SubjectWord& argument, const ScenarioInput& scenario,
                                 const FoundResult& result, Diagnostics& diagnostics) {
  Diagnostics ignored;
  std::vector<Subject> subjects;
  const auto layouts = scenario::read_layouts(scenario.document, ignored);
  std::vector<std::string> names;
  for (const auto& [name, layout] : result.json.at("layouts").items()) {
    names.push_back(name);
    if (argument.layout && *argument.layout != name) continue;
    Subject subject{argument.file, name, "", {}, layout, scenario::metrics_of(layout), {}, {},
                    false};
    add_times(result, subject);
    const auto own = std::find_if(layouts.begin(), layouts.end(),
                                  [&, &wanted = name](const auto& e) { return e.name == wanted; });
    if (own != layouts.end()) subject.value = own->value;
    subjects.push_back(std::move(subject));
  }
  if (subjects.empty()) {
    diagnostics.error(
        "E633", {}, "",
        fmt::format("{} has no layout \"{}\"", argument.file, argument.layout.value_or("")),
        fmt::format("one of: {}", fmt::join(names, ", ")),
        input::suggest(argument.layout.value_or(""), names));
  }
  return subjects;
}

/// Saved results do not tell what interrupts a training, nor draws: beside one of them no other's
/// count either.
void compare_alike(std::vector<Subject>& subjects) {
  const bool all_new = std::all_of(subjects.begin(), subjects.end(),
                                   [](const Subject& each) { return each.is_new; });
  if (all_new) return;
  for (Subject& each : subjects) {
    each.time_s = time_of_saved(each.metrics);
    each.drawn_s.clear();
  }
}

/// What tells them apart: the layout, the file, or both.
void name_subjects(std::vector<Subject>& subjects) {
  std::set<std::string> names;
  std::set<std::string> files;
  for (const Subject& each : subjects) {
    names.insert(each.name);
    files.insert(each.file);
  }
  for (Subject& each : subjects) {
    const std::string stem = std::filesystem::path(each.file).stem().string();
    each.label = names.size() == subjects.size()   ? each.name
                 : files.size() == subjects.size() ? stem
                                                   : fmt::format("{}#{}", stem, each.name);
  }
}

}  // namespace

tl::expected<std::vector<Subject>, Diagnostics> read_subjects(
    const std::vector<std::string>& arguments, const std::vector<std::string>& settings,
    const std::optional<std::uint64_t>& draws, const scenario::Library& library) {
  std::vector<Subject> subjects;
  Diagnostics diagnostics;
  for (const std::string& text : arguments) {
    const SubjectWord argument = read_argument(text);
    const auto scenario = read_scenario_input(argument.file, settings);
    if (!scenario) {
      diagnostics.append(scenario.error());
      continue;
    }
    const auto result = result_of(argument, *scenario, draws, library);
    if (!result) {
      diagnostics.append(result.error());
      continue;
    }
    for (Subject& each : subjects_in(argument, *scenario, *result, diagnostics)) {
      subjects.push_back(std::move(each));
    }
  }
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  compare_alike(subjects);
  name_subjects(subjects);
  return subjects;
}

}  // namespace vgsim::cli
