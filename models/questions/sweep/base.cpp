#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "models/questions/sweep/point.hpp"
#include "models/scenario/read/layout_keys.hpp"
#include "models/scenario/read/layouts.hpp"
#include "sim/random.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::Member;
using input::Value;

constexpr std::uint64_t kProbes = 64;

std::vector<std::string> names_of(const std::optional<Value>& layouts) {
  std::vector<std::string> names;
  if (!layouts) return names;
  for (const Member& member : layouts->members()) names.push_back(member.name);
  return names;
}

void report_unknown(const Value& layout, const std::vector<std::string>& known,
                    Diagnostics& diagnostics) {
  diagnostics.error("E645", layout.location(), layout.pointer(),
                    fmt::format("the scenario has no layout \"{}\"", layout.string()),
                    known.empty() ? "a scenario with \"layouts\"; this one has none"
                                  : fmt::format("one of: {}", fmt::join(known, ", ")),
                    input::suggest(layout.string(), known));
}

/// The scenario with these layouts only.
Value with_layouts(const Value& scenario, const std::vector<Value>& wanted,
                   Diagnostics& diagnostics) {
  const auto layouts = input::find(scenario, "layouts");
  const std::vector<std::string> known = names_of(layouts);
  for (const Value& each : wanted) {
    const bool there = std::find(known.begin(), known.end(), each.string()) != known.end();
    if (!there) report_unknown(each, known, diagnostics);
  }
  if (diagnostics.has_errors()) return scenario;
  std::vector<Member> kept;
  for (const Member& member : layouts->members()) {
    const bool is_wanted = std::any_of(wanted.begin(), wanted.end(), [&](const Value& layout) {
      return layout.string() == member.name;
    });
    if (is_wanted) kept.push_back(member);
  }
  std::vector<Member> members = scenario.members();
  for (Member& member : members) {
    if (member.name == "layouts") {
      member.value = Value::make_object(std::move(kept), layouts->origin());
      break;
    }
  }
  return Value::make_object(std::move(members), scenario.origin());
}

/// All points of a small sweep; of a large one the first and others that are picked by a hash, so
/// that no step of an axis is left out by the way the grid is laid out.
std::set<std::uint64_t> probes_of(const Sweep& sweep) {
  std::set<std::uint64_t> probes{0};
  for (std::uint64_t k = 1; k < std::min(kProbes, sweep.points); ++k) {
    probes.insert(sweep.points <= kProbes ? k : random_bits(kProbes, k) % sweep.points);
  }
  return probes;
}

Diagnostics problems_of(const Sweep& sweep, const Value& base, std::uint64_t point) {
  Diagnostics found;
  const Value document = with_overrides(base, overrides_of(sweep, point), found);
  if (!found.has_errors()) static_cast<void>(read_layouts(document, found));
  return found;
}

/// A point that is no scenario is a result; but where none is one, the user has made a mistake.
void check_probes(const Sweep& sweep, const Value& base, Diagnostics& diagnostics) {
  std::optional<Diagnostics> first;
  const auto probes = probes_of(sweep);
  for (const std::uint64_t point : probes) {
    Diagnostics found = problems_of(sweep, base, point);
    if (!found.has_errors()) return;
    if (!first) first = std::move(found);
  }
  diagnostics.error("E647", sweep.scenario.location(), sweep.scenario.pointer(),
                    probes.size() == sweep.points
                        ? std::string("no point is a valid scenario; the first is not because")
                        : fmt::format("none of {} points that were tried is a valid scenario; the "
                                      "first is not because",
                                      probes.size()));
  diagnostics.append(*first);
}

}  // namespace

tl::expected<Value, Diagnostics> base_of(const Sweep& sweep, const Value& scenario) {
  Diagnostics diagnostics;
  input::check(scenario, input::patch_of(scenario_shape()), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  const Value base =
      sweep.layouts.empty() ? scenario : with_layouts(scenario, sweep.layouts, diagnostics);
  if (!diagnostics.has_errors()) check_probes(sweep, base, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return base;
}

}  // namespace vgsim::scenario
