#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "models/scenario/answer/standing.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/report/text.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;
using scenario::Metric;
using scenario::MetricUnit;

constexpr std::size_t kSideBySide = 6;

/// A row of the comparison: a text for each layout.
struct Row {
  std::string label;
  std::vector<std::string> cells;
};

using Names = std::vector<std::string>;

bool holds(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Parts of an iteration stand in the breakdown.
bool is_part(const std::string& name) {
  static const Names kTimeParts{"compute_s", "exposed_communication_s", "data_wait_s",
                                "optimizer_s", "pipeline_wait_s"};
  return holds(kTimeParts, name);
}

/// Left out where there are many layouts.
bool is_minor(const std::string& name) {
  static const Names kMinor{"epoch_time_s",    "gpu_hours", "cost_epoch",
                            "host_cores_busy", "hosts",     "ranks"};
  return holds(kMinor, name);
}

std::string value_words(const Metric& metric, const std::vector<Metric>& all,
                        const LayoutResult& layout) {
  if (metric.unit == MetricUnit::kMoney && layout.training && layout.training->economy.cost) {
    return grouped(cli::money_figure(metric.value, layout.training->economy.cost->currency,
                                     cli::known_of(metric, all)));
  }
  return grouped(cli::figure(metric, all));
}

/// Of a collective of many sizes the largest, the smallest and one in the middle.
std::vector<Metric> few_sizes(const std::vector<Metric>& figures) {
  std::vector<Metric> times;
  std::vector<Metric> few;
  for (const Metric& metric : figures) {
    if (metric.name.starts_with("time_s@")) times.push_back(metric);
  }
  if (times.empty()) return figures;
  for (const std::size_t n : {times.size() - 1, std::size_t{0}, times.size() / 2}) {
    const std::string size = times[n].name.substr(times[n].name.find('@'));
    for (const Metric& metric : figures) {
      const bool chosen = metric.name == "time_s" + size || metric.name == "busbw_GBps" + size;
      if (chosen) few.push_back(metric);
    }
  }
  std::copy_if(figures.begin(), figures.end(), std::back_inserter(few),
               [](const Metric& metric) { return metric.name.find('@') == std::string::npos; });
  return few;
}

std::vector<Metric> figures_of(const LayoutResult& layout, bool many) {
  std::vector<Metric> figures;
  for (Metric& metric : scenario::metrics_of(scenario::layout_json(layout))) {
    if (!is_part(metric.name) && !(many && is_minor(metric.name))) {
      figures.push_back(std::move(metric));
    }
  }
  return layout.collective ? few_sizes(figures) : figures;
}

class Comparison {
 public:
  explicit Comparison(const Report& report) : report_(report) {
    const bool many = report.result.layouts.size() > kSideBySide;
    for (const LayoutResult& layout : report.result.layouts) {
      figures_.push_back(figures_of(layout, many));
    }
  }

  std::vector<Row> rows() {
    Names names;
    for (const auto& figures : figures_) {
      for (const Metric& metric : figures) {
        if (holds(names, metric.name)) continue;
        names.push_back(metric.name);
        add(metric);
        if (names.size() == 1) add_changes();
      }
    }
    return std::move(rows_);
  }

 private:
  void add(const Metric& metric) {
    Row row{metric.label, {}};
    Row intervals{"  nine in ten", {}};
    bool any_interval = false;
    for (std::size_t l = 0; l < figures_.size(); ++l) {
      const auto own = std::find_if(figures_[l].begin(), figures_[l].end(),
                                    [&](const Metric& m) { return m.name == metric.name; });
      const bool missing = own == figures_[l].end();
      row.cells.push_back(missing ? "-"
                                  : value_words(*own, figures_[l], report_.result.layouts[l]));
      const bool interval = !missing && own->low && own->high;
      intervals.cells.push_back(interval ? cli::range_figure(*own) : "-");
      any_interval |= interval;
    }
    if (never_more_than_0(metric.name)) return;
    rows_.push_back(std::move(row));
    if (any_interval) rows_.push_back(std::move(intervals));
  }

  /// Such as the cores that input takes where there is none.
  [[nodiscard]] bool never_more_than_0(const std::string& name) const {
    return std::none_of(figures_.begin(), figures_.end(), [&](const auto& figures) {
      return std::any_of(figures.begin(), figures.end(), [&](const Metric& metric) {
        return metric.name == name && metric.value > 0;
      });
    });
  }

  void add_changes() {
    if (figures_.size() < 2) return;
    Row row{"  against the fastest", std::vector<std::string>(figures_.size(), "-")};
    for (const auto& group : scenario::standings_of(report_.result)) {
      for (const auto& each : group.standings) {
        row.cells[each.layout] =
            each.layout == group.fastest() ? "fastest" : cli::gap_figure(each.gap);
      }
    }
    rows_.push_back(std::move(row));
  }

  const Report& report_;
  std::vector<std::vector<Metric>> figures_;
  std::vector<Row> rows_;
};

std::string state_of(const LayoutResult& layout) {
  if (layout.refused) return "refused";
  return layout.mode == "bare metal" ? layout.mode
                                     : fmt::format("{}, vSphere {}", layout.mode, layout.vsphere);
}

Table side_by_side(const Report& report, const std::vector<Row>& rows) {
  Table table;
  table.columns.push_back({"", false});
  std::vector<std::string> states{"GPUs are given as"};
  for (const LayoutResult& layout : report.result.layouts) {
    table.columns.push_back({layout.name, true});
    states.push_back(state_of(layout));
  }
  table.rows.push_back(std::move(states));
  for (const Row& row : rows) {
    table.rows.push_back({row.label});
    table.rows.back().insert(table.rows.back().end(), row.cells.begin(), row.cells.end());
  }
  return table;
}

/// Where there are many layouts, each has a row.
Table one_below_the_other(const Report& report, const std::vector<Row>& rows) {
  const auto& layouts = report.result.layouts;
  const bool alike = std::all_of(layouts.begin(), layouts.end(), [&](const LayoutResult& layout) {
    return state_of(layout) == state_of(layouts.front());
  });
  Table table;
  table.columns.push_back({"layout", false});
  if (!alike) table.columns.push_back({"GPUs are given as", false});
  for (const Row& row : rows) table.columns.push_back({row.label, true});
  for (std::size_t l = 0; l < layouts.size(); ++l) {
    auto& cells = table.rows.emplace_back();
    cells.push_back(layouts[l].name);
    if (!alike) cells.push_back(state_of(layouts[l]));
    for (const Row& row : rows) cells.push_back(row.cells[l]);
  }
  return table;
}

std::string layouts_heading(const Report& report) {
  const auto order = by_speed(report);
  if (order.empty()) return "No layout runs";
  const auto groups = scenario::standings_of(report.result);
  const auto& first = groups.front().standings;
  if (groups.size() > 1 || first.size() == 1) {
    return fmt::format("{}: {}", named(*order[0]), speed_words(*order[0]));
  }
  if (groups.front().shared() == first.size())
    return "No significant difference between the layouts";
  return fmt::format("{} takes {} against {}", named(report.result.layouts[first.back().layout]),
                     cli::gap_figure(first.back().gap), named(*order.front()));
}

}  // namespace

std::optional<Section> layouts_section(const Report& report) {
  const auto rows = Comparison(report).rows();
  Section section{"layouts", "Layouts", layouts_heading(report), {}};
  section.blocks.emplace_back(report.result.layouts.size() <= kSideBySide
                                  ? side_by_side(report, rows)
                                  : one_below_the_other(report, rows));
  const auto runs = simulated(report);
  if (!runs.empty() && runs.front()->training && runs.front()->training->iteration_interval) {
    section.blocks.emplace_back(Paragraph{
        fmt::format("Nine in ten: of {} with all uncertain inputs drawn from their intervals, nine "
                    "in ten lie between these.",
                    cli::plural(runs.front()->training->iteration_interval->draws, "run")),
        true});
  }
  return section;
}

}  // namespace vgsim::report
