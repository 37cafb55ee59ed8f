#include "models/questions/explain/best_changes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "models/questions/explain/changes/situation.hpp"
#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/parallel_for.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/layouts.hpp"
#include "sim/engine.hpp"

namespace vgsim::scenario {
namespace {

/// What its parts cost, where the scenario says so of each.
std::optional<double> price_of(const Change& change, const Layout& layout) {
  if (change.parts.empty()) return std::nullopt;
  double price = 0;
  for (const auto& [part, count] : change.parts) {
    if (!layout.prices) return std::nullopt;
    const auto& known = layout.prices->parts;
    const auto each = std::find_if(known.begin(), known.end(), [&part = part](const auto& entry) {
      return entry.name == part;
    });
    if (each == known.end()) return std::nullopt;
    price += **each * count;
  }
  return price;
}

std::vector<Warning> new_warnings(const LayoutResult& before, const LayoutResult& after) {
  std::set<std::string> known;
  for (const Warning& warning : before.warnings) known.insert(warning.rule);
  std::vector<Warning> more;
  for (const Warning& warning : after.warnings) {
    if (!known.contains(warning.rule)) more.push_back(warning);
  }
  return more;
}

void fail(TriedChange& tried, const input::Diagnostics& diagnostics) {
  tried.outcome = TriedOutcome::kImpossible;
  for (const input::Diagnostic& each : diagnostics.items()) tried.problems.push_back(each.message);
}

void try_one(const Situation& at, const input::FileLoader& load, const RunSettings& settings,
             TriedChange& tried) {
  input::Diagnostics diagnostics;
  const Document changed = with_overrides(at.document, tried.change.overrides, diagnostics);
  if (diagnostics.has_errors()) return fail(tried, diagnostics);
  try {
    auto result = run_scenario(changed, at.library, load, settings, &at.prepared);
    if (!result) return fail(tried, result.error());
    tried.result = std::move(result->layouts.front());
  } catch (const LimitExceeded& error) {
    tried.outcome = TriedOutcome::kImpossible;
    tried.problems.emplace_back(error.what());
    return;
  } catch (const Stalled&) {
    tried.outcome = TriedOutcome::kImpossible;
    tried.problems.emplace_back("the job never ends");
    return;
  }
  tried.new_warnings = new_warnings(at.result, tried.result);
  const auto time = time_of(tried.result);
  if (!time) {
    tried.outcome = TriedOutcome::kRefused;
    return;
  }
  tried.after_s = *time;
}

/// Half the width of the interval, as a share of the time; nothing where there is none.
std::optional<double> precision_of(const LayoutResult& layout) {
  if (layout.training && layout.training->training_interval && layout.training->training_s > 0) {
    const Interval& interval = *layout.training->training_interval;
    return (interval.high_s - interval.low_s) / 2 / layout.training->training_s;
  }
  if (!layout.collective || layout.collective->points.empty()) return std::nullopt;
  const auto& points = layout.collective->points;
  const auto largest = std::max_element(
      points.begin(), points.end(), [](const auto& a, const auto& b) { return a.size < b.size; });
  return (to_seconds(largest->high) - to_seconds(largest->low)) / 2 / to_seconds(largest->time);
}

/// What an assumption has to move the time by to be named: more than the time is known to, and not
/// more than kLeastPrice, since a wide interval is no reason to keep silent.
double least_price(const LayoutResult& known) {
  return std::clamp(precision_of(known).value_or(kLeastPrice), kLeastGain, kLeastPrice);
}

double size_of(const TriedChange& assumption) {
  return std::abs(std::log(assumption.after_s / assumption.before_s));
}

/// Moves those that are assumptions, and of these keeps those that matter, the dearest first; of
/// several values that one part may have the one that matters most.
void split_assumptions(std::vector<TriedChange>& tried, double least,
                       std::vector<TriedChange>& assumptions) {
  for (TriedChange& each : tried) {
    const bool matters = each.change.is_assumption && each.outcome == TriedOutcome::kRan &&
                         std::abs(each.gain()) >= least;
    if (matters) assumptions.push_back(each);
  }
  std::erase_if(tried, [](const TriedChange& each) { return each.change.is_assumption; });
  std::stable_sort(assumptions.begin(), assumptions.end(),
                   [](const auto& a, const auto& b) { return size_of(a) > size_of(b); });
  std::set<std::string> ids;
  std::erase_if(assumptions, [&](const auto& each) { return !ids.insert(each.change.id).second; });
}

/// What a search is expected to take at most, in events, and tasks that are built.
constexpr std::uint64_t kMostEvents = 250'000;
/// And what it takes at most, where changes make many times the work of what they change.
constexpr std::uint64_t kMostEventsOfAll = 8 * kMostEvents;

RunSettings at_most(RunSettings settings, std::uint64_t events) {
  settings.limits.max_events = std::min(settings.limits.max_events.value_or(events), events);
  return settings;
}

/// Changes that save the same but for less than that stay in order: the smaller one comes first.
double per_mille(const TriedChange& tried) { return std::floor(tried.gain() * 1000.0); }

/// Whether another of its kind that is shown saves as much.
bool is_covered(const TriedChange& tried, const std::vector<const TriedChange*>& shown) {
  return std::any_of(shown.begin(), shown.end(), [&](const TriedChange* other) {
    return other->change.id == tried.change.id && other->gain() - tried.gain() < kLeastGain;
  });
}

}  // namespace

std::vector<const TriedChange*> helping_changes(const std::vector<TriedChange>& tried,
                                                bool alters) {
  std::vector<const TriedChange*> helping;
  for (const TriedChange& each : tried) {
    if (!each.helps() || each.change.alters_training != alters) continue;
    if (!is_covered(each, helping)) helping.push_back(&each);
  }
  return helping;
}

std::vector<Change> changes_of(const Situation& at) {
  std::vector<Change> changes;
  add_faster_nics(at, changes);
  add_nic_changes(at, changes);
  add_fabric_changes(at, changes);
  add_gpu_changes(at, changes);
  add_guest_changes(at, changes);
  add_input_changes(at, changes);
  add_gradient_changes(at, changes);
  add_parallelism_changes(at, changes);
  add_nccl_changes(at, changes);
  add_disturbance_changes(at, changes);
  return changes;
}

std::vector<TriedChange> try_changes(const Situation& at, std::vector<Change> changes,
                                     const input::FileLoader& load, const RunSettings& settings) {
  const double before = time_of(at.result).value_or(0.0);
  std::vector<TriedChange> tried;
  for (Change& change : changes) {
    TriedChange& each = tried.emplace_back();
    each.change = std::move(change);
    each.before_s = before;
    each.price = price_of(each.change, layout_of(at));
  }
  RunSettings own = settings;
  own.next_limit = false;
  own.epoch_end = false;
  own.note_inputs = false;
  own.record = false;
  own.report = {};
  parallel_for(tried.size(), [&](std::size_t i) { try_one(at, load, own, tried[i]); });
  std::stable_sort(tried.begin(), tried.end(), [](const TriedChange& a, const TriedChange& b) {
    if (a.outcome != b.outcome) return a.outcome < b.outcome;
    return a.outcome == TriedOutcome::kRan && per_mille(a) > per_mille(b);
  });
  return tried;
}

bool is_little_work(std::size_t runs, std::uint64_t events, std::size_t ranks) {
  // Connecting a rank takes about as long as a hundred events: seconds on two cores at most.
  constexpr double kEventsOfARank = 100.0;
  const double each = static_cast<double>(events) + kEventsOfARank * static_cast<double>(ranks);
  return static_cast<double>(runs) * each <= static_cast<double>(kMostEvents);
}

BestChange find_best_change(const Document& document, const LayoutResult& known,
                            const Library& library, const input::FileLoader& load,
                            const RunSettings& settings, BestChangeOf wanted) {
  BestChange found{known.name, std::nullopt, {}, {}, {}};
  const std::uint64_t again = events_again(known);
  if (!is_little_work(1, again, known.ranks)) return found;
  input::Diagnostics none;
  const auto layouts = read_layouts(document, none);
  const auto layout = std::find_if(layouts.begin(), layouts.end(), [&](const LayoutInput& each) {
    return each.name == known.name;
  });
  if (layout == layouts.end()) return found;
  RunSettings once = at_most(settings, kMostEvents);
  once.seeds = 1;
  once.record = true;
  once.next_limit = false;
  once.report = {};
  try {
    const auto prepared = prepare_scenario(layout->document, library, load, once);
    if (!prepared) return found;
    const ScenarioResult result = run(*prepared, once);
    if (result.layouts.front().refused) return found;
    const Situation at{layout->document, *prepared, result.layouts.front(), library};
    // Each change is made of the document and prepared anew, host by host.
    const std::size_t size =
        std::max(known.ranks, prepared->layouts.front().placement.cluster->hosts.size());
    auto changes = changes_of(at);
    std::erase_if(changes, [](const Change& change) { return change.alters_training; });
    auto assumptions = assumptions_of(at);
    const bool all = wanted == BestChangeOf::kAll && is_little_work(changes.size(), again, size);
    if (!all) changes.clear();
    while (!is_little_work(assumptions.size(), again, size)) assumptions.pop_back();
    changes.insert(changes.end(), assumptions.begin(), assumptions.end());
    const std::uint64_t each = kMostEventsOfAll / std::max<std::size_t>(changes.size(), 1);
    auto tried = try_changes(at, std::move(changes), load, at_most(once, each));
    if (settings.limits.deadline_passed && settings.limits.deadline_passed()) return found;
    split_assumptions(tried, least_price(known), found.assumptions);
    if (wanted == BestChangeOf::kAll && is_quickly_varied(result.layouts.front())) {
      found.measure = tornado({*prepared, library, load, once}, result.layouts.front()).measure;
    }
    if (all) found.tried = tried.size();
    for (const TriedChange* change : helping_changes(tried, false)) {
      if (found.helping.size() < kMostHelping) found.helping.push_back(*change);
    }
  } catch (const LimitExceeded&) {  // too much work, or the user's own limit
  }
  return found;
}

}  // namespace vgsim::scenario
