#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "models/questions/read/sweep.hpp"
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

void report_unknown(const Value& layout, const std::vector<std::string>& known,
                    Diagnostics& diagnostics) {
  diagnostics.error("E645", layout.location(), layout.pointer(),
                    fmt::format("the scenario has no layout \"{}\"", layout.string()),
                    known.empty() ? "a scenario with \"layouts\"; this one has none"
                                  : input::one_of(layout.string(), known),
                    input::suggest(layout.string(), known));
}

/// The scenario with only these layouts.
Document with_layouts(const Document& scenario, const std::vector<Value>& wanted,
                      Diagnostics& diagnostics) {
  const bool has_layouts = input::find(scenario.value(), "layouts").has_value();
  const std::vector<std::string> known =
      has_layouts ? scenario.layouts() : std::vector<std::string>();
  std::vector<std::string> names;
  for (const Value& each : wanted) {
    names.push_back(each.string());
    const bool there = std::find(known.begin(), known.end(), names.back()) != known.end();
    if (!there) report_unknown(each, known, diagnostics);
  }
  std::vector<std::string> in_file_order;
  for (const std::string& name : known) {
    if (std::find(names.begin(), names.end(), name) != names.end()) in_file_order.push_back(name);
  }
  return diagnostics.has_errors() ? scenario : scenario.with_layouts(in_file_order);
}

/// All points of a small sweep; of a large one the first and others selected by a hash, to cover
/// the steps of all axes.
std::set<std::uint64_t> probes_of(const Sweep& sweep) {
  std::set<std::uint64_t> probes{0};
  for (std::uint64_t k = 1; k < std::min(kProbes, sweep.points); ++k) {
    probes.insert(sweep.points <= kProbes ? k : random_bits(kProbes, k) % sweep.points);
  }
  return probes;
}

Diagnostics problems_of(const Sweep& sweep, const Document& base, std::uint64_t point) {
  Diagnostics found;
  const Document document = with_overrides(base, overrides_of(sweep, point), found);
  if (!found.has_errors()) static_cast<void>(read_layouts(document, found));
  return found;
}

/// Invalid points are results, but if no point is valid, the sweep is wrong.
void check_probes(const Sweep& sweep, const Document& base, Diagnostics& diagnostics) {
  std::optional<Diagnostics> first;
  const auto probes = probes_of(sweep);
  for (const std::uint64_t point : probes) {
    Diagnostics found = problems_of(sweep, base, point);
    if (!found.has_errors()) return;
    if (!first) first = std::move(found);
  }
  diagnostics.error("E647", sweep.scenario.location(), sweep.scenario.pointer(),
                    probes.size() == sweep.points
                        ? std::string("no point is a valid scenario; the first one fails because")
                        : fmt::format("none of the {} points tried is a valid scenario; the "
                                      "first one fails because",
                                      probes.size()));
  diagnostics.append(*first);
}

}  // namespace

tl::expected<Document, Diagnostics> base_of(const Sweep& sweep, const Document& scenario) {
  Diagnostics diagnostics;
  input::check(scenario.value(), input::patch_of(scenario_shape()), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  const Document base =
      sweep.layouts.empty() ? scenario : with_layouts(scenario, sweep.layouts, diagnostics);
  if (!diagnostics.has_errors()) check_probes(sweep, base, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return base;
}

}  // namespace vgsim::scenario
