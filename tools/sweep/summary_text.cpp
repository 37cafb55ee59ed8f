#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tools/sweep/summary.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/fitting.hpp"

namespace vgsim::sweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShownReasons = 5;
constexpr std::size_t kShownMetrics = 4;
constexpr const char* kMain[] = {"iteration_time_s", "training_time_s", "scaling_efficiency",
                                 "cost_training"};

std::string words_of(const Json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string where(const Extreme& extreme) {
  return fmt::format("point {}, {}", extreme.index, extreme.layout);
}

/// The best value with its set values, and the worst.
std::string range_text(const MetricRange& range) {
  const scenario::MetricUnit unit = range.metric.unit;
  const std::string best = scenario::in_words(range.best.value, unit);
  if (range.best.value == range.worst.value) {
    return fmt::format("\n{}: {} at every point\n", range.metric.label, best);
  }
  std::string text =
      fmt::format("\n{}: best {} at {}\n", range.metric.label, best, where(range.best));
  for (const auto& [pointer, value] : range.best.set.items()) {
    text += fmt::format("  {} = {}\n", pointer, words_of(value));
  }
  const double factor =
      std::max(range.best.value, range.worst.value) / std::min(range.best.value, range.worst.value);
  return text + fmt::format("  worst {} at {}{}\n", scenario::in_words(range.worst.value, unit),
                            where(range.worst),
                            std::isfinite(factor) ? fmt::format(": {:.3g} x", factor) : "");
}

/// The main figures; of collectives those of the largest size.
std::vector<const MetricRange*> main_ranges(const Summary& summary) {
  std::vector<const MetricRange*> shown;
  std::string largest;
  for (const MetricRange& range : summary.metrics) {
    const std::string& name = range.metric.name;
    if (name.find('@') != std::string::npos) largest = name.substr(name.find('@'));
  }
  for (const MetricRange& range : summary.metrics) {
    const std::string& name = range.metric.name;
    const bool is_main = std::find(std::begin(kMain), std::end(kMain), name) != std::end(kMain);
    if (is_main || (!largest.empty() && name.ends_with(largest))) shown.push_back(&range);
  }
  return shown;
}

std::vector<const MetricRange*> named_ranges(const Summary& summary,
                                             const std::vector<std::string>& names) {
  std::vector<const MetricRange*> shown;
  for (const std::string& name : names) {
    if (shown.size() == kShownMetrics) break;
    const auto found = std::find_if(summary.metrics.begin(), summary.metrics.end(),
                                    [&](const auto& range) { return range.metric.name == name; });
    if (found != summary.metrics.end()) shown.push_back(&*found);
  }
  return shown;
}

/// The most frequent first.
std::vector<std::pair<std::string, std::uint64_t>> frequent_reasons(const Summary& summary) {
  std::vector<std::pair<std::string, std::uint64_t>> reasons(summary.reasons.begin(),
                                                             summary.reasons.end());
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return reasons;
}

std::string reasons_text(const Summary& summary) {
  const auto reasons = frequent_reasons(summary);
  std::string text = "\nfailed\n";
  for (std::size_t i = 0; i < std::min(reasons.size(), kShownReasons); ++i) {
    text += fmt::format("  {} x {}\n", reasons[i].second, reasons[i].first);
  }
  if (reasons.size() > kShownReasons) {
    text += fmt::format("  and {} other reasons\n", reasons.size() - kShownReasons);
  }
  return text;
}

/// Iterations of different batches are not comparable; durations of a training are.
std::vector<const MetricRange*> answering_ranges(const Summary& summary) {
  auto ranges = main_ranges(summary);
  std::stable_partition(ranges.begin(), ranges.end(), [](const MetricRange* range) {
    return range->metric.name != "iteration_time_s";
  });
  return ranges;
}

/// "2.04 h with batch_per_gpu = 64, nic = ...": each set value with the last token of its
/// pointer.
std::string best_words(const MetricRange& range) {
  std::string text = text::figure(range.best.value, range.metric.unit, std::nullopt);
  if (range.best.value == range.worst.value) return text + " at every point";
  std::string set;
  for (const auto& [pointer, value] : range.best.set.items()) {
    set += fmt::format("{}{} = {}", set.empty() ? "" : ", ",
                       pointer.substr(pointer.find_last_of('/') + 1), words_of(value));
  }
  return fmt::format("{} at point {}, {}{}", text, range.best.index, range.best.layout,
                     set.empty() ? "" : ", with " + set);
}

/// Difference of the worst and the best value.
std::string worst_words(const MetricRange& range) {
  if (range.best.value == range.worst.value) return {};
  const double factor =
      std::max(range.best.value, range.worst.value) / std::min(range.best.value, range.worst.value);
  return fmt::format("; worst {} at point {}{}",
                     text::figure(range.worst.value, range.metric.unit, std::nullopt),
                     range.worst.index,
                     std::isfinite(factor) ? fmt::format(", {} x", text::rounded(factor, 2)) : "");
}

Json extreme_json(const Extreme& extreme) {
  return {{"value", extreme.value},
          {"index", extreme.index},
          {"layout", extreme.layout},
          {"set", extreme.set}};
}

}  // namespace

std::string summary_text(const Summary& summary, const std::string& name,
                         const std::vector<std::string>& wanted) {
  std::string text =
      fmt::format("{}\n{} points, {} failed; {} results of layouts, {} refused by vSphere\n", name,
                  summary.points, summary.failed, summary.layouts, summary.refused);
  for (const MetricRange* range :
       wanted.empty() ? main_ranges(summary) : named_ranges(summary, wanted)) {
    text += range_text(*range);
  }
  if (summary.failed > 0) text += reasons_text(summary);
  return text;
}

text::ScreenLines summary_screen(const Summary& summary, const std::string& name,
                                 const std::vector<std::string>& wanted,
                                 const text::TerminalSize& terminal) {
  text::ScreenLines lines(terminal);
  const auto ranges = wanted.empty() ? answering_ranges(summary) : named_ranges(summary, wanted);
  if (ranges.empty()) {
    lines.verdict("nothing could be simulated", 1);
  } else {
    lines.verdict(fmt::format("best {}: {}", ranges.front()->metric.label,
                              best_words(*ranges.front()) + worst_words(*ranges.front())),
                  3);
  }
  for (std::size_t r = 1; r < std::min(ranges.size(), kShownMetrics); ++r) {
    lines.labelled(ranges[r]->metric.label, best_words(*ranges[r]) + worst_words(*ranges[r]), 3);
  }
  if (summary.failed > 0) {
    const auto reasons = frequent_reasons(summary);
    lines.labelled("failed",
                   fmt::format("{} of {} points: {} x {}", summary.failed, summary.points,
                               reasons.front().second, reasons.front().first),
                   2, text::Tone::kBad);
  }
  lines.text("", 1);
  lines.text(fmt::format("{}: {} points, {} failed; {} results of layouts, {} refused by vSphere",
                         text::shortened(name, terminal.columns / 2), summary.points,
                         summary.failed, summary.layouts, summary.refused),
             2);
  return lines;
}

Json summary_json(const Summary& summary, const std::string& name) {
  Json out{{"schema", "vgsim.sweep-summary/1"}, {"sweep", name},
           {"points", summary.points},          {"failed", summary.failed},
           {"layouts", summary.layouts},        {"refused", summary.refused},
           {"metrics", Json::object()},         {"reasons", Json::object()}};
  for (const MetricRange& range : summary.metrics) {
    out["metrics"][range.metric.name] = {{"best", extreme_json(range.best)},
                                         {"worst", extreme_json(range.worst)}};
  }
  for (const auto& [reason, count] : summary.reasons) out["reasons"][reason] = count;
  return out;
}

}  // namespace vgsim::sweep
