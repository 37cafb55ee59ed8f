#include "tools/cli/compare/subjects.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "models/scenario/read/layouts.hpp"
#include "tools/cli/compare/subject_metrics.hpp"
#include "tools/cli/layouts_apart.hpp"
#include "tools/cli/run_scenario_input.hpp"
#include "tools/cli/scenario_input.hpp"
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
std::optional<Json> saved_result(const std::string& text) {
  Json document = Json::parse(text, nullptr, false);
  const auto is = [&](const char* key, const Json& value) {
    return document.contains(key) && document[key] == value;
  };
  const bool is_one = document.is_object() && is("schema", "vgsim.result/1") &&
                      document.contains("layouts") && document["layouts"].is_object();
  return is_one ? std::optional(std::move(document)) : std::nullopt;
}

/// A file and what came out of it: the layouts where it is a new result.
struct Compared {
  std::string file;
  std::vector<scenario::LayoutInput> inputs;
  Json result;
  std::vector<scenario::LayoutResult> layouts;
  std::vector<std::string> left_out;  ///< layouts that are wrong
};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

tl::expected<Compared, Diagnostics> read_compared(const std::string& file,
                                                  const SubjectsWanted& wanted,
                                                  const scenario::Library& library) {
  auto scenario = read_scenario_input(file, wanted.settings, wanted.layouts);
  if (!scenario) return tl::unexpected(scenario.error());
  Diagnostics ignored;
  Compared compared{
      scenario->path, scenario::read_layouts(scenario->document, library, ignored), {}, {}, {}};
  auto saved = wanted.settings.empty() ? saved_result(scenario->text) : std::nullopt;
  if (saved) {
    compared.result = std::move(*saved);
    return compared;
  }
  const std::vector<std::string> names = scenario->document.layouts();
  auto answer = ask_good_layouts(*scenario, library, [&](const ScenarioInput& asked) {
    return run_input(asked, library, wanted.draws);
  });
  if (!answer) return tl::unexpected(Diagnostics{});  // what is wrong has been written
  const std::vector<std::string> good = scenario->document.layouts();
  std::copy_if(names.begin(), names.end(), std::back_inserter(compared.left_out),
               [&](const std::string& name) { return !contains(good, name); });
  compared.result = Json::parse(scenario::to_json(answer->value));
  compared.layouts = std::move(answer->value.layouts);
  return compared;
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

void add_times(const Compared& compared, Subject& subject) {
  subject.time_s = time_of_saved(subject.metrics);
  for (const scenario::LayoutResult& layout : compared.layouts) {
    if (layout.name != subject.name) continue;
    subject.time_s = scenario::compared_time(layout);
    subject.drawn_s = layout.drawn_s;
    subject.held_back_by = layout.refused ? Limit{"refused"} : limit_of(layout);
    subject.is_new = true;
  }
}

/// What is read of a layout's result. False, with an error, where somebody changed a saved one.
bool read_result(const Compared& compared, Subject& subject, Diagnostics& diagnostics) {
  try {
    if (subject.result.is_object()) {
      subject.metrics = scenario::metrics_of(subject.result);
      static_cast<void>(bottleneck_of(subject));
      return true;
    }
  } catch (const Json::exception&) {  // said below
  }
  diagnostics.error(
      "E632", {}, "",
      fmt::format("layout \"{}\" of {} is not as it was saved", subject.name, compared.file),
      "a result of vgsim run --format json");
  return false;
}

/// Of these layouts, or of all where none is named.
std::vector<Subject> subjects_in(const Compared& compared, std::vector<std::string> wanted,
                                 Diagnostics& diagnostics) {
  std::vector<Subject> subjects;
  const Json& results = compared.result.at("layouts");
  std::vector<std::string> names;
  for (const auto& [name, layout] : results.items()) names.push_back(name);
  for (const std::string& name : wanted.empty() ? names : wanted) {
    if (contains(compared.left_out, name)) continue;
    if (!results.contains(name)) {
      diagnostics.error("E633", {}, "", fmt::format("{} has no layout \"{}\"", compared.file, name),
                        input::one_of(name, names), input::suggest(name, names));
      continue;
    }
    Subject subject{compared.file, name, "", {}, results.at(name), {}, {}, {}, {}, false};
    if (!read_result(compared, subject, diagnostics)) continue;
    add_times(compared, subject);
    const auto own = std::find_if(compared.inputs.begin(), compared.inputs.end(),
                                  [&](const auto& each) { return each.name == name; });
    if (own != compared.inputs.end()) subject.document = own->document;
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

/// Saved results do not tell what interrupts a training, nor draws, nor what holds it back but for
/// links: beside one of them no other's count either.
void compare_alike(std::vector<Subject>& subjects) {
  const bool all_new = std::all_of(subjects.begin(), subjects.end(),
                                   [](const Subject& each) { return each.is_new; });
  if (all_new) return;
  for (Subject& each : subjects) {
    each.time_s = time_of_saved(each.metrics);
    each.drawn_s.clear();
    each.held_back_by = {bottleneck_of(each), 0.0};
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

/// By file the layouts that are wanted of it: none where all are.
std::map<std::string, std::vector<std::string>> wanted_layouts(
    const std::vector<SubjectWord>& arguments, const SubjectsWanted& wanted) {
  std::map<std::string, std::vector<std::string>> layouts;
  std::set<std::string> whole;
  for (const SubjectWord& each : arguments) {
    auto& of_file = layouts[each.file];
    if (!each.layout && wanted.layouts.empty()) whole.insert(each.file);
    for (const std::string& name : each.layout ? std::vector{*each.layout} : wanted.layouts) {
      if (!contains(of_file, name)) of_file.push_back(name);
    }
  }
  for (const std::string& file : whole) layouts[file].clear();
  return layouts;
}

}  // namespace

tl::expected<Subjects, Diagnostics> read_subjects(const std::vector<std::string>& arguments,
                                                  const SubjectsWanted& wanted,
                                                  const scenario::Library& library) {
  std::vector<SubjectWord> words;
  for (const std::string& text : arguments) words.push_back(read_argument(text));
  const auto layouts_of = wanted_layouts(words, wanted);
  Subjects subjects;
  Diagnostics diagnostics;
  // A file that is named twice, for two of its layouts, is read once.
  std::map<std::string, tl::expected<Compared, Diagnostics>> files;
  bool all_read = true;
  for (const SubjectWord& word : words) {
    auto file = files.find(word.file);
    if (file == files.end()) {
      SubjectsWanted own = wanted;
      own.layouts = layouts_of.at(word.file);
      file = files.emplace(word.file, read_compared(word.file, own, library)).first;
      if (!file->second) diagnostics.append(file->second.error());
    }
    all_read &= file->second.has_value();
    if (!file->second) continue;
    subjects.complete &= file->second->left_out.empty();
    const auto layouts = word.layout ? std::vector{*word.layout} : wanted.layouts;
    for (Subject& each : subjects_in(*file->second, layouts, diagnostics)) {
      subjects.good.push_back(std::move(each));
    }
  }
  if (!all_read || diagnostics.has_errors()) return tl::unexpected(diagnostics);
  compare_alike(subjects.good);
  name_subjects(subjects.good);
  return subjects;
}

}  // namespace vgsim::cli
