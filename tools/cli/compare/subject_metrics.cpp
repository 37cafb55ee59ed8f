#include "tools/cli/compare/subject_metrics.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace vgsim::cli {
namespace {

/// Of small messages the time is what counts, of large ones the bandwidth.
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

std::string bottleneck_of(const Subject& subject) {
  if (subject.result.value("refused", false)) return "refused";
  const auto found = subject.result.find("bottleneck");
  if (found == subject.result.end() || !found->is_object()) return "none";
  return found->at("kind").get<std::string>();
}

}  // namespace vgsim::cli
