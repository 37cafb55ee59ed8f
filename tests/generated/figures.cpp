#include "tests/generated/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "models/scenario/answer/figures.hpp"
#include "models/scenario/answer/result_json.hpp"

namespace vgsim::generated {
namespace {

using Json = nlohmann::ordered_json;

/// Of rounding.
constexpr double kSlack = 1e-9;

class Looker {
 public:
  Looker(const scenario::LayoutResult& layout, std::vector<Violation>& found)
      : layout_(layout), found_(found) {}

  void say(const std::string& invariant, const std::string& detail) {
    found_.push_back({invariant, fmt::format("layout \"{}\": {}", layout_.name, detail)});
  }
  void at_most_one(const std::string& what, double value) {
    if (!(value <= 1 + kSlack)) say(what + " above 1", fmt::format("{:.6g}", value));
  }
  void inside(const std::string& what, double low, double point, double high) {
    if (low <= point * (1 + kSlack) && point <= high * (1 + kSlack)) return;
    say(what + " outside its interval", fmt::format("{} .. {} .. {}", low, point, high));
  }
  void adds_up(const std::string& what, double sum, double whole) {
    if (std::abs(sum - whole) <= 1e-6 * std::max(std::abs(whole), 1.0)) return;
    say(what + " do not add up", fmt::format("{} against {}", sum, whole));
  }

 private:
  const scenario::LayoutResult& layout_;
  std::vector<Violation>& found_;
};

/// No figure is infinite, nothing or negative.
void walk_numbers(const Json& value, const std::string& at, Looker& look) {
  if (value.is_number()) {
    const double number = value.get<double>();
    if (!std::isfinite(number)) look.say("figure that is not a number", at);
    if (number < 0) look.say("negative figure", fmt::format("{} = {}", at, number));
  } else if (value.is_object()) {
    for (const auto& [name, one] : value.items()) walk_numbers(one, at + "/" + name, look);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      walk_numbers(value[i], at + "/" + std::to_string(i), look);
    }
  }
}

double sum_of(const std::map<std::string, double>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [](double sum, const auto& part) { return sum + part.second; });
}

/// Those that are known.
void look_at_quantiles(const std::vector<std::optional<double>>& quantiles, Looker& look) {
  double last = 0;
  for (const auto& quantile : quantiles) {
    if (quantile && *quantile < last)
      look.say("quantiles out of order", fmt::format("{}", *quantile));
    last = quantile.value_or(last);
  }
}

void look_at_training(const scenario::TrainingResult& t, Looker& look) {
  const SimTime parts = t.compute + t.exposed_communication + t.data_wait + t.optimizer +
                        t.pipeline_wait + t.wait_for_jobs;
  if (parts != t.iteration) {
    look.say("parts of an iteration do not add up",
             fmt::format("{} ps against {}", parts.count(), t.iteration.count()));
  }
  SimTime of_axes{};
  for (const auto& [axis, time] : t.communication) of_axes += time;
  if (of_axes > t.exposed_communication) {
    look.say("communication by axis above all of it",
             fmt::format("{} ps against {}", of_axes.count(), t.exposed_communication.count()));
  }
  for (const auto& loss : t.losses) {
    if (loss.time > t.compute) look.say("loss above the compute time", loss.mechanism);
  }
  if (t.time_sliced_steps)
    look_at_quantiles(
        {t.time_sliced_steps->p50_s, t.time_sliced_steps->p90_s, t.time_sliced_steps->p99_s}, look);
  const double point = to_seconds(t.iteration);
  if (const auto& i = t.iteration_interval) {
    if (i->low_s < to_seconds(t.floors.compute) * (1 - kSlack)) {
      look.say("interval below the floor",
               fmt::format("low end {:.6g} s, its operations take {:.6g} s at the peak", i->low_s,
                           to_seconds(t.floors.compute)));
    }
  }
  if (t.economy.cost)
    look.adds_up("costs", sum_of(t.economy.cost->parts), t.economy.cost->training);
  double stops = 0;
  for (const auto& stop : t.interruptions) stops += stop.seconds;
  // Epochs after the first consist of steady iterations.
  const double more = static_cast<double>((t.epochs - 1) * t.iterations_per_epoch);
  look.adds_up("epochs and interruptions", t.epoch_s + more * point + stops, t.training_s);
}

/// Shares are within 0 and 1, intervals contain their figures, and the result file has the same
/// values, as its schema has it.
void look_at_table(const scenario::LayoutResult& layout, const Json& json, Looker& look) {
  const auto metrics = scenario::metrics_of(layout);
  for (const auto& metric : metrics) {
    if (metric.unit == scenario::MetricUnit::kShare) look.at_most_one(metric.label, metric.value);
    if (metric.low) look.inside(metric.label, *metric.low, metric.value, *metric.high);
  }
  const auto saved = scenario::metrics_of(json);
  const bool same = std::equal(metrics.begin(), metrics.end(), saved.begin(), saved.end(),
                               [](const auto& mine, const auto& theirs) {
                                 return mine.name == theirs.name && mine.value == theirs.value &&
                                        mine.low == theirs.low && mine.high == theirs.high;
                               });
  if (!same)
    look.say("figures differ in a file", fmt::format("{} and {}", metrics.size(), saved.size()));
}

double time_of_links(const scenario::LayoutResult& layout) {
  if (layout.training) return to_seconds(layout.training->iteration);
  return to_seconds(layout.collective->points.back().time);
}

double low_end(const scenario::LayoutResult& layout) {
  if (!layout.training) return to_seconds(layout.collective->points.back().low);
  const auto& interval = layout.training->iteration_interval;
  return interval ? interval->low_s : to_seconds(layout.training->iteration);
}

}  // namespace

void look_at_figures(const scenario::LayoutResult& layout, std::vector<Violation>& found) {
  Looker look(layout, found);
  if (layout.refused) return;
  const Json json = scenario::layout_json(layout);
  walk_numbers(json, "", look);
  look_at_table(layout, json, look);
  for (const auto& link : layout.links) {
    if (link.utilization > 1 + kSlack) {
      look.say("utilization above 1", fmt::format("{}: {:.6g}", link.resource, link.utilization));
    }
  }
  if (layout.bottleneck) look.at_most_one("share of the bottleneck", layout.bottleneck->share);
  if (layout.memory)
    look.adds_up("parts of memory", sum_of(layout.memory->parts), layout.memory->needed);
  if (layout.training) look_at_training(*layout.training, look);
  if (!layout.collective) return;
  for (const auto& point : layout.collective->points) {
    if (point.fixed > point.time) look.say("latency above the whole time", "collective");
    if (layout.ranks > 1 && point.time == SimTime{0}) look.say("collective in no time", "0 s");
  }
}

void look_at_floor(const scenario::LayoutResult& layout, const scenario::LayoutResult& ideal,
                   std::vector<Violation>& found) {
  if (layout.refused || ideal.refused || layout.links.empty()) return;
  if (layout.collective && layout.collective->points.empty()) return;
  Looker look(layout, found);
  std::map<std::string, double> rates;
  const double ideal_time = time_of_links(ideal);
  for (const auto& link : ideal.links) {
    if (link.bytes > 0 && link.utilization > 0) {
      rates[link.resource] = link.bytes / (link.utilization * ideal_time);
    }
  }
  // Its interval holds faster ones, too.
  const bool storage_is_assumed =
      std::any_of(layout.assumptions.begin(), layout.assumptions.end(),
                  [](const auto& each) { return each.starts_with("storage not given"); });
  for (const auto& link : layout.links) {
    const auto rate = rates.find(link.resource);
    if (rate == rates.end() || link.bytes <= 0) continue;
    // Copies by processors may stay in their caches, and a vmxnet3 adapter is work of theirs.
    const bool is_wire = link.kind == "nvlink" || link.kind == "pcie" || link.kind == "nic";
    if (!is_wire && (link.kind != "storage" || storage_is_assumed)) continue;
    const double floor = link.bytes / rate->second;
    if (low_end(layout) < floor * (1 - 1e-3)) {
      look.say("interval below the floor",
               fmt::format("{}: low end {:.6g} s, its bytes take {:.6g} s at line rate",
                           link.resource, low_end(layout), floor));
      return;
    }
  }
}

}  // namespace vgsim::generated
