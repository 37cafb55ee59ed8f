#include "models/calibration/logs/log_sentences.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>
#include <variant>

#include "topology/input/binary_size.hpp"

namespace vgsim::calibration::logs {
namespace {

constexpr std::size_t kMostSentences = 20;

/// Limits the sentences of a file with very many runs.
std::vector<std::string> shortened(std::vector<std::string> sentences, std::string_view what) {
  if (sentences.size() <= kMostSentences) return sentences;
  const std::size_t more = sentences.size() - kMostSentences;
  sentences.resize(kMostSentences);
  sentences.push_back(fmt::format("and {} more {}", more, what));
  return sentences;
}

/// "30 points from 8 B to 8 GiB", for anything with a size.
template <class Points>
std::string points_text(const Points& points) {
  const auto [least, most] = std::minmax_element(
      points.begin(), points.end(), [](const auto& a, const auto& b) { return a.size < b.size; });
  const std::string first = input::format_binary_size(least->size);
  const std::string last = input::format_binary_size(most->size);
  const std::string sizes =
      first == last ? "of " + first : fmt::format("from {} to {}", first, last);
  return fmt::format("{} {}", count_text(points.size(), "point"), sizes);
}

std::string in_brackets(const std::vector<std::string>& names) {
  return names.empty() ? std::string() : fmt::format(" ({})", few_of(names));
}

std::string machine_text(const LogTable& table) {
  const std::string gpus =
      table.ranks ? count_text(*table.ranks, "GPU") : "an unknown number of GPUs";
  const std::string hosts =
      table.hosts.size() > 1 ? fmt::format(" of {} hosts", table.hosts.size()) : std::string();
  return gpus + hosts + in_brackets(distinct(table.devices));
}

/// The collectives with the table's ratio of busbw to algbw, if it names none.
std::string likely_collectives(const LogTable& table) {
  if (!table.bus_factor || !table.ranks || *table.ranks < 3) return {};
  const double ranks = static_cast<double>(*table.ranks);
  const auto is_near = [&](double factor) {
    return std::abs(*table.bus_factor / factor - 1.0) < 0.005;
  };
  std::string_view names;
  if (is_near(1.0)) names = "broadcast, reduce and send_recv";
  if (is_near((ranks - 1.0) / ranks)) names = "all_gather, reduce_scatter and all_to_all";
  if (is_near(2.0 * (ranks - 1.0) / ranks)) names = "all_reduce";
  if (names.empty()) return {};
  return fmt::format(" (busbw is {:.3g} times algbw, as for {})", *table.bus_factor, names);
}

std::string sentence_of(const LogTable& table) {
  double best = 0.0;
  for (const LogRow& row : table.rows) {
    best = std::max({best, row.out_of_place_bus.value_or(0.0), row.in_place_bus.value_or(0.0)});
  }
  const std::string busbw =
      best > 0.0 ? fmt::format(", busbw up to {}", rate_text(best)) : std::string();
  return fmt::format(
      "nccl-tests: {} on {}, {}{}",
      table.collective ? *table.collective : "an unnamed collective" + likely_collectives(table),
      machine_text(table), points_text(table.rows), busbw);
}

/// The kind of a copy.
std::string kind_of(const Copies& copies) {
  const Route& route = copies.routes.front();
  const bool is_from_gpu = route.from.kind == Place::Kind::kGpu;
  const bool is_to_gpu = route.to.kind == Place::Kind::kGpu;
  if (is_from_gpu && is_to_gpu)
    return route.from.gpu == route.to.gpu ? "within a GPU" : "between GPUs";
  return is_to_gpu ? "from the host to a GPU" : "from a GPU to the host";
}

std::vector<std::string> gpu_names(const MeasuredMachine& machine) {
  std::vector<std::string> names;
  for (const MeasuredGpu& gpu : machine.gpus) names.push_back(gpu.name);
  return distinct(names);
}

std::string sentence_of(const PerftestRun& run) {
  std::vector<std::string> settings;
  for (const std::string& word : {run.device, run.link, run.connection}) {
    if (!word.empty()) settings.push_back(word);
  }
  if (run.mtu) settings.push_back(fmt::format("MTU {}", run.mtu->count()));
  if (run.queue_pairs) settings.push_back(count_text(*run.queue_pairs, "queue pair"));
  if (!run.memory.empty()) settings.push_back(run.memory + " memory");
  double best = 0.0;
  std::optional<double> least;
  for (const PerftestPoint& point : run.points) {
    best = std::max(best, point.average.value_or(0.0));
    const auto time = point.typical_s ? point.typical_s : point.mean_s;
    if (time && (!least || *time < *least)) least = time;
  }
  std::string sentence = fmt::format(
      "perftest: {}{}, {}", run.test.empty() ? "a test" : run.test,
      settings.empty() ? std::string() : fmt::format(" ({})", fmt::join(settings, ", ")),
      points_text(run.points));
  if (best > 0.0) sentence += fmt::format(", up to {} on average", rate_text(best));
  if (least) sentence += fmt::format(", at least {:.2f} us (typical)", *least * 1e6);
  return sentence;
}

std::string value_text(const DcgmMetric& metric) {
  if (metric.unit.empty()) return fmt::format("{:.0f} %", metric.mean * 100.0);
  if (metric.unit == "B/s") return rate_text(metric.mean);
  if (metric.unit == "B") return fmt::format("{:.1f} GB", metric.mean / 1e9);
  return fmt::format("{:.0f} {}", metric.mean, metric.unit);
}

std::string sentence_of(const DcgmEntity& entity) {
  std::string name = entity.gpu.empty() ? std::string("DCGM:") : "DCGM: GPU " + entity.gpu;
  if (!entity.instance.empty()) name += fmt::format(" instance {}", entity.instance);
  if (!entity.profile.empty()) name += fmt::format(" {}", entity.profile);
  name += in_brackets(distinct({entity.model, entity.host}));
  std::size_t samples = 0;
  std::vector<std::string> values;
  for (const DcgmMetric& metric : entity.metrics) {
    samples = std::max(samples, metric.samples);
    values.push_back(fmt::format("{} {}", metric.name, value_text(metric)));
  }
  if (samples > 1) name += fmt::format(", means of {} samples", samples);
  return fmt::format("{}: {}", name, fmt::join(values, ", "));
}

}  // namespace

std::string count_text(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string rate_text(double bytes_per_second) {
  if (bytes_per_second >= 1e9) return fmt::format("{:.1f} GB/s", bytes_per_second / 1e9);
  if (bytes_per_second >= 1e6) return fmt::format("{:.1f} MB/s", bytes_per_second / 1e6);
  return fmt::format("{:.1f} kB/s", bytes_per_second / 1e3);
}

std::vector<std::string> distinct(const std::vector<std::string>& names) {
  std::vector<std::string> kept;
  std::unordered_set<std::string> known;
  for (const std::string& name : names) {
    if (!name.empty() && known.insert(name).second) kept.push_back(name);
  }
  return kept;
}

std::vector<std::string> sentences_of(const std::vector<LogTable>& tables) {
  std::vector<std::string> sentences;
  for (const LogTable& table : tables) sentences.push_back(sentence_of(table));
  return shortened(std::move(sentences), "tables");
}

std::vector<std::string> sentences_of(const Measurement& measurement) {
  struct Kind {
    std::size_t count = 0;
    double best = 0.0;
  };
  std::map<std::string, Kind> kinds;
  for (const Measured& each : measurement.results) {
    const auto* const copies = std::get_if<Copies>(&each.work);
    if (copies == nullptr || copies->routes.empty()) continue;
    Kind& kind = kinds[kind_of(*copies)];
    ++kind.count;
    kind.best =
        std::max(kind.best, static_cast<double>(copies->size.count()) / each.timing.median_s);
  }
  std::vector<std::string> sentences = {
      fmt::format("{}: {}{}", measurement.tool, count_text(measurement.machine.gpus.size(), "GPU"),
                  in_brackets(gpu_names(measurement.machine)))};
  for (const auto& [name, kind] : kinds) {
    sentences.push_back(fmt::format("{}: {} {}, up to {} in each direction", measurement.tool,
                                    count_text(kind.count, "copy time"), name,
                                    rate_text(kind.best)));
  }
  return sentences;
}

std::vector<std::string> sentences_of(const std::vector<LeftOut>& left_out) {
  std::vector<std::string> reasons;
  std::map<std::string, std::vector<std::string>> whats;
  for (const LeftOut& each : left_out) {
    auto& of_reason = whats[each.why];
    if (of_reason.empty()) reasons.push_back(each.why);
    of_reason.push_back(each.what);
  }
  std::vector<std::string> sentences;
  for (const std::string& why : reasons) {
    sentences.push_back(fmt::format("{}: {}", few_of(distinct(whats[why])), why));
  }
  return shortened(std::move(sentences), "reasons");
}

std::vector<std::string> sentences_of(const std::vector<PerftestRun>& runs) {
  std::vector<std::string> sentences;
  for (const PerftestRun& run : runs) sentences.push_back(sentence_of(run));
  return shortened(std::move(sentences), "runs");
}

std::vector<std::string> sentences_of(const DcgmMetrics& metrics) {
  std::vector<std::string> sentences;
  for (const DcgmEntity& entity : metrics.entities) sentences.push_back(sentence_of(entity));
  return shortened(std::move(sentences), "GPUs");
}

}  // namespace vgsim::calibration::logs
