#include "tools/studio/answer_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "models/scenario/answer/figures.hpp"
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
    figures["sample"] = text::time_figure(1 / training->samples_per_s, known);
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

double samples_of_iteration(const LayoutResult& layout) {
  return layout.training->samples_per_s * to_seconds(layout.training->iteration);
}

/// The time of a sample, by which layouts are compared whose iterations differ in their samples.
scenario::Metric sample_time(const LayoutResult& layout) {
  scenario::Metric time;
  time.name = "sample_time_s";
  time.label = "sample";
  time.value = 1 / layout.training->samples_per_s;
  return time;
}

/// The figures of each layout, with a common order.
std::vector<std::vector<scenario::Metric>> compared_figures(
    const std::vector<const LayoutResult*>& layouts) {
  constexpr double kRounding = 1e-6;
  std::vector<std::vector<scenario::Metric>> all;
  bool equal_work = true;
  bool all_train = true;
  for (const LayoutResult* each : layouts) {
    all.push_back(each->refused ? std::vector<scenario::Metric>() : scenario::metrics_of(*each));
    all_train = all_train && !each->refused && each->training;
    if (!all_train) continue;
    const double first = samples_of_iteration(*layouts.front());
    equal_work = equal_work && std::abs(samples_of_iteration(*each) - first) <= kRounding * first;
  }
  if (!all_train || equal_work) return all;
  for (std::size_t n = 0; n < all.size(); ++n) {
    all[n].insert(all[n].begin(), sample_time(*layouts[n]));
  }
  return all;
}

const scenario::Metric* named_figure(const std::vector<scenario::Metric>& all,
                                     const std::string& name) {
  const auto found = std::ranges::find(all, name, &scenario::Metric::name);
  return found == all.end() ? nullptr : &*found;
}

/// " (+12 %)"; empty if there is nothing to compare with.
std::string difference_words(const scenario::Metric* first, double value) {
  if (first == nullptr || !(first->value > 0)) return {};
  const double ratio = value / first->value;
  const double percent = (ratio - 1) * 100;
  if (std::abs(percent) < 0.5) return " (same)";
  if (ratio >= 2) return fmt::format(" ({:.2g} x)", ratio);
  return fmt::format(" ({:+.0f} %)", percent);
}

/// The pinned layouts and the present one, side by side, with the differences to the first.
std::optional<report::Section> comparison_section(const report::Report& report) {
  constexpr std::size_t kMostRows = 16;
  std::vector<const LayoutResult*> layouts;
  for (const LayoutResult& each : report.result.layouts) layouts.push_back(&each);
  std::rotate(layouts.begin(), layouts.begin() + 1, layouts.end());
  const auto figures = compared_figures(layouts);
  report::Table table{{{"", false}}, {}, report::Narrow::kScrolls};
  for (const LayoutResult* each : layouts) table.columns.push_back({each->name, true});
  const auto listed = std::ranges::find_if(figures, [](const auto& all) { return !all.empty(); });
  if (listed == figures.end()) return std::nullopt;
  for (const scenario::Metric& row : *listed) {
    const bool is_detail = row.label.find(": ") != std::string::npos;
    if (row.better == scenario::Better::kNeither || is_detail) continue;
    if (table.rows.size() == kMostRows) break;
    auto& cells = table.rows.emplace_back();
    cells.push_back(row.label);
    const scenario::Metric* first = named_figure(figures.front(), row.name);
    for (const auto& all : figures) {
      const scenario::Metric* own = named_figure(all, row.name);
      cells.push_back(own == nullptr ? all.empty() ? "refused" : "-" : text::figure(*own, all));
      if (own != nullptr && &all != &figures.front()) {
        cells.back() += difference_words(first, own->value);
      }
    }
  }
  return report::Section{
      "comparison", "Comparison", "Differences to " + layouts.front()->name, {std::move(table)}};
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
  constexpr double kNameSize = 13;
  constexpr double kNameWidth = 170;
  report::Report report;
  report.result.name = studio.base().text("name");
  if (!studio.answer().result) return report;
  const std::string name = studio.working_name();
  report.result.layouts.push_back(*studio.answer().result);
  report.result.layouts.back().name = name;
  char letter = 'A';
  for (const Pinned& pinned : studio.pinned()) {
    report.result.layouts.push_back(*pinned.result);
    report.result.layouts.back().name =
        fmt::format("{}: {}", letter++, report::shortened(pinned.name, kNameSize, kNameWidth));
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
    answer["pinned"] = figures_json(report.result.layouts[1]);
  }
  answer["machines"] = machines_html(*studio.answer().result, focus);
  answer["folded"] = folded_json(*studio.answer().result, focus);
  constexpr std::array<MakeSection, 6> kSections{
      &report::breakdown_section, &report::iteration_section, &report::limits_section,
      &report::memory_section,    &report::layouts_section,   &report::bandwidth_section};
  ordered_json& sections = answer["sections"] = ordered_json::array();
  if (report.result.layouts.size() > 1) add_section(report, &comparison_section, sections);
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
