#include "models/questions/studies/scaling_curve.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "models/questions/studies/one_run.hpp"
#include "models/scenario/answer/parallel_for.hpp"
#include "topology/input/merge_patch.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using input::Value;

std::vector<std::string> job_patterns(const Value& layout) {
  const auto vms = input::find(*input::find(layout, "job"), "vms");
  if (!vms) return {"*"};
  if (vms->is_string()) return {vms->string()};
  std::vector<std::string> patterns;
  for (const Value& element : vms->elements()) patterns.push_back(element.string());
  return patterns;
}

/// The machines that a job takes, in the order of the file.
std::vector<std::string> machines_of_job(const Value& layout) {
  const auto vms = input::find(layout, "vms");
  const Value machines = vms && !vms->members().empty() ? *vms : *input::find(layout, "hosts");
  const auto patterns = job_patterns(layout);
  std::vector<std::string> names;
  for (const input::Member& member : machines.members()) {
    const bool taken = std::any_of(patterns.begin(), patterns.end(), [&](const auto& pattern) {
      return input::matches_pattern(member.name, pattern);
    });
    if (taken) names.push_back(member.name);
  }
  return names;
}

Value on_machines(const Value& layout, const std::vector<std::string>& names) {
  std::vector<Value> patterns;
  for (const std::string& pattern : as_patterns(names)) {
    patterns.push_back(Value::make_string(pattern));
  }
  const Value job =
      Value::make_object({input::Member{"vms", {}, Value::make_array(std::move(patterns))}});
  return input::merge_patch(layout, Value::make_object({input::Member{"job", {}, job}}));
}

/// 1, 2, 4, ... and all; with large steps where there are many.
std::vector<std::size_t> counts_up_to(std::size_t machines) {
  constexpr std::size_t kMany = 256;
  const std::size_t factor = machines > kMany ? 4 : 2;
  std::vector<std::size_t> counts;
  for (std::size_t count = 1; count < machines; count *= factor) counts.push_back(count);
  counts.push_back(machines);
  return counts;
}

/// A name that ends in digits, cut before them.
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

ScalingCurve scaling_curve(const Value& document, const LayoutResult& layout,
                           const Library& library, const input::FileLoader& load,
                           const RunSettings& settings) {
  ScalingCurve result;
  result.layout = layout.name;
  result.machine = layout.mode == "bare metal" ? "host" : "VM";
  const auto own = document_of_layout(document, layout.name);
  if (!own || !layout.training) {
    result.left_out = "no training job ran";
    return result;
  }
  const auto machines = machines_of_job(*own);
  const auto counts = counts_up_to(machines.size());
  if (machines.size() < 2) {
    result.left_out = fmt::format("the job has one {} only", result.machine);
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
    const auto run = run_alone(on_machines(*own, taken), library, load, settings);
    // A job that takes no time, as on paper, has no speed.
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
