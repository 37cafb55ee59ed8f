#include "tools/cli/compare/subjects.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "models/scenario/answer/figures.hpp"
#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "models/scenario/read/layouts.hpp"
#include "tools/cli/layouts_apart.hpp"
#include "tools/cli/run_scenario_input.hpp"
#include "tools/cli/scenario_input.hpp"
#include "tools/text/verdict.hpp"
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

/// The result in a file, or nothing.
std::optional<Json> saved_result(const std::string& text) {
  Json document = Json::parse(text, nullptr, false);
  const bool is_one = document.is_object() &&
                      scenario::is_result_schema(document.value("schema", std::string())) &&
                      document.contains("layouts") && document["layouts"].is_object();
  return is_one ? std::optional(std::move(document)) : std::nullopt;
}

/// A file and its results.
struct Compared {
  std::string file;
  std::vector<scenario::LayoutInput> inputs;
  Json result;
  std::vector<std::string> left_out;  ///< layouts with errors
  bool simulated = false;             ///< otherwise a saved result
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
      scenario->path, scenario::read_layouts(scenario->document, library, ignored), {}, {}, false};
  auto saved = wanted.settings.empty() ? saved_result(scenario->text) : std::nullopt;
  if (saved) {
    compared.result = std::move(*saved);
    return compared;
  }
  const std::vector<std::string> names = scenario->document.layouts();
  auto answer = ask_good_layouts(*scenario, library, [&](const ScenarioInput& asked) {
    return run_input(asked, library, wanted.draws);
  });
  if (!answer) return tl::unexpected(Diagnostics{});  // errors have been written
  const std::vector<std::string> good = scenario->document.layouts();
  std::copy_if(names.begin(), names.end(), std::back_inserter(compared.left_out),
               [&](const std::string& name) { return !contains(good, name); });
  compared.result = Json::parse(scenario::to_json(answer->value));
  compared.simulated = true;
  return compared;
}

/// See compared_time(). Results of earlier versions do not contain the length of the training.
std::optional<double> compared_time(const Json& layout) {
  const auto measure = text::measure_of(layout);
  if (!measure) return std::nullopt;
  if (measure->length.empty()) return measure->seconds;
  if (measure->samples > 0) return measure->seconds / measure->samples;
  if (measure->samples_per_s > 0) return 1.0 / measure->samples_per_s;
  return std::nullopt;
}

std::vector<std::optional<double>> drawn_times(const Json& layout) {
  std::vector<std::optional<double>> times;
  const auto drawn = layout.find("drawn_s");
  if (drawn == layout.end() || !drawn->is_array()) return times;
  for (const Json& each : *drawn) {
    times.push_back(each.is_number() ? std::optional(each.get<double>()) : std::nullopt);
  }
  return times;
}

/// The seed of the draws, if a saved result has it.
Json seed_of(const Json& result) {
  const auto manifest = result.find("manifest");
  if (manifest == result.end() || !manifest->is_object()) return nullptr;
  return manifest->value("seed", Json(nullptr));
}

/// Reads a layout's result. False, with an error, if a saved one is malformed.
bool read_result(const Compared& compared, Subject& subject, Diagnostics& diagnostics) {
  try {
    if (subject.result.is_object()) {
      subject.metrics = scenario::metrics_of(subject.result);
      subject.time_s = compared_time(subject.result);
      subject.drawn_s = drawn_times(subject.result);
      subject.bottleneck = scenario::saved_limit(subject.result);
      subject.seed = seed_of(compared.result);
      return true;
    }
  } catch (const Json::exception&) {  // reported below
  }
  diagnostics.error(
      "E632", {}, "",
      fmt::format("layout \"{}\" of {} is not as it was saved", subject.name, compared.file),
      "a result of vgsim run --format json");
  return false;
}

/// Of these layouts; of all if none is named.
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
    Subject subject{compared.file, name, "", {}, results.at(name), {}, {}, {}, {}, {}};
    if (!read_result(compared, subject, diagnostics)) continue;
    const auto own = std::find_if(compared.inputs.begin(), compared.inputs.end(),
                                  [&](const auto& each) { return each.name == name; });
    if (own != compared.inputs.end()) subject.document = own->document;
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

/// Draws are paired only if their number and seed are equal.
void compare_alike(std::vector<Subject>& subjects) {
  const Subject* first = nullptr;
  bool alike = true;
  for (const Subject& each : subjects) {
    if (!each.time_s) continue;
    if (first == nullptr) first = &each;
    alike &= each.drawn_s.size() == first->drawn_s.size() && each.seed == first->seed;
  }
  if (alike) return;
  for (Subject& each : subjects) each.drawn_s.clear();
}

/// Labels subjects by layout, file, or both, so that they differ.
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

/// The selected layouts of each file; empty: all.
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
  // A file that is named for two of its layouts is read once.
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
    subjects.simulated |= file->second->simulated;
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
