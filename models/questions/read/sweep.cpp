#include "models/questions/read/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "models/scenario/answer/figures.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::find;
using input::Value;

constexpr std::uint64_t kMostPoints = 1'000'000'000'000;

std::vector<std::string> texts_of(const std::optional<Value>& list) {
  std::vector<std::string> texts;
  if (!list) return texts;
  for (const Value& each : list->elements()) texts.push_back(input::as_string(each));
  return texts;
}

/// The places of all parts.
std::vector<std::string> all_places(const Sweep& sweep) {
  std::vector<std::string> places;
  for (const Axis& axis : sweep.grid) {
    auto own = axis.pointers();
    std::move(own.begin(), own.end(), std::back_inserter(places));
  }
  if (sweep.draws) {
    for (const DrawnPlace& place : sweep.draws->places) places.push_back(place.pointer);
  }
  return places;
}

/// Reports places set by two parts.
void check_places(const Sweep& sweep, const Value& document, Diagnostics& diagnostics) {
  std::set<std::string> seen;
  for (const std::string& place : all_places(sweep)) {
    if (seen.insert(place).second) continue;
    diagnostics.error("E643", document.location(), document.pointer(),
                      fmt::format("{} is swept twice", place),
                      "each place in one of \"vary\", \"together\" and \"random\"");
  }
}

void count_points(Sweep& sweep, const Value& document, Diagnostics& diagnostics) {
  std::vector<std::uint64_t> sizes;
  for (const Axis& axis : sweep.grid) sizes.push_back(axis.size());
  if (sweep.draws) sizes.push_back(sweep.draws->count);
  for (const std::uint64_t size : sizes) {
    if (size <= kMostPoints / sweep.points) {
      sweep.points *= size;
      continue;
    }
    diagnostics.error("E644", document.location(), document.pointer(),
                      fmt::format("more than {} points", kMostPoints),
                      "fewer values, or random draws instead of a grid");
    return;
  }
}

void check_metrics(const std::optional<Value>& metrics, Diagnostics& diagnostics) {
  if (!metrics) return;
  for (const Value& each : metrics->elements()) {
    const std::string& name = input::as_string(each);
    if (metric_named(name)) continue;
    const std::vector<std::string> names = metric_names();
    diagnostics.error("E646", each.location(), each.pointer(),
                      fmt::format("no result has a figure \"{}\"", name),
                      input::one_of(name, names), input::suggest(name, names));
  }
}

}  // namespace

std::vector<std::string> Sweep::pointers() const { return all_places(*this); }

tl::expected<Sweep, Diagnostics> read_sweep(const Value& document) {
  Diagnostics diagnostics;
  input::check(document, sweep_shape(), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  Sweep sweep;
  sweep.name = input::as_string(*find(document, "name"));
  sweep.scenario = *find(document, "scenario");
  if (const auto vary = find(document, "vary")) {
    for (const input::Member& member : vary->members()) {
      if (auto axis = read_vary(member, diagnostics)) sweep.grid.push_back(std::move(*axis));
    }
  }
  if (const auto together = find(document, "together")) {
    sweep.grid.push_back(read_together(*together));
  }
  if (const auto random = find(document, "random")) sweep.draws = read_draws(*random, diagnostics);
  if (const auto layouts = find(document, "layouts")) sweep.layouts = layouts->elements();
  if (const auto draws = find(document, "interval_draws")) {
    sweep.interval_draws = static_cast<std::uint64_t>(input::as_count(*draws));
  }
  sweep.metrics = texts_of(find(document, "metrics"));
  check_metrics(find(document, "metrics"), diagnostics);
  check_places(sweep, document, diagnostics);
  count_points(sweep, document, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return sweep;
}

std::vector<Override> overrides_of(const Sweep& sweep, std::uint64_t index) {
  const std::uint64_t draws = sweep.draws ? sweep.draws->count : 1;
  std::uint64_t rest = index / draws;
  std::vector<std::uint64_t> steps(sweep.grid.size());
  for (std::size_t a = sweep.grid.size(); a-- > 0;) {
    steps[a] = rest % sweep.grid[a].size();
    rest /= sweep.grid[a].size();
  }
  std::vector<Override> all;
  const auto add = [&all](std::vector<Override> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
  };
  for (std::size_t a = 0; a < sweep.grid.size(); ++a) add(sweep.grid[a].at(steps[a]));
  if (sweep.draws) add(sweep.draws->at(index % draws));
  return all;
}

}  // namespace vgsim::scenario
