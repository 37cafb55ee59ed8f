// Each figure is decided for all layouts at once: whether its metrics merit a row, then a cell
// for each layout, then a row for its interval.

#include "tools/text/figure_rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "models/scenario/answer/figures.hpp"
#include "models/scenario/answer/layout_time.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/limits_text.hpp"

namespace vgsim::text {
namespace {

using scenario::Figure;
using scenario::LayoutResult;
using scenario::Metric;
using scenario::RankedGroup;
using scenario::ScenarioResult;

const char* const kNone = "-";
/// Parts below this share of an iteration have no row on a screen.
constexpr double kWorthARow = 0.005;
/// Minor figures are left out where there are more layouts.
constexpr std::size_t kFewLayouts = 6;

double share_of_iteration(const Metric& part, const LayoutResult& layout) {
  const double iteration = layout.training ? to_seconds(layout.training->iteration) : 0.0;
  return iteration > 0 ? part.value / iteration : 0.0;
}

class Rows {
 public:
  Rows(const ScenarioResult& result, const std::vector<RankedGroup>& groups, RowsFor place)
      : result_(result), groups_(groups), place_(place) {
    for (const LayoutResult& layout : result.layouts) all_.push_back(metrics_of(layout));
  }

  std::vector<LayoutRow> take() {
    for (const Figure& figure : scenario::figures()) {
      if (is_shown_here(figure)) add(figure);
    }
    const bool trains = std::any_of(result_.layouts.begin(), result_.layouts.end(),
                                    [](const LayoutResult& l) { return l.training.has_value(); });
    if (place_ == RowsFor::kScreen && trains) rows_.push_back(limit_row(result_));
    return std::move(rows_);
  }

 private:
  using Values = std::vector<std::optional<Metric>>;  ///< of each layout

  [[nodiscard]] bool any(bool (*holds)(const LayoutResult&)) const {
    return std::any_of(result_.layouts.begin(), result_.layouts.end(), holds);
  }

  [[nodiscard]] bool is_shown_here(const Figure& figure) const {
    if (figure.matters != nullptr && !any(figure.matters)) return false;
    if (place_ == RowsFor::kIteration) return figure.of_iteration;
    if (place_ == RowsFor::kScreen) {
      return figure.screen != Figure::kNotOnScreen &&
             (figure.screen_if == nullptr || any(figure.screen_if));
    }
    const bool many = place_ == RowsFor::kReport && result_.layouts.size() > kFewLayouts;
    return !figure.of_iteration && !(many && figure.minor);
  }

  void add(const Figure& figure) {
    std::vector<std::vector<Metric>> metrics;
    for (const LayoutResult& layout : result_.layouts) {
      metrics.push_back(metrics_of(figure, layout));
    }
    for (const std::string& member : members_of(figure, metrics)) {
      Values values;
      for (const auto& own : metrics) {
        const auto found = std::find_if(own.begin(), own.end(),
                                        [&](const Metric& each) { return each.member == member; });
        values.push_back(found == own.end() ? std::nullopt : std::optional(*found));
      }
      if (is_worth_a_row(figure, values)) add(figure, values);
    }
  }

  /// In order of appearance. Of a collective with many sizes: the largest, the smallest and
  /// the middle one.
  [[nodiscard]] std::vector<std::string> members_of(
      const Figure& figure, const std::vector<std::vector<Metric>>& metrics) const {
    std::vector<std::string> names;
    for (const auto& own : metrics) {
      for (const Metric& each : own) {
        if (std::find(names.begin(), names.end(), each.member) == names.end()) {
          names.push_back(each.member);
        }
      }
    }
    if (!figure.is_size() || names.size() < 2) return names;
    std::vector<std::string> few{names.back(), names.front()};
    if (names.size() > 2) few.push_back(names[names.size() / 2]);
    return few;
  }

  [[nodiscard]] bool is_worth_a_row(const Figure& figure, const Values& values) const {
    std::set<double> different;
    bool is_worth = false;
    for (std::size_t l = 0; l < values.size(); ++l) {
      if (!values[l]) continue;
      different.insert(values[l]->value);
      is_worth |= figure.of_iteration && place_ == RowsFor::kScreen
                      ? share_of_iteration(*values[l], result_.layouts[l]) >= kWorthARow
                      : values[l]->value > 0 || is_training_time(figure);
    }
    const bool must_differ = place_ == RowsFor::kScreen && figure.screen_if_differs;
    return is_worth && (!must_differ || different.size() > 1);
  }

  void add(const Figure& figure, const Values& values) {
    const bool is_first = rows_.empty();
    const auto any_value = std::find_if(values.begin(), values.end(),
                                        [](const auto& each) { return each.has_value(); });
    LayoutRow row = titled(figure, **any_value);
    LayoutRow ranges{std::string("  ") + figure.interval_title,
                     figure.interval_title,
                     figure.interval_screen,
                     {}};
    bool has_range = false;
    for (std::size_t l = 0; l < values.size(); ++l) {
      const LayoutResult& layout = result_.layouts[l];
      const auto& value = values[l];
      row.cells.push_back(value      ? cell(figure, *value, l)
                          : is_first ? not_run_word(layout)
                                     : std::string(kNone));
      has_range |= value && value->low;
      ranges.cells.push_back(value && value->low ? range_figure(*value) : kNone);
    }
    rows_.push_back(std::move(row));
    if (place_ == RowsFor::kScreen) has_range &= figure.interval_screen != Figure::kNotOnScreen;
    if (has_range) rows_.push_back(std::move(ranges));
    if (!is_first || place_ == RowsFor::kIteration) return;
    const bool compares = std::any_of(groups_.begin(), groups_.end(),
                                      [](const auto& each) { return each.layouts.size() > 1; });
    if (!compares) return;
    for (LayoutRow& each : gap_rows(result_, groups_)) rows_.push_back(std::move(each));
  }

  [[nodiscard]] LayoutRow titled(const Figure& figure, const Metric& value) const {
    LayoutRow row{value.label,
                  figure.head == nullptr ? value.label : figure.head,
                  figure.screen,
                  {},
                  figure.begins_block};
    if (is_training_time(figure) && !same_length().empty()) {
      row.head = same_length();
      row.label += ", " + row.head;
    }
    if (figure.members != nullptr && !figure.is_size()) {
      row.label = "  of it " + value.member;
      row.head = value.member;
    }
    return row;
  }

  [[nodiscard]] std::string cell(const Figure& figure, const Metric& value, std::size_t l) const {
    const LayoutResult& layout = result_.layouts[l];
    const bool is_wide = place_ != RowsFor::kScreen;
    if (std::isinf(value.value)) return figure.infinite;
    if (figure.of_iteration) return part(value, l);
    if (figure.whole != nullptr && figure.whole(layout)) {
      return fmt::format("{} of {}", memory_figure(value.value),
                         memory_figure(*figure.whole(layout)));
    }
    if (value.unit == scenario::MetricUnit::kMoney) {
      return money_figure(value.value, layout.training->economy.cost->currency,
                          known_of(value, all_[l]));
    }
    const std::string text = text::figure(value, all_[l]);
    return is_wide && is_training_time(figure) && same_length().empty()
               ? fmt::format("{} for {}", text, length_words(*layout.training))
               : text;
  }

  [[nodiscard]] std::string part(const Metric& value, std::size_t l) const {
    const std::string share = whole_percent(share_of_iteration(value, result_.layouts[l]));
    if (place_ == RowsFor::kScreen) return share;
    return value.value == 0
               ? "0 s"
               : fmt::format("{} ({})", time_figure(value.value, known_of(value, all_[l])), share);
  }

  static bool is_training_time(const Figure& figure) {
    return std::string_view(figure.key) == "training_time_s";
  }

  /// The length of the training if all layouts have the same; empty if they differ, or for
  /// one iteration only.
  [[nodiscard]] std::string same_length() const {
    std::set<std::string> lengths;
    for (const LayoutResult& layout : result_.layouts) {
      if (!layout.training) continue;
      const bool once = layout.training->iterations() == 1;
      lengths.insert(once ? "" : length_words(*layout.training));
    }
    return lengths.size() == 1 ? *lengths.begin() : "";
  }

  static std::string not_run_word(const LayoutResult& layout) {
    if (layout.memory && !layout.memory->fits()) return "does not fit";
    return layout.refused ? "refused" : kNone;
  }

  const ScenarioResult& result_;
  const std::vector<RankedGroup>& groups_;
  RowsFor place_;
  std::vector<std::vector<Metric>> all_;
  std::vector<LayoutRow> rows_;
};

}  // namespace

std::vector<LayoutRow> figure_rows(const ScenarioResult& result,
                                   const std::vector<RankedGroup>& groups, RowsFor place) {
  return Rows(result, groups, place).take();
}

std::vector<LayoutRow> gap_rows(const ScenarioResult& result,
                                const std::vector<RankedGroup>& groups) {
  const std::vector<std::string> none(result.layouts.size(), kNone);
  LayoutRow row{"  against the fastest", "against", 0, none};
  LayoutRow ranges{"    difference, 90 %", "difference", 2, none};
  bool has_range = false;
  for (const RankedGroup& group : groups) {
    for (const auto& each : group.layouts) {
      const bool is_fastest = each.layout == group.fastest();
      row.cells[each.layout] = is_fastest ? "fastest" : gap_figure(each.gap);
      const std::string range = is_fastest ? "" : gap_range(each.gap);
      if (range.empty()) continue;
      ranges.cells[each.layout] = range;
      has_range = true;
    }
  }
  std::vector<LayoutRow> rows{std::move(row)};
  if (has_range) rows.push_back(std::move(ranges));
  return rows;
}

LayoutRow limit_row(const ScenarioResult& result) {
  LayoutRow row{"bottleneck", "bottleneck", 1, {}};
  for (const LayoutResult& layout : result.layouts) {
    row.cells.push_back(scenario::time_of(layout) ? limit_words(limit_of(layout)) : kNone);
  }
  return row;
}

}  // namespace vgsim::text
