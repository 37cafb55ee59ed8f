#include <fmt/core.h>

#include <algorithm>
#include <span>

#include "tools/report/charts/tornado.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/figures.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

constexpr std::size_t kMostInputs = 12;

/// Those with the largest effects.
std::span<const scenario::TornadoBar> shown_bars(const scenario::Tornado& study) {
  return std::span(study.bars).first(std::min(study.bars.size(), kMostInputs));
}

using scenario::Tornado;
using scenario::TornadoBar;

TornadoChart sensitivity_chart(const Tornado& study) {
  TornadoChart chart;
  chart.base_s = study.base_s;
  for (const TornadoBar& bar : shown_bars(study)) {
    chart.rows.push_back({bar.parameter, bar.low, bar.high, bar.low_s, bar.high_s});
  }
  chart.title = "Sensitivity of the result";
  chart.description =
      "For each uncertain input the time with it at either end of its interval. The table has the "
      "numbers.";
  return chart;
}

Table sensitivity_table(const Tornado& study) {
  Table table{{{"input", false},
               {"what it is", false},
               {"from", true},
               {"to", true},
               {"time from", true},
               {"time to", true}},
              {},
              Narrow::kStacks};
  for (const TornadoBar& bar : shown_bars(study)) {
    table.rows.push_back({bar.parameter, bar.meaning, bar.low, bar.high,
                          text::duration_text(bar.low_s), text::duration_text(bar.high_s)});
  }
  return table;
}

Table measurements_table(const Tornado& study) {
  Table table{{{"measure next", false}, {"interval narrower by", true}}, {}, Narrow::kStacks};
  for (const scenario::WorthMeasuring& each : study.measure) {
    table.rows.push_back({each.measurement.what, text::percent(each.narrows)});
  }
  return table;
}

std::string sensitivity_heading(const Tornado& study) {
  const TornadoBar& first = study.bars.front();
  return fmt::format("{} moves the time of {} most: by {}", first.parameter, named(study.layout),
                     text::percent(first.swing(study.base_s) / study.base_s));
}

}  // namespace

std::optional<Section> sensitivity_section(const Report& report) {
  if (!report.studies.tornado) return std::nullopt;
  const Tornado& study = *report.studies.tornado;
  Section section{"sensitivity", "Sensitivity", "", {}};
  if (!study.left_out.empty()) {
    section.heading = "Sensitivity to inputs was not examined";
    section.blocks.emplace_back(Paragraph{fmt::format("Left out: {}.", study.left_out), false});
    return section;
  }
  if (study.bars.empty()) {
    section.heading = "No uncertain input moves the result";
    section.blocks.emplace_back(
        Paragraph{fmt::format("{} uncertain inputs were tried, each at both ends of its interval.",
                              study.varied),
                  false});
    return section;
  }
  section.heading = sensitivity_heading(study);
  Figure figure = figure_of("sensitivity-chart", sensitivity_chart(study), &tornado_chart,
                            sensitivity_table(study));
  figure.keys = {{"at-low", "input at its lower end"}, {"at-high", "at its upper end"}};
  figure.caption = fmt::format(
      "{} with one input at a time at either end of its 90 % interval; "
      "{} were tried. The vertical line is the result with no input changed.",
      study.layout, text::plural(study.varied, "input"));
  section.blocks.emplace_back(std::move(figure));
  if (!study.measure.empty()) section.blocks.emplace_back(measurements_table(study));
  return section;
}

}  // namespace vgsim::report
