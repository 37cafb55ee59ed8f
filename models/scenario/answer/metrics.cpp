#include "models/scenario/answer/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "models/scenario/answer/figures.hpp"
#include "sim/units.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

using Json = nlohmann::ordered_json;

const Json* at(const Json& object, const char* pointer) {
  const Json::json_pointer place(pointer);
  if (!object.contains(place)) return nullptr;
  return &object.at(place);
}

std::optional<double> number_at(const Json& object, const char* pointer) {
  const Json* value = pointer == nullptr ? nullptr : at(object, pointer);
  return value != nullptr && value->is_number() ? std::optional(value->get<double>())
                                                : std::nullopt;
}

std::optional<Interval> interval_at(const Json& object, const char* low, const char* high) {
  const auto from = number_at(object, low);
  const auto to = number_at(object, high);
  return from && to ? std::optional(Interval{*from, *to, 0}) : std::nullopt;
}

Metric named(const Figure& figure, const std::string& member) {
  Metric metric{figure.key, figure.title, figure.unit, figure.better, 0.0, {}, {}, &figure, member};
  if (member.empty()) return metric;
  metric.name += "@" + member;
  metric.label = fmt::format("{}{}{}", figure.title, figure.is_size() ? " of " : ": ", member);
  return metric;
}

Metric metric_of(const Figure& figure, const FigureMember& value) {
  Metric metric = named(figure, value.name);
  metric.value = value.value;
  if (value.interval) {
    metric.low = value.interval->low_s;
    metric.high = value.interval->high_s;
  }
  return metric;
}

/// Members of figures as entries of a list.
std::vector<FigureMember> listed(const Figure& figure, const Json& list) {
  std::vector<FigureMember> members;
  for (const Json& entry : list) {
    const Json* name = at(entry, figure.in_list.name);
    const auto value = number_at(entry, figure.in_list.value);
    if (name == nullptr || !value) continue;
    members.push_back({name->is_number_integer() ? message_size_words(name->get<std::int64_t>())
                                                 : name->get<std::string>(),
                       *value, interval_at(entry, figure.in_list.low, figure.in_list.high)});
  }
  return members;
}

std::vector<FigureMember> saved_members(const Figure& figure, const Json& layout) {
  const Json* saved = at(layout, figure.pointer);
  if (saved == nullptr || saved->is_null()) return {};
  if (figure.is_list()) return listed(figure, *saved);
  std::vector<FigureMember> members;
  for (const auto& [name, value] : saved->items()) {
    if (value.is_number()) members.push_back({name, value.get<double>(), {}});
  }
  return members;
}

/// Nothing or one value of a figure without members.
std::vector<FigureMember> saved_value(const Figure& figure, const Json& layout) {
  const auto value = number_at(layout, figure.pointer);
  if (!value) return {};
  const Json* range =
      figure.interval_pointer == nullptr ? nullptr : at(layout, figure.interval_pointer);
  return {{"", *value, range == nullptr ? std::nullopt : interval_at(*range, "/low", "/high")}};
}

bool is_of_sizes(const Figure& figure, const std::string& member) {
  if (!figure.is_size()) return !member.empty();
  const auto bytes = input::parse_bytes(member);
  return bytes && message_size_words(bytes->count()) == member;
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
constexpr UnitFactor kOperations[] = {{"GFLOP/s", 1e9}, {"TFLOP/s", 1e12}, {"PFLOP/s", 1e15}};
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
    case MetricUnit::kFlops:
      return kOperations;
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

std::vector<Metric> metrics_of(const Figure& figure, const LayoutResult& layout) {
  if (layout.refused) return {};
  std::vector<Metric> metrics;
  if (figure.members == nullptr) {
    const auto value = figure.read(layout);
    if (!value) return {};
    const auto range = figure.interval == nullptr ? std::nullopt : figure.interval(layout);
    metrics.push_back(metric_of(figure, {"", *value, range}));
    return metrics;
  }
  for (const FigureMember& each : figure.members(layout)) {
    const auto known = std::find_if(metrics.begin(), metrics.end(),
                                    [&](const Metric& other) { return other.member == each.name; });
    if (known == metrics.end()) {
      metrics.push_back(metric_of(figure, each));
    } else {
      known->value += each.value;
    }
  }
  return metrics;
}

std::vector<Metric> metrics_of(const LayoutResult& layout) {
  std::vector<Metric> all;
  for (const Figure& figure : figures()) {
    for (Metric& each : metrics_of(figure, layout)) {
      if (std::isfinite(each.value)) all.push_back(std::move(each));
    }
  }
  return all;
}

std::vector<Metric> metrics_of(const Json& layout) {
  std::vector<Metric> all;
  if (layout.value("refused", false)) return all;
  for (const Figure& figure : figures()) {
    const auto saved =
        figure.members == nullptr ? saved_value(figure, layout) : saved_members(figure, layout);
    for (const FigureMember& each : saved) all.push_back(metric_of(figure, each));
  }
  return all;
}

std::optional<Metric> metric_named(const std::string& name) {
  const std::size_t at = name.find('@');
  const std::string member = at == std::string::npos ? "" : name.substr(at + 1);
  for (const Figure& figure : figures()) {
    if (name.substr(0, at) != figure.key) continue;
    const bool fits =
        figure.members == nullptr ? at == std::string::npos : is_of_sizes(figure, member);
    return fits ? std::optional(named(figure, member)) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const Figure& figure : figures()) {
    names.push_back(named(figure, figure.members == nullptr ? "" : figure.member).name);
  }
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
    case MetricUnit::kFlops:
      return fmt::format("{:.4g} TFLOP/s", value / 1e12);
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
