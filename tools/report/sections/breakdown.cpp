#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "models/scenario/answer/bottleneck.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"
#include "tools/report/charts/stacked_bars.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/figures.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/figure_rows.hpp"
#include "tools/text/figures.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;
using scenario::TrainingResult;

struct Part {
  const char* look;
  const char* word;
  SimTime TrainingResult::*time;
};

constexpr std::array<Part, 6> kParts{{
    {"compute", "compute", &TrainingResult::compute},
    {"communication", "exposed communication", &TrainingResult::exposed_communication},
    {"waiting", "pipeline bubble", &TrainingResult::pipeline_wait},
    {"jobs", "waiting for other jobs", &TrainingResult::wait_for_jobs},
    {"data", "waiting for data", &TrainingResult::data_wait},
    {"optimizer", "optimizer", &TrainingResult::optimizer},
}};

std::string share_words(SimTime part, const TrainingResult& training) {
  return text::whole_percent(scenario::share_of(part, training));
}

bool is_used(const Part& part, const std::vector<const LayoutResult*>& layouts) {
  return std::any_of(layouts.begin(), layouts.end(), [&](const LayoutResult* layout) {
    return (*layout->training).*part.time > SimTime{0};
  });
}

constexpr std::size_t kMostBars = 8;

double samples_of_iteration(const LayoutResult& layout) {
  return layout.training->samples_per_s * to_seconds(layout.training->iteration);
}

/// Whether iterations do the same work; if not, the time of a sample is compared.
bool do_equal_work(const std::vector<const LayoutResult*>& layouts) {
  constexpr double kRounding = 1e-6;
  const double first = samples_of_iteration(*layouts.front());
  return std::all_of(layouts.begin(), layouts.end(), [&](const LayoutResult* layout) {
    return std::abs(samples_of_iteration(*layout) - first) <= kRounding * first;
  });
}

StackedBar bar_of(const LayoutResult& layout, bool of_a_sample) {
  const TrainingResult& training = *layout.training;
  const double per = of_a_sample ? samples_of_iteration(layout) : 1.0;
  StackedBar bar;
  bar.name = layout.name;
  bar.total =
      text::time_figure(to_seconds(training.iteration) / per, text::iteration_known(training));
  for (const Part& part : kParts) {
    const SimTime time = training.*part.time;
    if (time == SimTime{0}) continue;
    bar.parts.push_back({part.look, to_seconds(time) / per, share_words(time, training),
                         fmt::format("{}: {}", part.word, text::part_figure(time, training))});
  }
  if (training.iteration_interval) {
    bar.low = training.iteration_interval->low_s / per;
    bar.high = training.iteration_interval->high_s / per;
  }
  return bar;
}

/// The parts of an iteration, as in the table of figures; layouts in file order.
Table breakdown_table(const Report& report) {
  Table table;
  table.columns.push_back({"part of an iteration", false});
  for (const LayoutResult& layout : report.result.layouts) {
    table.columns.push_back({layout.name, true});
  }
  for (text::LayoutRow& row : text::figure_rows(
           report.result, scenario::ranked_groups(report.result), text::RowsFor::kIteration)) {
    row.cells.insert(row.cells.begin(), std::move(row.label));
    table.rows.push_back(std::move(row.cells));
  }
  return table;
}

const Part& largest_part(const TrainingResult& training) {
  return *std::max_element(kParts.begin(), kParts.end(), [&](const Part& a, const Part& b) {
    return training.*a.time < training.*b.time;
  });
}

double share_of(const Part& part, const LayoutResult& layout) {
  return to_seconds((*layout.training).*part.time) / to_seconds(layout.training->iteration);
}

/// Of the fastest layout, and of the slowest if its parts differ.
std::string breakdown_heading(const std::vector<const LayoutResult*>& layouts) {
  constexpr double kAnotherStory = 0.05;
  const LayoutResult& first = *layouts.front();
  const LayoutResult& last = *layouts.back();
  const Part& part = largest_part(*first.training);
  const Part& last_part = largest_part(*last.training);
  std::string heading = fmt::format("{} takes {} of an iteration with {}", part.word,
                                    text::whole_percent(share_of(part, first)), named(first));
  heading.front() = static_cast<char>(std::toupper(heading.front()));
  const double share = share_of(last_part, last);
  if (&last_part != &part) {
    heading +=
        fmt::format(", {} {} with {}", last_part.word, text::whole_percent(share), named(last));
  } else if (std::abs(share_of(part, first) - share) > kAnotherStory) {
    heading += fmt::format(", {} with {}", text::whole_percent(share), named(last));
  }
  return heading;
}

}  // namespace

std::optional<Section> breakdown_section(const Report& report) {
  std::vector<const LayoutResult*> layouts;
  for (const LayoutResult* layout : by_speed(report)) {
    if (layout->training && layout->training->iteration > SimTime{0}) layouts.push_back(layout);
  }
  if (layouts.empty()) return std::nullopt;
  const bool of_a_sample = !do_equal_work(layouts);
  StackedBars chart;
  double most = 0;
  bool intervals = false;
  for (std::size_t l = 0; l < std::min(kMostBars, layouts.size()); ++l) {
    chart.bars.push_back(bar_of(*layouts[l], of_a_sample));
    for (const BarPart& part : chart.bars.back().parts) most = std::max(most, part.value);
    intervals |= chart.bars.back().high.has_value();
  }
  chart.unit = time_unit(most);
  chart.title =
      of_a_sample ? "Where the time of a sample goes" : "Where the time of an iteration goes";
  chart.description = fmt::format("A bar for each layout. {}. The table has the numbers.",
                                  breakdown_heading(layouts));
  Figure figure = figure_of("breakdown-chart", chart, &stacked_bars, breakdown_table(report));
  for (const Part& part : kParts) {
    if (is_used(part, layouts)) figure.keys.push_back({part.look, part.word});
  }
  const std::string& rank = layouts.front()->training->breakdown_rank;
  figure.caption = rank.empty() ? std::string("Of the rank that ends last.")
                                : fmt::format("Of the rank that ends last ({}).", rank);
  if (of_a_sample) {
    figure.caption =
        "The time of a sample, as iterations of these layouts differ in their samples. " +
        figure.caption;
  }
  if (layouts.size() > kMostBars) {
    figure.caption += fmt::format(" The fastest {} of {}.", kMostBars, layouts.size());
  }
  if (intervals) {
    figure.caption +=
        " The line below a bar is the 90 % interval over draws of the uncertain inputs.";
  }
  Section section{"breakdown", "Time", breakdown_heading(layouts), {std::move(figure)}};
  for (const LayoutResult* layout : layouts) {
    if (layout->training->settled) continue;
    section.blocks.emplace_back(
        Paragraph{fmt::format("{}: no periodic steady state was found; the remaining iterations "
                              "are taken to be as long as the last one simulated.",
                              named(*layout)),
                  false});
  }
  return section;
}

}  // namespace vgsim::report
