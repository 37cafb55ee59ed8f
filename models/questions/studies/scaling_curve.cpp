#include "models/questions/studies/scaling_curve.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "models/questions/studies/one_run.hpp"
#include "models/scenario/answer/parallel_for.hpp"
#include "topology/input/name_ranges.hpp"

namespace vgsim::scenario {
namespace {

/// The machines of a job, in file order.
std::vector<std::string> machines_of_job(const Layout& layout) {
  const auto& patterns = layout.job->vms;
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    const bool taken =
        !patterns || std::any_of(patterns->begin(), patterns->end(), [&](const auto& pattern) {
          return input::matches_pattern(name, *pattern);
        });
    if (taken) names.push_back(name);
  };
  for (const auto& vm : layout.vms) add(vm.name);
  if (!layout.vms.empty()) return names;
  for (const auto& host : layout.hosts) add(host.name);
  return names;
}

Shared<Layout> on_machines(const Layout& layout, const std::vector<std::string>& names) {
  auto changed = std::make_shared<Layout>(layout);
  auto& patterns = changed->job.value.vms.emplace();
  for (const std::string& pattern : as_patterns(names)) {
    patterns.push_back({pattern, layout.job.origin});
  }
  return changed;
}

/// 1, 2, 4, ... and all; larger steps for many machines.
std::vector<std::size_t> counts_up_to(std::size_t machines) {
  constexpr std::size_t kMany = 256;
  const std::size_t factor = machines > kMany ? 4 : 2;
  std::vector<std::size_t> counts;
  for (std::size_t count = 1; count < machines; count *= factor) counts.push_back(count);
  counts.push_back(machines);
  return counts;
}

/// A name, split before its trailing digits.
struct Numbered {
  std::string stem;
  std::uint64_t number = 0;
  std::size_t digits = 0;
};

Numbered cut(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  const std::size_t begin = end == std::string::npos ? 0 : end + 1;
  Numbered result{name.substr(0, begin), 0, name.size() - begin};
  std::from_chars(name.data() + begin, name.data() + name.size(), result.number);
  return result;
}

}  // namespace

std::vector<std::string> as_patterns(const std::vector<std::string>& names) {
  std::vector<std::string> patterns;
  for (std::size_t begin = 0; begin < names.size();) {
    const Numbered first = cut(names[begin]);
    std::size_t end = begin + 1;
    for (; end < names.size() && first.digits > 0; ++end) {
      const Numbered next = cut(names[end]);
      if (next.stem != first.stem || next.digits != first.digits ||
          next.number != first.number + (end - begin)) {
        break;
      }
    }
    const std::size_t last = end - 1;
    patterns.push_back(last == begin ? names[begin]
                                     : fmt::format("{}[{}-{}]", first.stem,
                                                   names[begin].substr(first.stem.size()),
                                                   names[last].substr(first.stem.size())));
    begin = end;
  }
  return patterns;
}

ScalingCurve scaling_curve(const Studied& studied, const LayoutResult& layout) {
  ScalingCurve result;
  result.layout = layout.name;
  result.machine = layout.is_bare_metal() ? "host" : "VM";
  if (!layout.training) {
    result.left_out = "the layout trains no network";
    return result;
  }
  const Layout& own = *studied.layout(layout.name).placement.layout;
  const auto machines = machines_of_job(own);
  const auto counts = counts_up_to(machines.size());
  if (machines.size() < 2) {
    result.left_out = fmt::format("the job has only one {}", result.machine);
    return result;
  }
  if (!is_affordable(layout, counts.size())) {
    result.left_out =
        fmt::format("{} more runs of a job of this size would take too long", counts.size());
    return result;
  }
  std::vector<std::optional<ScalingPoint>> points(counts.size());
  parallel_for(counts.size(), [&](std::size_t i) {
    const std::vector<std::string> taken(machines.begin(),
                                         machines.begin() + static_cast<std::ptrdiff_t>(counts[i]));
    const auto run = run_alone(studied, on_machines(own, taken), studied.settings);
    // An idealised job may take no time, and then has no speed.
    if (!run || !run->training || run->training->samples_per_s <= 0) return;
    points[i] = ScalingPoint{counts[i], run->ranks, run->training->samples_per_s,
                             to_seconds(run->training->iteration), 1.0};
  });
  for (const auto& point : points) {
    if (point) result.points.push_back(*point);
  }
  for (ScalingPoint& point : result.points) {
    const ScalingPoint& first = result.points.front();
    const double alone = first.samples_per_s / static_cast<double>(first.ranks);
    if (alone > 0) {
      point.efficiency = point.samples_per_s / static_cast<double>(point.ranks) / alone;
    }
  }
  return result;
}

}  // namespace vgsim::scenario
