#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <pugixml.hpp>
#include <sstream>

#include "tools/cli/check/writers.hpp"

namespace vgsim::cli {
namespace {

using scenario::Finding;

constexpr const char* kWhole = "scenario";  ///< the test case of findings of all layouts

/// "configs.scenarios.ring-25gbe": JUnit readers split class names at dots.
std::string class_of(const std::string& path) {
  std::string name;
  for (const auto& part : std::filesystem::path(path).lexically_normal().relative_path()) {
    if (part == ".." || part == ".") continue;
    std::string word = part.string();
    if (word.ends_with(".json")) word.resize(word.size() - 5);
    std::replace(word.begin(), word.end(), '.', '_');
    name += (name.empty() ? "" : ".") + word;
  }
  return name;
}

pugi::xml_node add_case(pugi::xml_node suite, const std::string& class_name,
                        const std::string& name) {
  pugi::xml_node test = suite.append_child("testcase");
  test.append_attribute("classname") = class_name.c_str();
  test.append_attribute("name") = name.c_str();
  return test;
}

void add_outcome(pugi::xml_node test, const char* element, const char* type,
                 const std::string& message, const std::string& text) {
  pugi::xml_node node = test.append_child(element);
  node.append_attribute("type") = type;
  node.append_attribute("message") = message.c_str();
  node.append_child(pugi::node_pcdata).set_value(text.c_str());
}

std::string lines_of(const CheckedScenario& scenario, const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    const std::string place = place_of(finding.location);
    text += fmt::format("{}{}{}\n", place, place.empty() ? "" : ": ", message_of(finding));
  }
  for (const auto& change : scenario.inputs) {
    text += fmt::format("changed since the baseline: {}\n", message_of(change));
  }
  if (!scenario.scenario_changed) return text;
  text += "the scenario itself has changed since the baseline\n";
  for (const auto& key : scenario.keys) text += key_message_of(key) + "\n";
  return text;
}

void add_findings(pugi::xml_node test, const CheckedScenario& scenario,
                  const std::vector<Finding>& findings) {
  if (findings.empty()) return;
  const std::string more =
      findings.size() > 1 ? fmt::format(", and {} more", findings.size() - 1) : "";
  add_outcome(test, "failure", to_string(findings.front().kind),
              message_of(findings.front()) + more, lines_of(scenario, findings));
}

/// The scenario, its layouts, and layouts that only findings name.
std::vector<std::string> cases_of(const CheckedScenario& scenario) {
  std::vector<std::string> names;
  for (const CheckedLayout& layout : scenario.layouts) names.push_back(layout.name);
  for (const std::string& subject : subjects_of(scenario)) {
    if (std::find(names.begin(), names.end(), subject) == names.end()) names.push_back(subject);
  }
  return names;
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
};

void write_counts(pugi::xml_node node, const Counts& counts) {
  node.append_attribute("tests") = static_cast<unsigned long long>(counts.tests);
  node.append_attribute("failures") = static_cast<unsigned long long>(counts.failures);
  node.append_attribute("errors") = static_cast<unsigned long long>(counts.errors);
}

Counts add_suite(pugi::xml_node root, const CheckedScenario& scenario, const CheckReport& report) {
  pugi::xml_node suite = root.append_child("testsuite");
  suite.append_attribute("name") = scenario.path.c_str();
  const std::string class_name = class_of(scenario.path);
  Counts counts;
  if (outcome_of(scenario, report) == Outcome::kError) {
    const auto errors = errors_of(scenario);
    add_outcome(add_case(suite, class_name, kWhole), "error",
                scenario.errors.has_errors() ? "bad input" : "limit", errors.front(),
                fmt::format("{}\n", fmt::join(errors, "\n")));
    counts = {1, 0, 1};
  }
  for (const std::string& name : cases_of(scenario)) {
    const auto failures = failures_of(scenario, name, report);
    if (name.empty() && failures.empty()) continue;
    add_findings(add_case(suite, class_name, name.empty() ? kWhole : name), scenario, failures);
    ++counts.tests;
    counts.failures += failures.empty() ? 0U : 1U;
  }
  write_counts(suite, counts);
  suite.append_attribute("file") = scenario.path.c_str();
  return counts;
}

}  // namespace

std::string check_junit(const CheckReport& report) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = document.append_child("testsuites");
  root.append_attribute("name") = "vgsim check";
  Counts all;
  for (const CheckedScenario& scenario : report.scenarios) {
    const Counts counts = add_suite(root, scenario, report);
    all.tests += counts.tests;
    all.failures += counts.failures;
    all.errors += counts.errors;
  }
  write_counts(root, all);
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

}  // namespace vgsim::cli
