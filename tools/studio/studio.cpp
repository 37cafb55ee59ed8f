#include "tools/studio/studio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/explain/change_gaps.hpp"
#include "models/questions/studies/one_run.hpp"
#include "models/scenario/answer/figures.hpp"
#include "models/scenario/answer/intervals.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/layouts.hpp"
#include "sim/engine.hpp"
#include "tools/machine/machine_memory.hpp"
#include "tools/studio/patches.hpp"
#include "topology/input/merge_patch.hpp"

namespace vgsim::studio {
namespace {

using input::Diagnostics;
using input::Value;
using scenario::Document;
using scenario::LayoutResult;

/// Settings of the first answer, without the simulations that explain it.
scenario::RunSettings quick_settings(const Overtaken& overtaken) {
  scenario::RunSettings settings;
  settings.memory_limit = machine::machine_memory();
  settings.record = true;
  settings.next_limit = false;
  settings.limits.deadline_passed = overtaken;
  return settings;
}

bool is_overtaken(const Overtaken& overtaken) { return overtaken && overtaken(); }

std::vector<Objection> objections_of(const Diagnostics& diagnostics) {
  std::vector<Objection> objections;
  for (const input::Diagnostic& each : diagnostics.items()) {
    if (each.severity != input::Severity::error) continue;
    std::string text = each.message;
    // Locations in the text of the page are useless.
    const bool is_sent = each.location.source && each.location.source->path == kSentName;
    if (!each.pointer.empty() && !is_sent) text = each.pointer + ": " + text;
    std::string remedy = each.expected.empty() ? std::string() : "expected " + each.expected;
    if (!each.suggestions.empty()) remedy = "did you mean \"" + each.suggestions.front() + "\"?";
    objections.push_back({each.code, text, remedy, {}});
  }
  return objections;
}

std::vector<Objection> objections_of(const LayoutResult& result) {
  std::vector<Objection> objections;
  for (const scenario::Warning& warning : result.warnings) {
    if (warning.verdict != vsphere::Verdict::kRefused) continue;
    objections.push_back({warning.rule, warning.text, warning.remedy, warning.source});
  }
  return objections;
}

/// The rules that refuse a layout, without running it.
std::vector<Objection> objections_of(const scenario::PreparedLayout& prepared) {
  std::vector<Objection> objections;
  for (const vsphere::Finding& finding : prepared.placement.cluster->findings) {
    if (finding.verdict != vsphere::Verdict::kRefused) continue;
    const std::string text = finding.subject + ": " + finding.text;
    const bool known = std::any_of(objections.begin(), objections.end(), [&](const auto& each) {
      return each.rule == finding.rule && each.text == text;
    });
    if (known) continue;
    objections.push_back({finding.rule, text, finding.remedy, finding.source});
  }
  return objections;
}

const Value& empty_object() {
  static const Value empty = Value::make_object({});
  return empty;
}

Value layouts_of(const Document& document) {
  const input::Member* layouts = document.value().member("layouts");
  return layouts == nullptr ? empty_object() : layouts->value;
}

/// A document with explicit layouts: one without any becomes a layout with its name.
Document with_named_layouts(const Document& document) {
  if (document.has("layouts")) return document;
  const Value layouts = Value::make_object({{document.text("name"), {}, Value::make_object({})}});
  return Document(with(document.value(), "layouts", layouts));
}

/// The layout that a scenario is edited from, and that with its changes; empty: none.
struct EditedLayout {
  std::string start;
  std::string name;
};

EditedLayout edited_layout(const std::vector<std::string>& names) {
  const std::string_view changed = kChanged;
  for (const std::string& name : names) {
    if (!name.ends_with(changed)) continue;
    const std::string start = name.substr(0, name.size() - changed.size());
    if (std::ranges::find(names, start) != names.end()) return {start, name};
  }
  const bool has_former = std::ranges::find(names, kFormerWorkingLayout) != names.end();
  const auto first = std::ranges::find_if(
      names, [](const std::string& name) { return name != kFormerWorkingLayout; });
  if (first == names.end()) return {names.front(), {}};
  return {*first, has_former ? kFormerWorkingLayout : std::string()};
}

}  // namespace

Studio::Studio(const Document& document, const scenario::Library& library, input::FileLoader load)
    : library_(&library), load_(std::move(load)), base_(document) {}

tl::expected<Studio, Diagnostics> Studio::open(const Document& document,
                                               const scenario::Library& library,
                                               input::FileLoader load) {
  Diagnostics diagnostics;
  const auto valid = scenario::read_layouts(document, library, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  Studio studio(with_named_layouts(document), library, std::move(load));
  const Document single = scenario::with_single_names(studio.base_, diagnostics);
  studio.single_ = without(without(single.value(), "layouts"), "expect");
  const EditedLayout edited = edited_layout(studio.base_.layouts());
  studio.start_ = edited.start;
  studio.begun_ = *studio.variant_of(studio.start_);
  studio.first_ = studio.begun_;
  if (!edited.name.empty()) {
    const Value saved = *studio.variant_of(edited.name);
    Change change;
    change.title = "as it was saved";
    if (!difference(studio.first_, saved).members().empty()) studio.add_step(change, saved);
    studio.base_ = Document(
        with(studio.base_.value(), "layouts", without(layouts_of(studio.base_), edited.name)));
  }
  const auto prepared = scenario::prepare_scenario(studio.document_of(studio.variant()), library,
                                                   studio.load_, quick_settings({}));
  if (!prepared) return tl::unexpected(prepared.error());
  return studio;
}

std::optional<Value> Studio::variant_of(const std::string& layout) const {
  Diagnostics diagnostics;
  if (layouts_of(base_).member(layout) == nullptr) return std::nullopt;
  const auto read = scenario::read_layouts(base_.with_layouts({layout}), *library_, diagnostics);
  if (read.empty()) return std::nullopt;
  return read.front().document.value();
}

const Value& Studio::variant() const { return done_ == 0 ? first_ : steps_[done_ - 1].after; }

Value Studio::patch() const { return with_ranges(difference(single_, variant())); }

Value Studio::patch_of_start() const { return with_ranges(difference(begun_, variant())); }

std::string Studio::name_of(const Value& variant) const {
  return difference(begun_, variant).members().empty() ? start_ : start_ + kChanged;
}

std::string Studio::working_name() const { return name_of(variant()); }

Document Studio::document_of(const Value& variant) const {
  const Value patch = with_ranges(difference(single_, variant));
  const Value layouts = Value::make_object({{name_of(variant), {}, patch}});
  return Document(with(without(base_.value(), "expect"), "layouts", layouts));
}

Document Studio::document() const {
  return patch_of_start().members().empty() ? base_ : with_present_as(working_name());
}

Document Studio::with_present_as(const std::string& name) const {
  return Document(with(base_.value(), "layouts", with(layouts_of(base_), name, patch())));
}

void Studio::add_step(const Change& change, const Value& after) {
  const bool goes_on =
      done_ > 0 && !change.gesture.empty() && steps_[done_ - 1].gesture == change.gesture;
  std::optional<MachineCounts> counts;
  if (goes_on) {
    counts = steps_[done_ - 1].before;
  } else if (prepared_ && answer_.result) {
    counts = counts_of(*prepared_, *answer_.result, variant());
  }
  steps_.resize(goes_on ? done_ - 1 : done_);
  if (steps_.size() >= kMostSteps) {
    first_ = steps_.front().after;
    steps_.erase(steps_.begin());
  }
  const Value& before = steps_.empty() ? first_ : steps_.back().after;
  steps_.push_back({change.title.empty() ? title_of(change) : change.title,
                    change.gesture,
                    with_ranges(difference(before, after)),
                    after,
                    counts,
                    {}});
  done_ = steps_.size();
}

Outcome Studio::change(const Change& change, const Overtaken& overtaken) {
  const bool goes_on =
      done_ > 0 && !change.gesture.empty() && steps_[done_ - 1].gesture == change.gesture;
  const Value& before = !goes_on ? variant() : done_ == 1 ? first_ : steps_[done_ - 2].after;
  const auto after = changed(before, change);
  if (!after) return {Done::kRefused, objections_of(after.error())};
  if (difference(variant(), *after).members().empty()) return run(overtaken);
  const auto steps = steps_;
  const auto done = done_;
  const Value first = first_;
  add_step(change, *after);
  Outcome outcome = run_variant(*after, change.all_the_same, overtaken);
  if (outcome.done == Done::kRefused) {
    steps_ = steps;
    done_ = done;
    first_ = first;
  } else if (Step& step = steps_.back(); outcome.done == Done::kAnswered && step.before) {
    step.removed = removed_machines(*step.before, counts_of(*prepared_, *answer_.result, *after));
  }
  return outcome;
}

Outcome Studio::step_to(std::size_t done, const Overtaken& overtaken) {
  done_ = done;
  answer_ = {};
  return run_variant(variant(), true, overtaken);
}

Outcome Studio::undo(const Overtaken& overtaken) {
  return done_ == 0 ? run(overtaken) : step_to(done_ - 1, overtaken);
}

Outcome Studio::redo(const Overtaken& overtaken) {
  return done_ == steps_.size() ? run(overtaken) : step_to(done_ + 1, overtaken);
}

Outcome Studio::start_with(const std::string& layout, const Overtaken& overtaken) {
  const auto variant = variant_of(layout);
  if (!variant) return run(overtaken);
  start_ = layout;
  begun_ = *variant;
  first_ = *variant;
  steps_.clear();
  return step_to(0, overtaken);
}

Outcome Studio::run(const Overtaken& overtaken) {
  if (answer_.result) return {};
  return run_variant(variant(), true, overtaken);
}

Outcome Studio::run_variant(const Value& variant, bool all_the_same, const Overtaken& overtaken) {
  auto settings = quick_settings(overtaken);
  settings.report = reporter_;
  try {
    auto prepared = scenario::prepare_scenario(document_of(variant), *library_, load_, settings,
                                               this->prepared());
    if (!prepared) return {Done::kRefused, objections_of(prepared.error())};
    if (!all_the_same && prepared->layouts.front().is_refused()) {
      return {Done::kRefused, objections_of(prepared->layouts.front())};
    }
    auto result = scenario::run(*prepared, settings).layouts.front();
    if (!all_the_same && result.refused) return {Done::kRefused, objections_of(result)};
    prepared_ = std::move(*prepared);
    answer_ = {};
    answer_.result = std::make_shared<const LayoutResult>(std::move(result));
    return {Done::kAnswered, {}};
  } catch (const LimitExceeded& error) {
    if (is_overtaken(overtaken)) {
      answer_ = {};
      return {Done::kOvertaken, {}};
    }
    return {Done::kRefused, {{"limit", error.what(), {}, {}}}};
  } catch (const Stalled&) {
    return {Done::kRefused,
            {{"stalled", "the job never ends: a link that it needs is down", {}, {}}}};
  } catch (const OverflowError&) {
    return {Done::kRefused, {{"too-long", "the job takes longer than 106 days", {}, {}}}};
  }
}

/// The parts for another repetition; null if nothing is interrupted between simulations.
scenario::ComputedParts* Studio::repeated(scenario::ComputedParts& parts) const {
  if (!pause_) return nullptr;
  parts.repeat(pause_);
  return &parts;
}

bool Studio::run_in_full(const Overtaken& overtaken) {
  if (answer_.in_full || !answer_.result || answer_.result->refused) return true;
  try {
    if (!compute_in_full(overtaken, repeated(answer_.parts_in_full))) return false;
  } catch (const scenario::Interrupted&) {
    return false;
  } catch (const LimitExceeded&) {
    if (is_overtaken(overtaken)) return false;
  }
  answer_.parts_in_full = {};
  answer_.in_full = true;
  return true;
}

bool Studio::compute_in_full(const Overtaken& overtaken, scenario::ComputedParts* parts) {
  auto settings = quick_settings(overtaken);
  settings.next_limit = true;
  auto result = scenario::computed_part<scenario::ScenarioResult>(
      parts, [&] { return scenario::run(*prepared_, settings); });
  const std::uint64_t draws = draws_of(result);
  if (draws > 0) {
    scenario::add_intervals(*prepared_, *library_, load_, settings, draws, result, parts);
  }
  if (is_overtaken(overtaken)) return false;
  if (scenario::is_quickly_varied(result.layouts.front())) {
    settings.record = false;
    const scenario::Studied studied{*prepared_, *library_, load_, settings};
    answer_.tornado = scenario::tornado(studied, result.layouts.front(), parts);
    if (is_overtaken(overtaken)) return false;
  }
  // Last, as pinned layouts then have their draws, which a repetition would leave out.
  if (!add_draws_to_pinned(draws, overtaken, parts)) return false;
  answer_.result = std::make_shared<const LayoutResult>(std::move(result.layouts.front()));
  return true;
}

/// As many draws as `vgsim run` makes of the scenario and the pinned layouts.
std::uint64_t Studio::draws_of(const scenario::ScenarioResult& result) const {
  scenario::ScenarioResult all;
  all.layouts = {result.layouts.front()};
  for (const Pinned& pinned : pinned_) {
    if (pinned.result && !pinned.result->refused) all.layouts.push_back(*pinned.result);
  }
  return all.layouts.size() == 1 ? scenario::usual_draws(result) : scenario::usual_draws(all);
}

/// Draws of the pinned layouts, without which they cannot be ranked with confidence.
bool Studio::add_draws_to_pinned(std::uint64_t draws, const Overtaken& overtaken,
                                 scenario::ComputedParts* parts) {
  if (draws == 0) return true;
  const auto settings = quick_settings(overtaken);
  std::vector<std::shared_ptr<const LayoutResult>> drawn(pinned_.size());
  for (std::size_t i = 0; i < pinned_.size(); ++i) {
    const Pinned& pinned = pinned_[i];
    if (!pinned.result || pinned.result->refused || pinned.draws == draws) continue;
    const auto prepared = scenario::prepare_scenario(document_of(pinned.variant), *library_, load_,
                                                     settings, this->prepared());
    if (!prepared) continue;
    auto result = scenario::computed_part<scenario::ScenarioResult>(
        parts, [&] { return scenario::run(*prepared, settings); });
    scenario::add_intervals(*prepared, *library_, load_, settings, draws, result, parts);
    if (is_overtaken(overtaken)) return false;
    drawn[i] = std::make_shared<const LayoutResult>(std::move(result.layouts.front()));
  }
  // All at once: a repetition leaves out none of them.
  for (std::size_t i = 0; i < pinned_.size(); ++i) {
    if (!drawn[i]) continue;
    pinned_[i].result = drawn[i];
    pinned_[i].draws = draws;
  }
  return true;
}

bool Studio::find_what_helps(const Overtaken& overtaken) {
  if (answer_.tried || !answer_.result || answer_.result->refused) return true;
  answer_.tried = tried_changes(overtaken, repeated(answer_.parts_of_tried));
  if (answer_.tried) answer_.parts_of_tried = {};
  return answer_.tried.has_value();
}

/// None if the search failed; nothing if it was overtaken or interrupted.
std::optional<std::vector<scenario::TriedChange>> Studio::tried_changes(
    const Overtaken& overtaken, scenario::ComputedParts* parts) const {
  using Tried = std::vector<scenario::TriedChange>;
  Diagnostics diagnostics;
  const auto layouts = scenario::read_layouts(Document(variant()), *library_, diagnostics);
  if (layouts.empty()) return Tried{};
  const auto settings = quick_settings(overtaken);
  const Document& document = layouts.front().document;
  try {
    const auto prepared = scenario::prepare_scenario(document, *library_, load_, settings, nullptr);
    if (!prepared) return Tried{};
    const scenario::ChangeContext at{document, *prepared, *answer_.result, *library_};
    auto tried = scenario::try_changes(at, scenario::changes_of(at), load_, settings, parts);
    if (is_overtaken(overtaken)) return std::nullopt;
    scenario::add_gaps(at, load_, settings, tried, parts);
    if (is_overtaken(overtaken)) return std::nullopt;
    return tried;
  } catch (const scenario::Interrupted&) {
    return std::nullopt;
  } catch (const LimitExceeded&) {
    return is_overtaken(overtaken) ? std::nullopt : std::optional(Tried{});
  }
}

scenario::LayoutResult Studio::result_with_assumptions() const {
  scenario::LayoutResult result = *answer_.result;
  Diagnostics diagnostics;
  const Document document{variant()};
  const auto layouts = scenario::read_layouts(document, diagnostics);
  if (layouts.empty()) return result;
  scenario::LayoutResult known = result;
  known.name = layouts.front().name;  // the present scenario has no layouts
  scenario::add_assumptions(scenario::find_best_change(document, known, *library_, load_, {},
                                                       scenario::BestChangeOf::kAssumptions),
                            result);
  return result;
}

std::vector<Objection> Studio::objections_to(const Change& change) const {
  const auto after = changed(variant(), change);
  if (!after) return objections_of(after.error());
  try {
    const auto prepared = scenario::prepare_scenario(document_of(*after), *library_, load_,
                                                     quick_settings({}), this->prepared());
    if (!prepared) return objections_of(prepared.error());
    return objections_of(prepared->layouts.front());
  } catch (const LimitExceeded& error) {
    return {{"limit", error.what(), {}, {}}};
  }
}

std::vector<scenario::Metric> Studio::figures_with(const Change& change, bool intervals,
                                                   const Overtaken& overtaken) const {
  auto settings = quick_settings(overtaken);
  settings.record = false;
  const auto after = changed(variant(), change);
  if (!after || is_overtaken(overtaken)) return {};
  try {
    const auto prepared = scenario::prepare_scenario(document_of(*after), *library_, load_,
                                                     settings, this->prepared());
    if (!prepared) return {};
    auto result = scenario::run(*prepared, settings);
    if (result.layouts.front().refused) return {};
    if (intervals) {
      scenario::add_intervals(*prepared, *library_, load_, settings, scenario::kUsualDraws, result);
    }
    return scenario::metrics_of(result.layouts.front());
  } catch (const LimitExceeded&) {
  } catch (const Stalled&) {
  } catch (const OverflowError&) {
  }
  return {};
}

void Studio::forget_answer() {
  answer_ = {};
  prepared_.reset();
}

bool Studio::pin() {
  if (!answer_.result) return false;
  const bool is_start = patch_of_start().members().empty();
  std::string name = is_start || done_ == 0 ? working_name() : steps_[done_ - 1].title;
  if (!is_start && done_ > 1) name += fmt::format(" and {} more", done_ - 1);
  return add_pinned({std::move(name), variant(), answer_.result, 0});
}

bool Studio::pin_layout(const std::string& layout, const Overtaken& overtaken) {
  const auto variant = variant_of(layout);
  if (!variant) return false;
  const auto settings = quick_settings(overtaken);
  try {
    auto result =
        scenario::run_scenario(document_of(*variant), *library_, load_, settings, prepared());
    if (!result) return false;
    return add_pinned({layout, *variant,
                       std::make_shared<const LayoutResult>(std::move(result->layouts.front())),
                       0});
  } catch (const LimitExceeded&) {
    return false;
  }
}

bool Studio::add_pinned(Pinned pinned) {
  if (pinned_.size() >= kMostPinned) return false;
  pinned_.push_back(std::move(pinned));
  answer_.in_full = false;
  answer_.parts_in_full = {};
  return true;
}

void Studio::unpin(std::size_t index) {
  if (index < pinned_.size()) pinned_.erase(pinned_.begin() + static_cast<std::ptrdiff_t>(index));
  answer_.parts_in_full = {};  // those of the pinned layout are among them
}

bool Studio::save_as_layout(const std::string& name) {
  const bool is_reserved = name == kFormerWorkingLayout || name.ends_with(kChanged);
  if (name.empty() || is_reserved || layouts_of(base_).member(name) != nullptr) return false;
  base_ = with_present_as(name);
  return true;
}

}  // namespace vgsim::studio
