#include "tools/cli/score/score_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <variant>

#include "tools/text/table.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scoring::ErrorSummary;
using scoring::kAll;
using scoring::Point;
using scoring::Score;
using scoring::ScoredCase;
using Cells = std::vector<std::string>;
using Cases = std::vector<const ScoredCase*>;

constexpr const char* kNothing = "-";

std::string signed_percent(double share) { return fmt::format("{:+.1f} %", share * 100.0); }
template <std::size_t scoring::VerdictSummary::*count>
std::string verdict_count(const ErrorSummary& summary) {
  return summary.verdicts ? fmt::format("{}", *summary.verdicts.*count) : kNothing;
}
std::string factor_text(double factor) { return fmt::format("x{:.2f}", factor); }

/// A column of a table of errors. `factor`: instead of `cell` for errors shown as factors.
struct Column {
  const char* name;
  const char* meaning;
  std::string (*cell)(const ErrorSummary&);
  std::string (*factor)(const ErrorSummary&) = nullptr;
};

/// All columns; the row of a kind of case lists its columns by name.
const std::vector<Column>& columns() {
  using Summary = const ErrorSummary&;
  static const std::vector<Column> table = {
      {"groups", "machines or documents, each of which counts once",
       [](Summary s) { return fmt::format("{}", s.groups); }},
      {"points", "", [](Summary s) { return fmt::format("{}", s.points); }},
      {"signed", "median of the errors with their sign",
       [](Summary s) { return signed_percent(s.signed_median); },
       [](Summary s) { return factor_text(1.0 + s.signed_median); }},
      {"median", "of |error|", [](Summary s) { return text::percent(s.median); },
       [](Summary s) { return factor_text(s.median_factor); }},
      {"p90", "90th percentile of |error|", [](Summary s) { return text::percent(s.p90); },
       [](Summary s) { return factor_text(s.p90_factor); }},
      {"worst", "", [](Summary s) { return signed_percent(s.worst); }},
      {"at", "the point with the largest |error|", [](Summary s) { return s.worst_at; }},
      {"too low", "share of the predictions that are below the measurement",
       [](Summary s) { return text::percent(s.too_low); }},
      {"inside", "share of the measurements in the predicted interval, which should be 90 %",
       [](Summary s) { return s.intervals ? text::percent(s.intervals->inside) : kNothing; }},
      {"interval", "too narrow where chance hardly explains that so few are inside",
       [](Summary s) {
         const bool is_too_narrow = s.intervals && s.intervals->is_too_narrow();
         return is_too_narrow ? std::string("too narrow") : kNothing;
       }},
      {"width", "of the intervals, high over low",
       [](Summary s) { return s.intervals ? factor_text(s.intervals->width) : kNothing; }},
      {"score", "width of an interval that holds all, less is better",
       [](Summary s) { return s.intervals ? factor_text(s.intervals->score) : kNothing; }},
      {"pairs", "compared over common draws",
       [](Summary s) {
         return s.differences ? fmt::format("{}", s.differences->pairs) : kNothing;
       }},
      {"stated right", "pairs of which one is stated to be slower, and those where it is",
       [](Summary s) {
         return s.differences ? fmt::format("{} of {}", s.differences->right, s.differences->stated)
                              : kNothing;
       }},
      {"undecided", "pairs",
       [](Summary s) {
         return s.differences ? fmt::format("{}", s.differences->undecided) : kNothing;
       }},
      {"missed", "pairs that differ by 5 %, and those said to have no significant difference",
       [](Summary s) {
         return s.differences ? fmt::format("{} of {}", s.differences->missed, s.differences->apart)
                              : kNothing;
       }},
      {"pairs inside", "pairs whose difference is in its 90 % interval",
       [](Summary s) {
         return s.differences ? text::percent(static_cast<double>(s.differences->inside) /
                                              static_cast<double>(s.differences->pairs))
                              : kNothing;
       }},
      {"compared", "points for which the null model has a prediction",
       [](Summary s) { return s.null_model ? fmt::format("{}", s.null_model->points) : kNothing; }},
      {"own median", "median of |error| at these points",
       [](Summary s) { return s.null_model ? text::percent(s.null_model->own_median) : kNothing; }},
      {"null median", "the same of the null model",
       [](Summary s) { return s.null_model ? text::percent(s.null_model->median) : kNothing; }},
      {"null p90", "",
       [](Summary s) { return s.null_model ? text::percent(s.null_model->p90) : kNothing; }},
      {"order", "rank correlation of measured and predicted",
       [](Summary s) {
         return s.rank_correlation ? fmt::format("{:.3f}", *s.rank_correlation) : kNothing;
       }},
      {"in order", "pairs that differ by more than the noise and are predicted in their order",
       [](Summary s) {
         return s.pairs > 0 ? fmt::format("{} of {}", s.in_order, s.pairs) : kNothing;
       }},
      {"right", "", &verdict_count<&scoring::VerdictSummary::right>},
      {"false accepts", "", &verdict_count<&scoring::VerdictSummary::false_accepts>},
      {"false refusals", "", &verdict_count<&scoring::VerdictSummary::false_refusals>},
      {"wrong reason", "", &verdict_count<&scoring::VerdictSummary::wrong_reasons>},
      {"not run", "points that could not be run",
       [](Summary s) { return s.not_run > 0 ? fmt::format("{}", s.not_run) : kNothing; }},
  };
  return table;
}

const Column* figure_of(const std::string& name) {
  const auto found = std::find_if(columns().begin(), columns().end(),
                                  [&](const Column& column) { return column.name == name; });
  return found == columns().end() ? nullptr : &*found;
}

/// A heading and a cell for each row.
struct TableColumn {
  std::string heading;
  Cells cells;
  std::string nothing = kNothing;  ///< in empty cells
};

bool has_content(const TableColumn& column) {
  return std::any_of(column.cells.begin(), column.cells.end(), [&](const std::string& cell) {
    return !cell.empty() && cell != column.nothing;
  });
}

/// Empty columns are left out.
std::string table_text(std::vector<TableColumn> columns, std::set<std::size_t> left = {}) {
  std::erase_if(columns, [](const TableColumn& column) { return !has_content(column); });
  text::Table table(std::move(left));
  Cells headings;
  for (const TableColumn& column : columns) headings.push_back(column.heading);
  table.add_row(std::move(headings));
  const std::size_t rows = columns.empty() ? 0 : columns.front().cells.size();
  for (std::size_t r = 0; r < rows; ++r) {
    Cells cells;
    for (const TableColumn& column : columns) cells.push_back(column.cells[r]);
    table.add_row(std::move(cells));
  }
  return table.text();
}

bool has_tag(const std::string& part, const std::string& tag) {
  return !tag.empty() && ("/" + part + "/").find("/" + tag + "/") != std::string::npos;
}

/// A part, a class or a case.
struct Row {
  Cells names;
  std::string key;  ///< in a stored score
  Cases cases;
  std::string part;
  ErrorSummary summary;
};

/// Rows of one table.
class Errors {
 public:
  Errors(const Score& score, Cells headings) : score_(score), headings_(std::move(headings)) {}

  /// Left out without points.
  void add(Cells names, const std::string& key, const Cases& cases, const std::string& part) {
    Row row{std::move(names), key, cases, part,
            scoring::summarize(cases, part, score_.kind.weighting)};
    if (row.summary.points + row.summary.not_run > 0) rows_.push_back(std::move(row));
  }

  /// Equal ones by name.
  void sort_worst_first() {
    std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
      return a.summary.median != b.summary.median ? a.summary.median > b.summary.median
                                                  : a.names < b.names;
    });
  }

  [[nodiscard]] bool empty() const { return rows_.empty(); }

  /// `more`: columns in addition to those of the kind of case.
  [[nodiscard]] std::string text(const Cells& more, Cells& shown) const {
    std::vector<TableColumn> all;
    for (std::size_t n = 0; n < headings_.size(); ++n) {
      TableColumn& column = all.emplace_back(headings_[n]);
      for (const Row& row : rows_) column.cells.push_back(row.names[n]);
    }
    Cells names = score_.kind.columns;
    names.insert(names.end(), more.begin(), more.end());
    for (const std::string& name : names) {
      TableColumn& column = all.emplace_back(name);
      if (name == "groups") column.nothing = "1";
      for (const Row& row : rows_) column.cells.push_back(cell(row, name));
      if (has_content(column)) shown.push_back(name);
    }
    if (score_.earlier) all.push_back({"change", changes()});
    return table_text(all);
  }

 private:
  /// A name that is not a figure's is a tag: the median of its points.
  [[nodiscard]] std::string cell(const Row& row, const std::string& name) const {
    if (const Column* column = figure_of(name)) return figure(*column, row.summary, row.part);
    if (row.part.find('/') != std::string::npos) return kNothing;
    return figure(*figure_of("median"),
                  scoring::summarize(row.cases, row.part + "/" + name, score_.kind.weighting),
                  name);
  }

  [[nodiscard]] std::string figure(const Column& column, const ErrorSummary& summary,
                                   const std::string& part) const {
    const bool counts =
        column.name == std::string("points") || column.name == std::string("not run");
    if (summary.points == 0 && !counts) return kNothing;
    const bool as_factor = column.factor != nullptr && has_tag(part, score_.kind.factor_tag);
    return as_factor ? column.factor(summary) : column.cell(summary);
  }

  /// Change of the median in percentage points; "new" without an earlier one.
  [[nodiscard]] Cells changes() const {
    Cells cells;
    for (const Row& row : rows_) {
      const auto then = score_.earlier->find(row.key);
      const bool is_new = then == score_.earlier->end();
      const double change = is_new ? 0.0 : row.summary.median - then->second;
      const bool is_same = std::abs(change) < 0.0005;
      cells.push_back(is_new ? "new" : is_same ? "same" : fmt::format("{:+.1f}", change * 100.0));
    }
    return cells;
  }

  const Score& score_;
  Cells headings_;
  std::vector<Row> rows_;
};

std::string verdict_text(const Score& score) {
  if (!score.thresholds) return {};
  const std::size_t limits = score.thresholds->limits.size();
  if (score.missed.empty())
    return fmt::format("passed: all {} are met\n", text::plural(limits, "limit"));
  return fmt::format("failed: {} of {} missed\n", score.missed.size(),
                     text::plural(limits, "limit"));
}

std::string right_text(const ErrorSummary& all) {
  const scoring::VerdictSummary& verdicts = *all.verdicts;
  return fmt::format(": {} of {} right, {}, {}, {}", verdicts.right, all.points,
                     text::plural(verdicts.false_accepts, "false accept"),
                     text::plural(verdicts.false_refusals, "false refusal"),
                     text::plural(verdicts.wrong_reasons, "wrong reason"));
}

std::string headline(const Score& score) {
  const auto cases = scoring::counted(score.cases);
  const ErrorSummary all = scoring::summarize(cases, kAll, score.kind.weighting);
  std::string text = verdict_text(score) + score.kind.name;
  if (all.points == 0) return text + ": no measured point\n";
  if (all.verdicts) return text + right_text(all) + "\n";
  text += fmt::format(": median error {} ({} of {}, 90th percentile {})", text::percent(all.median),
                      text::plural(all.points, "point"), text::plural(cases.size(), "case"),
                      text::percent(all.p90));
  if (all.null_model) text += fmt::format(", null model {}", text::percent(all.null_model->median));
  return text + "\n";
}

std::string value_text(double value, const std::string& metric) {
  if (metric == scoring::kVerdictMetric) return value > 0 ? "supported" : "refused";
  if (metric == "time_s") return fmt::format("{:.2f} us", value * 1e6);
  return fmt::format("{:.4g}", value);
}

std::string value_text(const std::optional<double>& value, const std::string& metric) {
  return value ? value_text(*value, metric) : kNothing;
}

std::string error_text(const Point& point) {
  if (point.role == scoring::Role::kGiven) return "given";
  if (point.verdict) return to_string(*point.verdict);
  return point.error ? signed_percent(*point.error) : kNothing;
}

std::string inside_text(const Point& point) {
  if (!point.interval || !point.measured) return kNothing;
  return point.interval->low <= *point.measured && *point.measured <= point.interval->high ? "yes"
                                                                                           : "no";
}

/// The number of a numeric fact; empty for others.
std::string fact_text(const scoring::Fact& fact) {
  if (const auto* whole = std::get_if<std::int64_t>(&fact.value)) return fmt::format("{}", *whole);
  if (const auto* number = std::get_if<double>(&fact.value)) return fmt::format("{:.4g}", *number);
  return kNothing;
}

/// The column of that heading; added if new.
TableColumn& column_of(std::vector<TableColumn>& columns, const std::string& heading,
                       std::size_t rows) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const TableColumn& column) {
    return column.heading == heading;
  });
  TableColumn& column = found == columns.end() ? columns.emplace_back(heading) : *found;
  column.cells.resize(rows, kNothing);
  return column;
}

/// Every point of a case, including those not measured, with its known facts.
std::string points_text(const ScoredCase& scored) {
  std::vector<TableColumn> columns;
  std::size_t rows = 0;
  for (const scoring::MeasuredSeries& series : scored.prediction.series) {
    const auto shown = [&](const std::optional<double>& value) {
      return value_text(value, series.metric);
    };
    for (const Point& point : series.points) {
      ++rows;
      const auto set = [&](const std::string& heading, std::string cell) {
        column_of(columns, heading, rows).cells.back() = std::move(cell);
      };
      const auto& interval = point.interval;
      set("series", fmt::format("{} ({})", series.id, series.metric));
      set("point", point.label);
      set("measured", shown(point.measured));
      set("predicted", shown(point.predicted));
      set("low", interval ? shown(interval->low) : kNothing);
      set("high", interval ? shown(interval->high) : kNothing);
      set("error", error_text(point));
      set("inside", inside_text(point));
      set("null model", point.null_error ? signed_percent(*point.null_error) : kNothing);
      for (const scoring::Fact& fact : point.facts) {
        set(scoring::part_text(fact.name), fact_text(fact));
      }
    }
  }
  for (TableColumn& column : columns) column.cells.resize(rows, kNothing);
  return table_text(std::move(columns), {1});
}

std::string case_text(const ScoredCase& scored) {
  std::string text = fmt::format("{}\n", scored.head.title);
  std::string about;
  for (const scoring::Fact& fact : scored.prediction.facts) {
    const auto* count = std::get_if<std::int64_t>(&fact.value);
    if (count) about += fmt::format("{}: {}, ", fact.name, *count);
  }
  if (!scored.head.class_name.empty()) about += scored.head.class_name + ", ";
  return text + about + "grade " + scored.head.grade + "\n\n" + points_text(scored);
}

Errors cases_of(const Score& score, bool counts) {
  Errors errors(score, {counts ? "case" : "not counted", "class", "grade"});
  for (const ScoredCase& scored : score.cases) {
    if (scored.head.counts != counts) continue;
    const scoring::CaseHead& head = scored.head;
    errors.add({head.id, head.class_name, head.grade}, scoring::case_key(head.id), {&scored}, kAll);
  }
  errors.sort_worst_first();
  return errors;
}

/// A single case: by part, or as a case if it has no part.
std::string tables_text(const Score& score, Cells& shown) {
  const Cells intervals = {"interval", "width", "score"};
  const Cases cases = scoring::counted(score.cases);
  Errors parts(score, {"part"});
  for (const std::string& part : score.kind.parts) {
    parts.add({scoring::part_text(part)}, scoring::part_key(part), cases, part);
  }
  std::string text;
  if (!parts.empty()) text += "\n" + parts.text(intervals, shown);
  if (score.cases.size() == 1 && !parts.empty()) return text;
  Errors classes(score, {"class"});
  for (const std::string& name : scoring::classes_of(score.cases)) {
    classes.add({name}, scoring::part_key(name), cases, name);
  }
  classes.sort_worst_first();
  for (const Errors& errors : {classes, cases_of(score, true), cases_of(score, false)}) {
    if (!errors.empty()) text += "\n" + errors.text({}, shown);
  }
  return text;
}

std::string blind_text(const Score& score) {
  std::size_t points = 0;
  std::size_t cases = 0;
  for (const ScoredCase& scored : score.cases) {
    const std::size_t before = points;
    for (const scoring::MeasuredSeries& series : scored.prediction.series) {
      points += static_cast<std::size_t>(
          std::count_if(series.points.begin(), series.points.end(), [](const Point& point) {
            return point.role == scoring::Role::kBlind && point.predicted;
          }));
    }
    cases += points > before ? 1U : 0U;
  }
  if (points == 0) return {};
  return fmt::format("\n{} of {} not measured: predicted, not scored\n",
                     text::plural(points, "point"), text::plural(cases, "case"));
}

std::string fact_of(const Point& point, const std::string& name) {
  for (const scoring::Fact& fact : point.facts) {
    const auto* text = std::get_if<std::string>(&fact.value);
    if (fact.name == name && text != nullptr) return *text;
  }
  return {};
}

/// The facts for deciding whether the rules or the row are wrong.
std::string wrong_verdict_text(const std::string& area, const Point& point) {
  std::string text = fmt::format("  {}/{}: {}\n", area, point.label, to_string(*point.verdict));
  const auto add = [&](const char* what, const std::string& words) {
    if (!words.empty())
      text += "    " + text::wrap(fmt::format("{}: {}", what, words), 6, 96) + "\n";
  };
  for (const char* name : {"claim", "sources", "feature"}) add(name, fact_of(point, name));
  const char* against = fact_of(point, "feature").empty() ? "refused" : "lost";
  const std::string rule = fact_of(point, "rule");
  add("expected",
      (*point.measured > 0 ? "supported" : against) + (rule.empty() ? "" : " by " + rule));
  add("got", *point.predicted > 0 ? "supported" : against);
  add("reasons", fact_of(point, "reasons"));
  return text;
}

/// Every verdict that is not right.
std::string wrong_verdicts_text(const Score& score) {
  std::string text;
  for (const ScoredCase& scored : score.cases) {
    for (const scoring::MeasuredSeries& series : scored.prediction.series) {
      for (const Point& point : series.points) {
        if (!point.verdict || *point.verdict == scoring::VerdictOutcome::kRight) continue;
        text += "\n" + wrong_verdict_text(scored.head.id, point);
      }
    }
  }
  return text;
}

/// Points without a prediction, by the first line of the reason.
std::string not_run_text(const Score& score) {
  std::string text;
  for (const ScoredCase& scored : score.cases) {
    std::map<std::string, std::size_t> failures;
    for (const scoring::MeasuredSeries& series : scored.prediction.series) {
      for (const Point& point : series.points) {
        if (!point.failure.empty()) ++failures[point.failure.substr(0, point.failure.find('\n'))];
      }
    }
    for (const auto& [failure, count] : failures) {
      text += fmt::format("  {}: {} not run: {}\n", scored.head.id, text::plural(count, "point"),
                          failure);
    }
  }
  return text.empty() ? text : "\nnot run\n" + text;
}

/// Cases that only the earlier score has.
std::string gone_text(const Score& score) {
  if (!score.earlier) return {};
  std::string gone;
  const std::string prefix = scoring::case_key("");
  for (const auto& [key, median] : *score.earlier) {
    const bool is_here = std::any_of(
        score.cases.begin(), score.cases.end(),
        [&, &key = key](const ScoredCase& each) { return scoring::case_key(each.head.id) == key; });
    if (key.starts_with(prefix) && !is_here) {
      gone += (gone.empty() ? "" : ", ") + key.substr(prefix.size());
    }
  }
  return gone.empty() ? gone
                      : text::wrap("\nnot in this score, but in the baseline: " + gone, 2) + "\n";
}

std::string legend_text(const Score& score, const Cells& shown) {
  const bool is_figures = std::find(score.kind.columns.begin(), score.kind.columns.end(),
                                    "median") != score.kind.columns.end();
  std::string text = is_figures ? "error = (predicted - measured) / measured. " : "";
  text += score.kind.legend;
  for (const Column& column : columns()) {
    const bool is_shown = std::find(shown.begin(), shown.end(), column.name) != shown.end();
    if (is_shown && *column.meaning != '\0')
      text += fmt::format("; {}: {}", column.name, column.meaning);
  }
  if (score.earlier) text += "; change: of the median, in percentage points, below 0 is better";
  return "\n" + text::wrap(text, 0) + "\n";
}

}  // namespace

std::string score_text(const Score& score) {
  Cells shown;
  std::string text = headline(score);
  if (score.cases.size() == 1) text += "\n" + case_text(score.cases.front());
  text += tables_text(score, shown) + blind_text(score) + wrong_verdicts_text(score) +
          not_run_text(score) + gone_text(score);
  return text + legend_text(score, shown);
}

}  // namespace vgsim::cli
