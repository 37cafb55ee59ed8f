#include "tools/studio/answer_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/manifest.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/html.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/report/text.hpp"
#include "tools/studio/machines.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/words.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::studio {
namespace {

using nlohmann::ordered_json;
using scenario::LayoutResult;

/// Both against each other, draw by draw, where both were drawn alike.
void add_ranking(scenario::ScenarioResult& result) {
  if (result.layouts.size() != 2) return;
  const LayoutResult& a = result.layouts[0];
  const LayoutResult& b = result.layouts[1];
  const auto times = std::pair(scenario::time_of(a), scenario::time_of(b));
  if (!times.first || !times.second || a.drawn_s.size() != b.drawn_s.size()) return;
  const bool first_is_faster = *times.first <= *times.second;
  const LayoutResult& faster = first_is_faster ? a : b;
  const LayoutResult& slower = first_is_faster ? b : a;
  scenario::RankingPair pair{faster.name, slower.name, 0, 0};
  for (std::size_t d = 0; d < faster.drawn_s.size(); ++d) {
    if (!faster.drawn_s[d] || !slower.drawn_s[d]) continue;
    ++pair.draws;
    if (*faster.drawn_s[d] <= *slower.drawn_s[d]) ++pair.agree;
  }
  if (pair.draws > 0) result.ranking.push_back(pair);
}

ordered_json verdict_json(const report::Report& report) {
  std::vector<std::string> sentences = report::verdict_of(report);
  // How sure the order is takes draws, which come later.
  constexpr std::size_t kWithoutDraws = 2;
  const bool compares = report.result.layouts.size() > 1 && report.result.ranking.empty();
  if (compares && sentences.size() > kWithoutDraws) sentences.resize(kWithoutDraws);
  // What is worked on counts, not what is fastest.
  const LayoutResult& now = report.result.layouts.front();
  if (sentences.size() > 1 && !now.refused) {
    sentences[1] =
        fmt::format("What holds {} back: {}.", report::named(now), cli::held_back_text(now));
  }
  ordered_json verdict = ordered_json::array();
  for (const std::string& sentence : sentences) verdict.push_back(report::typeset(sentence));
  return verdict;
}

ordered_json figures_json(const LayoutResult& result) {
  ordered_json figures{{"refused", result.refused}};
  if (const auto& training = result.training) {
    figures["iteration_s"] = to_seconds(training->iteration);
    figures["iteration"] = input::format_time(training->iteration);
    figures["epoch"] = cli::duration_text(training->epoch_s);
    figures["training"] = cli::duration_text(training->training_s);
    figures["samples_per_s"] = training->samples_per_s;
    if (training->iteration_interval) {
      figures["interval"] =
          fmt::format("{} to {}", cli::duration_text(training->iteration_interval->low_s),
                      cli::duration_text(training->iteration_interval->high_s));
    }
  }
  if (!result.refused) figures["held_back"] = cli::held_back_text(result);
  return figures;
}

using MakeSection = std::optional<report::Section> (*)(const report::Report&);

void add_section(const report::Report& report, MakeSection make, ordered_json& sections) {
  const auto section = make(report);
  if (section) sections.push_back({{"id", section->id}, {"html", section_html(*section)}});
}

/// What stands in the way of a change that was tried.
std::string refusal_of(const scenario::TriedChange& tried) {
  for (const scenario::Warning& warning : tried.result.warnings) {
    if (warning.verdict == vsphere::Verdict::kRefused) {
      return fmt::format("{} ({})", warning.text, warning.rule);
    }
  }
  return tried.problems.empty() ? std::string("the scenario has no place for it")
                                : tried.problems.front();
}

}  // namespace

report::Report report_of(const Studio& studio) {
  report::Report report;
  report.result.name = studio.base().text("name");
  if (!studio.answer().result) return report;
  const std::string name = studio.working_name();
  report.result.layouts.push_back(*studio.answer().result);
  report.result.layouts.back().name = name;
  if (const auto& pinned = studio.pinned(); pinned && pinned->result) {
    report.result.layouts.push_back(*pinned->result);
    report.result.layouts.back().name =
        pinned->name == name ? pinned->name + ", pinned" : pinned->name;
  }
  add_ranking(report.result);
  if (studio.answer().tornado) {
    report.studies.tornado = studio.answer().tornado;
    report.studies.tornado->layout = name;
  }
  report.manifest.document = studio.document();
  return report;
}

void add_studies(const Studio& studio, report::Report& report) {
  if (!studio.answer().result || studio.answer().result->refused) return;
  scenario::ScenarioResult alone{report.result.name, {*studio.answer().result}, {}, {}};
  report.studies =
      scenario::run_studies(studio.document_alone(), alone, studio.library(), studio.loader(), {});
  const std::string name = studio.working_name();
  if (report.studies.tornado) report.studies.tornado->layout = name;
  for (auto& curve : report.studies.scaling) curve.layout = name;
  for (auto& curve : report.studies.busbw) curve.layout = name;
}

ordered_json answer_json(const Studio& studio, const std::string& focus) {
  if (!studio.answer().result) return nullptr;
  const report::Report report = report_of(studio);
  ordered_json answer{{"in_full", studio.answer().in_full},
                      {"subject", report::subject_of(report)},
                      {"verdict", verdict_json(report)},
                      {"knowledge", report::typeset(report::knowledge_of(report))},
                      {"now", figures_json(report.result.layouts.front())}};
  if (report.result.layouts.size() > 1) {
    answer["pinned"] = figures_json(report.result.layouts.back());
    answer["pinned"]["name"] = report.result.layouts.back().name;
  }
  answer["machines"] = machines_html(*studio.answer().result, focus);
  answer["folded"] = folded_json(*studio.answer().result, focus);
  constexpr std::array<MakeSection, 6> kSections{
      &report::breakdown_section, &report::iteration_section, &report::limits_section,
      &report::memory_section,    &report::layouts_section,   &report::bandwidth_section};
  ordered_json& sections = answer["sections"] = ordered_json::array();
  for (const MakeSection make : kSections) add_section(report, make, sections);
  if (report.studies.tornado) add_section(report, &report::sensitivity_section, sections);
  return answer;
}

ordered_json helps_json(const Studio& studio) {
  if (!studio.answer().tried) return nullptr;
  ordered_json helps{{"changes", ordered_json::array()}, {"measure", ordered_json::array()}};
  std::size_t index = 0;
  for (const scenario::TriedChange& tried : *studio.answer().tried) {
    const std::size_t own = index++;
    ordered_json each{{"index", own}, {"title", tried.change.title}};
    if (tried.outcome == scenario::TriedOutcome::kRan) {
      if (!tried.helps()) continue;
      each["saves"] = cli::percent(tried.gain());
      each["gain"] = tried.gain();
    } else {
      each["refused"] = refusal_of(tried);
    }
    each["needs"] = tried.change.needs;
    each["alters_training"] = tried.change.alters_training;
    each["assumption"] = tried.change.is_assumption;
    helps["changes"].push_back(std::move(each));
  }
  if (const auto& tornado = studio.answer().tornado) {
    for (const scenario::WorthMeasuring& each : tornado->measure) {
      helps["measure"].push_back({{"what", each.measurement.what},
                                  {"command", each.measurement.command},
                                  {"parameters", each.parameters},
                                  {"narrows", cli::percent(each.narrows)}});
    }
  }
  return helps;
}

}  // namespace vgsim::studio
