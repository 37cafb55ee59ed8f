#include "models/questions/score/training_case.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string_view>

#include "models/calibration/statistics.hpp"
#include "models/questions/score/training_point.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

using nlohmann::json;

/// "n[001-128]" for 128.
std::string host_range(std::size_t hosts) {
  const std::string last = std::to_string(hosts);
  return "n[" + std::string(last.size() - 1, '0') + "1-" + last + "]";
}

/// Replaces "use" by the hosts that it stands for.
json expanded(json scenario, const json& machines) {
  if (!scenario.contains("use")) return scenario;
  const json use = scenario.at("use");
  scenario.erase("use");
  scenario["hosts"] =
      json{{host_range(use.at("hosts").get<std::size_t>()), machines.at(use.at("machine"))}};
  if (use.contains("gpus")) {
    const auto gpus = use.at("gpus").get<std::size_t>();
    const char* machines_of_job = scenario.contains("vms") ? "*" : "n*";
    scenario["job"]["ranks"] =
        json::array({fmt::format("{}/gpu[0-{}]", machines_of_job, gpus - 1)});
  }
  return scenario;
}

TrainingPoint read_point(const json& value, json scenario, const json& machines) {
  if (value.contains("patch")) scenario.merge_patch(value.at("patch"));
  TrainingPoint point;
  point.left_out = value.value("skip", "");
  point.scenario = expanded(std::move(scenario), machines);
  if (value.contains("value")) point.value = value.at("value").get<double>();
  point.anchor = value.value("anchor", false);
  if (value.contains("flop_per_step")) {
    point.flop_per_step = value.at("flop_per_step").get<double>();
  }
  return point;
}

TrainingSeries read_series(const json& value, const json& base, const json& machines) {
  TrainingSeries series;
  series.id = value.at("id");
  series.metric = value.at("metric");
  series.of_one_gpu = value.value("of", "") == "one GPU";
  series.source_factor = value.value("source_factor", value.value("source_scale", 1.0));
  json scenario = base;
  if (value.contains("patch")) scenario.merge_patch(value.at("patch"));
  for (const json& point : value.at("points")) {
    series.points.push_back(read_point(point, scenario, machines));
  }
  return series;
}

/// What a point's GPUs are: those that reach the same share.
std::string gpus_of(const TrainingPoint& point) {
  const json& hosts = point.scenario.at("hosts");
  return hosts.begin().value().dump() + point.scenario.at("job").value("precision", "fp16");
}

class Scorer {
 public:
  Scorer(const Library& library, const input::FileLoader& load, const RunSettings& settings)
      : library_(library), load_(load), settings_(settings) {}

  /// With that share of the GPUs' peak, where one is given. Throws std::runtime_error where the
  /// point cannot be run.
  TrainingRun run(const TrainingPoint& point, std::optional<double> share) const {
    json scenario = point.scenario;
    if (share) scenario["job"][share_key(point)] = *share;
    return run_training(scenario, library_, load_, settings_);
  }

  /// The share of its peak with which a point comes out as measured.
  std::optional<double> fitted_share(const TrainingSeries& series,
                                     const TrainingPoint& point) const {
    double share = 0.4;
    for (int i = 0; i < 8; ++i) {
      const TrainingRun ran = run(point, share);
      const double ratio = *point.value / in_metric(series, point, ran);
      const double seconds = to_seconds(ran.training.iteration);
      const double wanted = series.metric == "step_time_s" ? seconds * ratio : seconds / ratio;
      const double computing = to_seconds(ran.training.compute);
      const double left = computing - (seconds - wanted);
      if (left <= 0) return 1.0;
      const double next = std::min(1.0, share * computing / left);
      const bool settled = std::abs(next / share - 1) < 1e-3;
      share = next;
      if (settled) break;
    }
    return share;
  }

  /// An anchor that reaches less is held up by something else than what is fitted: of 16-bit matrix
  /// products seven tenths of what GPUs reach elsewhere.
  [[nodiscard]] double least_share(const TrainingPoint& point) const {
    const bool products = std::string_view(share_key(point)) == "matrix_share" &&
                          point.scenario.at("job").value("precision", "fp16") == "fp16";
    return products ? library_.parameters.number("ampere_matrix_share") * 0.7 : 0.0;
  }

 private:
  /// Which share of the job is fitted.
  const char* share_key(const TrainingPoint& point) const {
    const json& job = point.scenario.at("job");
    const json& network = job.at("network");
    const bool transformer = network.is_object()
                                 ? network.contains("transformer")
                                 : library_.networks.at(network).transformer.has_value();
    return transformer && !job.contains("achieved_share") ? "matrix_share" : "achieved_share";
  }

  const Library& library_;
  const input::FileLoader& load_;
  const RunSettings& settings_;
};

/// Shares of anchors, by whom they may be used: of a series and machine, of a machine, of all.
class Shares {
 public:
  void add(const std::string& series, const std::string& gpus, double share) {
    for (const std::string& key : keys(series, gpus)) by_key_[key].push_back(share);
  }

  [[nodiscard]] std::optional<double> of(const std::string& series, const std::string& gpus) const {
    for (const std::string& key : keys(series, gpus)) {
      const auto found = by_key_.find(key);
      if (found != by_key_.end()) return calibration::median(found->second);
    }
    return std::nullopt;
  }

 private:
  static std::vector<std::string> keys(const std::string& series, const std::string& gpus) {
    return {series + "\n" + gpus, "\n" + gpus, ""};
  }

  std::map<std::string, std::vector<double>> by_key_;
};

void describe(const TrainingRun& ran, TrainingScore& score) {
  score.ranks = ran.ranks;
  score.global_batch = ran.training.global_batch;
  score.iteration_s = to_seconds(ran.training.iteration);
  score.compute_s = to_seconds(ran.training.compute);
  score.exposed_communication_s = to_seconds(ran.training.exposed_communication);
}

/// Sets how a series' points compare with its first anchor.
void compare_with_anchor(const TrainingSeries& series, std::vector<TrainingScore>& scores,
                         const std::vector<std::optional<TrainingRun>>& runs) {
  std::optional<std::size_t> anchor;
  for (std::size_t i = 0; i < runs.size() && !anchor; ++i) {
    if (series.points[i].anchor && runs[i] && series.points[i].value) anchor = i;
  }
  if (!anchor) return;
  const auto per_gpu = [&](std::size_t i) {
    return static_cast<double>(runs[i]->training.global_batch) /
           static_cast<double>(runs[i]->ranks);
  };
  const auto rate = [&](std::size_t i) {
    const double value = *series.points[i].value;
    if (series.metric == "step_time_s") return per_gpu(i) / value;
    const bool all = !series.of_one_gpu && series.metric != "tflops_per_gpu";
    return all ? value / static_cast<double>(runs[i]->ranks) : value;
  };
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i] || !series.points[i].value) continue;
    scores[i].keeps_batch = per_gpu(i) == per_gpu(*anchor);
    scores[i].efficiency = rate(i) / rate(*anchor);
  }
}

}  // namespace

tl::expected<TrainingCase, input::Diagnostics> read_training_case(const input::SourcePtr& file) {
  TrainingCase result;
  try {
    const json document = json::parse(file->text);
    result.id = document.at("id");
    result.group = document.value("group", result.id);
    result.grade = document.value("grade", "C");
    const json machines = document.value("machines", json::object());
    for (const json& series : document.at("series")) {
      result.series.push_back(read_series(series, document.at("scenario"), machines));
    }
  } catch (const json::exception& error) {
    input::Diagnostics diagnostics;
    diagnostics.error("E101", {}, "", fmt::format("{}: {}", file->path, error.what()),
                      fmt::format("a case of format {}", kTrainingCaseFormat));
    return tl::unexpected(diagnostics);
  }
  return result;
}

std::vector<std::vector<TrainingScore>> score_training(const TrainingCase& measured,
                                                       const Library& library,
                                                       const input::FileLoader& load,
                                                       const RunSettings& settings,
                                                       bool calibrated) {
  const Scorer scorer(library, load, settings);
  Shares shares;
  for (const TrainingSeries& series : measured.series) {
    for (const TrainingPoint& point : series.points) {
      if (!calibrated || !point.anchor || !point.value || !point.left_out.empty()) continue;
      try {
        const auto share = scorer.fitted_share(series, point);
        if (share && *share >= scorer.least_share(point)) {
          shares.add(series.id, gpus_of(point), *share);
        }
      } catch (const std::exception&) {
        continue;  // reported when the point itself is run
      }
    }
  }
  std::vector<std::vector<TrainingScore>> result;
  for (const TrainingSeries& series : measured.series) {
    std::vector<TrainingScore>& scores = result.emplace_back();
    std::vector<std::optional<TrainingRun>> runs;
    for (const TrainingPoint& point : series.points) {
      TrainingScore& score = scores.emplace_back();
      runs.emplace_back();
      score.failure = point.left_out;
      if (!point.left_out.empty()) continue;
      try {
        runs.back() = scorer.run(point, shares.of(series.id, gpus_of(point)));
        score.predicted = in_metric(series, point, *runs.back());
        describe(*runs.back(), score);
      } catch (const std::exception& error) {
        score.failure = error.what();
      }
    }
    compare_with_anchor(series, scores, runs);
  }
  return result;
}

}  // namespace vgsim::scenario
