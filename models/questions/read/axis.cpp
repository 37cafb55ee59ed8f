#include "models/questions/read/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::field;
using input::Member;
using input::Value;

constexpr const char* kPointer = "a JSON pointer such as /job/batch_per_gpu";
constexpr std::int64_t kMostSteps = 1'000'000'000;
/// Number of steps that are compared with their neighbours.
constexpr std::uint64_t kCompared = 100'000;

Value step(const Steps& steps, std::uint64_t k) {
  return steps.bounds.at(static_cast<double>(k) / static_cast<double>(steps.count - 1));
}

/// Reports steps that rounding makes equal.
void check_distinct(const Steps& steps, const Value& at, Diagnostics& diagnostics) {
  std::string last = input::to_canonical_string(step(steps, 0));
  for (std::uint64_t k = 1; k < std::min(steps.count, kCompared); ++k) {
    std::string text = input::to_canonical_string(step(steps, k));
    if (text == last) {
      diagnostics.error("E641", at.location(), at.pointer(),
                        fmt::format("two of the {} steps are {}", steps.count, text),
                        steps.bounds.whole() ? "fewer steps, or bounds with a fraction (\"0.0\")"
                                             : "fewer steps");
      return;
    }
    last = std::move(text);
  }
}

input::Shape steps_shape() {
  return input::object_shape({
      field("from", bound_shape()).required().describe("first value"),
      field("to", bound_shape()).required().describe("last value"),
      field("steps", input::count_shape(2, kMostSteps))
          .required()
          .describe("number of values, including the first and the last"),
      field("scale", input::enum_shape({"linear", "log"}))
          .describe("log: a constant factor between neighbouring values")
          .default_text("linear"),
  });
}

bool is_pointer(std::string_view text) {
  if (!text.starts_with('/')) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '~') continue;
    if (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1')) return false;
  }
  return true;
}

}  // namespace

std::uint64_t Axis::size() const {
  if (const auto* sets = std::get_if<ValueSets>(&what)) return sets->size();
  const auto& values = std::get<PlaceValues>(what).values;
  if (const auto* steps = std::get_if<Steps>(&values)) return steps->count;
  return std::get<std::vector<Value>>(values).size();
}

std::vector<Override> Axis::at(std::uint64_t k) const {
  if (const auto* sets = std::get_if<ValueSets>(&what)) return (*sets)[k];
  const auto& [pointer, values] = std::get<PlaceValues>(what);
  if (const auto* steps = std::get_if<Steps>(&values)) return {{pointer, step(*steps, k)}};
  return {{pointer, std::get<std::vector<Value>>(values)[k]}};
}

std::vector<std::string> Axis::pointers() const {
  const auto* sets = std::get_if<ValueSets>(&what);
  if (sets == nullptr) return {std::get<PlaceValues>(what).pointer};
  std::vector<std::string> pointers;
  for (const auto& set : *sets) {
    for (const Override& each : set) {
      const bool known =
          std::find(pointers.begin(), pointers.end(), each.pointer) != pointers.end();
      if (!known) pointers.push_back(each.pointer);
    }
  }
  return pointers;
}

std::optional<Axis> read_vary(const Member& member, Diagnostics& diagnostics) {
  if (member.value.is_array()) return Axis{PlaceValues{member.name, member.value.elements()}};
  const auto scale = input::find(member.value, "scale");
  const auto bounds = Bounds::read(
      *input::find(member.value, "from"), *input::find(member.value, "to"),
      scale && input::as_string(*scale) == "log" ? Scale::kLog : Scale::kLinear, diagnostics);
  if (!bounds) return std::nullopt;
  const auto count =
      static_cast<std::uint64_t>(input::as_count(*input::find(member.value, "steps")));
  const Steps steps{*bounds, count};
  check_distinct(steps, *input::find(member.value, "steps"), diagnostics);
  return Axis{PlaceValues{member.name, steps}};
}

Axis read_together(const Value& value) {
  ValueSets sets;
  for (const Value& each : value.elements()) {
    auto& set = sets.emplace_back();
    for (const Member& member : each.members()) set.push_back({member.name, member.value});
  }
  return Axis{std::move(sets)};
}

input::Shape pointer_shape() {
  return input::pattern_string(kPointer, "^/([^~]|~[01])*$",
                               [](std::string_view text) -> std::optional<std::string> {
                                 if (is_pointer(text)) return std::nullopt;
                                 return kPointer;
                               });
}

input::Shape vary_shape() {
  return input::map_shape(
      pointer_shape(),
      input::any_of_shape({input::array_shape(input::any_shape(), 1), steps_shape()}));
}

input::Shape together_shape() {
  return input::array_shape(input::map_shape(pointer_shape(), input::any_shape()), 1);
}

}  // namespace vgsim::scenario
