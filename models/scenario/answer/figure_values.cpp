// Values come from a run or from a result file; the table of figures describes both.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "models/scenario/answer/figures.hpp"
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

/// Members of a figure from the entries of a list.
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

/// The saved value of a figure without members, if any.
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

}  // namespace vgsim::scenario
