#include "tools/cli/score/score_training.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "models/calibration/statistics.hpp"
#include "models/questions/read/training_bars.hpp"
#include "models/questions/read/training_folds.hpp"
#include "models/questions/score/interval_score.hpp"
#include "models/scenario/answer/parallel_for.hpp"
#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/machine_memory.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/score/interval_rows.hpp"
#include "tools/cli/score/scored_cases.hpp"
#include "tools/text/table.hpp"
#include "tools/text/words.hpp"

namespace vgsim::cli {
namespace {

using scenario::TrainingBars;
using scenario::TrainingCase;
using scenario::TrainingErrors;
using scenario::TrainingScore;
using scenario::TrainingSeries;
using Scores = std::vector<std::vector<TrainingScore>>;  ///< by series and point

constexpr double kWorthAWord = 0.25;         ///< errors above this are listed
constexpr std::size_t kSmallestRanking = 8;  ///< points

/// Ranks from 0, ties in the order of the list.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t k = 0; k < order.size(); ++k) ranks[order[k]] = static_cast<double>(k);
  return ranks;
}

/// Spearman's rank correlation.
double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto x = ranks_of(a);
  const auto y = ranks_of(b);
  const auto n = static_cast<double>(a.size());
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return 1 - 6 * sum / (n * (n * n - 1));
}

/// How well a case's points are ranked; nothing where they are too few to tell.
std::optional<double> order_of(const TrainingCase& measured, const Scores& scores) {
  std::vector<double> values;
  std::vector<double> predicted;
  for (std::size_t s = 0; s < measured.series.size(); ++s) {
    const TrainingSeries& series = measured.series[s];
    for (std::size_t p = 0; p < series.points.size(); ++p) {
      if (!scenario::is_scored(series.points[p]) || !scores[s][p].predicted) continue;
      values.push_back(*series.points[p].value);
      predicted.push_back(*scores[s][p].predicted);
    }
  }
  if (values.size() < kSmallestRanking) return std::nullopt;
  return correlation(values, predicted);
}

double middle(const std::vector<double>& values) {
  return values.empty() ? 0.0 : calibration::median(values);
}

/// A row for each group of points; and beside the null model, of the points of which it says
/// something.
std::string groups_text(const std::vector<TrainingErrors>& errors) {
  Table table;
  table.add_row(
      {"grades A and B", "points", "median", "90th", "compared", "median", "null", "90th"});
  const auto median = [](const std::vector<double>& sizes) {
    return sizes.empty() ? "-" : percent(calibration::median(sizes));
  };
  const auto most = [](const std::vector<double>& sizes) {
    return sizes.empty() ? "-" : percent(calibration::percentile(sizes, 90));
  };
  for (const scenario::PointGroup& group : scenario::point_groups()) {
    auto points = scenario::points_in(group, errors);
    const auto sizes = scenario::sizes_of(points);
    std::erase_if(points, [](const auto& point) { return !point.null_error; });
    const auto null = scenario::null_sizes_of(points);
    table.add_row({group.text, std::to_string(sizes.size()), median(sizes), most(sizes),
                   std::to_string(points.size()), median(scenario::sizes_of(points)), median(null),
                   most(null)});
  }
  return table.text();
}

/// What intervals hold, by what jobs split and by document; empty without draws.
std::string intervals_text(const std::vector<TrainingCase>& cases,
                           const std::vector<Scores>& scores) {
  std::map<std::string, scenario::IntervalsByGroup> found;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    if (cases[c].grade == "C") continue;
    for (std::size_t s = 0; s < cases[c].series.size(); ++s) {
      for (std::size_t p = 0; p < cases[c].series[s].points.size(); ++p) {
        const TrainingScore& score = scores[c][s][p];
        if (!score.drawn) continue;
        const scenario::ScoredInterval one{*cases[c].series[s].points[p].value, score.drawn->low,
                                           score.drawn->high};
        for (const std::string& name : {std::string("all"), std::string(to_string(score.kind))}) {
          found[name][cases[c].group].push_back(one);
        }
      }
    }
  }
  if (found.empty()) return {};
  Table table;
  table.add_row(interval_head("intervals of"));
  for (const auto& [name, groups] : found) {
    table.add_row(interval_cells(name, *scenario::summarize_intervals(groups)));
  }
  return "\n" + table.text();
}

std::vector<TrainingErrors> errors_in(const std::vector<TrainingCase>& cases,
                                      const std::vector<Scores>& scores) {
  std::vector<TrainingErrors> errors;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    errors.push_back(scenario::errors_of(cases[c], scores[c]));
  }
  return errors;
}

std::string cases_text(const std::vector<TrainingCase>& cases, const std::vector<Scores>& scores) {
  Table table;
  table.add_row({"case", "grade", "points", "median", "worst", "bias", "order", "not run"});
  const auto all = errors_in(cases, scores);
  std::size_t not_run = 0;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const TrainingErrors& one = all[c];
    not_run += one.not_run;
    std::vector<double> errors;
    for (const scenario::TrainingError& point : one.points) errors.push_back(point.error);
    const auto sizes = scenario::sizes_of(one.points);
    const auto order = order_of(cases[c], scores[c]);
    table.add_row({cases[c].id, cases[c].grade, std::to_string(sizes.size()),
                   sizes.empty() ? "-" : percent(middle(sizes)),
                   sizes.empty() ? "-" : percent(*std::max_element(sizes.begin(), sizes.end())),
                   errors.empty() ? "-" : percent(middle(errors)),
                   order ? fmt::format("{:.3f}", *order) : "-", std::to_string(one.not_run)});
  }
  return table.text() + "\n" + groups_text(all) +
         fmt::format(
             "\nnull: if each GPU did as much as one of the nearest anchor of the same\n"
             "network and GPU; compared: points that have one\n"
             "{} points could not be run\n",
             not_run);
}

/// Points that are far off, and those that could not be run, the first of each reason.
std::string remarks_text(const std::vector<TrainingCase>& cases,
                         const std::vector<Scores>& scores) {
  std::string text;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    std::map<std::string, std::size_t> failures;
    std::size_t far = 0;
    for (std::size_t s = 0; s < cases[c].series.size(); ++s) {
      for (std::size_t p = 0; p < cases[c].series[s].points.size(); ++p) {
        const auto& point = cases[c].series[s].points[p];
        const TrainingScore& score = scores[c][s][p];
        if (!score.failure.empty()) ++failures[score.failure.substr(0, score.failure.find('\n'))];
        const bool counts = point.value && !point.anchor && score.predicted;
        if (counts && std::abs(*score.predicted / *point.value - 1) > kWorthAWord) ++far;
      }
    }
    if (far > 0) {
      text += fmt::format("  {}: {} more than {} off\n", cases[c].id, plural(far, "point"),
                          percent(kWorthAWord));
    }
    for (const auto& [failure, count] : failures) {
      text += fmt::format("  {}: {} not run: {}\n", cases[c].id, plural(count, "point"), failure);
    }
  }
  return text.empty() ? text : "\nto look at\n" + text;
}

/// Each point of one case, with what it was predicted from.
std::string points_text(const TrainingCase& measured, const Scores& scores) {
  Table table;
  table.add_row({"series", "GPUs", "global batch", "measured", "predicted", "error", "iteration",
                 "computing", "exposed communication"});
  for (std::size_t s = 0; s < measured.series.size(); ++s) {
    const TrainingSeries& series = measured.series[s];
    for (std::size_t p = 0; p < series.points.size(); ++p) {
      const auto& point = series.points[p];
      const TrainingScore& score = scores[s][p];
      const std::string value = point.value ? fmt::format("{:.4g}", *point.value) : "-";
      if (!score.predicted) {
        table.add_row({series.id, "-", "-", value, "not run", "-", "-", "-", "-"});
        continue;
      }
      const auto ms = [](double seconds) { return fmt::format("{:.4g} ms", seconds * 1e3); };
      const std::string error = point.anchor  ? "anchor"
                                : point.value ? percent(*score.predicted / *point.value - 1)
                                              : "-";
      table.add_row({series.id + " (" + series.metric + ")", std::to_string(score.ranks),
                     std::to_string(score.global_batch), value,
                     fmt::format("{:.4g}", *score.predicted), error, ms(score.iteration_s),
                     ms(score.compute_s), ms(score.exposed_communication_s)});
    }
  }
  return "\n" + table.text();
}

/// {case: {series: [value or null]}}, in the sources' units; anchors are null.
std::string predictions_json(const std::vector<TrainingCase>& cases,
                             const std::vector<Scores>& scores) {
  nlohmann::ordered_json out;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    for (std::size_t s = 0; s < cases[c].series.size(); ++s) {
      const TrainingSeries& series = cases[c].series[s];
      auto& values = out[cases[c].id][series.id] = nlohmann::ordered_json::array();
      for (std::size_t p = 0; p < series.points.size(); ++p) {
        const auto& predicted = scores[c][s][p].predicted;
        if (series.points[p].anchor || !predicted) {
          values.push_back(nullptr);
        } else {
          values.push_back(*predicted * series.source_factor);
        }
      }
    }
  }
  return out.dump(1) + "\n";
}

nlohmann::ordered_json point_json(const scenario::TrainingPoint& point,
                                  const TrainingScore& score) {
  nlohmann::ordered_json out;
  if (point.anchor) out["anchor"] = true;
  if (point.value) out["measured"] = *point.value;
  if (!score.predicted) {
    out["failure"] = score.failure;
    return out;
  }
  out["predicted"] = *score.predicted;
  if (point.value) out["error"] = *score.predicted / *point.value - 1;
  if (point.value) out["efficiency"] = score.efficiency;
  if (score.as_anchor) out["as_anchor"] = *score.as_anchor;
  if (score.drawn) out["drawn"] = {score.drawn->low, score.drawn->high};
  out["keeps_batch"] = score.keeps_batch;
  out["kind"] = scenario::to_string(score.kind);
  out["hosts"] = score.hosts;
  out["ranks"] = score.ranks;
  out["global_batch"] = score.global_batch;
  out["iteration_s"] = score.iteration_s;
  out["compute_s"] = score.compute_s;
  out["exposed_communication_s"] = score.exposed_communication_s;
  return out;
}

/// All points, by case and series, with what each was predicted from.
std::string scores_json(const std::vector<TrainingCase>& cases, const std::vector<Scores>& scores) {
  nlohmann::ordered_json out;
  out["format"] = "vgsim.training-score/1";
  for (std::size_t c = 0; c < cases.size(); ++c) {
    nlohmann::ordered_json one{{"id", cases[c].id}, {"grade", cases[c].grade}};
    for (std::size_t s = 0; s < cases[c].series.size(); ++s) {
      const TrainingSeries& series = cases[c].series[s];
      nlohmann::ordered_json listed{{"id", series.id}, {"metric", series.metric}};
      for (std::size_t p = 0; p < series.points.size(); ++p) {
        listed["points"].push_back(point_json(series.points[p], scores[c][s][p]));
      }
      one["series"].push_back(std::move(listed));
    }
    out["cases"].push_back(std::move(one));
  }
  return out.dump(1) + "\n";
}

/// How each case is run: with the constants of its fold, if folds are given.
std::vector<scenario::RunSettings> settings_of(const ScoreOptions& score,
                                               const std::vector<TrainingCase>& cases,
                                               input::Diagnostics& diagnostics) {
  scenario::RunSettings settings;
  settings.memory_limit = machine_memory();
  settings.next_limit = false;
  settings.note_inputs = false;
  settings.epoch_end = false;
  std::vector<scenario::RunSettings> of_case(cases.size(), settings);
  if (!score.folds) return of_case;
  const auto file = input::load_source(*score.folds);
  const auto folds = file ? scenario::read_training_folds(*file) : tl::unexpected(file.error());
  if (!folds) {
    diagnostics.append(folds.error());
    return of_case;
  }
  for (std::size_t c = 0; c < cases.size(); ++c) {
    if (const auto* parameters = scenario::parameters_of(*folds, cases[c].id)) {
      of_case[c].parameters = *parameters;
    } else {
      diagnostics.error("E411", {}, "",
                        fmt::format("case \"{}\" is in no fold of {}", cases[c].id, *score.folds),
                        "folds that name every case: run tests/training-cases/refit.py");
    }
  }
  return of_case;
}

}  // namespace

int score_training_cases(const Options& options, std::vector<TrainingCase> cases,
                         const scenario::Library& library) {
  const ScoreOptions& score = options.score;
  const bool is_foreign = has_foreign({{"--only", score.only_class.has_value()},
                                       {"--baseline", score.baseline.has_value()},
                                       {"--keep-going", score.keep_going}},
                                      "collectives", "training");
  if (is_foreign) return kBadInput;
  input::Diagnostics diagnostics;
  const auto bars = bars_in<TrainingBars>(score, scenario::read_training_bars, diagnostics);
  if (diagnostics.has_errors()) {
    write_message(input::render(diagnostics, input::Diagnostics::kCapacity));
    return kBadInput;
  }
  if (score.only_case && !keep_case(*score.only_case, "training", cases)) return kBadInput;
  const auto settings = settings_of(score, cases, diagnostics);
  if (diagnostics.has_errors()) {
    write_message(input::render(diagnostics, input::Diagnostics::kCapacity));
    return kBadInput;
  }
  std::vector<Scores> scores(cases.size());
  scenario::parallel_for(cases.size(), [&](std::size_t c) {
    scores[c] = scenario::score_training(cases[c], library, loader_beside("."), settings[c],
                                         {!score.uncalibrated, score.draws});
  });
  std::vector<std::string> missed;
  if (bars) missed = scenario::missed_training_bars(errors_in(cases, scores), *bars);
  if (score.predictions) write_result(predictions_json(cases, scores), score.predictions);
  if (score.output) write_result(scores_json(cases, scores), score.output);
  std::string text;
  if (options.format == Format::kJson) {
    text = scores_json(cases, scores);
  } else {
    text = cases_text(cases, scores) + intervals_text(cases, scores) + remarks_text(cases, scores);
    if (score.only_case) text += points_text(cases.front(), scores.front());
  }
  write_result(text, std::nullopt);
  for (const std::string& miss : missed) write_message("missed: " + miss + "\n");
  return missed.empty() ? kDone : kExpectationFailed;
}

}  // namespace vgsim::cli
