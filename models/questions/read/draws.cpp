#include "models/questions/read/draws.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "models/questions/read/axis.hpp"
#include "sim/random.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::field;
using input::Member;
using input::Value;

__extension__ using UInt128 = unsigned __int128;

/// Uniform from 0 to bound - 1, with a bias below bound / 2^64.
std::uint64_t below(std::uint64_t bits, std::uint64_t bound) {
  return static_cast<std::uint64_t>((UInt128{bits} * bound) >> 64U);
}

Value drawn(const DrawnPlace& place, std::uint64_t seed, std::uint64_t k) {
  const std::uint64_t stream = seed_of(place.pointer, seed);
  if (const auto* choices = std::get_if<std::vector<Value>>(&place.from)) {
    return (*choices)[below(random_bits(stream, k), choices->size())];
  }
  const Bounds& bounds = std::get<Bounds>(place.from);
  if (place.how == DrawnPlace::How::kReal) return bounds.at(uniform(stream, k), true);
  const std::int64_t low = bounds.low().integer();
  const auto values = static_cast<std::uint64_t>(bounds.high().integer() - low) + 1;
  return Value::make_integer(low + static_cast<std::int64_t>(below(random_bits(stream, k), values)),
                             bounds.low().origin());
}

/// The key of the distribution; nothing after an error.
const Member* way_of(const Member& place, Diagnostics& diagnostics) {
  const auto& ways = place.value.members();
  if (ways.size() == 1) return &ways.front();
  diagnostics.error("E642", place.key, place.value.pointer(),
                    fmt::format("{} ways to draw {}", ways.size(), place.name),
                    "one of: choice, uniform, log_uniform, integer");
  return nullptr;
}

std::optional<DrawnPlace> read_place(const Member& place, Diagnostics& diagnostics) {
  const Member* way = way_of(place, diagnostics);
  if (way == nullptr) return std::nullopt;
  const auto& values = way->value.elements();
  if (way->name == "choice") return DrawnPlace{place.name, values};
  const Scale scale = way->name == "log_uniform" ? Scale::kLog : Scale::kLinear;
  const auto bounds = Bounds::read(values[0], values[1], scale, diagnostics);
  if (!bounds) return std::nullopt;
  const bool whole = way->name == "integer";
  if (whole && !bounds->whole()) {
    diagnostics.error("E641", way->value.location(), way->value.pointer(),
                      "bounds that are not whole numbers", "whole numbers up to 2^53");
    return std::nullopt;
  }
  return DrawnPlace{place.name, *bounds, whole ? DrawnPlace::How::kWhole : DrawnPlace::How::kReal};
}

input::Shape interval_shape(const input::Shape& bound) { return input::array_shape(bound, 2, 2); }

}  // namespace

std::vector<Override> Draws::at(std::uint64_t k) const {
  std::vector<Override> all;
  all.reserve(places.size());
  for (const DrawnPlace& place : places) all.push_back({place.pointer, drawn(place, seed, k)});
  return all;
}

Draws read_draws(const Value& value, Diagnostics& diagnostics) {
  Draws draws;
  draws.count = static_cast<std::uint64_t>(input::as_count(*input::find(value, "points")));
  if (const auto seed = input::find(value, "seed")) {
    draws.seed = static_cast<std::uint64_t>(input::as_count(*seed));
  }
  const Value over = *input::find(value, "over");
  for (const Member& member : over.members()) {
    if (auto place = read_place(member, diagnostics)) draws.places.push_back(std::move(*place));
  }
  return draws;
}

input::Shape draws_shape() {
  const input::Shape whole = input::number_shape();
  const input::Shape place = input::object_shape({
      field("choice", input::array_shape(input::any_shape(), 1))
          .describe("one of these values, all equally likely"),
      field("uniform", interval_shape(bound_shape()))
          .describe("uniformly distributed between these two numbers or quantities"),
      field("log_uniform", interval_shape(bound_shape()))
          .describe("log-uniformly distributed: 1 to 10 is as likely as 10 to 100"),
      field("integer", interval_shape(whole))
          .describe("a whole number from the first to the second, both included"),
  });
  return input::object_shape({
      field("points", input::count_shape(1, 1'000'000'000))
          .required()
          .describe("number of draws; each point of the grid runs with every draw"),
      field("seed", input::count_shape(0, 1'000'000'000'000)).default_text("1"),
      field("over", input::map_shape(pointer_shape(), place, 1))
          .required()
          .describe("places, each with the distribution of its value"),
  });
}

}  // namespace vgsim::scenario
