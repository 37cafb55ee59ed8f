#include "models/questions/explain/best_changes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "models/collectives/rank_group.hpp"
#include "models/questions/explain/change_gaps.hpp"
#include "models/questions/explain/changes/change_context.hpp"
#include "models/questions/studies/one_run.hpp"
#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/layouts.hpp"
#include "models/scenario/run/same_step.hpp"
#include "sim/engine.hpp"

namespace vgsim::scenario {
namespace {

/// Price of its parts, if the scenario has a price for each.
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

/// The first simulated step of a training job. It determines the result together with the job's
/// settings, so an assumption that does not change it has the same result. Nothing for collectives,
/// whose sizes are separate steps.
std::optional<SimulatedStep> first_step(const ChangeContext& at, RunSettings settings) {
  std::optional<SimulatedStep> step;
  if (!at.result.training || !at.result.jobs.empty()) return step;
  settings.wants_step = [&](const TaskGraph& graph, const Network& network) {
    step = SimulatedStep{graph, network};
    return false;
  };
  try {
    static_cast<void>(run(at.prepared, settings));
  } catch (const StepNotWanted&) {  // requested
  } catch (const LimitExceeded&) {  // before the first step: no assumption can be compared
  }
  return step;
}

/// Settings that stop a run if its first step is equal to `step`.
RunSettings unless_same(const SimulatedStep& step, RunSettings settings) {
  settings.wants_step = [&step, is_first = true](const TaskGraph& graph,
                                                 const Network& network) mutable {
    return !std::exchange(is_first, false) || !does_the_same(step, graph, network);
  };
  return settings;
}

void try_one(const ChangeContext& at, const input::FileLoader& load, const RunSettings& settings,
             TriedChange& tried) {
  input::Diagnostics diagnostics;
  const Document changed = with_overrides(at.document, tried.change.overrides, diagnostics);
  if (diagnostics.has_errors()) return fail(tried, diagnostics);
  try {
    auto result = run_scenario(changed, at.library, load, settings, &at.prepared);
    if (!result) return fail(tried, result.error());
    tried.result = std::move(result->layouts.front());
  } catch (const StepNotWanted&) {
    tried.is_same_step = true;
    tried.after_s = tried.before_s;
    return;
  } catch (const LimitExceeded& error) {
    tried.outcome = TriedOutcome::kImpossible;
    tried.problems.emplace_back(error.what());
    return;
  } catch (const Stalled&) {
    tried.outcome = TriedOutcome::kImpossible;
    tried.problems.emplace_back("the job never ends");
    return;
  } catch (const collectives::NotConnected& error) {  // an algorithm that a concurrent one lacks
    tried.outcome = TriedOutcome::kImpossible;
    tried.problems.emplace_back(error.what());
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

/// Half the width of the interval relative to the time; nothing without an interval.
std::optional<double> precision_of(const LayoutResult& layout) {
  if (layout.training && layout.training->training_interval && layout.training->training_s > 0) {
    const Interval& interval = *layout.training->training_interval;
    return (interval.high_s - interval.low_s) / 2 / layout.training->training_s;
  }
  if (!layout.collective || layout.collective->points.empty()) return std::nullopt;
  const CollectivePoint& largest = largest_point(*layout.collective);
  return (to_seconds(largest.high) - to_seconds(largest.low)) / 2 / to_seconds(largest.time);
}

/// Least relative effect of a listed assumption: the uncertainty of the time, at most kLeastPrice,
/// so that effects are also listed for wide intervals.
double least_price(const LayoutResult& known) {
  return std::clamp(precision_of(known).value_or(kLeastPrice), kLeastGain, kLeastPrice);
}

double size_of(const TriedChange& assumption) {
  return std::abs(std::log(assumption.after_s / assumption.before_s));
}

/// The relevant assumptions, largest effect first; of several values of one part that with the
/// largest effect.
std::vector<TriedChange> decisive(std::vector<TriedChange> tried, double least) {
  std::erase_if(tried, [&](const TriedChange& each) {
    return each.outcome != TriedOutcome::kRan || std::abs(each.gain()) < least;
  });
  std::ranges::stable_sort(tried, std::ranges::greater(), size_of);
  std::set<std::string> ids;
  std::erase_if(tried, [&](const TriedChange& each) { return !ids.insert(each.change.id).second; });
  return tried;
}

/// The subject of an assumption, from its title: "NCCL version".
std::string subject_of(const Change& assumption) {
  const std::string& title = assumption.title;
  return title.substr(0, std::min(title.find(", "), title.find("; ")));
}

/// The assumptions after the first `priced` ones, each once.
std::vector<std::string> unpriced_words(const std::vector<Change>& assumptions,
                                        std::size_t priced) {
  std::vector<std::string> words;
  std::set<std::string> said;
  for (std::size_t i = priced; i < assumptions.size(); ++i) {
    if (!said.insert(assumptions[i].id).second) continue;
    const auto is_same = [&](const Change& each) { return each.id == assumptions[i].id; };
    const auto all = std::ranges::count_if(assumptions, is_same);
    const auto left = std::count_if(assumptions.begin() + static_cast<std::ptrdiff_t>(priced),
                                    assumptions.end(), is_same);
    const std::string subject = subject_of(assumptions[i]);
    words.push_back(left == all ? subject
                                : fmt::format("{} ({} of {} values)", subject, left, all));
  }
  return words;
}

/// Limit of the expected work of a search, in events and built tasks.
constexpr std::uint64_t kMostEvents = 250'000;
/// Hard limit, for changes that multiply the work of the job.
constexpr std::uint64_t kMostEventsOfAll = 8 * kMostEvents;

RunSettings at_most(RunSettings settings, std::uint64_t events) {
  settings.limits.max_events = std::min(settings.limits.max_events.value_or(events), events);
  return settings;
}

/// Gains that differ by less than this count as equal: the smaller change comes first.
double per_mille(const TriedChange& tried) { return std::floor(tried.gain() * 1000.0); }

/// Largest gain first; then those that did not run.
bool comes_first(const TriedChange& a, const TriedChange& b) {
  if (a.outcome != b.outcome) return a.outcome < b.outcome;
  return a.outcome == TriedOutcome::kRan && per_mille(a) > per_mille(b);
}

/// Whether another listed change of its kind has the same gain.
bool is_covered(const TriedChange& tried, const std::vector<const TriedChange*>& shown) {
  return std::any_of(shown.begin(), shown.end(), [&](const TriedChange* other) {
    return other->change.id == tried.change.id && other->gain() - tried.gain() < kLeastGain;
  });
}

}  // namespace

std::vector<const TriedChange*> helping_changes(const std::vector<TriedChange>& tried,
                                                bool changes_training) {
  std::vector<const TriedChange*> helping;
  for (const TriedChange& each : tried) {
    if (!each.helps() || each.change.changes_training != changes_training) continue;
    if (!is_covered(each, helping)) helping.push_back(&each);
  }
  return helping;
}

std::optional<double> most_gain_of_traffic(const LayoutResult& layout) {
  if (!layout.training || !layout.jobs.empty() || layout.training->time_sliced) return std::nullopt;
  const TrainingResult& training = *layout.training;
  if (training.iteration <= SimTime{0}) return std::nullopt;
  const SimTime passes = training.compute + training.optimizer;
  return 1.0 - to_seconds(std::min(passes, training.iteration)) / to_seconds(training.iteration);
}

std::vector<Change> changes_of(const ChangeContext& at) {
  std::vector<Change> changes;
  add_faster_nics(at, changes);
  add_nic_changes(at, changes);
  add_fabric_changes(at, changes);
  for (Change& change : changes) change.is_of_traffic = true;
  add_gpu_changes(at, changes);
  add_guest_changes(at, changes);
  add_peer_changes(at, changes);
  add_input_changes(at, changes);
  add_gradient_changes(at, changes);
  add_parallelism_changes(at, changes);
  add_nccl_changes(at, changes);
  add_disturbance_changes(at, changes);
  return changes;
}

std::vector<TriedChange> try_changes(const ChangeContext& at, std::vector<Change> changes,
                                     const input::FileLoader& load, const RunSettings& settings,
                                     ComputedParts* parts) {
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
  const bool assumes =
      std::ranges::any_of(tried, [](const TriedChange& each) { return each.change.is_assumption; });
  const bool improves = std::ranges::any_of(
      tried, [](const TriedChange& each) { return !each.change.is_assumption; });
  if (improves && !own.known_steps) {
    own.known_steps = computed_part<std::shared_ptr<const KnownSteps>>(
        parts, [&] { return learn_steps(at.prepared, own); });
  }
  const auto step = assumes ? first_step(at, own) : std::nullopt;
  RunSettings of_assumptions = own;
  // The number of simulated time slices depends on the requested figures.
  const bool time_sliced = at.result.training && at.result.training->time_sliced;
  of_assumptions.only_times = !time_sliced;
  tried = computed<TriedChange>(parts, tried.size(), [&](std::size_t i) {
    const bool compares = tried[i].change.is_assumption;
    if (compares && step) {
      try_one(at, load, unless_same(*step, of_assumptions), tried[i]);
    } else {
      try_one(at, load, compares ? of_assumptions : own, tried[i]);
    }
    return std::move(tried[i]);
  });
  std::stable_sort(tried.begin(), tried.end(), comes_first);
  return tried;
}

bool is_little_work(std::size_t runs, std::uint64_t events, std::size_t ranks) {
  // Connecting a rank takes about as long as 100 events: at most seconds on two cores.
  constexpr double kEventsOfARank = 100.0;
  const double each = static_cast<double>(events) + kEventsOfARank * static_cast<double>(ranks);
  return static_cast<double>(runs) * each <= static_cast<double>(kMostEvents);
}

std::vector<TriedChange> price_assumptions(const ChangeContext& at, const input::FileLoader& load,
                                           const RunSettings& settings) {
  return decisive(try_changes(at, assumptions_of(at), load, settings), least_price(at.result));
}

namespace {

/// The prepared layout of that name, without the others.
std::optional<PreparedScenario> prepared_alone(const PreparedScenario* answered,
                                               const std::string& layout) {
  if (answered == nullptr) return std::nullopt;
  for (const PreparedLayout& each : answered->layouts) {
    if (each.placement.layout->name == layout) return PreparedScenario{layout, {each}};
  }
  return std::nullopt;
}

/// Evaluates assumptions within the work limit, and lists the others.
void price_within(const ChangeContext& at, const input::FileLoader& load, const RunSettings& once,
                  std::uint64_t again, std::size_t size, BestChange& found) {
  auto assumptions = assumptions_of(at);
  std::size_t priced = assumptions.size();
  while (priced > 0 && !is_little_work(priced, again, size)) --priced;
  found.unpriced = unpriced_words(assumptions, priced);
  assumptions.erase(assumptions.begin() + static_cast<std::ptrdiff_t>(priced), assumptions.end());
  const std::uint64_t each = kMostEventsOfAll / std::max<std::size_t>(priced, 1);
  auto tried = try_changes(at, std::move(assumptions), load, at_most(once, each));
  if (once.limits.deadline_passed && once.limits.deadline_passed()) return;
  found.priced = tried.size();
  found.simulated = static_cast<std::size_t>(std::ranges::count_if(tried, [](const auto& one) {
    return one.outcome == TriedOutcome::kRan && !one.is_same_step;
  }));
  found.assumptions = decisive(std::move(tried), least_price(at.result));
}

/// Tries changes of traffic after the others, and only if they may gain as much as the kMostHelping
/// best ones, which are those of all.
std::vector<TriedChange> try_best(const ChangeContext& at, std::vector<Change> changes,
                                  const input::FileLoader& load, const RunSettings& settings) {
  const auto most = most_gain_of_traffic(at.result);
  if (!most) return try_changes(at, std::move(changes), load, settings);
  const auto is_other = [](const Change& change) { return !change.is_of_traffic; };
  const auto traffic = std::stable_partition(changes.begin(), changes.end(), is_other);
  std::vector<Change> of_traffic(std::make_move_iterator(traffic),
                                 std::make_move_iterator(changes.end()));
  changes.erase(traffic, changes.end());
  auto tried = try_changes(at, std::move(changes), load, settings);
  const auto helping = helping_changes(tried, false);
  const double needed =
      helping.size() < kMostHelping ? kLeastGain : helping[kMostHelping - 1]->gain();
  constexpr double kPerMille = 0.001;  // gains within it count as equal
  if (*most + kPerMille < needed) return tried;
  auto more = try_changes(at, std::move(of_traffic), load, settings);
  more.insert(more.end(), std::make_move_iterator(tried.begin()),
              std::make_move_iterator(tried.end()));
  std::stable_sort(more.begin(), more.end(), comes_first);
  return more;
}

/// Tries changes if all of them are cheap. The full list needs a recorded iteration; nearly all are
/// known before.
void search_changes(const ChangeContext& at, const input::FileLoader& load, const RunSettings& once,
                    std::uint64_t again, std::size_t size, BestChange& found) {
  const bool searches = is_little_work(changes_of(at).size(), again, size);
  const bool measures = is_quickly_varied(at.result);
  if (!searches && !measures) return;
  RunSettings recording = once;
  recording.record = true;
  recording.known_steps = learn_steps(at.prepared, once);
  ScenarioResult result = run(at.prepared, recording);
  LayoutResult& recorded = result.layouts.front();
  if (recorded.refused) return;
  recorded.drawn_s = at.result.drawn_s;
  const ChangeContext known{at.document, at.prepared, recorded, at.library};
  auto changes = changes_of(known);
  std::erase_if(changes, [](const Change& change) { return change.changes_training; });
  const bool all = is_little_work(changes.size(), again, size);
  if (!all) changes.clear();
  const std::uint64_t each =
      kMostEventsOfAll / std::max<std::size_t>(changes.size() + found.priced, 1);
  if (all) found.tried = changes.size();
  RunSettings changing = at_most(once, each);
  changing.known_steps = recording.known_steps;
  const auto tried = try_best(known, std::move(changes), load, changing);
  if (once.limits.deadline_passed && once.limits.deadline_passed()) return;
  if (measures) found.tornado = tornado({at.prepared, at.library, load, recording}, recorded);
  for (const TriedChange* change : helping_changes(tried, false)) {
    if (found.helping.size() < kMostHelping) found.helping.push_back(*change);
  }
  add_gaps(known, load, changing, found.helping);
}

}  // namespace

BestChange find_best_change(const Document& document, const LayoutResult& known,
                            const Library& library, const input::FileLoader& load,
                            const RunSettings& settings, BestChangeOf wanted,
                            const PreparedScenario* answered) {
  BestChange found;
  found.layout = known.name;
  const std::uint64_t again = events_again(known);
  if (!is_little_work(1, again, known.ranks)) {
    const auto alone = prepared_alone(answered, known.name);
    if (alone)
      found.unpriced = unpriced_words(assumptions_of({document, *alone, known, library}), 0);
    return found;
  }
  input::Diagnostics diagnostics;  // the document was run before
  const auto layouts = read_layouts(document, diagnostics);
  input::expect_no_errors(diagnostics);
  const auto layout = std::find_if(layouts.begin(), layouts.end(), [&](const LayoutInput& each) {
    return each.name == known.name;
  });
  if (layout == layouts.end()) return found;
  RunSettings once = at_most(settings, kMostEvents);
  once.seeds = 1;
  once.record = false;
  once.next_limit = false;
  once.report = {};
  try {
    auto prepared = prepared_alone(answered, known.name);
    if (!prepared) {
      auto anew = prepare_scenario(layout->document, library, load, once);
      if (!anew || anew->layouts.front().is_refused()) return found;
      prepared = std::move(*anew);
    }
    const ChangeContext at{layout->document, *prepared, known, library};
    // Each change is applied to the document and prepared again, host by host.
    const std::size_t size =
        std::max(known.ranks, prepared->layouts.front().placement.cluster->hosts.size());
    price_within(at, load, once, again, size, found);
    if (wanted == BestChangeOf::kAll) search_changes(at, load, once, again, size, found);
  } catch (const LimitExceeded&) {  // too expensive, or a limit of the user
  }
  return found;
}

void add_assumptions(const BestChange& best, LayoutResult& layout) {
  for (const TriedChange& each : best.assumptions) {
    layout.assumed.push_back({each.change.title, each.before_s, each.after_s});
  }
}

}  // namespace vgsim::scenario
