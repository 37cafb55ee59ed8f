#include "tools/studio/answer_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "models/scenario/answer/manifest.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"
#include "tools/report/change_text.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/html.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/report/text.hpp"
#include "tools/studio/binding_end.hpp"
#include "tools/studio/machines.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/limits_text.hpp"
#include "tools/text/verdict.hpp"

namespace vgsim::studio {
namespace {

using nlohmann::ordered_json;
using scenario::LayoutResult;

/// The sentences of the terminal and the report, for the layout that is edited instead of the
/// fastest.
ordered_json verdict_json(const report::Report& report, const std::optional<BindingEnd>& end) {
  std::vector<std::string> sentences =
      text::verdict_sentences(report.result, scenario::ranked_groups(report.result));
  const LayoutResult& now = report.result.layouts.front();
  if (!now.refused) {
    sentences.push_back(
        fmt::format("Bottleneck of {}: {}", report::named(now), text::bottleneck_text(now)));
  }
  if (end) sentences.push_back(end->text);
  for (std::string& each : text::refusal_sentences(report.result)) sentences.push_back(each);
  ordered_json verdict = ordered_json::array();
  for (const std::string& sentence : sentences) verdict.push_back(report::typeset(sentence + "."));
  return verdict;
}

ordered_json figures_json(const LayoutResult& result) {
  ordered_json figures{{"refused", result.refused}};
  if (const auto& training = result.training) {
    figures["iteration_s"] = to_seconds(training->iteration);
    const text::Known known = text::iteration_known(*training);
    figures["iteration"] = text::time_figure(to_seconds(training->iteration), known);
    figures["epoch_s"] = training->epoch_s;
    figures["training_s"] = training->training_s;
    figures["epoch"] = text::time_figure(training->epoch_s, known);
    figures["training"] = text::time_figure(training->training_s, text::training_known(*training));
    figures["samples_per_s"] = training->samples_per_s;
    if (training->iteration_interval) {
      figures["interval"] =
          text::time_range(*training->iteration_interval, to_seconds(training->iteration));
    }
  }
  if (!result.refused) {
    figures["bottleneck_text"] = text::bottleneck_text(result);
    figures["bottleneck"] = scenario::to_json(text::limit_of(result), result);
  }
  return figures;
}

using MakeSection = std::optional<report::Section> (*)(const report::Report&);

void add_section(const report::Report& report, MakeSection make, ordered_json& sections) {
  const auto section = make(report);
  if (section) sections.push_back({{"id", section->id}, {"html", section_html(*section)}});
}

/// Why a tried change is not possible.
std::string refusal_of(const scenario::TriedChange& tried) {
  for (const scenario::Warning& warning : tried.result.warnings) {
    if (warning.verdict == vsphere::Verdict::kRefused) {
      return fmt::format("{} ({})", warning.text, warning.rule);
    }
  }
  return tried.problems.empty() ? std::string("it does not apply to the scenario")
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
  if (studio.answer().tornado) {
    report.studies.tornado = studio.answer().tornado;
    report.studies.tornado->layout = name;
  }
  report.manifest.document = studio.document();
  return report;
}

void add_studies(const Studio& studio, report::Report& report) {
  if (!studio.answer().result || studio.answer().result->refused) return;
  scenario::ScenarioResult alone{report.result.name, {*studio.answer().result}, {}};
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
  const auto end = binding_end(studio);
  ordered_json answer{{"in_full", studio.answer().in_full},
                      {"subject", report::subject_of(report)},
                      {"verdict", verdict_json(report, end)},
                      {"knowledge", report::typeset(report::knowledge_of(report))},
                      {"now", figures_json(report.result.layouts.front())}};
  if (end && end->change) answer["lift"] = end->change->title;
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

/// Improvements that keep the training first, best first, then those that also change it, then
/// refused ones.
ordered_json helps_json(const Studio& studio) {
  if (!studio.answer().tried) return nullptr;
  const std::vector<scenario::TriedChange>& tried = *studio.answer().tried;
  ordered_json helps{{"best", nullptr},
                     {"changes", ordered_json::array()},
                     {"assumed", ordered_json::array()},
                     {"measure", ordered_json::array()}};
  const auto best = scenario::helping_changes(tried, false);
  if (!best.empty())
    helps["best"] = report::change_sentence(*best.front(), *studio.answer().result);
  const auto add = [&](const scenario::TriedChange& each) {
    ordered_json change{{"index", &each - tried.data()}, {"title", each.change.title}};
    if (each.outcome == scenario::TriedOutcome::kRan) {
      change["saves"] = text::whole_percent(each.gain());
      change["gain"] = each.gain();
    } else {
      change["refused"] = refusal_of(each);
    }
    change["needs"] = each.change.needs;
    change["changes_training"] = each.change.changes_training;
    change["assumption"] = each.change.is_assumption;
    helps["changes"].push_back(std::move(change));
  };
  for (const bool changes_training : {false, true}) {
    for (const auto& each : tried) {
      if (each.helps() && each.change.changes_training == changes_training) add(each);
    }
  }
  for (const auto& each : tried) {
    const bool ran = each.outcome == scenario::TriedOutcome::kRan;
    if (!ran) add(each);
    if (ran && each.change.is_assumption) {
      helps["assumed"].push_back(
          {{"title", each.change.title}, {"price", report::price_words(each)}});
    }
  }
  if (const auto& tornado = studio.answer().tornado) {
    for (const scenario::WorthMeasuring& each : tornado->measure) {
      helps["measure"].push_back({{"what", each.measurement.what},
                                  {"command", each.measurement.command},
                                  {"parameters", each.parameters},
                                  {"narrows", text::whole_percent(each.narrows)}});
    }
  }
  return helps;
}

}  // namespace vgsim::studio
