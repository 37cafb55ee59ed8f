#include "tools/cli/score_training.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "tools/cli/config_files.hpp"
#include "tools/cli/exit_code.hpp"
#include "tools/cli/machine_memory.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/table.hpp"
#include "tools/cli/words.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::cli {
namespace {

namespace fs = std::filesystem;
using scenario::TrainingCase;
using scenario::TrainingScore;
using scenario::TrainingSeries;
using Scores = std::vector<std::vector<TrainingScore>>;  ///< by series and point

constexpr double kWorthAWord = 0.25;         ///< errors above this are listed
constexpr double kEfficient = 0.9;           ///< below it scaling is hard to predict
constexpr std::size_t kSmallestRanking = 8;  ///< points

bool is_training_case(const std::string& text) {
  return text.find(scenario::kTrainingCaseFormat) != std::string::npos;
}

std::vector<std::string> json_files(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(path, error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

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

/// The points of a case that count.
struct Tally {
  std::vector<double> errors;  ///< relative
  std::vector<double> hard;    ///< of those whose efficiency is low at the anchor's batch
  std::vector<double> measured;
  std::vector<double> predicted;
  std::size_t failed = 0;

  void add(const Tally& other) {
    errors.insert(errors.end(), other.errors.begin(), other.errors.end());
    hard.insert(hard.end(), other.hard.begin(), other.hard.end());
    failed += other.failed;
  }
};

Tally tally(const TrainingCase& measured, const Scores& scores) {
  Tally result;
  for (std::size_t s = 0; s < measured.series.size(); ++s) {
    const TrainingSeries& series = measured.series[s];
    for (std::size_t p = 0; p < series.points.size(); ++p) {
      const auto& point = series.points[p];
      const TrainingScore& score = scores[s][p];
      if (point.anchor || !point.value || !point.left_out.empty()) continue;
      if (!score.predicted) {
        ++result.failed;
        continue;
      }
      const double error = *score.predicted / *point.value - 1;
      result.errors.push_back(error);
      if (score.keeps_batch && score.efficiency < kEfficient) result.hard.push_back(error);
      result.measured.push_back(*point.value);
      result.predicted.push_back(*score.predicted);
    }
  }
  return result;
}

std::vector<double> absolute(std::vector<double> errors) {
  for (double& error : errors) error = std::abs(error);
  return errors;
}

std::string summary(const std::string& what, const Tally& all) {
  const auto line = [](const std::string& name, const std::vector<double>& errors) {
    const auto sizes = absolute(errors);
    return fmt::format("{:<34} {:>5} points   median {:>6}   90th percentile {:>7}\n", name,
                       sizes.size(), percent(quantile(sizes, 0.5)), percent(quantile(sizes, 0.9)));
  };
  return line(what, all.errors) + line(what + ", hard to scale", all.hard);
}

std::string cases_text(const std::vector<TrainingCase>& cases, const std::vector<Scores>& scores) {
  Table table;
  table.add_row({"case", "grade", "points", "median", "worst", "bias", "order", "not run"});
  Tally all;
  Tally good;
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const Tally one = tally(cases[c], scores[c]);
    all.add(one);
    if (cases[c].grade != "C") good.add(one);
    const auto sizes = absolute(one.errors);
    const bool ranks = one.measured.size() >= kSmallestRanking;
    table.add_row({cases[c].id, cases[c].grade, std::to_string(sizes.size()),
                   sizes.empty() ? "-" : percent(quantile(sizes, 0.5)),
                   sizes.empty() ? "-" : percent(quantile(sizes, 1.0)),
                   one.errors.empty() ? "-" : percent(quantile(one.errors, 0.5)),
                   ranks ? fmt::format("{:.3f}", correlation(one.measured, one.predicted)) : "-",
                   std::to_string(one.failed)});
  }
  return table.text() + "\n" + summary("grades A and B", good) + summary("all grades", all) +
         fmt::format("{} points could not be run\n", all.failed);
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
  out["keeps_batch"] = score.keeps_batch;
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

}  // namespace

std::vector<TrainingCase> read_training_cases(const std::vector<std::string>& paths,
                                              input::Diagnostics& diagnostics) {
  std::vector<TrainingCase> cases;
  for (const std::string& path : paths) {
    for (const std::string& file : json_files(path)) {
      const auto source = input::load_source(file);
      if (!source || !is_training_case((*source)->text)) continue;
      auto read = scenario::read_training_case(*source);
      if (read) {
        cases.push_back(std::move(*read));
      } else {
        diagnostics.append(read.error());
      }
    }
  }
  return cases;
}

int score_training_cases(const Options& options, const std::vector<TrainingCase>& cases,
                         const scenario::Library& library) {
  scenario::RunSettings settings;
  settings.memory_limit = machine_memory();
  std::vector<Scores> scores(cases.size());
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t) {
      threads.emplace_back([&] {
        for (std::size_t c = next++; c < cases.size(); c = next++) {
          scores[c] = scenario::score_training(cases[c], library, loader_beside("."), settings,
                                               !options.score.uncalibrated);
        }
      });
    }
  }
  if (options.score.predictions) {
    write_result(predictions_json(cases, scores), options.score.predictions);
  }
  if (options.score.output) write_result(scores_json(cases, scores), options.score.output);
  write_result(options.format == Format::kJson
                   ? scores_json(cases, scores)
                   : cases_text(cases, scores) + remarks_text(cases, scores),
               std::nullopt);
  return kDone;
}

}  // namespace vgsim::cli
