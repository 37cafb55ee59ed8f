#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tools/sweep/summary.hpp"

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

/// The best with what was set there, and the worst.
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

/// The figures that matter most, of collectives those of the largest size.
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

std::string reasons_text(const Summary& summary) {
  std::vector<std::pair<std::string, std::uint64_t>> reasons(summary.reasons.begin(),
                                                             summary.reasons.end());
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text = "\nfailed\n";
  for (std::size_t i = 0; i < std::min(reasons.size(), kShownReasons); ++i) {
    text += fmt::format("  {} x {}\n", reasons[i].second, reasons[i].first);
  }
  if (reasons.size() > kShownReasons) {
    text += fmt::format("  and {} other reasons\n", reasons.size() - kShownReasons);
  }
  return text;
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
