#include <fmt/format.h>

#include <algorithm>

#include "tools/sweep/messages.hpp"

namespace vgsim::sweep {
namespace {

using Json = nlohmann::ordered_json;
using scenario::Axis;

constexpr std::uint64_t kShownValues = 8;

std::string step_text(const Axis& axis, std::uint64_t k) {
  const bool alone = std::holds_alternative<scenario::PlaceValues>(axis.what);
  std::string text;
  for (const scenario::Override& each : axis.at(k)) {
    if (alone) return words_of(each);
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", each.pointer, words_of(each));
  }
  return text;
}

/// The first values and the last, and the number of the others.
std::string axis_text(const Axis& axis) {
  const bool alone = std::holds_alternative<scenario::PlaceValues>(axis.what);
  const std::uint64_t size = axis.size();
  std::string text =
      fmt::format("  {}: {} values\n", alone ? axis.pointers().front() : "together", size);
  for (std::uint64_t k = 0; k < size; ++k) {
    if (k == kShownValues - 1 && size > kShownValues) {
      text += fmt::format("    ... {} more\n", size - kShownValues);
      k = size - 1;
    }
    text += fmt::format("    {}\n", step_text(axis, k));
  }
  return text;
}

Json axis_json(const Axis& axis) {
  return {{"places", axis.pointers()},
          {"values", axis.size()},
          {"first", step_text(axis, 0)},
          {"last", step_text(axis, axis.size() - 1)}};
}

}  // namespace

std::string plan_text(const scenario::Sweep& sweep, const Shard& shard) {
  std::string text = fmt::format("{}\n{} points\n", sweep.name, sweep.points);
  if (!shard.whole()) {
    text += fmt::format("shard {} of {}: {} points\n", shard.number, shard.of,
                        shard.size(sweep.points));
  }
  for (const Axis& axis : sweep.grid) text += axis_text(axis);
  if (!sweep.draws) return text;
  text += fmt::format("  {} random draws with seed {} of\n", sweep.draws->count, sweep.draws->seed);
  for (const scenario::DrawnPlace& place : sweep.draws->places) {
    text += fmt::format("    {}\n", place.pointer);
  }
  return text;
}

std::string plan_json(const scenario::Sweep& sweep, const Shard& shard) {
  Json out{
      {"schema", "vgsim.sweep-plan/1"},
      {"sweep", sweep.name},
      {"points", sweep.points},
      {"shard", {{"number", shard.number}, {"of", shard.of}, {"points", shard.size(sweep.points)}}},
      {"axes", Json::array()}};
  for (const Axis& axis : sweep.grid) out["axes"].push_back(axis_json(axis));
  if (sweep.draws) {
    Json places = Json::array();
    for (const scenario::DrawnPlace& place : sweep.draws->places) places.push_back(place.pointer);
    out["random"] = {
        {"draws", sweep.draws->count}, {"seed", sweep.draws->seed}, {"places", std::move(places)}};
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace vgsim::sweep
