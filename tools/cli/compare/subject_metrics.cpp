#include "tools/cli/compare/subject_metrics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "models/scenario/answer/ranked_layouts.hpp"
#include "tools/text/figures.hpp"

namespace vgsim::cli {
namespace {

/// Small messages have a row for the time, large ones for the bandwidth.
bool is_shown(const scenario::Metric& metric, const std::vector<Subject>& subjects) {
  const std::size_t at = metric.name.find('@');
  if (at != std::string::npos) {
    const bool large = metric.name.ends_with("MiB") || metric.name.ends_with("GiB");
    return metric.name.starts_with(large ? "busbw" : "time");
  }
  return std::any_of(subjects.begin(), subjects.end(), [&](const Subject& subject) {
    const scenario::Metric* own = metric_of(subject, metric.name);
    return own != nullptr && own->value != 0.0;
  });
}

}  // namespace

const scenario::Metric* metric_of(const Subject& subject, const std::string& name) {
  const auto found = std::find_if(subject.metrics.begin(), subject.metrics.end(),
                                  [&](const scenario::Metric& each) { return each.name == name; });
  return found == subject.metrics.end() ? nullptr : &*found;
}

std::vector<scenario::Metric> all_metrics(const std::vector<Subject>& subjects) {
  std::vector<scenario::Metric> metrics;
  std::set<std::string> known;
  for (const Subject& subject : subjects) {
    for (const scenario::Metric& metric : subject.metrics) {
      if (known.insert(metric.name).second) metrics.push_back(metric);
    }
  }
  return metrics;
}

std::vector<scenario::Metric> shown_metrics(const std::vector<Subject>& subjects) {
  auto metrics = all_metrics(subjects);
  std::erase_if(metrics, [&](const scenario::Metric& each) { return !is_shown(each, subjects); });
  return metrics;
}

std::string change_words(const scenario::Metric* before, const scenario::Metric* now) {
  if (before == nullptr || now == nullptr) return "";
  if (before->unit == scenario::MetricUnit::kShare) {
    const double points = std::round((now->value - before->value) * 100.0);
    return points == 0.0 ? "same" : fmt::format("{:+.0f} points", points);
  }
  if (before->value == now->value) return "same";
  if (before->value <= 0.0) return "";
  const double ratio = now->value / before->value;
  if (std::abs(ratio - 1.0) < scenario::kLeastDifference) return "same";
  if (ratio >= 2.0) return text::rounded(ratio, 2) + " x";
  const double percent = (ratio - 1.0) * 100.0;
  return fmt::format("{:+.0f} %", std::abs(percent) < 1.0 ? std::copysign(1.0, percent) : percent);
}

}  // namespace vgsim::cli
