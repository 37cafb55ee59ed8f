// The legality checker against a table of layouts whose verdicts come from documentation.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace legality_test {

using Json = nlohmann::json;
using vsphere::Verdict;

Json rows_of(const std::string& name) {
  std::ifstream file(std::string(VGSIM_SOURCE_DIR) + "/tests/models/vsphere/" + name);
  return Json::parse(file).at("rows");
}

Json table() { return rows_of("verdicts.json"); }

std::set<std::string> rules_of(const scenario::LayoutResult& layout, Verdict verdict) {
  std::set<std::string> rules;
  for (const scenario::Warning& warning : layout.warnings) {
    if (warning.verdict == verdict) rules.insert(warning.rule);
  }
  return rules;
}

/// The only layout of a table's row, with a job on its first VM.
scenario::LayoutResult judged(const Json& row) {
  const Json scenario = {
      {"name", "row"},
      {"cluster", row.value("cluster", Json::object())},
      {"vsphere", row.at("vsphere")},
      {"hosts", row.at("hosts")},
      {"vms", row.at("vms")},
      {"job",
       {{"collective", "all_reduce"}, {"sizes", {"1 MB"}}, {"vms", row.at("vms").begin().key()}}}};
  const auto result = scenario::validate_scenario(input::make_source("row.json", scenario.dump()),
                                                  test::library(), cli::loader_relative_to("."));
  if (!result) throw std::runtime_error(input::render(result.error()));
  return result->layouts.at(0);
}

TEST(Legality, EveryLayoutOfTheTableHasItsVerdict) {
  const Json rows = table();
  ASSERT_GE(rows.size(), 60U);
  for (const Json& row : rows) {
    SCOPED_TRACE(row.at("name").get<std::string>());
    const scenario::LayoutResult layout = judged(row);
    EXPECT_EQ(rules_of(layout, Verdict::kRefused), row.at("refused").get<std::set<std::string>>());
    EXPECT_EQ(layout.refused, !row.at("refused").empty());
    const auto price = rules_of(layout, Verdict::kWarning);
    for (const std::string rule : row.at("warnings")) EXPECT_TRUE(price.contains(rule)) << rule;
    const auto notes = rules_of(layout, Verdict::kNote);
    for (const std::string rule : row.value("note", Json::array())) {
      EXPECT_TRUE(notes.contains(rule)) << rule;
    }
    for (const std::string rule : row.value("without", Json::array())) {
      EXPECT_FALSE(price.contains(rule) || notes.contains(rule)) << rule;
    }
  }
}

TEST(Legality, EveryRuleThatRefusesIsInTheTable) {
  std::set<std::string> seen;
  for (const Json& row : table()) {
    for (const std::string rule : row.at("refused")) seen.insert(rule);
  }
  for (const auto& [id, rule] : test::library().vsphere->rules) {
    // See memory_test.cpp and job_rules_test.cpp.
    const bool is_of_the_job = id == "job-does-not-fit" || id.starts_with("gds-");
    if (rule.verdict == Verdict::kRefused && !is_of_the_job) {
      EXPECT_TRUE(seen.contains(id)) << id;
    }
  }
}

TEST(Legality, NothingIsRefusedOnWhatNobodyHasRead) {
  for (const auto& [id, rule] : test::library().vsphere->rules) {
    if (rule.verdict != Verdict::kRefused) continue;
    EXPECT_NE(rule.evidence.kind, "recalled") << id;
    EXPECT_NE(rule.evidence.kind, "assumed") << id;
  }
}

TEST(Legality, ConfidenceIsHighOnlyWhereASourceCanBeRead) {
  for (const auto& [id, rule] : test::library().vsphere->rules) {
    if (rule.evidence.confidence != "high") continue;
    EXPECT_TRUE(std::any_of(rule.sources.begin(), rule.sources.end(), [](const auto& source) {
      return !source.url.empty() && (source.evidence == "read" || source.evidence == "measured");
    })) << id;
    EXPECT_TRUE(rule.evidence.disputed.empty()) << id;
    EXPECT_NE(rule.evidence.kind, "inferred") << id;
  }
}

TEST(Legality, RulesBiteInTheirVersionsAlone) {
  for (const Json& row : table()) {
    const std::string version = row.at("vsphere");
    for (const scenario::Warning& warning : judged(row).warnings) {
      const vsphere::Rule& rule = test::library().vsphere->rules.find(warning.rule)->second;
      EXPECT_FALSE(vsphere::is_older(version, rule.from)) << warning.rule << " in " << version;
      EXPECT_FALSE(rule.to && vsphere::is_older(*rule.to, version))
          << warning.rule << " in " << version;
    }
  }
}

TEST(Legality, EveryFindingSaysWhereItIsFromAndWhatToDo) {
  for (const Json& row : table()) {
    for (const scenario::Warning& warning : judged(row).warnings) {
      EXPECT_FALSE(warning.source.empty()) << warning.rule;
      EXPECT_FALSE(warning.remedy.empty()) << warning.rule;
    }
  }
}

TEST(Legality, WhatIsNotRefusedLosesTheOperationsThatTheDocumentsName) {
  const Json lost = rows_of("lost_operations.json");
  ASSERT_GE(lost.size(), 90U);
  std::size_t found = 0;
  for (const Json& row : table()) {
    const auto expected = lost.find(row.at("name").get<std::string>());
    if (expected == lost.end()) continue;
    SCOPED_TRACE(expected.key());
    ++found;
    std::set<std::string> loses;
    for (const std::string& rule : rules_of(judged(row), Verdict::kWarning)) {
      if (rule.starts_with("loses-")) loses.insert(rule.substr(std::string("loses-").size()));
    }
    EXPECT_EQ(loses, expected->get<std::set<std::string>>());
  }
  EXPECT_EQ(found, lost.size()) << "a row was renamed or left out";
}

TEST(Legality, AWarningNeverKeepsALayoutFromRunning) {
  const auto result = test::run(R"({"name": "two", "vsphere": "8.0U3",
    "hosts": {"e": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb"}},
    "vms": {"a": {"host": "e", "gpus": {"mode": "passthrough"}}},
    "job": {"collective": "all_reduce", "sizes": ["1 MB"]},
    "layouts": {"lawful": {}, "before": {"vsphere": "6.7",
      "vms": {"a": {"gpus": {"mode": "passthrough_dynamic"}}}}}})");
  EXPECT_FALSE(result.layouts.at(0).refused);
  EXPECT_TRUE(result.layouts.at(0).collective);
  EXPECT_TRUE(result.layouts.at(1).refused) << "dynamic DirectPath I/O comes with 7.0";
  EXPECT_FALSE(result.layouts.at(1).collective) << "nothing is simulated that cannot be powered on";
}

}  // namespace legality_test
}  // namespace vgsim
