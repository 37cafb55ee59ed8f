#include "tools/cli/score/score_virtual.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/calibration/statistics.hpp"
#include "models/questions/read/virtual_bars.hpp"
#include "models/scenario/answer/parallel_for.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/machine_memory.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/score/scored_cases.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::VirtualCase;
using scenario::VirtualErrors;
using scenario::VirtualPoint;
using scenario::VirtualScore;
using scenario::VirtualSeries;
using PointScores = std::vector<std::vector<VirtualScore>>;  ///< by series and point

std::vector<double> sizes_of(std::vector<double> errors) {
  for (double& error : errors) error = std::abs(error);
  return errors;
}

std::string of_errors(const std::vector<double>& errors, std::size_t percentile) {
  if (errors.empty()) return "-";
  const auto sizes = sizes_of(errors);
  return percent(percentile == 50 ? calibration::median(sizes)
                                  : calibration::percentile(sizes, percentile));
}

std::string kinds_text(const std::vector<VirtualErrors>& kinds) {
  Table table;
  table.add_row(
      {"kind", "points", "median error", "nine in ten", "null model", "in order", "not run"});
  for (const VirtualErrors& kind : kinds) {
    table.add_row({kind.kind, std::to_string(kind.errors.size()), of_errors(kind.errors, 50),
                   of_errors(kind.errors, 90), of_errors(kind.null_errors, 50),
                   kind.pairs == 0 ? "-" : fmt::format("{} of {}", kind.in_order, kind.pairs),
                   std::to_string(kind.not_run)});
  }
  return table.text() + "\n";
}

std::string cases_text(const std::vector<VirtualCase>& cases,
                       const std::vector<PointScores>& scores) {
  Table table;
  table.add_row({"case", "kind", "points", "median error", "worst", "null model"});
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const auto all = scenario::errors_of({cases[c]}, {scores[c]});
    if (all.empty() || (all.front().errors.empty() && all.front().not_run == 0)) continue;
    const VirtualErrors& one = all.front();
    table.add_row({cases[c].id, cases[c].kind, std::to_string(one.errors.size()),
                   of_errors(one.errors, 50), of_errors(one.errors, 100),
                   of_errors(one.null_errors, 50)});
  }
  return table.text();
}

/// The first reason of each kind why points were not run.
std::string not_run_text(const std::vector<VirtualCase>& cases,
                         const std::vector<PointScores>& scores) {
  std::string text;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    std::map<std::string, std::size_t> failures;
    for (const auto& series : scores[c]) {
      for (const VirtualScore& score : series) {
        if (score.failure.empty()) continue;
        ++failures[score.failure.substr(0, score.failure.find('\n'))];
      }
    }
    for (const auto& [failure, count] : failures) {
      text += fmt::format("  {}: {} not run: {}\n", cases[c].id, plural(count, "point"), failure);
    }
  }
  return text.empty() ? text : "\nto look at\n" + text;
}

/// Each point of one case.
std::string virtual_points_text(const VirtualCase& measured, const PointScores& scores) {
  Table table;
  table.add_row({"series", "point", "measured", "predicted", "error", "null model"});
  for (std::size_t s = 0; s < measured.series.size(); ++s) {
    const VirtualSeries& series = measured.series[s];
    for (std::size_t p = 0; p < series.points.size(); ++p) {
      const VirtualPoint& point = series.points[p];
      const auto shown = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.4g}", *value) : "-";
      };
      const auto error_of = [&](const std::optional<double>& predicted) {
        const auto error = VirtualScore::error(point, predicted);
        return error ? percent(*error) : "-";
      };
      table.add_row({fmt::format("{} ({})", series.id, series.metric), std::to_string(p),
                     shown(point.value), shown(scores[s][p].predicted),
                     point.given ? "given" : error_of(scores[s][p].predicted),
                     error_of(scenario::null_of(measured, series, point))});
    }
  }
  return "\n" + table.text();
}

/// {case: {series of the source: [value or null]}}, in the source's units; given points are null.
std::string predictions_json(const std::vector<VirtualCase>& cases,
                             const std::vector<PointScores>& scores) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (std::size_t c = 0; c < cases.size(); ++c) {
    auto& of_case = out[cases[c].id] = nlohmann::ordered_json::object();
    for (std::size_t s = 0; s < cases[c].series.size(); ++s) {
      const VirtualSeries& series = cases[c].series[s];
      for (std::size_t p = 0; p < series.points.size(); ++p) {
        const VirtualPoint& point = series.points[p];
        auto& values = of_case[point.source_series];
        while (values.size() <= point.source_point) values.push_back(nullptr);
        const auto& predicted = scores[c][s][p].predicted;
        if (!point.given && predicted) {
          values[point.source_point] = *predicted * series.source_factor;
        }
      }
    }
  }
  return out.dump(1) + "\n";
}

/// All points, by case and series.
std::string scores_json(const std::vector<VirtualCase>& cases,
                        const std::vector<PointScores>& scores) {
  nlohmann::ordered_json out;
  out["format"] = "vgsim.virtual-score/1";
  out["cases"] = nlohmann::ordered_json::array();
  for (std::size_t c = 0; c < cases.size(); ++c) {
    nlohmann::ordered_json one{
        {"id", cases[c].id}, {"kind", cases[c].kind}, {"grade", cases[c].grade}};
    for (std::size_t s = 0; s < cases[c].series.size(); ++s) {
      const VirtualSeries& series = cases[c].series[s];
      nlohmann::ordered_json listed{{"id", series.id}, {"metric", series.metric}};
      for (std::size_t p = 0; p < series.points.size(); ++p) {
        const VirtualPoint& point = series.points[p];
        nlohmann::ordered_json entry = nlohmann::ordered_json::object();
        if (point.given) entry["given"] = true;
        if (point.value) entry["measured"] = *point.value;
        if (scores[c][s][p].predicted) entry["predicted"] = *scores[c][s][p].predicted;
        if (!scores[c][s][p].failure.empty()) entry["failure"] = scores[c][s][p].failure;
        if (const auto null = scenario::null_of(cases[c], series, point)) entry["null"] = *null;
        listed["points"].push_back(std::move(entry));
      }
      one["series"].push_back(std::move(listed));
    }
    out["cases"].push_back(std::move(one));
  }
  return out.dump(1) + "\n";
}

}  // namespace

int score_virtual_cases(const Options& options, std::vector<VirtualCase> cases,
                        const scenario::Library& library) {
  const ScoreOptions& score = options.score;
  const bool is_foreign = has_foreign({{"--only", score.only_class.has_value()},
                                       {"--baseline", score.baseline.has_value()},
                                       {"--uncalibrated", score.uncalibrated},
                                       {"--keep-going", score.keep_going}},
                                      "collectives or training", "virtualization");
  if (is_foreign) return kBadInput;
  input::Diagnostics diagnostics;
  const auto bars = bars_in<scenario::VirtualBars>(score, scenario::read_virtual_bars, diagnostics);
  if (diagnostics.has_errors()) {
    write_message(input::render(diagnostics, input::Diagnostics::kCapacity));
    return kBadInput;
  }
  if (score.only_case && !keep_case(*score.only_case, "virtual", cases)) return kBadInput;
  scenario::RunSettings settings;
  settings.memory_limit = machine_memory();
  settings.next_limit = false;
  std::vector<PointScores> scores(cases.size());
  scenario::parallel_for(cases.size(), [&](std::size_t c) {
    scores[c] = scenario::score_virtual(cases[c], library, loader_beside("."), settings);
  });
  const auto kinds = scenario::errors_of(cases, scores);
  if (score.predictions) write_result(predictions_json(cases, scores), score.predictions);
  if (score.output) write_result(scores_json(cases, scores), score.output);
  std::string text;
  if (options.format == Format::kJson) {
    text = scores_json(cases, scores);
  } else {
    text = kinds_text(kinds) + cases_text(cases, scores) + not_run_text(cases, scores);
    if (score.only_case) text += virtual_points_text(cases.front(), scores.front());
  }
  write_result(text, std::nullopt);
  if (!bars) return kDone;
  const auto missed = scenario::missed_virtual_bars(kinds, *bars);
  for (const std::string& miss : missed) write_message("missed: " + miss + "\n");
  return missed.empty() ? kDone : kExpectationFailed;
}

}  // namespace vgsim::cli
