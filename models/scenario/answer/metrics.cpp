#include "models/scenario/answer/metrics.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "sim/units.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

using Json = nlohmann::ordered_json;

/// A figure of a layout: where it stands in the result, and its interval if it has one.
struct Place {
  const char* name;
  const char* label;
  MetricUnit unit;
  Better better;
  const char* pointer;
  const char* interval = nullptr;
};

constexpr Place kPlaces[] = {
    {"iteration_time_s", "iteration", MetricUnit::kSeconds, Better::kLower, "/iteration_time_s",
     "/interval/iteration_time_s"},
    {"epoch_time_s", "epoch", MetricUnit::kSeconds, Better::kLower, "/epoch_time_s"},
    {"training_time_s", "training", MetricUnit::kSeconds, Better::kLower, "/training_time_s",
     "/interval/training_time_s"},
    {"samples_per_s", "samples/s", MetricUnit::kPerSecond, Better::kHigher, "/samples_per_s"},
    {"tokens_per_s", "tokens/s", MetricUnit::kPerSecond, Better::kHigher, "/tokens_per_s"},
    {"tokens_per_s_and_gpu", "tokens/s of a GPU", MetricUnit::kPerSecond, Better::kHigher,
     "/tokens_per_s_and_gpu"},
    {"scaling_efficiency", "scaling efficiency", MetricUnit::kShare, Better::kHigher,
     "/scaling_efficiency"},
    {"compute_s", "compute", MetricUnit::kSeconds, Better::kLower, "/breakdown_s/compute"},
    {"exposed_communication_s", "exposed communication", MetricUnit::kSeconds, Better::kLower,
     "/breakdown_s/exposed_communication"},
    {"data_wait_s", "waiting for data", MetricUnit::kSeconds, Better::kLower,
     "/breakdown_s/data_wait"},
    {"optimizer_s", "optimizer", MetricUnit::kSeconds, Better::kLower, "/breakdown_s/optimizer"},
    {"pipeline_wait_s", "waiting for stages", MetricUnit::kSeconds, Better::kLower,
     "/breakdown_s/pipeline_wait"},
    {"model_flops_utilization", "MFU", MetricUnit::kShare, Better::kHigher,
     "/model_flops_utilization"},
    {"step_p50_s", "median step", MetricUnit::kSeconds, Better::kLower, "/turns/step_p50_s"},
    {"step_p99_s", "99th percentile of steps", MetricUnit::kSeconds, Better::kLower,
     "/turns/step_p99_s"},
    {"fairness", "fairness", MetricUnit::kShare, Better::kHigher, "/turns/fairness"},
    {"gpu_hours", "GPU-hours", MetricUnit::kHours, Better::kLower, "/gpu_hours"},
    {"energy_kwh", "energy", MetricUnit::kKwh, Better::kLower, "/energy_kwh"},
    {"cost_training", "cost of training", MetricUnit::kMoney, Better::kLower, "/cost/training"},
    {"cost_epoch", "cost of an epoch", MetricUnit::kMoney, Better::kLower, "/cost/epoch"},
    {"memory_needed_bytes", "memory of the fullest GPU", MetricUnit::kBytes, Better::kLower,
     "/memory/needed_bytes"},
    {"hosts", "hosts", MetricUnit::kCount, Better::kLower, "/hosts"},
    {"gpus", "GPUs", MetricUnit::kCount, Better::kLower, "/ranks"},
    {"host_cores_busy", "host cores busy", MetricUnit::kCount, Better::kLower, "/host_cores_busy"},
    {"host_samples_per_s", "samples/s of a host", MetricUnit::kPerSecond, Better::kHigher,
     "/host_samples_per_s"},
};

const Json* at(const Json& object, const char* pointer) {
  const Json::json_pointer place(pointer);
  if (!object.contains(place)) return nullptr;
  return &object.at(place);
}

void add_places(const Json& layout, std::vector<Metric>& metrics) {
  for (const Place& place : kPlaces) {
    const Json* value = at(layout, place.pointer);
    if (value == nullptr || !value->is_number()) continue;
    Metric metric{place.name, place.label, place.unit, place.better, value->get<double>(), {}, {}};
    const Json* interval = place.interval == nullptr ? nullptr : at(layout, place.interval);
    if (interval != nullptr) {
      metric.low = interval->at("low").get<double>();
      metric.high = interval->at("high").get<double>();
    }
    metrics.push_back(std::move(metric));
  }
}

/// "1 GiB", "1500 B": sizes as nccl-tests sweeps them, exactly.
std::string size_words(std::int64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (unit + 1 < std::size(kUnits) && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, kUnits[unit]);
}

/// A figure of a collective, for each size.
constexpr Place kOfSizes[] = {
    {"time_s", "time", MetricUnit::kSeconds, Better::kLower, "/time_s"},
    {"algbw_GBps", "algbw", MetricUnit::kGBps, Better::kHigher, "/algbw_GBps"},
    {"busbw_GBps", "busbw", MetricUnit::kGBps, Better::kHigher, "/busbw_GBps"},
};

Metric of_size(const Place& place, const std::string& size) {
  return {fmt::format("{}@{}", place.name, size),
          fmt::format("{} of {}", place.label, size),
          place.unit,
          place.better,
          0.0,
          std::nullopt,
          std::nullopt};
}

void add_points(const Json& points, std::vector<Metric>& metrics) {
  for (const Json& point : points) {
    const std::string size = size_words(point.at("bytes").get<std::int64_t>());
    for (const Place& place : kOfSizes) {
      Metric metric = of_size(place, size);
      metric.value = point.at(Json::json_pointer(place.pointer)).get<double>();
      if (place.unit == MetricUnit::kSeconds) {
        metric.low = point.at("time_low_s").get<double>();
        metric.high = point.at("time_high_s").get<double>();
      }
      metrics.push_back(std::move(metric));
    }
  }
}

struct UnitFactor {
  const char* unit;
  double factor;
};

constexpr UnitFactor kTimes[] = {{"ps", 1e-12}, {"ns", 1e-9},  {"us", 1e-6},  {"ms", 1e-3},
                                 {"s", 1.0},    {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}};
constexpr UnitFactor kRates[] = {{"/s", 1.0}, {"samples/s", 1.0}, {"images/s", 1.0}};
constexpr UnitFactor kShares[] = {{"%", 0.01}};
constexpr UnitFactor kMetricSizes[] = {{"B", 1.0},      {"kB", 1e3},     {"MB", 1e6},
                                       {"GB", 1e9},     {"TB", 1e12},    {"KiB", 0x1p10},
                                       {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};
constexpr UnitFactor kBandwidths[] = {
    {"MB/s", 1e-3}, {"GB/s", 1.0}, {"TB/s", 1e3}, {"Gbit/s", 0.125}, {"GiB/s", 1.073741824}};
constexpr UnitFactor kHourUnits[] = {{"h", 1.0}, {"GPU-hours", 1.0}};
constexpr UnitFactor kEnergies[] = {{"Wh", 1e-3}, {"kWh", 1.0}, {"MWh", 1e3}};

std::span<const UnitFactor> units_of(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::kSeconds:
      return kTimes;
    case MetricUnit::kPerSecond:
      return kRates;
    case MetricUnit::kShare:
      return kShares;
    case MetricUnit::kBytes:
      return kMetricSizes;
    case MetricUnit::kGBps:
      return kBandwidths;
    case MetricUnit::kHours:
      return kHourUnits;
    case MetricUnit::kKwh:
      return kEnergies;
    case MetricUnit::kCount:
    case MetricUnit::kMoney:
      return {};
  }
  return {};
}

std::string time_words(double seconds) {
  constexpr double kHour = 3600.0;
  constexpr double kDay = 24 * kHour;
  if (seconds >= 3.0 * kDay) return fmt::format("{:.1f} d", seconds / kDay);
  if (seconds >= kHour) return fmt::format("{:.2f} h", seconds / kHour);
  return input::format_time(
      SimTime{std::llround(seconds * static_cast<double>(kPicosecondsPerSecond))});
}

/// Whole from a thousand on.
std::string fixed(double value, int decimals) {
  return fmt::format("{:.{}f}", value, std::abs(value) < 1000 ? decimals : 0);
}

}  // namespace

std::vector<Metric> metrics_of(const Json& layout) {
  std::vector<Metric> metrics;
  if (layout.value("refused", false)) return metrics;
  add_places(layout, metrics);
  const auto points = layout.find("points");
  if (points != layout.end()) add_points(*points, metrics);
  return metrics;
}

std::optional<Metric> metric_named(const std::string& name) {
  for (const Place& place : kPlaces) {
    if (name == place.name) {
      return Metric{place.name, place.label, place.unit, place.better, 0.0, {}, {}};
    }
  }
  const std::size_t at = name.find('@');
  if (at == std::string::npos) return std::nullopt;
  const std::string size = name.substr(at + 1);
  const auto bytes = input::parse_bytes(size);
  if (!bytes || size_words(bytes->count()) != size) return std::nullopt;
  for (const Place& place : kOfSizes) {
    if (name.substr(0, at) == place.name) return of_size(place, size);
  }
  return std::nullopt;
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const Place& place : kPlaces) names.emplace_back(place.name);
  for (const Place& place : kOfSizes) names.push_back(fmt::format("{}@1 GiB", place.name));
  return names;
}

std::string in_words(double value, MetricUnit unit) {
  switch (unit) {
    case MetricUnit::kSeconds:
      return time_words(value);
    case MetricUnit::kPerSecond:
      return value < 100 ? fmt::format("{:.3g}/s", value) : fixed(value, 1) + "/s";
    case MetricUnit::kShare:
      return fmt::format("{:.1f} %", value * 100);
    case MetricUnit::kBytes:
      return fmt::format("{:.4g} GiB", value / 0x1p30);
    case MetricUnit::kGBps:
      return fmt::format("{:.4g} GB/s", value);
    case MetricUnit::kCount:
      return fmt::format("{:.4g}", value);
    case MetricUnit::kHours:
      return fixed(value, 2);
    case MetricUnit::kKwh:
      return fixed(value, 2) + " kWh";
    case MetricUnit::kMoney:
      return fmt::format("{:.2f}", value);
  }
  return {};
}

std::optional<double> read_figure(const std::string& text, MetricUnit unit) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  const char* word = rest;
  if (word != end && *word == ' ') ++word;
  const std::string_view written(word, static_cast<std::size_t>(end - word));
  if (written.empty()) return rest == end ? std::optional(value) : std::nullopt;
  for (const UnitFactor& each : units_of(unit)) {
    if (written == each.unit) return value * each.factor;
  }
  return std::nullopt;
}

}  // namespace vgsim::scenario
